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
__hw_weak __hw_machine int findCudaDevice(int, const char**) { return 0; }
__hw_weak __hw_machine int gpuGetMaxGflopsDeviceId() { return 0; }
__hw_weak __hw_machine int gpuDeviceInit(int) { return 0; }
struct StopWatchInterface {};
__hw_weak bool sdkCreateTimer(StopWatchInterface** timer) { *timer = 0; return true; }
__hw_weak bool sdkDeleteTimer(StopWatchInterface**) { return true; }
__hw_weak bool sdkStartTimer(StopWatchInterface**) { return true; }
__hw_weak bool sdkStopTimer(StopWatchInterface**) { return true; }
__hw_weak bool sdkResetTimer(StopWatchInterface**) { return true; }
__hw_weak float sdkGetTimerValue(StopWatchInterface**) { return __headway_unknown_f32(); }
__hw_weak float sdkGetAverageTimerValue(StopWatchInterface**) { return __headway_unknown_f32(); }
// Options of a command line, of which there are none.
__hw_weak __hw_machine bool checkCmdLineFlag(int, const char**, const char*) { return false; }
__hw_weak __hw_machine int getCmdLineArgumentInt(int, const char**, const char*) { return 0; }
__hw_weak __hw_machine float getCmdLineArgumentFloat(int, const char**, const char*) { return 0; }
__hw_weak __hw_machine bool getCmdLineArgumentString(int, const char**, const char*, char** text) {
  *text = nullptr;
  return false;
}
__hw_weak __hw_machine char* sdkFindFilePath(const char*, const char*) { return nullptr; }
template <class T>
__hw_host bool sdkCompareL2fe(const T* reference, const T* data, unsigned n, T epsilon) {
  T error = 0, size = 0;
  for (unsigned i = 0; i < n; ++i) {
    error += (reference[i] - data[i]) * (reference[i] - data[i]);
    size += reference[i] * reference[i];
  }
  return size != 0 && sqrt(error) / sqrt(size) < epsilon;
}
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
__hw_both int ftoi(float x) { return x >= 0 ? (int)(x + 0.5) : (int)(x - 0.5); }
