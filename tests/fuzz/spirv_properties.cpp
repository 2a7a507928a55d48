#include "fuzz/spirv_properties.hpp"

#ifdef HEADWAY_SPIRV
#include <stdexcept>
#include <string>

#include "base/error.hpp"
#include "kernel/spirv/reader.hpp"

namespace headway::fuzz {
namespace {

void require_module(bool holds, const std::string& what) {
  if (!holds) throw std::logic_error(what);
}

}  // namespace

void check_spirv(std::string_view bytes) {
  try {
    const kernel::Module module = kernel::spirv::read_module(bytes, "fuzz.spv");
    require_module(!module.functions.empty(), "a module has an entry point");
    std::size_t values = 0;
    for (const kernel::Function& function : module.functions) {
      if (!function.unsupported.empty()) {
        require_module(function.blocks.empty(), "what is refused has no code");
        continue;
      }
      const auto objection = kernel::objection(module, function);
      require_module(!objection, "kernel IR: " + objection.value_or(""));
      values += function.values.size();
    }
    require_module(values <= 100'000 * module.functions.size() + 1000 * bytes.size(),
                   "code in proportion to the module");
  } catch (const Error& error) {
    const std::string message = error.what();
    require_module(!message.empty() && message.size() < 10'000, "a message of reasonable length");
    require_module(message.find('\n') == std::string::npos, "a message of one line");
  }
}

}  // namespace headway::fuzz
#endif
