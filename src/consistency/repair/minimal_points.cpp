#include "consistency/repair/minimal_points.hpp"

#include <algorithm>
#include <cadical.hpp>
#include <map>

namespace headway::consistency {
namespace {

bool below(const litmus::Choice& choice, std::size_t a, std::size_t b) {
  return a != b && litmus::at_most(choice.options[a], choice.options[b]);
}

// Whether nothing lies between them.
bool covers(const litmus::Choice& choice, std::size_t strong, std::size_t weak) {
  if (!below(choice, weak, strong)) return false;
  for (std::size_t o = 0; o < choice.options.size(); ++o) {
    if (below(choice, weak, o) && below(choice, o, strong)) return false;
  }
  return true;
}

class PointSearch {
 public:
  PointSearch(const std::vector<litmus::Choice>& choices,
              const std::function<Answer(const Point&)>& ask, const std::function<bool()>& over)
      : choices_(choices), ask_(ask), over_(over) {
    solver_.set("quiet", 1);
    int variable = 0;
    for (const litmus::Choice& choice : choices_) {
      first_.push_back(variable + 1);
      for (std::size_t o = 0; o < choice.options.size(); ++o) solver_.add(++variable);
      solver_.add(0);
      for (int a = first_.back(); a <= variable; ++a) {
        for (int b = a + 1; b <= variable; ++b) {
          solver_.add(-a);
          solver_.add(-b);
          solver_.add(0);
        }
      }
    }
  }

  MinimalPoints run() {
    while (!over_() && solver_.solve() == kSatisfiable) {
      Point point = unexplored();
      if (holds(point)) {
        walk(point, true);
        result_.points.push_back(point);
        block(point, [](const litmus::Choice& choice, std::size_t option, std::size_t of) {
          return litmus::at_most(choice.options[of], choice.options[option]);
        });
      } else {
        walk(point, false);
        block(point, [](const litmus::Choice& choice, std::size_t option, std::size_t of) {
          return litmus::at_most(choice.options[option], choice.options[of]);
        });
      }
    }
    result_.complete = result_.complete && !over_();
    for (const auto& [weak, weak_holds] : known_) {
      for (const auto& [strong, strong_holds] : known_) {
        if (weak_holds && !strong_holds && at_most(choices_, weak, strong)) result_.closed = false;
      }
    }
    return std::move(result_);
  }

 private:
  static constexpr int kSatisfiable = 10;

  bool holds(const Point& point) {
    const auto known = known_.find(point);
    if (known != known_.end()) return known->second;
    const Answer answer = ask_(point);
    if (answer == Answer::unknown) result_.complete = false;
    return known_[point] = answer == Answer::holds;
  }

  Point unexplored() {
    Point point;
    for (std::size_t c = 0; c < choices_.size(); ++c) {
      std::size_t option = 0;
      while (solver_.val(first_[c] + static_cast<int>(option)) < 0) ++option;
      point.push_back(option);
    }
    return point;
  }

  // Down while it holds, or up while it breaks.
  void walk(Point& point, bool down) {
    for (bool moved = true; moved && !over_();) {
      moved = false;
      for (std::size_t c = 0; c < choices_.size(); ++c) {
        const auto steps =
            down ? next_below(choices_[c], point[c]) : next_above(choices_[c], point[c]);
        for (const std::size_t step : steps) {
          Point next = point;
          next[c] = step;
          if (holds(next) != down) continue;
          point = std::move(next);
          moved = true;
          break;
        }
      }
    }
  }

  // Some choice has an option that is not related to that of the point.
  template <typename Related>
  void block(const Point& point, const Related& related) {
    for (std::size_t c = 0; c < choices_.size(); ++c) {
      for (std::size_t o = 0; o < choices_[c].options.size(); ++o) {
        if (!related(choices_[c], o, point[c])) solver_.add(first_[c] + static_cast<int>(o));
      }
    }
    solver_.add(0);
  }

  const std::vector<litmus::Choice>& choices_;
  const std::function<Answer(const Point&)>& ask_;
  const std::function<bool()>& over_;
  CaDiCaL::Solver solver_;
  std::vector<int> first_;  // variable of a choice: that of its first option
  std::map<Point, bool> known_;
  MinimalPoints result_;
};

}  // namespace

bool at_most(const std::vector<litmus::Choice>& choices, const Point& weak, const Point& strong) {
  for (std::size_t c = 0; c < choices.size(); ++c) {
    const auto& options = choices[c].options;
    if (!litmus::at_most(options[weak[c]], options[strong[c]])) return false;
  }
  return true;
}

std::vector<std::size_t> next_below(const litmus::Choice& choice, std::size_t option) {
  std::vector<std::size_t> result;
  for (std::size_t o = 0; o < choice.options.size(); ++o) {
    if (covers(choice, option, o)) result.push_back(o);
  }
  return result;
}

std::vector<std::size_t> next_above(const litmus::Choice& choice, std::size_t option) {
  std::vector<std::size_t> result;
  for (std::size_t o = 0; o < choice.options.size(); ++o) {
    if (covers(choice, o, option)) result.push_back(o);
  }
  return result;
}

MinimalPoints minimal_points(const std::vector<litmus::Choice>& choices,
                             const std::function<Answer(const Point&)>& ask,
                             const std::function<bool()>& over) {
  return PointSearch(choices, ask, over).run();
}

}  // namespace headway::consistency
