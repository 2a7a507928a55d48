// Every operator and function against sets computed member by member, on all histories of up to
// four threads; then random expressions, printed with as few parentheses as their meaning allows.
#include "models/expression.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <set>

#include "support/errors.hpp"

using headway::Error;
using headway::kMaxThreads;
using headway::ThreadSet;
using headway::models::Expression;
using headway::models::History;
using headway::testing::contains;
using headway::testing::error_of;

namespace {

using Environment = Expression::Environment;
using Form = Expression::Form;
using Set = std::set<int>;

// Sets, member by member ------------------------------------------------------------------------

Set members(ThreadSet set) {
  Set result;
  for (int thread : set) result.insert(thread);
  return result;
}

// The threads of `environment` for which `wanted` holds.
template <class Wanted>
Set those(const Environment& environment, Wanted wanted) {
  Set result;
  for (int thread = 0; thread < environment.threads; ++thread) {
    if (wanted(thread)) result.insert(thread);
  }
  return result;
}

Set unite(const Environment& e, const Set& a, const Set& b) {
  return those(e, [&](int t) { return a.count(t) > 0 || b.count(t) > 0; });
}
Set intersect(const Environment& e, const Set& a, const Set& b) {
  return those(e, [&](int t) { return a.count(t) > 0 && b.count(t) > 0; });
}
Set without(const Environment& e, const Set& a, const Set& b) {
  return those(e, [&](int t) { return a.count(t) > 0 && b.count(t) == 0; });
}

// Of `set`, the members that fewer than `count` others lie below (above).
Set lowest(const Environment& e, int count, const Set& set) {
  return those(e, [&](int t) {
    int below = 0;
    for (int other : set) below += other < t ? 1 : 0;
    return set.count(t) > 0 && below < count;
  });
}
Set highest(const Environment& e, int count, const Set& set) {
  return those(e, [&](int t) {
    int above = 0;
    for (int other : set) above += other > t ? 1 : 0;
    return set.count(t) > 0 && above < count;
  });
}
Set upto(const Environment& e, const Set& set) {
  return those(e, [&](int t) { return set.lower_bound(t) != set.end(); });
}
Set from(const Environment& e, const Set& set) {
  return those(e, [&](int t) { return !set.empty() && *set.begin() <= t; });
}

Set all(const Environment& e) {
  return those(e, [](int) { return true; });
}
Set alive(const Environment& e) {
  return those(e, [&](int t) { return !e.history.terminated.contains(t); });
}
Set started(const Environment& e) { return members(e.history.started); }
Set terminated(const Environment& e) { return members(e.history.terminated); }
Set fair(const Environment& e) { return members(e.fair); }

// Environments ----------------------------------------------------------------------------------

// Calls `visit` with every history of `threads` threads; F is {} and the event's thread 0.
template <class Visit>
void for_each_history(int threads, const Visit& visit) {
  int count = 1;
  for (int t = 0; t < threads; ++t) count *= 3;
  for (int number = 0; number < count; ++number) {
    History history;
    for (int t = 0, rest = number; t < threads; ++t, rest /= 3) {
      if (rest % 3 > 0) history.started |= ThreadSet::single(t);
      if (rest % 3 == 2) history.terminated |= ThreadSet::single(t);
    }
    visit(Environment{threads, history, {}, 0});
  }
}

std::vector<Environment> histories() {
  std::vector<Environment> result;
  for (int threads = 1; threads <= 4; ++threads) {
    for_each_history(threads, [&](const Environment& e) { result.push_back(e); });
  }
  return result;
}

// With every F and every thread of the event.
std::vector<Environment> events(int most_threads) {
  std::vector<Environment> result;
  for (int threads = 1; threads <= most_threads; ++threads) {
    for_each_history(threads, [&](Environment e) {
      for (std::uint32_t bits = 0; bits < 1u << threads; ++bits) {
        e.fair = ThreadSet::of_bits(bits);
        for (e.thread = 0; e.thread < threads; ++e.thread) result.push_back(e);
      }
    });
  }
  return result;
}

using Meaning = std::function<Set(const Environment&)>;

// Whether `text` means `meaning` in all `environments`; says where not.
bool means(const std::string& text, Form form, const Meaning& meaning,
           const std::vector<Environment>& environments,
           const Expression::Parameters& parameters = {}) {
  const Expression expression = Expression::parse_set(text, form, parameters);
  for (const Environment& e : environments) {
    if (members(expression.evaluate(e)) == meaning(e)) continue;
    FAIL_CHECK(text << " is " << expression.evaluate(e).to_string() << " with " << e.threads
                    << " threads, started " << e.history.started.to_string() << ", terminated "
                    << e.history.terminated.to_string() << ", F " << e.fair.to_string() << ", tid "
                    << e.thread);
    return false;
  }
  return true;
}

std::string column_and_message(std::string_view text, Form form = Form::step,
                               const Expression::Parameters& parameters = {{"k", 2}}) {
  const auto error = error_of([&] { Expression::parse_set(text, form, parameters); });
  if (!error) return "accepted";
  if (error->where().line != 1) return "not on line 1";
  return std::to_string(error->where().column) + " " + error->what();
}

}  // namespace

