#include "every/counting_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace headway::every {
namespace {

constexpr int kMostShares = 6;
constexpr std::size_t kMostCells = 64;

void put(std::vector<std::int64_t>& key, const std::optional<InN>& bound) {
  key.push_back(bound.has_value());
  if (bound) key.insert(key.end(), {bound->constant, bound->by_n});
}

}  // namespace

std::vector<std::int64_t> Content::key() const {
  std::vector<std::int64_t> key = {is_number, number, counter};
  put(key, low);
  put(key, high);
  return key;
}

std::vector<std::int64_t> CountedPlace::key() const {
  std::vector<std::int64_t> key = {static_cast<int>(stage), kind, at};
  key.insert(key.end(), shares.begin(), shares.end());
  for (const Content& content : registers) {
    const auto part = content.key();
    key.insert(key.end(), part.begin(), part.end());
  }
  return key;
}

std::vector<std::int64_t> CountedMemory::key() const {
  std::vector<std::int64_t> key = cells;
  for (const CountedCounter& counter : counters) {
    key.insert(key.end(), {counter.by_n, counter.constant});
  }
  return key;
}

// Symbols of a step, and what they stand for.
struct CountingSpace::World {
  const CountedPlace& mover;
  const CountedMemory& memory;
  SymbolicWorld symbols;
  std::vector<Linear> shares;    // by counter, of all threads together
  std::vector<Linear> counters;  // what they hold
  SymbolicLocal local;
};

CountingSpace::CountingSpace(const Family& family, int largest_number)
    : family_(read_parametric(family)), largest_number_(largest_number) {
  if (!family.shape) throw *family.id;
  const Shape& shape = *family.shape;
  specials_ = shape.specials();
  const auto& blocks = family_.syntax.blocks;
  for (int s = 0; s < specials_; ++s) {
    programs_.push_back(program_of(family_, blocks[shape.blocks[s]], s));
  }
  for (int c = 0; c < shape.classes; ++c) {
    const int id = first_of(c, shape.low, shape.classes);
    programs_.push_back(program_of(family_, blocks[shape.blocks.back()], id));
  }
  std::size_t cells = 0;
  const Facts known = {Linear::symbol(0) + -family_.smallest};
  const auto refuse = [&](const std::string& what, std::size_t v) {
    const lang::idiom::Syntax& syntax = family_.syntax;
    throw error_at(syntax.file, syntax.text, syntax.variables[v].offset,
                   what + "; counting threads needs single variables, or arrays of a fixed size");
  };
  for (std::size_t v = 0; v < family_.variables.size(); ++v) {
    const ParametricVariable& variable = family_.variables[v];
    const bool fixed = variable.range.low.fixed() && variable.range.high.fixed();
    counter_of_.push_back(!fixed && !variable.is_array ? counters() : -1);
    if (!fixed && !variable.is_array) counters_.push_back(static_cast<int>(cell_of_.size()));
    if ((!fixed && variable.is_array) || !variable.size.fixed()) {
      refuse("an array that grows with N", v);
    }
    cell_of_.push_back(static_cast<int>(cells));
    cells += fixed ? static_cast<std::size_t>(variable.size.constant) : 0;
    for (const InN& value : variable.initial) {
      if (fixed && !value.fixed()) refuse("an initial value that depends on N", v);
    }
  }
  if (cells > kMostCells) throw Unsupported{"too many shared cells", {}};
  for (const ParametricProgram& program : programs_) {
    machines_.emplace_back(family_.variables, program);
  }
  for (int kind = 0; kind < kinds(); ++kind) {
    const int id = *programs_[kind].id;
    const auto starts = machines_[kind].start({Linear::symbol(0), Linear::number(id), known});
    if (starts.size() != 1)
      throw Unsupported{"how threads begin depends on N", machines_[kind].line_at(0)};
    CountedPlace& place = fresh_.emplace_back();
    place.kind = kind;
    place.at = starts[0].local.at;
    place.shares.assign(counters_.size(), 0);
    for (const Linear& value : starts[0].local.registers) {
      if (!value.is_number())
        throw Unsupported{"how threads begin depends on N", machines_[kind].line_at(0)};
      place.registers.push_back({true, value.constant, -1, {}, {}});
    }
  }
}

