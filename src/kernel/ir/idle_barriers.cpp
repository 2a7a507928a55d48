#include "kernel/ir/idle_barriers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace headway::kernel {
namespace {

class Search {
 public:
  Search(const Function& function, bool of_group, Scope together)
      : function_(function), bit_(of_group ? 1 : 2), together_(together) {}

  // The first barrier that orders other memory alone, behind `first` and with a way to `second`
  // that no barrier of theirs is on.
  const Instruction* between(const Instruction& first, const Instruction& second) const {
    for (const Instruction* barrier : idle_behind(first)) {
      if (reaches(*barrier, second)) return barrier;
    }
    return nullptr;
  }

 private:
  bool meets(const Instruction& i) const {
    return i.op == Op::barrier && i.scope >= together_ && i.operands.empty();
  }
  bool orders(const Instruction& i) const { return meets(i) && (i.memory & bit_) != 0; }

  // Calls `see` for what may come behind an instruction, nearest first, until it says false or a
  // barrier orders it.
  template <typename See>
  void walk(const Instruction& from, const See& see) const {
    std::vector<std::pair<BlockId, std::size_t>> next;
    std::vector<bool> seen(function_.blocks.size());
    for (BlockId b = 0; b < function_.blocks.size(); ++b) {
      const std::vector<Instruction>& code = function_.blocks[b].code;
      if (!code.empty() && &from >= code.data() && &from < code.data() + code.size()) {
        next.emplace_back(b, static_cast<std::size_t>(&from - code.data()) + 1);
      }
    }
    for (std::size_t n = 0; n < next.size(); ++n) {
      const auto [b, start] = next[n];
      const std::vector<Instruction>& code = function_.blocks[b].code;
      bool goes_on = true;
      for (std::size_t i = start; goes_on && i < code.size(); ++i) {
        if (!see(code[i])) return;
        goes_on = !orders(code[i]);
      }
      for (const BlockId to : goes_on ? code.back().targets : std::vector<BlockId>()) {
        if (!seen[to]) next.emplace_back(to, 0);
        seen[to] = true;
      }
    }
  }
  std::vector<const Instruction*> idle_behind(const Instruction& first) const {
    std::vector<const Instruction*> result;
    walk(first, [&](const Instruction& i) {
      if (meets(i) && !orders(i)) result.push_back(&i);
      return true;
    });
    return result;
  }
  bool reaches(const Instruction& from, const Instruction& to) const {
    bool result = false;
    walk(from, [&](const Instruction& i) {
      result = &i == &to;
      return !result;
    });
    return result;
  }

  const Function& function_;
  const int bit_;
  const Scope together_;
};

}  // namespace

std::string idle_barrier_text(const Function& function, const Instruction& first,
                              const Instruction& second, bool of_group, Scope together) {
  if (together > Scope::workgroup) return {};
  const Instruction* barrier = Search(function, of_group, together).between(first, second);
  if (barrier == nullptr) return {};
  const char* what = barrier->memory == 0   ? "no memory"
                     : barrier->memory == 1 ? "memory of the workgroup alone"
                                            : "global memory alone";
  const int bit = of_group ? 1 : 2;
  const bool has_before = (barrier->kind & bit) != 0, has_behind = (barrier->kind >> 2 & bit) != 0;
  return fmt::format("; the barrier at line {} between them orders {}{}", barrier->place.line, what,
                     has_before   ? ": a fence stands in front of it, and none behind it"
                     : has_behind ? ": a fence stands behind it, and none in front of it"
                                  : "");
}

}  // namespace headway::kernel
