#include "kernel/test/default_launch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "kernel/ir/premises.hpp"
#include "kernel/machine/code.hpp"
#include "kernel/test/launch_sizes.hpp"

namespace headway::kernel {
namespace {

constexpr std::int64_t kLeast = 8, kMost = 64;  // of the highest value of an integer
constexpr double kPart = 1. / 15;               // of the time, for one try
constexpr double kFillingPart = 1. / 6;         // the same where only sizes of blocks are tried

bool says_what_it_requires(const Function& function) {
  const auto is_requirement = [](const Instruction& i) {
    return i.op == Op::claim && (i.claim == Claim::precondition || i.claim == Claim::assumption);
  };
  return std::ranges::any_of(function.blocks, [&](const Block& block) {
    return std::ranges::any_of(block.code, is_requirement);
  });
}

// What is tried beside what was said.
struct Try {
  std::optional<Size3> block = {};
  bool single = false;    // one value for each integer, in place of a range
  bool iota = false;      // in buffers
  bool few = false;       // integers as in the smallest launch, whatever the block
  bool positive = false;  // integers from 1 on
};

bool is_sure(const FoundFault& found) { return !found.fault.possible; }

bool goes_wrong(const Analysis& analysis) {
  return std::ranges::any_of(analysis.exploration.faults, is_sure);
}

bool ends_well(const Analysis& analysis) {
  const Exploration& seen = analysis.exploration;
  return seen.complete && seen.faults.empty() && !seen.obstacle && !seen.all_excluded;
}

bool is_decided(const Analysis& analysis) { return goes_wrong(analysis) || ends_well(analysis); }

// Accesses to memory to which no thread comes.
std::size_t unreached_accesses(const Analysis& analysis) {
  std::size_t count = 0;
  const auto& blocks = analysis.run->code->function().blocks;
  for (BlockId b = 0; b < analysis.exploration.reached.size(); ++b) {
    if (analysis.exploration.reached[b]) continue;
    count += static_cast<std::size_t>(std::ranges::count_if(
        blocks[b].code, [](const Instruction& i) { return is_access(i.op); }));
  }
  return count;
}

// Whether what goes wrong is between threads, and not for want of them, as the ends of arrays and
// what nobody wrote may be.
bool meets_others_wrongly(const Analysis& analysis) {
  return goes_wrong(analysis) &&
         std::ranges::all_of(analysis.exploration.faults, [](const FoundFault& found) {
           return found.fault.kind == FaultKind::race || found.fault.kind == FaultKind::divergence;
         });
}

// Whether what goes wrong may do so for want of threads: the ends of arrays that a block shares,
// and what nobody has written.
bool lacks_threads(const Analysis& analysis) {
  return goes_wrong(analysis) &&
         std::ranges::all_of(analysis.exploration.faults, [](const FoundFault& found) {
           return found.fault.kind == FaultKind::bounds ||
                  found.fault.kind == FaultKind::uninitialized;
         });
}

// Whether all that surely goes wrong is arithmetic that some integers have no result for: a
// division by 0, or a shift by as many bits as there are. Whoever launches a kernel gives it
// others.
bool lacks_results(const Analysis& analysis) {
  return goes_wrong(analysis) &&
         std::ranges::none_of(analysis.exploration.faults, [](const FoundFault& found) {
           return is_sure(found) && found.fault.kind != FaultKind::division &&
                  !found.fault.of_shift;
         });
}

bool shares_memory(const Module& module, const Function& function) {
  const auto is_shared = [](const Object& object) { return object.space == Space::workgroup; };
  return std::ranges::any_of(module.objects, is_shared) ||
         std::ranges::any_of(function.locals, is_shared);
}

// Whether it was too much to be looked at.
bool was_too_much(const Analysis& analysis) {
  const Exploration& seen = analysis.exploration;
  const bool stuck = seen.obstacle && seen.obstacle->kind == FaultKind::limit;
  return seen.faults.empty() && (stuck || (!seen.obstacle && seen.limit != Limit::none));
}

// The launch as one that may go wrong beside another one; null where nothing does.
std::shared_ptr<const DefaultLaunch> doubt_of(DefaultLaunch launch) {
  if (launch.analysis.exploration.faults.empty()) return {};
  launch.doubt.reset();
  return std::make_shared<const DefaultLaunch>(std::move(launch));
}

// Of integers that nobody gave, of which others may do: what goes wrong is possible.
DefaultLaunch as_others_may_do(DefaultLaunch launch) {
  for (FoundFault& found : launch.analysis.exploration.faults) {
    if (!found.fault.possible) found.fault.detail += ", and perhaps by no other values";
    found.fault.possible = true;
  }
  return launch;
}

// Of a size that nobody asked for: what goes wrong is possible.
DefaultLaunch as_possible(DefaultLaunch launch) {
  const int threads = launch.analysis.run->launch.group_threads();
  for (FoundFault& found : launch.analysis.exploration.faults) {
    if (!found.fault.possible) found.fault.detail += not_asked_for(threads);
    found.fault.possible = true;
  }
  return launch;
}

class Defaults {
 public:
  Defaults(const std::shared_ptr<const Module>& module, const Function& function,
           const LaunchSpec& spec, const std::shared_ptr<const SourceText>& text,
           const AnalysisOptions& options, double seconds, double part = kPart)
      : module_(module),
        function_(function),
        spec_(spec),
        text_(text),
        options_(options),
        seconds_(seconds),
        part_(part),
        takes_integers_(spec.assumptions.empty() && !says_what_it_requires(function)),
        says_nothing_(takes_integers_ && !spec.grid && !spec.block && spec.arguments.empty() &&
                      spec.buffers.empty()),
        says_block_(spec.block || function.group_size[0] > 0 || usual_launch(function, spec)) {}

