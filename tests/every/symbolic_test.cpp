// Steps over symbols against steps of the machine: whatever the numbers are that the symbols stand
// for, one outcome is the one that takes for granted what they say, and it is what happens.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "every/linear.hpp"
#include "every/symbolic_machine.hpp"
#include "lang/idiom/library.hpp"
#include "support/random_families.hpp"

using namespace headway;
using every::Facts;
using every::Linear;
using every::StepEnd;
using every::SymbolicOutcome;

namespace {

constexpr int kSteps = 60;
constexpr std::size_t kN = 0, kId = 1, kRead = 2, kFirst = 3;

// What the symbols stand for.
using Numbers = std::vector<std::int64_t>;

std::int64_t value(const Linear& sum, const Numbers& numbers) {
  std::int64_t result = sum.constant;
  for (std::size_t s = 0; s < numbers.size(); ++s) result += sum.factor(s) * numbers[s];
  return result;
}

bool holds(const Facts& facts, const Numbers& numbers) {
  return std::all_of(facts.begin(), facts.end(),
                     [&](const Linear& fact) { return value(fact, numbers) >= 0; });
}

// Random steps of n threads, each one taken over symbols, too. Returns how many.
int compare(const std::string& text, int n, testing::Random& random) {
  const every::Family family = every::read_family(text, "test");
  const every::Parametric parametric = every::read_parametric(family);
  const lang::idiom::Code code = lang::idiom::compile(family.syntax, n);
  std::map<const lang::idiom::Block*, every::ParametricProgram> programs;
  std::vector<const lang::idiom::Block*> blocks(static_cast<std::size_t>(n));
  for (const auto& block : parametric.syntax.blocks) {
    programs.emplace(&block, every::program_of(parametric, block, std::nullopt));
    for (int t = 0; t < n; ++t) {
      const Linear all = Linear::number(n);
      const bool within =
          block.all || (every::in_n(parametric.syntax, block.first).at(all).constant <= t &&
                        t <= every::in_n(parametric.syntax, block.last).at(all).constant);
      if (within) blocks[t] = &block;
    }
  }
  std::vector<lang::idiom::ThreadState> locals;
  for (int t = 0; t < n; ++t) locals.push_back(every::start_of(code, t));
  std::vector<int> memory = code.initial;
  std::vector<bool> ended(static_cast<std::size_t>(n));
  int compared = 0;
  for (int i = 0; i < kSteps; ++i) {
    const int t = testing::below(random, n);
    if (ended[t]) continue;
    const lang::idiom::Machine machine(code, code.threads[t]);
    const lang::idiom::Access access = machine.access(locals[t]);
    const int old = access.cell < 0 ? 0 : memory[access.cell];
    const every::ParametricProgram& program = programs.at(blocks[t]);
    const every::SymbolicMachine symbolic(parametric.variables, program);
    // Named registers, N, the id, and the compiler's own.
    const int named = program.n_register;
    Numbers numbers = {n, t, old};
    every::SymbolicLocal local;
    local.at = locals[t].at;
    for (int r = 0; r < symbolic.registers(); ++r) {
      const int concrete = r < named ? r : r - 2;
      const bool is_set = r < named || r >= named + 2;
      numbers.push_back(is_set ? locals[t].registers[concrete] : 0);
      const bool live = is_set && symbolic.is_live(local.at, r);
      local.registers.push_back(live ? Linear::symbol(kFirst + static_cast<std::size_t>(r))
                                     : Linear());
    }
    every::SymbolicWorld world{Linear::symbol(kN), Linear::symbol(kId), {}};
    world.facts = {world.n + -1, world.id, world.n - world.id + -1};
    std::vector<SymbolicOutcome> outcomes;
    bool outside = false;
    for (const auto& index : symbolic.variable(local) < 0
                                 ? std::vector<every::SymbolicMachine::Index>{{}}
                                 : symbolic.index(local, world)) {
      if (!holds(index.path, numbers)) continue;
      if (!index.within) {
        outside = true;
        continue;
      }
      every::SymbolicWorld here = world;
      here.facts.insert(here.facts.end(), index.path.begin(), index.path.end());
      for (const SymbolicOutcome& outcome : symbolic.step(local, Linear::symbol(kRead), here)) {
        if (holds(outcome.path, numbers)) outcomes.push_back(outcome);
      }
    }
    const std::vector<int> before = memory;
    const StepEnd end = every::take_step(code, t, locals[t], memory);
    ++compared;
    if (outside) {
      CHECK(end == StepEnd::fails);
      break;
    }
    REQUIRE(outcomes.size() == 1);
    const SymbolicOutcome& outcome = outcomes.front();
    CHECK(outcome.end == end);
    if (end == StepEnd::fails) break;
    ended[t] = end == StepEnd::ends;
    if (outcome.written) {
      CHECK(value(*outcome.written, numbers) == memory[access.cell]);
    } else {
      CHECK(memory == before);
    }
    if (ended[t]) continue;
    CHECK(outcome.local.at == locals[t].at);
    for (int r = 0; r < symbolic.registers(); ++r) {
      if (r == named || r == named + 1 || !symbolic.is_live(outcome.local.at, r)) continue;
      CHECK(value(outcome.local.registers[r], numbers) ==
            locals[t].registers[r < named ? r : r - 2]);
    }
  }
  return compared;
}

int compared_or_refused(const std::string& text, int n, testing::Random& random) {
  CAPTURE(text);
  CAPTURE(n);
  try {
    return compare(text, n, random);
  } catch (const every::Unsupported&) {
    return 0;
  } catch (const Error&) {
    return 0;
  }
}

}  // namespace

TEST_CASE("every/symbolic: a step over symbols is what happens, whatever they stand for") {
  testing::Random random(20'261'124);
  int steps = 0;
  for (int i = 0; i < 300; ++i) {
    const std::string text = testing::random_parametric_family(random);
    for (const int n : {2, 3, 5}) steps += compared_or_refused(text, n, random);
  }
  for (const auto& idiom : lang::idiom::library()) {
    for (const int n : {2, 4, 7}) {
      for (int i = 0; i < 3; ++i) {
        steps += compared_or_refused(std::string(idiom.content), n, random);
      }
    }
  }
  CHECK(steps > 10'000);
}

TEST_CASE("every/linear: what is called impossible has no solution") {
  testing::Random random(20'261'125);
  int impossible = 0, possible = 0;
  for (int i = 0; i < 3000; ++i) {
    Facts facts;
    const int count = 2 + testing::below(random, 5);
    for (int f = 0; f < count; ++f) {
      Linear fact = Linear::number(testing::below(random, 11) - 6);
      for (std::size_t s = 0; s < 3; ++s) {
        fact = fact + (testing::below(random, 7) - 3) * Linear::symbol(s);
      }
      facts.push_back(fact);
    }
    bool solved = false;
    for (std::int64_t x = -8; x <= 8 && !solved; ++x) {
      for (std::int64_t y = -8; y <= 8 && !solved; ++y) {
        for (std::int64_t z = -8; z <= 8 && !solved; ++z) solved = holds(facts, {x, y, z});
      }
    }
    const bool said = every::impossible(facts);
    CHECK(!(said && solved));
    impossible += said;
    possible += solved;
  }
  CHECK(impossible > 100);
  CHECK(possible > 100);
}
