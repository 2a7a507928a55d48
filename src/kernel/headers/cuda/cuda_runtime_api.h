// The host's side: declared functions, which headway knows by their C names, and templates and
// conveniences that come down to them. The device that they speak of is a small one.
#pragma once
#include "vector_types.h"

enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInitializationError = 3,
  cudaErrorCudartUnloading = 4,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInvalidPitchValue = 12,
  cudaErrorInvalidSymbol = 13,
  cudaErrorInvalidDevicePointer = 17,
  cudaErrorInvalidTexture = 18,
  cudaErrorInvalidMemcpyDirection = 21,
  cudaErrorInvalidDeviceFunction = 98,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorPeerAccessUnsupported = 217,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchOutOfResources = 701,
  cudaErrorLaunchTimeout = 702,
  cudaErrorPeerAccessAlreadyEnabled = 704,
  cudaErrorPeerAccessNotEnabled = 705,
  cudaErrorAssert = 710,
  cudaErrorHostMemoryAlreadyRegistered = 712,
  cudaErrorHostMemoryNotRegistered = 713,
  cudaErrorLaunchFailure = 719,
  cudaErrorCooperativeLaunchTooLarge = 720,
  cudaErrorNotPermitted = 800,
  cudaErrorNotSupported = 801,
  cudaErrorUnknown = 999
};
typedef cudaError cudaError_t;
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void*);
typedef void (*cudaHostFn_t)(void*);
enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1, cudaMemAdviseUnsetReadMostly, cudaMemAdviseSetPreferredLocation,
  cudaMemAdviseUnsetPreferredLocation, cudaMemAdviseSetAccessedBy, cudaMemAdviseUnsetAccessedBy
};
enum cudaFuncCache {
  cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1,
  cudaFuncCachePreferEqual
};
enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte, cudaSharedMemBankSizeEightByte
};
enum cudaLimit {
  cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1, cudaDevAttrMaxBlockDimX = 2, cudaDevAttrMaxBlockDimY = 3,
  cudaDevAttrMaxBlockDimZ = 4, cudaDevAttrMaxGridDimX = 5, cudaDevAttrMaxGridDimY = 6,
  cudaDevAttrMaxGridDimZ = 7, cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrTotalConstantMemory = 9, cudaDevAttrWarpSize = 10, cudaDevAttrMaxPitch = 11,
  cudaDevAttrMaxRegistersPerBlock = 12, cudaDevAttrClockRate = 13,
  cudaDevAttrTextureAlignment = 14, cudaDevAttrGpuOverlap = 15,
  cudaDevAttrMultiProcessorCount = 16, cudaDevAttrKernelExecTimeout = 17,
  cudaDevAttrIntegrated = 18, cudaDevAttrCanMapHostMemory = 19, cudaDevAttrComputeMode = 20,
  cudaDevAttrConcurrentKernels = 31, cudaDevAttrEccEnabled = 32, cudaDevAttrPciBusId = 33,
  cudaDevAttrPciDeviceId = 34, cudaDevAttrTccDriver = 35, cudaDevAttrMemoryClockRate = 36,
  cudaDevAttrGlobalMemoryBusWidth = 37, cudaDevAttrL2CacheSize = 38,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39, cudaDevAttrAsyncEngineCount = 40,
  cudaDevAttrUnifiedAddressing = 41, cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76, cudaDevAttrStreamPrioritiesSupported = 78,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81, cudaDevAttrMaxRegistersPerMultiprocessor = 82,
  cudaDevAttrManagedMemory = 83, cudaDevAttrIsMultiGpuBoard = 84,
  cudaDevAttrHostNativeAtomicSupported = 86, cudaDevAttrPageableMemoryAccess = 88,
  cudaDevAttrConcurrentManagedAccess = 89, cudaDevAttrComputePreemptionSupported = 90,
  cudaDevAttrCanUseHostPointerForRegisteredMem = 91, cudaDevAttrCooperativeLaunch = 95,
  cudaDevAttrCooperativeMultiDeviceLaunch = 96, cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
  cudaDevAttrHostRegisterSupported = 99, cudaDevAttrMaxBlocksPerMultiprocessor = 106,
  cudaDevAttrMemoryPoolsSupported = 115
};
#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
// Says to who runs the host's code that stream 0 is this one. nvcc includes this header in front of
// a file, so that a #define in the file comes too late there, and here.
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
static __attribute__((device, used)) const char __headway_default_stream_per_thread = 1;
#endif
#define cudaEventDefault 0
#define cudaEventBlockingSync 1
#define cudaEventDisableTiming 2
#define cudaHostAllocDefault 0
#define cudaHostAllocPortable 1
#define cudaHostAllocMapped 2
#define cudaHostAllocWriteCombined 4
#define cudaHostRegisterDefault 0
#define cudaMemAttachGlobal 1
#define cudaMemAttachHost 2
#define cudaDeviceScheduleAuto 0
#define cudaDeviceScheduleSpin 1
#define cudaDeviceScheduleYield 2
#define cudaDeviceScheduleBlockingSync 4
#define cudaDeviceMapHost 8
#define cudaCpuDeviceId ((int)-1)
#define cudaInvalidDeviceId ((int)-2)