CountedPlace CountingSpace::fresh(int kind) const { return fresh_[kind]; }

CountedMemory CountingSpace::initial() const {
  CountedMemory memory;
  for (std::size_t v = 0; v < family_.variables.size(); ++v) {
    const ParametricVariable& variable = family_.variables[v];
    if (counter_of_[v] >= 0) {
      memory.counters.push_back({variable.initial[0].by_n, variable.initial[0].constant});
      continue;
    }
    for (std::int64_t i = 0; i < variable.size.constant; ++i) {
      const bool each =
          static_cast<std::int64_t>(variable.initial.size()) == variable.size.constant;
      memory.cells.push_back(variable.initial[each ? static_cast<std::size_t>(i) : 0].constant);
    }
  }
  return memory;
}

CountedPlace CountingSpace::after(CountedPlace place, const std::vector<int>& changed) const {
  for (Content& content : place.registers) {
    if (std::count(changed.begin(), changed.end(), content.counter) > 0) content.counter = -1;
  }
  return place;
}

std::vector<Effect> CountingSpace::effects(
    const std::vector<std::pair<const CountedPlace*, Count>>& places, std::size_t mover,
    const CountedMemory& memory) const {
  World world{*places[mover].first, memory, {}, {}, {}, {}};
  std::size_t symbols = 0;
  Linear n;
  world.shares.resize(counters_.size());
  Facts& facts = world.symbols.facts;
  for (const auto& [place, count] : places) {
    Linear number = Linear::number(count.least);
    if (count.or_more) {
      const Linear more = Linear::symbol(symbols++);
      facts.push_back(more);
      number = number + more;
    }
    n = n + number;
    for (std::size_t c = 0; c < counters_.size(); ++c) {
      world.shares[c] = world.shares[c].plus(number, place->shares[c]);
    }
  }
  facts.push_back(n + -family_.smallest);
  world.symbols.n = n;
  world.symbols.id = Linear::number(*programs_[world.mover.kind].id);
  for (std::size_t c = 0; c < counters_.size(); ++c) {
    const CountedCounter& counter = memory.counters[c];
    world.counters.push_back(world.shares[c].plus(n, counter.by_n) + counter.constant);
    const bool shared = std::any_of(places.begin(), places.end(),
                                    [&](const auto& place) { return place.first->shares[c] != 0; });
    if (shared || counter.by_n != 0) {
      // A name of its own, even where it is a number: so that what reads it is known to hold it.
      const Linear content = Linear::symbol(symbols++);
      facts.push_back(content - world.counters[c]);
      facts.push_back(world.counters[c] - content);
      world.counters[c] = content;
    }
    const ParametricRange& range = family_.variables[counters_[c]].range;
    facts.push_back(world.counters[c] - range.low.at(n));
    facts.push_back(range.high.at(n) - world.counters[c]);
  }
  world.local.at = world.mover.at;
  for (const Content& content : world.mover.registers) {
    Linear value = Linear::number(content.number);
    if (!content.is_number) {
      value = content.counter >= 0 ? world.counters[content.counter] : Linear::symbol(symbols++);
      if (content.low) facts.push_back(value - content.low->at(n));
      if (content.high) facts.push_back(content.high->at(n) - value);
    }
    world.local.registers.push_back(value);
  }
  std::vector<Effect> effects;
  // So many threads there cannot be.
  if (impossible(facts)) return effects;
  const SymbolicMachine& machine = machines_[world.mover.kind];
  const int variable = machine.variable(world.local);
  if (variable < 0) {
    take(world, -1, {}, effects);
    return effects;
  }
  for (const SymbolicMachine::Index& index : machine.index(world.local, world.symbols)) {
    if (index.within) {
      take(world, variable, index, effects);
      continue;
    }
    Effect& effect = effects.emplace_back();
    effect.fails = true;
    effect.what = "an index may be out of bounds: " + family_.variables[variable].name;
    effect.line = machine.line_at(world.local.at);
  }
  return effects;
}

