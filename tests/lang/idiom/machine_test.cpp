// What compiled threads compute, one step at a time, without a program around them.
#include "lang/idiom/machine.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "lang/idiom/parser.hpp"

using namespace headway;
using namespace headway::lang::idiom;
using Kind = Failure::Kind;

namespace {

// Wide enough for every operation on two numbers of 64 bits that does not shift.
__extension__ using Wide = __int128;
using Limits = std::numeric_limits<std::int64_t>;

struct Answer {
  Kind kind = Kind::none;
  std::int64_t value = 0;
};

Answer fitting(Wide value) {
  if (value < Limits::min() || value > Limits::max()) return {Kind::overflow, 0};
  return {Kind::none, static_cast<std::int64_t>(value)};
}

// What docs/reference/idiom-language.md says of each operator.
Answer expected(Operator op, std::int64_t a, std::int64_t b) {
  const Wide wide_a = a, wide_b = b;
  switch (op) {
    case Operator::negate:
      return fitting(-wide_a);
    case Operator::complement:
      return fitting(-wide_a - 1);
    case Operator::logical_not:
      return fitting(a == 0 ? 1 : 0);
    case Operator::multiply:
      return fitting(wide_a * wide_b);
    case Operator::divide:
    case Operator::remainder: {
      if (b == 0) return {Kind::division, 0};
      const Wide size_a = wide_a < 0 ? -wide_a : wide_a, size_b = wide_b < 0 ? -wide_b : wide_b;
      Wide quotient = size_a / size_b;  // towards 0
      if ((a < 0) != (b < 0)) quotient = -quotient;
      // A quotient that does not fit leaves a remainder that nobody gets to see.
      if (fitting(quotient).kind != Kind::none) return {Kind::overflow, 0};
      return fitting(op == Operator::divide ? quotient : wide_a - quotient * wide_b);
    }
    case Operator::add:
      return fitting(wide_a + wide_b);
    case Operator::subtract:
      return fitting(wide_a - wide_b);
    case Operator::shift_left: {
      if (b < 0 || b > 62) return {Kind::shift, 0};
      Wide value = a;
      for (std::int64_t i = 0; i < b; ++i) {
        value *= 2;
        if (fitting(value).kind != Kind::none) return {Kind::overflow, 0};
      }
      return fitting(value);
    }
    case Operator::shift_right: {
      if (b < 0 || b > 62) return {Kind::shift, 0};
      Wide value = a;  // divided, rounding down
      for (std::int64_t i = 0; i < b; ++i) value = (value - (value % 2 != 0 && value < 0)) / 2;
      return fitting(value);
    }
    case Operator::less:
      return fitting(wide_a - wide_b < 0 ? 1 : 0);
    case Operator::less_equal:
      return fitting(wide_a - wide_b <= 0 ? 1 : 0);
    case Operator::greater:
      return fitting(wide_a - wide_b > 0 ? 1 : 0);
    case Operator::greater_equal:
      return fitting(wide_a - wide_b >= 0 ? 1 : 0);
    case Operator::equal:
      return fitting(wide_a - wide_b == 0 ? 1 : 0);
    case Operator::not_equal:
      return fitting(wide_a - wide_b != 0 ? 1 : 0);
    case Operator::bit_and:
    case Operator::bit_xor:
    case Operator::bit_or: {
      std::uint64_t bits = 0;
      for (int i = 0; i < 64; ++i) {
        const int own = static_cast<int>(static_cast<std::uint64_t>(a) >> i & 1);
        const int other = static_cast<int>(static_cast<std::uint64_t>(b) >> i & 1);
        const bool one = op == Operator::bit_and   ? own + other == 2
                         : op == Operator::bit_xor ? own + other == 1
                                                   : own + other >= 1;
        if (one) bits += std::uint64_t{1} << i;
      }
      return {Kind::none, static_cast<std::int64_t>(bits)};
    }
    case Operator::logical_and:
      return fitting(a == 0 ? 0 : b == 0 ? 0 : 1);
    case Operator::logical_or:
      return fitting(a != 0 ? 1 : b != 0 ? 1 : 0);
  }
  return {};
}

std::vector<std::int64_t> values() {
  std::vector<std::int64_t> result;
  for (std::int64_t small = -7; small <= 7; ++small) result.push_back(small);
  for (const std::int64_t at : {31, 32, 61, 62, 63, 64, 65, 999'999'999}) {
    result.push_back(at);
    result.push_back(-at);
  }
  for (const int bits : {30, 31, 32, 33, 61, 62}) {
    const std::int64_t power = std::int64_t{1} << bits;
    for (const std::int64_t value : {power - 1, power, power + 1}) {
      result.push_back(value);
      result.push_back(-value);
    }
  }
  for (std::int64_t near = 0; near < 3; ++near) {
    result.push_back(Limits::max() - near);
    result.push_back(Limits::min() + near);
  }
  return result;
}

// A thread of a text for one thread, and the machine that runs it.
class Thread {
 public:
  explicit Thread(const std::string& text)
      : code_(compiled(text)), machine_(code_, code_.threads[0]), local(machine_.start()) {
    cells = code_.initial;
  }
  // Those statements, with a scalar, an array and a few registers at hand.
  static Thread of(const std::string& statements) {
    return Thread("shared int(-2..5) x = 1, a[3] = {3, 4, 5};\nthread 0 {\n" + statements + "\n}");
  }
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  // Takes a step and stores what it writes. Returns the cell that it accessed, -1 for none.
  int step() {
    const Access access = machine_.access(local);
    const int old = access.cell < 0 ? 0 : cells[access.cell];
    const auto written = machine_.step(local, access, old, failure);
    wrote = written.has_value();
    if (written) cells[access.cell] = *written;
    return access.cell;
  }
  bool ended() const { return machine_.ended(local); }
  bool failed() const { return local.at == ThreadState::kFailed; }
  Instruction::Kind kind() const { return thread().instructions[local.at].kind; }
  // The value of a register, by its name.
  int reg(const std::string& name) const {
    for (std::size_t r = 0; r < thread().registers.size(); ++r) {
      if (thread().registers[r].name == name) return local.registers[r];
    }
    FAIL("no register " << name);
    return 0;
  }
  // What went wrong, and in which line.
  std::string why() const { return to_string(failure, code_, thread()); }
  int line() const { return thread().sources[failure.source].line; }
  const ThreadCode& thread() const { return code_.threads[0]; }

