#include "every/position_space.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace headway::every {
namespace {

using lang::idiom::AccessKind;
using lang::idiom::Expression;
using lang::idiom::Statement;

constexpr std::int64_t kMostValues = 16;
constexpr std::size_t kN = 0, kPosition = 1, kRead = 2, kRegisters = 3;

bool looks_at_ids(const Expression& e) {
  return e.kind == Expression::Kind::thread_id || e.kind == Expression::Kind::id ||
         std::any_of(e.operands.begin(), e.operands.end(), looks_at_ids);
}

bool looks_at_ids(const Statement& s) {
  const auto in = [](const auto& part) { return looks_at_ids(part); };
  return (s.expression && in(*s.expression)) ||
         std::any_of(s.indices.begin(), s.indices.end(), in) ||
         std::any_of(s.values.begin(), s.values.end(), in) ||
         std::any_of(s.body.begin(), s.body.end(), in) ||
         std::any_of(s.otherwise.begin(), s.otherwise.end(), in);
}

void put(std::vector<std::int64_t>& key, const std::optional<std::int64_t>& value) {
  key.insert(key.end(), {value.has_value(), value.value_or(0)});
}

bool is_fixed(const ParametricVariable& variable) {
  return variable.range.low.fixed() && variable.range.high.fixed();
}

std::int64_t values_of(const ParametricVariable& variable) {
  return variable.range.high.constant - variable.range.low.constant + 1;
}

}  // namespace

std::vector<std::int64_t> Between::key() const {
  std::vector<std::int64_t> key = {is_number, number};
  for (const auto& bound : {low, low_position, high, high_position, high_n}) put(key, bound);
  return key;
}

std::vector<std::int64_t> PositionPlace::key() const {
  std::vector<std::int64_t> key = {block,
                                   fresh,
                                   ended,
                                   static_cast<int>(position),
                                   static_cast<int>(baton),
                                   at,
                                   static_cast<std::int64_t>(guarded.size())};
  key.insert(key.end(), own.begin(), own.end());
  key.insert(key.end(), guarded.begin(), guarded.end());
  for (const Between& content : registers) {
    const auto part = content.key();
    key.insert(key.end(), part.begin(), part.end());
  }
  return key;
}

bool PositionSets::include(const PositionSets& written) {
  bool more = all_pass && !written.all_pass;
  all_pass = all_pass && written.all_pass;
  for (const auto& [mine, theirs] : {std::pair{&seen, &written.seen}, {&last, &written.last}}) {
    for (const auto& [owner, values] : *theirs) {
      for (const std::int64_t value : values) more |= (*mine)[owner].insert(value).second;
    }
  }
  for (const auto& guarded : written.handed) more |= handed.insert(guarded).second;
  return more;
}

struct PositionSpace::World {
  const PositionPlace& place;
  const PositionSets& sets;
  SymbolicWorld symbols;
  SymbolicLocal local;
  int variable = -1;
};

PositionSpace::PositionSpace(const Family& family) : family_(read_parametric(family)) {
  const lang::idiom::Syntax& syntax = family_.syntax;
  for (const ParametricVariable& variable : family_.variables) {
    if (!std::all_of(variable.initial.begin(), variable.initial.end(),
                     [](const InN& value) { return value.fixed(); })) {
      throw Unsupported{"an initial value that depends on N: " + variable.name, {}};
    }
  }
  bool ids = false;
  for (const auto& block : syntax.blocks) {
    programs_.push_back(program_of(family_, block, std::nullopt));
    bounds_.emplace_back(block.all ? InN{0, 0} : in_n(syntax, block.first),
                         block.all ? InN{-1, 1} : in_n(syntax, block.last));
    ids = ids || std::any_of(block.body.begin(), block.body.end(),
                             [](const Statement& s) { return looks_at_ids(s); });
  }
  for (const ParametricProgram& program : programs_) {
    machines_.emplace_back(family_.variables, program);
  }
  const bool all = programs_.size() == 1 && bounds_[0].first.constant == 0 &&
                   bounds_[0].first.fixed() && bounds_[0].second.constant == -1 &&
                   bounds_[0].second.by_n == 1;
  if (!all || ids) return;
  // The first step is a fetch_add of 1.
  const auto& code = programs_[0].code;
  std::size_t at = 0;
  while (code.instructions[at].kind == lang::idiom::Instruction::Kind::head ||
         code.instructions[at].kind == lang::idiom::Instruction::Kind::assign) {
    ++at;
  }
  const auto& in = code.instructions[at];
  const bool adds = in.kind == lang::idiom::Instruction::Kind::access &&
                    in.access == AccessKind::fetch_add && in.index < 0 &&
                    code.nodes[in.value].kind == lang::idiom::Node::Kind::number &&
                    code.nodes[in.value].number == 1;
  if (adds && family_.variables[in.variable].initial[0].constant == 0) drawn_from_ = in.variable;
}

