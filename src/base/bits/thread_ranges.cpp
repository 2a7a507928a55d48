#include "base/bits/thread_ranges.hpp"

namespace headway {

std::string ranges(ThreadSet threads) {
  std::string text;
  for (int first = 0; first < kMaxThreads; ++first) {
    if (!threads.contains(first)) continue;
    int last = first;
    while (last + 1 < kMaxThreads && threads.contains(last + 1)) ++last;
    text += (text.empty() ? "" : ", ") + std::to_string(first);
    if (last > first) text += "-" + std::to_string(last);
    first = last;
  }
  return text;
}

}  // namespace headway
