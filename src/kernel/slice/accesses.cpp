// Accesses of a kernel as accesses of an idiom: which variable, which element, and what is done.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "kernel/ir/arithmetic.hpp"
#include "kernel/slice/expressions.hpp"
#include "lang/test.hpp"

namespace headway::kernel::slice {

Expressions::Expressions(const Code& code, const Launch& launch, const Observed& observed,
                         const Relevant& relevant)
    : code_(code),
      function_(code.function()),
      launch_(launch),
      observed_(observed),
      relevant_(relevant) {
  definition_.resize(function_.values.size(), kNone);
  register_of_.resize(function_.values.size(), -1);
  for (BlockId b = 0; b < function_.blocks.size(); ++b) {
    const std::vector<Instruction>& all = function_.blocks[b].code;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      if (all[i].result != kNone) definition_[all[i].result] = code.number(b, i);
    }
  }
  find_variables();
}

// Accesses whose cells overlap share a variable; a section of memory can become several, as fields
// of structures do that are used apart.
void Expressions::find_variables() {
  struct Group {
    std::vector<std::uint32_t> accesses;
    std::set<CellName> cells;
  };
  std::vector<Group> groups;
  for (std::uint32_t n = 0; n < relevant_.kept.size(); ++n) {
    if (!relevant_.kept[n]) continue;
    const Instruction& i = code_.instruction(n);
    if (!is_memory(i.op)) continue;
    const Touched* touched = observed_.touched(n);
    if (touched == nullptr) continue;  // it never runs
    if (touched->other) refuse(i, "an access of memory as a whole, or by an address out of memory");
    Group made{{n}, touched->cells};
    for (std::size_t g = groups.size(); g-- > 0;) {
      const bool meets =
          std::any_of(made.cells.begin(), made.cells.end(),
                      [&](const CellName& cell) { return groups[g].cells.contains(cell); });
      if (!meets) continue;
      made.accesses.insert(made.accesses.end(), groups[g].accesses.begin(),
                           groups[g].accesses.end());
      made.cells.insert(groups[g].cells.begin(), groups[g].cells.end());
      groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(g));
    }
    groups.push_back(std::move(made));
  }
  for (const Group& group : groups) {
    const Instruction& first = code_.instruction(group.accesses.front());
    SharedVariable made;
    made.section = group.cells.begin()->section;
    made.bytes = observed_.touched(group.accesses.front())->bytes;
    made.from = group.cells.begin()->at;
    made.stride = 0;
    for (const std::uint32_t n : group.accesses) {
      if (observed_.touched(n)->bytes != made.bytes || !code_.instruction(n).type.is_integer()) {
        refuse(code_.instruction(n), "accesses of one place in different ways");
      }
    }
    for (const CellName& cell : group.cells) {
      if (cell.section != made.section) refuse(first, "an access that goes to several variables");
      made.stride = std::gcd(made.stride, cell.at - made.from);
    }
    if (made.stride == 0) made.stride = static_cast<unsigned>(made.bytes);
    made.count = (group.cells.rbegin()->at - made.from) / made.stride + 1;
    constexpr std::uint64_t most = 250;
    const Section& section = observed_.sections()[made.section];
    if (made.count > most) {
      refuse(first,
             fmt::format("'{}' would take {} cells of at most {}", section.name, made.count, most));
    }
    for (std::uint64_t e = 0; e < made.count; ++e) {
      const CellName name{made.section, made.from + e * made.stride};
      std::optional<std::int64_t>& value = made.initial.emplace_back();
      if (!group.cells.contains(name)) continue;
      const Seen& seen = observed_.cell(name);
      if (seen.other) {
        refuse(first, fmt::format("'{}' holds unknown data, or something that is no integer",
                                  section.name));
      }
      made.seen.add(seen);
      value = observed_.initial(name, made.bytes);
      // What is unknown at first is written before it is read, or it would have been seen.
      if (value) made.seen.add(*value);
    }
    if (section.owner == Section::Owner::thread) refuse(first, "an array of a thread's own");
    made.name = free_name(section.name);
    for (const std::uint32_t n : group.accesses) variable_of_[n] = variables_.size();
    variables_.push_back(std::move(made));
  }
}

