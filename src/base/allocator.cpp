#include "base/allocator.hpp"

#include <cstdint>
#include <cstdlib>  // says which C library it is

#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace headway {

#if defined(__GLIBC__) && !defined(HEADWAY_SANITIZED)

void keep_freed_memory() {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
}

void prepare_memory(std::size_t bytes) {
  void* block = std::malloc(bytes);
  if (block == nullptr) return;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = (reinterpret_cast<std::uintptr_t>(block) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(block) + bytes) / page * page;
  // Where this is refused, pages are small as they were.
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  std::free(block);  // stays in the heap
}

#else

void keep_freed_memory() {}
void prepare_memory(std::size_t) {}

#endif

}  // namespace headway
