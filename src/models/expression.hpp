// Expressions of the model files: an algebra of thread sets and integers
// (docs/reference/model-files.md), compiled once to a stack program. Evaluation takes some
// nanoseconds and never fails.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/bits/thread_set.hpp"
#include "models/model.hpp"

namespace headway::models {

class Expression {
 public:
  // Where an expression stands decides which names it may use.
  enum class Form { history, initial, step, termination };

  // What an expression is evaluated over. `fair` and `thread` only matter to the event form,
  // `instruction` to its steps.
  struct Environment {
    int threads = 0;
    History history;
    ThreadSet fair;
    int thread = 0;
    Instruction instruction = {};
  };

  using Parameters = std::map<std::string, int, std::less<>>;

  // The set `text` denotes, with `parameters` replaced by their values. Throws headway::Error
  // whose place is a line and column of `text`.
  static Expression parse_set(std::string_view text, Form form, const Parameters& parameters);

  // A subset of {0, ..., threads-1}.
  ThreadSet evaluate(const Environment& environment) const;

  bool looks_at_started() const { return looks_at_started_; }
  bool looks_at_blocked() const { return looks_at_blocked_; }
  // Whether it counts, orders or asks for any of those that are alive or not, of those that have
  // started. The other operators treat every thread by itself, and give those that are ready what
  // they would if all were alive.
  bool looks_at_terminated() const { return looks_at_terminated_; }
  bool looks_at_started_of_others() const { return looks_at_started_of_others_; }
  // Whether it names threads by their ids or by the order of these. The other operators are
  // those of sets, which do not change when threads are renamed.
  bool looks_at_ids() const { return looks_at_ids_; }
  bool looks_at_instructions() const { return looks_at_instructions_; }

 private:
  friend class ExpressionParser;

  enum class Code : std::uint8_t {
    // push
    constant,
    all,
    alive,
    ready,
    blocked,
    started,
    terminated,
    fair,
    thread,
    loads,
    stores,
    exchanges,
    loops,
    // replace the top
    count,
    singleton,
    lowest,
    highest,
    upto,
    from,
    first,
    // replace the top two; for the last two, the number lies below the set
    unite,
    intersect,
    without,
    add,
    subtract,
    lowest_of,
    highest_of,
    // replace the top three, the lowest of which is the condition
    choose,
  };
  struct Operation {
    Code code;
    std::int32_t argument = 0;
  };

  std::vector<Operation> operations_;
  bool looks_at_started_ = false;
  bool looks_at_blocked_ = false;
  bool looks_at_terminated_ = false;
  bool looks_at_started_of_others_ = false;
  bool looks_at_ids_ = false;
  bool looks_at_instructions_ = false;
};

// Names that an expression gives a meaning, which parameters must not take.
bool is_expression_keyword(std::string_view name);

}  // namespace headway::models
