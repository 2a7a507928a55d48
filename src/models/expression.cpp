#include "models/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>

#include "base/text/scanner.hpp"

namespace headway::models {
namespace {

constexpr int kNesting = 100;      // parentheses, calls and numbers inside each other
constexpr int kStack = 512;        // values an evaluation may hold; nesting adds at most 4 a level
constexpr int kMaxInteger = 1000;  // of a literal

constexpr std::array<std::string_view, 23> kKeywords = {
    "all",    "alive",   "ready", "blocked", "started", "terminated", "F",    "tid",
    "lowest", "highest", "upto",  "from",    "first",   "count",      "in",   "threads",
    "if",     "then",    "else",  "loads",   "stores",  "exchanges",  "loops"};

ThreadSet lowest(std::int64_t count, ThreadSet set) {
  ThreadSet result;
  for (int thread : set) {
    if (count-- <= 0) break;
    result |= ThreadSet::single(thread);
  }
  return result;
}

ThreadSet highest(std::int64_t count, ThreadSet set) {
  ThreadSet result;
  for (; count > 0 && !set.empty(); --count) {
    result |= ThreadSet::single(set.max());
    set -= result;
  }
  return result;
}

}  // namespace

bool is_expression_keyword(std::string_view name) {
  return std::find(kKeywords.begin(), kKeywords.end(), name) != kKeywords.end();
}

// Recursive descent, one function a level of binding strength:
//   sum     := product { '|' product }           sets
//   product := factor { ('&' | '-') factor }     sets; the same strength, from the left
//   factor  := 'if' sum 'then' sum 'else' sum | ...
//   number  := count { ('+' | '-') count }       integers
// What an operand is, a set or an integer, is known from its first token, so '-' is clear.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, Expression::Form form,
                   const Expression::Parameters& parameters)
      : scanner_(text, ""), form_(form), parameters_(parameters) {}

  Expression run() {
    set();
    if (scanner_.peek().kind != Token::Kind::end) {
      scanner_.fail(scanner_.peek(), fmt::format("expected '|', '&', '-' or the end of the "
                                                 "expression, found {}",
                                                 found()));
    }
    return std::move(result_);
  }

 private:
  using Code = Expression::Code;

  void set() {
    nest();
    product();
    while (scanner_.accept("|")) {
      product();
      emit(Code::unite, -1);
    }
    --nesting_;
  }

  // A set that matters as a whole, to an operator that does not treat each thread by itself.
  void whole_set() {
    const std::size_t begin = result_.operations_.size();
    set();
    for (std::size_t i = begin; i < result_.operations_.size(); ++i) {
      const Code code = result_.operations_[i].code;
      if (code == Code::alive || code == Code::ready || code == Code::blocked ||
          code == Code::terminated || code == Code::fair) {
        result_.looks_at_terminated_ = true;
      } else if (code == Code::started) {
        result_.looks_at_started_of_others_ = true;
      }
    }
  }

  void product() {
    factor();
    for (;;) {
      if (scanner_.accept("&")) {
        factor();
        emit(Code::intersect, -1);
      } else if (scanner_.accept("-")) {
        factor();
        emit(Code::without, -1);
      } else {
        return;
      }
    }
  }

  void factor() {
    const Token token = scanner_.next();
    if (token.is("(")) {
      set();
      scanner_.expect(")");
    } else if (token.is("{")) {
      literal();
    } else if (token.is("all")) {
      emit(Code::all, 1);
    } else if (token.is("alive")) {
      emit(Code::alive, 1);
    } else if (token.is("ready") || token.is("blocked")) {
      result_.looks_at_blocked_ = true;
      emit(token.is("ready") ? Code::ready : Code::blocked, 1);
    } else if (token.is("if")) {
      whole_set();
      scanner_.expect("then");
      set();
      scanner_.expect("else");
      set();
      emit(Code::choose, -2);
    } else if (token.is("started")) {
      result_.looks_at_started_ = true;
      emit(Code::started, 1);
    } else if (token.is("terminated")) {
      emit(Code::terminated, 1);
    } else if (token.is("F")) {
      if (!is_event()) {
        scanner_.fail(token,
                      "F is known only in on_step and on_terminate, where it is the fair "
                      "set before the event");
      }
      emit(Code::fair, 1);
    } else if (const auto code = of_instruction(token)) {
      if (form_ != Expression::Form::step) {
        scanner_.fail(token,
                      fmt::format("{} is known only in on_step, where it is {{tid}} when the "
                                  "instruction of the step {}, else {{}}",
                                  token.text, token.text));
      }
      result_.looks_at_instructions_ = true;
      emit(*code, 1);
    } else if (token.is("lowest") || token.is("highest")) {
      extreme(token.is("lowest"));
    } else if (token.is("upto") || token.is("from")) {
      result_.looks_at_ids_ = true;
      scanner_.expect("(");
      whole_set();
      scanner_.expect(")");
      emit(token.is("upto") ? Code::upto : Code::from, 0);
    } else if (token.is("first")) {
      result_.looks_at_ids_ = true;
      scanner_.expect("(");
      number();
      scanner_.expect(")");
      emit(Code::first, 0);
    } else {
      scanner_.fail(
          token,
          fmt::format("expected a set ({{...}}, all, alive, ready, blocked, started, "
                      "terminated, {}{}lowest(S), highest(S), upto(S), from(S), "
                      "first(k), if S then A else B or parentheses), found {}",
                      is_event() ? "F, " : "",
                      form_ == Expression::Form::step ? "loads, stores, exchanges, loops, " : "",
                      describe(token)));
    }
  }

  bool is_event() const {
    return form_ == Expression::Form::step || form_ == Expression::Form::termination;
  }

  // The words about the instruction of a step.
  static std::optional<Code> of_instruction(const Token& token) {
    if (token.is("loads")) return Code::loads;
    if (token.is("stores")) return Code::stores;
    if (token.is("exchanges")) return Code::exchanges;
    if (token.is("loops")) return Code::loops;
    return std::nullopt;
  }

  // "{", "1, tid, k+1", "}"
  void literal() {
    emit(Code::constant, 1);
    if (scanner_.accept("}")) return;
    result_.looks_at_ids_ = true;
    do {
      number();
      emit(Code::singleton, 0);
      emit(Code::unite, -1);
    } while (scanner_.accept(","));
    scanner_.expect("}");
  }

  // lowest(S), lowest(k, S) and their mirror images
  void extreme(bool low) {
    result_.looks_at_ids_ = true;
    scanner_.expect("(");
    if (starts_number(scanner_.peek())) {
      number();
      scanner_.expect(",", "how many threads comes first, then the set");
      whole_set();
      emit(low ? Code::lowest_of : Code::highest_of, -1);
    } else {
      whole_set();
      emit(low ? Code::lowest : Code::highest, 0);
    }
    scanner_.expect(")");
  }

  bool starts_number(const Token& token) const {
    return token.is_number() || token.is("count") || token.is("tid") || token.is("-") ||
           token.is("+") || parameters_.contains(token.text);
  }

  void number() {
    nest();
    if (scanner_.accept("-")) {  // a sign
      emit(Code::constant, 1);
      term();
      emit(Code::subtract, -1);
    } else {
      scanner_.accept("+");
      term();
    }
    for (;;) {
      if (scanner_.accept("+")) {
        term();
        emit(Code::add, -1);
      } else if (scanner_.accept("-")) {
        term();
        emit(Code::subtract, -1);
      } else {
        break;
      }
    }
    --nesting_;
  }

  void term() {
    const Token token = scanner_.peek();
    if (token.is_number()) {
      emit(Code::constant, 1, scanner_.integer("number", 0, kMaxInteger));
      return;
    }
    scanner_.next();
    if (token.is("count")) {
      scanner_.expect("(");
      whole_set();
      scanner_.expect(")");
      emit(Code::count, 0);
    } else if (token.is("tid")) {
      if (!is_event()) {
        scanner_.fail(token,
                      "tid is known only in on_step and on_terminate, where it is the "
                      "thread of the event");
      }
      emit(Code::thread, 1);
    } else if (const auto parameter = parameters_.find(token.text);
               token.kind == Token::Kind::word && parameter != parameters_.end()) {
      emit(Code::constant, 1, parameter->second);
    } else {
      std::string names;
      for (const auto& [name, value] : parameters_) names += name + ", ";
      scanner_.fail(token, fmt::format("expected a number (0, 1, ..., {}count(S){}), found {}",
                                       names, is_event() ? ", tid" : "", describe(token)));
    }
  }

  void emit(Code code, int growth, int argument = 0) {
    result_.operations_.push_back({code, argument});
    depth_ += growth;
    assert(depth_ <= kStack);
  }

  void nest() {
    if (++nesting_ > kNesting) {
      scanner_.fail(scanner_.peek(), "the expression is nested too deeply");
    }
  }

  std::string found() const { return describe(scanner_.peek()); }

  static std::string describe(const Token& token) {
    return token.kind == Token::Kind::end ? "the end of the expression" : shown(token);
  }

  Scanner scanner_;
  Expression::Form form_;
  const Expression::Parameters& parameters_;
  Expression result_;
  int depth_ = 0;
  int nesting_ = -1;  // the whole expression is inside nothing
};

