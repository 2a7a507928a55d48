#include "verify/preconditions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "verify/encoding/encoder.hpp"
#include "verify/prover.hpp"

namespace headway::verify {

namespace {

constexpr const char* kForms[] = {
    "{0} > 0",
    "{0} > 0 && {0} < 65536",
    "{0} % blockDim.x == 0",
    "{0} > 0 && ({0} & ({0} - 1)) == 0",
    "{0} <= blockDim.x",
    "{0} <= gridDim.x * blockDim.x",
    "{0} >= blockDim.x",
    "{0} >= gridDim.x * blockDim.x",
    "{0} >= blockDim.x && {0} < 65536",
    "{0} == blockDim.x",
    "{0} == gridDim.x * blockDim.x",
};

bool is_name(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char ch) {
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') ||
           ch == '_';
  });
}

// Whether what a kernel assumes at its start holds for some arguments.
bool is_possible(const kernel::Module& module, const kernel::Function& function,
                 const Options& options, Prover::Clock::time_point until) {
  const std::optional<Flow> flow = flow_of(function);
  if (!flow) return false;
  try {
    smt::Context context;
    const Encoding encoding = encode(context, module, function, *flow, options, {});
    std::vector<Term> facts;
    for (const Item& item : encoding.conditions.items) {
      if (item.kind == Item::Kind::base) break;
      if (item.kind == Item::Kind::assume) facts.push_back(item.term);
    }
    // All facts count, whatever they speak of.
    Prover prover(context, options, until, "");
    return prover.refute({}, context.negation(context.conjunction(facts))) == smt::Answer::sat;
  } catch (const Unsupported&) {
    return false;
  } catch (const Error&) {  // it holds for none
    return false;
  }
}

}  // namespace

void suggest_preconditions(Report& report, const kernel::Module& module,
                           const kernel::Function& function, const Options& options) {
  const Verdict worst = report.worst();
  if (worst != Verdict::violated && worst != Verdict::possible) return;
  const auto until = Prover::Clock::now() + options.kernel_limit;
  std::vector<std::string> enough;
  for (const char* form : kForms) {
    for (const kernel::Parameter& p : function.parameters) {
      const bool open = p.type.is_integer() && p.type.bits >= 16 && p.by_value == 0 &&
                        is_name(p.name) && !options.arguments.contains(p.name);
      if (!open) continue;
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(until - Prover::Clock::now());
      if (left.count() <= 0 || (options.stop != nullptr && options.stop->load())) return;
      const std::string condition = fmt::format(fmt::runtime(form), p.name);
      Options own = options;
      own.trials = own.overflow = false;
      own.dump.clear();
      own.kernel_limit = std::min<std::chrono::milliseconds>(left, std::chrono::seconds(5));
      own.stated.assumptions.push_back({condition, {}});
      // What only says less than a condition that is enough is no news.
      Options beyond = own;
      for (const std::string& one : enough) {
        beyond.stated.assumptions.push_back({fmt::format("!({})", one), {}});
      }
      if (!is_possible(module, function, beyond, until)) continue;
      try {
        if (verify(module, function, own).worst() != Verdict::verified) continue;
      } catch (const Error&) {  // it holds for none
        continue;
      }
      enough.push_back(condition);
      if (enough.size() == 2) break;
    }
    if (enough.size() == 2) break;
  }
  if (enough.empty()) return;
  for (Finding& f : report.findings) {
    if (f.verdict == Verdict::verified) continue;
    f.detail += fmt::format("; verified if {}", fmt::join(enough, ", or if "));
  }
}

}  // namespace headway::verify