TEST_CASE("models/expression: names mean what the history and the event say") {
  const auto environments = events(4);
  CHECK(environments.size() == 3 * 2 * 1 + 9 * 4 * 2 + 27 * 8 * 3 + 81 * 16 * 4);
  CHECK(means("all", Form::step, all, environments));
  CHECK(means("alive", Form::step, alive, environments));
  CHECK(means("started", Form::step, started, environments));
  CHECK(means("terminated", Form::step, terminated, environments));
  CHECK(means("F", Form::step, fair, environments));
  CHECK(means(
      "{tid}", Form::step, [](const Environment& e) { return Set{e.thread}; }, environments));
  CHECK(means(
      "{}", Form::step, [](const Environment&) { return Set{}; }, environments));
}

TEST_CASE("models/expression: functions of a set") {
  struct Operand {
    std::string text;
    Meaning meaning;
  };
  const std::vector<Operand> operands = {
      {"all", all},
      {"alive", alive},
      {"started", started},
      {"terminated", terminated},
      {"started & alive", [](const Environment& e) { return intersect(e, started(e), alive(e)); }},
      {"{}", [](const Environment&) { return Set{}; }}};
  const auto environments = histories();
  CHECK(environments.size() == 3 + 9 + 27 + 81);
  for (const Operand& operand : operands) {
    const std::string& text = operand.text;
    const Meaning& set = operand.meaning;
    CHECK(means(
        "lowest(" + text + ")", Form::history,
        [&](const Environment& e) { return lowest(e, 1, set(e)); }, environments));
    CHECK(means(
        "highest(" + text + ")", Form::history,
        [&](const Environment& e) { return highest(e, 1, set(e)); }, environments));
    CHECK(means(
        "upto(" + text + ")", Form::history, [&](const Environment& e) { return upto(e, set(e)); },
        environments));
    CHECK(means(
        "from(" + text + ")", Form::history, [&](const Environment& e) { return from(e, set(e)); },
        environments));
    CHECK(means(
        "first(count(" + text + "))", Form::history,
        [&](const Environment& e) {
          const int count = static_cast<int>(set(e).size());
          return those(e, [&](int t) { return t < count; });
        },
        environments));
    for (const int k : {-1000, -1, 0, 1, 2, 3, 4, 5, 31, 32, 33, 1000}) {
      const std::string number = std::to_string(k);
      CHECK(means(
          "lowest(" + number + ", " + text + ")", Form::history,
          [&](const Environment& e) { return lowest(e, k, set(e)); }, environments));
      CHECK(means(
          "highest(" + number + ", " + text + ")", Form::history,
          [&](const Environment& e) { return highest(e, k, set(e)); }, environments));
      // The same number as a parameter.
      CHECK(means("lowest(k, " + text + ")", Form::history,
                  [&](const Environment& e) { return lowest(e, k, set(e)); }, environments,
                  {{"k", k}}));
    }
  }
}

TEST_CASE("models/expression: first and literals leave out ids that no thread has") {
  const auto environments = histories();
  for (const int k : {-1000, -1, 0, 1, 2, 3, 4, 5, 31, 32, 33, 64, 65, 1000}) {
    const std::string number = std::to_string(k);
    CHECK(means(
        "first(" + (k > 0 ? "+" + number : number) + ")", Form::history,
        [&](const Environment& e) { return those(e, [&](int t) { return t < k; }); },
        environments));
    CHECK(means(
        "{" + number + "}", Form::history,
        [&](const Environment& e) { return those(e, [&](int t) { return t == k; }); },
        environments));
    CHECK(means(
        "{" + number + ", 1, 1}", Form::history,
        [&](const Environment& e) { return those(e, [&](int t) { return t == k || t == 1; }); },
        environments));
  }
}

