#include "every/symbolic_machine.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace headway::every {
namespace {

using lang::idiom::AccessKind;
using lang::idiom::Instruction;
using lang::idiom::Node;
using lang::idiom::Operator;
using InstructionKind = Instruction::Kind;

constexpr std::size_t kMostPaths = 256;
// Registers and variables with so few values hold one of them, and no symbol.
constexpr std::int64_t kFewValues = 16;

// A step that goes wrong.
struct Fails {
  std::string what;
};

bool is_comparison(Operator op) { return op >= Operator::less && op <= Operator::not_equal; }

}  // namespace

// One way through a step. What is not decided is taken as the script says, and by the first
// alternative behind its end.
class SymbolicMachine::Path {
 public:
  Path(const SymbolicMachine& machine, const SymbolicWorld& world, std::vector<std::size_t> script)
      : machine_(machine), world_(world), facts_(world.facts), script_(std::move(script)) {}

  struct Decision {
    std::size_t taken = 0, alternatives = 0;
  };
  const std::vector<Decision>& decisions() const { return decisions_; }
  SymbolicOutcome outcome;

  // Which of the alternatives holds; at least one of them does.
  std::size_t choose(const std::vector<Facts>& alternatives) {
    std::vector<std::size_t> possible;
    for (std::size_t a = 0; a < alternatives.size(); ++a) {
      Facts facts = facts_;
      facts.insert(facts.end(), alternatives[a].begin(), alternatives[a].end());
      if (!impossible(std::move(facts))) possible.push_back(a);
    }
    // Nothing is possible where the facts contradict each other.
    if (possible.empty()) possible.push_back(0);
    std::size_t taken = 0;
    if (possible.size() > 1) {
      taken = decisions_.size() < script_.size() ? script_[decisions_.size()] : 0;
      decisions_.push_back({taken, possible.size()});
    }
    const Facts& facts = alternatives[possible[taken]];
    facts_.insert(facts_.end(), facts.begin(), facts.end());
    outcome.path.insert(outcome.path.end(), facts.begin(), facts.end());
    return possible[taken];
  }

  bool at_least_zero(const Linear& sum) {
    if (sum.is_number()) return sum.constant >= 0;
    return choose({{sum}, {-1 * sum + -1}}) == 0;
  }
  // -1, 0, 1
  int sign(const Linear& sum) {
    if (sum.is_number()) return sum.constant < 0 ? -1 : sum.constant > 0;
    return static_cast<int>(choose({{-1 * sum + -1}, {sum, -1 * sum}, {sum + -1}})) - 1;
  }
  bool is_true(const Linear& value) { return sign(value) != 0; }

  Linear value(int node) {
    const Node& n = machine_.program_.code.nodes[node];
    switch (n.kind) {
      case Node::Kind::number:
        return Linear::number(n.number);
      case Node::Kind::reg:
        if (n.number == machine_.program_.n_register) return world_.n;
        if (n.number == machine_.program_.id_register) return world_.id;
        return outcome.local.registers[static_cast<std::size_t>(n.number)];
      case Node::Kind::conditional:
        return value(is_true(value(n.a)) ? n.b : n.c);
      case Node::Kind::unary:
      case Node::Kind::binary:
        break;
      default:
        unsupported("an element of registers, or a bounded index");
    }
    return operation(n);
  }

  Linear operation(const Node& n) {
    const Linear a = value(n.a);
    if (n.op == Operator::logical_not) return Linear::number(!is_true(a));
    if (n.op == Operator::negate) return -1 * a;
    if (n.op == Operator::logical_and && !is_true(a)) return Linear::number(0);
    if (n.op == Operator::logical_or && is_true(a)) return Linear::number(1);
    const Linear b = n.kind == Node::Kind::binary ? value(n.b) : Linear();
    if (n.op == Operator::logical_and || n.op == Operator::logical_or) {
      return Linear::number(is_true(b));
    }
    if (is_comparison(n.op)) return Linear::number(compare(n.op, a - b));
    if (n.op == Operator::add) return a + b;
    if (n.op == Operator::subtract) return a - b;
    if (n.op == Operator::multiply && a.is_number()) return a.constant * b;
    if (n.op == Operator::multiply && b.is_number()) return b.constant * a;
    if (!a.is_number() || !b.is_number()) {
      unsupported("an operation on what is no number here");
    }
    std::int64_t result = 0;
    const auto failure = lang::idiom::apply(n.op, a.constant, b.constant, result);
    if (failure != lang::idiom::Failure::Kind::none) throw Fails{to_string(failure)};
    return Linear::number(result);
  }

