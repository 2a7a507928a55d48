// What files expect of their kernels and programs, held against what came out: `verified`,
// `violated race` and so on. Expectations about models are compared where models are decided.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "kernel/directives.hpp"
#include "lang/test.hpp"

namespace headway::kernel {

// One property's answer, as it is shown: "verified", "verified but for x", "violated",
// "conditional", "possible", "unknown", "unsupported".
struct PropertyAnswer {
  std::string property, verdict;
};

struct Held {
  std::vector<Error> unmet;      // each at its place
  std::set<std::string> errors;  // properties whose violation is expected
  bool open = false;             // no answer is what is expected
};
// Of `name`, a kernel or a program. What a limit left open is neither met nor unmet.
Held held_to(const LaunchDirective& directive, const std::string& name,
             const std::vector<PropertyAnswer>& answers);

// Who looks at expectations: each at those that are about it.
enum class Looker { check, verify, program };
// What is expected of check that it cannot decide. Of a launch of which more is expected of verify
// it is verify's.
std::vector<lang::Test::ExpectedOpen> expected_open(const LaunchDirective& directive);
// What is to be noted of launches whose expectations are not looked at, `looked` being those that
// are. Throws headway::Error where a file has some for this one, and it looks at none of them.
std::vector<std::string> unlooked(const Directives& directives,
                                  const std::vector<const LaunchDirective*>& looked, Looker looker);

}  // namespace headway::kernel
