#include "oracle/idiom_oracle.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace headway::oracle {

using lang::idiom::AccessKind;
using lang::idiom::Block;
using lang::idiom::Expression;
using lang::idiom::Operator;
using lang::idiom::Range;
using lang::idiom::Statement;
using lang::idiom::Syntax;
using lang::idiom::Variable;
using Integer = std::int64_t;
using Kind = Statement::Kind;

class IdiomOracle::Interpreter {
 public:
  Interpreter(const Syntax& syntax, int threads) : syntax_(syntax), threads_(threads) {
    for (const Variable& variable : syntax.variables) {
      first_cell_.push_back(static_cast<int>(memory_.size()));
      const Integer size = variable.size ? constant(*variable.size) : 1;
      for (Integer i = 0; i < size; ++i) {
        Integer value = 0;
        if (!variable.initial.empty()) {
          value = constant(variable.initial[variable.listed ? static_cast<std::size_t>(i) : 0]);
        }
        memory_.push_back(static_cast<int>(value));
      }
      sizes_.push_back(size);
    }
    for (int t = 0; t < threads; ++t) {
      for (const Block& block : syntax.blocks) {
        if (block.all || (constant(block.first) <= t && t <= constant(block.last))) {
          blocks_.push_back(&block);
        }
      }
    }
  }

  const std::vector<int>& memory() const { return memory_; }
  int threads() const { return threads_; }

  // All threads before their first step.
  std::vector<int> initial() {
    std::vector<Thread> all;
    for (int t = 0; t < threads_; ++t) {
      Thread thread;
      thread.frames.push_back({nullptr, 0, 0});
      for (const auto& reg : blocks_[t]->registers) {
        const Integer low = constant(reg.range.low), high = constant(reg.range.high);
        thread.registers.push_back(low <= 0 && 0 <= high ? 0 : low);
      }
      Thread ahead = thread;
      std::vector<int> memory = memory_;
      run(ahead, t, memory, /*accesses=*/0);
      all.push_back(ahead.failed || ahead.frames.empty() ? thread : ahead);
    }
    return pack(all);
  }

  Status status(const std::vector<int>& pcs, int t) const {
    const Thread thread = unpack(pcs)[t];
    if (thread.failed) return Status::failed;
    return thread.frames.empty() ? Status::ended : Status::running;
  }

  void step(std::vector<int>& pcs, std::vector<int>& memory, int t) {
    std::vector<Thread> all = unpack(pcs);
    run(all[t], t, memory, /*accesses=*/1);
    pcs = pack(all);
  }

 private:
  // Inside of a statement (none: the block), in its part 0 (body), 1 (otherwise) or 2 (the
  // condition of a do loop), in front of the statement at `index` of that part.
  struct Frame {
    const Statement* owner;
    int part;
    int index;
  };
  struct Thread {
    bool failed = false;
    bool evaluating = false;  // in the middle of an expression
    std::vector<Frame> frames;
    std::vector<Integer> registers;
    std::vector<Integer> results;  // what the accesses of the expression have read
  };
  struct Wrong {};
  // The expression cannot go on without this access.
  struct Needs {
    const Expression* access;
    Integer index;
    std::vector<Integer> operands;
  };

  // States as numbers --------------------------------------------------------------------------

  int number(const Statement* statement) const {
    return numbers_.try_emplace(statement, static_cast<int>(numbers_.size())).first->second;
  }
  const Statement* statement(int number) const {
    for (const auto& [statement, n] : numbers_) {
      if (n == number) return statement;
    }
    throw std::logic_error("no such statement");
  }

