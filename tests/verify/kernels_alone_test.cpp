// Kernels with known answers, of which no run is made that finds the errors.
#include <doctest/doctest.h>

#include "support/budget.hpp"
#include "support/named_kernels.hpp"

namespace headway {
namespace {

TEST_CASE("verify/kernels_alone: asynchronous copies go on until they are waited for") {
  const auto module = testing::kernels_of("kernels.cl");
  REQUIRE(module->functions.size() > 10);
  testing::expect_named_answers(*module, testing::kernels_launch());
  // Without runs that find the errors, proofs do not hide them.
  verify::Options options = testing::kernels_launch();
  options.trials = false;
  testing::expect_named_answers(*module, options, false, testing::is_campaign() ? 1 : 3);
}

TEST_CASE("verify/kernels_alone: proofs alone find all errors, too") {
  verify::Options options = testing::kernels_launch();
  options.trials = false;
  // Campaigns ask for all of them.
  const int of = testing::is_campaign() ? 1 : 6;
  testing::expect_named_answers(*testing::kernels_of("kernels.cu"), options, false, of);
}

}  // namespace
}  // namespace headway
