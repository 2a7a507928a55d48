#include "kernel/slice/structure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/graph/dominators.hpp"
#include "kernel/ir/arithmetic.hpp"
#include "kernel/slice/registers.hpp"
#include "lang/test.hpp"

namespace headway::kernel::slice {
namespace {

using Kind = Statement::Kind;
// Where a list of statements goes on: a block, or the end of the thread.
constexpr BlockId kEnd = kNone;
constexpr BlockId kNowhere = kNone - 1;

class Structure {
 public:
  Structure(const Code& code, const Relevant& relevant, Expressions& expressions)
      : code_(code),
        function_(code.function()),
        relevant_(relevant),
        next_(relevant.next),
        expressions_(expressions) {}

  Statements run() {
    find_shape();
    Statements result;
    tree(0, kEnd, {}, result);
    place_labels(result);
    return result;
  }

 private:
  struct Loop {
    BlockId head = kNowhere;
    BlockId behind = kNowhere;
  };

  void find_shape() {
    const std::size_t count = function_.blocks.size();
    order_.assign(count, kNone);
    const std::vector<BlockId> post = postorder(0, next_);
    for (std::size_t i = 0; i < post.size(); ++i) {
      order_[post[i]] = static_cast<std::uint32_t>(post.size() - 1 - i);
    }
    above_ = closest_dominators(0, next_);
    forward_.assign(count, 0);
    std::vector<std::vector<BlockId>> before(count);
    std::vector<std::pair<BlockId, BlockId>> back;
    for (const BlockId b : post) {
      for (const BlockId to : next_[b]) {
        before[to].push_back(b);
        if (order_[to] > order_[b]) {
          ++forward_[to];
        } else if (dominates(above_, to, b)) {
          back.emplace_back(b, to);
        } else {
          throw lang::Undecided(
              fmt::format("unsupported: line {}: a loop that is entered at several places",
                          function_.blocks[to].end().place.line));
        }
      }
    }
    for (const auto& [from, head] : back) {
      std::set<BlockId>& loop = loops_[head];
      loop.insert(head);
      std::vector<BlockId> work = {from};
      while (!work.empty()) {
        const BlockId b = work.back();
        work.pop_back();
        if (!loop.insert(b).second) continue;
        work.insert(work.end(), before[b].begin(), before[b].end());
      }
    }
    // A block that a loop leads out to belongs behind the loop, others below their dominator.
    for (const BlockId b : post) {
      if (b == 0) continue;
      const std::set<BlockId>* outermost = nullptr;
      BlockId head = kNone;
      for (const auto& [of, loop] : loops_) {
        if (!loop.contains(above_[b]) || loop.contains(b)) continue;
        if (outermost != nullptr && outermost->size() >= loop.size()) continue;
        outermost = &loop;
        head = of;
      }
      if (outermost != nullptr) {
        exits_[head].push_back(b);
      } else if (forward_[b] > 1) {
        below_[above_[b]].push_back(b);
      }
    }
    const auto by_order = [&](BlockId a, BlockId b) { return order_[a] < order_[b]; };
    for (auto* all : {&exits_, &below_}) {
      for (auto& [of, blocks] : *all) std::sort(blocks.begin(), blocks.end(), by_order);
    }
    // Behind a loop stand the block where its ways out meet and those that several lead to; the
    // others are written where the loop leads out.
    for (auto& [head, blocks] : exits_) {
      const BlockId last = blocks.back();
      blocks.erase(std::remove_if(blocks.begin(), blocks.end(),
                                  [&](BlockId b) { return b != last && forward_[b] < 2; }),
                   blocks.end());
    }
  }

  void label(BlockId b, Statements& out) {
    Statement made;
    made.kind = Kind::label;
    made.text.text = label_of(b);
    const bool there =
        !out.empty() && out.back().kind == Kind::label && out.back().text.text == made.text.text;
    if (!there) out.push_back(std::move(made));
  }

