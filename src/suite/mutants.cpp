#include "suite/mutants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/error.hpp"
#include "lang/axb/program.hpp"
#include "lang/axb/source.hpp"
#include "models/order.hpp"
#include "models/scoped.hpp"

namespace headway::suite {
namespace {

using checker::Verdict;
using models::Fairness;
using models::History;
using models::ModelPtr;

constexpr int kSiblings = 3;  // enough to tell the standard models apart

// The standard models that are weaker than `model` among siblings, and no weaker than others that
// are.
std::vector<ModelPtr> one_step_weaker(const models::Library& library, const ModelPtr& model) {
  std::vector<ModelPtr> models = library.standard();
  models.push_back(model);
  const models::ModelOrder order(models, kSiblings, models::Scope::recurring, true);
  const std::size_t own = models.size() - 1;
  const auto below = [&](std::size_t a, std::size_t b) {
    return order.relation(a, b) == models::Relation::below;
  };
  std::vector<ModelPtr> result;
  for (std::size_t a = 0; a < own; ++a) {
    bool is_next = below(a, own);
    for (std::size_t b = 0; b < own; ++b) is_next = is_next && !(below(a, b) && below(b, own));
    if (is_next) result.push_back(models[a]);
  }
  return result;
}

// The history of the children of a group by a rule.
History children_of(const Topology& topology, Level level, int parent, const History& history,
                    Rule rule) {
  const Topology::Children children = topology.children(level, parent);
  History result = models::history_of_children(topology, level, parent, history);
  if (rule == Rule::lowest_alive) result.blocked = {};
  if (rule != Rule::started_when_all && rule != Rule::started_while_alive) return result;
  for (int child = 0; child < children.count; ++child) {
    const ThreadSet threads = threads_of(topology, level, children.first + child);
    const ThreadSet self = ThreadSet::single(child);
    const ThreadSet alive = threads - history.terminated;
    const bool started = rule == Rule::started_when_all ? history.started.includes(threads)
                                                        : !(history.started & alive).empty();
    if (!started) result.started -= self;
  }
  return result;
}

template <class Change>
void for_barriers(lang::axb::Code& code, const Change& change) {
  for (lang::axb::Thread& thread : code.threads) {
    for (lang::axb::Instruction& instruction : thread.instructions) {
      if (instruction.is_barrier()) change(instruction);
    }
  }
}

}  // namespace

GroupSet obligations(const models::Model& model, const Topology& topology, const History& history,
                     Rule rule) {
  const ThreadSet all = ThreadSet::first(topology.threads());
  const ThreadSet ready = history.ready(topology.threads());
  if (rule == Rule::one_list) {
    const models::Model* list = model.at(Level::workgroup);
    const ThreadSet fair = list == nullptr ? history.alive(topology.threads())
                                           : list->fair(topology.threads(), history);
    return {fair & ready};
  }
  GroupSet guaranteed;
  ThreadSet inside = all;  // of guaranteed groups so far
  for (const Level level : kLevels) {
    const bool asked = topology.has(level);
    if (!asked && rule != Rule::only_children_asked) continue;
    const models::Model* member = model.at(level);
    ThreadSet selected;
    for (int parent = 0; parent < topology.parents(level); ++parent) {
      const Topology::Children range = topology.children(level, parent);
      const History children = children_of(topology, level, parent, history, rule);
      const bool ask = member != nullptr &&
                       (range.count > 1 || topology.is_flat() || rule == Rule::only_children_asked);
      const ThreadSet chosen =
          ask ? member->fair(range.count, children) : children.alive(range.count);
      for (const int child : chosen) selected |= threads_of(topology, level, range.first + child);
    }
    inside &= selected;
    if (asked) guaranteed.at(topology, level) = groups_at(topology, level, inside);
  }
  GroupSet owed = guaranteed & groups_of(topology, ready);
  if (rule == Rule::threads_alone) owed = {owed.threads};
  return owed;
}

std::string to_string(Mutant::Kind kind) {
  switch (kind) {
    case Mutant::Kind::level:
      return "level";
    case Mutant::Kind::rule:
      return "rule";
    case Mutant::Kind::barrier:
      return "barrier";
    case Mutant::Kind::scheduler:
      return "scheduler";
  }
  return {};
}

Mutants::Mutants(const models::Library& library, ModelPtr claim, Fairness fairness)
    : claim_(std::move(claim)), fairness_(fairness) {
  if (!claim_->history_determined()) {
    throw Error(
        fmt::format("model {} remembers what it promised; expected one that is a function "
                    "of who has started, ended and waits",
                    claim_->name()));
  }
  add_levels(library);
  add_rules();
  add_barriers();
  add_schedulers();
}

void Mutants::add_levels(const models::Library& library) {
  weaker_.push_back(claim_);
  if (fairness_ == Fairness::strong) {
    all_.push_back({.name = claim_->name() + ":weak",
                    .text = "a thread that can step now and then is never taken",
                    .model = claim_,
                    .fairness = Fairness::weak});
    weaker_.push_back(claim_);
  }
  const ModelPtr fair = library.standard().back();
  for (const Level level : kLevels) {
    models::ModelsByLevel members;
    for (const Level each : kLevels) {
      const models::Model* member = claim_->at(each);
      if (member == nullptr) continue;
      members[static_cast<std::size_t>(each)] = ModelPtr(claim_, member);
    }
    ModelPtr& member = members[static_cast<std::size_t>(level)];
    const ModelPtr own = member != nullptr ? member : fair;
    for (const ModelPtr& weaker : one_step_weaker(library, own)) {
      member = weaker;
      all_.push_back(
          {.name = scoped_name(members) + ":" + to_string(fairness_),
           .text = fmt::format("{}s have {} in place of {}", headway::to_string(level),
                               weaker->name(), own->name()),
           .model = std::make_shared<models::ScopedModel>(scoped_name(members), "", members),
           .fairness = fairness_});
      weaker_.push_back(all_.back().model);
    }
  }
}

void Mutants::add_rules() {
  const auto add = [&](Rule rule, const char* name, const char* text) {
    all_.push_back({.kind = Mutant::Kind::rule, .name = name, .text = text, .rule = rule});
  };
  add(Rule::threads_alone, "threads-alone", "a group that is guaranteed owes no step by itself");
  add(Rule::one_list, "one-list", "the model of workgroups is about all threads as one list");
  add(Rule::started_when_all, "started-when-all",
      "a group has started only when all of its threads have");
  add(Rule::started_while_alive, "started-while-alive",
      "a group has started only while one that has is alive");
  add(Rule::lowest_alive, "lowest-alive", "who waits keeps the place of the lowest that is ready");
  add(Rule::only_children_asked, "only-children",
      "a level is asked about a group with an only child, too");
}

void Mutants::add_barriers() {
  const auto add = [&](BarrierMistake mistake, const char* name, const char* text) {
    all_.push_back({.kind = Mutant::Kind::barrier, .name = name, .text = text, .mistake = mistake});
  };
  add(BarrierMistake::ended, "ended",
      "threads that have ended count as waiting where they do not, and the other way round");
  add(BarrierMistake::passes, "passes", "whoever comes to a barrier goes on at once");
  add(BarrierMistake::dropped, "dropped",
      "an arrival gets lost: who came goes on, and the others wait for another one");
}

void Mutants::add_schedulers() {
  for (const Machine& machine : machines()) {
    all_.push_back({.kind = Mutant::Kind::scheduler,
                    .name = machine.name(),
                    .text = machine.text(),
                    .machine = machine});
  }
}

bool Mutants::fails_under(const lang::Program& program, Rule rule) {
  const checker::Lts& lts = analysis_.lts();
  std::vector<GroupSet> owed;
  owed.reserve(lts.histories().size());
  for (const History& history : lts.histories()) {
    owed.push_back(obligations(*claim_, program.topology(), history, rule));
  }
  const checker::FairSets fair(std::move(owed));
  const auto answer = fairness_ == Fairness::weak ? cycles_.weak(fair) : cycles_.strong(fair);
  return answer == checker::FairCycles::Answer::yes;
}

bool Mutants::fails_with(const lang::Test& test, BarrierMistake mistake) {
  const lang::axb::Code* code = lang::axb::find_placed_code(test);
  if (code == nullptr || !code->has_barriers()) return false;
  const auto fails = [&](const lang::axb::Code& changed) {
    return checker_.check(*lang::axb::make_program(changed), {&claim_, 1})
               .verdicts.front()
               .of(fairness_) == Verdict::fail;
  };
  // A step that reads, and goes on whatever it read.
  const auto pass = [](lang::axb::Instruction& barrier) { barrier = {.jump = barrier.jump}; };
  lang::axb::Code changed = *code;
  if (changed.locations.empty()) changed.locations.push_back({"x"});
  switch (mistake) {
    case BarrierMistake::ended:
      changed.ended_count = !code->ended_count;
      return fails(changed);
    case BarrierMistake::passes:
      for_barriers(changed, pass);
      return fails(changed);
    case BarrierMistake::dropped: {
      bool killed = false;
      for_barriers(changed, [&](lang::axb::Instruction& barrier) {
        const lang::axb::Instruction kept = barrier;
        pass(barrier);
        killed = killed || fails(changed);
        barrier = kept;
      });
      return killed;
    }
  }
  return false;
}

std::optional<std::vector<bool>> Mutants::killed_by(const lang::Test& test) {
  const auto program = lang::make_program(test);
  const checker::CheckResult checked = checker_.check(*program, weaker_);
  if (!checked.complete || checked.verdicts.front().of(fairness_) != Verdict::pass) {
    return std::nullopt;
  }
  if (!analysis_.explore(*program, {})) return std::nullopt;
  assert(analysis_.lts().stuck().empty());  // or it would not pass
  cycles_.prepare(analysis_.lts());
  std::vector<bool> result;
  result.reserve(all_.size());
  std::size_t level = 0;
  for (const Mutant& mutant : all_) {
    switch (mutant.kind) {
      case Mutant::Kind::level:
        result.push_back(checked.verdicts[++level].of(mutant.fairness) == Verdict::fail);
        break;
      case Mutant::Kind::rule:
        result.push_back(fails_under(*program, mutant.rule));
        break;
      case Mutant::Kind::barrier:
        result.push_back(fails_with(test, mutant.mistake));
        break;
      case Mutant::Kind::scheduler:
        result.push_back(never_ends(*program, mutant.machine));
        break;
    }
  }
  return result;
}

}  // namespace headway::suite
