#include "consistency/idiom/terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace headway::consistency::idiom {
namespace {

using lang::idiom::Node;
using lang::idiom::Operator;
__extension__ using Wide = __int128;

constexpr Number kFarthestShift = 62;

Bounds narrow(Wide low, Wide high) {
  if (low < INT64_MIN || high > INT64_MAX) {
    throw Error("a number here may be one that 64 bits do not hold");
  }
  return {static_cast<Number>(low), static_cast<Number>(high)};
}

template <class Operation>
Bounds of_corners(const Bounds& a, const Bounds& b, const Operation& operation) {
  const std::array<Wide, 4> corners = {
      operation(Wide{a.low}, Wide{b.low}), operation(Wide{a.low}, Wide{b.high}),
      operation(Wide{a.high}, Wide{b.low}), operation(Wide{a.high}, Wide{b.high})};
  return narrow(*std::min_element(corners.begin(), corners.end()),
                *std::max_element(corners.begin(), corners.end()));
}

// Of numbers that have no more bits than these.
Bounds of_bits(const Bounds& a, const Bounds& b) {
  Wide most = 1;
  for (const Number bound : {a.low, a.high, b.low, b.high}) {
    const Wide magnitude = bound < 0 ? -Wide{bound} : Wide{bound} + 1;
    while (most < magnitude) most *= 2;
  }
  const bool negative = a.low < 0 || b.low < 0;
  return narrow(negative ? -most : Wide{0}, most - 1);
}

Term conjunction(const std::vector<Term>& path, Term last) {
  Term result = std::move(last);
  for (auto it = path.rbegin(); it != path.rend(); ++it) {
    result = Term::of(Term::Kind::logical_and, *it, std::move(result));
  }
  return result;
}

std::vector<Term> longer(std::vector<Term> path, Term condition) {
  path.push_back(std::move(condition));
  return path;
}

}  // namespace

Term outside(const Term& value, Number low, Number high) {
  return Term::of(Term::Kind::logical_or, Term::of(Term::Kind::less, value, Term::constant(low)),
                  Term::of(Term::Kind::less, Term::constant(high), value));
}

namespace {

// That an index of so many is none of these, where that may be.
void require_index(const BoundedTerm& index, int count, const std::vector<Term>& path,
                   std::vector<Fault>& faults) {
  if (index.bounds.within(0, count - 1)) return;
  faults.push_back({conjunction(path, outside(index.term, 0, count - 1)),
                    fmt::format("an index out of bounds; expected 0 to {}", count - 1)});
}

}  // namespace

BoundedTerm Terms::of(int number, const std::vector<Term>& path, std::vector<Fault>& faults) {
  const Node& node = thread_.nodes[static_cast<std::size_t>(number)];
  switch (node.kind) {
    case Node::Kind::number:
      return {Term::constant(node.number), {node.number, node.number}};
    case Node::Kind::reg: {
      const auto& range = thread_.registers[static_cast<std::size_t>(node.number)];
      return {Term::of_register(static_cast<int>(node.number)), {range.low, range.high}};
    }
    case Node::Kind::load: {
      const auto& variable = code_.variables[static_cast<std::size_t>(node.number)];
      return {Term::of_register(load_(node)), {variable.low, variable.high}};
    }
    case Node::Kind::unary:
      return unary(node, of(node.a, path, faults));
    case Node::Kind::binary: {
      const BoundedTerm a = of(node.a, path, faults);
      const bool both = node.op == Operator::logical_and, either = node.op == Operator::logical_or;
      const std::vector<Term> behind = both     ? longer(path, a.term)
                                       : either ? longer(path, Term::negated(a.term))
                                                : path;
      return binary(node, a, of(node.b, behind, faults));
    }
    case Node::Kind::conditional: {
      const BoundedTerm a = of(node.a, path, faults);
      const BoundedTerm b = of(node.b, longer(path, a.term), faults);
      const BoundedTerm c = of(node.c, longer(path, Term::negated(a.term)), faults);
      return {{Term::Kind::conditional, 0, {a.term, b.term, c.term}},
              {std::min(b.bounds.low, c.bounds.low), std::max(b.bounds.high, c.bounds.high)}};
    }
    case Node::Kind::element:
      return element(node, of(node.a, path, faults), path, faults);
    case Node::Kind::bounded: {
      const BoundedTerm a = of(node.a, path, faults);
      require_index(a, node.count, path, faults);
      return {a.term,
              {std::max<Number>(a.bounds.low, 0), std::min<Number>(a.bounds.high, node.count - 1)}};
    }
  }
  return {};
}

