// Parts of the runtime and of the driver that programs name and headway knows nothing of: declared,
// so that the kernels beside them are read. A host program that comes to such a call has no answer
// behind it.
#pragma once

typedef struct CUgraph_st* cudaGraph_t;
typedef struct CUgraphExec_st* cudaGraphExec_t;
typedef struct CUgraphNode_st* cudaGraphNode_t;
typedef struct CUmemPoolHandle_st* cudaMemPool_t;
typedef struct CUfunc_st* cudaFunction_t;
typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef struct CUstream_st* CUstream;
typedef struct CUevent_st* CUevent;
enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed
};
enum cudaStreamCaptureStatus {
  cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive, cudaStreamCaptureStatusInvalidated
};
enum cudaMemPoolAttr {
  cudaMemPoolReuseFollowEventDependencies = 1, cudaMemPoolReuseAllowOpportunistic,
  cudaMemPoolReuseAllowInternalDependencies, cudaMemPoolAttrReleaseThreshold,
  cudaMemPoolAttrReservedMemCurrent, cudaMemPoolAttrReservedMemHigh, cudaMemPoolAttrUsedMemCurrent,
  cudaMemPoolAttrUsedMemHigh
};
enum cudaMemoryType {
  cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice, cudaMemoryTypeManaged
};
struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void* devicePointer;
  void* hostPointer;
};
struct cudaKernelNodeParams {
  void* func;
  dim3 gridDim, blockDim;
  unsigned sharedMemBytes;
  void** kernelParams;
  void** extra;
};
struct cudaIpcMemHandle_t { char reserved[64]; };
struct cudaIpcEventHandle_t { char reserved[64]; };
enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore, cudaLaunchAttributeAccessPolicyWindow, cudaLaunchAttributeCooperative,
  cudaLaunchAttributeSynchronizationPolicy, cudaLaunchAttributeClusterDimension,
  cudaLaunchAttributeClusterSchedulingPolicyPreference,
  cudaLaunchAttributeProgrammaticStreamSerialization, cudaLaunchAttributeProgrammaticEvent,
  cudaLaunchAttributePriority
};
union cudaLaunchAttributeValue {
  char pad[64];
  int cooperative;
  struct { unsigned x, y, z; } clusterDim;
  int programmaticStreamSerializationAllowed;
  int priority;
};
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  char pad[8 - sizeof(cudaLaunchAttributeID)];
  cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned numAttrs;
};
#define cudaHostRegisterPortable 1
#define cudaHostRegisterMapped 2
#define cudaHostRegisterIoMemory 4
#define cudaHostRegisterReadOnly 8
#define cudaMemAttachSingle 4
#define cudaEventInterprocess 4
#define cudaOccupancyDefault 0
#define cudaIpcMemLazyEnablePeerAccess 1

__hw_call cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) noexcept;
__hw_call cudaError_t cudaDeviceDisablePeerAccess(int peer) noexcept;
__hw_call cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                                     size_t bytes) noexcept;
__hw_call cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from,
                                          int from_device, size_t bytes,
                                          cudaStream_t stream = 0) noexcept;
__hw_call cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes,
                                               const void* pointer) noexcept;
__hw_call cudaError_t cudaHostGetFlags(unsigned* flags, void* pointer) noexcept;
__hw_call cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool,
                                              cudaStream_t stream) noexcept;
__hw_call cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) noexcept;
__hw_call cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) noexcept;
__hw_call cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which,
                                              void* value) noexcept;
__hw_call cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which,
                                              void* value) noexcept;
__hw_call cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t kept) noexcept;
__hw_call cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) noexcept;
__hw_call cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from,
                                        size_t from_pitch, size_t width, size_t height,
                                        cudaMemcpyKind kind, cudaStream_t stream = 0) noexcept;
__hw_call cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width,
                                        size_t height, cudaStream_t stream = 0) noexcept;
__hw_call cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) noexcept;
__hw_call cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) noexcept;
__hw_call cudaError_t cudaStreamBeginCapture(cudaStream_t stream,
                                             cudaStreamCaptureMode mode) noexcept;