TEST_CASE("models/expression: all 64 threads fit") {
  const Environment e{kMaxThreads, {ThreadSet::first(64), ThreadSet::single(63)}, {}, 63};
  const auto value = [&](std::string_view text) {
    return Expression::parse_set(text, Form::step, {}).evaluate(e);
  };
  CHECK(value("all") == ThreadSet::first(64));
  CHECK(value("alive") == ThreadSet::first(63));
  CHECK(value("{63, tid, 64}") == ThreadSet::single(63));
  CHECK(value("{tid + 1}").empty());
  CHECK(value("upto({63})") == ThreadSet::first(64));
  CHECK(value("from({63})") == ThreadSet::single(63));
  CHECK(value("first(64)") == ThreadSet::first(64));
  CHECK(value("highest(65, all)") == ThreadSet::first(64));
  CHECK(value("lowest(count(all) - 1, all)") == ThreadSet::first(63));
}

TEST_CASE("models/expression: & and - bind tighter than | and go from the left") {
  struct Atom {
    std::string text;
    Meaning meaning;
  };
  const std::vector<Atom> atoms = {
      {"alive", alive},
      {"started", started},
      {"terminated", terminated},
      {"{0, 2}", [](const Environment& e) { return those(e, [](int t) { return t % 2 == 0; }); }}};
  const auto apply = [](char op, const Environment& e, const Set& a, const Set& b) {
    if (op == '|') return unite(e, a, b);
    return op == '&' ? intersect(e, a, b) : without(e, a, b);
  };
  const auto environments = histories();
  int expressions = 0;
  for (const char first : {'|', '&', '-'}) {
    for (const char second : {'|', '&', '-'}) {
      // a | b & c is a | (b & c); every other pair is read from the left.
      const bool right_first = first == '|' && second != '|';
      for (const Atom& a : atoms) {
        for (const Atom& b : atoms) {
          for (const Atom& c : atoms) {
            const std::string text =
                a.text + " " + first + " " + b.text + " " + second + " " + c.text;
            const Meaning meaning = [&](const Environment& e) {
              const Set x = a.meaning(e), y = b.meaning(e), z = c.meaning(e);
              return right_first ? apply(first, e, x, apply(second, e, y, z))
                                 : apply(second, e, apply(first, e, x, y), z);
            };
            CHECK(means(text, Form::history, meaning, environments));
            ++expressions;
          }
        }
      }
    }
  }
  CHECK(expressions == 9 * 64);
}

TEST_CASE("models/expression: numbers are read from the left and may have a sign in front") {
  const auto number = [](const std::string& text, const Environment& e) {
    // first(n + 16) of so many threads tells all n from -16 to 16 apart.
    Environment wide = e;
    wide.threads = kMaxThreads;
    const Expression expression =
        Expression::parse_set("first(" + text + " + 16)", Form::step, {{"k", 3}, {"minus", -2}});
    return expression.evaluate(wide).size() - 16;
  };
  for (const Environment& e : events(3)) {
    const int started = e.history.started.size(), fair = e.fair.size(), tid = e.thread;
    REQUIRE(number("0", e) == 0);
    REQUIRE(number("-7", e) == -7);
    REQUIRE(number("- 7 + 9", e) == 2);
    REQUIRE(number("5 - 3 - 1", e) == 1);
    REQUIRE(number("5 - 3 + 1", e) == 3);
    REQUIRE(number("k", e) == 3);
    REQUIRE(number("-k + minus", e) == -5);
    REQUIRE(number("k - minus", e) == 5);
    REQUIRE(number("tid", e) == tid);
    REQUIRE(number("-tid - count(started) - count(F)", e) == -tid - started - fair);
    REQUIRE(number("count(started - F) - count(started & F)", e) ==
            (e.history.started - e.fair).size() - (e.history.started & e.fair).size());
    REQUIRE(number("count(lowest(count({tid}), all))", e) == 1);
  }
}

// Random expressions ----------------------------------------------------------------------------

