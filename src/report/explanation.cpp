#include "report/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <nlohmann/json.hpp>

#include "report/changed_memory.hpp"
#include "report/set_json.hpp"
#include "report/words.hpp"
#include "report/wrong_run.hpp"

namespace headway::report {
namespace {

using checker::BrokenCycle;
using checker::Moment;
using checker::Verdict;
using models::Fairness;
using Json = nlohmann::ordered_json;

constexpr std::size_t kShownCycles = 10;  // of a passing test, in text
constexpr std::size_t kShownStates = 20;  // of a closed set, in text
constexpr std::size_t kShownSteps = 100;  // of a stem or a cycle, in text

const char* adverb(Fairness fairness) { return fairness == Fairness::weak ? "weakly" : "strongly"; }

// "thread 1", or of a launch that is not flat "workgroup 1"
std::string group_name(const Topology& topology, Level level, int group) {
  return fmt::format("{} {}", topology.is_flat() ? topology.leaf_name() : to_string(level), group);
}

// Calls visit(level, group) for all groups of a launch, from the outside in.
template <class Visit>
void for_each_group(const Topology& topology, const Visit& visit) {
  for (const Level level : kLevels) {
    if (!topology.has(level)) continue;
    for (int group = 0; group < topology.groups(level); ++group) visit(level, group);
  }
}

// What the cycle of a witness looks like, gathered once for text and JSON.
class Cycle {
 public:
  explicit Cycle(const Explained& explained)
      : explained_(explained), lasso_(explained.explanation.witness->lasso) {
    for (const lang::Step& step : lasso_.cycle) stepping_ |= ThreadSet::single(step.thread);
    const Moment& start = moment(0);
    alive_ = start.history.alive(explained.program.threads());
    for (std::size_t i = 0; i < length(); ++i) {
      running_ |= explained.program.running(moment(i).state.data());
    }
  }

  std::size_t length() const { return lasso_.cycle.size(); }
  // Before a step of the second round: in the first the history may still change.
  const Moment& moment(std::size_t step) const {
    return explained_.explanation.replay.moments[lasso_.stem.size() + length() + step];
  }
  ThreadSet stepping() const { return stepping_; }
  // Those that could step and do not. Who waits blocked all the time could not.
  ThreadSet starved() const { return running_ - stepping_; }

  // The states of the cycle, each once.
  std::vector<Moment> states() const {
    std::vector<Moment> distinct;
    for (std::size_t i = 0; i < length(); ++i) {
      if (std::find(distinct.begin(), distinct.end(), moment(i)) == distinct.end()) {
        distinct.push_back(moment(i));
      }
    }
    return distinct;
  }

  // Why fairness asks nothing of a group that the cycle does not do.
  std::string why_fair(Level level, int group) const {
    const ThreadSet threads = threads_of(topology(), level, group);
    if ((alive_ & threads).empty()) return "has terminated";
    const bool steps = !(stepping_ & threads).empty();
    if (explained_.fairness == Fairness::strong) {
      std::size_t blocked = length();
      for (std::size_t i = 0; i < length(); ++i) {
        if (owed(i).at(topology(), level).contains(group)) {
          return "takes every step that it is guaranteed in the cycle";
        }
        if (blocked == length() && is_fair(i, level, group)) blocked = i;
      }
      if (steps) return "steps in the cycle, and is guaranteed nothing in it";
      if (blocked < length()) return is_blocked(blocked, level, group);
      return "is nowhere guaranteed in the cycle" + standing(threads) +
             refusal(moment(0), level, group);
    }
    if (steps) return "steps in the cycle";
    for (std::size_t i = 0; i < length(); ++i) {
      if (owed(i).at(topology(), level).contains(group)) continue;
      if (is_fair(i, level, group)) return is_blocked(i, level, group);
      return fmt::format("is not guaranteed before step {} of the cycle, where F = {}{}{}", i + 1,
                         moment(i).fair(topology()).to_string(topology()), standing(threads),
                         refusal(moment(i), level, group));
    }
    return {};
  }