PositionSets PositionSpace::beginning(bool drawn, std::vector<Role> roles) const {
  PositionSets sets;
  sets.drawn = drawn && drawn_from_;
  roles.resize(family_.variables.size(), Role::any);
  bool baton = false;
  for (std::size_t v = 0; v < family_.variables.size(); ++v) {
    const ParametricVariable& variable = family_.variables[v];
    const bool few = is_fixed(variable) && values_of(variable) <= kMostValues;
    const bool zero = variable.initial.size() == 1 && variable.initial[0].constant == 0;
    Role& role = roles[v];
    if (role < Role::any || role > Role::guarded) role = Role::any;
    if (sets.drawn && static_cast<int>(v) == *drawn_from_) role = Role::draw;
    if (role == Role::owned && (!few || !variable.is_array || variable.initial.size() != 1)) {
      role = Role::any;
    }
    if (role == Role::baton && (is_fixed(variable) || variable.is_array || !zero || baton)) {
      role = Role::any;
    }
    baton = baton || role == Role::baton;
    if (role == Role::guarded && (variable.is_array || !few)) role = Role::any;
  }
  std::vector<std::int64_t> handed;
  for (std::size_t v = 0; v < roles.size(); ++v) {
    const ParametricVariable& variable = family_.variables[v];
    if (!baton && roles[v] == Role::guarded) roles[v] = Role::any;
    if (roles[v] == Role::guarded) handed.push_back(variable.initial[0].constant);
    const bool few = is_fixed(variable) && values_of(variable) <= kMostValues;
    if (roles[v] != Role::owned && (roles[v] != Role::any || !few)) continue;
    for (const bool first : {true, false}) {
      for (const InN& value : variable.initial) {
        sets.seen[{static_cast<int>(v), first}].insert(value.constant);
      }
    }
  }
  sets.handed.insert(handed);
  sets.roles = std::move(roles);
  return sets;
}

PositionSets PositionSpace::written(const PositionEffect& effect, const PositionSets& sets) const {
  PositionSets result;
  const PositionPlace& place = effect.place;
  result.all_pass = !place.ended || place.baton == PositionPlace::Baton::passed;
  if (effect.passes) result.handed.insert(effect.handed);
  for (const bool first : {true, false}) {
    if (!place.may_be(first)) continue;
    if (effect.written >= 0) result.seen[{effect.written, first}].insert(effect.value);
    std::size_t i = 0;
    for (std::size_t v = 0; v < sets.roles.size() && place.ended; ++v) {
      if (sets.roles[v] != Role::owned) continue;
      result.last[{static_cast<int>(v), first}].insert(place.own[i++]);
    }
  }
  return result;
}

bool PositionSpace::is_accessed(int variable) const {
  return std::any_of(programs_.begin(), programs_.end(), [&](const ParametricProgram& program) {
    const auto& code = program.code.instructions;
    return std::any_of(code.begin(), code.end(), [&](const lang::idiom::Instruction& in) {
      return in.kind == lang::idiom::Instruction::Kind::access && in.variable == variable;
    });
  });
}

