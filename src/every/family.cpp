#include "every/family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "lang/idiom/constants.hpp"
#include "lang/idiom/parser.hpp"

namespace headway::every {
namespace {

using lang::idiom::Block;
using lang::idiom::Code;
using lang::idiom::Expression;
using lang::idiom::Operator;
using lang::idiom::Statement;
using lang::idiom::Syntax;
using lang::idiom::ThreadState;
using ExpressionKind = Expression::Kind;

constexpr int kMostSpecials = 16;
constexpr int kMostClasses = 16;

bool mentions_n(const Syntax& syntax, const Expression& e) {
  if (e.kind == ExpressionKind::thread_count || e.kind == ExpressionKind::size) return true;
  if (e.kind == ExpressionKind::constant)
    return mentions_n(syntax, syntax.constants[e.index].value);
  return std::any_of(e.operands.begin(), e.operands.end(),
                     [&](const Expression& operand) { return mentions_n(syntax, operand); });
}

// The value of a constant expression that does not mention N.
std::int64_t constant_value(const Syntax& syntax, const Expression& e) {
  return lang::idiom::Constants(syntax, 1).value(e);
}

// A bound of a block: `at`, or N + `at` where it is counted from the top.
struct Bound {
  bool from_top = false;
  std::int64_t at = 0;
};

Bound bound_of(const Syntax& syntax, const Expression& e) {
  if (!mentions_n(syntax, e)) return {false, constant_value(syntax, e)};
  if (e.kind == ExpressionKind::thread_count) return {true, 0};
  const bool sum =
      e.kind == ExpressionKind::binary && (e.op == Operator::add || e.op == Operator::subtract);
  if (sum && e.operands[0].kind == ExpressionKind::thread_count &&
      !mentions_n(syntax, e.operands[1])) {
    const std::int64_t by = constant_value(syntax, e.operands[1]);
    return {true, e.op == Operator::add ? by : -by};
  }
  throw error_at(syntax.file, syntax.text, e.offset,
                 "the answer for every N needs a bound that is a number or N minus a number");
}

// Throws an Error at the first place that makes a family not uniform.
class Premises {
 public:
  explicit Premises(const Syntax& syntax, bool any_n = false) : syntax_(syntax), any_n_(any_n) {}

  // With `any_n`: what is asked of ids alone.
  Shape shape() {
    Uniform uniform = blocks();
    for (const auto& function : syntax_.functions) {
      ids_ = uniform.top > 0 ? Ids::none : Ids::modulo;
      block(function.block);
    }
    set_apart(uniform);
    return {uniform.low, uniform.top, classes_, blocks_};
  }

  Uniform check() {
    for (const auto& variable : syntax_.variables) {
      range(variable.range, "the range of " + variable.name);
      if (variable.per_workgroup) {
        fail(variable.offset, "each workgroup has its own " + variable.name +
                                  "; passes for every N need variables that all threads share");
      }
      if (variable.size) free_of_n(*variable.size, "the size of " + variable.name);
      if (variable.columns) free_of_n(*variable.columns, "the size of " + variable.name);
      for (const Expression& value : variable.initial) {
        free_of_n(value, "the initial value of " + variable.name);
      }
    }
    Uniform uniform = blocks();
    ids_ = Ids::modulo;
    for (const auto& function : syntax_.functions) {
      if (function.range) range(*function.range, "the range of " + function.name);
      if (uniform.top > 0) ids_ = Ids::none;
      block(function.block);
    }
    set_apart(uniform);
    // A thread of each class, whatever the id of the first of them.
    uniform.classes = classes_;
    const int n = uniform.specials() + classes_;
    uniform.code = lang::idiom::compile(syntax_, n);
    for (int s = 0; s < uniform.low; ++s) uniform.thread_of.push_back(s);
    for (int t = uniform.top; t > 0; --t) uniform.thread_of.push_back(n - t);
    for (int c = 0; c < classes_; ++c)
      uniform.thread_of.push_back(first_of(c, uniform.low, classes_));
    return uniform;
  }

 private:
  enum class Ids { free, modulo, none };

  [[noreturn]] void fail(std::size_t offset, const std::string& message) const {
    throw error_at(syntax_.file, syntax_.text, offset, message);
  }

