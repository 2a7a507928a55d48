// Errors that exist only where arithmetic wraps around: which results do, and which errors.
#include "verify/overflow.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "kernel/test/kernel_tests.hpp"
#include "smt/solver.hpp"
#include "support/command.hpp"
#include "support/compiler.hpp"
#include "support/files.hpp"
#include "support/solvers.hpp"
#include "verify/verify.hpp"
#include "verify/wrapping.hpp"

namespace headway {
namespace {

using kernel::Op;

constexpr const char* kFile = HEADWAY_SOURCE_DIR "/tests/data/verify/overflow.cu";

// A condition of variables, so that nothing is known of them when it is made.
struct Condition {
  Condition(Op op, bool with_sign, int bits, int width)
      : a(c.variable("a", bits)),
        b(c.variable("b", bits)),
        term(verify::fits(c, op, with_sign, width, a, b)) {}
  bool holds(std::uint64_t x, std::uint64_t y) const {
    smt::Model model;
    model.set(a, x);
    model.set(b, y);
    return model.holds(c, term);
  }
  smt::Context c;
  smt::Term a, b, term;
};

// The result over the integers, of small numbers.
bool wraps_by_hand(Op op, bool with_sign, int bits, int width, std::uint64_t a, std::uint64_t b) {
  const auto number = [&](std::uint64_t x) {
    return with_sign ? smt::as_signed(x, bits) : static_cast<std::int64_t>(x);
  };
  std::int64_t made = number(a);
  if (op == Op::add) made += number(b);
  if (op == Op::sub) made -= number(b);
  if (op == Op::mul) made *= number(b);
  if (op == Op::shl && b < static_cast<std::uint64_t>(bits)) made *= std::int64_t{1} << b;
  if (op == Op::shl && b >= static_cast<std::uint64_t>(bits)) return false;
  const std::int64_t low = with_sign ? -(std::int64_t{1} << (width - 1)) : 0;
  return made < low || made >= low + (std::int64_t{1} << width);
}

TEST_CASE("verify/overflow: of small numbers, those that do not fit are found") {
  for (const Op op : {Op::add, Op::sub, Op::mul, Op::shl, Op::trunc}) {
    for (const bool with_sign : {true, false}) {
      const int width = op == Op::trunc ? 3 : 5;
      const Condition fits(op, with_sign, 5, width);
      for (std::uint64_t a = 0; a < 32; ++a) {
        for (std::uint64_t b = 0; b < 32; ++b) {
          const bool wraps = wraps_by_hand(op, with_sign, 5, width, a, b);
          INFO(static_cast<int>(op), " of ", a, " and ", b, with_sign ? " with sign" : "");
          CHECK(verify::wraps(op, with_sign, 5, width, a, b) == wraps);
          CHECK(fits.holds(a, b) == !wraps);
        }
      }
    }
  }
}

TEST_CASE("verify/overflow: of large numbers, conditions and numbers say the same") {
  std::vector<std::uint64_t> numbers;
  for (const int bits : {0, 1, 31, 32, 33, 62, 63}) {
    for (const int more : {-1, 0, 1}) {
      const std::uint64_t one = (std::uint64_t{1} << bits) + static_cast<std::uint64_t>(more);
      numbers.insert(numbers.end(), {one, 0 - one});
    }
  }
  std::size_t wrapped = 0, all = 0;
  for (const Op op : {Op::add, Op::sub, Op::mul, Op::shl}) {
    for (const bool with_sign : {true, false}) {
      for (const int bits : {32, 40, 64}) {
        const Condition fits(op, with_sign, bits, bits);
        for (std::uint64_t a : numbers) {
          for (std::uint64_t b : numbers) {
            a &= smt::mask_of(bits);
            b &= smt::mask_of(bits);
            const bool wraps = verify::wraps(op, with_sign, bits, bits, a, b);
            INFO(static_cast<int>(op), " of ", a, " and ", b, " of ", bits);
            CHECK(fits.holds(a, b) == !wraps);
            // With a constant, which is another condition, and with two.
            smt::Context c;
            const smt::Term x = c.variable("x", bits);
            smt::Model model;
            model.set(x, a);
            CHECK(model.holds(c, verify::fits(c, op, with_sign, bits, x, c.constant(b, bits))) ==
                  !wraps);
            CHECK(model.holds(c, verify::fits(c, op, with_sign, bits, c.constant(a, bits),
                                              c.constant(b, bits))) == !wraps);
            wrapped += wraps ? 1 : 0;
            ++all;
          }
        }
      }
    }
  }
  CHECK(wrapped > all / 5);
  CHECK(wrapped < all * 4 / 5);
}

TEST_CASE("verify/overflow: what is done with a number says whether it has a sign") {
  kernel::Function f;
  const auto value = [&f](int bits, kernel::Value::Kind kind) {
    kernel::Value v;
    v.kind = kind;
    v.type = kernel::Type::integer(bits);
    f.values.push_back(v);
    return static_cast<kernel::ValueId>(f.values.size() - 1);
  };
  f.blocks.emplace_back();
  const auto make = [&](Op op, std::vector<kernel::ValueId> operands) {
    kernel::Instruction i;
    i.op = op;
    i.operands = std::move(operands);
    i.result = value(32, kernel::Value::Kind::instruction);
    f.blocks[0].code.push_back(i);
    return i.result;
  };
  const auto argument = [&] { return value(32, kernel::Value::Kind::argument); };
  const auto a = argument(), b = argument(), c = argument(), d = argument();
  const auto one = value(32, kernel::Value::Kind::constant);
  const auto sum = make(Op::add, {a, b});
  make(Op::slt, {sum, one});
  make(Op::ult, {c, one});
  const auto next = make(Op::add, {c, one});
  const auto both = make(Op::mul, {argument(), argument()});
  make(Op::sext, {both});
  make(Op::lshr, {both, one});
  make(Op::bit_and, {d, c});
  using Kind = verify::Signs::Kind;
  const verify::Signs signs = verify::signs_of(f);
  CHECK(signs.kind(a) == Kind::with);
  CHECK(signs.kind(b) == Kind::with);
  CHECK(signs.kind(next) == Kind::without);
  CHECK(signs.kind(both) == Kind::open);
  CHECK(signs.kind(d) == Kind::none);
  CHECK(signs.group[a] == signs.group[sum]);
  CHECK(signs.group[a] != signs.group[c]);
}

TEST_CASE("verify/overflow: findings say where arithmetic wraps around, if only there") {
  kernel::Compiler& compiler = headway::testing::shared_compiler();
  const auto module = kernel::read_kernels(kFile, kernel::Side::device, {}, compiler).module;
  verify::Options options;
  options.launch.block = {16, 16, 1};
  options.launch.grid = {8, 8, 1};
  options.bounds = options.overflow = true;
  // What is slow on a busy machine is a proof all the same.
  options.query_limit = std::chrono::seconds(60);
  options.kernel_limit = std::chrono::seconds(200);
  int seen = 0;
  for (const kernel::Function& f : module->functions) {
    const verify::Report report = verify::verify(*module, f, options);
    for (const verify::Finding& one : report.findings) {
      if (one.property == verify::Property::termination) continue;
      INFO(f.name, ": ", name_of(one.property), " ", name_of(one.verdict), " ", one.detail);
      const bool asked =
          f.name.find("_" + std::string(name_of(one.property)) + "_") != std::string::npos;
      const bool only = asked && f.name.starts_with("only_");
      seen += asked ? 1 : 0;
      // z3 does not decide products of variables.
      const bool multiplies =
          f.name.find("_rows") != std::string::npos || f.name.ends_with("_scaled");
      if (only && multiplies && !testing::has_cvc5()) continue;
      CHECK((one.verdict == verify::Verdict::verified) == !asked);
      CHECK(one.overflow.empty() == !only);
      CHECK((one.detail.find("arithmetic wraps around, in the ") != std::string::npos) == only);
    }
  }
  CHECK(seen == 10);
}

TEST_CASE("verify/overflow: a text names each line once") {
  CHECK(verify::text_of({{"sum", 32, 7}, {"product", 32, 7}}) ==
        "only where 32-bit arithmetic wraps around, in the product or the sum at line 7");
  CHECK(verify::text_of({{"shift", 64, 9}, {"product", 32, 7}}) ==
        "only where 32-bit or 64-bit arithmetic wraps around, in the product at line 7, or the "
        "shift at line 9");
}

TEST_CASE("verify/overflow: JSON has it in a field, also of what was kept") {
  const testing::TemporaryFolder folder;
  folder.write("over.cu", "__global__ void over(unsigned n) { __assert(threadIdx.x + n >= n); }\n");
  for (int k = 0; k < 2; ++k) {
    const auto made =
        testing::headway({"verify", folder.path().string(), "--keep", "--format", "json"});
    const auto reports = nlohmann::json::parse(made.out);
    for (const auto& finding : reports[0]["findings"]) {
      const bool has = finding.contains("only_by_overflow");
      CHECK(has == (finding["property"] == "assertion"));
      if (has) {
        CHECK(finding["verdict"] == "violated");
        CHECK(finding["only_by_overflow"][0] == "the 32-bit sum at line 1");
      }
    }
  }
}

}  // namespace
}  // namespace headway

