// SPIRV-Tools' C interface: text to words, validation, and words to instructions. The only folder
// that includes SPIRV-Tools and SPIR-V's headers is this one. Memory in proportion to the module.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/spirv/literal.hpp"
#include "kernel/spirv/mend.hpp"

namespace headway::kernel::spirv {

enum class ExtendedSet : std::uint8_t { none, glsl, opencl, debug, other };

struct RawInstruction {
  std::uint16_t op = 0;
  ExtendedSet set = ExtendedSet::none;  // of OpExtInst
  Id type = 0, result = 0;              // 0: none
  std::uint32_t first = 0, count = 0;   // operands behind type and result, in Words::words
  std::uint32_t begin = 0;              // its first word
  int line = 0;                         // in the text that it was assembled from; 0: none
};

// A module as it is written, in the order of the machine.
struct Words {
  std::uint32_t version = 0;  // 0x00010600 is 1.6
  std::vector<std::uint32_t> words;
  std::vector<RawInstruction> instructions;
  bool is_text = false;
  // Whether it says that a compiler made it that keeps indices within buffers (tint, naga).
  bool clamps_indices = false;
  // Which rule of SPIR-V it breaks, where that means nothing; else empty.
  std::string flaw;
  std::string listing;  // of a binary without lines: its text, which the lines are of

  std::span<const std::uint32_t> operands(const RawInstruction& of) const {
    return std::span(words).subspan(of.first, of.count);
  }
};

// Whether a file holds SPIR-V's words rather than its text.
bool is_binary(std::string_view content);

// Assembles text, validates by `rules`, and takes apart. Throws headway::Error with the message of
// SPIRV-Tools for what is no valid module.
Words read_words(std::string_view content, const std::string& path, Rules rules = Rules::all);

// The instruction as SPIRV-Tools writes it, as far as it can be told alone; for messages.
std::string text_of(const Words& words, const RawInstruction& of);

}  // namespace headway::kernel::spirv
