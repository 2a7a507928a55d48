// A loop over several cores, by oneTBB, in a form that ThreadSanitizer can follow.
#pragma once

#include <tbb/parallel_for.h>

#include <atomic>
#include <cstddef>

namespace headway {

// Calls body(0), ..., body(count - 1), on as many cores as tbb::global_control allows. What was
// written before the call is seen by every body, and what bodies wrote is seen after it. TBB sees
// to that itself, but its library is not instrumented; the two atomics say it once more.
template <class Body>
void parallel_for(std::size_t count, const Body& body) {
  std::atomic<const Body*> shared{nullptr};
  std::atomic<std::size_t> ended{0};
  shared.store(&body, std::memory_order_release);
  tbb::parallel_for(std::size_t{0}, count, [&shared, &ended](std::size_t index) {
    (*shared.load(std::memory_order_acquire))(index);
    ended.fetch_add(1, std::memory_order_acq_rel);
  });
  static_cast<void>(ended.load(std::memory_order_acquire));
}

}  // namespace headway
