// What headway verify answers about kernels, beside what their files expect.
#pragma once

#ifdef HEADWAY_KERNELS
#include <string>
#include <vector>

#include "base/error.hpp"
#include "kernel/directives.hpp"
#include "kernel/test/expected.hpp"
#include "report/findings.hpp"
#include "verify/verify.hpp"

namespace headway::cli {

// The first launch of a kernel that its file asks for, which is the one that is looked at; or null.
const kernel::LaunchDirective* launch_of(const kernel::Directives& directives,
                                         const std::string& kernel);

struct Answered {
  verify::Report report;
  kernel::Held held;

  bool expects(const verify::Finding& finding) const {
    return held.errors.count(std::string(name_of(finding.property))) > 0;
  }
};
Answered answered(verify::Report report, const kernel::Directives& directives);

// Whether one is not as it should be; whether anything is left open.
bool is_unmet(const Answered& one);
bool leaves_open(const Answered& one);

std::vector<report::Finding> findings_of(const std::vector<Answered>& reports);

// All of it as --format wants it; `errors` are those of what could not be read.
std::string text_of(const std::vector<Answered>& all, const std::vector<Error>& errors,
                    const std::string& format);

}  // namespace headway::cli
#endif
