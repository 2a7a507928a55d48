#include "consistency/progress.hpp"

#include <algorithm>
#include <set>

#include "models/scoped.hpp"

namespace headway::consistency {
namespace {

using models::History;
using models::ModelPtr;
using Verdict = Termination::Verdict;

using End = Witness::End;

struct Way {
  Trace trace;
  End end = End::ends;
};

// All that a thread may do until nothing new happens to it. It stops between two instructions.
std::vector<Way> ways_of(const Traces& traces) {
  std::vector<Way> ways;
  for (const Trace& trace : traces.traces) ways.push_back({trace, End::ends});
  for (const Trace& trace : traces.waiting) ways.push_back({trace, End::waits});
  const std::size_t whole = ways.size();
  const auto key = [](const Trace& trace) {
    std::vector<std::pair<const Instruction*, Number>> events;
    for (const LocalEvent& event : trace.events) events.emplace_back(event.of, event.read);
    return events;
  };
  std::set<std::vector<std::pair<const Instruction*, Number>>> known;
  for (std::size_t w = 0; w < whole; ++w) {
    Trace cut = ways[w].trace;
    for (;;) {
      if (!(ways[w].end == End::ends && cut.events.size() == ways[w].trace.events.size()) &&
          known.insert(key(cut)).second) {
        ways.push_back({cut, End::stops});
      }
      if (cut.events.empty()) break;
      const bool pair = cut.events.back().second;
      cut.events.resize(cut.events.size() - (pair ? 2 : 1));
    }
  }
  return ways;
}

class TerminationSearch {
 public:
  TerminationSearch(const Program& program, const cat::Model& memory,
                    const std::vector<ModelPtr>& progress, const OutcomeOptions& options)
      : program_(program),
        launch_(launch_of(program)),
        progress_(progress),
        graphs_(program, memory, options) {
    result_.verdicts.resize(progress.size(), Verdict::pass);
    result_.witnesses.resize(progress.size());
    for (const Traces& traces : graphs_.traces()) ways_.push_back(ways_of(traces));
  }

  Termination run() {
    std::vector<const Way*> chosen;
    choose(chosen);
    result_.cut = graphs_.cut();
    if (!result_.cut.empty()) {
      std::replace(result_.verdicts.begin(), result_.verdicts.end(), Verdict::pass,
                   Verdict::unknown);
    }
    return std::move(result_);
  }

 private:
  void choose(std::vector<const Way*>& chosen) {
    if (graphs_.stop()) return;
    const std::size_t thread = chosen.size();
    if (thread == program_.threads.size()) return examine(chosen);
    for (const Way& way : ways_[thread]) {
      chosen.push_back(&way);
      choose(chosen);
      chosen.pop_back();
    }
  }

  // The models under which it is fair that just these threads wait for ever.
  std::vector<std::size_t> allowing(const std::vector<const Way*>& chosen) const {
    History history;
    ThreadSet waiting;
    for (std::size_t t = 0; t < chosen.size(); ++t) {
      const ThreadSet self = ThreadSet::single(static_cast<int>(t));
      // Who stopped in front of its first event has not started.
      if (!chosen[t]->trace.events.empty() || chosen[t]->end != End::stops) history.started |= self;
      if (chosen[t]->end == End::ends) history.terminated |= self;
      if (chosen[t]->end == End::waits) waiting |= self;
    }
    std::vector<std::size_t> result;
    if (waiting.empty()) return result;
    for (std::size_t m = 0; m < progress_.size(); ++m) {
      if (result_.verdicts[m] == Verdict::fail) continue;
      const GroupSet owed =
          models::owed(launch_, history, models::selection(*progress_[m], launch_, history));
      if (groups_of(launch_, waiting).includes(owed)) result.push_back(m);
    }
    return result;
  }

