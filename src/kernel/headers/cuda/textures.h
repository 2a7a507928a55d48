// Textures and surfaces: what is fetched is unknown, what is written goes nowhere. Races on them
// are not found.
#pragma once
#include "cuda_runtime_api.h"

enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureAddressMode {
  cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder
};
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned, cudaChannelFormatKindFloat,
  cudaChannelFormatKindNone
};
enum cudaResourceType {
  cudaResourceTypeArray, cudaResourceTypeMipmappedArray, cudaResourceTypeLinear,
  cudaResourceTypePitch2D
};
#define cudaTextureType1D 1
#define cudaTextureType2D 2
#define cudaTextureType3D 3
#define cudaTextureTypeCubemap 12
#define cudaTextureType1DLayered 241
#define cudaTextureType2DLayered 242
#define cudaSurfaceType1D 1
#define cudaSurfaceType2D 2
#define cudaSurfaceType3D 3
#define cudaArrayDefault 0
#define cudaArrayLayered 1
#define cudaArraySurfaceLoadStore 2
struct cudaChannelFormatDesc {
  int x, y, z, w;
  cudaChannelFormatKind f;
};
struct textureReference {
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
};
struct surfaceReference {};
// With these attributes a variable is there on the host and on the device.
template <class T, int dimensions = 1, cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {};
template <class T, int dimensions = 1>
struct __attribute__((device_builtin_surface_type)) surface : surfaceReference {};
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef struct cudaArray* cudaArray_t;
struct cudaExtent {
  size_t width, height, depth;
};
struct cudaTextureDesc {
  cudaTextureAddressMode addressMode[3];
  cudaTextureFilterMode filterMode;
  cudaTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
};
struct cudaResourceDesc {
  cudaResourceType resType;
  union {
    struct { cudaArray_t array; } array;
    struct { void* devPtr; cudaChannelFormatDesc desc; size_t sizeInBytes; } linear;
    struct {
      void* devPtr; cudaChannelFormatDesc desc; size_t width, height, pitchInBytes;
    } pitch2D;
  } res;
};
// What a fetch gives: the element, or a real for a normalized one.
template <class T, cudaTextureReadMode mode> struct __hw_texel { typedef T type; };
#define __hw_normalized(T, R) \
  template <> struct __hw_texel<T, cudaReadModeNormalizedFloat> { typedef R type; };
__hw_normalized(char, float) __hw_normalized(signed char, float) __hw_normalized(unsigned char, float)
__hw_normalized(short, float) __hw_normalized(unsigned short, float)
__hw_normalized(char2, float2) __hw_normalized(uchar2, float2) __hw_normalized(short2, float2)
__hw_normalized(ushort2, float2) __hw_normalized(char4, float4) __hw_normalized(uchar4, float4)
__hw_normalized(short4, float4) __hw_normalized(ushort4, float4)
#undef __hw_normalized
#define __hw_fetch(name)                                                                         \
  template <class T, int d, cudaTextureReadMode m, class... Where>                               \
  __hw_device typename __hw_texel<T, m>::type name(const texture<T, d, m>&, Where...) {          \
    return __hw_unknown<typename __hw_texel<T, m>::type>();                                      \
  }                                                                                              \
  template <class T, class... Where> __hw_device T name(cudaTextureObject_t, Where...) {         \
    return __hw_unknown<T>();                                                                    \
  }                                                                                              \
  template <class T, class... Where> __hw_device void name(T* to, cudaTextureObject_t, Where...) { \
    *to = __hw_unknown<T>();                                                                     \
  }
__hw_fetch(tex1Dfetch) __hw_fetch(tex1D) __hw_fetch(tex2D) __hw_fetch(tex3D) __hw_fetch(tex1DLod)
__hw_fetch(tex2DLod) __hw_fetch(tex3DLod) __hw_fetch(tex1DLayered) __hw_fetch(tex2DLayered)
__hw_fetch(texCubemap) __hw_fetch(tex1DGrad) __hw_fetch(tex2DGrad) __hw_fetch(tex2Dgather)
__hw_fetch(tex3DGrad) __hw_fetch(texCubemapLayered) __hw_fetch(texCubemapLod)
__hw_fetch(tex1DLayeredLod) __hw_fetch(tex2DLayeredLod) __hw_fetch(tex1DLayeredGrad)
__hw_fetch(tex2DLayeredGrad)
#undef __hw_fetch
#define __hw_surface(dimension)                                                                  \
  template <class T, class S, class... Where>                                                    \
  __hw_device T surf##dimension##read(const S&, Where...) { return __hw_unknown<T>(); }          \
  template <class T, class S, class... Where>                                                    \
  __hw_device void surf##dimension##read(T* to, const S&, Where...) { *to = __hw_unknown<T>(); } \
  template <class T, class S, class... Where>                                                    \
  __hw_device void surf##dimension##write(T, const S&, Where...) {}
__hw_surface(1D) __hw_surface(2D) __hw_surface(3D) __hw_surface(2DLayered)
__hw_surface(1DLayered) __hw_surface(Cubemap) __hw_surface(CubemapLayered)
#undef __hw_surface

// The host's side is declared, and no more.
template <class T> __hw_host cudaChannelFormatDesc cudaCreateChannelDesc() { return {}; }
__hw_host cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                      cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}
__hw_host cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) { return {w, h, d}; }
extern "C" cudaError_t cudaMallocArray(cudaArray_t*, const cudaChannelFormatDesc*, size_t width,
                                       size_t height = 0, unsigned flags = 0) noexcept;
extern "C" cudaError_t cudaFreeArray(cudaArray_t) noexcept;
extern "C" cudaError_t cudaMemcpyToArray(cudaArray_t, size_t, size_t, const void*, size_t,
                                         cudaMemcpyKind) noexcept;
extern "C" cudaError_t cudaMemcpy2DToArray(cudaArray_t, size_t, size_t, const void*, size_t, size_t,
                                           size_t, cudaMemcpyKind) noexcept;
extern "C" cudaError_t cudaCreateTextureObject(cudaTextureObject_t*, const cudaResourceDesc*,
                                               const cudaTextureDesc*, const void*) noexcept;
extern "C" cudaError_t cudaDestroyTextureObject(cudaTextureObject_t) noexcept;
extern "C" cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t*,
                                               const cudaResourceDesc*) noexcept;
extern "C" cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t) noexcept;
template <class... A> __hw_host cudaError_t cudaBindTexture(A...) { return cudaSuccess; }
template <class T, class... A>
__hw_host cudaError_t cudaBindTexture(size_t* offset, const T&, A...) {
  if (offset) *offset = 0;
  return cudaSuccess;
}
template <class T, class... A>
__hw_host cudaError_t cudaBindTexture2D(size_t* offset, const T&, A...) {
  if (offset) *offset = 0;
  return cudaSuccess;
}
template <class T, class... A> __hw_host cudaError_t cudaBindTextureToArray(const T&, A...) {
  return cudaSuccess;
}
template <class T, class... A> __hw_host cudaError_t cudaBindSurfaceToArray(const T&, A...) {
  return cudaSuccess;
}
template <class T> __hw_host cudaError_t cudaUnbindTexture(const T&) { return cudaSuccess; }