  std::vector<int> pack(const std::vector<Thread>& all) const {
    std::vector<int> result;
    const auto put = [&](Integer value) { result.push_back(static_cast<int>(value)); };
    for (const Thread& thread : all) {
      put(thread.failed), put(thread.evaluating), put(static_cast<Integer>(thread.frames.size()));
      for (const Frame& f : thread.frames) put(number(f.owner)), put(f.part), put(f.index);
      put(static_cast<Integer>(thread.registers.size()));
      for (const Integer value : thread.registers) put(value);
      put(static_cast<Integer>(thread.results.size()));
      for (const Integer value : thread.results) put(value);
    }
    return result;
  }

  std::vector<Thread> unpack(const std::vector<int>& numbers) const {
    std::vector<Thread> all;
    std::size_t at = 0;
    const auto get = [&] { return numbers[at++]; };
    for (int t = 0; t < threads_; ++t) {
      Thread thread;
      thread.failed = get() != 0;
      thread.evaluating = get() != 0;
      for (int left = get(); left > 0; --left) {
        const Statement* owner = statement(get());
        const int part = get();
        thread.frames.push_back({owner, part, get()});
      }
      for (int left = get(); left > 0; --left) thread.registers.push_back(get());
      for (int left = get(); left > 0; --left) thread.results.push_back(get());
      all.push_back(thread);
    }
    return all;
  }

  // Expressions --------------------------------------------------------------------------------

  Integer constant(const Expression& e) const {
    Thread none;
    std::size_t used = 0;
    return value(e, none, 0, used);
  }

  bool holds(const Range& range, Integer value) const {
    return constant(range.low) <= value && value <= constant(range.high);
  }

  // `used` counts the accesses of the expression that have been met.
  Integer value(const Expression& e, const Thread& thread, int tid, std::size_t& used) const {
    using ExpressionKind = Expression::Kind;
    switch (e.kind) {
      case ExpressionKind::number:
        return e.number;
      case ExpressionKind::reg:
        return thread.registers[e.index];
      case ExpressionKind::constant:
        return constant(syntax_.constants[e.index].value);
      case ExpressionKind::thread_count:
        return threads_;
      case ExpressionKind::thread_id:
        return tid;
      case ExpressionKind::conditional:
        return value(e.operands[0], thread, tid, used) != 0
                   ? value(e.operands[1], thread, tid, used)
                   : value(e.operands[2], thread, tid, used);
      case ExpressionKind::access: {
        std::vector<Integer> operands;
        for (const Expression& operand : e.operands) {
          operands.push_back(value(operand, thread, tid, used));
        }
        if (used < thread.results.size()) return thread.results[used++];
        Integer index = 0;
        if (e.indexed) {
          index = operands.front();
          operands.erase(operands.begin());
        }
        throw Needs{&e, index, operands};
      }
      case ExpressionKind::unary:
      case ExpressionKind::binary:
        break;
      default:
        throw std::logic_error("not an expression of a flat launch without choices");
    }
    const Integer a = value(e.operands[0], thread, tid, used);
    if (e.op == Operator::negate) return -a;
    if (e.op == Operator::complement) return ~a;
    if (e.op == Operator::logical_not) return a == 0 ? 1 : 0;
    if (e.op == Operator::logical_and && a == 0) return 0;
    if (e.op == Operator::logical_or && a != 0) return 1;
    const Integer b = value(e.operands[1], thread, tid, used);
    switch (e.op) {
      case Operator::multiply:
        return a * b;
      case Operator::divide:
        if (b == 0) throw Wrong();
        return a / b;
      case Operator::remainder:
        if (b == 0) throw Wrong();
        return a % b;
      case Operator::add:
        return a + b;
      case Operator::subtract:
        return a - b;
      case Operator::shift_left:
        if (b < 0 || b > 62) throw Wrong();
        return a * (Integer{1} << b);
      case Operator::shift_right:
        if (b < 0 || b > 62) throw Wrong();
        return a >> b;
      case Operator::less:
        return a < b ? 1 : 0;
      case Operator::less_equal:
        return a <= b ? 1 : 0;
      case Operator::greater:
        return a > b ? 1 : 0;
      case Operator::greater_equal:
        return a >= b ? 1 : 0;
      case Operator::equal:
        return a == b ? 1 : 0;
      case Operator::not_equal:
        return a != b ? 1 : 0;
      case Operator::bit_and:
        return a & b;
      case Operator::bit_xor:
        return a ^ b;
      case Operator::bit_or:
        return a | b;
      default:
        return b != 0 ? 1 : 0;  // && and ||, whose left side has not decided
    }
  }

