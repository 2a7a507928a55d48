// headway check: the verdicts of tests under models, against what the tests and tables expect.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <map>
#include <mutex>
#include <new>

#include "base/file.hpp"
#include "base/limits.hpp"
#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "base/text/several_errors.hpp"
#include "cli/app.hpp"
#include "cli/check_every.hpp"
#include "cli/check_program.hpp"
#include "cli/console.hpp"
#include "cli/findings.hpp"
#include "cli/inputs.hpp"
#include "cli/kernels.hpp"
#include "cli/options.hpp"
#include "cli/reference_table.hpp"
#include "cli/witness_files.hpp"
#include "models/scoped.hpp"
#include "report/exploration.hpp"
#include "report/verdicts.hpp"

namespace headway::cli {
namespace {

using checker::Verdict;
using models::Fairness;
using models::ModelPtr;
using report::CheckedTest;

struct CheckArguments : TestArguments {
  using TestArguments::TestArguments;
  std::vector<std::string> paths;
  std::vector<std::string> models;
  std::string fairness = "both";
  std::string format = "table";
  std::vector<std::string> against;
  std::string threads;      // sizes of families, or "any"; empty: those that they declare
  std::string certificate;  // a folder; empty for none
  std::string witness;      // a folder; empty for none
  int jobs = 0;             // 0: one a core
  std::size_t max_states = checker::kHighestMaxStates;
  std::size_t max_memory = 0;  // bytes; 0: most of what the machine has available
  double timeout = 0;          // seconds a test; 0: none
  checker::Reductions reductions;
  KernelArguments kernels;
  bool main = false;
  bool stats = false;
  bool with_launch = false;
};

// What became of one test, or of a file that could not be read.
struct Decision {
  std::optional<CheckedTest> checked;  // absent when the file is bad or the run was interrupted
  std::optional<lang::Test> test;      // what was checked, when witnesses are wanted of it
  std::vector<Error> bad;
  std::vector<Error> unmet;
  std::vector<Error> warnings;
  std::string remark;     // empty: none
  std::string undecided;  // why, where it is no limit; empty: decided
  std::vector<std::string> notes;
};

class Check {
 public:
  explicit Check(const CheckArguments& arguments) : arguments_(arguments) {
    models_ = find_models(library_, arguments.models);
    for (const ModelPtr& model : models_) columns_.models.push_back(model->name());
    for (Fairness fairness : models::kFairnesses) {
      if (arguments.fairness == "both" || arguments.fairness == to_string(fairness)) {
        columns_.fairnesses.push_back(fairness);
      }
    }
  }

