#include "report/changed_memory.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>

namespace headway::report {
namespace {

// What stands behind each name; nothing where a word is no "x=1". What is left out is not there.
std::optional<std::map<std::string, std::string>> values_of(const std::string& memory) {
  std::map<std::string, std::string> result;
  std::istringstream in(memory);
  for (std::string word; in >> word;) {
    if (word == "...") continue;
    const std::size_t name = word.find('=');
    if (name == std::string::npos) return {};
    result[word.substr(0, name)] = word.substr(name + 1);
  }
  return result;
}

}  // namespace

std::string changed_memory(const std::string& before, const std::string& after) {
  const auto old = values_of(before), now = values_of(after);
  if (!old || !now) return after;
  const bool any_gone = !after.ends_with("...") &&
                        std::any_of(old->begin(), old->end(),
                                    [&](const auto& one) { return !now->contains(one.first); });
  if (any_gone) return after;
  std::string text;
  std::istringstream in(after);
  for (std::string word; in >> word;) {
    const auto same = old->find(word.substr(0, word.find('=')));
    const bool changed = same == old->end() || word.substr(same->first.size() + 1) != same->second;
    if (word != "..." && changed) text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

}  // namespace headway::report
