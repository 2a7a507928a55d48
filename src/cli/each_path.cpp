#include "cli/each_path.hpp"

#include "base/file.hpp"
#include "cli/console.hpp"

namespace headway::cli {

void for_each_path(const std::vector<std::string>& paths, bool json, Outcome& outcome,
                   const std::function<void(const std::string& path, const Show& show)>& one) {
  const bool list = paths.size() > 1 && json;
  std::string between = list ? "[" : "";
  const Show show = [&](std::string text) {
    while (list && text.ends_with('\n')) text.pop_back();
    print(between + text);
    between = list ? ",\n" : "\n";
  };
  for (const std::string& path : paths) {
    if (Interrupt::flag()) break;
    outcome.guard([&] { one(path, show); });
  }
  if (list) print(between == "[" ? "[]\n" : "]\n");
}

std::string shown_path(const std::string& path) { return path == "-" ? kStandardInput : path; }

}  // namespace headway::cli