const SharedVariable& Expressions::variable(std::uint32_t number) const {
  const auto found = variable_of_.find(number);
  if (found == variable_of_.end()) {
    refuse(code_.instruction(number), "an access that no thread of this launch makes");
  }
  return variables_[found->second];
}

// Adds `factor` times a value to a sum of bytes, taken apart as far as it is made of sums.
void Expressions::add(Sum& sum, ValueId id, std::int64_t factor) const {
  const Value& value = function_.values[id];
  if (value.kind == Value::Kind::constant && value.type.is_integer()) {
    sum.constant += factor * sign_extended(value.bits, value.type.bits);
    return;
  }
  const bool apart = value.kind == Value::Kind::instruction && register_of_[id] < 0;
  if (!apart) {
    sum.terms.emplace_back(id, factor);
    return;
  }
  const Instruction& i = instruction(id);
  const auto known = [&](std::size_t operand) -> std::optional<std::int64_t> {
    const Value& of = function_.values[i.operands[operand]];
    if (of.kind != Value::Kind::constant) return std::nullopt;
    return sign_extended(of.bits, of.type.bits);
  };
  if (i.op == Op::add || i.op == Op::sub) {
    require_exact(i);
    add(sum, i.operands[0], factor);
    return add(sum, i.operands[1], i.op == Op::sub ? -factor : factor);
  }
  if (i.op == Op::mul) {
    for (const std::size_t of : {0, 1}) {
      if (!known(of)) continue;
      require_exact(i);
      return add(sum, i.operands[1 - of], factor * *known(of));
    }
  }
  if (i.op == Op::shl && known(1) && *known(1) >= 0 && *known(1) < 32) {
    require_exact(i);
    return add(sum, i.operands[0], factor * (std::int64_t{1} << *known(1)));
  }
  if (class_of(i.op) == OpClass::resizing && function_.values[i.operands[0]].type.bits != 1) {
    require_exact(i);
    return add(sum, i.operands[0], factor);
  }
  sum.terms.emplace_back(id, factor);
}

// Which element of a variable an address is that of.
Text Expressions::index(const SharedVariable& of, ValueId pointer, const Instruction& at) {
  Sum sum;
  for (ValueId id = pointer;;) {
    const Value& value = function_.values[id];
    if (value.kind == Value::Kind::address) {
      sum.constant += static_cast<std::int64_t>(value.bits);
      break;
    }
    if (value.kind == Value::Kind::argument) break;
    const bool moves = value.kind == Value::Kind::instruction && instruction(id).op == Op::offset;
    if (!moves) refuse(at, "an address that is chosen or read from memory");
    add(sum, instruction(id).operands[1], 1);
    id = instruction(id).operands[0];
  }
  sum.constant -= static_cast<std::int64_t>(of.from);
  const auto stride = static_cast<std::int64_t>(of.stride);
  const bool divides = sum.constant % stride == 0 &&
                       std::all_of(sum.terms.begin(), sum.terms.end(),
                                   [&](const auto& term) { return term.second % stride == 0; });
  const std::int64_t unit = divides ? stride : 1;
  std::optional<Text> result;
  const auto join = [&](const Text& more, bool negative) {
    if (!result) {
      result = negative ? joined(number(0), "-", more, 70) : more;
    } else {
      result = joined(*result, negative ? "-" : "+", more, 70);
    }
  };
  for (const auto& [id, factor] : sum.terms) {
    const std::int64_t times = factor / unit;
    const Text one = value(id);
    const std::int64_t size = times < 0 ? -times : times;
    join(size == 1 ? one : joined(number(size), "*", one, 80), times < 0);
  }
  const std::int64_t rest = sum.constant / unit;
  if (!result) {
    result = number(rest);
  } else if (rest != 0) {
    join(number(rest < 0 ? -rest : rest), rest < 0);
  }
  if (!divides) result = joined(*result, "/", number(stride), 80);
  if (result->text == "gid * WORKGROUP_SIZE + lid" ||
      result->text == "lid + gid * WORKGROUP_SIZE") {
    result->text = "tid";
    result->strength = 100;
  }
  return *result;
}

Text Expressions::place(std::uint32_t number) {
  const SharedVariable& of = variable(number);
  const Instruction& i = code_.instruction(number);
  if (!of.is_array()) return {of.name, 100, "", {}, false};
  Text result = index(of, i.operands[0], i);
  result.text = of.name + "[" + result.text + "]";
  result.strength = 100;
  result.negated.clear();
  return result;
}