  Outcome run() {
    if (!arguments_.certificate.empty()) throw Error("--certificate goes with --threads any");
    if (!arguments_.threads.empty()) sizes_ = parse_sizes(arguments_.threads);
    ReferenceTable reference;
    for (const std::string& path : arguments_.against) reference.read(path);
    std::vector<Error> errors;
    const std::vector<std::filesystem::path> files =
        find_tests_and_kernels(arguments_.paths, errors);
    std::vector<Decision> decisions = decide(files);

    if (!arguments_.witness.empty()) write_witness_files(decisions);
    std::vector<CheckedTest> tests;
    std::vector<report::Finding> findings;
    for (Decision& decision : decisions) {
      if (decision.checked && is_of_findings(arguments_.format)) {
        const auto own = findings_of(*decision.checked, decision.unmet, decision.undecided);
        findings.insert(findings.end(), own.begin(), own.end());
      }
      if (decision.checked) tests.push_back(std::move(*decision.checked));
    }
    std::vector<Error> bad = errors;
    for (const Decision& decision : decisions) {
      bad.insert(bad.end(), decision.bad.begin(), decision.bad.end());
    }
    const bool against = !arguments_.against.empty();
    std::optional<bool> agrees;
    if (is_of_findings(arguments_.format)) {
      const auto broken = report::findings_of(bad);
      findings.insert(findings.end(), broken.begin(), broken.end());
      if (against) {
        agrees = reference.compare(tests, columns_);
        using Kind = report::Finding::Kind;
        findings.push_back({*agrees ? Kind::met : Kind::failed, "reference", "--against", "table",
                            *agrees ? "" : "verdicts differ from the table"});
      }
      print(findings_text("check", arguments_.format, findings));
    } else if (arguments_.format != "table" || !tests.empty()) {
      print(report_text(tests, bad));
    }

    Outcome outcome;
    for (const CheckedTest& test : tests) {
      if (!test.wrong || test.error_expected) continue;
      complain(error_message(test));
      outcome.unmet();
    }
    for (const CheckedTest& test : tests) {
      if (arguments_.stats) complain(report::exploration_text(test.name, test.result));
      if (test.result.complete || test.result.stopped_by == Limit::interrupt) continue;
      // Why, where that is no limit, is said below.
      if (test.result.stopped_by != Limit::none) complain(stopped_message(test));
      outcome.limit();
    }
    for (const Decision& decision : decisions) {
      if (!decision.undecided.empty()) complain(decision.undecided);
      for (const std::string& note : decision.notes) complain("note: " + note);
    }
    for (const Decision& decision : decisions) {
      for (const Error& error : decision.unmet) complain(error);
      if (!decision.unmet.empty()) outcome.unmet();
    }
    if (against && !(agrees ? *agrees : reference.compare(tests, columns_))) outcome.unmet();
    for (const Decision& decision : decisions) {
      for (const Error& warning : decision.warnings) complain("warning: " + warning.diagnostic());
    }
    complain_of_remarks(decisions);
    for (const Error& error : bad) complain(error);
    if (!bad.empty()) outcome.bad_input();
    if (Interrupt::flag()) {
      const auto decided = std::count_if(
          tests.begin(), tests.end(), [](const CheckedTest& test) { return test.result.complete; });
      complain(fmt::format("interrupted: {} of {} tests decided", decided,
                           std::max(files.size(), tests.size())));
      outcome.interrupted();
    }
    return outcome;
  }

 private:
  static void complain_of_remarks(const std::vector<Decision>& decisions) {
    constexpr std::size_t shown = 5;
    std::size_t remarks = 0;
    for (const Decision& decision : decisions) {
      if (!decision.remark.empty() && remarks++ < shown) complain("remark: " + decision.remark);
    }
    if (remarks > shown) {
      complain(fmt::format("remark: and so of {} more tests", remarks - shown));
    }
  }

  // Models may speak of levels that a launch does not have: on a single workgroup, unfair is fair.
  std::string remark_on(const lang::Test& test, const Topology& launch) const {
    std::string names;
    for (const ModelPtr& model : models_) {
      if (!models::speaks_past(*model, launch)) continue;
      names += fmt::format("{}{}", names.empty() ? "" : ", ", model->name());
    }
    if (names.empty()) return {};
    return fmt::format(
        "{} is a launch of {}; of a level at which each group has one child no model is asked, and "
        "all is guaranteed: {}",
        test.name, launch.to_string(), names);
  }

  // Whoever waits in a loop for another fails where nothing is guaranteed.
  std::string remark_on(const CheckedTest& checked, const lang::Test& test,
                        const lang::Program& program) const {
    const auto unfair = std::find_if(models_.begin(), models_.end(), [](const ModelPtr& model) {
      return model->definition() == "{}";
    });
    const bool waits_otherwise = program.may_block() || test.source->language() == "kernel";
    if (unfair == models_.end() || waits_otherwise || checked.threads < 2) return {};
    const auto& verdict =
        checked.result.verdicts[static_cast<std::size_t>(unfair - models_.begin())];
    const bool expected = std::any_of(test.expectations.begin(), test.expectations.end(),
                                      [&](const lang::Expectation& each) {
                                        return each.passes && each.model == (*unfair)->name();
                                      });
    if (verdict.weak != Verdict::pass || expected) return {};
    return fmt::format(
        "{} passes under {}: it ends whatever threads run, and tells no models apart", test.name,
        (*unfair)->name());
  }

