// How the C library keeps memory that is freed.
#pragma once

namespace headway {

// Has freed memory stay with the process, up to 256 MiB, and blocks up to 32 MiB come from it. A
// solver that is made for a few questions takes megabytes, and to have the system clear them each
// time takes longer than the questions. To be called once, before threads start; does nothing
// where the C library is not GNU's.
void keep_freed_memory();

}  // namespace headway
