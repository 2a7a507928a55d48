// headway check: the verdicts of tests under models, against what the tests and tables expect.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "base/file.hpp"
#include "base/limits.hpp"
#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "base/text/several_errors.hpp"
#include "cli/app.hpp"
#include "cli/check_every.hpp"
#include "cli/check_memory.hpp"
#include "cli/check_program.hpp"
#include "cli/check_targets.hpp"
#include "cli/console.hpp"
#include "cli/findings.hpp"
#include "cli/inputs.hpp"
#include "cli/kernels.hpp"
#include "cli/options.hpp"
#include "cli/reference_table.hpp"
#include "cli/witness_files.hpp"
#include "engine/decider.hpp"
#include "lang/test.hpp"
#include "report/exploration.hpp"
#include "report/table.hpp"
#include "report/verdicts.hpp"

namespace headway::cli {
namespace {

using engine::Decision;
using models::ModelPtr;
using report::CheckedTest;

struct CheckArguments : TestArguments {
  using TestArguments::TestArguments;
  std::vector<std::string> paths;
  std::vector<std::string> models;
  std::vector<std::string> subgroups;  // readings of them
  std::vector<std::string> targets;
  std::vector<std::string> memory;    // models of memory
  std::vector<std::string> required;  // models under which all tests are to end, weakly fair
  std::string fairness = "both";
  std::string format = "table";
  std::vector<std::string> against;
  std::string threads;      // sizes of families, or "any"; empty: those that they declare
  std::string certificate;  // a folder; empty for none
  std::string witness;      // a folder; empty for none
  int jobs = 0;             // 0: one a core
  std::size_t max_states = checker::kHighestMaxStates;
  std::size_t max_memory = 0;  // bytes; 0: most of what the machine has available
  double timeout = 0;          // seconds a test; 0: any, of a kernel kKernelSeconds
  checker::Reductions reductions;
  KernelArguments kernels;
  bool main = false;
  bool stats = false;
  bool with_launch = false;
};

std::vector<ModelPtr> required_models(models::Library& library,
                                      const std::vector<std::string>& names) {
  return names.empty() ? std::vector<ModelPtr>() : find_models(library, names);
}

engine::Models asked_models(models::Library& library, const CheckArguments& arguments,
                            const std::vector<ModelPtr>& required) {
  using Which = engine::Models::Which;
  const bool all = std::ranges::count(arguments.models, engine::kAll) > 0;
  // Of how subgroups run the question is what threads are promised.
  if (arguments.models.empty() && !arguments.subgroups.empty()) {
    return {Which::named, find_models(library, {"thread=unfair", "fair"}), required};
  }
  const Which which = arguments.models.empty() ? Which::usual : all ? Which::all : Which::named;
  return {which, find_models(library, arguments.models), required};
}

class Check {
 public:
  Check(const CheckArguments& arguments, Found found)
      : arguments_(arguments),
        required_(required_models(library_, arguments.required)),
        decider_(library_, asked_models(library_, arguments, required_), arguments.fairness,
                 arguments.format != "csv"),
        found_(std::move(found)) {}

  Outcome run() {
    if (!arguments_.certificate.empty()) throw Error("--certificate goes with --threads any");
    sizes_ = parse_given_sizes(arguments_.threads);
    ReferenceTable reference;
    for (const std::string& path : arguments_.against) reference.read(path);
    decided_.resize(found_.files.size());
    readings_ = parse_readings(arguments_.subgroups);
    const Interrupt interrupt([&] { tell(reference); });
    decide();
    interrupt.tells();
    return tell(reference);
  }