  // Statements ---------------------------------------------------------------------------------

  const std::vector<Statement>& list(const Frame& frame, int t) const {
    if (frame.owner == nullptr) return blocks_[t]->body;
    return frame.part == 0 ? frame.owner->body : frame.owner->otherwise;
  }

  static bool is_loop(const Statement* s) {
    return s != nullptr && (s->kind == Kind::loop || s->kind == Kind::do_loop);
  }

  // Makes as many accesses as are given, and goes on until the next one is needed, until a loop or
  // label is met again, or to the end.
  void run(Thread& thread, int t, std::vector<int>& memory, int accesses) {
    std::set<const Statement*> passed;
    bool access_possible = thread.evaluating;  // a step without one ends before the next one
    try {
      while (!thread.frames.empty()) {
        try {
          if (!advance(thread, t, passed)) return;
          thread.evaluating = false;
          thread.results.clear();
        } catch (const Needs& needs) {
          thread.evaluating = true;
          if (accesses == 0 || !access_possible) return;
          --accesses;
          access(thread, needs, memory);
        }
      }
    } catch (const Wrong&) {
      thread = Thread();
      thread.failed = true;
    }
  }

  void access(Thread& thread, const Needs& needs, std::vector<int>& memory) const {
    const int variable = needs.access->index;
    if (needs.index < 0 || needs.index >= sizes_[variable]) throw Wrong();
    int& cell = memory[static_cast<std::size_t>(first_cell_[variable] + needs.index)];
    const Integer old = cell;
    const Integer x = needs.operands.empty() ? 0 : needs.operands[0];
    Integer next = old;
    switch (needs.access->access) {
      case AccessKind::load:
        break;
      case AccessKind::store:
      case AccessKind::exch:
        next = x;
        break;
      case AccessKind::cas:
        if (old == x) next = needs.operands[1];
        break;
      case AccessKind::fetch_add:
        next = old + x;
        break;
      case AccessKind::fetch_sub:
        next = old - x;
        break;
      case AccessKind::fetch_min:
        next = std::min(old, x);
        break;
      case AccessKind::fetch_max:
        next = std::max(old, x);
        break;
      case AccessKind::fetch_and:
        next = old & x;
        break;
      case AccessKind::fetch_or:
        next = old | x;
        break;
      case AccessKind::fetch_xor:
        next = old ^ x;
        break;
      case AccessKind::weak_cas:
        throw std::logic_error("not an access of a thread that never chooses");
    }
    if (!holds(syntax_.variables[needs.access->index].range, next)) throw Wrong();
    cell = static_cast<int>(next);
    thread.results.push_back(old);
  }

