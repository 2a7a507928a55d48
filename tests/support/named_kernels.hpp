// Kernels whose names say what `headway verify` answers of them (tests/data/verify): "ok_",
// "race_", "div_" and others, of which an assertion fails.
#pragma once

#include <memory>
#include <string>

#include "kernel/ir/ir.hpp"
#include "verify/verify.hpp"

namespace headway::testing {

// A file of tests/data/verify.
std::shared_ptr<const kernel::Module> kernels_of(const std::string& file);
const kernel::Function& kernel_named(const kernel::Module& module, const std::string& name);
// Of 16 workgroups of 64 threads, with much time.
verify::Options kernels_launch();
// Of a property; unsupported where there is none.
verify::Verdict verdict_of(const verify::Report& report, verify::Property property);
// Of kernels that are right, if asked for, and of those that are not; or of ONE_OF of them alone.
void expect_named_answers(const kernel::Module& module, const verify::Options& options,
                          bool right = true, int one_of = 1);

}  // namespace headway::testing