  void sequence(const std::vector<BlockId>& blocks, BlockId follow, const Loop& loop,
                Statements& out) {
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      label(blocks[i], out);
      tree(blocks[i], i + 1 < blocks.size() ? blocks[i + 1] : follow, loop, out);
    }
  }

  void tree(BlockId b, BlockId follow, const Loop& loop, Statements& out) {
    if (!loops_.contains(b)) return node(b, follow, loop, out);
    label(b, out);
    const std::vector<BlockId>& behind = exits_[b];
    Statement made;
    made.kind = Kind::loop;
    node(b, b, {b, behind.empty() ? follow : behind.front()}, made.body);
    out.push_back(std::move(made));
    sequence(behind, follow, loop, out);
  }

  void node(BlockId b, BlockId follow, const Loop& loop, Statements& out) {
    const std::vector<BlockId>& below = below_[b];
    code(b, out);
    end(b, below.empty() ? follow : below.front(), loop, out);
    sequence(below, follow, loop, out);
  }

  void code(BlockId b, Statements& out) {
    const std::vector<Instruction>& all = function_.blocks[b].code;
    for (std::uint32_t i = 0; i + 1 < all.size(); ++i) {
      const Instruction& one = all[i];
      const std::uint32_t number = code_.number(b, i);
      if (!relevant_.kept[number] || one.op == Op::phi) continue;
      const bool gives = one.result != kNone && relevant_.needed[one.result];
      Statement made;
      if (is_barrier(one.op) || (one.op == Op::subgroup && !gives)) {
        if (gives) expressions_.refuse(one, "a barrier that gives a number");
        made.text.text = barrier(one, number);
        made.text.has_access = true;
      } else if (one.op == Op::claim || one.op == Op::fence ||
                 (gives && expressions_.register_of(one.result) < 0)) {
        continue;  // the last: written where it is used
      } else if (gives) {
        made.kind = Kind::assign;
        made.target = expressions_.register_of(one.result);
        made.text = expressions_.given(one.result);
      } else {
        made.text = expressions_.access(number);
      }
      out.push_back(std::move(made));
    }
  }
  std::string barrier(const Instruction& one, std::uint32_t number) const {
    const bool of_subgroup =
        one.op == Op::subgroup || (one.op == Op::barrier && one.scope == Scope::subgroup);
    if (of_subgroup) {
      if (!expressions_.names_all(number)) {
        expressions_.refuse(one, "a meeting of some threads of a subgroup");
      }
      return "barrier(subgroup or ended)";
    }
    const bool grid = one.op == Op::barrier && one.scope >= Scope::device;
    return grid ? "barrier(grid)" : "barrier(workgroup)";
  }

  void end(BlockId b, BlockId follow, const Loop& loop, Statements& out) {
    const std::vector<BlockId>& ways = next_[b];
    const Instruction& last = function_.blocks[b].end();
    if (ways.empty()) return go(b, kEnd, follow, loop, out);
    if (ways.size() == 1) return go(b, ways.front(), follow, loop, out);
    if (last.op == Op::branch) {
      Statement made;
      made.kind = Kind::branch;
      made.text = expressions_.value(last.operands[0]);
      go(b, last.targets[0], follow, loop, made.body);
      go(b, last.targets[1], follow, loop, made.otherwise);
      out.push_back(std::move(made));
      return;
    }
    // A switch: one case after the other. The first target is that of all others.
    const Text value = expressions_.value(last.operands[0]);
    Statements* at = &out;
    const int bits = function_.values[last.operands[0]].type.bits;
    for (std::size_t i = 0; i < last.cases.size(); ++i) {
      if (std::find(ways.begin(), ways.end(), last.targets[i + 1]) == ways.end()) continue;
      Statement made;
      made.kind = Kind::branch;
      made.text = value;
      const std::int64_t number = sign_extended(last.cases[i], bits);
      made.text.text = fmt::format("{} == {}", value.in(46), number);
      made.text.negated = fmt::format("{} != {}", value.in(46), number);
      made.text.strength = 45;
      go(b, last.targets[i + 1], follow, loop, made.body);
      at->push_back(std::move(made));
      at = &at->back().otherwise;
    }
    const bool has_rest = std::find(ways.begin(), ways.end(), last.targets[0]) != ways.end();
    if (has_rest) go(b, last.targets[0], follow, loop, *at);
  }