  // One sentence about what goes wrong.
  std::string moral() const {
    if (!starved().empty()) {
      return fmt::format(
          "{} {} starved: never scheduled {}, while {} {} for ever.",
          capitalized(thread_names(topology(), starved())), starved().size() == 1 ? "is" : "are",
          (starved() & moment(0).history.started).empty() ? "at all" : "again",
          thread_names(topology(), stepping_), stepping_.size() == 1 ? "loops" : "loop");
    }
    if (stepping_.size() == 1) {
      return fmt::format("{} loops for ever on its own.",
                         capitalized(thread_names(topology(), stepping_)));
    }
    return fmt::format("A livelock: {} keep stepping for ever and none of them terminates.",
                       thread_names(topology(), stepping_));
  }

 private:
  const Topology& topology() const { return explained_.program.topology(); }
  GroupSet owed(std::size_t step) const { return moment(step).owed(topology()); }
  bool is_fair(std::size_t step, Level level, int group) const {
    return moment(step).fair(topology()).at(topology(), level).contains(group);
  }
  // Of a group that is guaranteed before a step and owed none there, because nobody in it can take
  // one: where it waits, if it is a thread.
  std::string is_blocked(std::size_t step, Level level, int group) const {
    const std::string where = level == topology().leaf() ? explained_.program.describe_thread(
                                                               moment(step).state.data(), group)
                                                         : "none of its threads can step";
    return fmt::format("is blocked before step {} of the cycle: {}", step + 1, where);
  }
  std::string standing(ThreadSet threads) const {
    return (moment(0).history.started & threads).empty() ? ": it has not started"
                                                         : ": it has started";
  }
  // Whose model does not select a group, or the outermost one around it that is not selected.
  std::string refusal(const Moment& now, Level level, int group) const {
    if (topology().is_flat()) return {};
    const int first = threads_of(topology(), level, group).min();
    for (const Level outer : kLevels) {
      if (!topology().has(outer)) continue;
      const int around = topology().group_of(outer, first);
      if (!now.selected.at(topology(), outer).contains(around)) {
        const models::Model* model = explained_.model.at(outer);
        return fmt::format("; for {}s {} says {}, and {} is none of these", to_string(outer),
                           model != nullptr ? model->name() : "fair",
                           model != nullptr ? model->definition() : "alive", around);
      }
      if (outer == level) break;
    }
    return {};
  }

  const Explained& explained_;
  const checker::Lasso& lasso_;
  ThreadSet stepping_;
  ThreadSet alive_;
  ThreadSet running_;  // somewhere in the cycle
};

std::string where_threads_are(const Explained& explained, const Moment& moment) {
  std::string text;
  for (int t = 0; t < explained.program.threads(); ++t) {
    text += fmt::format("{}{}: {}", t > 0 ? "   " : "", t,
                        explained.program.describe_thread(moment.state.data(), t));
  }
  return text;
}

// Text -------------------------------------------------------------------------------------------

void add_steps(TextTable& table, const Explained& explained, const std::vector<lang::Step>& steps,
               std::size_t first) {
  const auto& moments = explained.explanation.replay.moments;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i == kShownSteps) {
      table.add_row({{fmt::format("... {} more", steps.size() - i), Color::dim}});
      return;
    }
    const Moment& before = moments[first + i];
    const Moment& after = moments[first + i + 1];
    const auto step = explained.program.describe_step(before.state.data(), steps[i]);
    const std::string memory = explained.program.describe_memory(after.state.data());
    const std::string last = explained.program.describe_memory(before.state.data());
    table.add_row(
        {{std::to_string(i + 1), Color::none},
         {std::to_string(steps[i].thread), Color::none},
         {step.line > 0 ? std::to_string(step.line) : "", Color::none},
         {step.statement, Color::none},
         {step.effect, Color::none},
         {i == 0 ? memory : changed_memory(last, memory), Color::none},
         {before.fair(explained.program.topology()).to_string(explained.program.topology()),
          Color::none}});
  }
}