namespace {

// An expression as it is written and what it means. `strength` says how tightly its outermost
// operator binds: 0 for |, 1 for & and -, 2 for what needs no parentheses.
struct SetTerm {
  std::string text;
  int strength;
  Meaning meaning;
};
struct NumberTerm {
  std::string text;
  std::function<int(const Environment&)> meaning;
};

class RandomExpressions {
 public:
  explicit RandomExpressions(unsigned seed) : random_(seed) {}

  SetTerm set(int depth) {
    const int choice = depth == 0 ? below(6) : below(16);
    switch (choice) {
      case 0:
        return {"all", 2, all};
      case 1:
        return {"alive", 2, alive};
      case 2:
        return {"started", 2, started};
      case 3:
        return {"terminated", 2, terminated};
      case 4:
        return {"F", 2, fair};
      case 5:
        return literal(depth);
      case 6:
      case 7:
        return binary(depth, '|', unite);
      case 8:
      case 9:
        return binary(depth, '&', intersect);
      case 10:
      case 11:
        return binary(depth, '-', without);
      case 12: {
        const SetTerm s = set(depth - 1);
        return {"upto(" + s.text + ")", 2,
                [s](const Environment& e) { return upto(e, s.meaning(e)); }};
      }
      case 13: {
        const SetTerm s = set(depth - 1);
        return {"from(" + s.text + ")", 2,
                [s](const Environment& e) { return from(e, s.meaning(e)); }};
      }
      case 14: {
        const NumberTerm n = number(depth - 1);
        return {"first(" + n.text + ")", 2, [n](const Environment& e) {
                  return those(e, [&](int t) { return t < n.meaning(e); });
                }};
      }
      default:
        return extreme(depth);
    }
  }

 private:
  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }

  template <class Apply>
  SetTerm binary(int depth, char op, Apply apply) {
    const SetTerm left = set(depth - 1), right = set(depth - 1);
    const int strength = op == '|' ? 0 : 1;
    const auto in = [](const SetTerm& term, bool bare) {
      return bare ? term.text : "(" + term.text + ")";
    };
    const std::string text =
        in(left, left.strength >= strength) + " " + op + " " + in(right, right.strength > strength);
    return {text, strength,
            [=](const Environment& e) { return apply(e, left.meaning(e), right.meaning(e)); }};
  }

  SetTerm literal(int depth) {
    std::vector<NumberTerm> ids;
    std::string text = "{";
    for (int count = below(4); count > 0; --count) {
      ids.push_back(number(std::max(0, depth - 1)));
      text += (ids.size() > 1 ? ", " : "") + ids.back().text;
    }
    return {text + "}", 2, [ids](const Environment& e) {
              return those(e, [&](int t) {
                return std::any_of(ids.begin(), ids.end(),
                                   [&](const NumberTerm& id) { return id.meaning(e) == t; });
              });
            }};
  }

  SetTerm extreme(int depth) {
    const SetTerm s = set(depth - 1);
    const bool low = below(2) == 0;
    const std::string name = low ? "lowest(" : "highest(";
    const auto value = [low, s](const Environment& e, int count) {
      return low ? lowest(e, count, s.meaning(e)) : highest(e, count, s.meaning(e));
    };
    if (below(2) == 0) {
      return {name + s.text + ")", 2, [value](const Environment& e) { return value(e, 1); }};
    }
    const NumberTerm n = number(depth - 1);
    return {name + n.text + ", " + s.text + ")", 2,
            [value, n](const Environment& e) { return value(e, n.meaning(e)); }};
  }

  NumberTerm number(int depth) {
    NumberTerm result = term(depth);
    if (below(5) == 0) {
      const NumberTerm inner = result;
      result = {"-" + inner.text, [inner](const Environment& e) { return -inner.meaning(e); }};
    }
    for (int more = depth == 0 ? 0 : below(3); more > 0; --more) {
      const NumberTerm left = result, right = term(depth);
      const bool plus = below(2) == 0;
      result = {left.text + (plus ? " + " : " - ") + right.text, [=](const Environment& e) {
                  return plus ? left.meaning(e) + right.meaning(e)
                              : left.meaning(e) - right.meaning(e);
                }};
    }
    return result;
  }

