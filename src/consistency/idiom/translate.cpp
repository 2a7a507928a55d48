#include "consistency/idiom/translate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "consistency/idiom/strengths.hpp"
#include "consistency/idiom/terms.hpp"
#include "lang/idiom/code.hpp"
#include "lang/idiom/source.hpp"

namespace headway::consistency::idiom {
namespace {

using lang::idiom::AccessKind;
using lang::idiom::Code;
using lang::idiom::Node;
using lang::idiom::SharedVariable;
using lang::idiom::ThreadCode;
using IdiomInstruction = lang::idiom::Instruction;
using Kind = Instruction::Kind;

// The operation of an access that reads and writes; none: it does not compute.
std::optional<Term::Kind> operation_of(AccessKind kind) {
  switch (kind) {
    case AccessKind::fetch_add:
      return Term::Kind::add;
    case AccessKind::fetch_sub:
      return Term::Kind::subtract;
    case AccessKind::fetch_min:
      return Term::Kind::minimum;
    case AccessKind::fetch_max:
      return Term::Kind::maximum;
    case AccessKind::fetch_and:
      return Term::Kind::bit_and;
    case AccessKind::fetch_or:
      return Term::Kind::bit_or;
    case AccessKind::fetch_xor:
      return Term::Kind::bit_xor;
    case AccessKind::load:
    case AccessKind::store:
    case AccessKind::exch:
    case AccessKind::cas:
    case AccessKind::weak_cas:
      break;
  }
  return std::nullopt;
}

Kind kind_of(AccessKind kind) {
  switch (kind) {
    case AccessKind::load:
      return Kind::load;
    case AccessKind::store:
      return Kind::store;
    case AccessKind::exch:
      return Kind::exchange;
    case AccessKind::cas:
      return Kind::compare_exchange;
    case AccessKind::weak_cas:
      throw Error("'weak_cas' chooses whether it fails; expected 'cas'");
    case AccessKind::fetch_add:
    case AccessKind::fetch_sub:
    case AccessKind::fetch_min:
    case AccessKind::fetch_max:
    case AccessKind::fetch_and:
    case AccessKind::fetch_or:
    case AccessKind::fetch_xor:
      return Kind::update;
  }
  return Kind::update;
}

// A value taken modulo the size of a range, into it.
Term wrapped(const Term& value, Number low, Number high) {
  const Number size = high - low + 1;
  const auto remainder = [&](Term of) {
    return Term::of(Term::Kind::remainder, std::move(of), Term::constant(size));
  };
  Term over = remainder(Term::of(Term::Kind::subtract, value, Term::constant(low)));
  // The remainder of what is less than 0 is not more than 0.
  Term positive = remainder(Term::of(Term::Kind::add, std::move(over), Term::constant(size)));
  return Term::of(Term::Kind::add, std::move(positive), Term::constant(low));
}

class ThreadTranslator {
 public:
  ThreadTranslator(const Code& code, const ThreadCode& thread, const std::string& language)
      : code_(code),
        thread_(thread),
        language_(language),
        terms_(thread, code, [this](const Node& load) { return read_at_once(load); }) {}

  Thread run(std::string name, std::vector<int> place) {
    result_.name = std::move(name);
    result_.place = std::move(place);
    for (const auto& range : thread_.registers) {
      result_.registers.push_back(range.name.empty() ? fmt::format("${}", result_.registers.size())
                                                     : range.name);
      result_.initial.push_back(range.low <= 0 && range.high >= 0 ? 0 : range.low);
    }
    for (const IdiomInstruction& in : thread_.instructions) {
      begins_.push_back(result_.code.size());
      source_ = in.source;
      translate(in);
    }
    begins_.push_back(result_.code.size());
    for (const auto& [from, to] : jumps_) {
      result_.code[from].to = begins_[static_cast<std::size_t>(to)];
    }
    return std::move(result_);
  }

  // The line of the text that is being translated; 0: none.
  int line() const {
    return source_ < 0 ? 0 : thread_.sources[static_cast<std::size_t>(source_)].line;
  }

 private:
  void translate(const IdiomInstruction& in) {
    using In = IdiomInstruction::Kind;
    switch (in.kind) {
      case In::assign:
        return assign(in);
      case In::branch:
        return jump({Kind::branch}, Term::negated(term(in.value).term), in.target);
      case In::jump:
        return in.is_fence ? fence(in) : jump({Kind::jump}, {}, in.target);
      case In::assertion:
        return fail_where(Term::negated(term(in.value).term), "the assertion does not hold");
      case In::access:
        return access(in);
      case In::head:
        return;
      case In::end:
        return jump({Kind::jump}, {}, static_cast<int>(thread_.instructions.size()));
      case In::await:
        // Who waits so takes no step, and then no other may stop; who waits in a loop takes steps.
        refuse("an await");
      case In::assumption:
        refuse("an assumption");
      case In::arrive:
      case In::wait:
      case In::pass:
        refuse("a barrier");
      case In::choice:
        refuse("a choice");
      case In::meet:
      case In::gather:
      case In::receive:
        refuse("an operation of a subgroup");
    }
  }

