// Textures and surfaces: what is fetched is unknown, what is written goes nowhere. That surfaces do
// not race is a premise, and that what textures are bound to is there and not written meanwhile.
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
// What depends on it may go wrong, and is not sure to.
template <class T> __hw_device T __hw_fetched() {
  if constexpr (__is_class(T)) {
    T made;
    typedef decltype(made.x) E;
    made.x = __hw_fetched<E>();
    if constexpr (sizeof(T) > sizeof(E)) made.y = __hw_fetched<E>();
    if constexpr (sizeof(T) > 2 * sizeof(E)) made.z = __hw_fetched<E>();
    if constexpr (sizeof(T) > 3 * sizeof(E)) made.w = __hw_fetched<E>();
    return made;
  } else if constexpr (sizeof(T) == 8) {
    return __hw_bits<T>(__headway_opaque_u64(__headway_unknown_u64(), 0x50000000u));
  } else {
    const unsigned bits = __headway_opaque_u32(__headway_unknown_u32(), 0x50000000u);
    return __hw_bits<T>((typename __hw_word<sizeof(T)>::type)bits);
  }
}
#define __hw_fetch(name)                                                                         \
  template <class T, int d, cudaTextureReadMode m, class... Where>                               \
  __hw_device typename __hw_texel<T, m>::type name(const texture<T, d, m>&, Where...) {          \
    return __hw_fetched<typename __hw_texel<T, m>::type>();                                      \
  }                                                                                              \
  template <class T, class... Where> __hw_device T name(cudaTextureObject_t, Where...) {         \
    __headway_premise(__hw_textures);                                                            \
    return __hw_fetched<T>();                                                                    \
  }                                                                                              \
  template <class T, class... Where> __hw_device void name(T* to, cudaTextureObject_t, Where...) { \
    __headway_premise(__hw_textures);                                                            \
    *to = __hw_fetched<T>();                                                                     \
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
  __hw_device T surf##dimension##read(const S&, Where...) {                                      \
    __headway_premise(__hw_surfaces);                                                            \
    return __hw_fetched<T>();                                                                    \
  }                                                                                              \
  template <class T, class S, class... Where>                                                    \
  __hw_device void surf##dimension##read(T* to, const S&, Where...) {                            \
    __headway_premise(__hw_surfaces);                                                            \
    *to = __hw_fetched<T>();                                                                     \
  }                                                                                              \
  template <class T, class S, class... Where>                                                    \
  __hw_device void surf##dimension##write(T, const S&, Where...) {                               \
    __headway_premise(__hw_surfaces);                                                            \
  }
__hw_surface(1D) __hw_surface(2D) __hw_surface(3D) __hw_surface(2DLayered)
__hw_surface(1DLayered) __hw_surface(Cubemap) __hw_surface(CubemapLayered)
#undef __hw_surface

// How many bits each part of an element has.
template <class T> struct __hw_channels { static constexpr int count = 1; };
#define __hw_channels_of(T)                                                  \
  template <> struct __hw_channels<T##1> { static constexpr int count = 1; }; \
  template <> struct __hw_channels<T##2> { static constexpr int count = 2; }; \
  template <> struct __hw_channels<T##4> { static constexpr int count = 4; };
__hw_channels_of(char) __hw_channels_of(uchar) __hw_channels_of(short) __hw_channels_of(ushort)
__hw_channels_of(int) __hw_channels_of(uint) __hw_channels_of(float)
#undef __hw_channels_of
template <class T> __hw_host cudaChannelFormatDesc cudaCreateChannelDesc() {
  constexpr int n = __hw_channels<T>::count, bits = 8 * sizeof(T) / n;
  return {bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0, cudaChannelFormatKindNone};
}
__hw_host cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                      cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}
// An array is memory of the device, row by row.
struct cudaArray {
  char* memory;
  size_t pitch, height;
};
__hw_host cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* d,
                                      size_t width, size_t height = 0, unsigned = 0) {
  cudaArray* made = (cudaArray*)malloc(sizeof(cudaArray));
  made->pitch = width * (size_t)((d->x + d->y + d->z + d->w) / 8);
  made->height = height > 0 ? height : 1;
  *array = made;
  return cudaMalloc((void**)&made->memory, made->pitch * made->height);
}
__hw_host cudaError_t cudaFreeArray(cudaArray_t array) {
  if (!array) return cudaSuccess;
  cudaFree(array->memory);
  free(array);
  return cudaSuccess;
}
__hw_host cudaError_t cudaMemcpyToArray(cudaArray_t a, size_t x, size_t y, const void* from,
                                        size_t bytes, cudaMemcpyKind kind) {
  return cudaMemcpy(a->memory + y * a->pitch + x, from, bytes, kind);
}
__hw_host cudaError_t cudaMemcpyFromArray(void* to, cudaArray_t a, size_t x, size_t y, size_t bytes,
                                          cudaMemcpyKind kind) {
  return cudaMemcpy(to, a->memory + y * a->pitch + x, bytes, kind);
}
__hw_host cudaError_t cudaMemcpy2DToArray(cudaArray_t a, size_t x, size_t y, const void* from,
                                          size_t pitch, size_t width, size_t height,
                                          cudaMemcpyKind kind) {
  return cudaMemcpy2D(a->memory + y * a->pitch + x, a->pitch, from, pitch, width, height, kind);
}
__hw_host cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_t a, size_t x,
                                            size_t y, size_t width, size_t height,
                                            cudaMemcpyKind kind) {
  return cudaMemcpy2D(to, pitch, a->memory + y * a->pitch + x, a->pitch, width, height, kind);
}
__hw_host cudaError_t cudaCreateTextureObject(cudaTextureObject_t* t, const cudaResourceDesc*,
                                              const cudaTextureDesc*, const void*) {
  *t = 1;
  return cudaSuccess;
}
__hw_host cudaError_t cudaDestroyTextureObject(cudaTextureObject_t) { return cudaSuccess; }
__hw_host cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* s, const cudaResourceDesc*) {
  *s = 1;
  return cudaSuccess;
}
__hw_host cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t) { return cudaSuccess; }
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