  std::vector<Decision> decide(const std::vector<std::filesystem::path>& files) {
    std::vector<std::vector<Decision>> decisions(files.size());
    const auto cores = static_cast<std::size_t>(cores_for(arguments_.jobs));
    const CoreLimit limit(arguments_.jobs);
    // Of a single test the states are counted, else the tests.
    const bool single = files.size() == 1;
    if (!single) memory_ /= std::max<std::size_t>(1, cores);
    Progress progress(single ? "states" : "tests", single ? 0 : files.size());
    if (single) {
      checker::Checker checker;
      return decide_file(files.front(), checker, &progress);
    }
    PerCore<checker::Checker> checkers;
    parallel_for(files.size(), [&](std::size_t f) {
      if (interrupt_.flag()) return;
      decisions[f] = decide_file(files[f], checkers.local(), nullptr);
      progress.advance();
    });
    std::vector<Decision> all;
    for (auto& of_file : decisions)
      std::move(of_file.begin(), of_file.end(), std::back_inserter(all));
    return all;
  }

  checker::CheckOptions options(Progress* progress = nullptr) const {
    checker::CheckOptions options{arguments_.max_states, &interrupt_.flag()};
    options.max_memory = memory_;
    if (arguments_.timeout > 0) {
      using Clock = StopSigns::Clock;
      options.deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                            std::chrono::duration<double>(arguments_.timeout));
    }
    options.weak = arguments_.fairness != "strong";
    options.strong = arguments_.fairness != "weak";
    options.reductions = arguments_.reductions;
    options.progress = progress;
    return options;
  }

  std::string stopped_message(const CheckedTest& test) const {
    const checker::CheckResult& result = test.result;
    std::string what = fmt::format("{} states and {} transitions; a higher --max-states",
                                   result.states, result.transitions);
    if (result.stopped_by == Limit::memory) {
      what = fmt::format("{} states, as more than {} MiB may not be taken; a higher --max-memory",
                         result.states, memory_ >> 20);
    } else if (result.stopped_by == Limit::time) {
      what = fmt::format("{} states after {} s; a higher --timeout", result.states,
                         arguments_.timeout);
    }
    return fmt::format("{}: unknown: stopped at {} may decide it", test.file, what);
  }

  std::string error_message(const CheckedTest& test) const {
    return fmt::format("{}: {} goes wrong: {}", test.file, test.name,
                       report::wrong_run_summary(*test.wrong));
  }

  std::vector<Decision> decide_file(const std::filesystem::path& file, checker::Checker& checker,
                                    Progress* progress) {
    std::vector<Decision> decisions;
    try {
      for (const lang::Test& test :
           load_tests(file, sizes_, arguments_.languages, kernel_arguments())) {
        if (interrupt_.flag() && !decisions.empty()) break;
        decisions.push_back(decide_test(test, file, checker, progress));
      }
    } catch (const Error& error) {
      decisions.emplace_back().bad = each_of(error);
    }
    return decisions;
  }

  KernelArguments kernel_arguments() const {
    KernelArguments kernels = arguments_.kernels;
    const checker::CheckOptions limits = options();
    kernels.stop = limits.signs();
    kernels.max_states = std::min(kernels.max_states, limits.max_states);
    return kernels;
  }

