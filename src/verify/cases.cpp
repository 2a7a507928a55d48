#include "verify/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "base/error.hpp"
#include "verify/coverage.hpp"

namespace headway::verify {
namespace {

using smt::Kind;

constexpr std::size_t kMostValues = 16;

// What is left of a truth that is a number, of which it is asked whether it is 0, again and again.
Term without_numbers(const smt::Context& c, Term fact) {
  for (;;) {
    const smt::Node& n = c.node(fact);
    const bool is_number =
        (n.kind == Kind::zext && c.width(n.args[0]) == 0) ||
        (n.kind == Kind::ite && c.is_constant(n.args[2], 0) && c.is_constant(n.args[1], 1));
    if (is_number) {
      fact = n.args[0];
    } else if (n.kind == Kind::negation && c.node(n.args[0]).kind == Kind::equal) {
      const smt::Node& equal = c.node(n.args[0]);
      const bool is_left = c.is_constant(equal.args[0], 0);
      if (is_left == c.is_constant(equal.args[1], 0)) return fact;
      fact = equal.args[is_left ? 1 : 0];
    } else {
      return fact;
    }
  }
}

// An argument, and all values that it may have.
struct Listed {
  std::string variable;
  std::set<std::uint64_t> values;

  // Whether it has one of these values where `fact` holds.
  bool take(const smt::Context& c, Term fact) {
    const smt::Node& n = c.node(without_numbers(c, fact));
    if (n.kind == Kind::disjunction || n.kind == Kind::bit_or) {
      return std::ranges::all_of(n.args, [&](Term part) { return take(c, part); });
    }
    if (n.kind == Kind::conjunction) {  // one part is enough
      const Listed before = *this;
      return std::ranges::any_of(n.args, [&](Term part) {
        if (take(c, part)) return true;
        *this = before;
        return false;
      });
    }
    return n.kind == Kind::equal &&
           (take(c, n.args[0], n.args[1]) || take(c, n.args[1], n.args[0]));
  }

 private:
  bool take(const smt::Context& c, Term one, Term number) {
    const smt::Node& n = c.node(one);
    if (n.kind != Kind::variable || n.width == 0 || !c.is_constant(number)) return false;
    const std::string& name = c.name(n);
    if (!name.starts_with("arg.") || (!variable.empty() && variable != name)) return false;
    variable = name;
    values.insert(c.value(number));
    return true;
  }
};

std::optional<Listed> listed_in(const smt::Context& c, Term fact) {
  const smt::Node& n = c.node(without_numbers(c, fact));
  if (n.kind == Kind::conjunction) {
    for (const Term part : n.args) {
      if (auto found = listed_in(c, part)) return found;
    }
    return {};
  }
  Listed found;
  const bool is_list = found.take(c, fact) && found.values.size() > 1;
  return is_list && found.values.size() <= kMostValues ? std::optional(found) : std::nullopt;
}

// The first argument whose values are listed in what is assumed of the launch.
std::optional<Listed> listed(const kernel::Module& module, const kernel::Function& function,
                             const Options& options) {
  const std::optional<Flow> flow = flow_of(function);
  if (!flow || !function.unsupported.empty()) return {};
  Options own = options;
  own.launch = launch_of(function, options.launch);
  Learned learned;
  learned.equal = options.chosen;
  smt::Context context;
  try {
    const Encoding encoding = encode(context, module, function, *flow, own, learned);
    for (const Supposition& one : encoding.suppositions) {
      if (!one.of_launch) continue;
      if (auto found = listed_in(context, one.holds)) return found;
    }
  } catch (const Unsupported&) {
  } catch (const Error&) {  // which `verify` says
  }
  return {};
}

// Adds what is said of one value to what is said of those before.
void add(const Report& one, const std::string& where, Report& all) {
  for (const Finding& f : one.findings) {
    auto same = std::ranges::find(all.findings, f.property, &Finding::property);
    if (same == all.findings.end()) {
      same = all.findings.insert(same, f);
    } else if (is_worse(f.verdict, same->verdict)) {
      *same = f;
    } else {
      continue;
    }
    Finding& kept = *same;
    if (kept.verdict != Verdict::verified && kept.verdict != Verdict::violated) {
      kept.detail += fmt::format("; where {}", where);
    }
  }
  const auto append = [](const auto& from, auto& to) {
    for (const auto& each : from) {
      if (std::ranges::find(to, each) == to.end()) to.push_back(each);
    }
  };
  append(one.assumed, all.assumed);
  append(one.invariants, all.invariants);
  append(one.rankings, all.rankings);
  append(one.may_go_on, all.may_go_on);
  all.counter_may_wrap = all.counter_may_wrap || one.counter_may_wrap;
  all.all_tried = all.all_tried && one.all_tried;
  all.suspects.insert(all.suspects.end(), one.suspects.begin(), one.suspects.end());
  all.questions += one.questions;
}

}  // namespace

Report verify_by_cases(const kernel::Module& module, const kernel::Function& function,
                       const Options& options,
                       const std::function<Report(const Options&)>& verify) {
  using Clock = std::chrono::steady_clock;
  const bool states =
      !options.stated.assumptions.empty() ||
      std::ranges::any_of(function.blocks, [](const kernel::Block& block) {
        return std::ranges::any_of(block.code, [](const kernel::Instruction& i) {
          return i.op == kernel::Op::claim && i.claim == kernel::Claim::precondition;
        });
      });
  const std::optional<Listed> list = states && !options.left_out.contains("cases")
                                         ? listed(module, function, options)
                                         : std::nullopt;
  if (!list) return verify(options);
  const auto until = Clock::now() + options.kernel_limit;
  std::optional<Report> all;
  std::size_t left = list->values.size();
  for (const std::uint64_t value : list->values) {
    Options own = options;
    own.chosen[list->variable] = value;
    const auto rest = std::chrono::floor<std::chrono::milliseconds>(until - Clock::now());
    own.kernel_limit = std::max(rest / static_cast<int>(left--), std::chrono::milliseconds(1));
    const Report one = verify_by_cases(module, function, own, verify);
    if (!all) {
      all = one;
      all->findings.clear();
      all->suspects.clear();
      all->questions = 0;
    }
    add(one, fmt::format("{} = {}", list->variable.substr(4), value), *all);
  }
  if (!all->may_go_on.empty()) all->rankings.clear();
  return std::move(*all);
}

}  // namespace headway::verify
