// Random numbers: a state that each use writes, and unknown numbers in the range that is promised.
#pragma once
#include "math_functions.h"

#define __hw_generator(name)            \
  struct name {                         \
    unsigned d, v[5];                   \
  };                                    \
  typedef name name##_t;
__hw_generator(curandState)
__hw_generator(curandStateMRG32k3a)
__hw_generator(curandStatePhilox4_32_10)
__hw_generator(curandStateSobol32)
__hw_generator(curandStateMtgp32)
#undef __hw_generator
typedef curandState curandStateXORWOW;
typedef curandState curandStateXORWOW_t;

template <class S> __hw_device unsigned __hw_draw(S* state) {
  state->d += 362437;
  state->v[0] = __headway_unknown_u32();
  return __headway_unknown_u32();
}
__hw_device float __hw_unit(float u) {
  __headway_assume((int)(u > 0.0f) & (int)(u <= 1.0f));
  return u;
}
__hw_device double __hw_unit(double u) {
  __headway_assume((int)(u > 0.0) & (int)(u <= 1.0));
  return u;
}
template <class S>
__hw_device void curand_init(unsigned long long, unsigned long long, unsigned long long, S* state) {
  *state = S{__headway_unknown_u32(), {__headway_unknown_u32(), __headway_unknown_u32(),
                                       __headway_unknown_u32(), __headway_unknown_u32(),
                                       __headway_unknown_u32()}};
}
template <class S> __hw_device unsigned curand(S* s) { return __hw_draw(s); }
template <class S> __hw_device uint4 curand4(S* s) {
  __hw_draw(s);
  return __hw_unknown<uint4>();
}
template <class S> __hw_device float curand_uniform(S* s) {
  __hw_draw(s);
  return __hw_unit(__headway_unknown_f32());
}
template <class S> __hw_device double curand_uniform_double(S* s) {
  __hw_draw(s);
  return __hw_unit(__headway_unknown_f64());
}
template <class S> __hw_device float4 curand_uniform4(S* s) {
  __hw_draw(s);
  return float4{__hw_unit(__headway_unknown_f32()), __hw_unit(__headway_unknown_f32()),
                __hw_unit(__headway_unknown_f32()), __hw_unit(__headway_unknown_f32())};
}
#define __hw_random(name, T)                           \
  template <class S> __hw_device T name(S* s) {        \
    __hw_draw(s);                                      \
    return __hw_unknown<T>();                          \
  }
__hw_random(curand_normal, float)
__hw_random(curand_normal2, float2)
__hw_random(curand_normal4, float4)
__hw_random(curand_normal_double, double)
__hw_random(curand_normal2_double, double2)
#undef __hw_random
template <class S> __hw_device float curand_log_normal(S* s, float, float) {
  __hw_draw(s);
  return __headway_unknown_f32();
}
template <class S> __hw_device unsigned curand_poisson(S* s, double) { return __hw_draw(s); }
template <class S> __hw_device void skipahead(unsigned long long, S* s) { __hw_draw(s); }
template <class S> __hw_device void skipahead_sequence(unsigned long long, S* s) { __hw_draw(s); }