  // Low specials, the crowd and top specials, in this order of ids and in any order of the text.
  Uniform blocks() {
    const Block* crowd = nullptr;
    std::vector<std::pair<std::int64_t, const Block*>> low, top;
    Bound first, last{true, -1};
    for (const Block& block : syntax_.blocks) {
      const Bound from = block.all ? Bound{} : bound_of(syntax_, block.first);
      const Bound to = block.all ? Bound{true, -1} : bound_of(syntax_, block.last);
      if (!from.from_top && to.from_top) {
        if (crowd != nullptr) fail(block.offset, "a second block that grows with N; expected one");
        crowd = &block;
        first = from;
        last = to;
      } else if (from.from_top != to.from_top) {
        fail(block.offset, "expected a block whose last thread does not come before its first");
      } else {
        for (std::int64_t at = from.at; at <= to.at; ++at) {
          (from.from_top ? top : low).emplace_back(at, &block);
          if (low.size() + top.size() > kMostSpecials) {
            fail(block.offset, fmt::format("more than {} threads with programs of their own; "
                                           "expected one block that grows with N",
                                           kMostSpecials));
          }
        }
      }
    }
    if (crowd == nullptr) {
      fail(syntax_.blocks.front().offset, "expected a block that grows with N, threads K..N-1");
    }
    std::sort(low.begin(), low.end());
    std::sort(top.begin(), top.end());
    Uniform uniform;
    uniform.low = static_cast<int>(low.size());
    uniform.top = static_cast<int>(top.size());
    for (int i = 0; i < uniform.low; ++i) {
      if (low[i].first != i) fail(low[i].second->offset, "expected programs for threads 0 to K-1");
    }
    for (int i = 0; i < uniform.top; ++i) {
      if (top[i].first != i - uniform.top) {
        fail(top[i].second->offset, "expected programs for threads N-K to N-1");
      }
    }
    if (first.at != uniform.low || last.at != -1 - uniform.top) {
      fail(crowd->offset, "expected this block to begin and to end where the others do");
    }
    const auto number = [&](const Block* block) {
      return static_cast<std::size_t>(block - syntax_.blocks.data());
    };
    for (const auto& [at, block] : low) blocks_.push_back(number(block));
    for (const auto& [at, block] : top) blocks_.push_back(number(block));
    blocks_.push_back(number(crowd));
    ids_ = Ids::free;
    for (const auto& [at, block] : low) this->block(*block);
    ids_ = Ids::none;
    for (const auto& [at, block] : top) this->block(*block);
    ids_ = Ids::modulo;
    this->block(*crowd);
    return uniform;
  }

  // Gives threads that the crowd is compared with, as in `tid == 0`, programs of their own, which
  // are that of the crowd. Behind them such a comparison is the same for all.
  void set_apart(Uniform& uniform) {
    for (; uniform.low < apart_; ++uniform.low) {
      blocks_.insert(blocks_.begin() + uniform.low, blocks_.back());
    }
  }

  void range(const lang::idiom::Range& range, const std::string& role) {
    free_of_n(range.low, role);
    free_of_n(range.high, role);
  }

  void free_of_n(const Expression& e, const std::string& role) {
    if (any_n_ || !mentions_n(syntax_, e)) return;
    fail(e.offset, role + " depends on N; passes for every N need it to be the same for all");
  }

  void block(const Block& block) {
    for (const auto& r : block.registers) {
      range(r.range, "the range of " + r.name);
      if (r.size) free_of_n(*r.size, "the size of " + r.name);
      if (r.columns) free_of_n(*r.columns, "the size of " + r.name);
    }
    for (const Statement& s : block.body) statement(s);
  }

  void statement(const Statement& s) {
    if (s.expression) expression(*s.expression);
    for (const Expression& e : s.indices) expression(e);
    for (const Expression& e : s.values) expression(e);
    for (const Statement& inner : s.body) statement(inner);
    for (const Statement& inner : s.otherwise) statement(inner);
  }

  void expression(const Expression& e) {
    if (e.kind == ExpressionKind::thread_count || e.kind == ExpressionKind::size ||
        e.kind == ExpressionKind::constant) {
      free_of_n(e, "this");
    }
    if ((e.kind == ExpressionKind::thread_id || e.kind == ExpressionKind::id) &&
        ids_ != Ids::free) {
      fail(e.offset, ids_ == Ids::none
                         ? "tid depends on N here; expected a program that does not look at it"
                         : "expected tid % c, or tid compared with the number of one of the first "
                           "threads; passes for every N look at no other part of an id");
    }
    const bool modulo = e.kind == ExpressionKind::binary && e.op == Operator::remainder &&
                        e.operands[0].kind == ExpressionKind::thread_id;
    if (modulo && ids_ == Ids::modulo) {
      const Expression& by = e.operands[1];
      const std::int64_t c = is_number(by) ? constant_value(syntax_, by) : 0;
      if (c < 1 || c > kMostClasses || std::lcm<std::int64_t>(c, classes_) > kMostClasses) {
        fail(by.offset, fmt::format("expected a number from 1 to {}", kMostClasses));
      }
      classes_ = static_cast<int>(std::lcm<std::int64_t>(c, classes_));
      return;
    }
    if (ids_ == Ids::modulo && is_compared(e)) return;
    for (const Expression& operand : e.operands) expression(operand);
  }