std::string steps_text(const Explained& explained, const std::string& title,
                       const std::vector<lang::Step>& steps, std::size_t first, Style style) {
  std::string text = "\n" + paint(title, Color::bold, style) + "\n";
  if (steps.empty()) return text;
  TextTable table;
  table.add_row({{"step", Color::dim},
                 {std::string(explained.program.topology().leaf_name()), Color::dim},
                 {"line", Color::dim},
                 {"statement", Color::dim},
                 {"effect", Color::dim},
                 {"memory after", Color::dim},
                 {"F before", Color::dim}});
  add_steps(table, explained, steps, first);
  return text + table.to_string(style);
}

// The number, from 1, of the first of `states` that a step of `thread` leads to from `from`; 0 when
// none does.
std::size_t first_inside(const Explained& explained, const std::vector<Moment>& states,
                         const Moment& from, int thread) {
  const int choices = explained.program.choices(from.state.data(), thread);
  for (int choice = 0; choice < choices; ++choice) {
    const Moment next = checker::after(explained.program, explained.model, from, {thread, choice});
    const auto found = std::find(states.begin(), states.end(), next);
    if (found != states.end()) return static_cast<std::size_t>(found - states.begin()) + 1;
  }
  return 0;
}

// The threads that pay what is owed at a state of a closed set. Of a group that owes a step, with
// no smaller one inside that does, this is the first thread that has a step to another of `states`.
ThreadSet paying(const Explained& explained, const std::vector<Moment>& states,
                 const Moment& state) {
  const Topology& topology = explained.program.topology();
  const GroupSet owed = state.owed(topology);
  ThreadSet result = owed.threads;
  if (topology.is_flat()) return result;
  for (const Level level : {Level::subgroup, Level::workgroup}) {
    if (!topology.has(level) || level == topology.leaf()) continue;
    for (const int group : owed.at(topology, level)) {
      const ThreadSet threads = threads_of(topology, level, group);
      if (!(result & threads).empty()) continue;
      for (const int thread : threads& state.history.ready(topology.threads())) {
        if (first_inside(explained, states, state, thread) == 0) continue;
        result |= ThreadSet::single(thread);
        break;
      }
    }
  }
  return result;
}

std::string closed_set_text(const Explained& explained, const Cycle& cycle, Style style) {
  const Topology& topology = explained.program.topology();
  const std::vector<Moment> states = cycle.states();
  std::string text = "\n" +
                     paint(fmt::format("the closed set: {}, no guaranteed step leaves it",
                                       counted(states.size(), "state")),
                           Color::bold, style) +
                     "\n";
  TextTable table;
  table.add_row({{"state", Color::dim},
                 {"memory", Color::dim},
                 {"F", Color::dim},
                 {"guaranteed steps", Color::dim},
                 {fmt::format("{}s", topology.leaf_name()), Color::dim}});
  for (std::size_t s = 0; s < states.size(); ++s) {
    if (s == kShownStates) {
      table.add_row({{fmt::format("... {} more", states.size() - s), Color::dim}});
      break;
    }
    std::string steps;
    for (int thread : paying(explained, states, states[s])) {
      const auto number = first_inside(explained, states, states[s], thread);
      assert(number != 0);  // an obligation can be met in a closed set
      steps += fmt::format("{}{} {} to {}", steps.empty() ? "" : ", ", topology.leaf_name(), thread,
                           number);
    }
    table.add_row({{std::to_string(s + 1), Color::none},
                   {explained.program.describe_memory(states[s].state.data()), Color::none},
                   {states[s].fair(topology).to_string(topology), Color::none},
                   {steps.empty() ? "none" : steps, Color::none},
                   {where_threads_are(explained, states[s]), Color::none}});
  }
  return text + table.to_string(style);
}

// A stuck state: who waits in it, and for what.
ThreadSet waiting(const Explained& explained) {
  return explained.explanation.replay.moments.back().history.blocked;
}

