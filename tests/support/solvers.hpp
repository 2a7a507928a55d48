// Which solvers there are: cvc5 is a module of its own, which builds without it and sanitized ones
// do not have.
#pragma once

#include "smt/solver.hpp"

namespace headway::testing {

inline bool has_cvc5() {
  smt::Context context;
  return smt::make_solver(context, smt::Engine::cvc5_linear) != nullptr;
}

}  // namespace headway::testing
