// The kernels in litmus/kernels compile with our headers, say what is expected of kernels that they
// have, and come in twos.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>

#include "base/file.hpp"
#include "kernel/clang/compile.hpp"
#include "kernel/directives.hpp"
#include "kernel/llvm/reader.hpp"
#include "support/compiler.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace fs = std::filesystem;
using headway::kernel::Compiler;
using headway::kernel::Directives;
using headway::kernel::ExpectedOutcome;
using headway::kernel::Function;
using headway::kernel::LaunchDirective;
using headway::kernel::Module;
using headway::kernel::Side;
using headway::testing::contains;

namespace {

const std::vector<fs::path>& kernel_files() {
  static const std::vector<fs::path> files = [] {
    std::vector<fs::path> result;
    for (const auto& entry :
         fs::directory_iterator(headway::testing::source_dir() / "litmus/kernels")) {
      if (headway::kernel::source_kind(entry.path())) result.push_back(entry.path());
    }
    std::sort(result.begin(), result.end());
    return result;
  }();
  return files;
}

const Function* function_of(const Module& module, const std::string& name) {
  for (const Function& function : module.functions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

bool has_parameter(const Function& function, const std::string& name) {
  for (const auto& parameter : function.parameters) {
    if (parameter.name == name) return true;
  }
  return false;
}

// Whether a launch is expected to go wrong, in memory or by never ending.
bool expects_failure(const LaunchDirective& launch) {
  for (const ExpectedOutcome& outcome : launch.outcomes) {
    if (outcome.outcome == ExpectedOutcome::Outcome::error ||
        outcome.outcome == ExpectedOutcome::Outcome::violated) {
      return true;
    }
  }
  for (const auto& model : launch.models) {
    if (!model.passes) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("kernel/library: every kernel is read, and its directives are about it") {
  Compiler& compiler = headway::testing::shared_compiler();
  std::atomic<std::size_t> next = 0;
  std::vector<std::string> complaints(kernel_files().size());
  const auto work = [&] {
    for (std::size_t i; (i = next++) < kernel_files().size();) {
      const fs::path& file = kernel_files()[i];
      try {
        const Directives all = headway::kernel::parse_directives(headway::read_file(file), file);
        if (all.launches.size() != 1) complaints[i] += "one launch is expected; ";
        const Module module =
            headway::kernel::llvm::read_module(compiler.compile(file, Side::device), file, {});
        for (const LaunchDirective& launch : all.launches) {
          const Function* function = function_of(module, launch.kernel);
          if (function == nullptr) {
            complaints[i] += "no kernel " + launch.kernel + "; ";
            continue;
          }
          complaints[i] += function->unsupported;
          if (!launch.grid || !launch.block) complaints[i] += "sizes are missing; ";
          if (launch.outcomes.empty() && launch.models.empty()) {
            complaints[i] += "nothing is expected; ";
          }
          const std::size_t given = launch.arguments.size() + launch.buffers.size();
          if (given != function->parameters.size()) complaints[i] += "parameters are missing; ";
          for (const auto& argument : launch.arguments) {
            if (!has_parameter(*function, argument.name)) complaints[i] += argument.name + "; ";
          }
          for (const auto& buffer : launch.buffers) {
            if (!has_parameter(*function, buffer.name)) complaints[i] += buffer.name + "; ";
          }
        }
      } catch (const headway::Error& error) {
        complaints[i] += error.diagnostic();
      }
    }
  };
  std::thread other(work);
  work();
  other.join();
  CHECK(kernel_files().size() > 70);
  for (std::size_t i = 0; i < complaints.size(); ++i) {
    CAPTURE(kernel_files()[i].string());
    CHECK(complaints[i] == "");
  }
}

TEST_CASE("kernel/library: kernels have a broken twin, which is told from them") {
  for (const fs::path& file : kernel_files()) {
    CAPTURE(file.string());
    const std::string stem = file.stem();
    const bool broken = stem.ends_with("-broken");
    const std::string twin =
        (broken ? stem.substr(0, stem.size() - 7) : stem + "-broken") + file.extension().string();
    CHECK(fs::exists(file.parent_path() / twin));
    const std::string text = headway::read_file(file);
    CHECK(contains(text, "// Broken") == broken);
    const Directives all = headway::kernel::parse_directives(text, file);
    REQUIRE_FALSE(all.launches.empty());
    if (broken) CHECK(expects_failure(all.launches[0]));
    if (broken) continue;
    for (const ExpectedOutcome& outcome : all.launches[0].outcomes) {
      CHECK((outcome.outcome == ExpectedOutcome::Outcome::safe ||
             outcome.outcome == ExpectedOutcome::Outcome::verified));
    }
  }
}

TEST_CASE("kernel/library: the table names every kernel") {
  const std::string table =
      headway::read_file(headway::testing::source_dir() / "litmus/kernels/README.md");
  for (const fs::path& file : kernel_files()) {
    CAPTURE(file.string());
    CHECK(contains(table, "(" + file.filename().string() + ")"));
  }
}
