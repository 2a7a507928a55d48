// Modules that break rules of SPIR-V which mean nothing: sections in another order, a capability or
// an extension that is used and not declared. Compilers ship such modules, and drivers take them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace headway::kernel::spirv {

// A module's words, header and all, and of each instruction the number that it had when the module
// was read: kAdded for one that was not there.
struct Code {
  std::vector<std::uint32_t> words;
  std::vector<std::uint32_t> origins;

  static constexpr std::uint32_t kAdded = ~std::uint32_t{0};
};

// What each instruction is, in words, behind the header; nothing where they do not add up.
std::vector<std::span<const std::uint32_t>> instructions_of(
    const std::vector<std::uint32_t>& words);

Code code_of(std::vector<std::uint32_t> words);

// Which rules a module is held to: all, or those that glslang keeps for HLSL. It hands buffers and
// images to functions as they are, whatever the storage class of the parameter, and leaves offsets
// out of the types of these; what is called is read at its call, where both are known.
enum class Rules { all, hlsl };

// The message of SPIRV-Tools for a module that is not valid; empty for one that is.
std::string flaw_of(const std::vector<std::uint32_t>& words, Rules rules = Rules::all);

// Without the instructions of OpenCL's sets for debuggers, which compilers write in ways that
// SPIRV-Tools finds fault with, and which mean nothing.
Code without_debuggers(const Code& code);

// The same module with its sections in order, and with what it uses declared, as far as SPIRV-Tools
// says what that is. Valid if nothing else was wrong.
Code mended(Code code);

}  // namespace headway::kernel::spirv
