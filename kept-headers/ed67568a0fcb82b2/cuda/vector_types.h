// char1 to double4, dim3, and the built-in variables.
#pragma once
#include "headway_base.h"

#define __hw_vector(T, name, align1, align2, align4)                                              \
  struct __attribute__((aligned(align1))) name##1 { T x; };                                       \
  struct __attribute__((aligned(align2))) name##2 { T x, y; };                                    \
  struct __attribute__((aligned(align1))) name##3 { T x, y, z; };                                 \
  struct __attribute__((aligned(align4))) name##4 { T x, y, z, w; };                              \
  __hw_both name##1 make_##name##1(T x) { return {x}; }                                           \
  __hw_both name##2 make_##name##2(T x, T y) { return {x, y}; }                                   \
  __hw_both name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }                           \
  __hw_both name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }                   \
  template <> struct __hw_unknown_of<name##1> {                                                   \
    static __hw_member name##1 get() { return {__hw_unknown<T>()}; }                              \
  };                                                                                              \
  template <> struct __hw_unknown_of<name##2> {                                                   \
    static __hw_member name##2 get() { return {__hw_unknown<T>(), __hw_unknown<T>()}; }           \
  };                                                                                              \
  template <> struct __hw_unknown_of<name##3> {                                                   \
    static __hw_member name##3 get() {                                                            \
      return {__hw_unknown<T>(), __hw_unknown<T>(), __hw_unknown<T>()};                           \
    }                                                                                             \
  };                                                                                              \
  template <> struct __hw_unknown_of<name##4> {                                                   \
    static __hw_member name##4 get() {                                                            \
      return {__hw_unknown<T>(), __hw_unknown<T>(), __hw_unknown<T>(), __hw_unknown<T>()};        \
    }                                                                                             \
  };
__hw_vector(signed char, char, 1, 2, 4)
__hw_vector(unsigned char, uchar, 1, 2, 4)
__hw_vector(short, short, 2, 4, 8)
__hw_vector(unsigned short, ushort, 2, 4, 8)
__hw_vector(int, int, 4, 8, 16)
__hw_vector(unsigned, uint, 4, 8, 16)
__hw_vector(long, long, 8, 16, 16)
__hw_vector(unsigned long, ulong, 8, 16, 16)
__hw_vector(long long, longlong, 8, 16, 16)
__hw_vector(unsigned long long, ulonglong, 8, 16, 16)
__hw_vector(float, float, 4, 8, 16)
__hw_vector(double, double, 8, 16, 16)
#undef __hw_vector

struct dim3 {
  unsigned x, y, z;
  __hw_member constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  __hw_member constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __hw_member constexpr operator uint3() const { return {x, y, z}; }
};

#define __hw_coordinates(type, function, vector)                                              \
  struct type {                                                                               \
    __declspec(property(get = __x)) unsigned x;                                               \
    __declspec(property(get = __y)) unsigned y;                                               \
    __declspec(property(get = __z)) unsigned z;                                               \
    static __hw_device_member unsigned __x() { return function(0); }                          \
    static __hw_device_member unsigned __y() { return function(1); }                          \
    static __hw_device_member unsigned __z() { return function(2); }                          \
    __hw_device_member operator dim3() const { return {__x(), __y(), __z()}; }                \
    __hw_device_member operator uint3() const { return {__x(), __y(), __z()}; }               \
  };
__hw_coordinates(__hw_thread_idx, __headway_thread_id, uint3)
__hw_coordinates(__hw_block_idx, __headway_group_id, uint3)
__hw_coordinates(__hw_block_dim, __headway_group_size, dim3)
__hw_coordinates(__hw_grid_dim, __headway_groups, dim3)
#undef __hw_coordinates
extern const __device__ __hw_thread_idx threadIdx;
extern const __device__ __hw_block_idx blockIdx;
extern const __device__ __hw_block_dim blockDim;
extern const __device__ __hw_grid_dim gridDim;
struct __hw_warp_size {
  __hw_device_member operator int() const { return (int)__headway_subgroup_size(); }
};
extern const __device__ __hw_warp_size warpSize;
