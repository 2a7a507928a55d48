// headway report: a suite as one HTML file.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

#include "base/file.hpp"
#include "base/parallel.hpp"
#include "base/program_path.hpp"
#include "base/progress.hpp"
#include "base/text/several_errors.hpp"
#include "campaign/observations.hpp"
#include "cli/check_every.hpp"
#include "cli/inputs.hpp"
#include "cli/kernels.hpp"
#include "cli/options.hpp"
#include "cli/suite.hpp"
#include "models/embedded.hpp"
#include "report/html.hpp"

namespace headway::cli {
namespace {

struct ReportArguments : SuiteArguments {
  using SuiteArguments::SuiteArguments;
  std::string out;
  std::vector<std::string> devices;
  std::string title;
  std::string threads;  // "any", or empty: those that families declare
  std::string engine;   // a path, "none", or empty: the one that is installed with the program
  KernelArguments kernels;
  double timeout = kKernelSeconds;  // for each kernel
};

// The texts of the files that hold one test each.
std::vector<std::string> sources(const suite::Suite& suite) {
  std::vector<std::size_t> tests_of(suite.files.size());
  for (const std::uint32_t file : suite.file_of) ++tests_of[file];
  std::vector<std::string> texts(suite.tests.size());
  for (std::size_t t = 0; t < texts.size(); ++t) {
    const std::filesystem::path path = suite.file(t);
    const bool is_test = path.extension() == ".litmus" || path.extension() == ".txt";
    if (tests_of[suite.file_of[t]] == 1 && is_test) texts[t] = read_file(path);
  }
  return texts;
}

std::string title_of(const ReportArguments& arguments) {
  if (!arguments.title.empty()) return arguments.title;
  return arguments.path == "-" ? "standard input" : arguments.path;
}

// What is in a kernel file: its launches, those that cannot be decided, and what is wrong with it.
struct KernelFile {
  std::vector<lang::Test> tests;
  std::vector<Error> undecided;
  std::vector<Error> errors;
};

KernelFile read_kernels(const std::filesystem::path& file, const ReportArguments& arguments) {
  KernelFile read;
  if (SuiteRun::stop()) return read;
  KernelArguments within = arguments.kernels;
  within.seconds = arguments.timeout;
  within.stop = StopSigns(&SuiteRun::stop(), std::nullopt);
  try {
    for (lang::Test& test : load_tests(file, {}, arguments.languages, within)) {
      try {
        lang::make_program(test);
        read.tests.push_back(std::move(test));
      } catch (const lang::Undecided& why) {
        read.undecided.emplace_back(SourcePosition{file.string(), 0, 0},
                                    fmt::format("{}: {}", test.name, why.what()));
      }
    }
  } catch (const lang::Undecided& why) {
    read.undecided.emplace_back(SourcePosition{file.string(), 0, 0}, why.what());
  } catch (const Error& error) {
    read.errors = each_of(error);
  }
  return read;
}

// Of kernel files, in their order. Several are compiled at a time.
std::vector<KernelFile> read_kernels(std::span<const std::filesystem::path> files,
                                     const ReportArguments& arguments) {
  Progress progress("kernels read", files.size());
  std::vector<KernelFile> read(files.size());
  parallel_for(files.size(), [&](std::size_t f) {
    read[f] = read_kernels(files[f], arguments);
    progress.advance();
  });
  return read;
}

// Adds the launches of a kernel file. A name that is taken has that of its file in front.
void add_kernels(suite::Suite& suite, const std::filesystem::path& file,
                 std::vector<lang::Test> tests, std::set<std::string>& names) {
  suite.files.push_back(file.string());
  for (lang::Test& test : tests) {
    if (!names.insert(test.name).second) {
      test.name = fmt::format("{}: {}", file.filename().string(), test.name);
    }
    for (const std::string& note : test.notes) complain("note: " + note);
    suite.tests.push_back(std::move(test));
    suite.file_of.push_back(static_cast<std::uint32_t>(suite.files.size() - 1));
  }
}

// The tests of a path of no kernels. Who types a kernel there hears of -x.
suite::Suite load_litmus(SuiteRun& run, const std::string& path) {
  const std::string typed = path == "-" ? read_file(kStandardInput) : std::string();
  suite::Suite suite = run.load(path);
  const std::optional<Error> kernel = run.errors().empty() ? std::nullopt : typed_kernel(typed);
  if (kernel) run.errors() = {*kernel};
  return suite;
}

// What the path names: tests, and kernels; below a folder those with directives.
suite::Suite load(SuiteRun& run, const ReportArguments& arguments, std::vector<Error>& undecided) {
  auto [files, errors] = find_tests_and_kernels({arguments.path}, arguments.kernels);
  const auto kernels = std::stable_partition(files.begin(), files.end(), [&](const auto& f) {
    return !is_kernel_file(f, arguments.kernels);
  });
  if (kernels == files.end()) return load_litmus(run, arguments.path);
  run.errors().insert(run.errors().end(), errors.begin(), errors.end());
  run.hold_signals();
  suite::Suite suite;
  suite.path = arguments.path;
  if (kernels != files.begin()) suite = run.load(arguments.path);
  std::set<std::string> names;
  for (const lang::Test& test : suite.tests) names.insert(test.name);
  const std::span<const std::filesystem::path> kernel_files(kernels, files.end());
  std::vector<KernelFile> read = read_kernels(kernel_files, arguments);
  for (std::size_t f = 0; f < read.size(); ++f) {
    add_kernels(suite, kernel_files[f], std::move(read[f].tests), names);
    undecided.insert(undecided.end(), read[f].undecided.begin(), read[f].undecided.end());
    run.errors().insert(run.errors().end(), read[f].errors.begin(), read[f].errors.end());
  }
  const std::size_t told = suite.renamed.size();
  make_names_unique(suite);
  run.tell_renamed(suite, told);
  return suite;
}

// What a file lacks that `error` is about, as a sentence of the page.
std::string sentence(const Error& error) {
  return fmt::format("{}: {}", error.where().to_string(), error.what());
}

// A table for each choice of mappings that a test of the device was seen under.
void add_tables(const campaign::DeviceObservations& device,
                std::vector<report::DeviceTable>& tables) {
  std::map<std::size_t, std::vector<std::string>> placements, outcomes;  // by test
  for (const auto& [place, seen] : device.seen) {
    const auto& [test, mapping] = place;
    if (!seen.valid()) continue;
    placements[test].push_back(device.mappings[mapping]);
    outcomes[test].push_back(seen.to_string());
  }
  std::map<std::vector<std::string>, report::DeviceTable> by_placements;
  for (const auto& [test, choice] : placements) {
    report::DeviceTable& table = by_placements[choice];
    table.device = device.device;
    table.placements = choice;
    table.outcomes[test] = std::move(outcomes[test]);
  }
  for (auto& [choice, table] : by_placements) tables.push_back(std::move(table));
}

std::vector<report::DeviceTable> read_devices(const ReportArguments& arguments,
                                              const suite::Suite& suite,
                                              std::vector<Error>& errors) {
  campaign::Collection collection(suite);
  for (const std::string& file : campaign::find_results(arguments.devices, errors)) {
    try {
      collection.add(file);
    } catch (const Error& error) {
      errors.push_back(error);
    }
  }
  for (const std::string& note : collection.notes()) complain(note);
  std::vector<report::DeviceTable> tables;
  for (const auto& device : collection.devices()) add_tables(device, tables);
  return tables;
}

// The module of the engine that the page carries; empty: none.
std::string engine(const std::string& choice) {
  if (choice == "none") return {};
  if (choice.empty()) {
    const std::filesystem::path folder = program_path().parent_path();
    for (const auto& place : {folder, folder.parent_path() / "share" / "headway"}) {
      const std::filesystem::path file = place / "headway_engine.wasm.gz";
      if (!folder.empty() && std::filesystem::exists(file)) return read_file(file);
    }
    return {};
  }
  std::string module = read_file(choice);
  if (!module.starts_with("\x1f\x8b")) {
    throw Error({choice, 0, 0}, "expected headway_engine.wasm.gz, the engine as gzip leaves it");
  }
  return module;
}

// What the engine has to be told of the models of `library`.
std::map<std::string, std::string> model_files(const models::Library& library) {
  std::map<std::string, std::string> files;
  for (const models::ModelFile& file : library.files()) {
    const auto& embedded = models::embedded_models();
    if (std::any_of(embedded.begin(), embedded.end(),
                    [&](const auto& each) { return each.content == file.content; })) {
      continue;
    }
    const models::ModelFile::Text* text = file.event_form ? &file.initial : &file.fair;
    if (!file.scopes.empty()) text = &file.scopes.begin()->second;
    files[text->where.file] = file.content;
  }
  return files;
}

Outcome report(const ReportArguments& arguments) {
  require_folder_of(arguments.out);
  if (!arguments.threads.empty()) {
    if (!arguments.devices.empty() || !arguments.engine.empty()) {
      throw Error("--devices and --engine do not go with --threads any");
    }
    return report_every(arguments.path, arguments.models, title_of(arguments), arguments.out);
  }
  const std::string module = engine(arguments.engine);
  SuiteRun run(arguments);
  const auto models = find_models(run.library(), arguments.models);
  std::vector<Error> undecided;
  suite::Suite suite = load(run, arguments, undecided);
  if (run.nothing_read(suite)) return run.finish();
  const std::size_t loaded = suite.tests.size();
  const suite::VerdictMatrix verdicts = run.decide(suite, models);
  report::Page page{title_of(arguments),
                    HEADWAY_VERSION,
                    suite,
                    verdicts,
                    suite::Idioms(),
                    sources(suite),
                    read_devices(arguments, suite, run.errors()),
                    {},
                    model_files(run.library()),
                    module};
  for (const Error& error : run.errors()) page.problems.push_back(sentence(error));
  for (const Error& error : undecided) {
    page.problems.push_back(sentence(error));
    complain(error);
  }
  if (suite.tests.size() < loaded) {
    page.problems.push_back(fmt::format("Interrupted: {} of {} tests are not here.",
                                        loaded - suite.tests.size(), loaded));
  }
  if (verdicts.undecided() > 0) {
    page.problems.push_back(fmt::format("{} of {} tests are unknown under some model.",
                                        verdicts.undecided(), suite.tests.size()));
  }
  const std::string html = report::html_report(page);
  if (arguments.out == "-") {
    print(html);
  } else {
    write_file(arguments.out, html);
    complain(fmt::format("{} test{} written to {}", suite.tests.size(),
                         suite.tests.size() == 1 ? "" : "s", arguments.out));
  }
  return run.finish(undecided.empty() ? Outcome() : Outcome().limit());
}

}  // namespace

void add_report(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<ReportArguments>(context);
  CLI::App* command =
      app.add_subcommand("report", "Write a suite as one HTML file to explore in a browser");
  add_suite_path(*command, arguments->path);
  add_out_option(*command, arguments->out, "The file to write, or - for standard output")
      ->required();
  add_models_option(*command, arguments->models);
  add_kernel_options(*command, arguments->kernels);
  command->add_option(
      "--devices", arguments->devices,
      "What devices did, to show beside the verdicts: results files, CSV files, or folders "
      "of them");
  add_title_option(*command, arguments->title);
  command
      ->add_option("--threads", arguments->threads,
                   "any: answers for every number of threads, their thresholds and proofs, on a "
                   "page of their own")
      ->check(CLI::IsMember({"any"}));
  command
      ->add_option("--engine", arguments->engine,
                   "The module by which the page explores tests, headway_engine.wasm.gz, or none: "
                   "then transition systems and executions of the smaller tests are in the file "
                   "[the one that is installed with headway]")
      ->type_name("FILE");
  add_suite_limits(*command, arguments->jobs, arguments->max_states);
  add_timeout_option(*command, arguments->timeout, "Seconds to spend on each kernel [30]");
  command->footer(
      "Example:\n"
      "  headway report litmus -o report.html\n"
      "  headway report lookback.cu --grid 3 --block 2 -o report.html");
  command->callback([arguments, &context] { context.outcome = report(*arguments); });
}

}  // namespace headway::cli
