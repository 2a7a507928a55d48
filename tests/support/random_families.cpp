#include "support/random_families.hpp"

#include <fmt/format.h>

namespace headway::testing {
namespace {

class FamilyWriter {
 public:
  explicit FamilyWriter(Random& random) : random_(random) {}

  std::string family() {
    std::string text = "idiom random\nN = 2..4;\nshared bool x, y;\nshared int(0..2) z;\n";
    switch (below(random_, 4)) {
      case 0:
        return text + "threads {\n" + program(5) + "}\n";
      case 1:
        text += "thread 0 {\n" + program(3) + "}\n";
        return text + "threads 1..N-1 {\n" + program(3) + "}\n";
      case 2:
        text += "threads 0..N-2 {\n" + program(3) + "}\n";
        return text + "thread N-1 {\n" + program(3) + "}\n";
      default:
        text += "threads {\n  if (tid % 2 == 0) {\n" + statements(3) + "  } else {\n";
        return text + statements(3) + "  }\n}\n";
    }
  }

  std::string family_by_id() {
    constexpr const char* conditions[] = {"tid == 0", "tid != 1", "0 < tid", "tid <= 1"};
    return "idiom random\nN = 2..4;\nshared bool x, y;\nshared int(0..2) z;\nthreads {\n" +
           statements(1) + fmt::format("  if ({}) {{\n", conditions[number(4)]) + statements(3) +
           "  } else {\n" + statements(3) + "  }\n}\n";
  }

 private:
  int number(int bound) { return below(random_, bound); }
  const char* cell() {
    constexpr const char* cells[] = {"x", "y", "z"};
    return cells[number(3)];
  }
  const char* relation() { return number(2) == 0 ? "==" : "!="; }

  std::string program(int most) {
    const bool again = once_in(random_, 4);
    std::string text = again ? "  AGAIN:\n" : "";
    text += statements(most);
    if (again) text += fmt::format("  if (load({}) {} 1) goto AGAIN;\n", cell(), relation());
    return text;
  }

  std::string statements(int most) {
    std::string text;
    const int count = 1 + number(most);
    for (int i = 0; i < count; ++i) text += "  " + statement() + "\n";
    return text;
  }

  std::string statement() {
    switch (number(12)) {
      case 0:
      case 1:
        return fmt::format("store({}, {});", cell(), number(2));
      case 2:
      case 3:
        return fmt::format("while (load({}) {} {});", cell(), relation(), number(2));
      case 4:
      case 5:
        return fmt::format("while (exch({}, {}) == 1);", cell(), number(2));
      case 6:
        return fmt::format("while (cas({}, 0, 1) != 0);", cell());
      case 7:
        return fmt::format("cas({}, {}, {});", cell(), number(2), number(2));
      case 8:
        return fmt::format("fetch_xor({}, 1);", number(2) == 0 ? "x" : "y");
      case 9:
        return once_in(random_, 6) ? "fetch_add(z, 1);" : "cas(z, 0, 1);";
      case 10:
        return fmt::format("if (load({}) == {}) return;", cell(), number(2));
      default:
        if (once_in(random_, 3)) return fmt::format("assert(load({}) {} 1);", cell(), relation());
        return "cas(z, 1, 2);";
    }
  }

  Random& random_;
};

// Threads that count each other.
class CountingWriter {
 public:
  explicit CountingWriter(Random& random) : random_(random) {}

  std::string family() {
    std::string text = "idiom random\nN = 2..4;\nshared int(0..N) c, d;\nshared bool x, y;\n";
    switch (number(4)) {
      case 0:
        text += "thread 0 {\n" + program(3) + "}\nthreads 1..N-1 {\n" + program(3) + "}\n";
        break;
      case 1:
        text += "threads {\n  int(0..N) r;\n  if (tid % 2 == 0) {\n" + statements(3) +
                "  } else {\n" + statements(3) + "  }\n}\n";
        break;
      default:
        text += "threads {\n" + program(5) + "}\n";
    }
    return text;
  }

 private:
  int number(int bound) { return below(random_, bound); }
  const char* counter() { return number(3) == 0 ? "d" : "c"; }
  const char* flag() { return number(2) == 0 ? "x" : "y"; }
  std::string bound() {
    constexpr const char* bounds[] = {"N", "N", "N - 1", "1", "2", "0"};
    return bounds[number(6)];
  }
  const char* relation() {
    constexpr const char* relations[] = {"!=", "!=", "<", "=="};
    return relations[number(4)];
  }

  std::string program(int most) { return "  int(0..N) r;\n" + statements(most); }

  std::string statements(int most) {
    std::string text;
    const int count = 1 + number(most);
    for (int i = 0; i < count; ++i) text += "  " + statement() + "\n";
    return text;
  }