std::string stuck_moral(const Explained& explained) {
  const ThreadSet threads = waiting(explained);
  const bool all = threads.size() == explained.program.threads();
  const Topology& topology = explained.program.topology();
  return fmt::format("{} {} for ever for what nobody does any more: all {}{}s {}.",
                     capitalized(thread_names(topology, threads)),
                     threads.size() == 1 ? "waits" : "wait", all ? "" : "other ",
                     topology.leaf_name(), all ? "wait" : "have ended");
}

using Words = std::vector<std::pair<std::string, std::string>>;

// Who waits in a stuck state, where and for whom.
Words stuck_words(const Explained& explained) {
  Words words;
  const Moment& end = explained.explanation.replay.moments.back();
  for (int t = 0; t < explained.program.threads(); ++t) {
    std::string where = explained.program.describe_thread(end.state.data(), t);
    if (where.find("waits at ") == std::string::npos) where.insert(0, "waits: ");
    words.emplace_back(fmt::format("{} {}", explained.program.topology().leaf_name(), t),
                       end.history.blocked.contains(t) ? where : "has terminated");
  }
  return words;
}

// Why fairness asks nothing more of each group. Neighbours for which the same is to be said are one
// entry: launches have many threads.
Words reasons(const Explained& explained, const Cycle& cycle) {
  const Topology& topology = explained.program.topology();
  Words words;
  const auto add = [&](Level level, int first, int last, const std::string& why) {
    const std::string name = group_name(topology, level, first);
    words.emplace_back(first == last ? name
                                     : fmt::format("each of {}s {}-{}",
                                                   name.substr(0, name.find(' ')), first, last),
                       why);
  };
  for (const Level level : kLevels) {
    if (!topology.has(level)) continue;
    int first = 0;
    std::string why = cycle.why_fair(level, 0);
    for (int group = 1; group < topology.groups(level); ++group) {
      std::string next = cycle.why_fair(level, group);
      if (next == why && !topology.is_flat()) continue;
      add(level, first, group - 1, why);
      first = group;
      why = std::move(next);
    }
    add(level, first, topology.groups(level) - 1, why);
  }
  return words;
}

std::string words_text(const Words& words, Style style) {
  TextTable table;
  for (const auto& [name, text] : words) table.add_row({{name, Color::none}, {text, Color::none}});
  return table.to_string(style);
}

std::string stuck_text(const Explained& explained, Style style) {
  const auto& stem = explained.explanation.witness->lasso.stem;
  return steps_text(explained, stem.empty() ? "stem: none" : "stem, once", stem, 0, style) + "\n" +
         paint("stuck: nobody can step", Color::bold, style) + "\n" +
         words_text(stuck_words(explained), style) + "\n" + stuck_moral(explained) + "\n";
}

std::string failure_text(const Explained& explained, Style style) {
  const auto& witness = *explained.explanation.witness;
  if (witness.lasso.cycle.empty()) return stuck_text(explained, style);
  const Cycle cycle(explained);
  const std::size_t stem = witness.lasso.stem.size();
  std::string text =
      steps_text(explained, stem == 0 ? "stem: none, the cycle starts at once" : "stem, once",
                 witness.lasso.stem, 0, style);
  text += steps_text(explained,
                     witness.smallest ? "cycle, for ever"
                                      : "cycle, for ever (there may be a "
                                        "smaller one)",
                     witness.lasso.cycle, stem, style);
  if (explained.fairness == Fairness::strong) text += closed_set_text(explained, cycle, style);
  text +=
      "\n" +
      paint(fmt::format("why this is {} fair", adverb(explained.fairness)), Color::bold, style) +
      "\n";
  return text + words_text(reasons(explained, cycle), style) + "\n" + cycle.moral() + "\n";
}