  void examine(const std::vector<const Way*>& chosen) {
    const std::vector<std::size_t> models = allowing(chosen);
    if (models.empty()) return;
    std::vector<const Trace*> traces;
    traces.reserve(chosen.size());
    for (const Way* way : chosen) traces.push_back(&way->trace);
    graphs_.of(traces, [&](const Execution& execution, const cat::Evaluation&,
                           const Relation& reads_from, const Relation& coherence) {
      if (!waits_for_ever(chosen, execution, reads_from, coherence)) return true;
      for (const std::size_t model : models) {
        result_.verdicts[model] = Verdict::fail;
        Witness& witness =
            result_.witnesses[model].emplace(witness_of(execution, reads_from, coherence));
        for (std::size_t t = 0; t < chosen.size(); ++t) witness.ends[t] = chosen[t]->end;
      }
      return false;
    });
  }

  // Whether the reads of the last rounds read the last writes of their locations.
  static bool waits_for_ever(const std::vector<const Way*>& chosen, const Execution& execution,
                             const Relation& reads_from, const Relation& coherence) {
    const Relation writers = reads_from.inverse();
    for (int e = 0; e < execution.size(); ++e) {
      const Event& event = execution.events()[static_cast<std::size_t>(e)];
      if (event.thread < 0 || !event.reads) continue;
      const Way& way = *chosen[static_cast<std::size_t>(event.thread)];
      const auto number = static_cast<std::size_t>(event.of - way.trace.events.data());
      if (way.end != End::waits || number < way.trace.round) continue;
      bool last = true;
      for_events(writers.from(e), [&](int writer) { last = last && coherence.from(writer) == 0; });
      if (!last) return false;
    }
    return true;
  }

  const Program& program_;
  const Topology launch_;
  const std::vector<ModelPtr>& progress_;
  Graphs graphs_;
  std::vector<std::vector<Way>> ways_;  // by thread
  Termination result_;
};

Termination undecided(std::size_t models, const char* why) {
  return {std::vector<Verdict>(models, Verdict::unknown),
          std::vector<std::optional<Witness>>(models), why};
}

// Whether the threads of each block, and of each subgroup, stand side by side.
bool blocks_are_whole(const Program& program) {
  for (const std::size_t numbers : {kBlockLevels, kBlockLevels + 1}) {
    std::set<std::vector<int>> over;
    const auto group = [&](std::size_t t) {
      auto place = program.threads[t].place;
      if (place.size() > numbers) place.resize(numbers);
      return place;
    };
    for (std::size_t t = 1; t < program.threads.size(); ++t) {
      if (group(t).empty() || group(t) == group(t - 1)) continue;
      over.insert(group(t - 1));
      if (over.contains(group(t))) return false;
    }
  }
  return true;
}

}  // namespace

Topology launch_of(const Program& program) {
  std::vector<std::vector<int>> workgroups;  // the threads of their subgroups
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    const Thread& thread = program.threads[t];
    const Thread& before = program.threads[t == 0 ? 0 : t - 1];
    if (t == 0 || thread.place.empty() || !same_place(thread, before, kBlockLevels)) {
      workgroups.emplace_back();
    }
    if (workgroups.back().empty() || thread.place != before.place) workgroups.back().push_back(0);
    ++workgroups.back().back();
  }
  return Topology::placed(workgroups);
}

Termination termination(const Program& program, const cat::Model& memory,
                        const std::vector<ModelPtr>& progress, const OutcomeOptions& options) {
  if (!blocks_are_whole(program)) {
    return undecided(progress.size(), "the threads of a block do not stand side by side");
  }
  const bool meets =
      std::any_of(program.threads.begin(), program.threads.end(), [](const Thread& thread) {
        return std::any_of(thread.code.begin(), thread.code.end(), [](const Instruction& of) {
          return of.kind == Instruction::Kind::barrier;
        });
      });
  if (!meets) return TerminationSearch(program, memory, progress, options).run();
  return undecided(progress.size(), "whether it ends is not decided with barriers");
}

}  // namespace headway::consistency
