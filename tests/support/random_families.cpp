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

}  // namespace

std::string random_family(Random& random) { return FamilyWriter(random).family(); }

}  // namespace headway::testing
