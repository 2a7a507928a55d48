#include "kernel/test/analysis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "kernel/ir/tidy.hpp"
#include "kernel/machine/needed.hpp"
#include "kernel/machine/place_name.hpp"
#include "kernel/slice/slice.hpp"
#include "lang/test.hpp"

namespace headway::kernel {

std::string_view to_string(FaultKind kind) {
  switch (kind) {
    case FaultKind::race:
      return "race";
    case FaultKind::divergence:
      return "divergence";
    case FaultKind::assertion:
      return "assertion";
    case FaultKind::bounds:
      return "bounds";
    case FaultKind::null:
      return "null";
    case FaultKind::alignment:
      return "alignment";
    case FaultKind::freed:
      return "freed";
    case FaultKind::uninitialized:
      return "uninitialized";
    case FaultKind::constant:
      return "constant";
    case FaultKind::division:
      return "division";
    case FaultKind::loop:
      return "termination";
    case FaultKind::excluded:
      return "excluded";
    case FaultKind::unsupported:
      return "unsupported";
    case FaultKind::limit:
      return "limit";
  }
  return "";
}

std::string fault_text(const Runnable& run, const Fault& fault) {
  const auto where = [&](int thread, std::uint32_t instruction) {
    const Launch& launch = run.launch;
    const int line = run.code->instruction(instruction).place.line;
    if (thread < 0) return fmt::format("line {}", line);
    return fmt::format("line {} (thread {} of workgroup {})", line, thread % launch.group_threads(),
                       launch.group_number(thread / launch.group_threads()));
  };
  std::string result = fmt::format("{}: {}: {}", to_string(fault.kind),
                                   where(fault.thread, fault.instruction), fault.detail);
  if (fault.other_thread >= 0) {
    result += "; with " + where(fault.other_thread, fault.other_instruction);
  }
  return result;
}

std::string not_asked_for(int threads) {
  return fmt::format(", in workgroups of {} threads, which nobody asked for (--block)", threads);
}

namespace {

// Whether a trace still goes wrong where all atomic accesses release and acquire.
bool fails_with_strong_atomics(const Analysis& analysis, const FoundFault& found,
                               const LaunchSpec& spec, MachineOptions options) {
  options.strong_atomics = true;
  auto terms = std::make_unique<smt::Context>();
  PreparedLaunch prepared =
      prepare_launch(*analysis.run->module, *analysis.run->launch.function, spec, *terms);
  options.path = prepared.path;
  const std::unique_ptr<Runnable> run =
      make_runnable(analysis.run->module, std::move(prepared.launch), std::move(terms),
                    analysis.spins, options, analysis.run->text);
  return state_behind(*run, found.start, found.trace).fault.has_value();
}

}  // namespace

MachineState state_behind(const Runnable& run, const Script& start,
                          const std::vector<TraceStep>& trace) {
  Script script = start;
  MachineState state = run.machine->initial(script);
  for (const TraceStep& step : trace) {
    Script taken = step.script;
    run.machine->step(state, step.thread, taken);
  }
  return state;
}

namespace {

// With all that is computed, or no more than what errors and waiting depend on.
Analysis explored(const std::shared_ptr<const Module>& module, const Function& function,
                  const LaunchSpec& spec, const std::shared_ptr<const SourceText>& text,
                  const AnalysisOptions& options, MachineOptions machine,
                  std::vector<std::uint32_t> spins) {
  Analysis result;
  result.spins = std::move(spins);
  for (int round = 0; round < 16; ++round) {
    auto terms = std::make_unique<smt::Context>();
    PreparedLaunch prepared = prepare_launch(*module, function, spec, *terms);
    machine.path = prepared.path;
    result.notes = prepared.notes;
    result.run = make_runnable(module, std::move(prepared.launch), std::move(terms), result.spins,
                               machine, text);
    if (!machine.path.empty() &&
        result.run->solver->check(machine.path, machine.query) == smt::Answer::unsat) {
      throw Error(spec.assumptions.front().where, "what is assumed holds for none of the arguments",
                  spec.assumptions.front().text);
    }
    result.exploration = explore(*result.run->machine, options.explore);
    // Plain loads by which threads wait become steps; they are seen one loop after the other.
    std::vector<std::uint32_t> more = result.exploration.spins;
    if (more.empty()) break;
    result.spins.insert(result.spins.end(), more.begin(), more.end());
    std::sort(result.spins.begin(), result.spins.end());
    result.spins.erase(std::unique(result.spins.begin(), result.spins.end()), result.spins.end());
  }
  return result;
}

// Whether what a parameter points to is read as reals somewhere: its bits say little.
bool holds_reals(const Code& code, std::uint32_t parameter) {
  const auto reads = [&](const Instruction& i) {
    if (i.op != Op::load || !i.type.is_real()) return false;
    const auto& bases = code.bases(i.operands[0]).parameters;
    return std::binary_search(bases.begin(), bases.end(), parameter);
  };
  const auto& blocks = code.function().blocks;
  return std::any_of(blocks.begin(), blocks.end(), [&](const Block& block) {
    return std::any_of(block.code.begin(), block.code.end(), reads);
  });
}

// Integers that are unknown, and that lead to a fault: "n = 3, flag[0] = 1 at first".
std::string data_behind(const Runnable& run, const FoundFault& found) {
  constexpr std::chrono::milliseconds limit{500};
  constexpr std::size_t most = 6;
  const MachineState state = state_behind(run, found.start, found.trace);
  if (!state.fault || state.fault->kind != found.fault.kind || state.path.empty()) return {};
  if (run.solver->check(state.path, limit) != smt::Answer::sat) return {};
  const smt::Model& model = run.solver->model();
  const std::vector<Parameter>& parameters = run.launch.function->parameters;
  std::map<std::string, std::string> values;
  for (const smt::Term fact : state.path) {
    for (const smt::Term leaf : run.terms->leaves(fact)) {
      const smt::Node& node = run.terms->node(leaf);
      if (node.kind != smt::Kind::variable || !model.values().contains(leaf.id)) continue;
      const std::string name(run.terms->name(node));
      const auto memory = memory_of(name);
      const std::string_view base = memory.value_or(name);
      for (std::uint32_t p = 0; p < parameters.size(); ++p) {
        if (parameters[p].name != base || parameters[p].type.is_real()) continue;
        if (memory && holds_reals(*run.code, p)) continue;
        values[name] = fmt::format("{} = {}{}", name,
                                   smt::as_signed(model.value(*run.terms, leaf), node.width),
                                   memory ? " at first" : "");
      }
    }
  }
  if (values.empty() || values.size() > most) return {};
  std::string text;
  for (const auto& [name, value] : values) text += (text.empty() ? "" : ", ") + value;
  return text;
}

// Whether a fault is one whatever is computed besides: two plain writes may write the same value.
bool is_certain(const Analysis& analysis, const Fault& fault) {
  if (fault.kind != FaultKind::race || fault.other_thread < 0) return true;
  const Code& code = *analysis.run->code;
  const auto writes = [&](std::uint32_t instruction) {
    return code.instruction(instruction).op == Op::store;
  };
  return !writes(fault.instruction) || !writes(fault.other_instruction);
}

bool nobody_gave_block(const Function& function, const LaunchSpec& spec) {
  return !spec.block && function.group_size[0] == 0;
}

// Whether threads write to memory of their workgroup, and more of them may write more of it.
bool fills_tiles(const Runnable& run) {
  const Code& code = *run.code;
  const auto is_of_group = [&](ValueId pointer) {
    const Bases& to = code.bases(pointer);
    return to.any || to.empty() ||
           std::ranges::any_of(to.parameters,
                               [&](std::uint32_t p) {
                                 return code.function().parameters[p].space == Space::workgroup;
                               }) ||
           std::ranges::any_of(to.objects, [&](ObjectId id) {
             return run.module->object(code.function(), id).space == Space::workgroup;
           });
  };
  return std::ranges::any_of(code.function().blocks, [&](const Block& block) {
    return std::ranges::any_of(block.code, [&](const Instruction& i) {
      return is_access(i.op) && writes_memory(i.op) && is_of_group(i.operands[0]);
    });
  });
}

// Where nobody gave the size of workgroups it is no fault of the kernel that they lack a lane, or
// threads that write what is read of a tile.
void forgive_small_block(Analysis& analysis, const Function& function, const LaunchSpec& spec,
                         Fault& fault) {
  const Runnable& run = *analysis.run;
  const int threads = run.launch.group_threads();
  if (!nobody_gave_block(function, spec)) return;
  if (fault.absent_lane >= threads) {
    analysis.lacks_threads = true;
    fault.possible = true;
    fault.detail += fmt::format(
        ", in workgroups of {} threads, which nobody asked for; --block {} fills a subgroup",
        threads, run.launch.subgroup);
  } else if (fault.of_tile && !analysis.lacks_threads && fills_tiles(run)) {
    analysis.lacks_threads = analysis.lacks_tile = true;
    fault.possible = true;
    fault.detail += not_asked_for(threads);
  }
}

// Where nothing else goes wrong: whether memory of a workgroup or a thread that nobody wrote, or a
// variable that was never set, becomes a result. That takes values that nothing else depends on, by
// which there may be more states; a note says where these were too many. Where nobody gave the size
// of workgroups this may be no fault of the kernel: as many threads as a tile is made for fill it.
void look_at_results(Analysis& result, const std::shared_ptr<const Module>& module,
                     const Function& function, const LaunchSpec& spec,
                     const std::shared_ptr<const SourceText>& text, const AnalysisOptions& options,
                     MachineOptions machine) {
  const std::vector<bool> doubtful = doubtful_results(*module, function, result.run->code->bases());
  if (std::find(doubtful.begin(), doubtful.end(), true) == doubtful.end()) return;
  AnalysisOptions within = options;
  within.explore.max_states =
      std::min(options.explore.max_states, 1024 + 4 * result.exploration.states);
  machine.results = true;
  Analysis looked = explored(module, function, spec, text, within, machine, result.spins);
  std::vector<FoundFault>& faults = looked.exploration.faults;
  const bool certain = std::any_of(faults.begin(), faults.end(),
                                   [](const FoundFault& one) { return !one.fault.possible; });
  if (!faults.empty() && nobody_gave_block(function, spec)) {
    looked.lacks_threads = true;
    for (FoundFault& one : faults) {
      one.fault.possible = true;
      one.fault.detail += not_asked_for(looked.run->launch.group_threads());
    }
    result = std::move(looked);
  } else if (certain) {
    result = std::move(looked);
  } else if (!faults.empty()) {
    result.open = "possible " + fault_text(*looked.run, faults.front().fault);
  } else if (!looked.exploration.complete) {
    result.open =
        "not looked at to the end: whether memory that was never written becomes a result";
  }
}

// Enough to look for values that are only shown.
constexpr std::chrono::seconds kLongTime{5};

StopSigns sooner(const StopSigns& signs, StopSigns::Clock::time_point limit) {
  return {signs.stop(), std::min(signs.deadline().value_or(limit), limit)};
}

}  // namespace

Analysis analyse(const std::shared_ptr<const Module>& module, const Function& function,
                 const LaunchSpec& spec, const std::shared_ptr<const SourceText>& text,
                 const AnalysisOptions& options) {
  MachineOptions machine;
  machine.count_benign = options.count_benign;
  machine.stop = options.explore.stop;
  machine.sliced = !options.explore.keep_ends;
  machine.results = !machine.sliced;
  const auto begin = StopSigns::Clock::now();
  Analysis result = explored(module, function, spec, text, options, machine, {});
  const auto& faults = result.exploration.faults;
  // What is shown of an execution that goes wrong has the values of all memory, unless these take
  // long to find.
  const bool is_known =
      !faults.empty() && is_certain(result, faults.front().fault) && !faults.front().fault.possible;
  if (machine.sliced && !faults.empty()) {
    AnalysisOptions within = options;
    if (is_known) within.explore.stop = sooner(options.explore.stop, begin + kLongTime);
    MachineOptions full = machine;
    full.sliced = false;
    full.stop = within.explore.stop;
    Analysis whole = explored(module, function, spec, text, within, full, result.spins);
    const auto& seen = whole.exploration.faults;
    const bool is_seen = std::any_of(seen.begin(), seen.end(),
                                     [](const FoundFault& one) { return !one.fault.possible; });
    if (!is_known || is_seen || (seen.empty() && whole.exploration.complete)) {
      result = std::move(whole);
      machine.sliced = false;
    }
  }
  if (!machine.results && result.exploration.complete && result.exploration.faults.empty()) {
    look_at_results(result, module, function, spec, text, options, machine);
  }
  for (FoundFault& found : result.exploration.faults) {
    forgive_small_block(result, function, spec, found.fault);
    if (const std::string data = data_behind(*result.run, found); !data.empty()) {
      found.fault.detail += ", where " + data;
    }
    if (found.fault.kind != FaultKind::race || found.fault.other_thread < 0) continue;
    if (fails_with_strong_atomics(result, found, spec, machine)) continue;
    found.fault.detail +=
        ", unordered here for want of a release and an acquire (fences or orders of atomic "
        "accesses, with scopes that reach both threads)";
  }
  // Of larger launches whose threads wait there is no verdict either.
  if (result.exploration.faults.empty() && result.run->launch.threads() <= kMaxThreads) {
    for (const Standoff& standoff : result.exploration.standoffs) {
      result.wait = subgroup_wait(*result.run->machine, standoff);
      if (result.wait) break;
    }
  }
  return result;
}

namespace {

// What a thread does in a step besides what others may meet: the lines of these accesses, and of a
// race the other access, which may be one of them.
class Folded : public Watcher {
 public:
  Folded(const Runnable& of, const Fault& fault) : of_(of), fault_(fault) {
    of.machine->show(this);
  }
  ~Folded() override { of_.machine->show(nullptr); }
  Folded(const Folded&) = delete;
  Folded& operator=(const Folded&) = delete;