std::string broken_text(const Explained& explained, const BrokenCycle& broken, std::size_t number) {
  const auto& out = broken.example;
  const Topology& topology = explained.program.topology();
  const std::string fair = out.from.fair(topology).to_string(topology);
  const auto step = explained.program.describe_step(out.from.state.data(), out.thread);
  std::string text =
      fmt::format("cycle {}{}: {}, {} {} in it\n", number,
                  broken.round > 1 ? fmt::format(" (round {})", broken.round) : "",
                  counted(broken.states, "state"), thread_names(topology, broken.steps),
                  broken.steps.size() == 1 ? "steps" : "step");
  text += fmt::format("  at   {}   {}\n", explained.program.describe_memory(out.from.state.data()),
                      where_threads_are(explained, out.from));
  if (explained.fairness == Fairness::weak) {
    const bool flat = topology.is_flat();
    const std::string who = flat ? thread_names(topology, broken.breakers.threads)
                                 : broken.breakers.first_name(topology);
    text += fmt::format(
        "  {} {} guaranteed all along (F = {} here) and must step, which leaves "
        "the cycle: {}\n",
        who, flat && broken.breakers.threads.size() != 1 ? "are" : "is", fair, step.statement);
    return text;
  }
  text += fmt::format(
      "  F = {} here, and {} must take {} step, which leaves the cycle: "
      "{}\n",
      fair, out.group.first_name(topology), topology.is_flat() ? "its" : "a", step.statement);
  if (broken.remaining > 0) {
    text += fmt::format("  {} without such a step {} looked at again without the others\n",
                        counted(broken.remaining, "state"), broken.remaining == 1 ? "is" : "are");
  }
  return text;
}

std::string success_text(const Explained& explained, Style style) {
  const auto& broken = explained.explanation.broken;
  if (broken.empty()) {
    return "\nThe test has no cycle: every execution terminates, fair or not.\n";
  }
  std::string text = "\n" + paint("why no cycle can go on for ever", Color::bold, style) + "\n";
  for (std::size_t c = 0; c < broken.size() && c < kShownCycles; ++c) {
    text += broken_text(explained, broken[c], c + 1);
  }
  if (broken.size() > kShownCycles) {
    text += fmt::format("... and {} more\n", counted(broken.size() - kShownCycles, "cycle"));
  }
  return text;
}

// JSON -------------------------------------------------------------------------------------------

Json moment_json(const Explained& explained, const Moment& moment) {
  Json threads = Json::array();
  for (int t = 0; t < explained.program.threads(); ++t) {
    threads.push_back(explained.program.describe_thread(moment.state.data(), t));
  }
  return {{"memory", explained.program.describe_memory(moment.state.data())},
          {fmt::format("{}s", explained.program.topology().leaf_name()), threads},
          {"terminated", set_json(moment.history.terminated)},
          {"fair",
           groups_json(explained.program.topology(), moment.fair(explained.program.topology()))}};
}

Json steps_json(const Explained& explained, const std::vector<lang::Step>& steps,
                std::size_t first) {
  Json array = Json::array();
  const auto& moments = explained.explanation.replay.moments;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Moment& before = moments[first + i];
    const Moment& after = moments[first + i + 1];
    const auto step = explained.program.describe_step(before.state.data(), steps[i]);
    array.push_back({{explained.program.topology().leaf_name(), steps[i].thread},
                     {"line", step.line},
                     {"statement", step.statement},
                     {"effect", step.effect},
                     {"memory_after", explained.program.describe_memory(after.state.data())},
                     {"fair_before", groups_json(explained.program.topology(),
                                                 before.fair(explained.program.topology()))}});
    if (explained.program.choices(before.state.data(), steps[i].thread) > 1) {
      array.back()["choice"] = steps[i].choice;
    }
  }
  return array;
}

