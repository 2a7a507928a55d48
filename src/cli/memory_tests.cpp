#include "cli/memory_tests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/file.hpp"
#include "cli/console.hpp"
#include "cli/each_path.hpp"
#include "cli/inputs.hpp"
#include "consistency/axb/translate.hpp"
#include "consistency/idiom/translate.hpp"
#include "consistency/litmus/parse.hpp"
#include "consistency/models.hpp"
#include "lang/axb/source.hpp"
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
                            const std::optional<lang::Sizes>& sizes,
                            const KernelArguments& kernels) {
  const fs::path path = file == "-" ? fs::path(kStandardInput) : file;
  if (is_kernel_file(file, kernels)) {
    KernelArguments asked = kernels;
    asked.of_memory = true;
    MemoryTest test{shown_path(file.string()), {}};
    test.members = load_tests(file, sizes, languages, asked);
    test.of_kernels = true;
    for (const lang::Test& member : test.members) {
      for (const std::string& note : member.notes) complain("note: " + note);
    }
    return test;
  }
  MemoryTest test{shown_path(file.string()), read_file(path)};
  if (consistency::litmus::is_litmus(test.text)) {
    if (sizes) throw Error({test.file, 0, 0}, "--threads goes with families of the idiom language");
    return test;
  }
  test.members = suite::load_tests(path, sizes, languages);
  bool of_axb = false;
  for (const lang::Test& member : test.members) {
    of_axb = of_axb || lang::axb::find_placed_code(member) != nullptr;
    if (consistency::idiom::is_idiom(member) || lang::axb::find_placed_code(member) != nullptr) {
      continue;
    }
    throw Error({test.file, 0, 0},
                "no test that memory models can be asked about; expected a litmus test, a program "
                "of the idiom language, or a kernel (docs/reference/memory.md)");
  }
  if (of_axb) {
    complain(fmt::format("note: {}: its accesses say no orders, and count as the strongest atomics",
                         test.file));
  }
  return test;
}

namespace {

// Kernels of a file that can be asked about.
void add_kernels(const MemoryTest& test, const consistency::cat::Model& model,
                 std::vector<consistency::Program>& programs, std::vector<Error>& errors) {
#ifdef HEADWAY_KERNELS
  std::string language = consistency::language_of(model);
  if (language.empty()) language = kernel::memory_language(test.members.front());
  for (const lang::Test& member : test.members) {
    std::vector<std::string> notes;
    try {
      programs.push_back(kernel::memory_program(member, test.file, language, notes));
    } catch (const Error& error) {
      errors.push_back(error);
    }
    for (const std::string& note : notes) complain("note: " + note);
  }
#else
  static_cast<void>(test), static_cast<void>(model);
  static_cast<void>(programs), static_cast<void>(errors);
#endif
}

// The language of litmus tests in which kernels of a file speak of memory.
std::string language_of_kernels(const MemoryTest& test) {
#ifdef HEADWAY_KERNELS
  return kernel::memory_language(test.members.front());
#else
  static_cast<void>(test);
  return {};
#endif
}

}  // namespace

std::vector<consistency::Program> programs_of(const MemoryTest& test,
                                              const consistency::cat::Model& model,
                                              std::vector<Error>& errors) {
  std::vector<consistency::Program> programs;
  if (test.in_herds_format()) {
    programs.push_back(consistency::litmus::parse(test.file, test.text));
    consistency::require_language(model, programs.back(), test.file);
  } else if (test.of_kernels) {
    add_kernels(test, model, programs, errors);
  } else {
    const std::string language = consistency::language_of({&model});
    for (const lang::Test& member : test.members) {
      const lang::axb::Code* code = lang::axb::find_placed_code(member);
      programs.push_back(code != nullptr
                             ? consistency::axb::translate(*code, member.name, test.file, language)
                             : consistency::idiom::translate(member, test.file, language));
    }
  }
  return programs;
}

std::string memory_of(const MemoryTest& test) {
  if (test.of_kernels) {
    consistency::Program of_language;
    of_language.language = language_of_kernels(test);
    return consistency::model_of(of_language);
  }
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