  // A step begins with this instruction, or all threads begin.
  void begin(std::optional<std::uint32_t> first) {
    first_ = first;
    lines_.clear();
    other_.reset();
  }
  // "; lines 3-4, unseen by others", or nothing.
  std::string text() const {
    if (lines_.empty()) return {};
    const int low = *lines_.begin(), high = *lines_.rbegin();
    return low == high ? fmt::format("line {}, unseen by others", low)
                       : fmt::format("lines {}-{}, unseen by others", low, high);
  }
  // What the other access of the race did, if it was in this step, and does not begin it.
  const std::optional<std::string>& other() const { return other_; }

  void done(int thread, std::uint32_t instruction, const std::vector<Cell>& registers) override {
    const bool first = first_ == instruction;
    first_.reset();
    const Instruction& i = of_.code->instruction(instruction);
    if (first || !is_access(i.op) || i.place.line <= 0) return;
    const bool other = thread == fault_.other_thread && instruction == fault_.other_instruction;
    if (other) {
      other_ = describe_access(of_, instruction, registers);
      lines_.erase(i.place.line);
    }
    const Cell& address = registers[i.operands[0]];
    const bool known = address.is_pointer() && address.object != kNone;
    const bool is_shown = other_ && i.place.line == line_of_other();
    if (!is_shown && known && of_.launch.objects[address.object].thread < 0) {
      lines_.insert(i.place.line);
    }
  }
  void went(int, BlockId, BlockId) override {}