Expression Expression::parse_set(std::string_view text, Form form, const Parameters& parameters) {
  return ExpressionParser(text, form, parameters).run();
}

ThreadSet Expression::evaluate(const Environment& environment) const {
  // Sets are kept as their bits. Every set is a subset of `all`.
  std::int64_t stack[kStack + 1];  // the first is unused, so that `top` stays inside
  std::int64_t* top = stack;
  const ThreadSet all = ThreadSet::first(environment.threads);
  const auto set = [](std::int64_t value) {
    return ThreadSet::of_bits(static_cast<ThreadSet::Bits>(value));
  };
  const auto bits = [](ThreadSet value) { return static_cast<std::int64_t>(value.bits()); };
  const auto put = [&](ThreadSet value) { *top = bits(value); };
  const auto self_if = [&](bool holds) {
    return bits(holds ? ThreadSet::single(environment.thread) : ThreadSet());
  };
  using Access = Instruction::Access;
  for (const Operation& operation : operations_) {
    switch (operation.code) {
      case Code::constant:
        *++top = operation.argument;
        break;
      case Code::all:
        *++top = bits(all);
        break;
      case Code::alive:
        *++top = bits(all - environment.history.terminated);
        break;
      case Code::ready:
        *++top = bits(environment.history.ready(environment.threads));
        break;
      case Code::blocked:
        *++top = bits(environment.history.blocked);
        break;
      case Code::started:
        *++top = bits(environment.history.started);
        break;
      case Code::terminated:
        *++top = bits(environment.history.terminated);
        break;
      case Code::fair:
        *++top = bits(environment.fair);
        break;
      case Code::thread:
        *++top = environment.thread;
        break;
      case Code::loads:
        *++top = self_if(environment.instruction.access == Access::load);
        break;
      case Code::stores:
        *++top = self_if(environment.instruction.access == Access::store);
        break;
      case Code::exchanges:
        *++top = self_if(environment.instruction.access == Access::exchange);
        break;
      case Code::loops:
        *++top = self_if(environment.instruction.loops);
        break;
      case Code::count:
        *top = set(*top).size();
        break;
      case Code::singleton:
        put(*top >= 0 && *top < environment.threads ? ThreadSet::single(static_cast<int>(*top))
                                                    : ThreadSet());
        break;
      case Code::lowest:
        put(lowest(1, set(*top)));
        break;
      case Code::highest:
        put(highest(1, set(*top)));
        break;
      case Code::upto:
        if (*top != 0) put(ThreadSet::first(set(*top).max() + 1));
        break;
      case Code::from:
        if (*top != 0) put(all - ThreadSet::first(set(*top).min()));
        break;
      case Code::first:
        put(all &
            ThreadSet::first(static_cast<int>(std::clamp<std::int64_t>(*top, 0, kMaxThreads))));
        break;
      case Code::unite:
        --top, *top |= top[1];
        break;
      case Code::intersect:
        --top, *top &= top[1];
        break;
      case Code::without:
        --top, *top &= ~top[1];
        break;
      case Code::add:
        --top, *top += top[1];
        break;
      case Code::subtract:
        --top, *top -= top[1];
        break;
      case Code::lowest_of:
        --top, put(lowest(top[0], set(top[1])));
        break;
      case Code::highest_of:
        --top, put(highest(top[0], set(top[1])));
        break;
      case Code::choose:
        top -= 2, *top = *top != 0 ? top[1] : top[2];
        break;
    }
  }
  assert(top == stack + 1);
  return set(*top);
}

}  // namespace headway::models