  // Whether an id is compared with a number that is one of the first threads, or below.
  bool is_compared(const Expression& e) {
    if (e.kind != ExpressionKind::binary || e.op < Operator::less || e.op > Operator::not_equal) {
      return false;
    }
    const bool first = e.operands[0].kind == ExpressionKind::thread_id;
    const Expression& other = e.operands[first ? 1 : 0];
    if (e.operands[first ? 0 : 1].kind != ExpressionKind::thread_id || !is_number(other))
      return false;
    const std::int64_t number = constant_value(syntax_, other);
    const int least = *std::min_element(syntax_.sizes.begin(), syntax_.sizes.end());
    if (number >= std::min(least, kMostSpecials)) return false;
    apart_ = std::max<int>(apart_, static_cast<int>(number) + 1);
    return true;
  }

  bool is_number(const Expression& e) const {
    return (e.kind == ExpressionKind::number || e.kind == ExpressionKind::constant) &&
           !mentions_n(syntax_, e);
  }

  const Syntax& syntax_;
  const bool any_n_;
  Ids ids_ = Ids::modulo;
  int classes_ = 1;
  int apart_ = 0;  // so many threads at the lowest ids
  std::vector<std::size_t> blocks_;
};

// Whether an expression is no smaller for a larger N.
bool never_falls(const Syntax& syntax, const Expression& e) {
  if (!mentions_n(syntax, e) || e.kind == ExpressionKind::thread_count) return true;
  if (e.kind == ExpressionKind::constant) {
    return never_falls(syntax, syntax.constants[e.index].value);
  }
  if (e.kind != ExpressionKind::binary) return false;
  const Expression &a = e.operands[0], &b = e.operands[1];
  const auto is_factor = [&](const Expression& factor) {
    return !mentions_n(syntax, factor) && constant_value(syntax, factor) >= 0;
  };
  switch (e.op) {
    case Operator::add:
      return never_falls(syntax, a) && never_falls(syntax, b);
    case Operator::subtract:
      return never_falls(syntax, a) && !mentions_n(syntax, b);
    case Operator::multiply:
      return (is_factor(a) && never_falls(syntax, b)) || (is_factor(b) && never_falls(syntax, a));
    default:
      return false;
  }
}

// Whether a family grows (Family::grows).
class Growth {
 public:
  Growth(const Syntax& syntax, int smallest) : syntax_(syntax), smallest_(smallest) {}

  bool check() const {
    const auto declared = [&](const auto& variable) { return grows(variable); };
    const auto is_free = [&](const auto& function) {
      return (!function.range || grows(*function.range)) && grows(function.block);
    };
    return all_of(syntax_.variables, declared) && all_of(syntax_.functions, is_free) &&
           all_of(syntax_.blocks,
                  [&](const Block& block) { return grows(block) && bounds(block); });
  }

 private:
  template <class List, class Is>
  static bool all_of(const List& list, const Is& is) {
    return std::all_of(list.begin(), list.end(), is);
  }
  bool is_free(const Expression& e) const { return !mentions_n(syntax_, e); }
  template <class List>
  bool all_free(const List& list) const {
    return all_of(list, [&](const Expression& e) { return is_free(e); });
  }

  // What is in the range stays so, and a register that nothing has set holds the same as before.
  bool grows(const lang::idiom::Range& range) const {
    if (is_free(range.low) && is_free(range.high)) return true;
    const auto [low, high] = lang::idiom::Constants(syntax_, smallest_).range(range);
    return !range.wraps && is_free(range.low) && never_falls(syntax_, range.high) &&
           (low > 0 || high >= 0);
  }

  bool grows(const lang::idiom::Variable& variable) const {
    const bool sized = variable.size && !is_free(*variable.size);
    return grows(variable.range) && !variable.per_workgroup && all_free(variable.initial) &&
           (!variable.columns || is_free(*variable.columns)) &&
           (!sized || (never_falls(syntax_, *variable.size) && !variable.listed));
  }

