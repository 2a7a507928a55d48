// Random kernels: leaving out orders that make no difference changes neither what goes wrong nor
// how memory may end; and what goes wrong, and how memory may end, is what kernel IR taken
// literally says.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "kernel/literal/interpreter.hpp"
#include "kernel/literal/random_cuda.hpp"
#include "kernel/machine/explore.hpp"
#include "kernel/machine/state_key.hpp"
#include "kernel/machine/walk.hpp"
#include "kernel/test/analysis.hpp"
#include "kernel/test/kernel_tests.hpp"
#include "support/budget.hpp"

namespace {

using namespace headway::kernel;

struct Seen {
  std::set<std::string> faults;
  std::set<std::vector<int>> ends;  // bytes, as LiteralResult has them
  bool cycle = false, complete = false, trap = false;
};

// `n` is unknown(0..2) where it is not given.
LaunchSpec launch_of(std::uint32_t grid, std::uint32_t block, std::optional<int> n) {
  LaunchSpec spec;
  spec.grid = {grid, 1, 1};
  spec.block = {block, 1, 1};
  spec.workgroup_bytes = headway::testing::RandomCuda::kWorkgroupBytes;
  for (const char* name : {"a", "f", "o"}) {
    spec.buffers[name].content = BufferSpec::Content::zero;
    spec.buffers[name].elements = *name == 'o' ? 8 : 4;
  }
  ArgumentSpec& argument = spec.arguments["n"];
  argument.unknown = !n;
  argument.integer = n.value_or(0);
  if (!n) argument.range = {0, 2};
  return spec;
}

// The bytes of a buffer at the end of an execution.
std::vector<int> bytes_of(Runnable& run, const MachineState& end, Instance object) {
  std::vector<int> result(run.launch.objects[object].bytes);
  for (const Memory::Piece& piece : end.memory.pieces(object, 0, result.size())) {
    for (int b = 0; b < piece.bytes; ++b) {
      int& byte = result[piece.at + static_cast<unsigned>(b)];
      switch (piece.cell.kind) {
        case Cell::Kind::bits:
          byte = static_cast<int>(piece.cell.bits >> (8 * b) & 0xff);
          break;
        case Cell::Kind::term: {
          headway::smt::Context& terms = *run.terms;
          const headway::smt::Term term = piece.cell.term();
          if (terms.width(term) <= 8 * b) break;  // of a type of fewer bits than the bytes have
          const int width = std::min(8, terms.width(term) - 8 * b);
          const headway::smt::Term part = terms.extract(term, 8 * b, width);
          byte = terms.is_constant(part) ? static_cast<int>(terms.value(part))
                                         : headway::testing::kUnsetByte;
          break;
        }
        case Cell::Kind::undefined:
        case Cell::Kind::pointer:
        case Cell::Kind::moving:
          byte = headway::testing::kUnsetByte;
      }
    }
  }
  return result;
}

Seen look(const ReadKernels& read, const Function& function, const LaunchSpec& spec, bool reduce,
          const MachineOptions& how = {}) {
  auto terms = std::make_unique<headway::smt::Context>();
  PreparedLaunch prepared = prepare_launch(*read.module, function, spec, *terms);
  const auto run =
      make_runnable(read.module, std::move(prepared.launch), std::move(terms), {}, how, read.text);
  ExploreOptions options;
  options.reduce = reduce;
  options.all_faults = options.keep_ends = true;
  Exploration found = explore(*run->machine, options);
  Seen seen;
  for (const FoundFault& fault : found.faults) seen.faults.emplace(to_string(fault.fault.kind));
  for (const MachineState& end : found.ends) {
    std::vector<int> memory;
    for (Instance object = 0; object < run->launch.objects.size(); ++object) {
      const std::string& name = run->launch.objects[object].name;
      if (name != "a" && name != "f" && name != "o") continue;
      const std::vector<int> bytes = bytes_of(*run, end, object);
      memory.insert(memory.end(), bytes.begin(), bytes.end());
    }
    seen.ends.insert(std::move(memory));
  }
  seen.cycle = found.has_cycle;
  seen.trap = found.trap.has_value();
  seen.complete = found.complete;
  return seen;
}

// HEADWAY_KERNELS_RANDOM asks for more kernels, HEADWAY_KERNELS_SEED for others.
int count_or(int usual) {
  return headway::testing::wished("HEADWAY_KERNELS_RANDOM", headway::testing::budget(usual));
}
unsigned seed_or(int usual) {
  return static_cast<unsigned>(headway::testing::wished("HEADWAY_KERNELS_SEED", usual));
}

}  // namespace

