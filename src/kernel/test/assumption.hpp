// Conditions on the arguments of a launch, "n > 0 && n % 4 == 0", and numbers that follow from
// them, "n * 4": C's integer operators over the names of parameters and the sizes of the launch,
// computed with 64 bits, arguments as signed numbers.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "kernel/directives.hpp"
#include "kernel/machine/launch.hpp"
#include "smt/term.hpp"

namespace headway::kernel {

// What the names in a condition stand for: integer parameters in their own width, sizes in 64 bits.
struct Named {
  const Function* function = nullptr;
  std::function<smt::Term(std::size_t parameter)> argument;
  std::array<smt::Term, 3> grid, block;
};

// "n >= 0 && n <= 8".
std::string condition_within(const std::string& name, std::int64_t least, std::int64_t most);

// Throw headway::Error for what is no such condition, or number, with its place.
smt::Term condition_on(const Named& named, const Assumption& assumption, smt::Context& terms);
// In 64 bits.
smt::Term number_on(const Named& named, const Formula& formula, smt::Context& terms);
smt::Term condition_on(const Launch& launch, const Assumption& assumption, smt::Context& terms);

}  // namespace headway::kernel
