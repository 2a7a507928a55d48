#include "kernel/machine/needed.hpp"

#include <algorithm>

namespace headway::kernel {

namespace {

// Nothing goes wrong where these are computed, and nobody sees it but by their result.
bool is_quiet(Op op) {
  const bool divides = op == Op::udiv || op == Op::sdiv || op == Op::urem || op == Op::srem;
  return op <= Op::unknown && !divides;
}

bool is_plain(const Instruction& i) {
  return (i.op == Op::load || i.op == Op::store) && !i.is_volatile;
}

bool meet(const Bases& a, const Bases& b) {
  if (a.empty() || b.empty()) return false;
  if (a.any || b.any) return true;
  const auto common = [](const auto& x, const auto& y) {
    return std::any_of(x.begin(), x.end(),
                       [&](auto one) { return std::binary_search(y.begin(), y.end(), one); });
  };
  return common(a.parameters, b.parameters) || common(a.objects, b.objects);
}

}  // namespace

std::span<const ValueId> asked(const Instruction& i, bool needed) {
  if (needed) return i.operands;
  return {i.operands.data(), is_plain(i) ? std::size_t{1} : std::size_t{0}};
}

std::vector<bool> needed_instructions(const Function& function, const std::vector<Bases>& bases) {
  std::vector<bool> result;
  std::vector<bool> values(function.values.size());
  // What is read, of whose value something depends. A pointer that goes nowhere is null, or no
  // pointer: it may go anywhere.
  Bases read;
  const auto of = [&](ValueId pointer) {
    Bases to = bases[pointer];
    to.any = to.any || to.empty();
    return to;
  };
  // A shuffle from a thread that does not take part is an error where its value is stored.
  bool all = false;
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      result.push_back(!is_quiet(i.op) && !is_plain(i));
      all = all || i.op == Op::subgroup || i.op == Op::barrier_reduce;
    }
  }
  if (all) {
    result.assign(result.size(), true);
    return result;
  }
  for (bool changes = true; changes;) {
    changes = false;
    std::size_t number = 0;
    for (const Block& block : function.blocks) {
      for (const Instruction& i : block.code) {
        bool needed = result[number];
        if (!needed) {
          needed = i.op == Op::store ? meet(of(i.operands[0]), read)
                                     : i.result != kNone && values[i.result];
          changes = changes || needed;
          result[number] = needed;
        }
        ++number;
        for (const ValueId operand : asked(i, needed)) {
          if (values[operand]) continue;
          changes = true;
          values[operand] = true;
        }
        if (!needed || i.op < Op::load || i.op > Op::wait_events || i.op == Op::store) continue;
        for (const std::size_t k : {0U, 1U}) {
          const bool reads = k == 0 ? i.op != Op::copy && i.op != Op::fill : i.op == Op::copy;
          if (reads && read.add(of(i.operands[k]))) changes = true;
        }
      }
    }
  }
  return result;
}

}  // namespace headway::kernel