Text Expressions::access(std::uint32_t number) {
  const Instruction& i = code_.instruction(number);
  Text result = place(number);
  const std::string cell = result.text;
  const auto call = [&](const std::string& name, std::initializer_list<ValueId> operands) {
    result.text = name + "(" + cell;
    for (const ValueId id : operands) {
      const Text operand = value(id);
      result.text += ", " + operand.text;
      result.registers.insert(operand.registers.begin(), operand.registers.end());
    }
    result.text += ")";
    result.strength = 100;
    result.has_access = true;
    return result;
  };
  const auto is_zero = [&](ValueId id) {
    const Value& of = function_.values[id];
    return of.kind == Value::Kind::constant && of.bits == 0;
  };
  switch (as_access(i.op)) {
    case AccessOp::load:
    case AccessOp::atomic_load:
      return call("load", {});
    case AccessOp::store:
    case AccessOp::atomic_store:
      seen(i.operands[1], i);
      return call("store", {i.operands[1]});
    case AccessOp::atomic_compare: {
      const bool same = function_.values[i.operands[1]].kind == Value::Kind::constant &&
                        i.operands[1] == i.operands[2];
      return same ? call("load", {}) : call("cas", {i.operands[1], i.operands[2]});
    }
    case AccessOp::atomic_update:
      break;
  }
  const ValueId by = i.operands[1];
  const Seen& operand = seen(by, i);
  switch (i.update) {
    case Update::exchange:
      return relevant_.needed[i.result] ? call("exch", {by}) : call("store", {by});
    case Update::add:
    case Update::bit_or:
    case Update::bit_xor:
      if (is_zero(by)) return call("load", {});
      if (i.update == Update::add && operand.high < 0 &&
          function_.values[by].kind == Value::Kind::constant) {
        result.text = fmt::format("fetch_sub({}, {})", cell, -operand.low);
        result.has_access = true;
        return result;
      }
      return call(i.update == Update::add      ? "fetch_add"
                  : i.update == Update::bit_or ? "fetch_or"
                                               : "fetch_xor",
                  {by});
    case Update::sub:
      return is_zero(by) ? call("load", {}) : call("fetch_sub", {by});
    case Update::bit_and:
      return call("fetch_and", {by});
    case Update::umin:
    case Update::umax:
      if (operand.low < 0 || variable(number).seen.low < 0) {
        refuse(i, "an operation on unsigned numbers of 2^31 or more");
      }
      return call(i.update == Update::umin ? "fetch_min" : "fetch_max", {by});
    case Update::smin:
      return call("fetch_min", {by});
    case Update::smax:
      return call("fetch_max", {by});
    default:
      refuse(i, "an atomic operation that an idiom has not");
  }
}

Text Expressions::subgroup(const Instruction& i) {
  Text result;
  const std::uint32_t at = definition_[i.result];
  if (!observed_.names_all(at)) refuse(i, "an operation of some threads of a subgroup");
  const auto call = [&](const std::string& name, const Text* operand,
                        const std::string& more = "") {
    result.text = name + "(" + (operand == nullptr ? "" : operand->text) + more + ")";
    if (operand != nullptr) result.registers = operand->registers;
    result.has_access = true;
    return result;
  };
  const Text operand = i.operands.empty() ? Text() : value(i.operands[0]);
  switch (i.subgroup) {
    case Subgroup::any:
      return call("any", &operand);
    case Subgroup::all:
      return call("all", &operand);
    case Subgroup::ballot:
      return call("ballot", &operand);
    case Subgroup::elect:
      return call("elect", nullptr);
    case Subgroup::shuffle: {
      const Seen& width = seen(i.operands[2], i);
      const int lanes = std::min(launch_.subgroup, launch_.group_threads());
      const Seen& lane = seen(i.operands[1], i);
      if (width.low < lanes || lane.low < 0 || lane.high >= lanes) {
        refuse(i, "a shuffle of a part of a subgroup");
      }
      const Text from = value(i.operands[1]);
      call("shuffle", &operand, ", " + from.text);
      result.registers.insert(from.registers.begin(), from.registers.end());
      return result;
    }
    default:
      refuse(i, "an operation of a subgroup that an idiom has not");
  }
}

}  // namespace headway::kernel::slice
