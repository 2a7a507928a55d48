#include "base/allocator.hpp"

#include <cstdlib>  // says which C library it is

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace headway {

void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}

}  // namespace headway