  bool compare(Operator op, const Linear& difference) {
    switch (op) {
      case Operator::less:
        return !at_least_zero(difference);
      case Operator::less_equal:
        return at_least_zero(-1 * difference);
      case Operator::greater:
        return !at_least_zero(-1 * difference);
      case Operator::greater_equal:
        return at_least_zero(difference);
      case Operator::equal:
        return sign(difference) == 0;
      default:
        return sign(difference) != 0;
    }
  }

  // The value as it is when it is put into a range; throws where it may be outside.
  Linear within(const Linear& value, const ParametricRange& range, const std::string& name) {
    const Linear low = range.low.at(world_.n), high = range.high.at(world_.n);
    if (range.wraps) {
      if (!value.is_number()) {
        unsupported("what wraps is no number here: " + name);
      }
      const std::int64_t count = high.constant - low.constant + 1;
      const std::int64_t rest = ((value.constant - low.constant) % count + count) % count;
      return Linear::number(low.constant + rest);
    }
    if (!at_least_zero(value - low) || !at_least_zero(high - value)) {
      throw Fails{fmt::format("{} may leave its range", name)};
    }
    const bool fixed = range.low.fixed() && range.high.fixed();
    if (!value.is_number() && fixed && high.constant - low.constant < kFewValues) {
      std::vector<Facts> each;
      for (std::int64_t v = low.constant; v <= high.constant; ++v) {
        each.push_back({value + -v, -1 * value + v});
      }
      return Linear::number(low.constant + static_cast<std::int64_t>(choose(each)));
    }
    return value;
  }

  void set(int reg, const Linear& value) {
    const ParametricRange* range = machine_.range(reg);
    Linear& to = outcome.local.registers[static_cast<std::size_t>(reg)];
    to = range == nullptr ? value
                          : within(value, *range, machine_.program_.code.registers[reg].name);
  }

  void compute() {
    int& at = outcome.local.at;
    const Instruction& in = machine_.program_.code.instructions[at];
    outcome.source = in.source;
    int next = at + 1;
    switch (in.kind) {
      case InstructionKind::assign:
        if (in.index >= 0) unsupported("an array of registers");
        set(in.target, value(in.value));
        break;
      case InstructionKind::branch:
        if (!is_true(value(in.value))) next = in.target;
        break;
      case InstructionKind::jump:
        next = in.target;
        break;
      case InstructionKind::assertion:
        if (!is_true(value(in.value))) throw Fails{"the assertion may not hold"};
        break;
      default:
        unsupported("a statement of another kind");
    }
    at = next;
  }

  // As Machine::run().
  void run() {
    const auto& instructions = machine_.program_.code.instructions;
    std::vector<bool> passed(instructions.size());
    int& at = outcome.local.at;
    while (true) {
      const InstructionKind kind = instructions[at].kind;
      if (kind == InstructionKind::head) {
        if (passed[at]) break;
        passed[at] = true;
        ++at;
      } else if (lang::idiom::is_stop(kind)) {
        break;
      } else {
        compute();
      }
    }
    if (instructions[at].kind == InstructionKind::end) outcome.end = StepEnd::ends;
    forget();
  }

  void forget() {
    for (int r = 0; r < machine_.registers(); ++r) {
      if (!machine_.is_live(outcome.local.at, r)) outcome.local.registers[r] = Linear();
    }
  }

  void perform(const Linear& old) {
    const Instruction& in = machine_.program_.code.instructions[outcome.local.at];
    outcome.source = in.source;
    if (in.kind == InstructionKind::head) return;
    if (in.kind != InstructionKind::access) {
      unsupported("a statement of another kind");
    }
    const ParametricVariable& variable = machine_.variables_[in.variable];
    const Linear operand = in.value >= 0 ? value(in.value) : Linear();
    const Linear second = in.second >= 0 ? value(in.second) : Linear();
    std::optional<Linear> written = written_by(in, old, operand, second);
    if (written) written = within(*written, variable.range, variable.name);
    outcome.written = written;
    if (in.target >= 0) set(in.target, old);
    ++outcome.local.at;
  }

  std::optional<Linear> written_by(const Instruction& in, const Linear& old, const Linear& operand,
                                   const Linear& second) {
    switch (in.access) {
      case AccessKind::load:
        return std::nullopt;
      case AccessKind::store:
      case AccessKind::exch:
        return operand;
      case AccessKind::cas:
        if (sign(old - operand) == 0) return second;
        return std::nullopt;
      case AccessKind::fetch_add:
        return old + operand;
      case AccessKind::fetch_sub:
        return old - operand;
      case AccessKind::fetch_min:
        return at_least_zero(operand - old) ? old : operand;
      case AccessKind::fetch_max:
        return at_least_zero(old - operand) ? old : operand;
      default:
        break;
    }
    if (!old.is_number() || !operand.is_number() || in.access == AccessKind::weak_cas) {
      unsupported("an operation on what is no number here");
    }
    const Operator op = in.access == AccessKind::fetch_and  ? Operator::bit_and
                        : in.access == AccessKind::fetch_or ? Operator::bit_or
                                                            : Operator::bit_xor;
    std::int64_t result = 0;
    lang::idiom::apply(op, old.constant, operand.constant, result);
    return Linear::number(result);
  }