 private:
  // Prints what is decided, which nothing is added to from now on.
  Outcome tell(const ReferenceTable& reference) {
    const std::lock_guard lock(mutex_);
    std::vector<Decision> decisions;
    for (auto& of_file : decided_)
      std::move(of_file.begin(), of_file.end(), std::back_inserter(decisions));
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
    std::vector<Error> bad = found_.errors;
    for (const Decision& decision : decisions) {
      bad.insert(bad.end(), decision.bad.begin(), decision.bad.end());
    }
    const bool against = !arguments_.against.empty();
    std::optional<bool> agrees;
    if (is_of_findings(arguments_.format)) {
      const auto broken = report::findings_of(bad);
      findings.insert(findings.end(), broken.begin(), broken.end());
      if (against) {
        agrees = reference.compare(tests, decider_.columns(tests));
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
      if (!goes_wrong(test)) continue;
      if (!several_tests_) complain(error_message(test));
      outcome.wrong();
    }
    for (const CheckedTest& test : tests) {
      if (arguments_.stats) complain(report::exploration_text(test.name, test.result));
      if (test.result.complete || test.result.stopped_by == Limit::interrupt) continue;
      // Why, where that is no limit, is said below.
      if (test.result.stopped_by != Limit::none) complain(stopped_message(test));
      if (!test.open_expected) outcome.limit();
    }
    for (const Decision& decision : decisions) {
      if (!decision.undecided.empty()) complain(decision.undecided);
      // Of a file that could not be read in time.
      if (!decision.undecided.empty() && !decision.checked) outcome.limit();
    }
    complain_of_notes(decisions);
    for (const Decision& decision : decisions) {
      for (const Error& error : decision.unmet) complain(error);
      if (!decision.unmet.empty()) outcome.unmet();
    }
    if (against && !(agrees ? *agrees : reference.compare(tests, decider_.columns(tests))))
      outcome.unmet();
    for (const Decision& decision : decisions) {
      for (const Error& warning : decision.warnings) complain("warning: " + warning.diagnostic());
    }
    complain_of_remarks(decisions);
    if (tests.empty() && bad.empty() && !decisions.empty() && outcome.status() == 0)
      bad.emplace_back("there is no kernel in what was read");
    for (const Error& error : bad) complain(error);
    if (!bad.empty()) outcome.bad_input();
    if (Interrupt::flag()) {
      const auto decided = std::count_if(
          tests.begin(), tests.end(), [](const CheckedTest& test) { return test.result.complete; });
      complain(fmt::format("interrupted: {} of {} tests decided", decided,
                           std::max({decided_.size(), tests.size(), known_tests_.load()})));
      outcome.interrupted();
    }
    return outcome;
  }

  // What is so of kernels of several files is said once.
  void complain_of_notes(const std::vector<Decision>& decisions) const {
    struct Said {
      std::string what, of;
      std::size_t more = 0;
    };
    std::vector<Said> all;
    for (const Decision& decision : decisions) {
      for (const std::string& note : decision.notes) {
        if (!several_files_ || !note.starts_with("kernel ")) {
          all.push_back({note, {}, 0});
          continue;
        }
        const std::size_t colon = note.find(": ");
        const std::string what = note.substr(colon + 2);
        const auto known = std::ranges::find(all, what, &Said::what);
        if (known != all.end()) {
          ++known->more;
        } else {
          all.push_back({what, note.substr(0, colon), 0});
        }
      }
    }
    for (const Said& said : all) {
      if (said.of.empty()) {
        complain("note: " + said.what);
      } else if (said.more == 0) {
        complain(fmt::format("note: {}: {}", said.of, said.what));
      } else {
        complain(fmt::format("note: {} and {} more: {}", said.of, said.more, said.what));
      }
    }
  }

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

  void decide() {
    const auto cores = static_cast<std::size_t>(cores_for(arguments_.jobs));
    const CoreLimit limit(arguments_.jobs);
    // Of a single test the states are counted, else the tests.
    const bool single = found_.files.size() == 1;
    several_files_ = found_.files.size() > 1;
    several_tests_ = several_files_ || readings_.size() > 1;
    if (!single) memory_ /= std::max<std::size_t>(1, cores);
    Progress progress(single ? "states" : "tests", single ? 0 : found_.files.size());
    if (single) {
      checker::Checker checker;
      decide_file(found_.files.front(), decided_.front(), checker, &progress);
      return;
    }
    PerCore<checker::Checker> checkers;
    parallel_for(found_.files.size(), [&](std::size_t f) {
      if (Interrupt::flag()) return;
      decide_file(found_.files[f], decided_[f], checkers.local(), nullptr);
      progress.advance();
    });
  }

  // `spent`: of the seconds that there are for a test.
  checker::CheckOptions options(double seconds, double spent = 0,
                                Progress* progress = nullptr) const {
    checker::CheckOptions options{arguments_.max_states, &Interrupt::flag()};
    options.max_memory = memory_;
    if (seconds > 0) options.deadline = StopSigns::after(seconds - spent);
    options.reductions = arguments_.reductions;
    options.progress = progress;
    return options;
  }

  std::string stopped_message(const CheckedTest& test) const {
    const checker::CheckResult& result = test.result;
    std::string what =
        fmt::format("{} states and {} transitions", result.states, result.transitions);
    if (result.stopped_by == Limit::memory) {
      what = fmt::format("{} states, as more than {} MiB may not be taken", result.states,
                         memory_ >> 20);
    } else if (result.stopped_by == Limit::time) {
      what = fmt::format("{} states after {} s", result.states,
                         seconds_for(test.file, arguments_.kernels, arguments_.timeout));
    }
    return fmt::format("{}: unknown: stopped at {}; {} may decide it", test.file, what,
                       what_may_help(result.stopped_by, test.advice));
  }

  static bool goes_wrong(const CheckedTest& test) { return test.wrong && !test.error_expected; }

  std::string error_message(const CheckedTest& test) const {
    const std::string with = test.reading.empty() ? "" : " with --subgroups " + test.reading;
    return fmt::format("{}: {} goes wrong{}: {}", test.file, test.name, with,
                       report::wrong_run_summary(*test.wrong));
  }

  void decide_file(const std::filesystem::path& file, std::vector<Decision>& decided,
                   checker::Checker& checker, Progress* progress) {
    const auto keep = [&](Decision decision) {
      const std::lock_guard lock(mutex_);
      decided.push_back(std::move(decision));
    };
    try {
      const double seconds = seconds_for(file, arguments_.kernels, arguments_.timeout);
      const auto take = [&](lang::Test test, std::size_t of) {
        if (decided.empty()) known_tests_ += of;
        if (Interrupt::flag() && !decided.empty()) return false;
        if (of > 1) several_tests_ = true;
        require_end(test, file);
        // Kernels are called what they like; in a folder several are called the same.
        const bool is_kernel = test.source->language() == "kernel";
        if (is_kernel && several_files_) test.name = file.string() + ":" + test.name;
        const auto decide = [&](const lang::Test& asked, const std::string& reading) {
          Decision decision = decider_.decide(asked, file == "-" ? "<stdin>" : file.string(),
                                              checker, options(seconds, asked.seconds, progress));
          if (decision.checked) decision.checked->reading = reading;
          if (!reading.empty()) decision.remark.clear();
          // At once, as others may take long.
          if (several_tests_ && decision.checked && goes_wrong(*decision.checked))
            complain(error_message(*decision.checked));
          if (!arguments_.witness.empty()) decision.test = asked;
          for (std::string& note : decision.notes) {
            if (several_files_ && note.starts_with("kernel "))
              note.insert(note.find(": "), " of " + file.string());
          }
          keep(std::move(decision));
        };
        if (readings_.empty()) decide(test, {});
        for (const lang::SubgroupReading reading : readings_) {
          const std::string name(to_string(reading));
          try {
            decide(in_reading(test, reading), name);
          } catch (const Error& why) {
            Decision refused = decider_.refuse(test, file == "-" ? "<stdin>" : file.string(), why);
            refused.checked->reading = name;
            keep(std::move(refused));
          }
        }
        return true;
      };
      load_tests(file, sizes_, arguments_.languages, kernel_arguments(seconds), take);
    } catch (const lang::Undecided& why) {
      Decision open;
      open.undecided = why.what();
      keep(std::move(open));
    } catch (const Error& error) {
      Decision broken;
      // What is no kernel beside kernels of a folder is not what is meant.
      if (has_no_kernel(error) && std::ranges::count(arguments_.paths, file.string()) == 0) {
        broken.notes.push_back(error.diagnostic());
      } else {
        broken.bad = each_of(error);
      }
      keep(std::move(broken));
    } catch (const std::bad_alloc&) {
      Decision open;
      open.undecided = fmt::format("{}: unknown: out of memory", file.string());
      keep(std::move(open));
    }
  }

  // What a text expects is of how it says that threads run.
  static lang::Test in_reading(lang::Test test, lang::SubgroupReading reading) {
    test.source = test.source->in_reading(reading);
    std::erase_if(test.expectations,
                  [](const lang::Expectation& own) { return own.where.line > 0; });
    test.expects_error = false;
    return test;
  }

  // What is required of all tests, but for those that say otherwise of the model themselves.
  void require_end(lang::Test& test, const std::filesystem::path& file) const {
    for (const ModelPtr& model : required_) {
      const bool said = std::ranges::any_of(test.expectations, [&](const lang::Expectation& own) {
        return own.model == model->name();
      });
      if (said) continue;
      // Whatever ends under weak fairness does so under strong.
      test.expectations.push_back(
          {model->name(), decider_.fairnesses().front(), true, {file.string(), 0, 0}, {}});
    }
  }

  KernelArguments kernel_arguments(double seconds) const {
    KernelArguments kernels = arguments_.kernels;
    kernels.stop = StopSigns(&Interrupt::flag(), std::nullopt);
    kernels.held = kernels.proves = true;
    kernels.seconds = seconds;
    kernels.max_states = std::min(kernels.max_states, arguments_.max_states);
    return kernels;
  }

  void write_witness_files(const std::vector<Decision>& decisions) const {
    std::vector<WitnessSource> sources;
    for (const Decision& decision : decisions) {
      if (decision.checked) {
        sources.push_back({&*decision.checked, &*decision.test, &decision.models});
      }
    }
    const std::size_t written = write_witnesses(
        sources, decider_.fairnesses(),
        {arguments_.witness, arguments_.format == "json", options(arguments_.timeout)});
    complain(fmt::format("{} witness{} written to {}", written, written == 1 ? "" : "es",
                         arguments_.witness));
  }

  std::string report_text(const std::vector<CheckedTest>& tests,
                          const std::vector<Error>& errors) const {
    const report::VerdictColumns columns = decider_.columns(tests);
    if (arguments_.format == "csv") {
      return report::verdict_csv(tests, columns, arguments_.with_launch);
    }
    if (arguments_.format == "json") return report::verdict_json(tests, columns, errors);
    return report::folded(report::verdict_table(tests, columns, output_style()));
  }

  const CheckArguments& arguments_;
  // For one test, in bytes.
  std::size_t memory_ = arguments_.max_memory > 0 ? arguments_.max_memory
                                                  : available_memory() / 10 * 9;
  models::Library library_;
  const std::vector<ModelPtr> required_;
  engine::Decider decider_;
  std::optional<lang::Sizes> sizes_;
  std::vector<lang::SubgroupReading> readings_;
  bool several_files_ = false;
  std::atomic<bool> several_tests_ = false;  // of which errors are told as they are found
  const Found found_;
  std::mutex mutex_;                            // of what follows
  std::vector<std::vector<Decision>> decided_;  // of each file
  std::atomic<std::size_t> known_tests_ = 0;    // in the files that were read
};

Outcome check_outcomes(const CheckArguments& arguments, Found found) {
  if (!arguments.required.empty() || !arguments.against.empty() || !arguments.witness.empty() ||
      arguments.threads == "any") {
    throw Error("--memory goes with no --require, --against, --witness and --threads any");
  }
  models::Library library;
  const std::vector<ModelPtr> progress = memory_progress(library, arguments.models);
  if (!progress.empty() && arguments.format == "herd") {
    throw Error("--format herd says nothing of progress models; expected table, json or csv");
  }
  if (is_of_findings(arguments.format)) {
    throw Error("--format " + arguments.format + " does not go with litmus tests of memory");
  }
  if (!arguments.subgroups.empty()) {
    throw Error("--subgroups does not go with litmus tests of memory");
  }
  if (arguments.fairness == "strong") {
    throw Error("--memory decides weak fairness alone; expected no --fairness strong");
  }
  return check_memory({std::move(found), arguments.languages, parse_given_sizes(arguments.threads),
                       arguments.kernels, arguments.memory, progress, library.standard(),
                       arguments.format, arguments.jobs, arguments.timeout});
}

// Where tests hang.
Outcome check_on_targets(const CheckArguments& arguments) {
  if (!arguments.models.empty() || !arguments.subgroups.empty() || !arguments.required.empty() ||
      !arguments.against.empty() || !arguments.witness.empty()) {
    throw Error(
        "--target says how subgroups run and what is promised; expected no --subgroups, "
        "--model, --require, --against and --witness beside it");
  }
  checker::CheckOptions options{arguments.max_states, &Interrupt::flag()};
  options.reductions = arguments.reductions;
  options.strong = false;
  return check_targets({arguments.languages, arguments.paths, arguments.threads, arguments.targets,
                        arguments.format, options, arguments.timeout});
}

// `found`: the tests and kernels, where somebody has looked for them.
Outcome check_progress(const CheckArguments& arguments, std::optional<Found> found) {
  if (arguments.format == "herd") {
    throw Error("--format herd goes with litmus tests of memory alone");
  }
  const std::vector<std::string> whole =
      whole_programs(arguments.paths, arguments.main, arguments.kernels);
  if (!arguments.subgroups.empty() && (!whole.empty() || arguments.threads == "any")) {
    throw Error("--subgroups goes with neither --threads any nor programs with a function main");
  }
  if (is_of_findings(arguments.format) && (!whole.empty() || arguments.threads == "any")) {
    throw Error("--format " + arguments.format +
                " goes with neither --threads any nor programs with a function main");
  }
  if (!whole.empty()) {
    require_apart(whole, arguments.paths, arguments.kernels);
    const Interrupt interrupt;
    KernelArguments kernels = arguments.kernels;
    kernels.stop = StopSigns(&interrupt.flag(), std::nullopt);
    kernels.seconds = arguments.timeout;
    std::vector<std::string> models = arguments.models;
    models.insert(models.end(), arguments.required.begin(), arguments.required.end());
    return check_programs({whole, models, arguments.format, kernels});
  }
  if (arguments.threads != "any") {
    if (!found) found = find_tests_and_kernels(arguments.paths, arguments.kernels);
    note_programs_below(arguments.paths, found->files, arguments.kernels);
    return Check(arguments, std::move(*found)).run();
  }
  if (!arguments.against.empty() || !arguments.witness.empty() || !arguments.required.empty()) {
    throw Error("--against, --require and --witness do not go with --threads any");
  }
  return check_every({arguments.paths, arguments.models, arguments.fairness, arguments.format,
                      arguments.certificate});
}

Outcome check(const CheckArguments& arguments) {
  if (!arguments.targets.empty()) return check_on_targets(arguments);
  if (!arguments.memory.empty())
    return check_outcomes(arguments, find_memory_tests(arguments.paths));
  // A language is that of standard input.
  if (!arguments.kernels.language.empty()) return check_progress(arguments, {});
  Found others = find_tests_and_kernels(arguments.paths, arguments.kernels), of_memory;
  of_memory.files = take_memory_tests(others.files);
  if (of_memory.files.empty()) return check_progress(arguments, std::move(others));
  if (others.files.empty()) return check_outcomes(arguments, find_memory_tests(arguments.paths));
  if (arguments.format != "table") {
    throw Error(fmt::format(
        "{} asks what memory may do, and {} does not; expected tests of one kind with --format {}",
        of_memory.files.front().string(), others.files.front().string(), arguments.format));
  }
  Outcome outcome = check_progress(arguments, std::move(others));
  print("\n");
  return outcome.also(check_outcomes(arguments, std::move(of_memory)));
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
  add_models_option(*command, arguments->models,
                    "A model by name (OBE, 'OBE-k(k=3)') or the path of a model file, or all: of "
                    "kernels that of their language, and all six standard models; may be repeated "
                    "[of kernels that of their language, of others all six]");
  command->add_option("--require", arguments->required,
                      "A model, such as CUDA, under which all tests have to end that do not say "
                      "otherwise; may be repeated");
  add_fairness_option(*command, arguments->fairness, {"weak", "strong", "both"});
  add_format_option(*command, arguments->format,
                    {"table", "csv", "json", "junit", "sarif", "herd"});
  add_subgroups_option(*command, arguments->subgroups);
  command
      ->add_option("--target", arguments->targets,
                   "Where to ask whether tests end: a target of headway targets, the path of a "
                   "target file, or all; several with commas between them, or repeated, a row each")
      ->delimiter(',');
  command->add_option("--memory", arguments->memory,
                      "A memory model, such as rc11 or FILE.cat, to ask programs of the idiom "
                      "language, and litmus tests of C, PTX, VULKAN or OPENCL in herd's format, "
                      "about, and kernels; may be repeated [that of their language]");
  command->add_option("--against", arguments->against,
                      "A CSV with the columns test,model,fairness,verdict to compare with; may be "
                      "repeated");
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
  add_timeout_option(*command, arguments->timeout,
                     "Seconds to spend on each test [30 on a kernel, any on others]");
  command->add_flag(
      "--main", arguments->main,
      "Run CUDA programs as a whole, with their host side [where a file has a function "
      "main and no kernel is named]");
  command->add_flag("--stats", arguments->stats,
                    "Say on standard error how each test was explored");
  command->add_flag("--launch", arguments->with_launch,
                    "CSV: with the columns workgroups,subgroups,threads,execution");
  add_reduction_options(*command, arguments->reductions);
  command->footer(
      "Example: decide the tests of a folder under two models and compare with a table\n"
      "  headway check --against tests/data/published/verdicts_2t_2i.csv "
      "tests/data/published/tests/2t_2i\n"
      "Example: where a lock of a subgroup ends, by how its threads run\n"
      "  headway check litmus/scoped/subgroup-lock-spin.litmus --subgroups its,cm,mr\n"
      "Example: on which machines it hangs\n"
      "  headway check litmus/scoped/subgroup-lock-spin.litmus --target all");
  command->callback([arguments, &context] { context.outcome = check(*arguments); });
}

}  // namespace headway::cli