BoundedTerm Terms::unary(const Node& node, BoundedTerm a) const {
  if (node.op == Operator::logical_not) return {Term::negated(std::move(a.term)), {0, 1}};
  if (node.op == Operator::complement) {
    return {Term::of(Term::Kind::bit_xor, std::move(a.term), Term::constant(-1)),
            {-1 - a.bounds.high, -1 - a.bounds.low}};
  }
  return {Term::of(Term::Kind::subtract, Term::constant(0), std::move(a.term)),
          narrow(-Wide{a.bounds.high}, -Wide{a.bounds.low})};
}

BoundedTerm Terms::binary(const Node& node, const BoundedTerm& a, const BoundedTerm& b) const {
  const auto of_kind = [&](Term::Kind kind, Bounds bounds) {
    return BoundedTerm{Term::of(kind, a.term, b.term), bounds};
  };
  const auto swapped = [&](Term::Kind kind) {
    return BoundedTerm{Term::of(kind, b.term, a.term), {0, 1}};
  };
  const auto needs = [&](bool so, const char* expected) {
    if (!so) throw Error(fmt::format("expected {} here", expected));
  };
  const bool known = b.bounds.low == b.bounds.high;
  switch (node.op) {
    case Operator::multiply:
      return of_kind(Term::Kind::multiply,
                     of_corners(a.bounds, b.bounds, [](Wide x, Wide y) { return x * y; }));
    case Operator::divide:
      needs(known && b.bounds.low != 0, "a division by a number that is not 0");
      return of_kind(Term::Kind::divide,
                     of_corners(a.bounds, b.bounds, [](Wide x, Wide y) { return x / y; }));
    case Operator::remainder: {
      needs(known && b.bounds.low != 0, "the remainder of a number that is not 0");
      const Wide most = (b.bounds.low < 0 ? -Wide{b.bounds.low} : Wide{b.bounds.low}) - 1;
      return of_kind(Term::Kind::remainder,
                     narrow(a.bounds.low < 0 ? -most : Wide{0}, a.bounds.high > 0 ? most : 0));
    }
    case Operator::add:
      return of_kind(Term::Kind::add,
                     of_corners(a.bounds, b.bounds, [](Wide x, Wide y) { return x + y; }));
    case Operator::subtract:
      return of_kind(Term::Kind::subtract,
                     of_corners(a.bounds, b.bounds, [](Wide x, Wide y) { return x - y; }));
    case Operator::shift_left:
    case Operator::shift_right: {
      const bool left = node.op == Operator::shift_left;
      needs(known && b.bounds.within(0, kFarthestShift), "a shift by a number from 0 to 62");
      const Wide factor = Wide{1} << b.bounds.low;
      return of_kind(left ? Term::Kind::shift_left : Term::Kind::shift_right,
                     left ? narrow(a.bounds.low * factor, a.bounds.high * factor)
                          : Bounds{a.bounds.low >> b.bounds.low, a.bounds.high >> b.bounds.low});
    }
    case Operator::less:
      return of_kind(Term::Kind::less, {0, 1});
    case Operator::less_equal:
      return of_kind(Term::Kind::at_most, {0, 1});
    case Operator::greater:
      return swapped(Term::Kind::less);
    case Operator::greater_equal:
      return swapped(Term::Kind::at_most);
    case Operator::equal:
      return of_kind(Term::Kind::equal, {0, 1});
    case Operator::not_equal:
      return of_kind(Term::Kind::differs, {0, 1});
    case Operator::bit_and:
      return of_kind(Term::Kind::bit_and, of_bits(a.bounds, b.bounds));
    case Operator::bit_xor:
      return of_kind(Term::Kind::bit_xor, of_bits(a.bounds, b.bounds));
    case Operator::bit_or:
      return of_kind(Term::Kind::bit_or, of_bits(a.bounds, b.bounds));
    case Operator::logical_and:
      return of_kind(Term::Kind::logical_and, {0, 1});
    case Operator::logical_or:
      return of_kind(Term::Kind::logical_or, {0, 1});
    case Operator::negate:
    case Operator::complement:
    case Operator::logical_not:
      break;  // of one operand
  }
  return {};
}

// Of an array of registers, whichever the index says.
BoundedTerm Terms::element(const Node& node, const BoundedTerm& index,
                           const std::vector<Term>& path, std::vector<Fault>& faults) const {
  const auto first = static_cast<std::size_t>(node.number);
  require_index(index, node.count, path, faults);
  const auto& range = thread_.registers[first];
  Term result = Term::of_register(static_cast<int>(node.number) + node.count - 1);
  for (int i = node.count - 1; i-- > 0;) {
    result = {Term::Kind::conditional,
              0,
              {Term::of(Term::Kind::equal, index.term, Term::constant(i)),
               Term::of_register(static_cast<int>(node.number) + i), std::move(result)}};
  }
  return {std::move(result), {range.low, range.high}};
}

}  // namespace headway::consistency::idiom
