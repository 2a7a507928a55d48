// Random numbers that the host asks for: memory of the device full of unknown ones.
#pragma once
#include "cuda_runtime_api.h"
#include "curand_kernel.h"

enum curandStatus {
  CURAND_STATUS_SUCCESS = 0, CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101, CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103, CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LAUNCH_FAILURE = 201, CURAND_STATUS_INTERNAL_ERROR = 999
};
typedef curandStatus curandStatus_t;
enum curandRngType {
  CURAND_RNG_PSEUDO_DEFAULT = 100, CURAND_RNG_PSEUDO_XORWOW = 101, CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141, CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161, CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201
};
typedef curandRngType curandRngType_t;
typedef struct curandGenerator_st* curandGenerator_t;
// By generator.
static cudaStream_t __hw_generator_streams[64];
static size_t __hw_generators;
__hw_host size_t __hw_number_of(curandGenerator_t g) { return (size_t)g - 0x20000; }
__hw_host curandStatus_t curandCreateGenerator(curandGenerator_t* g, curandRngType_t) {
  *g = (curandGenerator_t)(0x20000 + __hw_generators++);
  return CURAND_STATUS_SUCCESS;
}
__hw_host curandStatus_t curandDestroyGenerator(curandGenerator_t) { return CURAND_STATUS_SUCCESS; }
__hw_host curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t, unsigned long long) {
  return CURAND_STATUS_SUCCESS;
}
__hw_host curandStatus_t curandSetGeneratorOffset(curandGenerator_t, unsigned long long) {
  return CURAND_STATUS_SUCCESS;
}
__hw_host curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream) {
  __hw_generator_streams[__hw_number_of(g)] = stream;
  return CURAND_STATUS_SUCCESS;
}
// Numbers are made on the host, one after the other, and copied in the order of the stream.
template <class T, class F>
__hw_host curandStatus_t __hw_generate(curandGenerator_t g, T* to, size_t n, F number) {
  for (size_t i = 0; i < n; ++i) {
    const T made = number();
    cudaMemcpyAsync(to + i, &made, sizeof made, cudaMemcpyDefault,
                    __hw_generator_streams[__hw_number_of(g)]);
  }
  return CURAND_STATUS_SUCCESS;
}
__hw_host curandStatus_t curandGenerate(curandGenerator_t g, unsigned* to, size_t n) {
  return __hw_generate(g, to, n, [] { return __hw_unknown<unsigned>(); });
}
__hw_host curandStatus_t curandGenerateUniform(curandGenerator_t g, float* to, size_t n) {
  return __hw_generate(g, to, n, [] {
    const float u = __headway_unknown_f32();
    __headway_assume((int)(u > 0.0f) & (int)(u <= 1.0f));
    return u;
  });
}
__hw_host curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double* to, size_t n) {
  return __hw_generate(g, to, n, [] {
    const double u = __headway_unknown_f64();
    __headway_assume((int)(u > 0.0) & (int)(u <= 1.0));
    return u;
  });
}
__hw_host curandStatus_t curandGenerateNormal(curandGenerator_t g, float* to, size_t n, float,
                                              float) {
  return __hw_generate(g, to, n, [] { return __hw_unknown<float>(); });
}
__hw_host curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double* to, size_t n, double,
                                                    double) {
  return __hw_generate(g, to, n, [] { return __hw_unknown<double>(); });
}
