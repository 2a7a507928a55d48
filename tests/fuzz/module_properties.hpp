// What holds for every reader of kernels: of SPIR-V and of LLVM's modules.
#pragma once

#include <stdexcept>
#include <string>

#include "base/error.hpp"
#include "kernel/ir/well_formed.hpp"

namespace headway::fuzz {

inline void require_of_module(bool holds, const std::string& what) {
  if (!holds) throw std::logic_error(what);
}

// `read()` gives a module of `bytes` bytes whose functions are well-formed kernel IR, of a size in
// proportion, or refused with a reason; or throws an error of one line of reasonable length.
template <class Read>
void check_module(Read read, std::size_t bytes) {
  try {
    const kernel::Module module = read();
    std::size_t values = 0;
    for (const kernel::Function& function : module.functions) {
      if (!function.unsupported.empty()) {
        require_of_module(function.blocks.empty(), "what is refused has no code");
        continue;
      }
      const auto objection = kernel::objection(module, function);
      require_of_module(!objection, "kernel IR: " + objection.value_or(""));
      values += function.values.size();
    }
    require_of_module(values <= 100'000 * module.functions.size() + 1000 * bytes,
                      "code in proportion to the module");
  } catch (const Error& error) {
    const std::string message = error.what();
    require_of_module(!message.empty() && message.size() < 10'000,
                      "a message of reasonable length");
    require_of_module(message.find('\n') == std::string::npos, "a message of one line");
  }
}

}  // namespace headway::fuzz
