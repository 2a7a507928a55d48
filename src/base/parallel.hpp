// Several cores, by oneTBB: how many there are, what each has for itself, and a loop over them in a
// form that ThreadSanitizer can follow. The only user of oneTBB.
#pragma once

#ifdef __EMSCRIPTEN__
#include "base/serial.hpp"
#else

#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <cstddef>

namespace headway {

// As many as `jobs` says; 0 stands for all that there are.
inline int cores_for(int jobs) { return jobs > 0 ? jobs : tbb::info::default_concurrency(); }

// While it lives, loops use at most so many cores; 0 stands for all that there are.
class CoreLimit {
 public:
  explicit CoreLimit(int jobs)
      : control_(tbb::global_control::max_allowed_parallelism,
                 static_cast<std::size_t>(cores_for(jobs))) {}

 private:
  tbb::global_control control_;
};

// How many cores a loop that begins here would use.
inline std::size_t usable_cores() {
  return static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
}

// A value for each core, made when the core first asks for its own: local().
template <class Value>
using PerCore = tbb::enumerable_thread_specific<Value>;

// Calls body(), in which a core that waits for others takes up no work from outside.
template <class Body>
void isolate(const Body& body) {
  tbb::this_task_arena::isolate(body);
}

// Calls body(0), ..., body(count - 1), on as many cores as a CoreLimit allows. What was
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

#endif