#define __hw_call extern "C" __attribute__((host))
#define __hw_call_anywhere extern "C" __attribute__((host, device))
// What a call that is written out here gives: like any other, it may fail. That the program has
// asked about the device.
__hw_call cudaError_t headway_result() noexcept;
__hw_call void headway_tells_device() noexcept;
__hw_call_anywhere cudaError_t cudaMalloc(void** pointer, size_t bytes) noexcept;
__hw_call_anywhere cudaError_t cudaFree(void* pointer) noexcept;
__hw_call cudaError_t cudaMallocHost(void** pointer, size_t bytes) noexcept;
__hw_call cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) noexcept;
__hw_call cudaError_t cudaFreeHost(void* pointer) noexcept;
__hw_call cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned flags) noexcept;
__hw_call cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) noexcept;
__hw_call cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned flags) noexcept;
__hw_call cudaError_t cudaHostUnregister(void* pointer) noexcept;
__hw_call cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes,
                                 cudaMemcpyKind kind) noexcept;
__hw_call cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes,
                                      cudaMemcpyKind kind, cudaStream_t stream = 0) noexcept;
__hw_call cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes,
                                         size_t offset, cudaMemcpyKind kind) noexcept;
__hw_call cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes,
                                           size_t offset, cudaMemcpyKind kind) noexcept;
__hw_call cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes,
                                              size_t offset, cudaMemcpyKind kind,
                                              cudaStream_t stream) noexcept;
__hw_call cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes,
                                                size_t offset, cudaMemcpyKind kind,
                                                cudaStream_t stream) noexcept;
__hw_call cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) noexcept;
__hw_call cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) noexcept;
__hw_call cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                   size_t width, size_t height, cudaMemcpyKind kind) noexcept;
__hw_call cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) noexcept;
__hw_call cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) noexcept;
__hw_call cudaError_t cudaMemset(void* pointer, int value, size_t bytes) noexcept;
__hw_call cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes,
                                      cudaStream_t stream = 0) noexcept;
__hw_call cudaError_t cudaDeviceSynchronize() noexcept;
__hw_call cudaError_t cudaThreadSynchronize() noexcept;
__hw_call cudaError_t cudaThreadExit() noexcept;
__hw_call cudaError_t cudaDeviceReset() noexcept;
__hw_call cudaError_t cudaGetLastError() noexcept;
__hw_call cudaError_t cudaPeekAtLastError() noexcept;
__hw_call cudaError_t cudaStreamCreate(cudaStream_t* stream) noexcept;
__hw_call cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) noexcept;
__hw_call cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags,
                                                   int priority) noexcept;
