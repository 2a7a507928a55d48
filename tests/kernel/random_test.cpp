// Random kernels: leaving out orders that make no difference changes neither what goes wrong nor
// how memory may end; and what goes wrong, and how memory may end, is what kernel IR taken
// literally says.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <optional>
#include <random>
#include <set>

#include "kernel/clang/compile.hpp"
#include "kernel/literal/interpreter.hpp"
#include "kernel/literal/random_cuda.hpp"
#include "kernel/machine/explore.hpp"
#include "kernel/machine/state_key.hpp"
#include "kernel/machine/walk.hpp"
#include "kernel/test/analysis.hpp"
#include "kernel/test/kernel_tests.hpp"
#include "support/budget.hpp"
#include "support/files.hpp"

namespace {

using namespace headway::kernel;

struct Seen {
  std::set<std::string> faults;
  std::set<std::vector<std::uint64_t>> ends;
  bool cycle = false, complete = false, trap = false;
};

// `n` is unknown(0..2) where it is not given.
LaunchSpec launch_of(std::uint32_t grid, std::uint32_t block, std::optional<int> n) {
  LaunchSpec spec;
  spec.grid = {grid, 1, 1};
  spec.block = {block, 1, 1};
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

Seen look(const ReadKernels& read, const Function& function, const LaunchSpec& spec, bool reduce) {
  auto terms = std::make_unique<headway::smt::Context>();
  PreparedLaunch prepared = prepare_launch(*read.module, function, spec, *terms);
  const auto run =
      make_runnable(read.module, std::move(prepared.launch), std::move(terms), {}, {}, read.text);
  ExploreOptions options;
  options.reduce = reduce;
  options.all_faults = options.keep_ends = true;
  Exploration found = explore(*run->machine, options);
  Seen seen;
  for (const FoundFault& fault : found.faults) seen.faults.emplace(to_string(fault.fault.kind));
  for (const MachineState& end : found.ends) {
    std::vector<std::uint64_t> memory;
    for (Instance object = 0; object < run->launch.objects.size(); ++object) {
      const ObjectInfo& info = run->launch.objects[object];
      if (info.name != "a" && info.name != "f" && info.name != "o") continue;
      std::vector<std::uint64_t> words(info.bytes / 4);
      for (const Memory::Piece& piece : end.memory.pieces(object, 0, 4 * words.size())) {
        for (int b = 0; b < piece.bytes; ++b) {
          const std::uint64_t at = piece.at + static_cast<unsigned>(b);
          words[at / 4] |= (piece.cell.bits >> (8 * b) & 0xff) << (8 * (at % 4));
        }
      }
      memory.insert(memory.end(), words.begin(), words.end());
    }
    seen.ends.insert(std::move(memory));
  }
  seen.cycle = found.has_cycle;
  seen.trap = found.trap.has_value();
  seen.complete = found.complete;
  return seen;
}

ReadKernels random_kernels(unsigned seed, int count) {
  headway::testing::RandomCuda texts(seed);
  std::string text = headway::testing::RandomCuda::header();
  for (int i = 0; i < count; ++i) text += texts.kernel(i);
  Compiler compiler;
  const headway::testing::TemporaryFolder folder;
  return read_kernels(folder.write("random.cu", text), Side::device, {}, compiler);
}

// HEADWAY_KERNELS_RANDOM asks for more kernels, HEADWAY_KERNELS_SEED for others.
int count_or(int usual) {
  const char* more = std::getenv("HEADWAY_KERNELS_RANDOM");
  return more == nullptr ? headway::testing::budget(usual) : std::atoi(more);
}
unsigned seed_or(unsigned usual) {
  const char* other = std::getenv("HEADWAY_KERNELS_SEED");
  return other == nullptr ? usual : static_cast<unsigned>(std::atoi(other));
}

}  // namespace

TEST_CASE("kernel/random: leaving out orders changes neither faults nor results") {
  const int count = count_or(60);
  const ReadKernels read = random_kernels(seed_or(20261122), count);
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
  CHECK(racing > count / 10);
  CHECK(waiting > count / 20);
  CHECK(trapped > 0);
  CHECK(several > count / 10);
}

TEST_CASE("kernel/random: without what nothing depends on the same goes wrong, and waits") {
  const int count = count_or(60);
  const ReadKernels read = random_kernels(seed_or(20261125), count);
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
      CHECK(faults == whole.faults);
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
  const ReadKernels read = random_kernels(seed_or(20261124), count);
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
    INFO(function.name, " of ", read.text->line(function.place));
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
  const ReadKernels read = random_kernels(seed_or(20261125), count);
  int wrong = 0;
  for (const Function& function : read.module->functions) {
    LaunchSpec part = launch_of(3, 1, 1);
    part.started = {0, 2};
    const Seen some = look(read, function, part, true);
    const Seen all = look(read, function, launch_of(3, 1, 1), true);
    INFO(function.name, " of ", read.text->line(function.place));
    // Behind a race it is another program.
    if (all.faults.contains("race")) continue;
    for (const std::string& fault : some.faults) CHECK(all.faults.contains(fault));
    wrong += some.faults.empty() ? 0 : 1;
  }
  CHECK(wrong > 0);
}

TEST_CASE("kernel/random: the machine finds what kernel IR taken literally does") {
  const int count = count_or(40);
  const ReadKernels read = random_kernels(seed_or(20261123), count);
  int racing = 0;
  int otherwise_wrong = 0;
  int right = 0;
  int cut = 0;
  int number = 0;
  for (const Function& function : read.module->functions) {
    const std::uint32_t grid = number % 3 == 0 ? 2 : 1;
    const std::uint32_t block = number % 3 == 1 ? 3 : 2;
    const bool unknown = number % 4 == 0;
    const int given = number++ % 3;
    headway::testing::LiteralResult literal;
    for (int n = unknown ? 0 : given; n <= (unknown ? 2 : given); ++n) {
      headway::testing::LiteralLaunch launch;
      launch.grid = {grid, 1, 1};
      launch.block = {block, 1, 1};
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
    const Seen seen = look(read, function, launch_of(grid, block, n), true);
    INFO(function.name, " grid ", grid, " block ", block, unknown ? " n unknown" : "", " of ",
         read.text->line(function.place));
    const bool race = literal.faults.contains("race");
    if (!literal.complete || literal.cut) {  // then it may not have seen all
      if (race) CHECK(seen.faults.contains("race"));
      if (!seen.faults.contains("race")) {
        for (const std::string& fault : literal.faults) CHECK(seen.faults.contains(fault));
      }
      ++cut;
      continue;
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
      continue;
    }
    CHECK(seen.faults == literal.faults);
    if (!literal.faults.empty()) ++otherwise_wrong;
    if (!literal.faults.empty()) continue;
    ++right;
    if (unknown) continue;
    std::set<std::vector<std::uint64_t>> ends;
    for (const std::string& end : literal.ends) {
      std::vector<std::uint64_t> words;
      for (std::size_t at = 0; at < end.size(); at += 4) {
        std::uint64_t word = 0;
        for (std::size_t b = 0; b < 4; ++b) {
          word |= std::uint64_t{static_cast<unsigned char>(end[at + b])} << (8 * b);
        }
        words.push_back(word);
      }
      ends.insert(std::move(words));
    }
    INFO("memory at the end: ",
         fmt::format("{} as the machine has it, {} literally", seen.ends, ends));
    CHECK(seen.ends == ends);
  }
  // There is something to see.
  MESSAGE(racing, " race, ", otherwise_wrong, " go wrong otherwise, ", right, " are right, of ",
          cut, " not all was seen");
  CHECK(racing > count / 40);
  CHECK(right > count / 4);
}
