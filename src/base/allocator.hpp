// How the C library takes memory from the system, and keeps what is freed. Both do nothing where
// the C library is not GNU's, or an allocator of a sanitizer stands in for it.
#pragma once

#include <cstddef>

namespace headway {

// Has freed memory stay with the process, up to 256 MiB, and blocks up to 32 MiB come from it. A
// solver that is made for a few questions takes megabytes, and to have the system clear them each
// time takes longer than the questions. To be called once, before threads start.
void keep_freed_memory();

// Has what this thread takes next, up to `bytes` (at most 32 MiB), lie in large pages where the
// system has them: thousands of small ones that are asked for one after the other take longer than
// what is done with them. Of use after keep_freed_memory(); what is free already is taken first.
void prepare_memory(std::size_t bytes);

}  // namespace headway