  bool grows(const Block& block) const {
    const auto declared = [&](const auto& r) {
      return grows(r.range) && (!r.size || is_free(*r.size)) && (!r.columns || is_free(*r.columns));
    };
    return all_of(block.registers, declared) &&
           all_of(block.body, [&](const Statement& s) { return is_free(s); });
  }

  bool is_free(const Statement& s) const {
    const auto inner = [&](const Statement& statement) { return is_free(statement); };
    return (!s.expression || is_free(*s.expression)) && all_free(s.indices) && all_free(s.values) &&
           all_of(s.body, inner) && all_of(s.otherwise, inner);
  }

  // A thread has the same block for every N, and the newcomer has one.
  bool bounds(const Block& block) const {
    if (block.all) return true;
    const Bound first = bound_of(syntax_, block.first), last = bound_of(syntax_, block.last);
    return !first.from_top && (!last.from_top || last.at == -1);
  }

  const Syntax& syntax_;
  const int smallest_;
};

bool grows_with_n(const Syntax& syntax, int smallest) {
  try {
    return Growth(syntax, smallest).check();
  } catch (const Error&) {  // of a bound that is not of the usual form
    return false;
  }
}

// A launch of N workgroups becomes one of single threads. Of a level at which every group has one
// child no model is asked (docs/reference/scopes.md), so that of workgroups of one thread gid is
// tid, and every other id is 0. Of those of several lid is what is left of tid, and N the number of
// all threads.
class SingleThreads {
 public:
  SingleThreads(Syntax& syntax, std::int64_t group) : syntax_(syntax), group_(group) {}

  void rewrite() {
    for (auto& constant : syntax_.constants) expression(constant.value);
    for (auto& variable : syntax_.variables) {
      declared(variable);
      for (Expression& value : variable.initial) expression(value);
    }
    for (auto& function : syntax_.functions) {
      if (function.range) range(*function.range);
      block(function.block);
    }
    for (Block& each : syntax_.blocks) block(each);
    syntax_.launch.reset();
  }

 private:
  using Id = lang::idiom::Id;
  using Size = lang::idiom::Size;

  void expression(Expression& e) {
    const auto number = [&](std::int64_t value) {
      Expression result;
      result.number = value;
      result.offset = e.offset;
      return result;
    };
    const auto all = [&](ExpressionKind kind) {
      if (group_ == 1) {
        e.kind = kind;
        return;
      }
      throw error_at(
          syntax_.file, syntax_.text, e.offset,
          "no answer for every N where threads of several in a workgroup look at its id, "
          "or at how many there are; expected tid, lid, THREADS or WORKGROUP_SIZE");
    };
    for (Expression& operand : e.operands) expression(operand);
    if (e.kind == ExpressionKind::thread_count) all(e.kind);
    if (e.kind == ExpressionKind::size) {
      if (e.size == Size::threads) {
        e.kind = ExpressionKind::thread_count;
      } else if (e.size == Size::workgroups) {
        all(ExpressionKind::thread_count);
      } else {
        e = number(group_);
      }
    }
    if (e.kind != ExpressionKind::id) return;
    if (e.id == Id::gid) {
      all(ExpressionKind::thread_id);
    } else if (group_ == 1 || (e.id != Id::lid && e.id != Id::lane)) {
      e = number(0);
    } else {
      Expression id = number(0);
      id.kind = ExpressionKind::thread_id;
      std::vector<Expression> operands = {id, number(group_)};
      e.kind = ExpressionKind::binary;
      e.op = Operator::remainder;
      e.operands = std::move(operands);
    }
  }

  void range(lang::idiom::Range& range) {
    expression(range.low);
    expression(range.high);
  }

  template <class Declared>
  void declared(Declared& what) {
    range(what.range);
    if (what.size) expression(*what.size);
    if (what.columns) expression(*what.columns);
  }

  void block(Block& block) {
    expression(block.first);
    expression(block.last);
    for (auto& each : block.registers) declared(each);
    for (Statement& each : block.body) statement(each);
  }

  void statement(Statement& s) {
    if (s.expression) expression(*s.expression);
    for (auto* expressions : {&s.indices, &s.values}) {
      for (Expression& e : *expressions) expression(e);
    }
    for (auto* statements : {&s.body, &s.otherwise}) {
      for (Statement& inner : *statements) statement(inner);
    }
  }

