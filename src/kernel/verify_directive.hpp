// "verify --bounds -m OBE": options of `headway verify` for a launch, of those that say what is
// asked. How long, how and of what is asked is up to who calls it.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "kernel/directive_text.hpp"

namespace headway::kernel {

struct VerifyDirective {
  struct Model {
    std::string name;
    SourcePosition where;
    std::string source_line;
  };
  bool bounds = false, lockstep = false, count_benign = false, equal_reads = false;
  std::vector<Model> models;
};

// What stands behind the word, up to the end of the line, is added to what is asked already. Throws
// headway::Error at its place for other options.
void read_verify_directive(DirectiveText& text, VerifyDirective& verify);

}  // namespace headway::kernel
