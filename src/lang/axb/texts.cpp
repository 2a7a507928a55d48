#include "lang/axb/texts.hpp"

#include <fmt/format.h>

namespace headway::lang::axb {

std::string memory_text(const Code& code, const std::vector<Field>& memory,
                        const std::uint64_t* state) {
  std::string text;
  for (std::size_t l = 0; l < memory.size(); ++l) {
    text += fmt::format("{}{}={}", l > 0 ? " " : "", code.locations[l].name, memory[l].get(state));
  }
  return text;
}

std::string access_text(const Code& code, const Instruction& access, int index, int old) {
  const std::string& name = code.locations[access.location].name;
  const bool store = is_store(access, index);
  std::string text = store ? "" : fmt::format("reads {} = {}", name, old);
  if (access.exchanges) {
    text += fmt::format("{}writes {} = {}", store ? "" : ", ", name, access.exchange_value);
  }
  return text;
}

}  // namespace headway::lang::axb