TEST_CASE("kernel/random: leaving out orders changes neither faults nor results") {
  const int count = count_or(60);
  const ReadKernels read = headway::testing::random_cuda_file(seed_or(20261122), count);
  int racing = 0;
  int waiting = 0;
  int trapped = 0;
  int several = 0;
  for (const Function& function : read.module->functions) {
    const Seen reduced = look(read, function, launch_of(1, 3, 1), true);
    const Seen full = look(read, function, launch_of(1, 3, 1), false);
    CAPTURE(function.name);
    CHECK(reduced.faults == full.faults);
    CHECK(full.complete);
    CHECK(reduced.complete);
    // What follows a race depends on the order that it leaves open.
    if (full.faults.empty()) {
      CHECK(reduced.ends == full.ends);
      CHECK(reduced.cycle == full.cycle);
      CHECK(reduced.trap == full.trap);
      // Where no execution ends there is nothing else than a trap.
      if (full.ends.empty()) CHECK(full.trap);
    }
    trapped += full.trap ? 1 : 0;
    racing += full.faults.contains("race") ? 1 : 0;
    waiting += full.cycle ? 1 : 0;
    several += full.ends.size() > 1 ? 1 : 0;
  }
  // There is something to see.
  CHECK(racing > count / 15);
  CHECK(waiting > count / 20);
  CHECK(trapped > 0);
  CHECK(several > count / 10);
}

TEST_CASE("kernel/random: without what nothing depends on the same goes wrong, and waits") {
  const int count = count_or(60);
  const ReadKernels read = headway::testing::random_cuda_file(seed_or(20261125), count);
  int less = 0;
  int right = 0;
  for (const Function& function : read.module->functions) {
    for (const bool given : {true, false}) {
      const LaunchSpec spec = launch_of(1, 3, given ? std::optional(1) : std::nullopt);
      const Seen whole = look(read, function, spec, true);
      AnalysisOptions options;
      options.explore.all_faults = true;
      const Analysis sliced = analyse(read.module, function, spec, read.text, options);
      if (!whole.complete || !sliced.spins.empty()) continue;
      CAPTURE(function.name);
      CAPTURE(given);
      std::set<std::string> faults;
      for (const FoundFault& found : sliced.exploration.faults) {
        faults.emplace(to_string(found.fault.kind));
      }
      CHECK(sliced.exploration.complete);
      // Where nothing else goes wrong, unset values are no results either.
      MachineOptions how;
      how.results = true;
      const std::set<std::string> expected =
          (whole.faults.empty() ? look(read, function, spec, true, how) : whole).faults;
      INFO(fmt::format("{} of the slice, {} of the whole", faults, expected), " of ",
           headway::testing::source_of(read, function));
      CHECK(faults == expected);
      if (!faults.empty()) continue;
      CHECK(sliced.exploration.has_cycle == whole.cycle);
      CHECK(sliced.exploration.trap.has_value() == whole.trap);
      ++right;
      const Code& code = *sliced.run->code;
      std::uint32_t number = 0;
      bool all = true;
      for (const Block& block : function.blocks) {
        for (std::size_t k = 0; k < block.code.size(); ++k) all = code.is_needed(number++) && all;
      }
      less += all ? 0 : 1;
    }
  }
  CHECK(right > count / 3);
  CHECK(less > right / 10);
}

TEST_CASE(
    "kernel/random: what goes wrong in a walk goes wrong in some order, and most of it is found") {
  const int count = count_or(60);
  const ReadKernels read = headway::testing::random_cuda_file(seed_or(20261124), count);
  using Kind = Schedule::Kind;
  int wrong = 0;
  int found = 0;
  for (const Function& function : read.module->functions) {
    const Seen all = look(read, function, launch_of(2, 2, 1), true);
    std::set<std::string> walked;
    for (const Kind kind : {Kind::in_turn, Kind::forward, Kind::backward, Kind::by_chance}) {
      auto terms = std::make_unique<headway::smt::Context>();
      PreparedLaunch prepared = prepare_launch(*read.module, function, launch_of(2, 2, 1), *terms);
      const auto run = make_runnable(read.module, std::move(prepared.launch), std::move(terms), {},
                                     {}, read.text);
      const Walk taken = walk(*run->machine, {kind, 7}, {});
      if (taken.fault) walked.emplace(to_string(taken.fault->kind));
    }
    INFO(function.name, " of ", headway::testing::source_of(read, function));
    for (const std::string& fault : walked) CHECK(all.faults.contains(fault));
    wrong += all.faults.empty() ? 0 : 1;
    found += walked.empty() ? 0 : 1;
  }
  MESSAGE(found, " of ", wrong, " that go wrong do so in a walk");
  CHECK(wrong > count / 10);
  CHECK(found > wrong / 2);
}

TEST_CASE("kernel/random: workgroups that have started go wrong as they do beside all others") {
  const int count = count_or(50);
  const ReadKernels read = headway::testing::random_cuda_file(seed_or(20261125), count);
  int wrong = 0;
  for (const Function& function : read.module->functions) {
    LaunchSpec part = launch_of(3, 1, 1);
    part.started = {0, 2};
    const Seen some = look(read, function, part, true);
    const Seen all = look(read, function, launch_of(3, 1, 1), true);
    INFO(function.name, " of ", headway::testing::source_of(read, function));
    // Behind a race it is another program.
    if (all.faults.contains("race")) continue;
    for (const std::string& fault : some.faults) CHECK(all.faults.contains(fault));
    wrong += some.faults.empty() ? 0 : 1;
  }
  CHECK(wrong > 0);
}