  NumberTerm term(int depth) {
    switch (depth == 0 ? below(3) : below(4)) {
      case 0: {
        const int value = below(5);
        return {std::to_string(value), [value](const Environment&) { return value; }};
      }
      case 1:
        return {"tid", [](const Environment& e) { return e.thread; }};
      case 2:
        return {"k", [](const Environment&) { return 2; }};
      default: {
        const SetTerm s = set(depth - 1);
        return {"count(" + s.text + ")",
                [s](const Environment& e) { return static_cast<int>(s.meaning(e).size()); }};
      }
    }
  }

  std::mt19937 random_;
};

}  // namespace

TEST_CASE("models/expression: random expressions mean what they say") {
  RandomExpressions random(1);
  const auto all_environments = events(3);
  std::mt19937 draw(2);
  for (int i = 0; i < 2000; ++i) {
    const SetTerm term = random.set(1 + i % 3);
    std::vector<Environment> some;
    for (int n = 0; n < 20; ++n) some.push_back(all_environments[draw() % all_environments.size()]);
    const bool same = means(term.text, Form::step, term.meaning, some, {{"k", 2}});
    REQUIRE(same);
    // The other way of writing it: no blanks at all.
    std::string tight;
    for (char c : term.text) tight += c == ' ' ? "" : std::string(1, c);
    REQUIRE(means(tight, Form::step, term.meaning, some, {{"k", 2}}));
  }
}

// Refusals --------------------------------------------------------------------------------------

TEST_CASE("models/expression: what is wrong is refused with its column") {
  const auto refused = [](std::string_view text, std::string_view column, std::string_view part) {
    CAPTURE(text);
    const std::string found = column_and_message(text);
    CAPTURE(found);
    CHECK(found.starts_with(std::string(column) + " "));
    CHECK(contains(found, part));
  };
  refused("", "1",
          "expected a set ({...}, all, alive, ready, blocked, started, terminated, F, loads, "
          "stores, exchanges, loops, lowest(S)");
  refused("", "1", "found the end of the expression");
  refused("   ", "4", "found the end of the expression");
  refused("all all", "5", "expected '|', '&', '-' or the end of the expression, found 'all'");
  refused("started + alive", "9", "found '+'");
  refused("alive || started", "7", "found '||'");
  refused("alive && started", "7", "found '&&'");
  refused("alive -- started", "7", "found '--'");
  refused("alive)", "6", "found ')'");
  refused("(alive", "7", "expected ')'");
  refused("()", "2", "expected a set");
  refused("alive |", "8", "expected a set");
  refused("| alive", "1", "expected a set");
  refused("- alive", "1", "expected a set");
  refused("alive & & started", "9", "expected a set");
  refused("awake", "1", "found 'awake'");
  refused("\"alive\"", "1", "expected a set");
  refused("k", "1", "expected a set");
  refused("3", "1", "expected a set");
  refused("tid", "1", "expected a set");
  refused("count(all)", "1", "expected a set");
  refused("in", "1", "expected a set");
  refused("threads", "1", "expected a set");
  refused("lowest alive", "8", "expected '('");
  refused("lowest()", "8", "expected a set");
  refused("lowest(1)", "9", "how many threads comes first, then the set");
  refused("lowest(1 alive)", "10", "expected ','");
  refused("lowest(alive, 1)", "13", "expected ')'");
  refused("lowest(1, 2)", "11", "expected a set");
  refused("highest(k)", "10", "how many threads comes first, then the set");
  refused("highest(all", "12", "expected ')'");
  refused("upto(1)", "6", "expected a set");
  refused("upto(all, all)", "9", "expected ')'");
  refused("from all", "6", "expected '('");
  refused("first(all)", "7", "expected a number (0, 1, ..., k, count(S), tid), found 'all'");
  refused("first()", "7", "expected a number");
  refused("first", "6", "expected '('");
  refused("{", "2", "expected a number");
  refused("{0", "3", "expected '}'");
  refused("{0,}", "4", "expected a number");
  refused("{,}", "2", "expected a number");
  refused("{0 1}", "4", "expected '}'");
  refused("{all}", "2", "expected a number");
  refused("{x}", "2", "found 'x'");
  refused("{\"k\"}", "2", "expected a number");
  refused("{1.5}", "3", "expected '}'");
  refused("{1 - - 1}", "6", "expected a number");
  refused("{1 +}", "5", "expected a number");
  refused("{+ +1}", "4", "expected a number");
  refused("{--1}", "2", "found '--'");
  refused("{1 * 2}", "4", "expected '}'");
  refused("{(1)}", "2", "expected a number");
  refused("{count all}", "8", "expected '('");
  refused("{count(1)}", "8", "expected a set");
  refused("{count(all}", "11", "expected ')'");
  refused("{1001}", "2", "'1001' is out of range; expected 0 to 1000");
  refused("{-1001}", "3", "out of range");
  refused("{99999999999999999999}", "2", "out of range");
  refused("{1x}", "2", "expected a number");
  refused("all | \xc3\xa9", "7", "expected a set");
  refused("alive @ started", "7", "found '@'");
  refused("started \"", "9", "quoted");
  CHECK(column_and_message("{1000, -1000} | all") == "accepted");
}