  // Executes the next statement, or the part of a compound one that comes next. False: a loop or
  // label is met that has been passed.
  bool advance(Thread& thread, int t, std::set<const Statement*>& passed) {
    const Frame frame = thread.frames.back();
    std::size_t used = 0;
    const auto evaluate = [&](const Statement& s) {
      return s.expression ? value(*s.expression, thread, t, used) : 1;
    };
    if (frame.part == 2) {  // the condition of a do loop; what is around stands at the loop
      const bool again = evaluate(*frame.owner) != 0;
      thread.frames.pop_back();
      if (!again) ++thread.frames.back().index;
      return true;
    }
    const std::vector<Statement>& statements = list(frame, t);
    if (frame.index == static_cast<int>(statements.size())) {
      finish(thread);
      return true;
    }
    const Statement& s = statements[frame.index];
    const bool is_place = s.kind == Kind::label || is_loop(&s);
    if (is_place && !thread.evaluating && !passed.insert(&s).second) return false;
    const auto next = [&]() -> int& { return thread.frames.back().index; };
    switch (s.kind) {
      case Kind::assign: {
        const Integer result = evaluate(s);
        if (!holds(blocks_[t]->registers[s.index].range, result)) throw Wrong();
        thread.registers[s.index] = result;
        ++next();
        break;
      }
      case Kind::evaluate:
        evaluate(s);
        ++next();
        break;
      case Kind::assertion:
        if (evaluate(s) == 0) throw Wrong();
        ++next();
        break;
      case Kind::branch: {
        const int part = evaluate(s) != 0 ? 0 : 1;
        ++next();
        thread.frames.push_back({&s, part, 0});
        break;
      }
      case Kind::block:
        ++next();
        thread.frames.push_back({&s, 0, 0});
        break;
      case Kind::loop:
        if (evaluate(s) != 0) {
          thread.frames.push_back({&s, 0, 0});
        } else {
          ++next();
        }
        break;
      case Kind::do_loop:
        thread.frames.push_back({&s, 0, 0});
        break;
      case Kind::break_:
        while (!is_loop(thread.frames.back().owner)) thread.frames.pop_back();
        thread.frames.pop_back();
        ++next();
        break;
      case Kind::continue_:
        while (!is_loop(thread.frames.back().owner)) thread.frames.pop_back();
        finish(thread);
        break;
      case Kind::return_:
        thread.frames.clear();
        break;
      case Kind::label:
        ++next();
        break;
      case Kind::jump:
        thread.frames.clear();
        go_to(thread, {nullptr, 0, 0}, t, s.index);
        break;
      default:
        throw std::logic_error("not a statement of a thread that never waits");
    }
    return true;
  }

  // Behind the last statement of a list.
  void finish(Thread& thread) {
    const Frame done = thread.frames.back();
    thread.frames.pop_back();
    if (!is_loop(done.owner) || done.part != 0) return;
    thread.frames.push_back({done.owner, done.owner->kind == Kind::loop ? 1 : 2, 0});
  }

  // Adds the frames from `frame` to a label; false when it is not in there.
  bool go_to(Thread& thread, Frame frame, int t, int label) {
    const std::vector<Statement>& statements = list(frame, t);
    for (frame.index = 0; frame.index < static_cast<int>(statements.size()); ++frame.index) {
      const Statement& s = statements[frame.index];
      thread.frames.push_back(frame);
      if (s.kind == Kind::label && s.index == label) return true;
      if (!is_loop(&s)) ++thread.frames.back().index;
      if (go_to(thread, {&s, 0, 0}, t, label)) return true;
      if (!is_loop(&s) && go_to(thread, {&s, 1, 0}, t, label)) return true;
      thread.frames.pop_back();
    }
    return false;
  }

  const Syntax& syntax_;
  const int threads_;
  std::vector<int> memory_;  // at first
  std::vector<int> first_cell_;
  std::vector<Integer> sizes_;
  std::vector<const Block*> blocks_;  // by thread
  mutable std::map<const Statement*, int> numbers_;
};

IdiomOracle::IdiomOracle(const Syntax& syntax, int threads)
    : interpreter_(std::make_shared<Interpreter>(syntax, threads)) {}
IdiomOracle::~IdiomOracle() = default;

Behaviour IdiomOracle::behaviour() const {
  const auto interpreter = interpreter_;
  return one_step_behaviour(
      interpreter->threads(), interpreter->initial(), interpreter->memory(),
      [interpreter](const std::vector<int>& pcs, int thread) {
        return interpreter->status(pcs, thread);
      },
      [interpreter](std::vector<int>& pcs, std::vector<int>& memory, int thread) {
        interpreter->step(pcs, memory, thread);
      });
}

}  // namespace headway::oracle
