#include "kernel/machine/needed.hpp"

#include <algorithm>

namespace headway::kernel {

namespace {

// Nothing goes wrong where these are computed, and nobody sees it but by their result. What is
// shown is a result, and does nothing.
bool is_quiet(const Instruction& i) {
  if (i.op == Op::claim && i.claim == Claim::shown) return true;
  return is_value(i.op) && !is_division(i.op);
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

std::vector<bool> doubtful_results(const Module& module, const Function& function,
                                   const std::vector<Bases>& bases) {
  const auto may_be = [&](ValueId pointer, bool of_launch) {
    const Bases& to = bases[pointer];
    const auto is_of_launch = [](Space space) {
      return space == Space::workgroup || space == Space::local;
    };
    return to.any || to.empty() ||
           std::any_of(to.parameters.begin(), to.parameters.end(),
                       [&](std::uint32_t parameter) {
                         const Parameter& of = function.parameters[parameter];
                         return (of.by_value > 0 || is_of_launch(of.space)) == of_launch;
                       }) ||
           std::any_of(to.objects.begin(), to.objects.end(), [&](ObjectId object) {
             return is_of_launch(module.object(function, object).space) == of_launch;
           });
  };
  std::vector<bool> doubtful(function.values.size());
  for (std::size_t v = 0; v < doubtful.size(); ++v) {
    doubtful[v] = function.values[v].kind == Value::Kind::undefined;
  }
  const auto is_doubtful = [&](ValueId value) { return doubtful[value]; };
  for (bool changes = true; changes;) {
    changes = false;
    for (const Block& block : function.blocks) {
      for (const Instruction& i : block.code) {
        if (i.result == kNone || doubtful[i.result]) continue;
        doubtful[i.result] = is_access(i.op)
                                 ? may_be(i.operands[0], true)
                                 : std::any_of(i.operands.begin(), i.operands.end(), is_doubtful);
        changes = changes || doubtful[i.result];
      }
    }
  }
  std::vector<bool> result;
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      const bool writes = is_access(i.op) && writes_memory(i.op);
      const bool is_shown = i.op == Op::claim && i.claim == Claim::shown && doubtful[i.operands[0]];
      const bool copies = i.op == Op::copy && may_be(i.operands[1], true);
      const bool is_result =
          copies || (writes && std::any_of(i.operands.begin() + 1, i.operands.end(), is_doubtful));
      result.push_back(is_shown || (is_result && may_be(i.operands[0], false)));
    }
  }
  return result;
}

std::vector<bool> needed_instructions(const Function& function, const std::vector<Bases>& bases,
                                      const std::vector<bool>& results) {
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
      const bool is_result = !results.empty() && results[result.size()];
      result.push_back(is_result || (!is_quiet(i) && !is_plain(i)));
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
        if (needed && reads_memory(i.op) && read.add(of(read_address(i)))) changes = true;
      }
    }
  }
  return result;
}

}  // namespace headway::kernel
