// The calls of CUDA model-checking benchmarks.
#pragma once
#include "cuda_runtime_api.h"
#include "c_library.h"

template <class... P>
__hw_host void __hw_verify_kernel(void (*kernel)(P...), dim3 grid, dim3 block,
                                  typename __hw_same<P>::type... arguments) {
  kernel<<<grid, block>>>(arguments...);
  cudaDeviceSynchronize();
}
#define ESBMC_verify_kernel __hw_verify_kernel
#define ESBMC_verify_kernel_f __hw_verify_kernel
#define ESBMC_verify_kernel_u __hw_verify_kernel
#define ESBMC_verify_kernel_c __hw_verify_kernel
#define ESBMC_verify_kernel_i __hw_verify_kernel
#define ESBMC_verify_kernel_ui __hw_verify_kernel
#define ESBMC_verify_kernel_intt __hw_verify_kernel
#define ESBMC_verify_kernel_fuintt __hw_verify_kernel
#define ESBMC_verify_kernel_fuintint __hw_verify_kernel
#define ESBMC_verify_kernel_four __hw_verify_kernel
#define ESBMC_verify_kernel_no_params __hw_verify_kernel
#define ESBMC_verify_kernel_with_one_arg __hw_verify_kernel
#define ESBMC_verify_kernel_with_two_args __hw_verify_kernel
#define ESBMC_verify_kernel_with_three_args __hw_verify_kernel
#define ESBMC_verify_kernel_with_four_args __hw_verify_kernel
#define ESBMC_verify_kernel_three_args_iuull __hw_verify_kernel