  Decision decide_test(const lang::Test& test, const std::filesystem::path& file,
                       checker::Checker& checker, Progress* progress) {
    Decision decision;
    decision.warnings = test.warnings;
    decision.notes = test.notes;
    try {
      CheckedTest checked;
      checked.name = test.name;
      checked.file = file == "-" ? "<stdin>" : file.string();
      checked.threads = test.thread_count();
      checked.instructions = test.instruction_count();
      checked.family = test.source->sized();
      const auto start = std::chrono::steady_clock::now();
      const auto made = lang::make_program(test);
      const lang::Program& program = *made;
      if (program.topology() != Topology(checked.threads)) checked.launch = program.topology();
      decision.remark = remark_on(test, program.topology());
      checked.result = checker.check(program, models_, options(progress));
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
      checked.seconds = taken.count();
      checked.error_expected = test.expects_error;
      if (decision.remark.empty()) decision.remark = remark_on(checked, test, program);
      if (checked.result.error) checked.wrong = checker::wrong_run(program, *checked.result.error);
      if (test.expects_error && !checked.result.error && checked.result.complete) {
        decision.unmet.emplace_back(SourcePosition{checked.file, 0, 0},
                                    fmt::format("expected {} to go wrong; it does not", test.name));
      }
      // What a limit left open could change both ends of the boundary.
      const models::ModelOrder* order =
          checked.result.complete && !checked.result.error ? order_for(program) : nullptr;
      if (order != nullptr) {
        checked.boundary =
            checker::find_boundary(checked.result.verdicts, *order, columns_.fairnesses);
      }
      for (const lang::Expectation& expectation : test.expectations) {
        compare(expectation, checked, program, checker, decision);
      }
      decision.checked = std::move(checked);
      if (!arguments_.witness.empty()) decision.test = test;
    } catch (const lang::Undecided& why) {
      decision.checked = undecided(test, file, Limit::none);
      decision.undecided = fmt::format("{}: {}: {}", decision.checked->file, test.name, why.what());
    } catch (const Error& error) {
      const bool has_place = !error.where().file.empty();
      decision.bad.push_back(
          has_place ? error
                    : Error(fmt::format("{}: {}: {}", file.string(), test.name, error.what())));
    } catch (const std::bad_alloc&) {
      // The limit should have come first; the others keep their verdicts all the same.
      checker = {};
      decision.checked = undecided(test, file, Limit::memory);
    }
    return decision;
  }

  CheckedTest undecided(const lang::Test& test, const std::filesystem::path& file,
                        Limit limit) const {
    CheckedTest checked;
    checked.name = test.name;
    checked.file = file == "-" ? "<stdin>" : file.string();
    checked.threads = test.thread_count();
    checked.instructions = test.instruction_count();
    checked.family = test.source->sized();
    checked.result.verdicts.resize(models_.size());
    checked.result.complete = false;
    checked.result.stopped_by = limit;
    return checked;
  }

  // What the test itself expects. Without --model, models that are not in the table are decided
  // for it as well.
  void compare(const lang::Expectation& expectation, const CheckedTest& checked,
               const lang::Program& program, checker::Checker& checker, Decision& decision) {
    checker::ModelVerdict verdict;
    try {
      std::size_t column = column_of(expectation.model);
      const ModelPtr model =
          column < models_.size() ? models_[column] : library_.named(expectation.model);
      column = column_of(model->name());
      if (column < models_.size()) {
        verdict = checked.result.verdicts[column];
      } else if (arguments_.models.empty()) {
        verdict = checker.check(program, {&model, 1}, options()).verdicts.front();
      } else {
        return;
      }
    } catch (const Error& error) {
      std::string why = error.what();
      const std::string path = "or the path of a model file";  // which cannot stand here
      if (const std::size_t at = why.find(path); at != std::string::npos) {
        why.replace(at, path.size(), "or the name in a model file that is given with --model");
      }
      decision.bad.emplace_back(expectation.where, why, expectation.source_line);
      return;
    }
    for (Fairness fairness : columns_.fairnesses) {
      if (expectation.fairness && *expectation.fairness != fairness) continue;
      const Verdict decided = verdict.of(fairness);
      const Verdict expected = expectation.passes ? Verdict::pass : Verdict::fail;
      // What goes wrong is told of once, not for each expectation.
      if (decided == expected || decided == Verdict::unknown || decided == Verdict::error) continue;
      decision.unmet.emplace_back(
          expectation.where,
          fmt::format("expected {}:{} to {}; {} {}", expectation.model, to_string(fairness),
                      to_string(expected), size_of(checked),
                      decided == Verdict::pass ? "passes" : "fails"),
          expectation.source_line);
    }
  }

  // What passes or fails: of a family the member.
  static std::string size_of(const CheckedTest& test) {
    return test.family ? fmt::format("with {} threads it", test.threads) : "it";
  }

