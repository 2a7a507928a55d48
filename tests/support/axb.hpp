// AXB tests, taken apart and put together.
#pragma once

#include <memory>
#include <utility>

#include "lang/axb/source.hpp"

namespace headway::testing {

// The code of a test that is written in AXB. It lives as long as the test's source.
inline const lang::axb::Code& axb_code(const lang::Test& test) {
  return lang::axb::code_of(test, "this is");
}

// Gives a test other code.
inline void set_axb_code(lang::Test& test, lang::axb::Code code) {
  test.source = std::make_shared<const lang::axb::AxbSource>(std::move(code));
}

}  // namespace headway::testing
