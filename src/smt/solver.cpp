#include "smt/solver.hpp"

#include <bit>
#include <numeric>

namespace headway::smt {

namespace {

std::uint64_t evaluate(const Node& n, const std::vector<std::uint64_t>& a,
                       const std::vector<int>& widths) {
  const std::uint64_t mask = n.width == 0 ? 1 : mask_of(n.width);
  const auto w = static_cast<std::uint64_t>(n.width);
  switch (n.kind) {
    case Kind::constant:
      return n.value;
    case Kind::variable:
    case Kind::apply:
      return 0;
    case Kind::negation:
      return a[0] ^ 1;
    case Kind::conjunction:
      for (const std::uint64_t x : a) {
        if (x == 0) return 0;
      }
      return 1;
    case Kind::disjunction:
      for (const std::uint64_t x : a) {
        if (x != 0) return 1;
      }
      return 0;
    case Kind::ite:
      return a[0] != 0 ? a[1] : a[2];
    case Kind::equal:
      return a[0] == a[1] ? 1 : 0;
    case Kind::ult:
      return a[0] < a[1] ? 1 : 0;
    case Kind::slt:
      return as_signed(a[0], widths[0]) < as_signed(a[1], widths[1]) ? 1 : 0;
    case Kind::linear: {
      std::uint64_t sum = n.value;
      for (std::size_t i = 0; i < a.size(); ++i) sum += n.factors[i] * a[i];
      return sum & mask;
    }
    case Kind::product:
      return (a[0] * a[1]) & mask;
    case Kind::udiv:
      return a[1] == 0 ? mask : a[0] / a[1];
    case Kind::urem:
      return a[1] == 0 ? a[0] : a[0] % a[1];
    case Kind::sdiv:
    case Kind::srem: {
      const std::int64_t x = as_signed(a[0], n.width), y = as_signed(a[1], n.width);
      const bool division = n.kind == Kind::sdiv;
      if (y == 0) return (division ? (x < 0 ? 1 : mask) : a[0]) & mask;
      if (y == -1) return division ? (std::uint64_t{0} - a[0]) & mask : 0;
      return static_cast<std::uint64_t>(division ? x / y : x % y) & mask;
    }
    case Kind::shl:
      return a[1] >= w ? 0 : (a[0] << a[1]) & mask;
    case Kind::lshr:
      return a[1] >= w ? 0 : a[0] >> a[1];
    case Kind::ashr: {
      const std::uint64_t by = a[1] >= w ? w - 1 : a[1];
      return static_cast<std::uint64_t>(as_signed(a[0], n.width) >> by) & mask;
    }
    case Kind::bit_and:
      return a[0] & a[1];
    case Kind::bit_or:
      return a[0] | a[1];
    case Kind::bit_xor:
      return a[0] ^ a[1];
    case Kind::extract:
      return (a[0] >> n.value) & mask;
    case Kind::concat:
      return ((a[0] << widths[1]) | a[1]) & mask;
    case Kind::zext:
      return a[0];
    case Kind::sext:
      return static_cast<std::uint64_t>(as_signed(a[0], widths[0])) & mask;
  }
  return 0;
}

}  // namespace

std::uint64_t Model::value(const Context& context, Term t) const {
  std::vector<std::uint32_t> stack{t.id};
  while (!stack.empty()) {
    const std::uint32_t at = stack.back();
    if (known_.contains(at)) {
      stack.pop_back();
      continue;
    }
    const Node& n = context.node(Term{at});
    const auto found = values_.find(at);
    if (found != values_.end() || n.kind == Kind::variable || n.kind == Kind::apply) {
      known_[at] = found == values_.end() ? n.range.low : found->second;
      stack.pop_back();
      continue;
    }
    bool ready = true;
    for (const Term a : n.args) {
      if (!known_.contains(a.id)) {
        stack.push_back(a.id);
        ready = false;
      }
    }
    if (!ready) continue;
    stack.pop_back();
    std::vector<std::uint64_t> args;
    std::vector<int> widths;
    for (const Term a : n.args) {
      args.push_back(known_.at(a.id));
      widths.push_back(context.width(a));
    }
    known_[at] = evaluate(n, args, widths);
  }
  return known_.at(t.id);
}

std::vector<Term> relevant(const Context& context, const std::vector<Term>& facts,
                           const std::vector<Term>& goals) {
  // Leaves are joined to classes by the facts that they are in.
  std::unordered_map<std::uint32_t, std::uint32_t> parent;
  const auto root = [&parent](std::uint32_t at) {
    parent.try_emplace(at, at);
    while (parent[at] != at) at = parent[at] = parent[parent[at]];
    return at;
  };
  std::unordered_map<std::uint32_t, std::vector<Term>> leaves;
  const auto join = [&](Term t) {
    const auto [at, added] = leaves.try_emplace(t.id);
    if (added) at->second = context.leaves(t);
    for (const Term leaf : at->second) parent[root(leaf.id)] = root(at->second[0].id);
  };
  for (const Term t : facts) join(t);
  for (const Term t : goals) join(t);
  std::unordered_map<std::uint32_t, bool> wanted;
  for (const Term t : goals) {
    for (const Term leaf : leaves[t.id]) wanted[root(leaf.id)] = true;
  }
  std::vector<Term> chosen;
  for (const Term t : facts) {
    const auto& of = leaves[t.id];
    if (of.empty() ? context.is_false(t) : wanted.contains(root(of[0].id))) chosen.push_back(t);
  }
  return chosen;
}

}  // namespace headway::smt