  // From one block to another, or to the end.
  void go(BlockId from, BlockId to, BlockId follow, const Loop& loop, Statements& out) {
    if (to != kEnd) set_phis(from, to, out);
    if (to == follow) return;
    Statement made;
    if (to == loop.behind && loop.head != kNowhere) {
      made.kind = Kind::leave;
    } else if (to == kEnd) {
      made.kind = Kind::stop;
    } else if (to == loop.head) {
      made.kind = Kind::again;
    } else if (is_inside(from, to)) {
      tree(to, follow, loop, out);
      return;
    } else {
      made.kind = Kind::jump;
      made.text.text = label_of(to);
      jumped_to_.insert(made.text.text);
    }
    out.push_back(std::move(made));
  }

  // Whether a block is written where the only way to it begins.
  bool is_inside(BlockId from, BlockId to) const {
    if (forward_[to] != 1 || above_[to] != from || order_[to] < order_[from]) return false;
    return std::none_of(exits_.begin(), exits_.end(), [&](const auto& one) {
      return std::find(one.second.begin(), one.second.end(), to) != one.second.end();
    });
  }

  // All at once: one that another one reads is set behind that.
  void set_phis(BlockId from, BlockId to, Statements& out) {
    struct Copy {
      int target;
      Text value;
    };
    std::vector<Copy> all;
    for (const auto& [phi, value] : copies(code_, relevant_, from, to)) {
      const int target = expressions_.register_of(phi);
      const Text text = expressions_.value(value);
      if (text.text == expressions_.value(phi).text) continue;
      all.push_back({target, text});
    }
    while (!all.empty()) {
      const auto ready = std::find_if(all.begin(), all.end(), [&](const Copy& one) {
        return std::none_of(all.begin(), all.end(), [&](const Copy& other) {
          return &other != &one && other.value.registers.contains(one.target);
        });
      });
      if (ready == all.end()) {
        throw lang::Undecided(fmt::format("unsupported: line {}: variables that swap their values",
                                          function_.blocks[from].end().place.line));
      }
      Statement made;
      made.kind = Kind::assign;
      made.target = ready->target;
      made.text = ready->value;
      out.push_back(std::move(made));
      all.erase(ready);
    }
  }

  std::string label_of(BlockId b) {
    const auto [at, is_new] = labels_.try_emplace(b);
    if (is_new) at->second = fmt::format("L{}", labels_.size());
    return at->second;
  }
  void place_labels(Statements& list) {
    std::erase_if(list, [&](const Statement& one) {
      return one.kind == Kind::label && !jumped_to_.contains(one.text.text);
    });
    for (Statement& one : list) {
      place_labels(one.body);
      place_labels(one.otherwise);
    }
  }

  const Code& code_;
  const Function& function_;
  const Relevant& relevant_;
  const std::vector<std::vector<BlockId>>& next_;
  Expressions& expressions_;
  std::vector<std::uint32_t> order_;
  std::vector<BlockId> above_;
  std::vector<int> forward_;
  std::map<BlockId, std::set<BlockId>> loops_;
  std::map<BlockId, std::vector<BlockId>> exits_, below_;
  std::map<BlockId, std::string> labels_;
  std::set<std::string> jumped_to_;
};

}  // namespace

Statements structured(const Code& code, const Relevant& relevant, Expressions& expressions) {
  return Structure(code, relevant, expressions).run();
}

}  // namespace headway::kernel::slice