  void write_witness_files(const std::vector<Decision>& decisions) const {
    std::vector<WitnessSource> sources;
    for (const Decision& decision : decisions) {
      if (decision.checked) sources.push_back({&*decision.checked, &*decision.test});
    }
    const std::size_t written = write_witnesses(
        sources, models_, columns_, {arguments_.witness, arguments_.format == "json", options()});
    complain(fmt::format("{} witness{} written to {}", written, written == 1 ? "" : "es",
                         arguments_.witness));
  }

  std::size_t column_of(const std::string& model) const {
    return static_cast<std::size_t>(
        std::find(columns_.models.begin(), columns_.models.end(), model) - columns_.models.begin());
  }

  // The order of the models for a launch, computed when it is first asked for; null where it would
  // take too long.
  const models::ModelOrder* order_for(const lang::Program& program) {
    const Topology& launch = program.topology();
    const bool may_block = program.may_block();
    if (arguments_.format == "csv" ||
        !models::ModelOrder::in_limits(models_, launch.threads(), may_block)) {
      return nullptr;
    }
    const std::lock_guard lock(orders_mutex_);
    auto& order = orders_[{launch.workgroups(), launch.subgroups(), launch.threads(), may_block}];
    if (!order) {
      order = std::make_unique<models::ModelOrder>(models_, launch, models::Scope::recurring,
                                                   may_block);
    }
    return order.get();
  }

  std::string report_text(const std::vector<CheckedTest>& tests,
                          const std::vector<Error>& errors) const {
    if (arguments_.format == "csv") {
      return report::verdict_csv(tests, columns_, arguments_.with_launch);
    }
    if (arguments_.format == "json") return report::verdict_json(tests, columns_, errors);
    return report::verdict_table(tests, columns_, output_style());
  }

  const CheckArguments& arguments_;
  // For one test, in bytes.
  std::size_t memory_ = arguments_.max_memory > 0 ? arguments_.max_memory
                                                  : available_memory() / 10 * 9;
  const Interrupt interrupt_;
  models::Library library_;
  std::vector<ModelPtr> models_;
  report::VerdictColumns columns_;
  std::optional<lang::Sizes> sizes_;
  std::mutex orders_mutex_;
  std::map<std::tuple<int, int, int, bool>, std::unique_ptr<models::ModelOrder>> orders_;
};

// The paths that are CUDA programs with a host side, to be run as a whole: those that have a
// function main, unless a kernel is named or a launch described; with --main all.
std::vector<std::string> programs(const CheckArguments& arguments) {
  std::vector<std::string> result;
  const KernelArguments& kernels = arguments.kernels;
  const bool of_kernels =
      !kernels.kernels.empty() || !kernels.grid.empty() || !kernels.block.empty();
  for (const std::string& path : arguments.paths) {
    const bool is_file = std::filesystem::is_regular_file(path);
    if (is_file && (arguments.main || (!of_kernels && has_main(path)))) result.push_back(path);
  }
  return result;
}

Outcome check(const CheckArguments& arguments) {
  const std::vector<std::string> whole = programs(arguments);
  if (is_of_findings(arguments.format) && (!whole.empty() || arguments.threads == "any")) {
    throw Error("--format " + arguments.format +
                " goes with neither --threads any nor programs with a function main");
  }
  if (!whole.empty()) {
    if (whole.size() != arguments.paths.size()) {
      throw Error(
          "programs with a function main are checked apart from tests and kernels; expected one "
          "or the other, or --kernel");
    }
    const Interrupt interrupt;
    KernelArguments kernels = arguments.kernels;
    std::optional<StopSigns::Clock::time_point> deadline;
    if (arguments.timeout > 0) {
      using Clock = StopSigns::Clock;
      deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                    std::chrono::duration<double>(arguments.timeout));
    }
    kernels.stop = StopSigns(&interrupt.flag(), deadline);
    return check_programs({whole, arguments.models, arguments.format, kernels});
  }
  if (arguments.threads != "any") return Check(arguments).run();
  if (!arguments.against.empty() || !arguments.witness.empty()) {
    throw Error("--against and --witness do not go with --threads any");
  }
  return check_every({arguments.paths, arguments.models, arguments.fairness, arguments.format,
                      arguments.certificate});
}

}  // namespace