// How many variables of a role come in front of one.
std::size_t PositionSpace::rank(const PositionSets& sets, Role role, int variable) const {
  return static_cast<std::size_t>(
      std::count(sets.roles.begin(), sets.roles.begin() + variable, role));
}

Facts PositionSpace::known_of(int block, PositionPlace::At position, bool drawn) const {
  const Linear n = Linear::symbol(kN), at = Linear::symbol(kPosition);
  Facts facts = {n + -family_.smallest, at, n - at + -1};
  if (!drawn) {
    facts.push_back(at - bounds_[block].first.at(n));
    facts.push_back(bounds_[block].second.at(n) - at);
  }
  if (position == PositionPlace::At::first) facts.push_back(-1 * at);
  if (position == PositionPlace::At::behind) facts.push_back(at + -1);
  return facts;
}

std::vector<PositionPlace> PositionSpace::starts(const PositionSets& sets) const {
  std::vector<PositionPlace> places;
  for (std::size_t b = 0; b < programs_.size(); ++b) {
    const int block = static_cast<int>(b);
    const Facts facts = known_of(block, PositionPlace::At::anywhere, sets.drawn);
    if (impossible(facts)) continue;
    const SymbolicWorld world{Linear::symbol(kN), Linear::symbol(kPosition), facts};
    for (const SymbolicOutcome& outcome : machines_[b].start(world)) {
      PositionPlace& place = places.emplace_back();
      place.block = block;
      place.at = outcome.local.at;
      Facts all = facts;
      all.insert(all.end(), outcome.path.begin(), outcome.path.end());
      const Linear position = Linear::symbol(kPosition);
      if (implies(all, position + -1)) place.position = PositionPlace::At::behind;
      if (implies(all, -1 * position)) place.position = PositionPlace::At::first;
      for (const Linear& value : outcome.local.registers) {
        place.registers.push_back(between(all, value));
      }
      for (std::size_t v = 0; v < sets.roles.size(); ++v) {
        if (sets.roles[v] != Role::owned) continue;
        place.own.push_back(family_.variables[v].initial[0].constant);
      }
    }
  }
  return places;
}

Between PositionSpace::between(const Facts& facts, const Linear& value) const {
  Between result;
  if (value.is_number()) {
    result.number = value.constant;
    return result;
  }
  result.is_number = false;
  const Linear n = Linear::symbol(kN), position = Linear::symbol(kPosition);
  for (const int by : {1, 0, -1}) {
    if (!result.low && implies(facts, value + -by)) result.low = by;
    if (!result.low_position && implies(facts, value - position + -by)) result.low_position = by;
  }
  for (const int by : {-1, 0, 1}) {
    if (!result.high && implies(facts, -1 * value + by)) result.high = by;
    if (!result.high_n && implies(facts, n + by - value)) result.high_n = by;
    if (!result.high_position && implies(facts, position + by - value)) result.high_position = by;
  }
  return result;
}

void PositionSpace::refuse(const std::string& what, const PositionPlace& place, int variable,
                           std::vector<PositionEffect>& effects) const {
  PositionEffect& effect = effects.emplace_back();
  effect.fails = true;
  effect.what = what + ": " + family_.variables[variable].name;
  effect.against = variable;
  effect.line = line(place);
}

