// What base/parallel.hpp has, where there is one core and no oneTBB: in the browser.
#pragma once

#include <cstddef>
#include <optional>

namespace headway {

inline int cores_for(int /*jobs*/) { return 1; }

class CoreLimit {
 public:
  explicit CoreLimit(int /*jobs*/) {}
};

inline std::size_t usable_cores() { return 1; }

template <class Value>
class PerCore {
 public:
  Value& local() {
    if (!value_) value_.emplace();
    return *value_;
  }

 private:
  std::optional<Value> value_;
};

template <class Body>
void isolate(const Body& body) {
  body();
}

template <class Body>
void parallel_for(std::size_t count, const Body& body) {
  for (std::size_t index = 0; index < count; ++index) body(index);
}

}  // namespace headway