Json failure_json(const Explained& explained) {
  const auto& witness = *explained.explanation.witness;
  Json object;
  object["stem"] = steps_json(explained, witness.lasso.stem, 0);
  if (witness.lasso.cycle.empty()) {
    object["stuck"] = moment_json(explained, explained.explanation.replay.moments.back());
    object["stuck"]["waiting"] = set_json(waiting(explained));
    object["summary"] = stuck_moral(explained);
    return object;
  }
  const Cycle cycle(explained);
  object["cycle"] = steps_json(explained, witness.lasso.cycle, witness.lasso.stem.size());
  object["smallest"] = witness.smallest;
  if (explained.fairness == Fairness::strong) {
    object["closed_set"] = Json::array();
    for (const Moment& state : cycle.states()) {
      object["closed_set"].push_back(moment_json(explained, state));
    }
  }
  const Topology& topology = explained.program.topology();
  for_each_group(topology, [&](Level level, int group) {
    const std::string kind =
        std::string(topology.is_flat() ? topology.leaf_name() : to_string(level));
    object[kind + "s"].push_back({{kind, group}, {"why_fair", cycle.why_fair(level, group)}});
  });
  object["starved"] = set_json(cycle.starved());
  object["summary"] = cycle.moral();
  return object;
}

Json broken_json(const Explained& explained, const BrokenCycle& broken) {
  Json object;
  object["round"] = broken.round;
  object["states"] = broken.states;
  object["steps"] = set_json(broken.steps);
  object["breakers"] = groups_json(explained.program.topology(), broken.breakers);
  object["remaining"] = broken.remaining;
  object["at"] = moment_json(explained, broken.example.from);
  object["way_out"] = {
      {explained.program.topology().leaf_name(), broken.example.thread},
      {"statement",
       explained.program.describe_step(broken.example.from.state.data(), broken.example.thread)
           .statement}};
  return object;
}

}  // namespace

std::string explanation_text(const Explained& explained, Style style) {
  const Verdict verdict = explained.explanation.verdict;
  std::string text = fmt::format("{} under {}, {} fair: ", explained.test, explained.model.name(),
                                 adverb(explained.fairness));
  if (verdict == Verdict::unknown) return text + paint("unknown", Color::yellow, style) + "\n";
  if (verdict == Verdict::error) {
    return text + paint("error", Color::red, style) + ", the program goes wrong\n\n" +
           wrong_run_text(checker::wrong_run(explained.program, {explained.explanation.error}),
                          style);
  }
  const bool stuck = verdict == Verdict::fail && explained.explanation.witness->lasso.cycle.empty();
  text += verdict == Verdict::fail
              ? paint("fail", Color::red, style) +
                    (stuck ? ", there is an execution that gets stuck"
                           : ", there is a fair execution that never ends")
              : paint("pass", Color::green, style) + ", every fair execution terminates";
  text += fmt::format("\n{}: F = {}\n", explained.model.name(), explained.model.definition());
  return text + (verdict == Verdict::fail ? failure_text(explained, style)
                                          : success_text(explained, style));
}

FailureWords failure_words(const Explained& explained) {
  if (explained.explanation.witness->lasso.cycle.empty()) {
    return {stuck_words(explained), stuck_moral(explained)};
  }
  const Cycle cycle(explained);
  return {reasons(explained, cycle), cycle.moral()};
}

std::string explanation_json(const Explained& explained) {
  const auto& explanation = explained.explanation;
  Json object;
  object["test"] = explained.test;
  object["file"] = explained.file;
  object["model"] = explained.model.name();
  object["definition"] = explained.model.definition();
  object["fairness"] = to_string(explained.fairness);
  object["verdict"] = to_string(explanation.verdict);
  object["states"] = explanation.states;
  if (explanation.verdict == Verdict::error) {
    object["error"] = wrong_run_json(checker::wrong_run(explained.program, {explanation.error}));
  }
  if (explanation.verdict == Verdict::fail) object["witness"] = failure_json(explained);
  if (explanation.verdict == Verdict::pass) {
    object["broken_cycles"] = Json::array();
    for (const BrokenCycle& broken : explanation.broken) {
      object["broken_cycles"].push_back(broken_json(explained, broken));
    }
  }
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace headway::report
