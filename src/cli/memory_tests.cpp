#include "cli/memory_tests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/file.hpp"
#include "cli/console.hpp"
#include "cli/each_path.hpp"
#include "cli/inputs.hpp"
#include "consistency/idiom/translate.hpp"
#include "consistency/litmus/parse.hpp"
#include "consistency/models.hpp"
#include "suite/suite.hpp"

namespace headway::cli {
namespace fs = std::filesystem;

bool is_memory_test(const fs::path& file) {
  std::error_code none;
  const bool is_input = file == "-" || file == kStandardInput;
  const bool may_be = file.extension() == ".litmus" || file.extension() == ".txt";
  if (!is_input && !(may_be && fs::is_regular_file(file, none))) return false;
  try {
    // As standard input by name it is kept for whoever reads it next.
    return consistency::litmus::is_litmus(read_file(file == "-" ? fs::path(kStandardInput) : file));
  } catch (const Error&) {
    return false;  // whoever reads it next says why
  }
}

Found find_memory_tests(const std::vector<std::string>& paths) {
  Found found;
  found.files = suite::find_tests(paths, found.errors);
  return found;
}

std::vector<fs::path> take_memory_tests(std::vector<fs::path>& files) {
  const auto begin = std::stable_partition(
      files.begin(), files.end(), [](const fs::path& file) { return !is_memory_test(file); });
  std::vector<fs::path> taken(std::make_move_iterator(begin), std::make_move_iterator(files.end()));
  files.erase(begin, files.end());
  return taken;
}

MemoryTest read_memory_test(const fs::path& file, const lang::Languages& languages,
                            const std::optional<lang::Sizes>& sizes) {
  const fs::path path = file == "-" ? fs::path(kStandardInput) : file;
  MemoryTest test{shown_path(file.string()), read_file(path)};
  if (consistency::litmus::is_litmus(test.text)) {
    if (sizes) throw Error({test.file, 0, 0}, "--threads goes with families of the idiom language");
    return test;
  }
  test.members = suite::load_tests(path, sizes, languages);
  for (const lang::Test& member : test.members) {
    if (consistency::idiom::is_idiom(member)) continue;
    throw Error({test.file, 0, 0},
                "no litmus test of C, PTX, VULKAN or OPENCL and no program of the idiom language; "
                "expected one of these where memory is asked about (docs/reference/memory.md)");
  }
  return test;
}

std::vector<consistency::Program> programs_of(const MemoryTest& test, const std::string& language) {
  std::vector<consistency::Program> programs;
  if (test.in_herds_format()) programs.push_back(consistency::litmus::parse(test.file, test.text));
  for (const lang::Test& member : test.members) {
    programs.push_back(consistency::idiom::translate(member, test.file, language));
  }
  return programs;
}

std::string memory_of(const MemoryTest& test) {
  if (!test.in_herds_format()) return "rc11";
  return consistency::model_of(consistency::litmus::parse(test.file, test.text));
}

StopSigns signs_within(double seconds) {
  StopSigns signs(&Interrupt::flag(), std::nullopt);
  if (seconds > 0) signs = signs.within(seconds);
  return signs;
}

std::vector<models::ModelPtr> memory_progress(models::Library& library,
                                              const std::vector<std::string>& names) {
  if (names.empty()) return {};
  std::vector<models::ModelPtr> progress = find_models(library, names);
  for (const models::ModelPtr& model : progress) {
    if (model->history_determined()) continue;
    throw Error(
        fmt::format("model {} remembers what it promised; expected one that is a function of who "
                    "has started and ended",
                    model->name()));
  }
  return progress;
}

}  // namespace headway::cli
