#include "consistency/repair/repair.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "consistency/outcomes.hpp"

namespace headway::consistency {
namespace {

using Quantifier = Program::Quantifier;
using Verdict = Termination::Verdict;

class RepairSearch {
 public:
  explicit RepairSearch(const RepairQuestion& question)
      : question_(question), program_(read(question.text, &repair_.choices)) {
    repair_.name = program_.name;
    repair_.has_demand = program_.quantifier != Quantifier::exists;
    if (program_.condition_text.empty()) {
      repair_.asked.emplace_back("nothing goes wrong");
    } else if (repair_.has_demand) {
      repair_.asked.push_back(program_.condition_text);
    }
    repair_.asked.emplace_back("no flag");
    for (const models::ModelPtr& model : question.progress) {
      repair_.asked.push_back("ends under " + model->name());
    }
  }

  Repair run() {
    Point strongest;
    for (const litmus::Choice& choice : repair_.choices) {
      std::size_t top = 0;
      for (auto above = next_above(choice, top); !above.empty(); above = next_above(choice, top)) {
        top = above.front();
      }
      strongest.push_back(top);
    }
    // In front of all else, as without an answer nothing need be searched.
    const Answer answer = ask(text_at(strongest), repair_.as_strong);
    as_written_ = ask(question_.text, repair_.as_written);
    if (answer == Answer::holds) search();
    repair_.cut = cut_;
    return std::move(repair_);
  }

 private:
  Program read(const std::string& text, std::vector<litmus::Choice>* choices = nullptr) const {
    return question_.read(text, choices);
  }
  std::string text_at(const Point& point) const {
    return litmus::with_options(question_.text, repair_.choices, point);
  }

  void search() {
    const MinimalPoints minimal = minimal_points(
        repair_.choices,
        [&](const Point& point) {
          std::optional<Breach> breach;
          return ask(text_at(point), breach);
        },
        [&] { return question_.options.signs.seen() != Limit::none; });
    if (!minimal.complete && cut_.empty()) cut_ = "the time is over";
    if (!minimal.closed || (as_written_ == Answer::holds && !is_above_one(minimal.points))) {
      cut_ = "something stronger breaks what something weaker keeps";
    }
    for (const Point& point : minimal.points) repair_.answers.push_back(answer_at(point));
    const auto changes = [&](const RepairAnswer& answer) {
      std::size_t count = 0;
      for (std::size_t c = 0; c < answer.point.size(); ++c) {
        count += repair_.choices[c].written != answer.point[c] ? 1 : 0;
      }
      return std::pair(count, answer.point);
    };
    std::sort(repair_.answers.begin(), repair_.answers.end(),
              [&](const auto& a, const auto& b) { return changes(a) < changes(b); });
  }

  // Whether what is written is as strong as one of these; true where that is not one point.
  bool is_above_one(const std::vector<Point>& points) const {
    return std::any_of(points.begin(), points.end(), [&](const Point& point) {
      for (std::size_t c = 0; c < point.size(); ++c) {
        const litmus::Choice& choice = repair_.choices[c];
        if (!choice.written) return true;
        if (!litmus::at_most(choice.options[point[c]], choice.options[*choice.written])) {
          return false;
        }
      }
      return true;
    });
  }

  RepairAnswer answer_at(const Point& point) {
    RepairAnswer answer{point, text_at(point), {}};
    for (std::size_t c = 0; c < point.size(); ++c) {
      for (const std::size_t weaker : next_below(repair_.choices[c], point[c])) {
        Point next = point;
        next[c] = weaker;
        Weakening weakening{c, weaker, {}};
        ask(text_at(next), weakening.breach);
        answer.weakenings.push_back(std::move(weakening));
      }
    }
    return answer;
  }

  // Whether all that is asked is kept; if not, the first thing that breaks.
  Answer ask(const std::string& text, std::optional<Breach>& breach) {
    ++repair_.questions;
    const Program program = read(text);
    Answer answer = Answer::holds;
    for (const cat::Model* memory : question_.memory) {
      OutcomeOptions options;
      static_cast<GraphOptions&>(options) = question_.options;
      options.until_broken = true;
      const Outcomes found = outcomes(program, *memory, options);
      if (found.error) {
        breach = Breach{memory->name(), found.fault, *found.error};
        return Answer::breaks;
      }
      if (found.flag) {
        breach = Breach{memory->name(), found.flagged.begin()->first, *found.flag};
        return Answer::breaks;
      }
      if (found.decisive && program.quantifier != Quantifier::exists) {
        breach = Breach{memory->name(), program.condition_text + " does not hold", *found.decisive};
        return Answer::breaks;
      }
      if (!found.cut.empty()) answer = unknown(found.cut);
      if (question_.progress.empty()) continue;
      const Termination ends = termination(program, *memory, question_.progress, options);
      for (std::size_t m = 0; m < ends.verdicts.size(); ++m) {
        if (ends.verdicts[m] == Verdict::unknown) answer = unknown(ends.cut);
        if (ends.verdicts[m] != Verdict::fail) continue;
        breach = Breach{memory->name(), "waits for ever under " + question_.progress[m]->name(),
                        *ends.witnesses[m]};
        return Answer::breaks;
      }
    }
    return answer;
  }
  Answer unknown(const std::string& why) {
    if (cut_.empty()) cut_ = why;
    return Answer::unknown;
  }

  const RepairQuestion& question_;
  Repair repair_;
  const Program program_;
  Answer as_written_ = Answer::unknown;
  std::string cut_;
};

}  // namespace

Repair repair(const RepairQuestion& question) { return RepairSearch(question).run(); }

}  // namespace headway::consistency
