#include "kernel/slice/expressions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#include "kernel/ir/arithmetic.hpp"
#include "lang/test.hpp"

namespace headway::kernel::slice {

void Expressions::refuse(const Instruction& at, const std::string& why) const {
  throw lang::Undecided(fmt::format("unsupported: line {}: {}", at.place.line, why));
}

const Seen& Expressions::seen(ValueId id, const Instruction& at) const {
  const Seen& of = observed_.value(id);
  if (of.other)
    refuse(at, "what threads do hangs on unknown data, or on something that is no integer");
  return of;
}

// Whether a result between these does not fit the type.
bool Expressions::wraps(const Instruction& i, __int128 low, __int128 high) const {
  if (i.type.bits == 1) return low < 0 || high > 1;
  const __int128 end = static_cast<__int128>(1) << (i.type.bits - 1);
  return low < -end || high >= end;
}

// Of operations whose result is that of unbounded integers.
void Expressions::require_exact(const Instruction& i) const {
  const Seen& a = seen(i.operands[0], i);
  const Seen& b = i.operands.size() > 1 ? seen(i.operands[1], i) : a;
  using Wide = __int128;
  const auto range = [&](Wide w, Wide x, Wide y, Wide z) {
    if (wraps(i, std::min({w, x, y, z}), std::max({w, x, y, z}))) {
      refuse(i, "a number that may wrap around");
    }
  };
  const Wide al = a.low, ah = a.high, bl = b.low, bh = b.high;
  const auto require_natural = [&] {
    if (al < 0 || bl < 0) refuse(i, "an operation on unsigned numbers of 2^31 or more");
  };
  if (is_one_of(i.op, OpClass::unsigned_order)) return require_natural();
  if (i.op == Op::zext && al < 0) refuse(i, "an unsigned number of 2^31 or more");
  if (i.op == Op::trunc && wraps(i, al, ah)) refuse(i, "a number that is cut off");
  if (!is_one_of(i.op, OpClass::arithmetic, OpClass::division, OpClass::shift)) return;
  switch (as_integer(i.op)) {
    case IntegerOp::add:
      return range(al + bl, al + bl, ah + bh, ah + bh);
    case IntegerOp::sub:
      return range(al - bh, al - bh, ah - bl, ah - bl);
    case IntegerOp::mul:
      return range(al * bl, al * bh, ah * bl, ah * bh);
    case IntegerOp::shl:
      if (bl < 0 || bh > 40) refuse(i, "a shift that is no small number");
      return range(al << static_cast<int>(bl), al << static_cast<int>(bh),
                   ah << static_cast<int>(bl), ah << static_cast<int>(bh));
    case IntegerOp::udiv:
    case IntegerOp::urem:
    case IntegerOp::lshr:
      return require_natural();
    case IntegerOp::sdiv:
    case IntegerOp::srem:
    case IntegerOp::ashr:
    case IntegerOp::bit_and:
    case IntegerOp::bit_or:
    case IntegerOp::bit_xor:
      return;  // the same of numbers as of those that are written here
  }
}

Text Expressions::number(std::int64_t value) const {
  Text result{std::to_string(value), value < 0 ? kUnary : 100, "", {}, false};
  return result;
}

Text Expressions::joined(const Text& a, const std::string& sign, const Text& b,
                         int strength) const {
  Text result{a.in(strength) + " " + sign + " " + b.in(strength + 1), strength, "", a.registers,
              a.has_access || b.has_access};
  result.registers.insert(b.registers.begin(), b.registers.end());
  return result;
}

Text Expressions::binary(const Instruction& i, const char* sign, int strength) {
  require_exact(i);
  return joined(value(i.operands[0]), sign, value(i.operands[1]), strength);
}

Text Expressions::comparison(const Instruction& i) {
  if (!function_.values[i.operands[0]].type.is_integer()) refuse(i, "a comparison of pointers");
  require_exact(i);
  const Text a = value(i.operands[0]);
  const Text b = value(i.operands[1]);
  const auto signs = [&]() -> std::pair<const char*, const char*> {
    switch (as_comparison(i.op)) {
      case ComparisonOp::eq:
        return {"==", "!="};
      case ComparisonOp::ne:
        return {"!=", "=="};
      case ComparisonOp::ult:
      case ComparisonOp::slt:
        return {"<", ">="};
      case ComparisonOp::ule:
      case ComparisonOp::sle:
        return {"<=", ">"};
      case ComparisonOp::ugt:
      case ComparisonOp::sgt:
        return {">", "<="};
      case ComparisonOp::uge:
      case ComparisonOp::sge:
        return {">=", "<"};
    }
    std::abort();  // there are no others
  }();
  // A comparison of a condition with 0 or 1 is the condition.
  const Seen& left = seen(i.operands[0], i);
  const bool is_condition =
      left.low >= 0 && left.high <= 1 && (a.strength < 60 || !a.negated.empty());
  if (is_condition && (i.op == Op::eq || i.op == Op::ne) && (b.text == "0" || b.text == "1")) {
    return (i.op == Op::eq) == (b.text == "1") ? a : negated(a);
  }
  const int strength = i.op == Op::eq || i.op == Op::ne ? 45 : 50;
  Text result = joined(a, signs.first, b, strength);
  result.negated = joined(a, signs.second, b, strength).text;
  return result;
}

Text Expressions::builtin(const Instruction& i) const {
  const auto dimension = static_cast<std::size_t>(i.dimension);
  const auto of = [&](const Size3& size, const std::string& id) -> Text {
    std::uint64_t below = 1;
    for (std::size_t d = 0; d < dimension; ++d) below *= size[d];
    if (size[dimension] == 1) return {"0", 100, "", {}, false};
    std::string text = id;
    if (below > 1) text += fmt::format(" / {}", below);
    if (below * size[dimension] != volume(size)) text += fmt::format(" % {}", size[dimension]);
    return {text, text == id ? 100 : 80, "", {}, false};
  };
  const bool flat = is_flat();
  switch (i.builtin) {
    case Builtin::thread_id:
      return of(launch_.block, "lid");
    case Builtin::group_id:
      return of(launch_.grid, flat ? "tid" : "gid");
    case Builtin::group_size:
      if (flat || launch_.block[dimension] != volume(launch_.block)) {
        return number(launch_.block[dimension]);
      }
      return {"WORKGROUP_SIZE", 100, "", {}, false};
    case Builtin::groups:
      if (launch_.grid[dimension] != volume(launch_.grid)) return number(launch_.grid[dimension]);
      return {flat ? "N" : "WORKGROUPS", 100, "", {}, false};
    case Builtin::cooperative:
      return number(launch_.cooperative ? 1 : 0);
    case Builtin::lane:
    case Builtin::subgroup_id: {
      const int threads = launch_.group_threads();
      const bool lane = i.builtin == Builtin::lane;
      if (flat || (!lane && threads <= launch_.subgroup)) return number(0);
      if (threads > launch_.subgroup && threads % launch_.subgroup != 0) {
        refuse(i, "subgroups of different sizes");
      }
      return {lane ? "lane" : "sid", 100, "", {}, false};
    }
    case Builtin::subgroup_size:
    case Builtin::subgroups: {
      const Seen& of_all = observed_.value(i.result);
      if (of_all.any && of_all.low == of_all.high) return number(of_all.low);
      refuse(i, "subgroups of different sizes");
    }
    case Builtin::active_mask:
      refuse(i, "the mask of active threads");
  }
  refuse(i, "something built in");
}

// a ? b : c, and the ands and ors that compilers write so.
Text Expressions::choice(const Instruction& i) {
  const Text a = value(i.operands[0]);
  const Text b = value(i.operands[1]);
  const Text c = value(i.operands[2]);
  if (i.type.bits == 1 && c.text == "0") return joined(a, "&&", b, 20);
  if (i.type.bits == 1 && b.text == "1") return joined(a, "||", c, 15);
  Text result{a.in(15) + " ? " + b.in(15) + " : " + c.in(10), 10, "", a.registers, false};
  for (const Text* more : {&b, &c}) {
    result.registers.insert(more->registers.begin(), more->registers.end());
  }
  return result;
}

Text Expressions::operation(const Instruction& i) {
  switch (class_of(i.op)) {
    case OpClass::arithmetic:
    case OpClass::division:
    case OpClass::shift:
      return integer(i);
    case OpClass::equality:
    case OpClass::unsigned_order:
    case OpClass::signed_order:
      return comparison(i);
    case OpClass::resizing:
      if (i.op == Op::sext && function_.values[i.operands[0]].type.bits == 1) {
        return joined(number(0), "-", value(i.operands[0]), 70);
      }
      require_exact(i);
      return value(i.operands[0]);
    case OpClass::value:
      if (i.op == Op::select) return choice(i);
      if (i.op == Op::builtin) return builtin(i);
      if (i.op == Op::math) return math(i);
      break;
    case OpClass::real:
    case OpClass::real_comparison:
    case OpClass::real_conversion:
      refuse(i, "a real number");
    case OpClass::reinterpretation:
    case OpClass::plain:
    case OpClass::atomic:
    case OpClass::bulk:
    case OpClass::lifetime:
    case OpClass::asynchronous:
    case OpClass::fence:
    case OpClass::meeting:
    case OpClass::claim:
    case OpClass::annotation:
    case OpClass::call:
    case OpClass::end:
      break;
  }
  refuse(i, "an operation that an idiom has not");
}

Text Expressions::integer(const Instruction& i) {
  switch (as_integer(i.op)) {
    case IntegerOp::add: {
      Text result = binary(i, "+", 70);
      if (result.text == "gid * WORKGROUP_SIZE + lid" ||
          result.text == "lid + gid * WORKGROUP_SIZE") {
        result = {"tid", 100, "", {}, false};
      }
      // x + -1
      const Seen& right = seen(i.operands[1], i);
      if (function_.values[i.operands[1]].kind == Value::Kind::constant && right.low < 0) {
        return joined(value(i.operands[0]), "-", number(-right.low), 70);
      }
      return result;
    }
    case IntegerOp::sub:
      return binary(i, "-", 70);
    case IntegerOp::mul:
      return binary(i, "*", 80);
    case IntegerOp::udiv:
    case IntegerOp::sdiv:
      return binary(i, "/", 80);
    case IntegerOp::urem:
    case IntegerOp::srem:
      return binary(i, "%", 80);
    case IntegerOp::shl:
      return binary(i, "<<", 60);
    case IntegerOp::lshr:
    case IntegerOp::ashr:
      return binary(i, ">>", 60);
    case IntegerOp::bit_and:
      return binary(i, i.type.bits == 1 ? "&&" : "&", i.type.bits == 1 ? 20 : 40);
    case IntegerOp::bit_or:
      return binary(i, i.type.bits == 1 ? "||" : "|", i.type.bits == 1 ? 15 : 30);
    case IntegerOp::bit_xor:
      if (i.type.bits == 1 && function_.values[i.operands[1]].kind == Value::Kind::constant) {
        const Text a = value(i.operands[0]);
        return function_.values[i.operands[1]].bits == 1 ? negated(a) : a;
      }
      return binary(i, i.type.bits == 1 ? "!=" : "^", i.type.bits == 1 ? 45 : 35);
  }
  std::abort();  // there are no others
}

Text Expressions::math(const Instruction& i) {
  const bool least = i.math == Math::smin || i.math == Math::umin;
  const bool most = i.math == Math::smax || i.math == Math::umax;
  if (!least && !most) refuse(i, "a function");
  const Text a = value(i.operands[0]);
  const Text b = value(i.operands[1]);
  const bool is_unsigned = i.math == Math::umin || i.math == Math::umax;
  if (is_unsigned && (seen(i.operands[0], i).low < 0 || seen(i.operands[1], i).low < 0)) {
    refuse(i, "an operation on unsigned numbers of 2^31 or more");
  }
  Text result = joined(a, least ? "<" : ">", b, 50);
  result.text += " ? " + a.in(15) + " : " + b.in(10);
  result.strength = 10;
  return result;
}

Text Expressions::value(ValueId id) {
  const Value& value = function_.values[id];
  if (register_of_[id] >= 0) {
    const int reg = register_of_[id];
    return {slots_[static_cast<std::size_t>(reg)].name, 100, "", {reg}, false};
  }
  switch (value.kind) {
    case Value::Kind::constant:
      return number(value.type.bits == 1 ? static_cast<std::int64_t>(value.bits)
                                         : sign_extended(value.bits, value.type.bits));
    case Value::Kind::argument: {
      const auto parameter = static_cast<std::uint32_t>(value.bits);
      const Instruction nowhere{};
      if (!value.type.is_integer()) refuse(nowhere, "an argument that is no integer");
      const Seen& of = observed_.value(id);
      if (of.other || !of.any) {
        throw lang::Undecided(fmt::format(
            "unsupported: what threads do hangs on the argument '{}', which is unknown; give it by "
            "--arg",
            value.name));
      }
      auto [at, is_new] = constant_of_.try_emplace(parameter);
      if (is_new) {
        at->second = free_name(value.name);
        constants_[at->second] = of.low;
      }
      return {at->second, 100, "", {}, false};
    }
    case Value::Kind::undefined:
      return number(0);
    case Value::Kind::address:
      throw lang::Undecided("unsupported: an address that is a value");
    case Value::Kind::instruction:
      break;
  }
  return given(id);
}

Text Expressions::given(ValueId id) {
  const Instruction& i = instruction(id);
  if (is_access(i.op)) return access(definition_[id]);
  if (i.op == Op::subgroup) return subgroup(i);
  return operation(i);
}

int Expressions::make_register(ValueId id, const std::string& wanted) {
  const Instruction& i = instruction(id);
  if (!i.type.is_integer()) refuse(i, "a register that holds no integer");
  Seen of = seen(id, i);
  if (!of.any) of.add(0);
  // LLVM numbers a variable's phis behind a point.
  const std::string name = function_.values[id].name.substr(0, function_.values[id].name.find('.'));
  slots_.push_back({name.empty() ? wanted : name, of, false});
  register_of_[id] = static_cast<int>(slots_.size()) - 1;
  return register_of_[id];
}

void Expressions::join_registers(int kept, int given_up) {
  if (kept == given_up) return;
  slots_[static_cast<std::size_t>(kept)].seen.add(slots_[static_cast<std::size_t>(given_up)].seen);
  slots_[static_cast<std::size_t>(given_up)].given_up = true;
  for (int& reg : register_of_) {
    if (reg == given_up) reg = kept;
  }
}

void Expressions::name_registers() {
  for (Slot& slot : slots_) {
    if (!slot.given_up) slot.name = free_name(slot.name);
  }
}

std::string Expressions::type(const Seen& of, const std::string& name) const {
  const std::int64_t low = of.any ? of.low : 0;
  const std::int64_t high = of.any ? of.high : 0;
  if (low >= 0 && high <= 1) return "bool";
  constexpr std::int64_t most = 1'000'000, widest = 60'000;
  if (low < -most || high > most || high - low >= widest) {
    throw lang::Undecided(
        fmt::format("unsupported: '{}' holds values from {} to {}, and a variable of an idiom at "
                    "most {} between "
                    "-{} and {}",
                    name, low, high, widest, most, most));
  }
  return fmt::format("int({}..{})", low, high);
}

std::vector<Register> Expressions::registers() const {
  std::vector<Register> result;
  for (const Slot& slot : slots_) {
    const bool has_zero = slot.seen.low <= 0 && slot.seen.high >= 0;
    result.push_back({slot.name, type(slot.seen, slot.name),
                      has_zero ? "" : std::to_string(slot.seen.low), false});
  }
  return result;
}

// An identifier of the idiom language that nothing else has.
std::string Expressions::free_name(const std::string& wanted) {
  static const std::set<std::string> taken = {"idiom",
                                              "N",
                                              "tid",
                                              "const",
                                              "shared",
                                              "thread",
                                              "threads",
                                              "expect",
                                              "pass",
                                              "fail",
                                              "error",
                                              "int",
                                              "bool",
                                              "if",
                                              "else",
                                              "while",
                                              "do",
                                              "for",
                                              "break",
                                              "continue",
                                              "goto",
                                              "return",
                                              "assert",
                                              "true",
                                              "false",
                                              "load",
                                              "store",
                                              "exch",
                                              "cas",
                                              "fetch_add",
                                              "fetch_sub",
                                              "fetch_min",
                                              "fetch_max",
                                              "END",
                                              "fetch_and",
                                              "fetch_or",
                                              "fetch_xor",
                                              "weak_cas",
                                              "gid",
                                              "lid",
                                              "sid",
                                              "lane",
                                              "WORKGROUPS",
                                              "WORKGROUP_SIZE",
                                              "SUBGROUP_SIZE",
                                              "THREADS",
                                              "barrier",
                                              "workgroup",
                                              "workgroups",
                                              "subgroup",
                                              "subgroups",
                                              "grid",
                                              "await",
                                              "assume",
                                              "choose",
                                              "fair",
                                              "final",
                                              "all",
                                              "any",
                                              "ballot",
                                              "broadcast",
                                              "shuffle",
                                              "elect",
                                              "switch",
                                              "case",
                                              "default",
                                              "private",
                                              "wrap",
                                              "void",
                                              "execution",
                                              "or",
                                              "ended"};
  std::string name;
  for (const char c : wanted) {
    const bool fits = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    name += fits ? c : '_';
  }
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0)
    name = "r" + name;
  std::string free = name;
  for (int i = 2; names_.contains(free) || taken.contains(free); ++i) {
    free = fmt::format("{}{}", name, i);
  }
  names_.insert(free);
  return free;
}

}  // namespace headway::kernel::slice
