#include "verify/verify.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "base/error.hpp"
#include "kernel/ir/idle_barriers.hpp"
#include "kernel/ir/scopes.hpp"
#include "verify/affine/races.hpp"
#include "verify/cases.hpp"
#include "verify/cone.hpp"
#include "verify/coverage.hpp"
#include "verify/encoding/encoder.hpp"
#include "verify/hang.hpp"
#include "verify/launch_decides.hpp"
#include "verify/observed.hpp"
#include "verify/overflow.hpp"
#include "verify/private_access.hpp"
#include "verify/prover.hpp"
#include "verify/reads.hpp"
#include "verify/refuters.hpp"
#include "verify/replay.hpp"
#include "verify/rules/scene.hpp"
#include "verify/termination.hpp"
#include "verify/trials.hpp"
#include "verify/vacuous.hpp"

namespace headway::verify {

using smt::Answer;

namespace {

// Of the time for a kernel, what may go into looking for an error in runs, and into whether there
// is one only where arithmetic wraps around.
constexpr std::chrono::milliseconds kReplayLimit{6000}, kHangLimit{2000}, kOverflowLimit{2500};
// Of the time for a kernel, which part at most goes into sets of integers.
constexpr int kAffineShare = 5;
// The same of whether loops end, before and after the proof of all else.
constexpr int kRankingShare = 12;

std::chrono::milliseconds left_until(Prover::Clock::time_point end) {
  const auto left = std::chrono::floor<std::chrono::milliseconds>(end - Prover::Clock::now());
  return std::max(left, std::chrono::milliseconds(0));
}

double seconds_since(Prover::Clock::time_point start) {
  return std::chrono::duration<double>(Prover::Clock::now() - start).count();
}

std::vector<Property> looked_at(const Options& options) {
  std::vector<Property> all{Property::race, Property::divergence, Property::assertion};
  if (options.bounds) {
    all.insert(all.end(), {Property::bounds, Property::null, Property::alignment});
  }
  return all;
}

// A write to constant memory is looked at in kernels that may have one.
std::vector<Property> looked_at(const Options& options, const Conditions& conditions) {
  std::vector<Property> all = looked_at(options);
  for (const Check& one : conditions.checks) {
    if (one.property == Property::constant && all.back() != one.property)
      all.push_back(one.property);
  }
  return all;
}

std::string file_name(const std::string& text) {
  std::string name;
  for (const char ch : text) {
    name += std::isalnum(static_cast<unsigned char>(ch)) != 0 || ch == '-' ? ch : '_';
  }
  return name.substr(0, 80);
}

Report unsupported(Report report, const Options& options, const std::string& what, int line) {
  report.findings.clear();
  for (const Property p : looked_at(options)) {
    report.findings.push_back({p, Verdict::unsupported, line, what, {}});
  }
  return report;
}

Proposal encoded(const kernel::Module& module, const kernel::Function& function, const Flow& flow,
                 const Options& options) {
  Proposal result;
  Learned learned;
  learned.equal = options.chosen;
  // What is learned of arguments makes other terms, which may teach more.
  for (int round = 0; round < 4; ++round) {
    result.context = std::make_unique<smt::Context>();
    result.encoding = encode(*result.context, module, function, flow, options, learned);
    if (result.encoding.learned == learned) break;
    learned = result.encoding.learned;
  }
  return result;
}

// Settles what is known, and adds candidates for invariants of what is not. A race that is known to
// be there needs none, and neither do loops that end in any case.
void suggest(Proposal& proposal, const Flow& flow, const Options& options,
             const affine::Apart& apart, bool is_racy, const Rankings& ends) {
  affine::settle(*proposal.context, apart, proposal.encoding);
  const bool of_logs = !is_racy && !affine::needs_no_log(*proposal.context, proposal.encoding);
  rules::suggest(*proposal.context, proposal.encoding, flow, options, of_logs);
  if (options.left_out.contains("cone")) return;
  auto& candidates = proposal.encoding.conditions.candidates;
  const auto outside = outside_cone(*proposal.context, ends, is_racy, proposal.encoding);
  for (const std::size_t k : outside) candidates[k].alive = false;
  std::erase_if(candidates, [](const Candidate& one) { return !one.alive; });
}

// Settles what is open beside races and holds by invariants that races do not hang on, with
// `decide`: those that they hang on may take all the time. Whether there was such a thing.
bool settle_beside_races(Proposal& proposal, const Rankings& ends, const Options& options,
                         Prover& prover, const std::function<void()>& decide) {
  Conditions& all = proposal.encoding.conditions;
  const auto is_open = [&](bool of_race) {
    return std::ranges::any_of(all.checks, [&](const Check& check) {
      return (check.property == Property::race) == of_race &&
             !proposal.context->is_true(check.claim);
    });
  };
  if (options.left_out.contains("cone") || !is_open(true) || !is_open(false)) return false;
  const auto later = outside_cone(*proposal.context, ends, true, proposal.encoding);
  if (later.empty()) return false;
  for (const std::size_t k : later) all.candidates[k].alive = false;
  decide();
  std::set<Property> open{Property::race};
  for (const Outcome& one : failed_checks(*proposal.context, all, prover, 1, open)) {
    open.insert(all.checks[one.check].property);
  }
  for (Check& check : all.checks) {
    if (!open.contains(check.property)) check.claim = proposal.context->truth(true);
  }
  return true;
}

// Then it may be free of races all the same, by barriers alone.
bool only_locks_fail(const Conditions& all, const std::vector<Outcome>& failed) {
  bool any = false;
  for (const Outcome& one : failed) {
    const Check& check = all.checks[one.check];
    if (check.property != Property::race) continue;
    if (!check.of_lock) return false;
    any = true;
  }
  return any;
}

// A race of volatile accesses is one here, and none for the engine of check.
void say_of_volatile(const kernel::Module& module, const kernel::Function& function,
                     std::vector<Finding>& findings) {
  if (!module.volatile_is_atomic) return;
  std::set<int> lines;
  for (const kernel::Block& block : function.blocks) {
    for (const kernel::Instruction& i : block.code) {
      if ((i.op == kernel::Op::load || i.op == kernel::Op::store) && i.is_volatile) {
        lines.insert(i.place.line);
      }
    }
  }
  for (Finding& f : findings) {
    if (f.property != Property::race || f.verdict == Verdict::verified) continue;
    const bool is_volatile = lines.count(f.line) > 0 ||
                             std::any_of(f.sides.begin(), f.sides.end(), [&](const Side& side) {
                               return lines.count(side.line) > 0;
                             });
    if (!is_volatile) continue;
    f.detail += "; volatile accesses are plain ones here, and for check relaxed atomic ones";
  }
}

Report verify_sizes(const kernel::Module& module, const kernel::Function& function,
                    const Options& options);

// Where a proof fails, loops may be gone through round by round that were too long for the first
// one; nothing where that is no proof either.
std::optional<Report> prove_far(const kernel::Module& module, const kernel::Function& function,
                                const Flow& flow, const Encoding& first, const Options& options,
                                std::chrono::milliseconds left) {
  if (options.unrolls_far || options.left_out.contains("unroll")) return {};
  const auto unrolled = [](const Encoding& encoding) {
    return std::ranges::count_if(encoding.loops,
                                 [](const LoopState& loop) { return loop.unrolled; });
  };
  Options far = options;
  far.unrolls_far = true;
  far.trials = false;
  far.kernel_limit = left / 2;
  if (unrolled(encoded(module, function, flow, far).encoding) == unrolled(first)) return {};
  Report report = verify_sizes(module, function, far);
  return report.is_proved() ? std::optional(std::move(report)) : std::nullopt;
}

// Says of findings that there is such an error only where arithmetic wraps around.
void note_overflow(smt::Context& context, const kernel::Function& function,
                   const Encoding& encoding, const Options& options,
                   const std::set<Property>& without, std::map<Property, Finding>& findings,
                   Prover::Clock::time_point until) {
  std::set<Property> failed, verified;
  for (const auto& [property, finding] : findings) {
    if (finding.verdict == Verdict::verified) {
      verified.insert(property);
    } else if (!without.contains(property)) {
      failed.insert(property);
    }
  }
  for (const auto& [property, places] :
       only_by_overflow(context, function, encoding, options, failed, verified, until)) {
    Finding& f = findings[property];
    f.detail += "; " + text_of(places);
    for (const Wrapped& place : places) f.overflow.push_back(text_of(place));
  }
}

Report verify_sizes(const kernel::Module& module, const kernel::Function& function,
                    const Options& options) {
  using Clock = Prover::Clock;
  const auto start = Clock::now();
  Report report;
  report.file = module.path;
  report.kernel = function.name;
  if (!function.unsupported.empty() || function.blocks.empty()) {
    return unsupported(std::move(report), options, function.unsupported, function.place.line);
  }
  if (const kernel::Instruction* access = private_access(module, function)) {
    return unsupported(std::move(report), options,
                       access->scope == kernel::Scope::thread
                           ? "an access that is private (no NonPrivatePointer)"
                           : "an access that is available or visible to its subgroup alone",
                       access->place.line);
  }
  const std::optional<Flow> flow = flow_of(function);
  if (!flow)
    return unsupported(std::move(report), options, "a loop with several heads",
                       function.place.line);
  if (const auto outside = kernel::access_outside_scope(function)) {
    return unsupported(std::move(report), options,
                       "an access that may be to '" + outside->name + "' outside its scope",
                       outside->place.line);
  }
  Options own = options;
  own.launch = launch_of(function, options.launch);
  report.covers = covers(function, own);
  report.premises = premises_of(module, function, own);
  if (const auto why = excluded_launch(function, own.launch)) {
    return unsupported(std::move(report), options, *why, function.place.line);
  }
  try {
    Proposal proposal = encoded(module, function, *flow, own);
    const std::unique_ptr<smt::Context>& context = proposal.context;
    Encoding& encoding = proposal.encoding;
    // Many bugs show in any run.
    report.stages.encoding = seconds_since(start);
    Trials tried;
    if (own.trials && !own.lockstep) {
      tried = try_launches(module, function, own, nullptr, encoding.learned.equal, std::nullopt,
                           std::chrono::milliseconds(150));
    }
    // Most loops end whatever holds in them: that is not to wait for what takes all the time.
    Rankings ends;
    Prover prover(*context, own, Clock::now() + own.kernel_limit / kRankingShare,
                  file_name(module.path + "-" + function.name));
    rank_loops(*context, module, function, *flow, encoding, Invariants::unknown, prover, ends);
    const bool is_racy = tried.faults.contains(Property::race);
    // What sets of integers decide needs no invariants.
    const affine::Apart apart = affine::find_apart(module, function, *flow, own, encoding,
                                                   start + own.kernel_limit / kAffineShare);
    const Rankings first_ends = ends;
    suggest(proposal, *flow, own, apart, is_racy, first_ends);
    auto before = Clock::now();
    const auto propose = [&] {
      Proposal again = encoded(module, function, *flow, own);
      suggest(again, *flow, own, apart, is_racy, first_ends);
      return again;
    };
    const auto run = [&](const Options& with, Proposal& of, Clock::time_point until,
                         const std::function<void(std::size_t)>& refuted) {
      refute_by_runs(module, function, *flow, with, *of.context, of.encoding, until, refuted);
    };
    prover.go_on_until(start + own.kernel_limit * 3 / 8);
    const auto decide = [&] {
      std::vector<EngineCount> unsaid;
      decide_candidates(proposal, prover, own, propose, run, unsaid);
    };
    if (!is_racy && settle_beside_races(proposal, first_ends, own, prover, decide)) {
      rank_loops(*context, module, function, *flow, encoding, Invariants::hold, prover, ends);
      for (Candidate& one : encoding.conditions.candidates) one.alive = true;
    }
    // What is left is for looking at counterexamples.
    prover.go_on_until(start + own.kernel_limit * 5 / 6);
    const std::vector<Dropped> dropped =
        decide_candidates(proposal, prover, own, propose, run, report.engines);
    report.stages.houdini = seconds_since(before);
    std::set<Property> settled, without_overflow;
    const auto note_run = [&without_overflow](const TrialFault& fault) {
      if (!fault.wraps) without_overflow.insert(fault.property);
    };
    for (const auto& [property, fault] : tried.faults) {
      settled.insert(property);
      note_run(fault);
    }
    before = Clock::now();
    std::vector<Outcome> failed = failed_checks(*context, encoding.conditions, prover, 4, settled);
    // In the order of the code, whatever a solver happened to see first.
    std::stable_sort(failed.begin(), failed.end(),
                     [](const Outcome& a, const Outcome& b) { return a.check < b.check; });
    report.stages.checks = seconds_since(before);
    if (only_locks_fail(encoding.conditions, failed)) {
      Options without = options;
      without.left_out.insert("lock");
      without.kernel_limit = left_until(start + own.kernel_limit);
      return verify_sizes(module, function, without);
    }
    if (!failed.empty() && settled.empty()) {
      if (std::optional<Report> far = prove_far(module, function, *flow, encoding, own,
                                                left_until(start + own.kernel_limit))) {
        far->seconds = seconds_since(start);
        return std::move(*far);
      }
    }

    std::map<Property, Finding> worst;
    const std::vector<Property> properties = looked_at(own, encoding.conditions);
    for (const Property p : properties) worst[p] = {p, Verdict::verified, 0, "", {}};
    const auto blame = [&worst](Property p, Verdict verdict, int line, std::string detail) {
      Finding& f = worst[p];
      if (f.verdict == Verdict::verified ||
          (f.verdict == Verdict::unknown && verdict == Verdict::possible)) {
        f = {p, verdict, line, std::move(detail), {}};
      }
    };
    for (const Dropped& d : dropped) {
      const Candidate& one = encoding.conditions.candidates[d.candidate];
      blame(Property::assertion, d.refuted ? Verdict::possible : Verdict::unknown, one.place.line,
            one.text + " is not known to hold in each round");
    }
    for (const Outcome& o : failed) {
      const Check& check = encoding.conditions.checks[o.check];
      if (check.of_lock) continue;  // no race by itself, and there is another one
      if (o.answer != Answer::sat) {
        blame(check.property, Verdict::unknown, check.place.line,
              check.detail + ": no answer in time");
        continue;
      }
      const Suspect s = suspect_of(*context, encoding, check, o.model, own);
      std::string between;
      if (check.first != nullptr && std::ranges::equal(s.group[0], s.group[1])) {
        between = kernel::idle_barrier_text(function, *check.first, *check.second, check.of_group,
                                            kernel::Scope::workgroup);
      }
      blame(check.property, Verdict::possible, check.place.line,
            check.detail + threads_text(s) + between);
      if (worst[check.property].sides.empty()) worst[check.property].sides = sides_of(s);
      report.suspects.push_back(s);
    }
    for (const auto& [property, fault] : tried.faults) {
      worst[property] = {property, Verdict::violated, fault.line, fault.detail, fault.sides};
    }
    // Looking for an error that a solver sees takes a share of the time, and none behind its end.
    const auto until = std::min(start + own.kernel_limit * 11 / 12, Clock::now() + kReplayLimit);
    const auto left_of = [until](std::chrono::milliseconds most) {
      return std::min(most, left_until(until));
    };
    for (const Suspect& s : report.suspects) {
      Finding& f = worst[s.property];
      if (f.verdict == Verdict::violated || own.lockstep || !own.trials) continue;
      if (left_of(kReplayLimit).count() < 50) break;
      Trials now = try_launches(module, function, own, &s, encoding.learned.equal, s.property,
                                left_of(std::chrono::milliseconds(400)));
      tried.complete = tried.complete || now.complete;
      if (const auto found = now.faults.find(s.property); found != now.faults.end()) {
        f = {s.property, Verdict::violated, found->second.line, found->second.detail,
             found->second.sides};
        note_run(found->second);
        continue;
      }
      // The engine may know more of unknown data, and of operations that a trial leaves.
      const auto share = left_of(std::chrono::milliseconds(tried.complete ? 500 : 4000));
      if (share.count() < 50) break;
      if (const auto real = replay(module, function, s, own, share)) {
        f = {s.property, Verdict::violated, real->line, real->detail, sides_of(s)};
      }
    }
    // Where there is no counterexample to try, data may do.
    const auto open = std::find_if(worst.begin(), worst.end(), is_open);
    const auto more = left_of(std::chrono::milliseconds(1000));
    if (open != worst.end() && own.trials && !own.lockstep && more.count() >= 50) {
      const Trials now =
          try_launches(module, function, own, nullptr, encoding.learned.equal, open->first, more);
      for (const auto& [property, fault] : now.faults) {
        worst[property] = {property, Verdict::violated, fault.line, fault.detail, fault.sides};
        note_run(fault);
      }
    }
    // By the proof, whatever the arguments.
    const bool no_divergence = worst[Property::divergence].verdict == Verdict::verified,
               no_race = worst[Property::race].verdict == Verdict::verified;
    std::optional<WholeLaunch> whole;
    bool of_launch = false;  // whether something holds for this launch alone
    if (own.trials && std::any_of(worst.begin(), worst.end(), is_open)) {
      whole = look_at_whole_launch(module, function, own, true,
                                   std::min(start + own.kernel_limit, Clock::now() + kWholeLimit));
      of_launch = whole && decide_by(*whole, own, worst);
    }
    if (own.overflow) {
      note_overflow(*context, function, encoding, own, without_overflow, worst,
                    std::min(start + own.kernel_limit, Clock::now() + kOverflowLimit));
    }
    if (!encoding.unchecked.empty() && worst[Property::assertion].verdict == Verdict::verified) {
      const auto& [place, what] = encoding.unchecked.front();
      worst[Property::assertion] = {
          Property::assertion, Verdict::unsupported, place.line, what, {}};
    }
    if (worst[Property::divergence].verdict != Verdict::verified &&
        worst[Property::race].verdict == Verdict::verified) {
      worst[Property::race] = {Property::race,
                               Verdict::unknown,
                               worst[Property::divergence].line,
                               "no race if all threads come to all barriers together",
                               {}};
    }
    if (worst[Property::divergence].verdict != Verdict::verified &&
        worst[Property::assertion].verdict == Verdict::verified &&
        std::any_of(encoding.conditions.checks.begin(), encoding.conditions.checks.end(),
                    [](const Check& c) { return c.property == Property::assertion; })) {
      worst[Property::assertion] = {Property::assertion,
                                    Verdict::unknown,
                                    worst[Property::divergence].line,
                                    "holds if all threads come to all barriers together",
                                    {}};
    }
    // What threads read is then known up to the first race, and by claims that hold.
    if (encoding.views) {
      const auto failed_one = std::find_if(worst.begin(), worst.end(), [](const auto& one) {
        return one.second.verdict != Verdict::verified;
      });
      if (failed_one != worst.end()) {
        const auto [property, because] = *failed_one;
        for (auto& [p, finding] : worst) {
          if (finding.verdict != Verdict::verified) continue;
          finding = {
              p,
              Verdict::unknown,
              because.line,
              fmt::format("__barrier_invariant helps only where {} is verified", name_of(property)),
              {}};
        }
      }
    }
    for (const Property p : properties) report.findings.push_back(worst[p]);
    prover.go_on_until(
        std::min(start + own.kernel_limit, Clock::now() + own.kernel_limit / kRankingShare));
    rank_loops(*context, module, function, *flow, encoding, Invariants::hold, prover, ends);
    // Where all loops end, barriers let all threads go on. Equal reads are there without races.
    const auto holds = [&](Property p) { return worst[p].verdict == Verdict::verified; };
    if (!no_divergence || !holds(Property::divergence)) {
      ends.open.emplace_back("divergence is not excluded");
    } else if ((own.equal_reads || encoding.views) && !(no_race && holds(Property::race))) {
      ends.open.emplace_back("what threads read is only known where nothing races");
    }
    if (ends.open.empty()) {
      report.findings.push_back({Property::termination, Verdict::verified, 0, "", {}});
      for (const auto& [loop, text] : ends.shown) report.rankings.push_back(text);
    } else {
      report.may_go_on = std::move(ends.open);
      report.counter_may_wrap = ends.counter_may_wrap;
      report.all_tried = ends.all_tried;
      if (!whole && own.trials) {
        whole = look_at_whole_launch(module, function, own, false,
                                     std::min(start + own.kernel_limit, Clock::now() + kHangLimit));
      }
      const StopSigns stop(own.stop, start + own.kernel_limit);
      const auto hang = whole ? find_hang(*whole, own, stop) : std::nullopt;
      const auto ending =
          whole && holds(Property::divergence) ? ends_under(*whole, own, stop) : std::nullopt;
      if (hang) {
        report.findings.push_back(
            {Property::termination, Verdict::violated, hang->line, hang->detail, {}});
      } else if (ending) {
        report.findings.push_back({Property::termination, Verdict::verified, 0, *ending, {}});
        report.may_go_on.clear();
        of_launch = true;
      } else {
        report.findings.push_back({Property::termination,
                                   Verdict::unknown,
                                   0,
                                   fmt::format("{}", fmt::join(report.may_go_on, "; ")),
                                   {}});
      }
    }
    if (const auto place = unfulfilled(*context, encoding, prover)) {
      for (Finding& f : report.findings) {
        if (f.verdict != Verdict::verified) continue;
        f = {f.property,
             Verdict::unknown,
             place->line,
             "what is assumed here holds in no execution, so that nothing is shown behind it",
             {}};
        f.about_nothing = true;
      }
    }
    for (Finding& f : report.findings) {
      const auto skipped = encoding.skipped.find(f.property);
      if (skipped == encoding.skipped.end() || f.verdict != Verdict::verified) continue;
      f.but_for = {skipped->second.begin(), skipped->second.end()};
    }
    say_of_volatile(module, function, report.findings);
    if (of_launch) report.covers += "; where it says so, all executions of the launch stated";
    std::map<std::string, RuleCount> counts;
    for (const Candidate& one : encoding.conditions.candidates) {
      RuleCount& count = counts[one.rule];
      count.rule = one.rule;
      ++count.made;
      if (!one.alive) continue;
      ++count.held;
      const int line = encoding.conditions.loops[static_cast<std::size_t>(one.loop)].line;
      report.invariants.push_back(fmt::format("line {}: {} ({})", line, one.text, one.rule));
    }
    for (auto& [rule, count] : counts) report.rules.push_back(count);
    if (apart.asked > 0) report.rules.push_back({"affine", apart.asked, apart.shown});
    report.assumed = encoding.assumed;
    if (report.may_go_on.empty()) {
      report.assumed.insert(report.assumed.end(), ends.assumed.begin(), ends.assumed.end());
    }
    std::sort(report.assumed.begin(), report.assumed.end());
    report.assumed.erase(std::unique(report.assumed.begin(), report.assumed.end()),
                         report.assumed.end());
    report.questions = prover.questions();
  } catch (const Unsupported& what) {
    report = unsupported(std::move(report), own, what.what,
                         what.place.line > 0 ? what.place.line : function.place.line);
    report = decided_by_launch(std::move(report), module, function, own, start + own.kernel_limit);
  }
  report.seconds = seconds_since(start);
  return report;
}

// Also where a launch has one thread, which a proof about two says nothing of.
Report verify_all_sizes(const kernel::Module& module, const kernel::Function& function,
                        const Options& options) {
  const auto until = Prover::Clock::now() + options.kernel_limit;
  Report report = verify_sizes(module, function, options);
  const std::optional<Launch> single = single_launch(function, options);
  // Where what is assumed leaves one thread alone, two threads fulfil it nowhere.
  const bool about_nothing = std::any_of(report.findings.begin(), report.findings.end(),
                                         [](const Finding& f) { return f.about_nothing; });
  if (!single || (!about_nothing && !is_of_one_thread(function, options))) return report;
  Options own = options;
  own.launch = *single;
  own.kernel_limit = left_until(until);
  try {
    for (const Finding& found : verify_sizes(module, function, own).findings) {
      for (Finding& f : report.findings) {
        if (f.property != found.property) continue;
        // What holds for two threads stays so where no launch has only one.
        if (found.about_nothing) continue;
        const bool fails = f.verdict == Verdict::verified && found.verdict != Verdict::verified &&
                           found.property != Property::termination;
        if (!fails && !f.about_nothing) continue;
        f = found;
        if (fails) f.detail += "; of a launch of one thread";
      }
    }
  } catch (const Error&) {  // what is assumed says that there are more
  }
  return report;
}

}  // namespace

Report verify(const kernel::Module& module, const kernel::Function& function,
              const Options& options) {
  const auto start = Prover::Clock::now();
  Report report = verify_by_cases(module, function, options, [&](const Options& own) {
    return verify_by_reads(function, own, [&](const Options& with) {
      return verify_all_sizes(module, function, with);
    });
  });
  report.seconds = seconds_since(start);
  if (options.stop == nullptr || !*options.stop) return report;
  // What was looked for and not found may be there.
  for (Finding& f : report.findings) {
    if (is_open({f.property, f})) f = {f.property, Verdict::unknown, f.line, "interrupted", {}};
  }
  return report;
}

}  // namespace headway::verify
