#include "support/named_kernels.hpp"

#include <doctest/doctest.h>

#include "kernel/test/kernel_tests.hpp"
#include "support/compiler.hpp"

namespace headway::testing {

std::shared_ptr<const kernel::Module> kernels_of(const std::string& file) {
  kernel::Compiler& compiler = shared_compiler();
  return kernel::read_kernels(HEADWAY_SOURCE_DIR "/tests/data/verify/" + file, kernel::Side::device,
                              {}, compiler)
      .module;
}

const kernel::Function& kernel_named(const kernel::Module& module, const std::string& name) {
  for (const kernel::Function& f : module.functions) {
    if (f.name == name) return f;
  }
  FAIL("no kernel " << name);
  return module.functions.front();
}

verify::Options kernels_launch() {
  verify::Options options;
  options.launch.grid = {16, 1, 1};
  // A proof that is slow on a busy machine is a proof all the same.
  options.query_limit = std::chrono::seconds(60);
  options.kernel_limit = std::chrono::seconds(200);
  return options;
}

verify::Verdict verdict_of(const verify::Report& report, verify::Property property) {
  for (const verify::Finding& f : report.findings) {
    if (f.property == property) return f.verdict;
  }
  return verify::Verdict::unsupported;
}

void expect_named_answers(const kernel::Module& module, const verify::Options& options, bool right,
                          int one_of) {
  int passed = 0;
  for (const kernel::Function& f : module.functions) {
    if (!right && f.name.starts_with("ok_")) continue;
    if (passed++ % one_of != 0) continue;
    verify::Options own = options;
    // One solver does not decide these products, and the next one waits until it has given up.
    if (options.trials && f.name.ends_with("_chunk_of_argument")) {
      own.query_limit = std::chrono::seconds(16);
    }
    const verify::Report report = verify::verify(module, f, own);
    std::string text;
    for (const verify::Finding& one : report.findings) {
      text += std::string(name_of(one.property)) + " " + std::string(name_of(one.verdict)) + " " +
              one.detail + "\n";
    }
    INFO(f.name, ": ", text);
    CHECK(f.unsupported.empty());
    if (f.name.starts_with("ok_")) {
      CHECK(report.worst() == verify::Verdict::verified);
      continue;
    }
    const verify::Property property = f.name.starts_with("race_")  ? verify::Property::race
                                      : f.name.starts_with("div_") ? verify::Property::divergence
                                                                   : verify::Property::assertion;
    const verify::Verdict verdict = verdict_of(report, property);
    const bool found = verdict == verify::Verdict::possible || verdict == verify::Verdict::violated;
    CHECK(found);
  }
}

}  // namespace headway::testing