void add_check(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<CheckArguments>(context);
  CLI::App* command =
      app.add_subcommand("check", "Decide whether tests are guaranteed to terminate");
  command
      ->add_option(
          "PATH", arguments->paths,
          "Test or kernel files, folders to search for .litmus, .txt and kernel files, or - for "
          "standard input")
      ->required();
  add_models_option(*command, arguments->models);
  add_fairness_option(*command, arguments->fairness, {"weak", "strong", "both"});
  add_format_option(*command, arguments->format, {"table", "csv", "json", "junit", "sarif"});
  command
      ->add_option("--against", arguments->against,
                   "A CSV with the columns test,model,fairness,verdict to compare with; may be "
                   "repeated")
      ->allow_extra_args(false);
  add_sizes_option(
      *command, arguments->threads,
      "Numbers of threads to decide families for, such as 2..6 or 2,4,8, or any: every "
      "number [those that the file declares]");
  command->add_option("--certificate", arguments->certificate,
                      "A folder to write a certificate to for every answer of --threads any");
  command->add_option("--witness", arguments->witness,
                      "A folder to write a witness to for every verdict that is fail; as JSON "
                      "with --format json, else as text");
  add_kernel_options(*command, arguments->kernels);
  add_jobs_option(*command, arguments->jobs);
  add_max_states_option(*command, arguments->max_states, "States to explore of each test");
  command
      ->add_option("--max-memory", arguments->max_memory,
                   "Memory to explore a test in, such as 500MB or 2GB, roughly [most of what is "
                   "available]")
      ->transform(CLI::AsSizeValue(false))
      // The latest transformation comes first; the one above would let a minus sign pass.
      ->transform(CLI::Validator(
          [](std::string& text) {
            const bool positive =
                text.find_first_of("123456789") != text.npos && text.front() != '-';
            return positive ? std::string() : "expected a size such as 500MB or 2GB";
          },
          ""));
  command->add_option("--timeout", arguments->timeout, "Seconds to spend on each test [any]")
      ->check([](const std::string& text) {
        double seconds = 0;
        const bool number = CLI::detail::lexical_cast(text, seconds);
        return number && std::isfinite(seconds) && seconds > 0
                   ? std::string()
                   : fmt::format("expected seconds, a number above 0, found '{}'", text);
      });
  command->add_flag(
      "--main", arguments->main,
      "Run CUDA programs as a whole, with their host side [where a file has a function "
      "main and no kernel is named]");
  command->add_flag("--stats", arguments->stats,
                    "Say on standard error how each test was explored");
  command->add_flag("--launch", arguments->with_launch,
                    "CSV: with the columns workgroups,subgroups,threads,execution");
  const auto off = [command](const char* name, bool& reduction, const char* description) {
    command
        ->add_flag_callback(
            name, [&reduction] { reduction = false; }, description)
        ->group("Reductions (verdicts are the same without)");
  };
  checker::Reductions& reductions = arguments->reductions;
  off("--no-symmetry", reductions.symmetry, "Tell threads apart that run the same code");
  off("--no-layers", reductions.layers,
      "Build the whole transition system in memory, also of a large test");
  off("--no-sleep-sets", reductions.sleep_sets,
      "Take every order of steps that do not affect each other");
  off("--no-silent-steps", reductions.silent_steps,
      "Take steps at barriers that nobody can tell like any other step");
  off("--full-history", reductions.history,
      "Tell states apart by which threads have started, also when no model looks at it");
  off("--no-early-stop", reductions.early_stop,
      "Explore a large test to the end, also when all verdicts are known");
  command->footer(
      "Example: decide the tests of a folder under two models and compare with a table\n"
      "  headway check --model HSA --model OBE --against expected.csv litmus/");
  command->callback([arguments, &context] { context.outcome = check(*arguments); });
}

}  // namespace headway::cli