 private:
  static Code compiled(const std::string& text) {
    Scanner scanner(text, "f");
    return compile(parse(scanner, text, "f"), 1);
  }

  Code code_;
  Machine machine_;

 public:
  ThreadState local;
  std::vector<int> cells;
  Failure failure;
  bool wrote = false;
};

}  // namespace

TEST_CASE("lang/idiom/machine: every operator computes what is said of it") {
  const std::vector<std::int64_t> all = values();
  for (int o = 0; o <= static_cast<int>(Operator::logical_or); ++o) {
    const auto op = static_cast<Operator>(o);
    CAPTURE(o);
    int fine = 0;
    for (const std::int64_t a : all) {
      for (const std::int64_t b : all) {
        std::int64_t result = 0;
        const Kind kind = apply(op, a, b, result);
        const Answer answer = expected(op, a, b);
        const bool same = kind == answer.kind && (kind != Kind::none || result == answer.value);
        if (same) {
          fine += kind == Kind::none ? 1 : 0;
          continue;
        }
        CAPTURE(a);
        CAPTURE(b);
        CHECK(kind == answer.kind);
        CHECK(result == answer.value);
      }
    }
    CHECK(fine > 300);
  }
}

TEST_CASE("lang/idiom/machine: the edges of 64 bits") {
  std::int64_t result = 0;
  CHECK(apply(Operator::negate, Limits::min(), 0, result) == Kind::overflow);
  CHECK(apply(Operator::divide, Limits::min(), -1, result) == Kind::overflow);
  CHECK(apply(Operator::remainder, Limits::min(), -1, result) == Kind::overflow);
  CHECK(apply(Operator::remainder, 1, 0, result) == Kind::division);
  CHECK(apply(Operator::shift_left, 0, 63, result) == Kind::shift);
  CHECK(apply(Operator::shift_right, 0, -1, result) == Kind::shift);
  CHECK(apply(Operator::shift_left, 2, 62, result) == Kind::overflow);
  CHECK(apply(Operator::shift_left, -2, 62, result) == Kind::none);
  CHECK(result == Limits::min());
  CHECK(apply(Operator::shift_right, -1, 62, result) == Kind::none);
  CHECK(result == -1);
}

TEST_CASE("lang/idiom/machine: a step is one access and the computation up to the next one") {
  auto t = Thread::of("int(0..90) r = load(x);\nr = r + 4;\nr *= 3;\nstore(a[r % 4], 2);\nr = 7;");
  CHECK(t.kind() == Instruction::Kind::access);
  CHECK(t.step() == 0);
  CHECK(!t.wrote);
  CHECK(t.reg("r") == 15);
  CHECK(t.kind() == Instruction::Kind::access);
  t.local.registers[0] = 14;
  CHECK(t.step() == 3);  // a[2]
  CHECK(t.wrote);
  CHECK(t.cells == std::vector<int>{1, 3, 4, 2});
  CHECK(t.ended());
  CHECK(t.failure.kind == Kind::none);
}