__hw_call cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) noexcept;
__hw_call cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
                                            cudaStreamCaptureStatus* status) noexcept;
__hw_call cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) noexcept;
__hw_call cudaError_t cudaGraphDestroy(cudaGraph_t graph) noexcept;
__hw_call cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* after, size_t count,
                                             const cudaKernelNodeParams* what) noexcept;
__hw_call cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                               const cudaGraphNode_t* to, size_t count) noexcept;
__hw_call cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes,
                                        size_t* count) noexcept;
__hw_call cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* made, cudaGraph_t graph,
                                                    unsigned long long flags = 0) noexcept;
extern "C++" cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph,
                                              unsigned long long flags = 0) noexcept;
extern "C++" cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph,
                                              cudaGraphNode_t* node, char* log,
                                              size_t bytes) noexcept;
__hw_call cudaError_t cudaGraphLaunch(cudaGraphExec_t made, cudaStream_t stream) noexcept;
__hw_call cudaError_t cudaGraphUpload(cudaGraphExec_t made, cudaStream_t stream) noexcept;
__hw_call cudaError_t cudaGraphExecDestroy(cudaGraphExec_t made) noexcept;
__hw_call cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = 0,
                                               unsigned flags = 0) noexcept;
__hw_call cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* how, const void* kernel,
                                          void** arguments) noexcept;
template <typename... Takes, typename... Given>
__hw_host cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* how, void (*kernel)(Takes...),
                                         Given&&... given) {
  void* arguments[] = {(void*)&given..., nullptr};
  return cudaLaunchKernelExC(how, (const void*)kernel, arguments);
}
__hw_call cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer) noexcept;
__hw_call cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle,
                                           unsigned flags) noexcept;
__hw_call cudaError_t cudaIpcCloseMemHandle(void* pointer) noexcept;
__hw_call cudaError_t cudaDeviceGetPCIBusId(char* text, int bytes, int device) noexcept;
__hw_call cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) noexcept;
__hw_call cudaError_t cudaSetValidDevices(int* devices, int count) noexcept;

enum cudaError_enum { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1, CUDA_ERROR_OUT_OF_MEMORY = 2 };
typedef cudaError_enum CUresult;
__hw_call CUresult cuInit(unsigned flags) noexcept;
__hw_call CUresult cuDeviceGet(CUdevice* device, int number) noexcept;
__hw_call CUresult cuDeviceGetCount(int* count) noexcept;
__hw_call CUresult cuDeviceGetName(char* name, int bytes, CUdevice device) noexcept;
__hw_call CUresult cuCtxCreate(CUcontext* context, unsigned flags, CUdevice device) noexcept;
__hw_call CUresult cuCtxDestroy(CUcontext context) noexcept;
__hw_call CUresult cuCtxSynchronize() noexcept;
__hw_call CUresult cuModuleLoad(CUmodule* module, const char* file) noexcept;
__hw_call CUresult cuModuleLoadData(CUmodule* module, const void* image) noexcept;
__hw_call CUresult cuModuleUnload(CUmodule module) noexcept;
__hw_call CUresult cuModuleGetFunction(CUfunction* kernel, CUmodule module,
                                       const char* name) noexcept;
__hw_call CUresult cuMemAlloc(CUdeviceptr* pointer, size_t bytes) noexcept;
__hw_call CUresult cuMemFree(CUdeviceptr pointer) noexcept;
__hw_call CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) noexcept;
__hw_call CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes) noexcept;
__hw_call CUresult cuLaunchKernel(CUfunction kernel, unsigned grid_x, unsigned grid_y,
                                  unsigned grid_z, unsigned block_x, unsigned block_y,
                                  unsigned block_z, unsigned shared, CUstream stream,
                                  void** arguments, void** extra) noexcept;
__hw_call CUresult cuGetErrorString(CUresult error, const char** text) noexcept;
__hw_call CUresult cuGetErrorName(CUresult error, const char** text) noexcept;