  Syntax& syntax_;
  const std::int64_t group_;
};

// What no answer for every N knows of, uniform or not.
void require_flat(Family& family) {
  Syntax& syntax = family.syntax;
  const auto fail = [&](std::size_t offset, const std::string& message) {
    throw error_at(syntax.file, syntax.text, offset, message);
  };
  if (syntax.launch) {
    const lang::idiom::Launch& launch = *syntax.launch;
    const bool fixed = !mentions_n(syntax, launch.threads);
    const std::int64_t group = fixed ? constant_value(syntax, launch.threads) : 0;
    if (launch.workgroups.kind != ExpressionKind::thread_count || launch.subgroup || group < 1 ||
        group > kMostClasses) {
      fail(
          launch.offset,
          fmt::format("no answer for every N for this launch; expected a family of single threads, "
                      "or 'N workgroups of K threads;' for a number K up to {}, without subgroups",
                      kMostClasses));
    }
    if (group > 1 && !(syntax.barriers.empty() && syntax.operations.empty())) {
      fail(launch.offset,
           "no answer for every N where the threads of a workgroup wait for each other");
    }
    family.group = static_cast<int>(group);
    if (group > 1) family.launched = syntax;
  }
  SingleThreads(syntax, family.group).rewrite();
  if (syntax.sizes.empty()) {
    fail(0, "this has a fixed number of threads; expected a family, with 'N = 2..4;'");
  }
  if (syntax.lockstep) fail(0, "no answer for every N where threads run in lockstep");
  if (syntax.final) {
    fail(syntax.final->offset, "no answer for every N where something is asserted at the end");
  }
}

void require_running(const Syntax& syntax, const Code& code) {
  std::string what;
  if (code.waits()) what = "threads wait blocked";
  if (code.chooses()) what = "threads choose";
  if (code.assumes()) what = "something is assumed";
  if (what.empty()) return;
  throw error_at(syntax.file, syntax.text, syntax.blocks.front().offset,
                 fmt::format("no answer for every N where {}", what));
}

}  // namespace

int first_of(int c, int low, int classes) {
  int thread = low;
  while (thread % classes != c) ++thread;
  return thread;
}

std::string Uniform::name(int kind) const {
  if (kind < low) return fmt::format("thread {}", kind);
  if (kind < specials()) return fmt::format("thread N-{}", specials() - kind);
  if (classes == 1) return "the crowd";
  return fmt::format("the crowd where tid % {} == {}", classes, kind - specials());
}

Family read_family(std::string_view text, const std::string& file) {
  Scanner scanner(text, file);
  if (!lang::idiom::begins_program(scanner.peek())) {
    throw Error({file, 0, 0}, "expected a family of the idiom language");
  }
  Family family;
  family.syntax = lang::idiom::parse(scanner, text, file);
  require_flat(family);
  try {
    family.uniform = Premises(family.syntax).check();
    family.smallest = std::max(1, (family.uniform->specials() + family.group - 1) / family.group);
    require_running(family.syntax, family.uniform->code);
  } catch (const Error& error) {
    if (family.uniform) throw;
    family.refusal = error;
    family.smallest = *std::min_element(family.syntax.sizes.begin(), family.syntax.sizes.end());
    require_running(family.syntax, family.compiled(family.smallest));
  }
  if (family.group > 1) require_running(family.syntax, family.compiled(family.smallest));
  if (family.group > 1 && family.has_top()) {
    throw error_at(
        family.syntax.file, family.syntax.text, family.syntax.blocks.front().offset,
        "no answer for every N where the last thread of the last workgroup of several has "
        "a program of its own");
  }
  family.grows = grows_with_n(family.syntax, family.smallest);
  try {
    family.shape = Premises(family.syntax, true).shape();
  } catch (const Error& error) {
    family.id = error;
  }
  return family;
}

StepEnd take_step(const Code& code, int thread, ThreadState& local, std::vector<int>& memory) {
  const lang::idiom::Machine machine(code, code.threads[thread]);
  const lang::idiom::Access access = machine.access(local);
  lang::idiom::Failure failure;
  const int old = access.cell < 0 ? 0 : memory[access.cell];
  const std::optional<int> written = machine.step(local, access, old, failure);
  if (local.at == ThreadState::kFailed) return StepEnd::fails;
  if (written) memory[access.cell] = *written;
  return machine.ended(local) ? StepEnd::ends : StepEnd::goes_on;
}

ThreadState start_of(const Code& code, int thread) {
  return lang::idiom::Machine(code, code.threads[thread]).start();
}

}  // namespace headway::every
