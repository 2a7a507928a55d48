// What a module was written in, where SPIR-V has no words for what that language says.
#pragma once

#include <cstdint>

namespace headway::kernel::spirv {

enum class SourceLanguage : std::uint8_t {
  any,
  // What glslang makes of HLSL. Variables of one set and binding are different resources all the
  // same, as registers are of several kinds, and min and max know what is no number.
  hlsl,
  // What as_wgsl() makes of naga's modules.
  wgsl
};

// Whether shifts take the low bits of their amount, which compilers do not write out.
constexpr bool wraps_shifts(SourceLanguage language) { return language != SourceLanguage::any; }

}  // namespace headway::kernel::spirv