TEST_CASE("lang/idiom/machine: an access reads before it writes, and only some write") {
  const auto after = [](const std::string& access) {
    auto t = Thread::of("int(-2..5) r = " + access + ";\nload(a[0]);\nstore(x, r);");
    CHECK(t.step() == 0);
    CHECK(t.reg("r") == 1);  // the old value
    return t.wrote ? t.cells[0] : -100;
  };
  CHECK(after("load(x)") == -100);
  CHECK(after("exch(x, 4)") == 4);
  CHECK(after("cas(x, 1, 5)") == 5);
  CHECK(after("cas(x, 2, 5)") == -100);
  CHECK(after("fetch_add(x, 2)") == 3);
  CHECK(after("fetch_sub(x, 2)") == -1);
  CHECK(after("fetch_min(x, -2)") == -2);
  CHECK(after("fetch_min(x, 3)") == 1);
  CHECK(after("fetch_max(x, 3)") == 3);
  CHECK(after("fetch_max(x, -2)") == 1);
  CHECK(after("fetch_and(x, 2)") == 0);
  CHECK(after("fetch_or(x, 2)") == 3);
  CHECK(after("fetch_xor(x, 3)") == 2);
}

TEST_CASE("lang/idiom/machine: what is computed before the first access belongs to no step") {
  auto t = Thread::of("int(0..5) r = 2;\nr++;\nwhile (load(x) != r);");
  CHECK(t.kind() == Instruction::Kind::access);
  CHECK(t.reg("r") == 3);
  // Unless the thread ends there, or fails.
  auto ends = Thread::of("int(0..5) r = 2;\nr++;");
  CHECK(ends.local.at == 0);
  CHECK(!ends.ended());
  CHECK(ends.step() == -1);
  CHECK(ends.ended());
  auto fails = Thread::of("int(0..5) r = 5;\nr++;");
  CHECK(fails.local.at == 0);
  CHECK(fails.step() == -1);
  CHECK(fails.failed());
}

TEST_CASE("lang/idiom/machine: each kind of failure stops the thread and says why") {
  const auto check = [](const std::string& statement, Kind kind, const std::string& text,
                        int cell = -1) {
    CAPTURE(statement);
    auto t = Thread::of("int(-1..3) r = 3;\n" + statement + "\nload(a[0]);\nstore(x, r);");
    CHECK(t.step() == cell);
    CHECK(t.failed());
    CHECK(t.failure.kind == kind);
    CHECK(t.why() == text);
    CHECK(t.line() == 4);
    CHECK(!t.wrote);
    CHECK(t.cells == std::vector<int>{1, 3, 4, 5});
    CHECK(t.reg("r") == -1);  // its lowest value, as nothing matters any more
  };
  check("assert(load(x) == r);", Kind::assertion, "the assertion does not hold", 0);
  check("assert(r < 3);", Kind::assertion, "the assertion does not hold");
  check("store(x, 1 / (r - 3));", Kind::division, "a division by zero", 0);
  check("r = load(x) % 0;", Kind::division, "a division by zero", 0);
  check("store(x, 1 << r * 21);", Kind::shift, "a shift by less than 0 or more than 62", 0);
  check("r = 1 >> -r;", Kind::shift, "a shift by less than 0 or more than 62");
  check("store(x, 999999999 * 999999999 * (r + 20));", Kind::overflow,
        "a number that takes more than 64 bits", 0);
  check("fetch_add(x, (1 << 62) - 1 + (1 << 62));", Kind::overflow,
        "a number that takes more than 64 bits", 0);
  check("load(a[r]);", Kind::index, "index 3 is out of bounds: a has 3 elements");
  check("store(a[-r], 0);", Kind::index, "index -3 is out of bounds: a has 3 elements");
  check("cas(a[1 / (r - 3)], 0, 0);", Kind::division, "a division by zero");
  check("r = load(a[1]);", Kind::register_range, "r would become 4, out of its range -1..3", 2);
  check("r = -2;", Kind::register_range, "r would become -2, out of its range -1..3");
  check("store(x, r + 3);", Kind::variable_range, "x would become 6, out of its range -2..5", 0);
  check("fetch_sub(x, 4);", Kind::variable_range, "x would become -3, out of its range -2..5", 0);
  check("fetch_max(a[2], 6);", Kind::variable_range, "a would become 6, out of its range -2..5", 3);
}

TEST_CASE("lang/idiom/machine: kinds of failures have words of their own") {
  CHECK(to_string(Kind::none).empty());
  CHECK(to_string(Kind::index) == "an index out of bounds");
  CHECK(to_string(Kind::register_range) == "a value out of range");
  CHECK(to_string(Kind::variable_range) == "a value out of range");
  CHECK(to_string(Kind::shift) == "a shift by less than 0 or more than 62");
}