TEST_CASE(
    "verify/overflow: of what wraps around for large sizes it is said that plain ones are safe") {
  const std::string file = HEADWAY_SOURCE_DIR "/tests/data/verify/transpose.cu";
  const auto verified = [&](std::vector<std::string> more) {
    std::vector<std::string> command = {"verify", file, "--block", "32,8", "--grid", "4,4"};
    command.insert(command.end(), more.begin(), more.end());
    // In one piece, wherever its lines end.
    std::istringstream words(headway::testing::headway(command).out);
    std::string said;
    for (std::string word; words >> word;) said += word + " ";
    return said;
  };
  const std::string large = verified({});
  CHECK(large.find("violated") != std::string::npos);
  const bool says = large.find("verified where width, height are 0 to 4096") != std::string::npos ||
                    large.find("only where") != std::string::npos;
  CHECK(says);
  const std::string plain = verified(
      {"--assume", "width >= 0 && width <= 4096", "--assume", "height >= 0 && height <= 4096"});
  CHECK(plain.find("violated") == std::string::npos);
  // One row is written by two workgroups, however small it is.
  CHECK(verified({"--block", "64,8"}).find("verified where") == std::string::npos);
}

TEST_CASE("verify/overflow: a loop over the grid ends for plain sizes") {
  const headway::testing::TemporaryFolder folder;
  const auto said = [&](const char* text) {
    return headway::testing::headway({"verify", folder.write("a.cu", text).string()}).out;
  };
  const char* plain = "verified where n is 0 to 4096";
  CHECK(said("__global__ void k(unsigned n, float* y) {\n"
             "  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n;\n"
             "       i += gridDim.x * blockDim.x) y[i] = 2; }")
            .find(plain) != std::string::npos);
  // Past its bound for every n that its step does not divide.
  CHECK(said("__global__ void k(int n, float* y) { for (int i = threadIdx.x; i != n; i += 64) y[i] "
             "= 2; }")
            .find(plain) == std::string::npos);
}
