// What holds for the reader of LLVM's assembly on any text. Shared by the fuzz target and by the
// test that replays its corpus. Bitcode that is damaged can bring LLVM itself down, which is why
// clang reads it first, in a child (kernel/clang/compile).
#pragma once

#include <string_view>

namespace headway::fuzz {

// A text is a module whose kernels are well-formed kernel IR or refused with a reason, or an
// error of one line of reasonable length. Throws std::logic_error otherwise.
void check_llvm(std::string_view text);

}  // namespace headway::fuzz
