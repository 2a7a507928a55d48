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
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(block) % page) % page;
  // Where this is refused, pages are small as they were.
  if (bytes >= before + page) {
    madvise(static_cast<char*>(block) + before, (bytes - before) / page * page, MADV_HUGEPAGE);
  }
  std::free(block);  // stays in the heap
}

#else

void keep_freed_memory() {}
void prepare_memory(std::size_t) {}

#endif

}  // namespace headway
