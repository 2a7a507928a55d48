// The reader of SPIR-V on any bytes, by libFuzzer: scripts/fuzz.
#include <cstddef>
#include <cstdint>

#include "fuzz/spirv_properties.hpp"

// The name is libFuzzer's. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  headway::fuzz::check_spirv({reinterpret_cast<const char*>(data), size});
  return 0;
}