  std::string statement() {
    switch (number(14)) {
      case 0:
      case 1:
      case 2:
        return fmt::format("fetch_add({}, 1);", counter());
      case 3:
      case 4:
        return fmt::format("while (load({}) {} {});", counter(), relation(), bound());
      case 5:
        return fmt::format("if (fetch_add({}, 1) == {}) store({}, 1); else while (!load({}));",
                           counter(), bound(), flag(), flag());
      case 6:
        return fmt::format("store({}, {});", flag(), number(2));
      case 7:
        return fmt::format("while (load({}) == {});", flag(), number(2));
      case 8:
        return fmt::format("while (exch({}, 1) == 1);", flag());
      case 9:
        return fmt::format("r = load({}); while (load({}) {} r);", counter(), counter(),
                           relation());
      case 10:
        return fmt::format("if (load({}) {} {}) return;", counter(), relation(), bound());
      case 11:
        return once_in(random_, 2) ? fmt::format("fetch_sub({}, 1);", counter())
                                   : fmt::format("store({}, {});", counter(), number(2));
      case 12:
        return fmt::format("r = load({}); cas({}, r, r + 1);", counter(), counter());
      default:
        if (once_in(random_, 2)) return fmt::format("cas({}, 0, 1);", counter());
        return fmt::format("assert(load({}) {} {});", counter(), relation(), bound());
    }
  }

  Random& random_;
};

// Threads in a row.
class RowWriter {
 public:
  explicit RowWriter(Random& random) : random_(random) {}

  std::string family() {
    const bool drawn = number(2) == 0;
    std::string text =
        "idiom random\nN = 2..4;\nshared int(0..N) next, turn;\nshared bool a[N], x;\n"
        "shared int(0..2) b[N];\n";
    if (!drawn && once_in(random_, 4)) {
      at_ = "tid";
      text += "thread 0 {\n" + statements(2) + "}\nthreads 1..N-1 {\n" + statements(3);
      return text + "}\n";
    }
    text += "threads {\n  int(-1..N) at = 0;\n";
    at_ = drawn ? "my" : "tid";
    if (drawn) text += "  int(0..N) my = fetch_add(next, 1);\n";
    return text + statements(4) + "}\n";
  }

 private:
  int number(int bound) { return below(random_, bound); }
  std::string array() { return number(3) == 0 ? "b" : "a"; }
  std::string own() { return fmt::format("{}[{}]", array(), at_); }

  std::string statements(int most) {
    std::string text;
    const int count = 1 + number(most);
    for (int i = 0; i < count; ++i) text += "  " + statement() + "\n";
    return text;
  }

  std::string statement() {
    switch (number(15)) {
      case 0:
      case 1:
      case 2:
        return fmt::format("store({}, 1);", own());
      case 3:
      case 4:
      case 5:
        return fmt::format("if ({} > 0) {{ while ({}load({}[{} - 1])); }}", at_,
                           once_in(random_, 5) ? "" : "!", array(), at_);
      case 6:
        return fmt::format("if ({} < N - 1) {{ while (!load({}[{} + 1])); }}", at_, array(), at_);
      case 7:
        return fmt::format("while (load(turn) != {});", at_);
      case 8:
        return fmt::format("store(turn, {} + 1);", at_);
      case 9:
        return fmt::format(
            "while (load(turn) != {}); cas(x, {}, 1); store(x, 0); store(turn, {} + 1);", at_,
            number(2), at_);
      case 10:
        return fmt::format(
            "if ({} > 0) {{ int(-1..N) k = {} - 1; while (k >= {} && load(a[k]) == {}) k--; }}",
            at_, at_, number(2), number(2));
      case 11:
        return fmt::format("if ({} > 0) {{ while (load(b[{} - 1]) != {}); }}", at_, at_, number(3));
      case 12:
        return fmt::format("store(b[{}], {});", at_, number(3));
      case 13:
        return once_in(random_, 3) ? fmt::format("store(a[{} / 2], 1);", number(3))
                                   : fmt::format("if ({} > 0) cas(b[{} - 1], 0, 1);", at_, at_);
      default:
        return fmt::format("while (exch(x, {}) == 1);", number(2));
    }
  }

  Random& random_;
  std::string at_;
};

}  // namespace

std::string random_family(Random& random) { return FamilyWriter(random).family(); }

std::string random_family_by_id(Random& random) { return FamilyWriter(random).family_by_id(); }

std::string random_parametric_family(Random& random) {
  if (below(random, 2) == 0) return CountingWriter(random).family();
  return RowWriter(random).family();
}

}  // namespace headway::testing
