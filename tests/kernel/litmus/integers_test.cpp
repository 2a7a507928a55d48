// Integers as terms give what integers of kernels give, for known operands and for registers.
#include "kernel/litmus/integers.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "consistency/trace.hpp"
#include "kernel/ir/arithmetic.hpp"

using namespace headway::kernel;
using headway::consistency::value_of;
using litmus::Number;
using litmus::Term;

namespace {

constexpr Op kOps[] = {Op::add,     Op::sub, Op::mul,  Op::udiv, Op::sdiv,    Op::urem,
                       Op::srem,    Op::shl, Op::lshr, Op::ashr, Op::bit_and, Op::bit_or,
                       Op::bit_xor, Op::eq,  Op::ne,   Op::ult,  Op::ule,     Op::ugt,
                       Op::uge,     Op::slt, Op::sle,  Op::sgt,  Op::sge};

// Words of so many bits that are at the borders of something, and others.
std::vector<std::uint64_t> words(int bits, std::mt19937_64& random) {
  std::vector<std::uint64_t> result;
  const std::uint64_t top = std::uint64_t{1} << (bits - 1);
  for (const std::uint64_t word :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{31}, std::uint64_t{32},
        top - 1, top, top + 1, ~std::uint64_t{0}, ~std::uint64_t{0} - 1}) {
    result.push_back(low_bits(word, bits));
  }
  for (int n = 0; n < 6; ++n) result.push_back(low_bits(random(), bits));
  return result;
}

}  // namespace

TEST_CASE("kernel/litmus/integers: operations on two integers are those of the kernel") {
  std::mt19937_64 random(7);
  const std::vector<Term> registers = {Term::of_register(0), Term::of_register(1)};
  int said = 0;
  for (const int bits : {1, 8, 16, 32, 64}) {
    for (const std::uint64_t a : words(bits, random)) {
      for (const std::uint64_t b : words(bits, random)) {
        const std::vector<Number> held = {litmus::number_of(a, bits), litmus::number_of(b, bits)};
        const Term x = Term::constant(held[0]), y = Term::constant(held[1]);
        for (const Op op : kOps) {
          CAPTURE(name_of(op));
          CAPTURE(bits);
          CAPTURE(a);
          CAPTURE(b);
          const auto expected = integer_result(op, bits, a, b);
          if (bits == 1 && (op == Op::sdiv || op == Op::srem)) {
            REQUIRE(!litmus::integer_term(op, bits, x, y));
            continue;
          }
          const auto fault = litmus::fault_term(op, bits, registers[0], registers[1]);
          REQUIRE((fault && value_of(*fault, held) != 0) == !expected.has_value());
          const auto known_fault = litmus::fault_term(op, bits, x, y);
          REQUIRE((known_fault && value_of(*known_fault, {}) != 0) == !expected.has_value());
          if (!expected) continue;
          const Number result = litmus::number_of(*expected, is_comparison(op) ? 1 : bits);
          if (const auto term = litmus::integer_term(op, bits, registers[0], registers[1])) {
            REQUIRE(value_of(*term, held) == result);
            ++said;
          }
          if (const auto term = litmus::integer_term(op, bits, x, y)) {
            REQUIRE(value_of(*term, {}) == result);
            CHECK(term->kind == Term::Kind::constant);
          }
        }
      }
    }
  }
  CHECK(said > 20000);
}

TEST_CASE("kernel/litmus/integers: what is resized and functions are as in the kernel") {
  std::mt19937_64 random(8);
  for (const int from : {1, 8, 16, 32, 64}) {
    for (const int to : {1, 8, 16, 32, 64}) {
      if (from == to) continue;
      for (const std::uint64_t a : words(from, random)) {
        for (const Op op : {Op::trunc, Op::zext, Op::sext}) {
          if ((op == Op::trunc) != (to < from)) continue;
          CAPTURE(name_of(op));
          CAPTURE(from);
          CAPTURE(to);
          CAPTURE(a);
          const auto expected = converted(op, Type::integer(from), Type::integer(to), a);
          const Term term = litmus::resized(op, from, to, Term::of_register(0));
          CHECK(value_of(term, {litmus::number_of(a, from)}) ==
                litmus::number_of(expected.value(), to));
        }
      }
    }
  }
  for (const int bits : {8, 16, 32, 64}) {
    for (const std::uint64_t a : words(bits, random)) {
      for (const std::uint64_t b : words(bits, random)) {
        for (const Math math : {Math::smin, Math::smax, Math::umin, Math::umax, Math::abs}) {
          CAPTURE(static_cast<int>(math));
          CAPTURE(bits);
          CAPTURE(a);
          CAPTURE(b);
          const Type type = Type::integer(bits);
          const auto expected = math_result(math, type, type, a, b, 0, ComputedBy::device);
          if (!expected) continue;
          const auto term =
              litmus::function_term(math, bits, Term::of_register(0), Term::of_register(1));
          REQUIRE(term);
          CHECK(value_of(*term, {litmus::number_of(a, bits), litmus::number_of(b, bits)}) ==
                litmus::number_of(*expected, bits));
        }
      }
    }
  }
}
