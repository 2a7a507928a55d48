#include "base/text/names.hpp"

#include <cctype>
#include <unordered_map>
#include <unordered_set>

namespace headway {

std::string safe_name(const std::string& name, std::string_view also) {
  constexpr std::size_t longest = 100;
  std::string result;
  for (const char c : name.substr(0, longest)) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || also.find(c) != std::string_view::npos;
    result += plain ? c : '_';
  }
  return result.starts_with('.') ? "_" + result : result;
}

std::vector<std::string> distinct_names(std::vector<std::string> names) {
  std::unordered_set<std::string> taken(names.begin(), names.end());
  if (taken.size() == names.size()) return names;
  std::unordered_map<std::string, int> seen;
  for (std::string& name : names) {
    int& count = seen[name];
    if (++count == 1) continue;
    std::string own = name + "-" + std::to_string(count);
    while (!taken.insert(own).second) own = name + "-" + std::to_string(++count);
    name = std::move(own);
  }
  return names;
}

}  // namespace headway
