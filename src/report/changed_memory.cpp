#include "report/changed_memory.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

namespace headway::report {
namespace {

std::vector<std::string> variables(const std::string& memory) {
  std::vector<std::string> result;
  std::istringstream in(memory);
  for (std::string word; in >> word;) result.push_back(word);
  return result;
}

}  // namespace

std::string changed_memory(const std::string& before, const std::string& after) {
  const std::vector<std::string> old = variables(before), now = variables(after);
  const auto same_variable = [](const std::string& a, const std::string& b) {
    const std::size_t name = a.find('=');
    return name != std::string::npos && name == b.find('=') && a.compare(0, name, b, 0, name) == 0;
  };
  if (!std::equal(old.begin(), old.end(), now.begin(), now.end(), same_variable)) return after;
  std::string text;
  for (std::size_t v = 0; v < now.size(); ++v) {
    if (now[v] != old[v]) text += (text.empty() ? "" : " ") + now[v];
  }
  return text;
}

}  // namespace headway::report