  DefaultLaunch run() const;
  DefaultLaunch run_by_threads() const;  // whatever subgroups they fill
  Filling filling(const Size3& block) const;

 private:
  DefaultLaunch attempt(const Try& what, double seconds) const;
  DefaultLaunch attempt(const Try& what) const { return attempt(what, seconds_ * part_); }
  void take_integers(DefaultLaunch& made, const Try& what) const;
  void take_iota(DefaultLaunch& made) const;
  std::optional<DefaultLaunch> narrower(const DefaultLaunch& first) const;
  // An answer of larger blocks, and where there is none a launch in which threads meet wrongly.
  struct Larger {
    std::optional<DefaultLaunch> answer, wrong;
    bool lacks = false;  // something for want of threads, or as an integer is too large
  };
  std::vector<Size3> planes() const;
  std::vector<Size3> larger_sizes() const;
  void try_larger(const std::vector<Size3>& sizes, bool few, Larger& result) const;
  Larger with_larger_blocks(const std::vector<Size3>& sizes) const;
  std::optional<DefaultLaunch> of_more(const DefaultLaunch& first) const;
  std::optional<DefaultLaunch> at_its_bounds(DefaultLaunch& first) const;
  DefaultLaunch or_whole_subgroup(DefaultLaunch first) const;
  DefaultLaunch filling_subgroup(DefaultLaunch first) const;
  DefaultLaunch beside_another_subgroup(DefaultLaunch made) const;
  DefaultLaunch with_results(DefaultLaunch first) const;
  DefaultLaunch single_of(const Size3& block) const {
    return attempt({.block = block, .single = true});
  }
  DefaultLaunch with_block(const Try& what, DefaultLaunch made) const;
  bool is_answer(const DefaultLaunch& made) const;
  std::uint32_t most_threads() const {
    return function_.most_threads > 0 ? function_.most_threads
                                      : size_limits(module_->language()).threads;
  }
  bool is_stopped() const { return options_.explore.stop.seen() != Limit::none; }

