#include "verify/preconditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "base/error.hpp"
#include "kernel/test/assumption.hpp"
#include "verify/encoding/encoder.hpp"
#include "verify/prover.hpp"
#include "verify/size_uses.hpp"

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

// For the proof for small sizes.
constexpr std::chrono::seconds kMostInRanges{8};
// Of the time for a kernel, which part at most goes into it before small sizes are looked at: most
// kernels need less.
constexpr int kAtOnceShare = 10;
// No stage of a proof has a smaller part of its time.
constexpr int kAllStages = 12;

// As conditions have them: "n", and of a block "p.width", but not "p.8".
bool is_name(const std::string& text) {
  const auto is_letter = [](char ch) {
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_';
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool joins = text[i] == '.' && i > 0 && i + 1 < text.size() && is_letter(text[i + 1]);
    if (!joins && !is_letter(text[i]) && (text[i] < '0' || text[i] > '9')) return false;
  }
  return !text.empty();
}

// Integers that nobody has given: numbers of parameters.
std::vector<std::size_t> open_parameters(const kernel::Function& function, const Options& options) {
  std::vector<std::size_t> open;
  for (std::size_t k = 0; k < function.parameters.size(); ++k) {
    const kernel::Parameter& p = function.parameters[k];
    if (p.type.is_integer() && p.type.bits >= 16 && p.by_value == 0 && is_name(p.name) &&
        !options.arguments.contains(p.name))
      open.push_back(k);
  }
  return open;
}

std::vector<std::string> open_sizes(const kernel::Function& function, const Options& options) {
  std::vector<std::string> names;
  for (const std::size_t p : open_parameters(function, options)) {
    names.push_back(function.parameters[p].name);
  }
  return names;
}

// For one more proof, of `limit` at most.
Options with_condition(const Options& options, const std::string& condition,
                       std::chrono::milliseconds limit) {
  Options own = options;
  own.trials = own.overflow = false;
  own.dump.clear();
  own.kernel_limit = limit;
  own.stated.assumptions.push_back({condition, {}});
  return own;
}

// Whether threads read from others of their subgroup.
bool reads_lanes(const kernel::Function& function) {
  using kernel::Subgroup;
  const auto reads = [](const kernel::Instruction& i) {
    return i.op == kernel::Op::subgroup &&
           (i.subgroup == Subgroup::shuffle || i.subgroup == Subgroup::shuffle_up ||
            i.subgroup == Subgroup::shuffle_down || i.subgroup == Subgroup::shuffle_xor);
  };
  return std::ranges::any_of(function.blocks, [&](const kernel::Block& block) {
    return std::ranges::any_of(block.code, reads);
  });
}

// What is verified there; nothing where something else than that loops end is not.
std::set<Property> proved(const kernel::Module& module, const kernel::Function& function,
                          const Options& options) {
  std::set<Property> result;
  try {
    const Report report = verify(module, function, options);
    if (report.worst() != Verdict::verified) return {};
    for (const Finding& f : report.findings) {
      if (f.verdict == Verdict::verified) result.insert(f.property);
    }
  } catch (const Error&) {  // the condition holds for none
  }
  return result;
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

// That the lanes which threads read from take part, runs alone look at. What one of them found
// there no proof takes back.
bool is_beyond_proofs(const Report& report, const kernel::Function& function) {
  return reads_lanes(function) && std::ranges::any_of(report.findings, [](const Finding& f) {
           return f.property == Property::divergence && f.verdict == Verdict::violated;
         });
}

}  // namespace

void suggest_preconditions(Report& report, const kernel::Module& module,
                           const kernel::Function& function, const Options& options) {
  const Verdict worst = report.worst();
  if (worst != Verdict::violated && worst != Verdict::possible) return;
  if (is_beyond_proofs(report, function)) return;
  const auto until = Prover::Clock::now() + options.kernel_limit;
  struct Enough {
    std::string condition;
    std::set<Property> proved;
  };
  std::vector<Enough> enough;
  const std::vector<std::string> names = open_sizes(function, options);
  for (const char* form : kForms) {
    for (const std::string& name : names) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(until - Prover::Clock::now());
      if (left.count() <= 0 || (options.stop != nullptr && options.stop->load())) return;
      const std::string condition = fmt::format(fmt::runtime(form), name);
      const Options own = with_condition(
          options, condition, std::min<std::chrono::milliseconds>(left, std::chrono::seconds(5)));
      // What only says less than a condition that is enough is no news.
      Options beyond = own;
      for (const Enough& one : enough) {
        beyond.stated.assumptions.push_back({fmt::format("!({})", one.condition), {}});
      }
      if (!is_possible(module, function, beyond, until)) continue;
      const std::set<Property> there = proved(module, function, own);
      if (there.empty()) continue;
      enough.push_back({condition, there});
      if (enough.size() == 2) break;
    }
    if (enough.size() == 2) break;
  }
  for (Finding& f : report.findings) {
    if (f.verdict == Verdict::verified) continue;
    std::vector<std::string> of_property;
    for (const Enough& one : enough) {
      if (one.proved.contains(f.property)) of_property.push_back(one.condition);
    }
    if (!of_property.empty())
      f.detail += fmt::format("; verified if {}", fmt::join(of_property, ", or if "));
  }
}