  [[noreturn]] static void refuse(const char* what) {
    throw Error(fmt::format("{} is not read with --memory", what));
  }

  Instruction& emit(Instruction instruction) {
    if (source_ >= 0) {
      const auto& source = thread_.sources[static_cast<std::size_t>(source_)];
      instruction.line = source.line;
      instruction.text = source.text;
    }
    result_.code.push_back(std::move(instruction));
    return result_.code.back();
  }

  void jump(Instruction instruction, Term condition, int to) {
    instruction.value = std::move(condition);
    emit(std::move(instruction));
    jumps_.emplace_back(result_.code.size() - 1, to);
  }

  void fail_where(Term condition, std::string text) {
    Instruction error{Kind::error};
    error.value = std::move(condition);
    error.fault = std::move(text);
    emit(std::move(error));
  }

  // What can go wrong in an expression stands in front of what it is for.
  BoundedTerm term(int node) {
    std::vector<Fault> faults;
    BoundedTerm result = terms_.of(node, faults);
    for (Fault& fault : faults) fail_where(std::move(fault.condition), std::move(fault.text));
    return result;
  }

  // A value that is put where values have a range.
  Term put(BoundedTerm value, Number low, Number high, bool wraps, const std::string& where) {
    if (value.bounds.within(low, high)) return std::move(value.term);
    if (wraps) return wrapped(value.term, low, high);
    fail_where(outside(value.term, low, high), out_of_range(where, low, high));
    return std::move(value.term);
  }
  static std::string out_of_range(const std::string& where, Number low, Number high) {
    return fmt::format("a value out of the range of {}, {} to {}", where, low, high);
  }

  void assign(const IdiomInstruction& in) {
    int target = in.target;
    if (in.index >= 0) {
      const BoundedTerm index = term(in.index);
      if (index.bounds.low != index.bounds.high || !index.bounds.within(0, in.count - 1)) {
        refuse("a register of an array that is chosen by a register");
      }
      target += static_cast<int>(index.bounds.low);
    }
    const auto& range = thread_.registers[static_cast<std::size_t>(target)];
    Instruction assign{Kind::assign};
    assign.target = target;
    assign.value = put(term(in.value), range.low, range.high, range.wraps,
                       result_.registers[static_cast<std::size_t>(target)]);
    emit(std::move(assign));
  }

  void fence(const IdiomInstruction& in) {
    Instruction fence{Kind::fence};
    tag(fence, language_, std::nullopt, in.strength, false);
    emit(std::move(fence));
  }

  // Where a variable is: the cell of its first element, and the index of the one that is meant.
  void locate(int variable, int index, Instruction& instruction) {
    const SharedVariable& shared = code_.variables[static_cast<std::size_t>(variable)];
    instruction.location =
        shared.first_cell + (shared.per_workgroup ? thread_.workgroup * shared.size : 0);
    if (index < 0) return;
    const BoundedTerm at = term(index);
    if (!at.bounds.within(0, shared.size - 1)) {
      fail_where(
          outside(at.term, 0, shared.size - 1),
          fmt::format("an index out of bounds: {} has {} elements", shared.name, shared.size));
    }
    if (at.bounds.low == at.bounds.high && at.bounds.within(0, shared.size - 1)) {
      instruction.location += static_cast<int>(at.bounds.low);
      return;
    }
    instruction.elements = shared.size;
    instruction.index = at.term;
  }

  void access(const IdiomInstruction& in) {
    const SharedVariable& variable = code_.variables[static_cast<std::size_t>(in.variable)];
    Instruction access{kind_of(in.access)};
    tag(access, language_, in.access, in.strength, variable.per_workgroup);
    locate(in.variable, in.index, access);
    const auto stored = [&](int node) {
      return put(term(node), variable.low, variable.high, variable.wraps, variable.name);
    };
    access.target = in.target;
    if (access.kind == Kind::compare_exchange) {
      access.expected = term(in.value).term;
      access.value = stored(in.second);
    } else if (access.kind == Kind::store || access.kind == Kind::exchange) {
      access.value = stored(in.value);
    } else if (access.kind == Kind::update) {
      update(in, variable, std::move(access));
      return keep(in.target, variable);
    }
    emit(std::move(access));
    keep(in.target, variable);
  }

  // What was read is in a register, whose range may be narrower than that of the variable.
  void keep(int target, const SharedVariable& variable) {
    if (target < 0) return;
    const auto& range = thread_.registers[static_cast<std::size_t>(target)];
    const Bounds read = {variable.low, variable.high};
    if (read.within(range.low, range.high)) return;
    const std::size_t before = result_.code.size();
    Instruction assign{Kind::assign};
    assign.target = target;
    assign.value = put({Term::of_register(target), read}, range.low, range.high, range.wraps,
                       result_.registers[static_cast<std::size_t>(target)]);
    if (result_.code.size() == before) emit(std::move(assign));
  }