TEST_CASE("lang/idiom/machine: the first failure of an expression counts") {
  auto t = Thread::of("int(0..1) r;\nload(x);\nassert(1 / 0 + (1 << 63) == 999999999 % 0);");
  t.step();
  CHECK(t.failure.kind == Kind::division);
  auto shift = Thread::of("load(x);\nassert((1 << 63) + 1 / 0);");
  shift.step();
  CHECK(shift.failure.kind == Kind::shift);
  auto operand = Thread::of("store(x, 1 / 0 + 9);");  // and not the range of x
  operand.step();
  CHECK(operand.failure.kind == Kind::division);
}

TEST_CASE("lang/idiom/machine: what is not needed is not computed") {
  for (const char* fine : {"0 && 1 / 0", "1 || 1 / 0", "1 ? 2 : 1 / 0", "0 ? 1 / 0 : 2"}) {
    CAPTURE(fine);
    auto t = Thread::of("load(x);\nint(0..2) r = " + std::string(fine) + ";");
    t.step();
    CHECK(t.ended());
  }
  // A swap that does not happen writes nothing, but its operands are computed.
  auto cas = Thread::of("cas(x, 0, 1 / 0);");
  cas.step();
  CHECK(cas.failure.kind == Kind::division);
  auto other = Thread::of("cas(x, 0, 77);");
  other.step();
  CHECK(other.ended());
}

TEST_CASE("lang/idiom/machine: a computation that comes back to a head ends its step there") {
  auto forever = Thread::of("int(0..9) i;\nfor (;;) i = (i + 1) % 10;");
  CHECK(forever.kind() == Instruction::Kind::head);
  CHECK(forever.reg("i") == 1);  // the first round belongs to no step
  for (int i = 2; i < 25; ++i) {
    CHECK(forever.step() == -1);
    CHECK(forever.kind() == Instruction::Kind::head);
    CHECK(forever.reg("i") == i % 10);
  }
  auto label = Thread::of("int(0..9) i;\nload(x);\nL: i = (i + 2) % 10;\ngoto L;");
  CHECK(label.kind() == Instruction::Kind::access);
  label.step();
  CHECK(label.kind() == Instruction::Kind::head);
  CHECK(label.reg("i") == 2);
  const int at = label.local.at;
  label.step();
  CHECK(label.local.at == at);
  CHECK(label.reg("i") == 4);
}

TEST_CASE("lang/idiom/machine: of two loops the one that is come back to first ends the step") {
  auto t = Thread::of(
      "int(0..9) i, j, n;\nwhile (load(x) && n < 9) {\n"
      "for (i = 0; i < 2; i++)\nfor (j = 0; j < 2; j++) n = (n + 1) % 10;\n}");
  t.step();  // into the inner loop, once round
  CHECK(t.kind() == Instruction::Kind::head);
  CHECK(t.reg("n") == 1);
  CHECK(t.reg("j") == 1);
  t.step();  // round again
  CHECK(t.reg("n") == 2);
  CHECK(t.reg("j") == 2);
  const int inner = t.local.at;
  // Out of the inner loop, round the outer one and into the inner one again, whose head this step
  // passed when it began.
  t.step();
  CHECK(t.local.at == inner);
  CHECK(t.reg("i") == 1);
  CHECK(t.reg("n") == 2);
  t.step();
  t.step();
  CHECK(t.reg("n") == 4);
  t.step();  // out of both
  CHECK(t.kind() == Instruction::Kind::access);
}

TEST_CASE("lang/idiom/machine: a loop whose access is in its head goes round to it in one step") {
  auto t = Thread::of("while (load(x) == 1);");
  const ThreadState first = t.local;
  CHECK(t.kind() == Instruction::Kind::access);
  CHECK(t.step() == 0);
  CHECK(t.local == first);
  t.cells[0] = 0;
  t.step();
  CHECK(t.ended());
}

TEST_CASE("lang/idiom/machine: registers that do not matter hold their lowest value") {
  auto t = Thread::of("int(-1..5) r = load(x);\nstore(a[r], r);\nload(x);\nr = 2;\nstore(x, r);");
  CHECK(t.reg("r") == -1);
  t.step();
  CHECK(t.reg("r") == 1);
  t.step();
  CHECK(t.reg("r") == -1);
  t.step();
  CHECK(t.reg("r") == 2);
  // One that a jump leads past its declaration starts at 0, or at its lowest value.
  auto skipped = Thread::of("goto L;\nint(-1..3) r = 1;\nint(2..3) s = 3;\nL: store(a[s - 2], r);");
  CHECK(skipped.reg("r") == 0);
  CHECK(skipped.reg("s") == 2);
}