__hw_call cudaError_t cudaStreamDestroy(cudaStream_t stream) noexcept;
__hw_call cudaError_t cudaStreamSynchronize(cudaStream_t stream) noexcept;
__hw_call cudaError_t cudaStreamQuery(cudaStream_t stream) noexcept;
__hw_call cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                          unsigned flags = 0) noexcept;
__hw_call cudaError_t cudaEventCreate(cudaEvent_t* event) noexcept;
__hw_call cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) noexcept;
__hw_call cudaError_t cudaEventDestroy(cudaEvent_t event) noexcept;
__hw_call cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0) noexcept;
__hw_call cudaError_t cudaEventSynchronize(cudaEvent_t event) noexcept;
__hw_call cudaError_t cudaEventQuery(cudaEvent_t event) noexcept;
__hw_call cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                       size_t shared, cudaStream_t stream) noexcept;
__hw_call cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block,
                                                  void** arguments, size_t shared,
                                                  cudaStream_t stream) noexcept;
__hw_call cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function,
                                         void* data) noexcept;
__hw_call cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function,
                                            void* data, unsigned flags) noexcept;
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                                void* stream = 0) noexcept;

// A size where a pitch is asked for: rows of a multiple of 512 bytes.
__hw_host cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  *pitch = (width + 511) / 512 * 512;
  return cudaMalloc(pointer, *pitch * height);
}
// Boxes of memory.
struct cudaExtent {
  size_t width, height, depth;
};
struct cudaPos {
  size_t x, y, z;
};
struct cudaPitchedPtr {
  void* ptr;
  size_t pitch, xsize, ysize;
};
struct cudaMemcpy3DParms {
  struct cudaArray* srcArray;
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  struct cudaArray* dstArray;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  cudaExtent extent;
  cudaMemcpyKind kind;
};
__hw_host cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) { return {w, h, d}; }
__hw_host cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
__hw_host cudaPitchedPtr make_cudaPitchedPtr(void* p, size_t pitch, size_t x, size_t y) {
  return {p, pitch, x, y};
}
__hw_host cudaError_t cudaMalloc3D(cudaPitchedPtr* made, cudaExtent e) {
  made->pitch = (e.width + 511) / 512 * 512;
  made->xsize = e.width;
  made->ysize = e.height;
  return cudaMalloc(&made->ptr, made->pitch * e.height * e.depth);
}
__hw_host cudaError_t cudaMemset3D(cudaPitchedPtr p, int value, cudaExtent e) {
  for (size_t row = 0; row < e.height * e.depth; ++row) {
    const size_t at = (row / e.height * p.ysize + row % e.height) * p.pitch;
    cudaMemset((char*)p.ptr + at, value, e.width);
  }
  return headway_result();
}
__hw_call void headway_copy_of_an_array_of_three_dimensions() noexcept;
__hw_host cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* c) {
  if (c->srcArray || c->dstArray) headway_copy_of_an_array_of_three_dimensions();
  for (size_t z = 0; z < c->extent.depth; ++z) {
    const cudaPitchedPtr &to = c->dstPtr, &from = c->srcPtr;
    const size_t to_row = (z + c->dstPos.z) * to.ysize + c->dstPos.y;
    const size_t from_row = (z + c->srcPos.z) * from.ysize + c->srcPos.y;
    cudaMemcpy2D((char*)to.ptr + to_row * to.pitch + c->dstPos.x, to.pitch,
                 (const char*)from.ptr + from_row * from.pitch + c->srcPos.x, from.pitch,
                 c->extent.width, c->extent.height, c->kind);
  }
  return headway_result();
}
__hw_host cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width,
                                   size_t height) {
  for (size_t row = 0; row < height; ++row) cudaMemset((char*)pointer + row * pitch, value, width);
  return headway_result();
}
template <class T>
__hw_host cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return cudaMallocPitch((void**)pointer, pitch, width, height);
}
template <class T> __hw_both cudaError_t cudaMalloc(T** pointer, size_t bytes) {
  return cudaMalloc((void**)pointer, bytes);
}
template <class T>
__hw_host cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync((void**)pointer, bytes, stream);
}
template <class T> __hw_host cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned = 0) {
  return cudaMallocHost((void**)pointer, bytes);
}
template <class T> __hw_host cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned flags) {
  return cudaHostAlloc((void**)pointer, bytes, flags);
}
template <class T>
__hw_host cudaError_t cudaMallocManaged(T** pointer, size_t bytes,
                                        unsigned flags = cudaMemAttachGlobal) {
  return cudaMallocManaged((void**)pointer, bytes, flags);
}
template <class T>
__hw_host cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned flags) {
  return cudaHostGetDevicePointer((void**)device, host, flags);
}
template <class T>
__hw_host cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes,
                                         size_t offset = 0,
                                         cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol((const void*)&symbol, from, bytes, offset, kind);
}
template <class T>
__hw_host cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes,
                                           size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, (const void*)&symbol, bytes, offset, kind);
}
template <class T>
__hw_host cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes,
                                              size_t offset = 0,
                                              cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                              cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync((const void*)&symbol, from, bytes, offset, kind, stream);
}
template <class T>
__hw_host cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes,
                                                size_t offset = 0,
                                                cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(to, (const void*)&symbol, bytes, offset, kind, stream);
}
template <class T> __hw_host cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  return cudaGetSymbolAddress(pointer, (const void*)&symbol);
}
template <class T> __hw_host cudaError_t cudaGetSymbolSize(size_t* bytes, const T&) {
  *bytes = sizeof(T);
  return headway_result();
}
template <class T>
__hw_host cudaError_t cudaLaunchKernel(T* kernel, dim3 grid, dim3 block, void** arguments,
                                       size_t shared = 0, cudaStream_t stream = 0) {
  return cudaLaunchKernel((const void*)kernel, grid, block, arguments, shared, stream);
}
template <class T>
__hw_host cudaError_t cudaLaunchCooperativeKernel(T* kernel, dim3 grid, dim3 block,
                                                  void** arguments, size_t shared = 0,
                                                  cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel((const void*)kernel, grid, block, arguments, shared, stream);
}
__hw_host cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) {
  return cudaEventCreateWithFlags(event, flags);
}
// Times are unknown, and not negative.
__hw_host cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
  const float time = __headway_unknown_f32();
  __headway_assume(time >= 0);
  *milliseconds = time;
  return headway_result();
}
// Hints.
__hw_host cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t = 0) {
  return headway_result();
}
__hw_host cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, int) {
  return headway_result();
}
template <class F> __hw_host cudaError_t cudaFuncSetCacheConfig(F, cudaFuncCache) {
  return headway_result();
}
template <class F> __hw_host cudaError_t cudaFuncSetSharedMemConfig(F, cudaSharedMemConfig) {
  return headway_result();
}
// Calls that headway knows: what a launch may add to workgroup memory; how many blocks run at a
// time; workgroup memory of any launch; threads of a block.
__hw_call cudaError_t headway_set_dynamic_memory(const void* kernel, int bytes) noexcept;
__hw_call int headway_blocks_that_fit(const void* kernel) noexcept;
__hw_call size_t headway_static_memory(const void* kernel) noexcept;
__hw_call int headway_most_threads(const void* kernel) noexcept;
template <class F>
__hw_host cudaError_t cudaFuncSetAttribute(F kernel, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return headway_result();  // a hint
  return headway_set_dynamic_memory((const void*)kernel, value);
}
__hw_host cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return headway_result(); }
__hw_host cudaError_t cudaThreadSetCacheConfig(cudaFuncCache) { return headway_result(); }
__hw_host cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return headway_result(); }
__hw_host cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return headway_result(); }
__hw_host cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit) {
  *value = __headway_unknown_u64();
  return headway_result();
}
__hw_host cudaError_t cudaSetDevice(int) { return headway_result(); }
__hw_host cudaError_t cudaSetDeviceFlags(unsigned) { return headway_result(); }
__hw_host __hw_machine cudaError_t cudaGetDevice(int* device) { *device = 0; return headway_result(); }
__hw_host __hw_machine cudaError_t cudaGetDeviceCount(int* count) {
  headway_tells_device();
  *count = 1;
  return headway_result();
}
__hw_host __hw_machine cudaError_t cudaDriverGetVersion(int* v) { *v = CUDART_VERSION; return headway_result(); }
__hw_host __hw_machine cudaError_t cudaRuntimeGetVersion(int* v) { *v = CUDART_VERSION; return headway_result(); }
__hw_host __hw_machine cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) { *can = 0; return headway_result(); }
__hw_host __hw_machine cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = 0;
  return headway_result();
}
__hw_host cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  *free = __headway_unknown_u64();
  *total = __headway_unknown_u64();
  return headway_result();
}
__hw_host const char* cudaGetErrorString(cudaError_t e) { return e == 0 ? "no error" : "an error"; }
__hw_host const char* cudaGetErrorName(cudaError_t e) {
  return e == 0 ? "cudaSuccess" : "cudaError";
}

struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem;
  size_t sharedMemPerBlock;
  int regsPerBlock;
  int warpSize;
  size_t memPitch;
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  int clockRate;
  size_t totalConstMem;
  int major;
  int minor;
  size_t textureAlignment;
  int deviceOverlap;
  int multiProcessorCount;
  int kernelExecTimeoutEnabled;
  int integrated;
  int canMapHostMemory;
  int computeMode;
  int concurrentKernels;
  int ECCEnabled;
  int pciBusID;
  int pciDeviceID;
  int pciDomainID;
  int tccDriver;
  int asyncEngineCount;
  int unifiedAddressing;
  int memoryClockRate;
  int memoryBusWidth;
  int l2CacheSize;
  int maxThreadsPerMultiProcessor;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor;
  int managedMemory;
  int isMultiGpuBoard;
  int concurrentManagedAccess;
  int cooperativeLaunch;
  size_t sharedMemPerBlockOptin;
  int streamPrioritiesSupported;
  int globalL1CacheSupported;
  int localL1CacheSupported;
  int multiGpuBoardGroupID;
  int hostNativeAtomicSupported;
  int singleToDoublePrecisionPerfRatio;
  int pageableMemoryAccess;
  int computePreemptionSupported;
  int canUseHostPointerForRegisteredMem;
  int cooperativeMultiDeviceLaunch;
  int pageableMemoryAccessUsesHostPageTables;
  int directManagedMemAccessFromHost;
  int maxBlocksPerMultiProcessor;
  int persistingL2CacheMaxSize;
  int accessPolicyMaxWindowSize;
  int maxTexture1D;
  int maxTexture2D[2];
  int maxTexture3D[3];
  size_t surfaceAlignment;
};
// A device of two multiprocessors with room for one block each.
__hw_host __hw_machine cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int) {
  headway_tells_device();
  __builtin_memset(p, 0, sizeof *p);
  p->name[0] = 'h';
  p->totalGlobalMem = (size_t)4 << 30;
  p->sharedMemPerBlock = 49152;
  p->regsPerBlock = 65536;
  p->warpSize = 32;
  p->memPitch = 2147483647;
  p->maxThreadsPerBlock = 1024;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
  p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = 2147483647;
  p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->clockRate = 1000000;
  p->totalConstMem = 65536;
  p->major = 7;
  p->textureAlignment = 512;
  p->deviceOverlap = p->canMapHostMemory = p->concurrentKernels = p->unifiedAddressing = 1;
  p->multiProcessorCount = 2;
  p->asyncEngineCount = 1;
  p->memoryClockRate = 1000000;
  p->memoryBusWidth = 256;
  p->l2CacheSize = 1048576;
  p->maxThreadsPerMultiProcessor = 1024;
  p->sharedMemPerMultiprocessor = p->sharedMemPerBlockOptin = 98304;
  p->regsPerMultiprocessor = 65536;
  p->managedMemory = p->concurrentManagedAccess = p->cooperativeLaunch = 1;
  p->maxBlocksPerMultiProcessor = 1;
  p->maxTexture1D = p->maxTexture2D[0] = p->maxTexture2D[1] = 65536;
  p->maxTexture3D[0] = p->maxTexture3D[1] = p->maxTexture3D[2] = 2048;
  p->surfaceAlignment = 512;
  return headway_result();
}
__hw_host __hw_machine cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
  *device = 0;
  return headway_result();
}
__hw_host __hw_machine cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr a, int) {
  headway_tells_device();
  switch (a) {
    case cudaDevAttrMaxThreadsPerBlock:
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY:
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = 1024; break;
    case cudaDevAttrMaxBlockDimZ: *value = 64; break;
    case cudaDevAttrMaxPitch:
    case cudaDevAttrMaxGridDimX: *value = 2147483647; break;
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ: *value = 65535; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = 49152; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = 98304; break;
    case cudaDevAttrWarpSize: *value = 32; break;
    case cudaDevAttrTotalConstantMemory:
    case cudaDevAttrMaxRegistersPerMultiprocessor:
    case cudaDevAttrMaxRegistersPerBlock: *value = 65536; break;
    case cudaDevAttrMultiProcessorCount: *value = 2; break;
    case cudaDevAttrComputeCapabilityMajor: *value = 7; break;
    case cudaDevAttrMemoryClockRate:
    case cudaDevAttrClockRate: *value = 1000000; break;
    case cudaDevAttrTextureAlignment: *value = 512; break;
    case cudaDevAttrGlobalMemoryBusWidth: *value = 256; break;
    case cudaDevAttrL2CacheSize: *value = 1048576; break;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
    case cudaDevAttrGpuOverlap:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrAsyncEngineCount:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrHostRegisterSupported:
    case cudaDevAttrCooperativeLaunch: *value = 1; break;
    case cudaDevAttrKernelExecTimeout:
    case cudaDevAttrIntegrated:
    case cudaDevAttrComputeMode:
    case cudaDevAttrEccEnabled:
    case cudaDevAttrPciBusId:
    case cudaDevAttrPciDeviceId:
    case cudaDevAttrTccDriver:
    case cudaDevAttrComputeCapabilityMinor:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrIsMultiGpuBoard:
    case cudaDevAttrHostNativeAtomicSupported:
    case cudaDevAttrPageableMemoryAccess:
    case cudaDevAttrComputePreemptionSupported:
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
    case cudaDevAttrCooperativeMultiDeviceLaunch:
    case cudaDevAttrMemoryPoolsSupported: *value = 0; break;
  }
  return headway_result();
}
template <class F>
__hw_host __hw_machine cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F kernel, int,
                                                                    size_t) {
  *blocks = headway_blocks_that_fit((const void*)kernel) / 2;
  return headway_result();
}
template <class F>
__hw_host __hw_machine cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, F kernel,
                                                         size_t = 0, int limit = 0) {
  *grid = headway_blocks_that_fit((const void*)kernel);
  *block = limit > 0 && limit < 256 ? limit : 256;
  return headway_result();
}
struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
  int maxDynamicSharedSizeBytes;
};
template <class F> __hw_host __hw_machine cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* a, F kernel) {
  headway_tells_device();
  a->sharedSizeBytes = headway_static_memory((const void*)kernel);
  a->maxThreadsPerBlock = headway_most_threads((const void*)kernel);
  a->maxDynamicSharedSizeBytes = 49152 - a->sharedSizeBytes;
  // What a compiler makes of it.
  a->constSizeBytes = __headway_unknown_u64();
  a->localSizeBytes = __headway_unknown_u64();
  a->numRegs = (int)__headway_unknown_u32();
  a->ptxVersion = a->binaryVersion = 70;
  a->cacheModeCA = (int)__headway_unknown_u32();
  return headway_result();
}
__hw_host cudaError_t cudaProfilerStart() { return headway_result(); }
__hw_host cudaError_t cudaProfilerStop() { return headway_result(); }
