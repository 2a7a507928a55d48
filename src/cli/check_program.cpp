#include "cli/check_program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/file.hpp"
#include "base/parallel.hpp"
#include "base/text/words.hpp"
#include "cli/console.hpp"
#include "cli/failing_models.hpp"
#include "report/answer.hpp"
#include "report/explanation.hpp"
#include "report/properties.hpp"
#include "report/table.hpp"

#ifdef HEADWAY_KERNELS
#include "checker/explain.hpp"
#include "checker/waiting.hpp"
#include "kernel/clang/without_host.hpp"
#include "kernel/machine/host.hpp"
#include "kernel/test/analysis.hpp"
#include "kernel/test/expected.hpp"
#include "kernel/test/kernel_tests.hpp"
#include "kernel/test/templates.hpp"
#include "lang/test.hpp"
#endif

namespace headway::cli {

namespace {

// Whether there may be a program; whoever reads it says why not.
bool is_readable(const std::filesystem::path& file) {
  std::error_code none;
  return file == kStandardInput || std::filesystem::is_regular_file(file, none);
}

// Whether a kernel is named, or a launch described.
bool is_launch_given(const KernelArguments& arguments) {
  return !arguments.kernels.empty() || !arguments.grid.empty() || !arguments.block.empty();
}

bool is_folder(const std::filesystem::path& path) {
  std::error_code none;
  return std::filesystem::is_directory(path, none);
}

// What cannot be read is none; whoever reads kernels says why.
bool is_program(const std::filesystem::path& file, const CompilerArguments& arguments) {
  try {
    return has_main(file, arguments);
  } catch (const Error&) {
    return false;
  }
}

std::vector<std::filesystem::path> programs_below(const std::filesystem::path& folder,
                                                  const CompilerArguments& arguments) {
  std::vector<Error> errors;
  std::vector<std::filesystem::path> files = files_below(folder, errors);
  std::erase_if(files,
                [&](const std::filesystem::path& file) { return !is_program(file, arguments); });
  return files;
}

}  // namespace

bool has_main(const std::filesystem::path& file, const CompilerArguments& arguments) {
  const std::string language =
      arguments.language.empty() ? file.extension().string() : "." + arguments.language;
  if (!language.starts_with(".cu")) return false;
  const std::string text = read_file(file);
  for (auto at = text.find("main"); at != std::string::npos; at = text.find("main", at + 4)) {
    if (at == 0 || is_word_character(text[at - 1])) continue;
    const auto next = text.find_first_not_of(" \t\n", at + 4);
    if (next != std::string::npos && text[next] == '(') return true;
  }
  return false;
}

namespace {

#ifdef HEADWAY_KERNELS
// Whether its host compiles here, and a note where it does not for want of a library.
bool is_here(const std::filesystem::path& file, const KernelArguments& arguments) {
  std::optional<Error> why;
  try {
    const kernel::Directives directives = kernel::parse_directives(read_file(file), file.string());
    why = kernel::why_kernels_alone(kernel_compiler(), file,
                                    kernel::with(directives, kernel_options(arguments).compile));
  } catch (const Error&) {  // whoever runs it says so
  }
  if (!why) return true;
  complain(
      fmt::format("note: {}: its kernels alone are looked at, as its program does not compile "
                  "here: line {}: {}",
                  file.string(), why->where().line, why->what()));
  return false;
}
#else
bool is_here(const std::filesystem::path&, const KernelArguments&) { return true; }
#endif

}  // namespace

bool is_whole_program(const std::filesystem::path& file, const KernelArguments& arguments) {
  return is_readable(file) && !is_launch_given(arguments) && has_main(file, arguments) &&
         is_here(file, arguments);
}

std::vector<std::string> whole_programs(const std::vector<std::string>& paths, bool all,
                                        const KernelArguments& arguments) {
  std::vector<std::string> result;
  for (const std::string& path : paths) {
    const std::filesystem::path file = input_path(path, arguments);
    if ((is_readable(file) && all) || is_whole_program(file, arguments))
      result.push_back(file.string());
    if (!all || !is_folder(file)) continue;
    for (const std::filesystem::path& below : programs_below(file, arguments)) {
      result.push_back(below.string());
    }
  }
  return result;
}

void require_apart(const std::vector<std::string>& programs, const std::vector<std::string>& paths,
                   const KernelArguments& arguments) {
  const auto is_of_program = [&](const std::string& path) {
    const std::string file = input_path(path, arguments).string();
    return std::ranges::any_of(programs, [&](const std::string& one) {
      return one == file || (is_folder(path) && one.starts_with(file));
    });
  };
  if (std::ranges::all_of(paths, is_of_program)) return;
  throw Error(
      "programs with a function main are checked apart from tests and kernels; expected one "
      "or the other, or --kernel");
}

void note_programs_below(const std::vector<std::string>& paths,
                         const std::vector<std::filesystem::path>& files,
                         const KernelArguments& arguments) {
  if (is_launch_given(arguments)) return;
  const auto is_of_folder = [&](const std::filesystem::path& file) {
    return is_program(file, arguments) &&
           std::find(paths.begin(), paths.end(), file.string()) == paths.end();
  };
  std::vector<std::filesystem::path> programs;
  std::copy_if(files.begin(), files.end(), std::back_inserter(programs), is_of_folder);
  if (programs.empty()) return;
  complain(
      fmt::format("note: {}{}: of a program with a function main in a folder kernels alone are "
                  "looked at; --main runs it",
                  programs.front().string(),
                  programs.size() == 1 ? "" : fmt::format(" and {} more", programs.size() - 1)));
}

#ifdef HEADWAY_KERNELS

namespace {

using kernel::FaultKind;

using Row = report::PropertyRow;

constexpr FaultKind kProperties[] = {
    FaultKind::assertion, FaultKind::race,      FaultKind::divergence, FaultKind::bounds,
    FaultKind::null,      FaultKind::alignment, FaultKind::freed,      FaultKind::uninitialized,
    FaultKind::constant,  FaultKind::division,  FaultKind::loop};

// Room for so many workgroups, in which threads make progress as CUDA says.
models::ModelPtr with_room_for(std::uint64_t groups, const models::Library& library) {
  return library.named(
      fmt::format("workgroup=OBE-k(k={}),subgroup=concurrent,thread=concurrent", groups));
}

// What CUDA promises of a launch: that of a cooperative one more, and where the program launches no
// more workgroups than it was told that fit, these run at the same time.
models::ModelPtr promise_of(const kernel::Launch& launch, const models::Library& library) {
  if (launch.cooperative) return library.named("CUDA-cooperative");
  if (launch.fitted) return with_room_for(kernel::kDeviceRoom, library);
  return library.named("CUDA");
}

// How many workgroups have to run at the same time, for a launch to end; nothing where that does
// not help, or is not known.
std::optional<std::size_t> needed_room(const lang::Program& program, int groups,
                                       const models::Library& library, const StopSigns& stop) {
  constexpr int most_groups = 16;
  std::vector<models::ModelPtr> ladder;
  for (int k = 1; k <= std::min(groups, most_groups); ++k) {
    ladder.push_back(with_room_for(static_cast<std::uint64_t>(k), library));
  }
  const std::vector<checker::Verdict> verdicts = weak_verdicts(program, ladder, stop);
  const auto enough = std::find(verdicts.begin(), verdicts.end(), checker::Verdict::pass);
  const auto open = std::find(verdicts.begin(), verdicts.end(), checker::Verdict::unknown);
  if (enough == verdicts.end() || open < enough) return {};
  return enough - verdicts.begin() + 1;
}

// Whether all data of a launch are known: terms belong to the run of the host.
bool is_known(const kernel::Launch& launch) {
  const auto is_open = [](const kernel::Cell& cell) {
    return cell.kind == kernel::Cell::Kind::term || cell.kind == kernel::Cell::Kind::moving;
  };
  if (std::ranges::any_of(launch.arguments, is_open)) return false;
  for (kernel::Instance object = 0; object < launch.memory.objects(); ++object) {
    for (const auto& page : launch.memory.pages(object)) {
      if (!page) continue;
      for (const auto& entry : page->entries) {
        if (is_open(entry.cell)) return false;
      }
    }
  }
  return true;
}

// Memory is called by the first parameter that points to it, which people know better than the line
// that made it.
kernel::Launch with_names(kernel::Launch launch) {
  std::set<kernel::Instance> named;
  const std::vector<kernel::Parameter>& parameters = launch.function->parameters;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const kernel::Cell& to = launch.arguments[p];
    if (to.kind != kernel::Cell::Kind::pointer || to.bits != 0 || to.object == kernel::kNone ||
        parameters[p].by_value > 0 || !named.insert(to.object).second)
      continue;
    kernel::ObjectInfo& info = launch.objects[to.object];
    info.name = parameters[p].name;
    info.type = parameters[p].element_type;
    info.has_elements = true;
  }
  return launch;
}

// A launch of a program that waits.
struct WaitingLaunch {
  std::string name;
  const kernel::KernelProgram& program;
  const kernel::Launch& launch;
};

// What is looked for in a program, and for whom.
struct ProgramQuestion {
  const models::Library& library;
  const std::vector<models::ModelPtr>& models;  // empty: what CUDA promises
  // Told of each launch that need not end, under a model.
  std::function<void(const WaitingLaunch& launch, const models::Model& model,
                     const checker::Explanation& explanation)>
      explained = {};
};

// Under which of the models a launch that waits need not end, and who waits for whom there; nothing
// in `why` where it ends under all.
std::optional<kernel::NotEnding> not_ending(const ProgramQuestion& question,
                                            const WaitingLaunch& waiting, const StopSigns& stop) {
  const kernel::Launch& launch = waiting.launch;
  const std::vector<models::ModelPtr> models =
      question.models.empty() ? std::vector{promise_of(launch, question.library)} : question.models;
  const std::vector<checker::Verdict> verdicts = weak_verdicts(waiting.program, models, stop);
  std::string names;
  models::ModelPtr failing;
  for (std::size_t m = 0; m < models.size(); ++m) {
    if (verdicts[m] == checker::Verdict::unknown) return {};
    if (verdicts[m] == checker::Verdict::pass) continue;
    if (failing == nullptr) failing = models[m];
    names += (names.empty() ? "" : ", ") + models[m]->name();
  }
  if (failing == nullptr) return kernel::NotEnding();
  // Which takes less time than an execution.
  std::string room;
  const std::optional<std::size_t> needed =
      launch.cooperative ? std::nullopt
                         : needed_room(waiting.program, launch.groups(), question.library, stop);
  if (needed) {
    room = fmt::format(": it needs {} blocks at once, {}", *needed,
                       launch.fitted ? fmt::format("{} fit", kernel::kDeviceRoom)
                                     : "which a cooperative launch has");
  }
  const checker::Explanation explanation =
      checker::explain(waiting.program, *failing, models::Fairness::weak, weak_limits(stop));
  if (explanation.verdict != checker::Verdict::fail) {
    return kernel::NotEnding{
        fmt::format("threads wait for each other, and need not end under {}{}", names, room), 0};
  }
  if (question.explained) question.explained(waiting, *failing, explanation);
  const auto who = checker::who_waits(waiting.program, explanation);
  const std::string wait =
      who ? report::wait_text(*report::promise_named("CUDA"), waiting.program.topology(), *who)
          : "threads wait for each other";
  return kernel::NotEnding{fmt::format("{}; the launch need not end under {}{}", wait, names, room),
                           who ? who->line : 0};
}

std::vector<Row> rows_of(const std::string& file, const kernel::HostResult& result) {
  std::vector<Row> rows;
  const bool certain = std::any_of(result.faults.begin(), result.faults.end(),
                                   [](const auto& fault) { return !fault.fault.possible; });
  for (const FaultKind property : kProperties) {
    Row row{file, "main", std::string(kernel::to_string(property)), "verified", 0, {}};
    const auto fault =
        std::find_if(result.faults.begin(), result.faults.end(),
                     [&](const auto& known) { return known.fault.kind == property; });
    if (fault != result.faults.end()) {
      row.verdict = fault->fault.possible ? "possible" : "violated";
      row.kernel = fault->kernel;
      row.line = fault->place.line;
      row.detail = fault->fault.detail;
      if (fault->other.line > 0) row.detail += fmt::format("; with line {}", fault->other.line);
      if (fault->launched.line > 0) {
        row.detail += fmt::format("; launched at line {}", fault->launched.line);
      }
    } else if (!result.complete || certain) {
      row.verdict = "unknown";
      if (result.obstacle) {
        if (result.obstacle->fault.kind == FaultKind::unsupported) row.verdict = "unsupported";
        row.kernel = result.obstacle->kernel;
        row.line = result.obstacle->place.line;
        row.detail = result.obstacle->fault.detail;
      } else if (result.limit == Limit::time) {
        row.detail = "out of time";
      } else if (certain) {
        row.detail = "what follows another fault is not looked at";
      }
    } else if (!result.faults.empty()) {
      // A way that may go wrong was not followed further.
      row.verdict = "unknown";
      row.detail = "what follows a possible fault is not looked at";
    } else if (property == FaultKind::loop && result.open_loop) {
      row.verdict = "unknown";
      row.kernel = result.open_loop->kernel;
      row.line = result.open_loop->place.line;
      row.detail = result.open_loop->fault.detail;
    } else if (!result.skipped.empty()) {
      row.verdict += fmt::format(" but for {}", fmt::join(result.skipped, ", "));
    }
    row.premises = result.premises;
    rows.push_back(std::move(row));
  }
  return rows;
}

// One sentence about a program, before its rows: what goes wrong, or that it ends as CUDA promises.
std::string answer(const std::string& file, const std::vector<Row>& rows) {
  const auto place = [](const Row& row) {
    return row.line > 0 ? fmt::format("line {} of {}: {}", row.line, row.kernel, row.detail)
                        : row.detail;
  };
  const auto with = [&](const char* verdict) {
    return std::ranges::find(rows, verdict, &Row::verdict);
  };
  const auto end_row = std::ranges::find(rows, kernel::to_string(FaultKind::loop), &Row::property);
  if (end_row->verdict == "violated") {
    return fmt::format("{} may hang as CUDA promises: {}", file, place(*end_row));
  }
  if (const auto wrong = with("violated"); wrong != rows.end()) {
    return fmt::format("{} goes wrong: {}, {}", file, wrong->property, place(*wrong));
  }
  if (!end_row->verdict.starts_with("verified")) {
    return fmt::format("whether {} ends as CUDA promises is unknown: {}", file, place(*end_row));
  }
  const bool all =
      std::ranges::all_of(rows, [](const Row& row) { return row.verdict.starts_with("verified"); });
  if (!all) return fmt::format("{} ends as CUDA promises", file);
  // "but for ..."
  const auto less =
      std::ranges::find_if(rows, [](const Row& row) { return row.verdict != "verified"; });
  return fmt::format(
      "{} ends as CUDA promises, and nothing goes wrong{}", file,
      less == rows.end() ? "" : "," + less->verdict.substr(std::string_view("verified").size()));
}

// What a file says of the run of its program.
const kernel::LaunchDirective* program_directive(const kernel::Directives& directives) {
  const auto found =
      std::ranges::find(directives.launches, true, &kernel::LaunchDirective::host_program);
  return found == directives.launches.end() ? nullptr : &*found;
}

std::vector<kernel::PropertyAnswer> answers_of(const std::vector<Row>& rows) {
  std::vector<kernel::PropertyAnswer> result;
  result.reserve(rows.size());
  for (const Row& row : rows) result.push_back({row.property, row.verdict});
  return result;
}

// What is known of a program.
struct Decided {
  std::vector<Row> rows;
  std::vector<std::string> premises, warnings, notes;
  std::optional<Error> error;
  kernel::Held held;
};

std::vector<Row> unknown_rows(const std::string& file, const std::string& why) {
  std::vector<Row> rows;
  rows.reserve(std::size(kProperties));
  for (const FaultKind property : kProperties) {
    rows.push_back({file, "main", std::string(kernel::to_string(property)), "unknown", 0, why});
  }
  return rows;
}

Decided run_program(const std::string& file, const ProgramQuestion& question,
                    KernelArguments kernels) {
  kernels.seconds = seconds_for(file, kernels, kernels.seconds);
  kernels.stop = kernels.stop.within(kernels.seconds);
  const kernel::KernelOptions options = kernel_options(kernels);
  Decided result;
  const std::string text = read_file(file);
  const kernel::Directives directives = kernel::parse_directives(text, file);
  const kernel::LaunchDirective* directive = program_directive(directives);
  result.notes = kernel::unlooked(directives, {directive}, kernel::Looker::program);
  const kernel::ReadProgram read = kernel::read_program(file, options.compile, kernel_compiler());
  kernel::HostOptions host;
  host.explore = options.analysis.explore;
  host.machine.count_benign = options.analysis.count_benign;
  host.ends = [&](const kernel::Module&, const kernel::Launch& launch,
                  const std::vector<std::uint32_t>& spins, const kernel::Place& launched) {
    if (launch.threads() > kMaxThreads || !is_known(launch)) {
      return std::optional<kernel::NotEnding>();
    }
    kernel::MachineOptions machine;
    machine.races = false;
    machine.steps_at_barriers = true;
    const kernel::KernelProgram program(kernel::make_runnable(read.device, with_names(launch),
                                                              std::make_unique<smt::Context>(),
                                                              spins, machine, read.text));
    return not_ending(
        question,
        {fmt::format("{}, launched at line {},", launch.function->name, launched.line), program,
         launch},
        host.explore.stop);
  };
  kernel::HostResult found = run_host_program(*read.host, *read.device, host);
  if (text.find("pragma omp") != std::string::npos) {
    found.premises.emplace_back("compiled without OpenMP, so that the host has one thread");
  }
  result.rows = rows_of(file, found);
  if (directive != nullptr) result.held = held_to(*directive, "main", answers_of(result.rows));
  result.premises = found.premises;
  result.warnings = found.warnings;
  for (const std::string& name : read.device->templates) {
    result.warnings.push_back(kernel::template_note(name));
  }
  return result;
}

// The same, whatever keeps it from being known.
Decided decide_program(const std::string& file, const ProgramQuestion& question,
                       const KernelArguments& kernels) {
  Decided result;
  try {
    return run_program(file, question, kernels);
  } catch (const lang::Undecided&) {
    result.rows = unknown_rows(file, "stopped while clang compiled it");
  } catch (const Error& error) {
    result.error = error;
  } catch (const std::bad_alloc&) {
    result.rows = unknown_rows(file, "out of memory");
  }
  return result;
}

bool is_violated(const Row& row) { return row.verdict == "violated"; }

}  // namespace

