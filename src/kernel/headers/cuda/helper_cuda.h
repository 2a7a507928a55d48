// What the samples of the CUDA toolkit call around their kernels.
#pragma once
#include "c_library.h"
#include "cuda_runtime_api.h"

#define checkCudaErrors(call) ((void)(call))
#define getLastCudaError(text) ((void)0)
#define cutilSafeCall(call) ((void)(call))
#define cutilSafeCallNoSync(call) ((void)(call))
#define cutilSafeThreadSync() ((void)cudaThreadSynchronize())
#define cutilSafeMalloc(call) ((void)(call))
#define cutilCheckMsg(text) ((void)0)
#define CUDA_SAFE_CALL(call) ((void)(call))
#define CUDA_SAFE_CALL_NO_SYNC(call) ((void)(call))
#define CUT_SAFE_CALL(call) ((void)(call))
#define CUT_CHECK_ERROR(text) ((void)0)
#define CUT_DEVICE_INIT(argc, argv) ((void)0)
#define CUT_EXIT(argc, argv) ((void)0)
__hw_weak int findCudaDevice(int, const char**) { return 0; }
__hw_weak int gpuGetMaxGflopsDeviceId() { return 0; }
__hw_weak int gpuDeviceInit(int) { return 0; }
struct StopWatchInterface {};
__hw_weak bool sdkCreateTimer(StopWatchInterface** timer) { *timer = 0; return true; }
__hw_weak bool sdkDeleteTimer(StopWatchInterface**) { return true; }
__hw_weak bool sdkStartTimer(StopWatchInterface**) { return true; }
__hw_weak bool sdkStopTimer(StopWatchInterface**) { return true; }
__hw_weak bool sdkResetTimer(StopWatchInterface**) { return true; }
__hw_weak float sdkGetTimerValue(StopWatchInterface**) { return __headway_unknown_f32(); }
__hw_weak float sdkGetAverageTimerValue(StopWatchInterface**) { return __headway_unknown_f32(); }
