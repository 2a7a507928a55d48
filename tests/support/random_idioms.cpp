#include "support/random_idioms.hpp"

#include <fmt/format.h>

#include "support/axb.hpp"

namespace headway::testing {
namespace {

class IdiomWriter {
 public:
  explicit IdiomWriter(Random& random) : random_(random) {}

  std::string program(int threads) {
    std::string text = fmt::format("idiom random\nN = {};\n", threads);
    text += "shared int(0..2) x;\nshared bool y;\n";
    if (chance(2)) {
      array_ = true;
      text += "shared int(-1..1) a[2];\n";
    }
    if (chance(2)) {  // the same code for all
      text += "threads {\n" + block() + "}\n";
    } else {
      text += "thread 0 {\n" + block() + "}\nthreads 1..N-1 {\n" + block() + "}\n";
    }
    return text;
  }

 private:
  bool chance(int of) { return once_in(random_, of); }
  int below(int limit) { return testing::below(random_, limit); }

  std::string block() {
    labels_ = 0;
    depth_ = 0;
    loops_ = 0;
    text_ = "  int(0..2) r = 0;\n  int(-1..1) s = 0;\n";
    const int statements = 1 + below(3);
    for (int i = 0; i < statements; ++i) statement();
    if (labels_ > 0) text_ += "  L0: ;\n";
    return text_;
  }

  std::string cell() {
    if (array_ && chance(3))
      return fmt::format("a[{}]", chance(4) ? value() : chance(2) ? "0" : "1");
    return chance(2) ? "x" : "y";
  }

  // Without an access.
  std::string value() {
    switch (below(9)) {
      case 0:
        return "r";
      case 1:
        return "s";
      case 2:
        return "tid";
      case 3:
        return "N - 1";
      case 4:
        return "(r + 1) % 3";
      case 5:
        return chance(4) ? "1 / r" : "!r";
      default:
        return std::to_string(below(2));
    }
  }

  std::string access() {
    switch (below(9)) {
      case 0:
      case 1:
      case 2:
        return fmt::format("load({})", cell());
      case 3:
        return fmt::format("exch({}, {})", cell(), value());
      case 4:
      case 5:
        return fmt::format("cas({}, {}, {})", cell(), value(), value());
      case 6:
        return fmt::format("fetch_add({}, {})", cell(), chance(3) ? value() : "0");
      case 7:
        return fmt::format("fetch_{}({}, {})", chance(2) ? "min" : "max", cell(), below(2));
      default:
        return fmt::format("fetch_{}({}, {})",
                           chance(2)   ? "xor"
                           : chance(2) ? "and"
                                       : "or",
                           cell(), below(2));
    }
  }

  std::string condition() {
    const char* relation = chance(2) ? "==" : chance(2) ? "!=" : "<=";
    const std::string left = chance(4) ? value() : access();
    const std::string first = fmt::format("{} {} {}", left, relation, value());
    switch (below(7)) {
      case 0:
        return fmt::format("{} && {}", first, access());
      case 1:
        return fmt::format("!({}) || {} == {}", first, value(), access());
      case 2:
        return access();
      case 3:
        return fmt::format("({} ? 1 : r) == {}", access(), value());
      default:
        return first;
    }
  }

  void line(const std::string& text) { text_ += "  " + text + "\n"; }

  void body() {
    ++depth_;
    text_ += "  {\n";
    const int statements = below(3);
    for (int i = 0; i < statements; ++i) statement();
    text_ += "  }\n";
    --depth_;
  }

  void statement() {
    const int kinds = depth_ < 2 ? 14 : 8;
    switch (below(kinds)) {
      case 0:
      case 1:
        return line(fmt::format("store({}, {});", cell(), value()));
      case 2:
        return line(fmt::format("r = {};", chance(2) ? access() : value()));
      case 3:
        return line(fmt::format("s = {} {} {};", chance(2) ? access() : value(),
                                chance(2) ? "&" : "-", chance(2) ? access() : value()));
      case 4:
        return line(access() + ";");
      case 5:
        return line(chance(3) ? fmt::format("assert({});", condition())
                              : fmt::format("r = ({} && {}) ? 1 : 0;", value(), access()));
      case 6:
        if (loops_ > 0) return line(chance(2) ? "break;" : "continue;");
        return line(fmt::format("while ({});", condition()));
      case 7:
        if (chance(2)) return line(fmt::format("while ({});", condition()));
        if (chance(3)) return line(fmt::format("if ({}) return;", condition()));
        labels_ = 1;
        return line(fmt::format("if ({}) goto L0;", condition()));
      case 8:
      case 9:
        line(fmt::format("if ({})", condition()));
        body();
        if (chance(2)) {
          line("else");
          body();
        }
        return;
      case 10:
      case 11:
        line(fmt::format("while ({})", condition()));
        ++loops_;
        body();
        --loops_;
        return;
      case 12:
        line("do");
        ++loops_;
        body();
        --loops_;
        return line(fmt::format("while ({});", condition()));
      default:
        line(fmt::format("for (r = 0; r < {}; r++)", 1 + below(2)));
        ++loops_;
        body();
        --loops_;
        return;
    }
  }

  Random& random_;
  bool array_ = false;
  std::string text_;
  int labels_ = 0;
  int depth_ = 0;
  int loops_ = 0;
};

}  // namespace

std::string random_idiom(Random& random, int threads) {
  return IdiomWriter(random).program(threads);
}

std::string as_idiom(const lang::Test& test) {
  const lang::axb::Code& code = axb_code(test);
  std::string text = "idiom translated\n";
  for (const lang::axb::Location& l : code.locations) {
    text += fmt::format("shared int(0..{}) {} = {};\n", code.values - 1, l.name, l.initial);
  }
  for (int t = 0; t < code.thread_count(); ++t) {
    const lang::axb::Thread& thread = code.threads[t];
    text += fmt::format("thread {} {{\n", t);
    for (int i = 0; i < thread.length(); ++i) {
      const lang::axb::Instruction& step = thread.instructions[i];
      const std::string& name = code.locations[step.location].name;
      const std::string access = step.exchanges
                                     ? fmt::format("exch({}, {})", name, step.exchange_value)
                                     : fmt::format("load({})", name);
      text +=
          fmt::format("  I{}: if ({} == {}) goto I{};\n", i, access, step.check_value, step.jump);
    }
    text += fmt::format("  I{}: ;\n}}\n", thread.length());
  }
  return text;
}

}  // namespace headway::testing