 private:
  [[noreturn]] void unsupported(const std::string& text) const {
    throw Unsupported{text, machine_.line(outcome.source)};
  }

  const SymbolicMachine& machine_;
  const SymbolicWorld& world_;
  Facts facts_;
  std::vector<std::size_t> script_;
  std::vector<Decision> decisions_;
};

std::vector<SymbolicOutcome> SymbolicMachine::step(const SymbolicLocal& local, const Linear& old,
                                                   const SymbolicWorld& world) const {
  std::vector<SymbolicOutcome> outcomes;
  std::vector<std::vector<std::size_t>> scripts = {{}};
  while (!scripts.empty()) {
    Path path(*this, world, scripts.back());
    const std::size_t known = scripts.back().size();
    const std::vector<std::size_t> script = scripts.back();
    scripts.pop_back();
    path.outcome.local = local;
    try {
      path.perform(old);
      path.run();
    } catch (const Fails& fails) {
      path.outcome.end = StepEnd::fails;
      path.outcome.what = fails.what;
    }
    // The other alternatives of what has come up here.
    for (std::size_t d = known; d < path.decisions().size(); ++d) {
      for (std::size_t a = 1; a < path.decisions()[d].alternatives; ++a) {
        std::vector<std::size_t> other = script;
        other.resize(d, 0);
        other.push_back(a);
        scripts.push_back(std::move(other));
      }
    }
    outcomes.push_back(std::move(path.outcome));
    if (outcomes.size() + scripts.size() > kMostPaths) {
      throw Unsupported{"too many cases in a step", line(outcomes.back().source)};
    }
  }
  return outcomes;
}

std::vector<SymbolicOutcome> SymbolicMachine::start(const SymbolicWorld& world) const {
  SymbolicLocal first;
  first.registers.resize(program_.code.registers.size());
  for (int r = 0; r < program_.n_register; ++r) {
    const ParametricRange& range = program_.registers[r];
    const Linear low = range.low.at(world.n), high = range.high.at(world.n);
    const bool zero = implies(world.facts, -1 * low) && implies(world.facts, high);
    if (!zero && !low.is_number())
      throw Unsupported{"a register whose first value depends on N", {}};
    if (!zero && is_live(0, r)) first.registers[r] = low;
  }
  // The computation in front of the first access; the first instruction is the head of it.
  std::vector<SymbolicOutcome> outcomes = step(first, Linear(), world);
  for (SymbolicOutcome& outcome : outcomes) {
    if (outcome.end != StepEnd::goes_on) outcome.local = first;
    outcome.end = StepEnd::goes_on;
    outcome.written.reset();
  }
  return outcomes;
}

lang::SourceLine SymbolicMachine::line_at(int at) const {
  const auto& instructions = program_.code.instructions;
  while (instructions[at].source < 0 && at + 1 < static_cast<int>(instructions.size())) ++at;
  return line(instructions[at].source);
}

int SymbolicMachine::variable(const SymbolicLocal& local) const {
  const Instruction& in = program_.code.instructions[local.at];
  return in.kind == InstructionKind::access ? in.variable : -1;
}

AccessKind SymbolicMachine::access(const SymbolicLocal& local) const {
  return program_.code.instructions[local.at].access;
}

std::vector<SymbolicMachine::Index> SymbolicMachine::index(const SymbolicLocal& local,
                                                           const SymbolicWorld& world) const {
  const Instruction& in = program_.code.instructions[local.at];
  if (in.index < 0) return {{}};
  // An index without comparisons is a sum.
  Path path(*this, world, {});
  path.outcome.local = local;
  path.outcome.source = in.source;
  Index within, outside;
  try {
    within.value = path.value(in.index);
  } catch (const Fails&) {
    outside.within = false;
    return {outside};
  }
  if (!path.decisions().empty()) throw Unsupported{"an index that is no sum", line(in.source)};
  const Linear last = variables_[in.variable].size.at(world.n) + -1;
  within.path = {within.value, last - within.value};
  std::vector<Index> result;
  for (const Linear& beyond : {-1 * within.value + -1, within.value - last + -1}) {
    Facts facts = world.facts;
    facts.push_back(beyond);
    if (impossible(facts)) continue;
    outside.within = false;
    outside.path = {beyond};
    result.push_back(outside);
  }
  Facts facts = world.facts;
  facts.insert(facts.end(), within.path.begin(), within.path.end());
  if (!impossible(std::move(facts))) result.push_back(within);
  return result;
}

}  // namespace headway::every