ProgramExplanation explain_program(const std::string& file, const std::vector<std::string>& models,
                                   const KernelArguments& kernels) {
  models::Library library;
  const std::vector<models::ModelPtr> asked =
      models.empty() ? std::vector<models::ModelPtr>() : find_models(library, models);
  std::string execution;
  const Decided decided = decide_program(
      file,
      {library, asked,
       [&](const WaitingLaunch& launch, const models::Model& model,
           const checker::Explanation& explanation) {
         execution = report::explanation_text(
             {launch.name, file, launch.program, model, models::Fairness::weak, explanation},
             fitting_style());
       }},
      kernels);
  if (decided.error) throw *decided.error;
  ProgramExplanation result;
  result.text = answer(file, decided.rows) + "\n";
  if (!execution.empty()) result.text += "\n" + execution;
  result.text = report::folded(result.text);
  for (const std::string& note : decided.notes) result.remarks.push_back("note: " + note);
  for (const std::string& warning : decided.warnings) {
    result.remarks.push_back(fmt::format("warning: {}: {}", file, warning));
  }
  const auto is_of_loop = [](const Row& row) {
    return row.property == kernel::to_string(FaultKind::loop);
  };
  const bool is_wrong = std::ranges::any_of(
      decided.rows, [&](const Row& row) { return is_violated(row) && !is_of_loop(row); });
  // What follows a fault is not looked at, and nobody asks.
  const bool is_open = std::ranges::any_of(
      decided.rows, [&](const Row& row) { return is_of_loop(row) && row.verdict == "unknown"; });
  if (is_wrong) {
    result.outcome.unmet();
  } else if (is_open) {
    result.outcome.limit();
  }
  return result;
}

