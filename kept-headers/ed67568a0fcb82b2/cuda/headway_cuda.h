// Included in front of every CUDA file. __HEADWAY_* ask for the parts that few need.
#pragma once
#include "headway_base.h"
#include "vector_types.h"
#include "device_functions.h"
#include "atomic_functions.h"
#include "math_functions.h"
#include "c_library.h"
#include "assert.h"
#include "annotations.h"
#include "nondeterminism.h"
#include "cuda_runtime_api.h"
#include "call_kernel.h"
#ifdef __HEADWAY_SIMD
#include "simd_functions.h"
#endif
#ifdef __HEADWAY_TEXTURES
#include "textures.h"
#endif
#ifdef __HEADWAY_CALLS
#include "undecided_calls.h"
#endif
#ifdef __HEADWAY_OPERATORS
#include "helper_math.h"
#endif
#ifdef __HEADWAY_ALIGNAS
/* nvcc takes `__shared__ alignas(16) char a[64];`, and clang no attribute of C++ behind another. */
#define alignas(number) __attribute__((aligned(number)))
#endif
