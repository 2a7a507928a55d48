#include "consistency/litmus/opencl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text/suggestion.hpp"

namespace headway::consistency::litmus {

namespace {

struct Scope {
  std::string name, tag;
  int width;
};
const std::vector<Scope>& scopes() {
  static const std::vector<Scope> known = {{"memory_scope_work_item", "WI", 0},
                                           {"memory_scope_work_group", "WG", 1},
                                           {"memory_scope_device", "DV", 2},
                                           {"memory_scope_all_svm_devices", "ALL", 3},
                                           {"memory_scope_all_devices", "ALL", 3}};
  return known;
}

}  // namespace

std::string opencl_scope(Cursor& cursor, Builder& builder, int thread) {
  const std::size_t offset = cursor.offset();
  const std::string name = cursor.word("a memory scope");
  std::vector<std::string> names;
  names.reserve(scopes().size());
  for (const Scope& scope : scopes()) names.push_back(scope.name);
  const auto written = std::find(names.begin(), names.end(), name);
  if (written == names.end()) {
    cursor.fail_at(offset, fmt::format("expected a memory scope, {}, found '{}'{}",
                                       fmt::join(names, ", "), name, did_you_mean(name, names)));
  }
  const Scope& here = scopes()[static_cast<std::size_t>(written - names.begin())];
  Choice choice;
  choice.thread = thread;
  choice.what = "scope";
  choice.edits.push_back({offset, offset + name.size()});
  for (const Scope& scope : scopes()) {
    if (scope.width == here.width && &scope != &here) continue;  // one scope by another name
    if (scope.name == "memory_scope_all_devices" && &scope != &here) continue;
    if (&scope == &here) choice.written = choice.options.size();
    choice.options.push_back(
        {scope.name.substr(std::string_view("memory_scope_").size()), {scope.width}});
    choice.edits.front().texts.push_back(scope.name);
  }
  builder.choice(std::move(choice));
  return here.tag;
}

Tags opencl_regions(Cursor& cursor) {
  static const std::map<std::string, std::string> tags = {{"CLK_GLOBAL_MEM_FENCE", "GLOBAL"},
                                                          {"CLK_LOCAL_MEM_FENCE", "LOCAL"}};
  Tags result;
  do {
    const std::size_t offset = cursor.offset();
    if (const auto number = cursor.take_number(); number == 0) continue;
    const std::string name = cursor.word("flags, such as CLK_GLOBAL_MEM_FENCE");
    const auto known = tags.find(name);
    if (known == tags.end()) {
      const std::vector<std::string> names = {"CLK_GLOBAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE"};
      cursor.fail_at(offset, fmt::format("expected {}, found '{}'{}", fmt::join(names, " or "),
                                         name, did_you_mean(name, names)));
    }
    result.push_back(known->second);
  } while (cursor.take("|"));
  return result;
}

std::string opencl_address_space(const Cursor& cursor, std::size_t offset,
                                 const std::string& word) {
  const std::string name = word.starts_with("__") ? word.substr(2) : word;
  if (name == "global") return "GLOBAL";
  if (name == "local") return "LOCAL";
  if (name == "constant" || name == "private" || name == "generic") {
    cursor.fail_at(offset, fmt::format("expected a pointer to 'global' or 'local' memory, found "
                                       "'{}'",
                                       word));
  }
  return {};
}

std::vector<int> opencl_place(Cursor& cursor) {
  cursor.require("@");
  cursor.require("wg");
  const auto group = static_cast<int>(cursor.number("the number of its work-group"));
  cursor.require(",");
  cursor.require("dev");
  return {static_cast<int>(cursor.number("the number of its device")), group};
}

}  // namespace headway::consistency::litmus