TEST_CASE("kernel/random: the machine finds what kernel IR taken literally does") {
  const int count = count_or(40);
  int racing = 0;
  int otherwise_wrong = 0;
  int right = 0;
  int cut = 0;
  std::map<std::string, int> wrong;  // in so many kernels
  int number = 0;
  const char* only = std::getenv("HEADWAY_KERNELS_ONLY");
  const auto compare = [&](const ReadKernels& read, const Function& function) {
    if (only != nullptr && function.name != only) {
      ++number;
      return;
    }
    const std::uint32_t grid = number % 3 == 0 ? 2 : 1;
    const std::uint32_t block = number % 3 == 1 ? 3 : number % 12 == 0 || grid == 1 ? 2 : 1;
    const bool unknown = number % 4 == 0;
    const int given = number / 3 % 3;
    const bool results = number % 2 == 0;
    const int subgroup = number++ % 5 == 0 ? 2 : 32;
    headway::testing::LiteralResult literal;
    for (int n = unknown ? 0 : given; n <= (unknown ? 2 : given); ++n) {
      headway::testing::LiteralLaunch launch;
      launch.grid = {grid, 1, 1};
      launch.block = {block, 1, 1};
      launch.subgroup = subgroup;
      launch.results = results;
      launch.max_executions = 2'000;
      launch.max_steps = 100'000;
      launch.workgroup_bytes = headway::testing::RandomCuda::kWorkgroupBytes;
      launch.buffers["a"].resize(16);
      launch.buffers["f"].resize(16);
      launch.buffers["o"].resize(32);
      launch.integers["n"] = static_cast<std::uint64_t>(n);
      const auto more = headway::testing::run_literally(*read.module, function, launch);
      literal.faults.insert(more.faults.begin(), more.faults.end());
      literal.ends.insert(more.ends.begin(), more.ends.end());
      literal.cut = literal.cut || more.cut;
      literal.complete = literal.complete && more.complete;
    }
    const auto n = unknown ? std::optional<int>() : std::optional<int>(given);
    LaunchSpec spec = launch_of(grid, block, n);
    spec.subgroup = subgroup;
    MachineOptions how;
    how.results = results;
    const Seen seen = look(read, function, spec, true, how);
    INFO(function.name,
         fmt::format(" {} literally, {} as the machine has it", literal.faults, seen.faults),
         " grid ", grid, " block ", block, " n ", given, " subgroup ", subgroup,
         unknown ? " n unknown" : "", " of ", headway::testing::source_of(read, function));
    for (const std::string& fault : literal.faults) ++wrong[fault];
    const bool race = literal.faults.contains("race");
    if (!literal.complete || literal.cut) {  // then it may not have seen all
      if (race) CHECK(!seen.faults.empty());
      if (!race && !seen.faults.contains("race")) {
        for (const std::string& fault : literal.faults) CHECK(seen.faults.contains(fault));
      }
      ++cut;
      return;
    }
    // Where there is a race, what else goes wrong depends on the order of the accesses that race.
    // Nothing is looked at behind what goes wrong, so that may hide a race of a later access.
    if (race || seen.faults.contains("race")) {
      CHECK(race);
      if (!seen.faults.contains("race")) {
        CHECK(!seen.faults.empty());
        for (const std::string& fault : seen.faults) CHECK(literal.faults.contains(fault));
      }
      ++racing;
      return;
    }
    // Of unknown data it may not follow all, and what goes wrong for some hides what does for
    // others behind it.
    if (unknown) {
      for (const std::string& fault : seen.faults) CHECK(literal.faults.contains(fault));
      if (seen.complete) CHECK(seen.faults.empty() == literal.faults.empty());
    } else {
      CHECK(seen.faults == literal.faults);
    }
    if (!literal.faults.empty()) ++otherwise_wrong;
    if (!literal.faults.empty()) return;
    ++right;
    if (unknown) return;
    INFO("memory at the end: ",
         fmt::format("{} as the machine has it, {} literally", seen.ends, literal.ends));
    // A term may be the same whatever unset values are, and not show it.
    const bool shows = std::all_of(seen.ends.begin(), seen.ends.end(), [](const auto& end) {
      return std::find(end.begin(), end.end(), headway::testing::kUnsetByte) == end.end();
    });
    if (shows) CHECK(seen.ends == literal.ends);
  };
  headway::testing::for_each_random_cuda(seed_or(20261123), count, compare);
  // There is something to see.
  MESSAGE(racing, " race, ", otherwise_wrong, " go wrong otherwise, ", right, " are right, of ",
          cut, " not all was seen; ", fmt::format("{}", wrong));
  CHECK(racing > count / 40);
  CHECK(right > count / 4);
}