namespace {

// Of findings that may be otherwise where sizes are small: what fails only where arithmetic wraps
// around is known already, and what fails without any arithmetic fails there, too.
bool may_hold_in_plain_ranges(const Finding& f, const Report& report, bool products) {
  switch (f.verdict) {
    case Verdict::violated:
      return f.property != Property::termination && f.overflow.empty() && products;
    case Verdict::possible:
    case Verdict::unknown:
      return f.property != Property::termination || report.counter_may_wrap;
    case Verdict::verified:
    case Verdict::conditional:
    case Verdict::unsupported:
      return false;
  }
  return false;
}

// Ranges of sizes in which nothing wraps around, as a condition and in words.
struct PlainRanges {
  std::string condition, text;
};
PlainRanges plain_ranges(const kernel::Function& function, const Options& options,
                         const SizeUses& uses) {
  const std::int64_t most = plain_size(uses.factors);
  // Nothing is divided by 0.
  std::map<int, std::vector<std::string>> by_least;
  std::vector<std::string> conditions;
  for (const std::size_t p : open_parameters(function, options)) {
    const std::string& name = function.parameters[p].name;
    const int least = uses.divisors.contains(p) ? 1 : 0;
    by_least[least].push_back(name);
    conditions.push_back(kernel::condition_within(name, least, most));
  }
  std::vector<std::string> texts;
  texts.reserve(by_least.size());
  for (const auto& [least, names] : by_least) {
    texts.push_back(fmt::format("{} {} {} to {}", fmt::join(names, ", "),
                                names.size() == 1 ? "is" : "are", least, most));
  }
  return {fmt::format("{}", fmt::join(conditions, " && ")),
          fmt::format("{}", fmt::join(texts, " and "))};
}

// Whether a property may be decided with more time. What ended long before its own limit was short
// of nothing.
bool may_be_decided(const Report& report, std::chrono::milliseconds limit) {
  const bool is_open = std::ranges::any_of(report.findings, [&](const Finding& f) {
    if (f.property == Property::termination && report.all_tried) return false;
    return f.verdict == Verdict::possible || f.verdict == Verdict::unknown;
  });
  return is_open && report.seconds * kAllStages * 1000 > static_cast<double>(limit.count());
}

// What is decided there counts in `report`, too.
void take_decided(Report& report, const Report& there) {
  for (Finding& f : report.findings) {
    if (f.property == Property::termination || f.verdict == Verdict::violated) continue;
    const auto known = std::ranges::find(there.findings, f.property, &Finding::property);
    if (known == there.findings.end()) continue;
    const bool is_better = known->verdict == Verdict::violated ||
                           (known->verdict == Verdict::verified && known->but_for.empty() &&
                            f.verdict != Verdict::verified);
    if (is_better) f = *known;
  }
}

// Of a report: what is verified where sizes are plain, in words; nothing where that is not asked.
struct InRanges {
  std::set<Property> proved;
  std::string text;
};
InRanges in_plain_ranges(const Report& report, const kernel::Module& module,
                         const kernel::Function& function, const Options& options,
                         const SizeUses& uses, std::chrono::milliseconds limit) {
  const bool asks = std::ranges::any_of(report.findings, [&](const Finding& f) {
    return may_hold_in_plain_ranges(f, report, uses.multiplies);
  });
  if (!asks || is_beyond_proofs(report, function)) return {};
  const PlainRanges ranges = plain_ranges(function, options, uses);
  const Options own = with_condition(options, ranges.condition, limit);
  if (!is_possible(module, function, own, Prover::Clock::now() + limit)) return {};
  return {proved(module, function, own), ranges.text};
}

void note_plain_ranges(Report& report, const InRanges& there, const SizeUses& uses) {
  for (Finding& f : report.findings) {
    if (!there.proved.contains(f.property) ||
        !may_hold_in_plain_ranges(f, report, uses.multiplies)) {
      continue;
    }
    const std::string text = "verified where " + there.text;
    if (f.verdict == Verdict::violated) {
      f.detail += "; " + text;
    } else {
      f.verdict = Verdict::conditional;
      f.condition = there.text;
      f.detail = text + "; beyond that not known: " + f.detail;
    }
  }
}

}  // namespace

Report verify_with_ranges(const kernel::Module& module, const kernel::Function& function,
                          const Options& options) {
  using std::chrono::milliseconds;
  if (!options.overflow || open_parameters(function, options).empty()) {
    return verify(module, function, options);
  }
  const auto start = Prover::Clock::now();
  const auto left = [&] {
    return std::chrono::floor<milliseconds>(start + options.kernel_limit - Prover::Clock::now());
  };
  const auto is_over = [&] {
    return left() <= milliseconds(0) || (options.stop != nullptr && options.stop->load());
  };
  const SizeUses uses = size_uses(function);
  Options own = options;
  own.kernel_limit = options.kernel_limit / kAtOnceShare;
  Report report = verify(module, function, own);
  const bool goes_on = may_be_decided(report, own.kernel_limit);
  if (is_over()) return report;
  const InRanges there =
      in_plain_ranges(report, module, function, options, uses,
                      std::min<milliseconds>({left(), options.kernel_limit / 4, kMostInRanges}));
  if (goes_on && !is_over()) {
    const Report at_once = std::move(report);
    own.kernel_limit = there.proved.empty() ? left() : std::min(left(), options.kernel_limit / 2);
    report = verify(module, function, own);
    take_decided(report, at_once);
  }
  note_plain_ranges(report, there, uses);
  report.seconds = std::chrono::duration<double>(Prover::Clock::now() - start).count();
  return report;
}

}  // namespace headway::verify
