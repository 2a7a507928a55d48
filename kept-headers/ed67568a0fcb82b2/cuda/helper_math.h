// Operators and functions of vectors as the samples of the CUDA toolkit have them. Templates, so
// that a program may define its own.
#pragma once
#include "math_functions.h"

#define __hw_operator(V, T, op, n)                                                               \
  __hw_weak V operator op(V a, V b) { return __hw_each_##n(V, a, op, b); }                       \
  __hw_weak V operator op(V a, T b) { return __hw_with_##n(V, a, op, b); }                       \
  __hw_weak V operator op(T a, V b) { return __hw_from_##n(V, a, op, b); }                       \
  __hw_weak void operator op##=(V& a, V b) { a = __hw_each_##n(V, a, op, b); }                   \
  __hw_weak void operator op##=(V& a, T b) { a = __hw_with_##n(V, a, op, b); }
#define __hw_each_2(V, a, op, b) V{(decltype(a.x))(a.x op b.x), (decltype(a.x))(a.y op b.y)}
#define __hw_each_3(V, a, op, b) \
  V{(decltype(a.x))(a.x op b.x), (decltype(a.x))(a.y op b.y), (decltype(a.x))(a.z op b.z)}
#define __hw_each_4(V, a, op, b)                                                              \
  V{(decltype(a.x))(a.x op b.x), (decltype(a.x))(a.y op b.y), (decltype(a.x))(a.z op b.z), \
    (decltype(a.x))(a.w op b.w)}
#define __hw_with_2(V, a, op, b) V{(decltype(a.x))(a.x op b), (decltype(a.x))(a.y op b)}
#define __hw_with_3(V, a, op, b) \
  V{(decltype(a.x))(a.x op b), (decltype(a.x))(a.y op b), (decltype(a.x))(a.z op b)}
#define __hw_with_4(V, a, op, b)                                                          \
  V{(decltype(a.x))(a.x op b), (decltype(a.x))(a.y op b), (decltype(a.x))(a.z op b), \
    (decltype(a.x))(a.w op b)}
#define __hw_from_2(V, a, op, b) V{(decltype(b.x))(a op b.x), (decltype(b.x))(a op b.y)}
#define __hw_from_3(V, a, op, b) \
  V{(decltype(b.x))(a op b.x), (decltype(b.x))(a op b.y), (decltype(b.x))(a op b.z)}
#define __hw_from_4(V, a, op, b)                                                          \
  V{(decltype(b.x))(a op b.x), (decltype(b.x))(a op b.y), (decltype(b.x))(a op b.z), \
    (decltype(b.x))(a op b.w)}
#define __hw_call1_2(V, f, a) V{f(a.x), f(a.y)}
#define __hw_call1_3(V, f, a) V{f(a.x), f(a.y), f(a.z)}
#define __hw_call1_4(V, f, a) V{f(a.x), f(a.y), f(a.z), f(a.w)}
#define __hw_call2_2(V, f, a, b) V{f(a.x, b.x), f(a.y, b.y)}
#define __hw_call2_3(V, f, a, b) V{f(a.x, b.x), f(a.y, b.y), f(a.z, b.z)}
#define __hw_call2_4(V, f, a, b) V{f(a.x, b.x), f(a.y, b.y), f(a.z, b.z), f(a.w, b.w)}
#define __hw_sum_2(p) p(x) + p(y)
#define __hw_sum_3(p) p(x) + p(y) + p(z)
#define __hw_sum_4(p) p(x) + p(y) + p(z) + p(w)
#define __hw_product(m) a.m * b.m

#define __hw_vector(V, T, n)                                                                     \
  __hw_operator(V, T, +, n) __hw_operator(V, T, -, n) __hw_operator(V, T, *, n)                  \
  __hw_operator(V, T, /, n)                                                                      \
  __hw_weak V min(V a, V b) { return __hw_call2_##n(V, min, a, b); }                             \
  __hw_weak V max(V a, V b) { return __hw_call2_##n(V, max, a, b); }                             \
  __hw_weak T dot(V a, V b) { return __hw_sum_##n(__hw_product); }                               \
  __hw_weak V clamp(V v, V a, V b) { return max(a, min(v, b)); }
#define __hw_negative(V, n) \
  __hw_weak V operator-(const V& a) { return __hw_call1_##n(V, -, a); }
#define __hw_signed(name, T)                                                                     \
  __hw_vector(name##2, T, 2) __hw_vector(name##3, T, 3) __hw_vector(name##4, T, 4)               \
  __hw_negative(name##2, 2) __hw_negative(name##3, 3) __hw_negative(name##4, 4)
__hw_weak int clamp(int v, int a, int b) { return max(a, min(v, b)); }
__hw_weak unsigned clamp(unsigned v, unsigned a, unsigned b) { return max(a, min(v, b)); }
__hw_weak float clamp(float v, float a, float b) { return fmaxf(a, fminf(v, b)); }
__hw_signed(int, int) __hw_signed(float, float) __hw_signed(double, double)
__hw_vector(uint2, unsigned, 2) __hw_vector(uint3, unsigned, 3) __hw_vector(uint4, unsigned, 4)
__hw_weak float lerp(float a, float b, float t) { return a + t * (b - a); }
#define __hw_lengths(V, n)                                                                       \
  __hw_weak V lerp(V a, V b, float t) { return a + t * (b - a); }                                \
  __hw_weak V clamp(V v, float a, float b) { return max(V(__hw_with_##n(V, v, *0 +, a)), min(v, V(__hw_with_##n(V, v, *0 +, b)))); } \
  __hw_weak float length(V v) { return sqrtf(dot(v, v)); }                                       \
  __hw_weak V normalize(V v) { return v * rsqrtf(dot(v, v)); }                                   \
  __hw_weak V floorf(V v) { return __hw_call1_##n(V, floorf, v); }                               \
  __hw_weak V fabs(V v) { return __hw_call1_##n(V, fabsf, v); }                                  \
  __hw_weak V fminf(V a, V b) { return __hw_call2_##n(V, fminf, a, b); }                         \
  __hw_weak V fmaxf(V a, V b) { return __hw_call2_##n(V, fmaxf, a, b); }                         \
  __hw_weak V fmodf(V a, V b) { return __hw_call2_##n(V, fmodf, a, b); }                         \
  __hw_weak V reflect(V i, V normal) { return i - 2.0f * normal * dot(normal, i); }
__hw_lengths(float2, 2) __hw_lengths(float3, 3) __hw_lengths(float4, 4)
__hw_weak float3 cross(float3 a, float3 b) {
  return float3{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
__hw_weak float fracf(float v) { return v - floorf(v); }
__hw_weak float smoothstep(float a, float b, float x) {
  const float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return y * y * (3.0f - 2.0f * y);
}
#define __hw_making(name, T, from)                                                               \
  __hw_weak name##2 make_##name##2(T s) { return name##2{s, s}; }                                \
  __hw_weak name##2 make_##name##2(name##3 a) { return name##2{a.x, a.y}; }                      \
  __hw_weak name##2 make_##name##2(from##2 a) { return name##2{(T)a.x, (T)a.y}; }                \
  __hw_weak name##3 make_##name##3(T s) { return name##3{s, s, s}; }                             \
  __hw_weak name##3 make_##name##3(name##2 a) { return name##3{a.x, a.y, (T)0}; }                \
  __hw_weak name##3 make_##name##3(name##2 a, T s) { return name##3{a.x, a.y, s}; }              \
  __hw_weak name##3 make_##name##3(name##4 a) { return name##3{a.x, a.y, a.z}; }                 \
  __hw_weak name##3 make_##name##3(from##3 a) { return name##3{(T)a.x, (T)a.y, (T)a.z}; }        \
  __hw_weak name##4 make_##name##4(T s) { return name##4{s, s, s, s}; }                          \
  __hw_weak name##4 make_##name##4(name##3 a) { return name##4{a.x, a.y, a.z, (T)0}; }           \
  __hw_weak name##4 make_##name##4(name##3 a, T w) { return name##4{a.x, a.y, a.z, w}; }         \
  __hw_weak name##4 make_##name##4(from##4 a) { return name##4{(T)a.x, (T)a.y, (T)a.z, (T)a.w}; }
__hw_making(float, float, int)
__hw_making(int, int, float)
__hw_making(uint, unsigned, int)
