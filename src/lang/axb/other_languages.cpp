#include "lang/axb/other_languages.hpp"

namespace headway::lang::axb {

void refuse_other_languages(Scanner& scanner) {
  // The architectures that tests of herd7 and litmus7 begin with.
  for (const char* architecture : {"AArch64", "ARM", "BPF", "C", "LISA", "MIPS", "OPENCL", "PPC",
                                   "PTX", "RISCV", "VULKAN", "Vulkan", "X86", "X86_64"}) {
    if (scanner.peek().is(architecture)) {
      scanner.fail(scanner.peek(),
                   "this looks like a test for herd7, which asks about memory "
                   "(docs/reference/memory.md has what is read of those); a test of progress "
                   "starts with 'litmus NAME' or 'locations m, f;'");
    }
  }
  for (const char* word : {"__device__", "__global__", "__constant__", "__kernel", "kernel",
                           "extern", "typedef", "template"}) {
    if (scanner.peek().is(word)) {
      scanner.fail(scanner.peek(),
                   "this looks like a kernel, which has to be a file whose name says the "
                   "language: .cu, .cl, .ll");
    }
  }
  for (const char* word : {"@", "fn", "enable", "override", "diagnostic"}) {
    if (scanner.peek().is(word)) {
      scanner.fail(scanner.peek(),
                   "this looks like a shader in WGSL, which has to be a file whose name ends in "
                   ".wgsl");
    }
  }
  if (scanner.peek().is("#")) {
    scanner.fail(scanner.peek(),
                 "this looks like C, C++ or GLSL; a kernel has to be a file whose name says the "
                 "language (.cu, .cl, .comp, .hlsl, .wgsl), or -x says it");
  }
  if (scanner.peek().is("{")) {
    scanner.fail(scanner.peek(),
                 "this looks like tests as JSON lines, which are read from a file whose name "
                 "ends in .jsonl, and from standard input by 'headway suite'");
  }
}

}  // namespace headway::lang::axb
