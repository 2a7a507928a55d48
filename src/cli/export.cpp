// headway export: tests as programs for devices.
#include <fmt/format.h>

#include "base/file.hpp"
#include "base/text/names.hpp"
#include "cli/app.hpp"
#include "cli/console.hpp"
#include "cli/inputs.hpp"
#include "cli/kernels.hpp"
#include "cli/options.hpp"
#include "cli/runnable.hpp"
#include "emit/emit.hpp"
#include "emit/lower.hpp"

namespace headway::cli {
namespace {

struct ExportArguments : TestArguments {
  using TestArguments::TestArguments;
  std::string path;
  std::string target;
  std::string mapping = "plain";
  int instances = 64;
  EmissionArguments emission;
  std::string out;
};

constexpr std::size_t kStatesBeforeExport = 100'000;  // for a warning of what goes wrong

emit::Target find_target(const std::string& name) {
  for (const emit::Target target : emit::kTargets) {
    if (to_string(target) == name) return target;
  }
  throw Error("'" + name + "' is no target");
}

Outcome export_suite(const ExportArguments& arguments) {
  const emit::Target target = find_target(arguments.target);
  const emit::Mapping mapping = emit::parse_mapping(arguments.mapping);
  const emit::Options options = arguments.emission.options(target);
  if (is_kernel_file(arguments.path)) {
    throw Error({arguments.path, 0, 0},
                "a kernel, which is a program for a device already; 'headway slice' writes a test "
                "that ends where it does");
  }
  Outcome outcome;
  std::vector<Error> errors;
  suite::Suite suite = suite::load_suite(arguments.path, errors, nullptr, arguments.languages);
  for (const Error& error : errors) complain(error);
  if (!errors.empty()) outcome.bad_input();
  if (arguments.out == "-" && suite.tests.size() > 1) {
    throw Error(fmt::format("{} holds {} tests; only one can be written to standard output",
                            arguments.path, suite.tests.size()));
  }
  const auto text_of = [&](const lang::Test& test) {
    return emit::emit(emit::lower(test, mapping, arguments.instances, options), target);
  };
  const auto write = [&](const lang::Test& test) { text_of(test); };
  if (arguments.out != "-") {
    require_folder_name(arguments.out, {extension(target)},
                        "expected the name of a folder, or - for standard output");
  }
  if (!suite.tests.empty()) {
    suite = without_refused(std::move(suite), not_expressible(write), outcome);
  }
  std::vector<std::string> names;
  for (const lang::Test& test : suite.tests) names.push_back(safe_name(test.name, "-_.+"));
  names = distinct_names(std::move(names));
  for (std::size_t t = 0; t < suite.tests.size(); ++t) {
    const std::string text = text_of(suite.tests[t]);
    if (const auto why = goes_wrong(suite.tests[t], kStatesBeforeExport)) {
      complain("warning: " + Error({suite.file(t), 0, 0}, *why).diagnostic());
    }
    if (arguments.out == "-") {
      print(text);
    } else {
      write_file(std::filesystem::path(arguments.out) / (names[t] + extension(target)), text);
    }
  }
  if (arguments.out != "-" && !suite.tests.empty()) {
    complain(fmt::format("{} file{} written to {}", names.size(), names.size() == 1 ? "" : "s",
                         arguments.out));
  }
  return outcome;
}

}  // namespace

void add_export(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<ExportArguments>(context);
  CLI::App* command = app.add_subcommand("export", "Write tests as programs for devices");
  add_test_or_suite_path(*command, arguments->path);
  Choices targets;
  for (const emit::Target target : emit::kTargets) targets.push_back(to_string(target));
  add_target_option(*command, arguments->target, targets,
                    "cpp (C++ threads), cuda, opencl, vulkan (GLSL), amber (AmberScript), metal or "
                    "webgpu (WGSL)");
  add_mapping_option(*command, arguments->mapping);
  add_instances_option(*command, arguments->instances,
                       "Instances of the test in one launch; the plain mapping has one");
  add_emission_options(*command, arguments->emission);
  add_out_option(*command, arguments->out,
                 "The folder to write to, or - for standard output, when there is one test")
      ->required();
  command->footer(
      "A file says how to compile and run it. 'headway run' does so for a whole suite.\n"
      "Example: the spin mutex as a C++ program of 64 instances\n"
      "  headway export litmus/spin-mutex.litmus -t cpp --mapping chunked -o programs\n"
      "  g++ -std=c++20 -O2 -pthread programs/spin-mutex.cpp -o litmus && ./litmus");
  command->callback([arguments, &context] { context.outcome = export_suite(*arguments); });
}

}  // namespace headway::cli
