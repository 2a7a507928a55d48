#include "verify/reads.hpp"

#include <algorithm>
#include <chrono>

namespace headway::verify {
namespace {

// Whether something may be wrong that would not be if threads which read one place read the same,
// as of what one thread hands to all through memory. The argument for such reads (docs/internals/
// verify-proofs.md) knows no order but that of barriers of whole workgroups.
bool hangs_on_reads(const kernel::Function& function, const Report& report) {
  const bool is_open = std::ranges::any_of(report.findings, [](const Finding& f) {
    const bool is_of_threads = f.property == Property::divergence || f.property == Property::race;
    return is_of_threads && f.verdict == Verdict::possible;
  });
  const bool is_wrong = std::ranges::any_of(
      report.findings, [](const Finding& f) { return f.verdict == Verdict::violated; });
  if (!is_open || is_wrong) return false;
  bool reads = false;
  for (const kernel::Block& block : function.blocks) {
    for (const kernel::Instruction& i : block.code) {
      const bool is_whole = i.op == kernel::Op::barrier && i.scope == kernel::Scope::workgroup;
      const bool orders = meets(i.op) || is_one_of(i.op, kernel::OpClass::asynchronous);
      if (orders && !is_whole) return false;
      reads = reads || i.op == kernel::Op::load;
    }
  }
  return reads;
}

}  // namespace

Report verify_by_reads(const kernel::Function& function, const Options& options,
                       const std::function<Report(const Options&)>& verify) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + options.kernel_limit;
  Report report = verify(options);
  if (options.equal_reads || options.lockstep || options.left_out.contains("reads") ||
      !hangs_on_reads(function, report)) {
    return report;
  }
  Options equal = options;
  equal.equal_reads = true;
  equal.kernel_limit = std::chrono::floor<std::chrono::milliseconds>(until - Clock::now());
  if (equal.kernel_limit <= equal.kernel_limit.zero()) return report;
  Report other = verify(equal);
  const auto looks_at = [&](Property p) {
    return std::ranges::find(other.findings, p, &Finding::property) != other.findings.end();
  };
  const bool holds =
      looks_at(Property::race) && looks_at(Property::divergence) && other.is_proved();
  return holds ? other : report;
}

}  // namespace headway::verify