Outcome check_programs(const ProgramArguments& arguments) {
  Outcome outcome;
  models::Library library;
  const std::vector<models::ModelPtr> models = arguments.models.empty()
                                                   ? std::vector<models::ModelPtr>()
                                                   : find_models(library, arguments.models);
  std::vector<Decided> decided(arguments.files.size());
  parallel_for(arguments.files.size(), [&](std::size_t f) {
    decided[f] = decide_program(arguments.files[f], {library, models}, arguments.kernels);
  });
  std::vector<Row> rows;
  for (Decided& one : decided) rows.insert(rows.end(), one.rows.begin(), one.rows.end());
  if (arguments.format == "json") {
    print(report::property_json(rows));
  } else if (arguments.format == "csv") {
    print(report::property_csv(rows));
  } else if (!rows.empty()) {
    std::string answers;
    for (std::size_t f = 0; f < decided.size() && arguments.models.empty(); ++f) {
      if (decided[f].rows.empty()) continue;
      answers += answer(arguments.files[f], decided[f].rows) + "\n";
    }
    // What is violated stands first.
    std::vector<Row> shown = rows;
    std::stable_partition(shown.begin(), shown.end(), is_violated);
    print((answers.empty() ? "" : report::folded(answers) + "\n") + report::property_table(shown));
  }
  for (std::size_t f = 0; f < decided.size(); ++f) {
    if (!decided[f].premises.empty() && arguments.format != "json") {
      complain(fmt::format("note: {}: taken for granted: {}", arguments.files[f],
                           fmt::join(decided[f].premises, "; ")));
    }
    for (const std::string& note : decided[f].notes) complain("note: " + note);
    for (const Error& error : decided[f].held.unmet) {
      complain(error);
      outcome.unmet();
    }
    for (const std::string& warning : decided[f].warnings) {
      complain(fmt::format("warning: {}: {}", arguments.files[f], warning));
    }
    if (decided[f].error) {
      complain(*decided[f].error);
      outcome.bad_input();
    }
  }
  for (const Decided& one : decided) {
    for (const Row& row : one.rows) {
      if (is_violated(row) && one.held.errors.count(row.property) == 0) outcome.wrong();
    }
  }
  const bool violated = std::any_of(rows.begin(), rows.end(), is_violated);
  for (const Decided& one : decided) {
    for (const Row& row : one.rows) {
      if (!violated && !one.held.open && row.verdict != "verified") outcome.limit();
    }
  }
  return outcome;
}

#else

Outcome check_programs(const ProgramArguments& arguments) {
  throw Error({arguments.files.front(), 0, 0},
              "this headway was built without kernels; see CONTRIBUTING.md");
}

ProgramExplanation explain_program(const std::string& file, const std::vector<std::string>&,
                                   const KernelArguments&) {
  throw Error({file, 0, 0}, "this headway was built without kernels; see CONTRIBUTING.md");
}

#endif

}  // namespace headway::cli
