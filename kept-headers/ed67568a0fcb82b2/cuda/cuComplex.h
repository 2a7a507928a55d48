// Complex numbers of CUDA: pairs of reals.
#pragma once
#include "math_functions.h"
#include "vector_types.h"
#define __hw_complex(C, T, make, f)                                                              \
  __hw_both C make(T x, T y) { return C{x, y}; }                                                 \
  __hw_both T cuCreal##f(C a) { return a.x; }                                                    \
  __hw_both T cuCimag##f(C a) { return a.y; }                                                    \
  __hw_both C cuConj##f(C a) { return C{a.x, -a.y}; }                                            \
  __hw_both C cuCadd##f(C a, C b) { return C{a.x + b.x, a.y + b.y}; }                            \
  __hw_both C cuCsub##f(C a, C b) { return C{a.x - b.x, a.y - b.y}; }                            \
  __hw_both C cuCmul##f(C a, C b) { return C{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }    \
  __hw_both C cuCfma##f(C a, C b, C c) { return cuCadd##f(cuCmul##f(a, b), c); }                 \
  __hw_both C cuCdiv##f(C a, C b) {                                                              \
    const T n = b.x * b.x + b.y * b.y;                                                           \
    return C{(a.x * b.x + a.y * b.y) / n, (a.y * b.x - a.x * b.y) / n};                          \
  }                                                                                              \
  __hw_both T cuCabs##f(C a) { return hypot(a.x, a.y); }
typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
__hw_complex(cuFloatComplex, float, make_cuFloatComplex, f)
__hw_complex(cuDoubleComplex, double, make_cuDoubleComplex, )
#undef __hw_complex
__hw_both cuComplex make_cuComplex(float x, float y) { return cuComplex{x, y}; }
__hw_both cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) {
  return cuDoubleComplex{a.x, a.y};
}
__hw_both cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return cuFloatComplex{(float)a.x, (float)a.y};
}