std::vector<PositionEffect> PositionSpace::effects(const PositionPlace& place,
                                                   const PositionSets& sets,
                                                   bool below_ended) const {
  const Linear n = Linear::symbol(kN), position = Linear::symbol(kPosition);
  const Linear read = Linear::symbol(kRead);
  World world{place, sets, {n, position, known_of(place.block, place.position, sets.drawn)}, {}};
  Facts& facts = world.symbols.facts;
  world.local.at = place.at;
  for (std::size_t r = 0; r < place.registers.size(); ++r) {
    const Between& content = place.registers[r];
    Linear value = Linear::number(content.number);
    if (!content.is_number) {
      value = Linear::symbol(kRegisters + r);
      if (content.low) facts.push_back(value + -*content.low);
      if (content.high) facts.push_back(-1 * value + *content.high);
      if (content.low_position) facts.push_back(value - position + -*content.low_position);
      if (content.high_position) facts.push_back(position + *content.high_position - value);
      if (content.high_n) facts.push_back(n + *content.high_n - value);
    }
    world.local.registers.push_back(value);
  }
  std::vector<PositionEffect> effects;
  if (impossible(facts)) return effects;
  const SymbolicMachine& machine = machines_[place.block];
  const int variable = world.variable = machine.variable(world.local);
  if (variable < 0) {
    if (sets.drawn && place.fresh)
      throw Unsupported{"a thread that draws no position", line(place)};
    step(world, {}, Linear(), {}, effects);
    return effects;
  }
  const ParametricVariable& declared = family_.variables[variable];
  const Role role = sets.roles[variable];
  if (sets.drawn && place.fresh != (role == Role::draw)) {
    refuse("positions are drawn once, and first", place, variable, effects);
    return effects;
  }
  const Linear low = declared.range.low.at(n), high = declared.range.high.at(n);
  for (const SymbolicMachine::Index& index : machine.index(world.local, world.symbols)) {
    if (!index.within) {
      PositionEffect& effect = effects.emplace_back();
      effect.fails = true;
      effect.what = "an index may be out of bounds: " + declared.name;
      effect.line = line(place);
      continue;
    }
    switch (role) {
      case Role::draw:
        step(world, index.path, position, {}, effects);
        break;
      case Role::any: {
        Facts more = index.path;
        more.insert(more.end(), {read - low, high - read});
        if (!is_fixed(declared) || values_of(declared) > kMostValues) {
          step(world, more, read, {}, effects);
          break;
        }
        std::set<std::int64_t> values;
        for (const bool first : {true, false}) {
          const auto found = sets.seen.find({variable, first});
          if (found != sets.seen.end()) values.insert(found->second.begin(), found->second.end());
        }
        for (const std::int64_t value : values) {
          if (value < low.constant || value > high.constant) continue;
          step(world, index.path, Linear::number(value), {}, effects);
        }
        break;
      }
      case Role::owned: {
        const Linear above = index.value - position;
        // Below at position 0, below behind it, at the thread's own, above.
        const std::vector<std::pair<int, Facts>> cases = {{-2, {-1 * above + -1, -1 * index.value}},
                                                          {-1, {-1 * above + -1, index.value + -1}},
                                                          {0, {above, -1 * above}},
                                                          {1, {above + -1}}};
        for (const auto& [side, fact] : cases) {
          Facts more = index.path;
          more.insert(more.end(), fact.begin(), fact.end());
          Facts all = facts;
          all.insert(all.end(), more.begin(), more.end());
          if (impossible(std::move(all))) continue;
          if (side == 0) {
            step(world, more, Linear::number(place.own[rank(sets, role, variable)]), true, effects);
            continue;
          }
          const auto& values = below_ended && side < 0 ? sets.last : sets.seen;
          const auto found = values.find({variable, side == -2});
          if (found == values.end()) continue;
          for (const std::int64_t value : found->second) {
            step(world, more, Linear::number(value), false, effects);
          }
        }
        break;
      }
      case Role::baton: {
        Facts more = {read - low, high - read, read};
        if (place.baton == PositionPlace::Baton::passed) more.push_back(read - position + -1);
        if (place.baton != PositionPlace::Baton::passed) more.push_back(position - read);
        const bool here =
            place.baton == PositionPlace::Baton::holds ||
            (place.baton == PositionPlace::Baton::waits && below_ended && sets.all_pass);
        if (here) more.push_back(read - position);
        step(world, more, read, {}, effects);
        break;
      }
      case Role::guarded:
        if (place.baton != PositionPlace::Baton::holds) {
          refuse("it is used by who does not hold the baton", place, variable, effects);
          return effects;
        }
        step(world, {}, Linear::number(place.guarded.at(rank(sets, role, variable))), {}, effects);
        break;
    }
  }
  return effects;
}

