// Copies from global to shared memory that go on beside the thread that starts them.
#pragma once
#include "device_functions.h"

__hw_device void __pipeline_memcpy_async(void* to, const void* from, size_t bytes,
                                         size_t zeros = 0) {
  __headway_thread_copy(to, from, bytes, bytes - zeros);
}
__hw_device void __pipeline_commit() { __headway_commit_copies(); }
__hw_device void __pipeline_wait_prior(size_t latest) { __headway_wait_copies(latest); }
