// Inline assembly of any text, by libFuzzer: scripts/fuzz.
#include <cstddef>
#include <cstdint>

#include "fuzz/ptx_properties.hpp"

// The name is libFuzzer's. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  headway::fuzz::check_ptx({reinterpret_cast<const char*>(data), size});
  return 0;
}