TEST_CASE("models/expression: F and tid stand only where there is an event") {
  for (const Form form : {Form::history, Form::initial}) {
    CHECK(contains(column_and_message("alive & F", form), "9 F is known only in on_step"));
    CHECK(
        contains(column_and_message("alive - {0, tid}", form), "13 tid is known only in on_step"));
    CHECK(contains(column_and_message("lowest(tid, all)", form), "8 tid is known only"));
    const std::string missing = column_and_message("nothing", form);
    CHECK_FALSE(contains(missing, "F, "));
    CHECK_FALSE(contains(column_and_message("{x}", form), "tid"));
    CHECK(column_and_message("(started | upto(terminated)) & alive", form) == "accepted");
  }
}

TEST_CASE("models/expression: the instruction of a step is known in on_step alone") {
  using headway::models::Instruction;
  using Access = Instruction::Access;
  for (const Form form : {Form::history, Form::initial, Form::termination}) {
    CHECK(contains(column_and_message("alive & loads", form),
                   "9 loads is known only in on_step, where it is {tid} when the instruction of "
                   "the step loads, else {}"));
    CHECK(contains(column_and_message("all - exchanges", form), "7 exchanges is known only"));
    CHECK_FALSE(contains(column_and_message("nothing", form), "loads"));
  }
  CHECK(contains(column_and_message("nothing", Form::step), "loads, stores, exchanges, loops, "));
  CHECK(column_and_message("F", Form::termination) == "accepted");
  CHECK(contains(column_and_message("first(loads)"), "expected a number"));
  const auto holds = [](const std::string& word, const Instruction& instruction) {
    const Expression expression = Expression::parse_set(word, Form::step, {});
    CHECK(expression.looks_at_instructions());
    Environment e;
    e.threads = 4;
    e.thread = 2;
    e.instruction = instruction;
    const headway::ThreadSet set = expression.evaluate(e);
    CHECK((set.empty() || set == headway::ThreadSet::single(2)));
    return !set.empty();
  };
  for (const Instruction& instruction : headway::models::kInstructions) {
    CHECK(holds("loads", instruction) == (instruction.access == Access::load));
    CHECK(holds("stores", instruction) == (instruction.access == Access::store));
    CHECK(holds("exchanges", instruction) == (instruction.access == Access::exchange));
    CHECK(holds("loops", instruction) == instruction.loops);
  }
  CHECK_FALSE(Expression::parse_set("F | {tid}", Form::step, {}).looks_at_instructions());
}

TEST_CASE("models/expression: parameters are names of numbers and nothing else") {
  CHECK(column_and_message("first(k)", Form::history, {}) ==
        "7 expected a number (0, 1, ..., count(S)), found 'k'");
  CHECK(column_and_message("first(x)", Form::history, {{"a", 1}, {"b", 2}}) ==
        "7 expected a number (0, 1, ..., a, b, count(S)), found 'x'");
  for (const char* word : {"all", "alive", "started", "terminated", "F", "tid", "lowest", "highest",
                           "upto", "from", "first", "count", "in", "threads"}) {
    CHECK(headway::models::is_expression_keyword(word));
  }
  for (const char* word : {"k", "f", "ALL", "", "low", "firsts"}) {
    CHECK_FALSE(headway::models::is_expression_keyword(word));
  }
}

