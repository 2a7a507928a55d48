// What the calls of builtins.txt are made with, for nvcc and for headway alike.
#include <assert.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// A value of its bits, and the bits of a value: one for all that are no number.
template <class T> __device__ T from(unsigned long long bits) {
  T x;
  if constexpr (sizeof(T) == 1) { const unsigned char low = (unsigned char)bits; memcpy(&x, &low, 1); }
  else if constexpr (sizeof(T) == 2) { const unsigned short low = (unsigned short)bits; memcpy(&x, &low, 2); }
  else if constexpr (sizeof(T) == 4) { const unsigned low = (unsigned)bits; memcpy(&x, &low, 4); }
  else { memcpy(&x, &bits, 8); }
  return x;
}
template <class T> __device__ T word_of(const void* at) { T x; memcpy(&x, at, sizeof x); return x; }
__device__ unsigned long long bits(float x) { return x != x ? 0x7fc00000 : word_of<unsigned>(&x); }
__device__ unsigned long long bits(double x) { return x != x ? 0x7ff8000000000000 : word_of<unsigned long long>(&x); }
__device__ unsigned long long bits(bool x) { return x; }
__device__ unsigned long long bits(int x) { return (unsigned)x; }
__device__ unsigned long long bits(unsigned x) { return x; }
__device__ unsigned long long bits(short x) { return (unsigned short)x; }
__device__ unsigned long long bits(unsigned short x) { return x; }
__device__ unsigned long long bits(signed char x) { return (unsigned char)x; }
__device__ unsigned long long bits(unsigned char x) { return x; }
__device__ unsigned long long bits(long x) { return (unsigned long long)x; }
__device__ unsigned long long bits(unsigned long x) { return x; }
__device__ unsigned long long bits(long long x) { return (unsigned long long)x; }
__device__ unsigned long long bits(unsigned long long x) { return x; }
__device__ unsigned long long bits(__half x) {
  const unsigned short w = word_of<unsigned short>(&x);
  return (w & 0x7fff) > 0x7c00 ? 0x7e00 : w;
}
__device__ unsigned long long bits(__nv_bfloat16 x) {
  const unsigned short w = word_of<unsigned short>(&x);
  return (w & 0x7fff) > 0x7f80 ? 0x7fc0 : w;
}
__device__ unsigned long long bits(__half2 x) { return bits(x.x) | bits(x.y) << 16; }
__device__ unsigned long long bits(__nv_bfloat162 x) { return bits(x.x) | bits(x.y) << 16; }

#define LOCALS                          \
  int n = 0; float p = 0, r = 0;         \
  double q = 0, t = 0;                  \
  (void)n, (void)p, (void)r, (void)q, (void)t;
