// All litmus tests of a language up to a size: loads, stores and fences of every order and scope,
// up to the names of locations and the order of threads. What memory models are told apart by.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace headway::consistency {

struct Statement {
  enum class Kind { load, store, fence, await };  // await: loads until it is not 0
  Kind kind = Kind::load;
  std::size_t strength = 0;  // of those that the language has for such, the weakest first
  int location = 0;          // 0: x, 1: y, ...; of no fence

  friend auto operator<=>(const Statement&, const Statement&) = default;
};

// By thread.
using TestCode = std::vector<std::vector<Statement>>;

struct TestSpace {
  std::string language;  // "C", "OPENCL", "PTX" or "VULKAN"
  bool awaits = false;   // whether loops that wait are among the statements
};

// How many ways there are to place threads: all in one block, or each in its own. C has one.
int placements(const std::string& language);

// Calls `take` with each test of so many statements, until it says false.
void for_each_test(const TestSpace& space, int statements,
                   const std::function<bool(const TestCode&)>& take);

// As a file in herd's format, which asks about `state`, "0:r0=0; x=1;", or about every location and
// register where that is empty. Each store writes a value of its own.
std::string test_text(const TestSpace& space, const TestCode& code, int placement,
                      const std::string& name, const std::string& state);

}  // namespace headway::consistency