  const std::shared_ptr<const Module>& module_;
  const Function& function_;
  const LaunchSpec& spec_;
  const std::shared_ptr<const SourceText>& text_;
  const AnalysisOptions& options_;
  double seconds_, part_;
  bool takes_integers_, says_nothing_, says_block_;
};

void Defaults::take_integers(DefaultLaunch& made, const Try& what) const {
  if (!takes_integers_) return;
  smt::Context terms;
  const PreparedLaunch prepared = prepare_launch(*module_, function_, made.spec, terms);
  const bool single = what.single;
  const std::int64_t high =
      what.few ? kLeast : std::clamp<std::int64_t>(prepared.launch.threads(), kLeast, kMost);
  for (std::size_t p = 0; p < function_.parameters.size(); ++p) {
    const Parameter& parameter = function_.parameters[p];
    const bool is_integer = parameter.type.is_integer() && parameter.type.bits >= 8;
    const bool is_open = prepared.launch.arguments[p].kind == Cell::Kind::term;
    if (!is_integer || !is_open || made.spec.arguments.contains(parameter.name)) continue;
    ArgumentSpec& given = made.spec.arguments[parameter.name];
    given.unknown = !single;
    given.integer = high;
    // WebGPU binds no buffer that is too small for an element ("minimum buffer binding size"), and
    // Vulkan and Direct3D none that is empty.
    const bool is_length = parameter.length_of != kNone;
    const std::int64_t low = is_length || what.positive ? 1 : 0;
    if (!single) given.range = {low, high};
    made.integers.push_back(single
                                ? fmt::format("{} = {}", parameter.name, high)
                                : fmt::format("{} = unknown({}..{})", parameter.name, low, high));
  }
}

void Defaults::take_iota(DefaultLaunch& made) const {
  smt::Context terms;
  const PreparedLaunch prepared = prepare_launch(*module_, function_, made.spec, terms);
  for (std::size_t p = 0; p < function_.parameters.size(); ++p) {
    const Parameter& parameter = function_.parameters[p];
    const Cell& argument = prepared.launch.arguments[p];
    if (!parameter.type.is_pointer() || parameter.by_value > 0 || !argument.is_pointer()) continue;
    if (prepared.launch.objects[argument.object].fill != Fill::unknown) continue;
    made.spec.buffers[parameter.name].content = BufferSpec::Content::iota;
    made.iota.push_back(parameter.name);
  }
}

DefaultLaunch Defaults::attempt(const Try& what, double seconds) const {
  DefaultLaunch made;
  made.spec = spec_;
  if (what.block) made.spec.block = what.block;
  take_integers(made, what);
  if (what.iota) take_iota(made);
  AnalysisOptions limited = options_;
  if (seconds > 0) {
    const auto end = StopSigns::after(seconds);
    const auto& deadline = options_.explore.stop.deadline();
    limited.explore.stop =
        StopSigns(options_.explore.stop.stop(), deadline ? std::min(*deadline, end) : end);
  }
  made.analysis = analyse(module_, function_, made.spec, text_, limited);
  made.chose_block = what.block.has_value();
  if (made.chose_block) {
    const Size3& block = *what.block;
    made.analysis.notes.insert(made.analysis.notes.begin(),
                               fmt::format("block {},{},{}", block[0], block[1], block[2]));
  }
  return made;
}

bool reads_unwritten_tile(const DefaultLaunch& made) {
  return std::ranges::any_of(made.analysis.exploration.faults,
                             [](const FoundFault& found) { return found.fault.of_tile; });
}

// One value each in place of what may be anything, where that is too much.
std::optional<DefaultLaunch> Defaults::narrower(const DefaultLaunch& first) const {
  std::vector<Try> tries = {{.single = true}};
  // What is doubtful about all data is not made sure by some.
  if (was_too_much(first.analysis)) {
    tries.push_back({.single = true, .iota = true});
    if (!says_block_ && !uses_subgroups(function_)) {
      tries.push_back({.block = Size3{2, 1, 1}, .single = true, .iota = true});
    }
  }
  for (const Try& what : tries) {
    if (is_stopped()) break;
    DefaultLaunch made = attempt(what);
    const auto chosen_badly = [&] {
      return lacks_results(made.analysis) && !made.integers.empty();
    };
    if (chosen_badly()) {
      Try smaller = what;
      smaller.few = true;
      made = attempt(smaller);
      if (chosen_badly()) continue;
    }
    // A tile is filled by as many threads as it is made for.
    if (what.block && reads_unwritten_tile(made)) {
      std::optional<DefaultLaunch> larger = with_larger_blocks(larger_sizes()).answer;
      if (larger && ends_well(larger->analysis)) {
        larger->doubt = doubt_of(first);
        return larger;
      }
      continue;
    }
    // A value by which a line is left out says nothing of it.
    if ((made.integers.empty() && made.iota.empty()) || !is_decided(made.analysis)) continue;
    if (!unreached_lines(made.analysis).empty()) continue;
    made.doubt = doubt_of(first);
    return made;
  }
  return {};
}

// Of so many threads, if that is an answer; `made` is that for one value each. The kernel may be
// made for other sizes, so that what goes wrong is no fault of it; but a subgroup that is filled
// lacks no lane.
DefaultLaunch Defaults::with_block(const Try& what, DefaultLaunch made) const {
  const Size3& block = *what.block;
  if (was_too_much(made.analysis)) {
    made = attempt({.block = block, .single = true, .iota = true, .few = what.few});
  } else if (ends_well(made.analysis) && !is_stopped()) {
    DefaultLaunch wider = attempt({.block = block, .few = what.few});
    const bool says_more = ends_well(wider.analysis) && wider.analysis.open.empty();
    if (says_more || goes_wrong(wider.analysis)) {
      made = std::move(wider);
    } else {
      made.doubt = doubt_of(std::move(wider));
    }
  }
  return made;
}

bool Defaults::is_answer(const DefaultLaunch& made) const {
  if (ends_well(made.analysis)) return made.analysis.open.empty();
  const Size3& block = *made.spec.block;
  const bool fills = block[1] == 1 && static_cast<int>(block[0]) % spec_.subgroup.value_or(32) == 0;
  const auto& faults = made.analysis.exploration.faults;
  return fills && goes_wrong(made.analysis) && faults.front().fault.kind == FaultKind::divergence;
}

// Of rows and columns. Who says how many threads there may be mostly means so many.
std::vector<Size3> Defaults::planes() const {
  if (!looks_at_threads(function_, 1)) return {};
  std::vector<Size3> sizes = {{8, 8, 1}, {16, 16, 1}, {32, 8, 1}, {32, 32, 1}};
  std::erase_if(sizes, [&](const Size3& size) { return volume(size) > most_threads(); });
  std::stable_partition(sizes.begin(), sizes.end(),
                        [&](const Size3& size) { return volume(size) == function_.most_threads; });
  return sizes;
}

std::vector<Size3> Defaults::larger_sizes() const {
  const auto subgroup = static_cast<std::uint32_t>(spec_.subgroup.value_or(32));
  std::vector<Size3> sizes = planes();
  sizes.push_back({subgroup, 1, 1});
  // Tiles of one dimension are made for more.
  for (const std::uint32_t tile : {64U, 128U, 256U}) sizes.push_back({tile, 1, 1});
  // Who names lanes by a mask may do so for half a subgroup.
  for (std::uint32_t part = subgroup / 2; part > 4; part /= 2) sizes.push_back({part, 1, 1});
  std::erase_if(sizes, [&](const Size3& size) { return volume(size) > most_threads(); });
  return sizes;
}

// What goes wrong in one of them, if that is no answer, becomes the doubt.
void Defaults::try_larger(const std::vector<Size3>& sizes, bool few, Larger& result) const {
  for (const Size3& size : sizes) {
    if (is_stopped()) return;
    const Try single = {.block = size, .single = true, .few = few};
    DefaultLaunch made = with_block(single, attempt(single));
    result.lacks = result.lacks || (lacks_threads(made.analysis) && !made.integers.empty());
    if (is_answer(made)) {
      const bool is_right = ends_well(made.analysis);
      if (is_right || !result.answer) result.answer = std::move(made);
      if (is_right) return;
    } else if (!result.wrong && meets_others_wrongly(made.analysis)) {
      result.wrong = std::move(made);
    }
  }
}

Defaults::Larger Defaults::with_larger_blocks(const std::vector<Size3>& sizes) const {
  Larger result;
  try_larger(sizes, false, result);
  // An integer may be the number of a bit, or of a row of a tile.
  const bool is_right = result.answer && ends_well(result.answer->analysis);
  if (!is_right && !result.wrong && result.lacks) try_larger(sizes, true, result);
  return result;
}

// Where accesses are for lanes that there are not, a pass says little: one of a whole subgroup says
// more. What goes wrong there may be for want of other threads.
DefaultLaunch Defaults::or_whole_subgroup(DefaultLaunch first) const {
  const std::size_t unreached = unreached_accesses(first.analysis);
  const Size3 block = {static_cast<std::uint32_t>(spec_.subgroup.value_or(32)), 1, 1};
  if (unreached == 0 || volume(block) > most_threads()) return first;
  const auto says_more = [&](const DefaultLaunch& made) {
    return ends_well(made.analysis) && unreached_accesses(made.analysis) < unreached;
  };
  const Try what = {.block = block, .single = true};
  DefaultLaunch single = attempt(what);
  const auto doubt = doubt_of(single);
  DefaultLaunch whole = with_block(what, std::move(single));
  if (is_answer(whole)) return says_more(whole) ? std::move(whole) : std::move(first);
  if (!is_stopped()) first.doubt = doubt;
  return first;
}

// What goes wrong in a block that fills no subgroup may do so for want of lanes: not where it does
// in a block that fills one, for the same integers.
DefaultLaunch Defaults::filling_subgroup(DefaultLaunch first) const {
  const auto subgroup = static_cast<std::uint32_t>(spec_.subgroup.value_or(32));
  const auto threads = static_cast<std::uint32_t>(first.analysis.run->launch.group_threads());
  if (threads % subgroup == 0 || subgroup > most_threads()) return first;
  const Size3 block = {subgroup, 1, 1};
  DefaultLaunch whole = attempt({.block = block, .few = true});
  if (was_too_much(whole.analysis)) {
    whole = attempt({.block = block, .single = true, .iota = true, .few = true});
  }
  if (!is_decided(whole.analysis)) return goes_wrong(first.analysis) ? as_possible(first) : first;
  if (ends_well(whole.analysis)) whole.doubt = doubt_of(std::move(first));
  return whole;
}

// What subgroups do to each other shows in no launch of one.
DefaultLaunch Defaults::beside_another_subgroup(DefaultLaunch made) const {
  const auto subgroup = static_cast<std::uint32_t>(spec_.subgroup.value_or(32));
  const auto threads = static_cast<std::uint32_t>(made.analysis.run->launch.group_threads());
  if (made.doubt || is_stopped() || threads > subgroup || 2 * subgroup > most_threads() ||
      !shares_memory(*module_, function_)) {
    return made;
  }
  DefaultLaunch two = single_of({2 * subgroup, 1, 1});
  const bool races =
      std::ranges::any_of(two.analysis.exploration.faults, [](const FoundFault& found) {
        return is_sure(found) && found.fault.kind == FaultKind::race;
      });
  if (races) made.doubt = doubt_of(std::move(two));
  return made;
}

// The launch, or one of all integers from 1 on that small launches have, if arithmetic has results
// for these.
DefaultLaunch Defaults::with_results(DefaultLaunch first) const {
  if (!lacks_results(first.analysis) || first.integers.empty() || is_stopped()) return first;
  DefaultLaunch other = attempt({.few = true, .positive = true}, seconds_ / 3);
  if (lacks_results(other.analysis)) return first;
  if (!is_decided(other.analysis)) return as_others_may_do(std::move(first));
  other.doubt = doubt_of(std::move(first));
  return other;
}

// Of the launch bounds of a kernel that has such, if that is an answer: it is made for so many
// threads, and its tiles are not filled by fewer. Two dimensions are taken to be equal; whether
// they are is not known, so that what goes wrong there is no answer.
std::optional<DefaultLaunch> Defaults::at_its_bounds(DefaultLaunch& first) const {
  const std::uint32_t bounds = function_.most_threads;
  const bool is_plane = looks_at_threads(function_, 1);
  const auto side = static_cast<std::uint32_t>(std::lround(std::sqrt(bounds)));
  if (bounds <= kFew || (is_plane && side * side != bounds)) return {};
  const Size3 block = is_plane ? Size3{side, side, 1} : Size3{bounds, 1, 1};
  DefaultLaunch made = single_of(block);
  if (was_too_much(made.analysis)) {
    made = attempt({.block = block, .single = true, .iota = true});
  }
  if (ends_well(made.analysis) && made.analysis.open.empty()) return made;
  if (!goes_wrong(made.analysis)) return {};
  if (!is_plane) return made;
  first.doubt = doubt_of(std::move(made));
  return {};
}

// Blocks in which nothing goes wrong, where it may do so in small ones for want of threads.
std::optional<DefaultLaunch> Defaults::of_more(const DefaultLaunch& first) const {
  std::optional<DefaultLaunch> larger = with_larger_blocks(larger_sizes()).answer;
  if (!larger || !ends_well(larger->analysis)) return {};
  larger->doubt = doubt_of(first);
  return larger;
}

DefaultLaunch Defaults::run() const {
  DefaultLaunch made = run_by_threads();
  const bool may_choose = seconds_ > 0 && says_nothing_ && !says_block_;
  if (!may_choose || is_stopped() || !uses_subgroups(function_)) return made;
  if (!ends_well(made.analysis)) made = filling_subgroup(std::move(made));
  if (!ends_well(made.analysis)) return made;
  return beside_another_subgroup(std::move(made));
}

DefaultLaunch Defaults::run_by_threads() const {
  const bool may_narrow = seconds_ > 0 && says_nothing_;
  DefaultLaunch first = attempt({}, may_narrow ? seconds_ * kPart : 0);
  if (seconds_ > 0) first = with_results(std::move(first));
  if (may_narrow && !says_block_ && ends_well(first.analysis) && uses_subgroups(function_)) {
    return or_whole_subgroup(std::move(first));
  }
  std::optional<DefaultLaunch> better;
  if (may_narrow && !says_block_ && !is_stopped()) {
    better = at_its_bounds(first);
    if (!better && lacks_threads(first.analysis)) better = of_more(first);
    if (better) return std::move(*better);
  }
  if (is_decided(first.analysis) || is_stopped() || seconds_ <= 0) return first;
  if (first.analysis.lacks_threads) {
    Larger larger = with_larger_blocks(larger_sizes());
    if (larger.answer) {
      better = std::move(larger.answer);
      if (larger.wrong) better->doubt = doubt_of(std::move(*larger.wrong));
    } else if (larger.wrong) {
      better = as_possible(std::move(*larger.wrong));
    }
    if (better && !better->doubt && first.analysis.lacks_tile) better->doubt = doubt_of(first);
  } else if (may_narrow &&
             (was_too_much(first.analysis) || !first.analysis.exploration.faults.empty())) {
    better = narrower(first);
    // Nothing narrower is an answer: the whole time for the first question.
    if (!better && !is_stopped()) better = attempt({}, 0);
  }
  return better ? std::move(*better) : std::move(first);
}

// Larger workgroups, where those of this size read of a tile what none of their threads has
// written.
Filling Defaults::filling(const Size3& block) const {
  DefaultLaunch made = single_of(block);
  if (!reads_unwritten_tile(made) && lacks_threads(made.analysis) && !made.integers.empty()) {
    made = attempt({.block = block, .single = true, .few = true});
  }
  if (was_too_much(made.analysis)) {
    made = attempt({.block = block, .single = true, .iota = true});
  }
  if (!reads_unwritten_tile(made)) return {};
  const std::vector<Size3> of_rows = planes();
  const Larger larger = with_larger_blocks(of_rows.empty() ? larger_sizes() : of_rows);
  if (larger.answer) return {true, larger.answer->spec.block};
  if (larger.wrong) return {true, larger.wrong->spec.block};
  return {true, {}};
}

}  // namespace

std::vector<std::string> DefaultLaunch::taken() const {
  std::vector<std::string> result = integers;
  result.reserve(integers.size() + iota.size());
  for (const std::string& buffer : iota) result.push_back(buffer + " = iota");
  return result;
}

std::string DefaultLaunch::what_is_wrong() const {
  const auto& faults = analysis.exploration.faults;
  if (faults.empty()) return {};
  std::vector<std::string> within = taken();
  if (chose_block) within.push_back(fmt::format("block {}", fmt::join(*spec.block, ",")));
  return fmt::format("possible {}{}", fault_text(*analysis.run, faults.front().fault),
                     within.empty() ? "" : fmt::format(" (for {})", fmt::join(within, ", ")));
}

DefaultLaunch analyse_with_defaults(const std::shared_ptr<const Module>& module,
                                    const Function& function, const LaunchSpec& spec,
                                    const std::shared_ptr<const SourceText>& text,
                                    const AnalysisOptions& options, double seconds) {
  const std::optional<UsualLaunch> usual = usual_launch(function, spec);
  if (!usual || usual->line == 0 || seconds <= 0) {
    return Defaults(module, function, spec, text, options, seconds).run();
  }
  AnalysisOptions limited = options;
  limited.explore.stop = options.explore.stop.within(seconds / 3);
  DefaultLaunch made = Defaults(module, function, spec, text, limited, seconds / 3).run();
  if (is_decided(made.analysis) || options.explore.stop.seen() != Limit::none) return made;
  // Too much, as its file launches it.
  LaunchSpec other = spec;
  other.as_usual = false;
  DefaultLaunch smaller = Defaults(module, function, other, text, options, seconds * 2 / 3).run();
  if (goes_wrong(smaller.analysis)) return as_possible(std::move(smaller));
  if (!ends_well(smaller.analysis)) return made;
  smaller.doubt = doubt_of(std::move(made));
  return smaller;
}

Filling filling_block(const std::shared_ptr<const Module>& module, const Function& function,
                      const LaunchSpec& spec, const std::shared_ptr<const SourceText>& text,
                      const AnalysisOptions& options, const Size3& block, double seconds) {
  if (!refusals(function, false).empty()) return {};
  return Defaults(module, function, spec, text, options, seconds, kFillingPart).filling(block);
}

}  // namespace headway::kernel