  // What an update writes is out of range or not as it has read.
  void update(const IdiomInstruction& in, const SharedVariable& variable, Instruction access) {
    const BoundedTerm operand = term(in.value);
    access.value = operand.term;
    access.update = *operation_of(in.access);
    constexpr Number far = Number{1} << 62;
    if (!operand.bounds.within(-far, far)) refuse("an update by a number of more than 62 bits");
    const Bounds old = {variable.low, variable.high};
    const Bounds written = bounds_of(access.update, old, operand.bounds);
    if (written.within(variable.low, variable.high)) {
      emit(std::move(access));
      return;
    }
    if (variable.wraps) {
      access.lowest = variable.low;
      access.modulus = Number{variable.high} - variable.low + 1;
      emit(std::move(access));
      return;
    }
    if (access.target < 0) access.target = new_register();
    // The operand may name the register that the old value goes into.
    const Term old_value = Term::of_register(access.target);
    if (names(operand.term, access.target)) {
      refuse("an update whose operand is the register that it sets");
    }
    const Term result = Term::of(access.update, old_value, operand.term);
    emit(std::move(access));
    fail_where(outside(result, variable.low, variable.high),
               out_of_range(variable.name, variable.low, variable.high));
  }

  // One that the text does not know.
  int new_register() {
    const auto number = static_cast<int>(result_.registers.size());
    result_.registers.push_back(fmt::format("${}", number));
    result_.initial.push_back(0);
    return number;
  }

  static bool names(const Term& term, int which) {
    if (term.kind == Term::Kind::of_register && term.number == which) return true;
    return std::any_of(term.operands.begin(), term.operands.end(),
                       [&](const Term& operand) { return names(operand, which); });
  }

  static Bounds bounds_of(Term::Kind update, const Bounds& old, const Bounds& operand) {
    if (update == Term::Kind::add) return {old.low + operand.low, old.high + operand.high};
    if (update == Term::Kind::subtract) return {old.low - operand.high, old.high - operand.low};
    if (update == Term::Kind::minimum) {
      return {std::min(old.low, operand.low), std::min(old.high, operand.high)};
    }
    if (update == Term::Kind::maximum) {
      return {std::max(old.low, operand.low), std::max(old.high, operand.high)};
    }
    return {INT64_MIN, INT64_MAX};  // of bits: any
  }

  // Within an assertion behind the end, when all is over.
  int read_at_once(const Node& load) {
    Instruction access{Kind::load};
    const auto variable = static_cast<int>(load.number);
    tag(access, language_, AccessKind::load, load.strength,
        code_.variables[static_cast<std::size_t>(variable)].per_workgroup);
    locate(variable, load.a, access);
    const int target = access.target = new_register();
    emit(std::move(access));
    return target;
  }

  const Code& code_;
  const ThreadCode& thread_;
  const std::string& language_;
  Terms terms_;
  Thread result_;
  std::vector<std::size_t> begins_;                 // by instruction of the code
  std::vector<std::pair<std::size_t, int>> jumps_;  // to which instruction of the code
  int source_ = -1;
};

// What there is no execution graph for, whatever the threads do.
void refuse_launch(const Code& code) {
  if (code.lockstep || code.reading) {
    throw Error("threads in lockstep are not read with --memory");
  }
}

}  // namespace

bool is_idiom(const lang::Test& test) { return lang::idiom::find_code(test) != nullptr; }

const lang::idiom::Syntax& syntax_of(const lang::Test& test) {
  return static_cast<const lang::idiom::IdiomSource&>(*test.source).syntax();
}

Program translate(const lang::Test& test, const std::string& file, const std::string& language) {
  const auto code = lang::idiom::find_code(test);
  Program program = program_in(language, test.name);
  for (std::size_t cell = 0; cell < code->initial.size(); ++cell) {
    const auto& variable = code->variables[static_cast<std::size_t>(code->variable_of[cell])];
    program.locations.push_back({code->cell_name(static_cast<int>(cell)), code->initial[cell],
                                 initial_tags(language, variable.per_workgroup)});
  }
  int line = 0;
  try {
    refuse_launch(*code);
    const Topology& topology = code->topology;
    const int subgroup = topology.subgroup_threads();
    for (std::size_t t = 0; t < code->threads.size(); ++t) {
      const ThreadCode& thread = code->threads[t];
      const int id = static_cast<int>(t);
      ThreadTranslator translator(*code, thread, language);
      try {
        program.threads.push_back(
            translator.run(fmt::format("P{}", t), {0, thread.workgroup, id / subgroup}));
      } catch (const Error&) {
        line = translator.line();
        throw;
      }
    }
    if (!code->final.sources.empty()) {
      program.final = ThreadTranslator(*code, code->final, language).run("final", {});
    }
  } catch (const Error& error) {
    throw Error({file, line, line > 0 ? 1 : 0}, error.what());
  }
  return program;
}

}  // namespace headway::consistency::idiom