void PositionSpace::step(const World& world, const Facts& more, const Linear& old,
                         std::optional<bool> own, std::vector<PositionEffect>& effects) const {
  const SymbolicMachine& machine = machines_[world.place.block];
  const Linear position = Linear::symbol(kPosition);
  SymbolicWorld symbols = world.symbols;
  symbols.facts.insert(symbols.facts.end(), more.begin(), more.end());
  const Role role = world.variable < 0 ? Role::any : world.sets.roles[world.variable];
  for (SymbolicOutcome& outcome : machine.step(world.local, old, symbols)) {
    PositionEffect effect;
    effect.line = machine.line(outcome.source);
    effect.what = outcome.what;
    effect.fails = outcome.end == StepEnd::fails;
    if (effect.fails) {
      effects.push_back(std::move(effect));
      continue;
    }
    Facts facts = symbols.facts;
    facts.insert(facts.end(), outcome.path.begin(), outcome.path.end());
    PositionPlace& to = effect.place = world.place;
    to.fresh = false;
    to.ended = outcome.end == StepEnd::ends;
    to.at = outcome.local.at;
    if (implies(facts, position + -1)) to.position = PositionPlace::At::behind;
    if (implies(facts, -1 * position)) to.position = PositionPlace::At::first;
    to.registers.clear();
    for (std::size_t r = 0; r < outcome.local.registers.size(); ++r) {
      const Linear& value = outcome.local.registers[r];
      to.registers.push_back(to.ended ? Between() : between(facts, value));
      Change& change = effect.changes.emplace_back();
      const int reg = static_cast<int>(r);
      if (to.ended || !machine.is_live(world.place.at, reg) || !machine.is_live(to.at, reg))
        continue;
      const Linear growth = value - world.local.registers[r];
      change.never_grows = implies(facts, -1 * growth);
      change.falls = change.never_grows && implies(facts, -1 * growth + -1);
      change.never_falls = implies(facts, growth);
      change.grows = change.never_falls && implies(facts, growth + -1);
    }
    if (outcome.written && role == Role::owned) {
      if (!own.value_or(false)) {
        refuse("it is written by another than its owner", world.place, world.variable, effects);
        continue;
      }
      if (!outcome.written->is_number()) {
        refuse("what is stored is no number here", world.place, world.variable, effects);
        continue;
      }
      effect.written = world.variable;
      effect.value = to.own[rank(world.sets, role, world.variable)] = outcome.written->constant;
    }
    if (outcome.written && role == Role::any && world.variable >= 0) {
      const ParametricVariable& variable = family_.variables[world.variable];
      if (is_fixed(variable) && values_of(variable) <= kMostValues) {
        if (!outcome.written->is_number()) {
          refuse("what is stored is no number here", world.place, world.variable, effects);
          continue;
        }
        effect.written = world.variable;
        effect.value = outcome.written->constant;
      }
    }
    if (outcome.written && role == Role::guarded) {
      if (!outcome.written->is_number()) {
        refuse("what is stored is no number here", world.place, world.variable, effects);
        continue;
      }
      to.guarded.at(rank(world.sets, role, world.variable)) = outcome.written->constant;
    }
    if (outcome.written && role == Role::baton) {
      const bool next = implies_zero(facts, *outcome.written - position + -1);
      if (world.place.baton != PositionPlace::Baton::holds || !next) {
        refuse("it is written other than to pass it on", world.place, world.variable, effects);
        continue;
      }
      effect.passes = true;
      effect.handed = std::move(to.guarded);
      to.guarded.clear();
      to.baton = PositionPlace::Baton::passed;
    }
    if (to.ended) {
      to.at = 0;
      to.guarded.clear();
    }
    const bool sees = role == Role::baton && !outcome.written &&
                      world.place.baton == PositionPlace::Baton::waits &&
                      implies_zero(facts, old - position);
    if (!sees) {
      effects.push_back(std::move(effect));
      continue;
    }
    to.baton = PositionPlace::Baton::holds;
    for (const auto& guarded : world.sets.handed) {
      if (!to.ended) to.guarded = guarded;
      effects.push_back(effect);
    }
  }
}

}  // namespace headway::every