TEST_CASE("models/expression: a hundred parentheses inside each other and no more") {
  const auto repeat = [](const std::string& text, int times) {
    std::string result;
    for (int i = 0; i < times; ++i) result += text;
    return result;
  };
  const Environment e{2, {ThreadSet::single(0), {}}, {}, 0};
  struct Nest {
    std::string open, inside, close;
  };
  // The last one holds the most values while it is evaluated.
  const std::vector<Nest> nests = {{"(", "started", ")"},
                                   {"alive - (", "alive", ")"},
                                   {"upto(", "started", ")"},
                                   {"lowest(1, all | all & ", "started", ")"}};
  for (const Nest& nest : nests) {
    const auto nested = [&](int times) {
      return repeat(nest.open, times) + nest.inside + repeat(nest.close, times);
    };
    CAPTURE(nest.open);
    const auto deepest = error_of(
        [&] { CHECK(Expression::parse_set(nested(100), Form::step, {}).evaluate(e).size() <= 2); });
    CHECK_FALSE(deepest);
    CHECK(contains(column_and_message(nested(101)), "nested too deeply"));
    CHECK(contains(column_and_message(nested(100000)), "nested too deeply"));
  }
  CHECK(contains(column_and_message(repeat("(", 100000)), "nested too deeply"));
  CHECK(contains(column_and_message(repeat("{count(", 100000)), "nested too deeply"));
  // Long is not deep.
  CHECK(column_and_message("all" + repeat(" | all & alive - {0, 1, k}", 10000)) == "accepted");
}

TEST_CASE("models/expression: an expression knows whether it looks at started") {
  const auto looks = [](std::string_view text) {
    return Expression::parse_set(text, Form::step, {{"k", 1}}).looks_at_started();
  };
  for (const char* text : {"started", "lowest(count(started), all)", "{count(F & started)}",
                           "alive | (F - upto(from(highest(k, started))))"}) {
    CHECK(looks(text));
  }
  for (const char* text : {"all", "alive & F", "terminated - {tid, k}", "lowest(2, alive)"}) {
    CHECK_FALSE(looks(text));
  }
}

namespace {

// All histories of three threads.
std::vector<headway::models::History> histories_of_three() {
  std::vector<headway::models::History> result;
  for (std::uint64_t started = 0; started < 8; ++started) {
    for (std::uint64_t terminated = 0; terminated < 8; ++terminated) {
      for (std::uint64_t blocked = 0; blocked < 8; ++blocked) {
        if ((terminated & ~started) != 0 || (blocked & terminated) != 0) continue;
        result.push_back({ThreadSet::of_bits(started), ThreadSet::of_bits(terminated),
                          ThreadSet::of_bits(blocked)});
      }
    }
  }
  return result;
}

}  // namespace

TEST_CASE("models/expression: an expression knows what it does not look at") {
  struct Row {
    const char* text;
    bool terminated, started_of_others;
  };
  const Row rows[] = {
      {"alive", false, false},
      {"{}", false, false},
      {"started & alive", false, false},
      {"upto(started) & alive", false, true},
      {"if started then alive else {}", false, true},
      {"(all - started) & alive | {1} & ready", false, false},
      {"if {0} then started else terminated", false, false},
      {"lowest(ready)", true, false},
      {"(started & alive) | lowest(ready)", true, false},
      {"(started & alive) | lowest(2 - count(started & alive), alive - started)", true, true},
      {"if blocked then alive else {}", true, false},
      {"first(count(terminated)) & alive", true, false},
      {"from(started - terminated) & alive", true, true},
      {"highest(2, started) & alive", false, true},
  };
  const auto histories = histories_of_three();
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const Expression expression = Expression::parse_set(row.text, Form::history, {});
    CHECK(expression.looks_at_terminated() == row.terminated);
    CHECK(expression.looks_at_started_of_others() == row.started_of_others);
    const auto fair = [&](const auto& history) { return expression.evaluate({3, history, {}, 0}); };
    // What it does not look at makes no difference to those that are ready in both histories; none
    // of these expressions looks at `blocked` by itself.
    bool by_terminated = false, by_started = false;
    for (const auto& a : histories) {
      for (const auto& b : histories) {
        const ThreadSet ready = a.ready(3) & b.ready(3);
        if (a.started == b.started && (fair(a) & ready) != (fair(b) & ready)) by_terminated = true;
        for (const int thread : ready) {
          if (a.started.contains(thread) != b.started.contains(thread)) continue;
          if (a.terminated != b.terminated || a.blocked != b.blocked) continue;
          if (fair(a).contains(thread) != fair(b).contains(thread)) by_started = true;
        }
      }
    }
    CHECK(by_terminated == row.terminated);
    CHECK(by_started == row.started_of_others);
  }
}