void CountingSpace::take(const World& world, int variable, const SymbolicMachine::Index& index,
                         std::vector<Effect>& effects) const {
  const SymbolicMachine& machine = machines_[world.mover.kind];
  SymbolicWorld symbols = world.symbols;
  symbols.facts.insert(symbols.facts.end(), index.path.begin(), index.path.end());
  Linear old;
  std::size_t cell = 0;
  const bool counts = variable >= 0 && is_counter(variable);
  if (counts) {
    old = world.counters[counter_of_[variable]];
  } else if (variable >= 0) {
    if (!index.value.is_number())
      throw Unsupported{"an index that is no number here", machine.line_at(world.mover.at)};
    cell = static_cast<std::size_t>(cell_of_[variable] + index.value.constant);
    old = Linear::number(world.memory.cells[cell]);
  }
  for (SymbolicOutcome& outcome : machine.step(world.local, old, symbols)) {
    Effect& effect = effects.emplace_back();
    effect.line = machine.line(outcome.source);
    effect.what = outcome.what;
    effect.fails = outcome.end == StepEnd::fails;
    if (effect.fails) continue;
    Facts facts = symbols.facts;
    facts.insert(facts.end(), outcome.path.begin(), outcome.path.end());
    effect.memory = world.memory;
    effect.place = world.mover;
    std::vector<Linear> counters = world.counters;
    if (outcome.written && counts) {
      const int counter = counter_of_[variable];
      write(world, facts, counter, *outcome.written, effect, counters[counter]);
    } else if (outcome.written) {
      if (!outcome.written->is_number()) {
        throw Unsupported{"what is stored is no number here", machine.line(outcome.source)};
      }
      effect.memory.cells[cell] = outcome.written->constant;
    }
    effect.place.at = outcome.local.at;
    effect.place.stage = CountedPlace::Stage::running;
    effect.place.registers.clear();
    if (outcome.end == StepEnd::ends) {
      effect.place.stage = CountedPlace::Stage::ended;
      effect.place.kind = effect.place.at = 0;
      continue;
    }
    for (const Linear& value : outcome.local.registers) {
      effect.place.registers.push_back(content_of(world, facts, value, counters));
    }
  }
}

// A counter gets a value: the share of the thread grows, or all shares have another meaning.
void CountingSpace::write(const World& world, const Facts& facts, int counter, const Linear& value,
                          Effect& effect, Linear& now) const {
  const Linear growth = value - now;
  now = value;
  if (implies_zero(facts, growth)) return;
  effect.changed.push_back(counter);
  CountedCounter& content = effect.memory.counters[counter];
  const Linear& shares = world.shares[counter];
  if (value.is_number() && shares.is_number(0) && content.by_n == 0 && 0 <= value.constant &&
      value.constant <= largest_number_) {
    content.constant = value.constant;
    return;
  }
  int& share = effect.place.shares[counter];
  for (const int by : {1, -1, 2, -2}) {
    if (std::abs(share + by) > kMostShares || !implies_zero(facts, growth + -by)) continue;
    share += by;
    return;
  }
  for (const int by_n : {0, -1, 1, -2, 2}) {
    for (const int constant : {0, 1, -1, 2, -2}) {
      const Linear rest = value - shares.plus(world.symbols.n, by_n);
      if (!implies_zero(facts, rest + -constant)) continue;
      content = {by_n, constant};
      return;
    }
  }
  throw Unsupported{"what " + family_.variables[counters_[counter]].name +
                        " becomes is no sum of what threads have added",
                    effect.line};
}

Content CountingSpace::content_of(const World& world, const Facts& facts, const Linear& value,
                                  const std::vector<Linear>& counters) const {
  Content content;
  if (value.is_number()) {
    content.number = value.constant;
    return content;
  }
  content.is_number = false;
  for (std::size_t c = 0; c < counters.size() && content.counter < 0; ++c) {
    if (implies_zero(facts, value - counters[c])) content.counter = static_cast<int>(c);
  }
  for (const int low : {1, 0, -1}) {
    if (!implies(facts, value + -low)) continue;
    content.low = InN{low, 0};
    break;
  }
  for (const int high : {-1, 0, 1}) {
    if (!implies(facts, (world.symbols.n + high) - value)) continue;
    content.high = InN{high, 1};
    break;
  }
  return content;
}

}  // namespace headway::every