 private:
  int line_of_other() const { return of_.code->instruction(fault_.other_instruction).place.line; }

  const Runnable& of_;
  const Fault& fault_;
  std::optional<std::uint32_t> first_;
  std::set<int> lines_;
  std::optional<std::string> other_;
};

}  // namespace

std::vector<TraceProgram::Moment> moments(const Analysis& analysis, const FoundFault& found,
                                          std::string& end_memory) {
  const Runnable& run = *analysis.run;
  std::vector<TraceProgram::Moment> result;
  Folded folded(run, found.fault);
  // A race is of two accesses: the other one is shown where it is no step of its own. Done again
  // later, that is where it counts.
  std::optional<std::size_t> shown_at;
  const auto show_other = [&](const MachineState& behind) {
    if (!folded.other()) return;
    const Instruction& i = run.code->instruction(found.fault.other_instruction);
    if (shown_at) result.erase(result.begin() + static_cast<std::ptrdiff_t>(*shown_at));
    shown_at = result.size();
    result.push_back({found.fault.other_thread,
                      {i.place.line, run.text ? run.text->line(i.place) : "",
                       *folded.other() + ", unseen by others but for the race"},
                      describe_shared(run, behind)});
  };
  Script script = found.start;
  folded.begin({});
  MachineState state = run.machine->initial(script);
  show_other(state);
  for (const TraceStep& step : found.trace) {
    if (state.fault) break;
    MachineState next = state;
    Script taken = step.script;
    folded.begin(step.instruction);
    run.machine->step(next, step.thread, taken);
    const Instruction& i = run.code->instruction(step.instruction);
    std::string effect = describe_effect(run, state, next, step.thread);
    const std::string rest = folded.text();
    if (!rest.empty()) effect += (effect.empty() ? "" : "; ") + rest;
    result.push_back({step.thread,
                      {i.place.line, describe_place(run, state, step.thread), std::move(effect)},
                      describe_shared(run, state)});
    show_other(next);
    state = std::move(next);
  }
  // The last moment is the fault itself: where it was, in words.
  const Fault& fault = found.fault;
  const Instruction& i = run.code->instruction(fault.instruction);
  const std::string line = run.text ? run.text->line(i.place) : "";
  const int thread = std::max(0, fault.thread);
  if (result.empty() || result.back().thread != thread || result.back().text.line != i.place.line) {
    result.push_back({thread, {i.place.line, line, ""}, describe_shared(run, state)});
  }
  std::string& effect = result.back().text.effect;
  effect += fmt::format("{}{}", effect.empty() ? "" : ", ", fault_text(run, fault));
  end_memory = describe_shared(run, state);
  return result;
}

std::vector<int> unreached_lines(const Analysis& analysis) {
  const Exploration& seen = analysis.exploration;
  if (!seen.complete || !seen.faults.empty() || seen.reached.empty()) return {};
  std::set<int> reached, unreached;
  const auto& blocks = analysis.run->code->function().blocks;
  for (BlockId b = 0; b < blocks.size(); ++b) {
    for (const Instruction& i : blocks[b].code) {
      const bool asserts = i.op == Op::claim && i.claim == Claim::assertion;
      if (i.place.line <= 0 || !(is_atomic(i.op) || meets(i.op) || asserts)) continue;
      (seen.reached[b] ? reached : unreached).insert(i.place.line);
    }
  }
  std::vector<int> result;
  std::ranges::set_difference(unreached, reached, std::back_inserter(result));
  return result;
}

std::string advice(const Analysis& analysis) {
  const Launch& launch = analysis.run->launch;
  std::string text;
  for (std::size_t p = 0; p < launch.arguments.size(); ++p) {
    const Parameter& parameter = launch.function->parameters[p];
    if (!parameter.type.is_integer() || launch.arguments[p].kind != Cell::Kind::term) continue;
    text += fmt::format("{}--arg {}=8", text.empty() ? "" : " ", parameter.name);
  }
  const bool unknown_data = std::ranges::any_of(
      launch.objects, [](const ObjectInfo& object) { return object.fill == Fill::unknown; });
  std::vector<std::string> ways;
  if (!text.empty()) ways.push_back(text);
  if (launch.threads() > 1) ways.emplace_back("a smaller launch (--grid, --block)");
  if (unknown_data) ways.emplace_back("data (--buffer)");
  // A proof knows nothing of threads that wait for each other.
  const bool waits = analysis.exploration.has_cycle || !analysis.spins.empty() ||
                     !analysis.exploration.standoffs.empty();
  if (unknown_data && !waits) ways.emplace_back("headway verify");
  if (ways.size() < 2) return ways.empty() ? "" : ways.front();
  const std::string last = ways.back();
  ways.pop_back();
  return fmt::format("{}, or {},", fmt::join(ways, ", "), last);
}

std::unique_ptr<lang::Program> checker_program(const Analysis& analysis, const LaunchSpec& spec) {
  const Exploration& found = analysis.exploration;
  const Launch& launch = analysis.run->launch;
  const auto small = [&]() -> Topology {
    return launch.threads() <= kMaxThreads ? launch.topology() : Topology(kMaxThreads);
  };
  for (const FoundFault& fault : found.faults) {
    if (fault.fault.possible) continue;
    std::string end;
    std::vector<TraceProgram::Moment> trace = moments(analysis, fault, end);
    for (TraceProgram::Moment& moment : trace) {
      moment.text.thread = moment.thread;
      moment.thread %= kMaxThreads;
    }
    return std::make_unique<TraceProgram>(small(), std::move(trace), std::move(end));
  }
  const auto undecided = [&](const std::string& why) -> std::unique_ptr<lang::Program> {
    throw lang::Undecided(why);
  };
  const auto one_that_ends = [&] {
    return std::make_unique<TraceProgram>(small(), std::vector<TraceProgram::Moment>{}, "");
  };
  if (analysis.is_proved) return one_that_ends();
  if (found.obstacle) {
    const Place& at = analysis.run->code->instruction(found.obstacle->instruction).place;
    const bool limit = found.obstacle->kind == FaultKind::limit;
    return undecided(fmt::format("{}: line {}: {}", limit ? "unknown" : "unsupported", at.line,
                                 found.obstacle->detail));
  }
  if (!found.faults.empty()) {
    return undecided("unknown: possible " + fault_text(*analysis.run, found.faults.front().fault));
  }
  if (!found.complete) {
    std::string help = advice(analysis);
    if (help.empty()) help = found.limit == Limit::time ? "a higher --timeout" : "a smaller launch";
    return undecided(
        fmt::format("unknown: stopped after {} states; {} may decide it", found.states, help));
  }
  if (found.all_excluded) {
    return undecided("unknown: what is assumed holds in no execution, so that nothing is shown");
  }
  if (!found.has_cycle) return one_that_ends();
  if (launch.threads() > kMaxThreads) {
    const bool fixed = launch.function->group_size[0] > 0;
    const char* help = !fixed                                ? "reduce --grid or --block"
                       : volume(launch.block) <= kMaxThreads ? "reduce --grid"
                                                             : "ask about a smaller local size";
    return undecided(
        fmt::format("unknown: threads wait for each other in a launch of {} threads; expected at "
                    "most {}, so {}",
                    launch.threads(), kMaxThreads, help));
  }
  // Threads that have not ended may never come to what they are waited for at.
  for (const Block& block : launch.function->blocks) {
    for (const Instruction& i : block.code) {
      if (!i.late) continue;
      return undecided(fmt::format(
          "unsupported: line {}: an operation of a subgroup that some threads may have ended "
          "before, in a kernel whose threads wait for each other",
          i.place.line));
    }
  }
  MachineOptions machine;
  machine.races = false;  // there are none
  machine.sliced = true;
  machine.steps_at_barriers = true;
  auto terms = std::make_unique<smt::Context>();
  PreparedLaunch again = prepare_launch(*analysis.run->module, *launch.function, spec, *terms);
  machine.path = again.path;
  return std::make_unique<KernelProgram>(
      make_runnable(analysis.run->module, std::move(again.launch), std::move(terms), analysis.spins,
                    machine, analysis.run->text));
}

std::string slice_of(const Analysis& analysis, const LaunchSpec& spec, const std::string& name,
                     const std::string& comment, const ExploreOptions& options) {
  const Launch& launch = analysis.run->launch;
  if (!analysis.exploration.faults.empty()) {
    throw lang::Undecided(
        "unsupported: a slice is of a launch that does not go wrong; this one has " +
        fault_text(*analysis.run, analysis.exploration.faults.front().fault));
  }
  if (launch.threads() > kMaxThreads) {
    throw lang::Undecided(fmt::format(
        "unsupported: a launch of {} threads, and a program of the idiom language has at most {}; "
        "reduce --grid or --block",
        launch.threads(), kMaxThreads));
  }
  // Variables of threads that are still in memory become registers, and their numbers others.
  auto module = std::make_shared<Module>(*analysis.run->module);
  const auto at =
      static_cast<std::size_t>(launch.function - analysis.run->module->functions.data());
  Function& function = module->functions[at];
  std::vector<std::uint32_t> spins = analysis.spins;
  if (!function.locals.empty()) {
    order_blocks(function);
    promote_locals(function);
    AnalysisOptions again;
    again.explore = options;
    spins = analyse(module, function, spec, analysis.run->text, again).spins;
  }
  MachineOptions machine;
  machine.races = false;  // there are none
  auto terms = std::make_unique<smt::Context>();
  PreparedLaunch prepared = prepare_launch(*module, function, spec, *terms);
  machine.path = prepared.path;
  const std::unique_ptr<Runnable> run = make_runnable(
      module, std::move(prepared.launch), std::move(terms), spins, machine, analysis.run->text);
  return slice::make_slice(*run->machine, {name, comment, analysis.exploration.has_cycle, options});
}

}  // namespace headway::kernel
