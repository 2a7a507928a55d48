#include "fuzz/spirv_properties.hpp"

#ifdef HEADWAY_SPIRV
#include "fuzz/module_properties.hpp"
#include "kernel/spirv/reader.hpp"

namespace headway::fuzz {

void check_spirv(std::string_view bytes) {
  const auto read = [&] {
    kernel::Module module = kernel::spirv::read_module(bytes, "fuzz.spv");
    require_of_module(!module.functions.empty(), "a module has an entry point");
    return module;
  };
  check_module(read, bytes.size());
}

}  // namespace headway::fuzz
#endif
