#include "suite/set_cover.hpp"

#include <cadical.hpp>
#include <initializer_list>
#include <memory>

namespace headway::suite {
namespace {

// Whether `size` sets cover all elements, and which. Variable c + 1 is "set c is chosen". Each
// element is a clause; that no more than `size` are chosen is said by a sequential
// counter (Sinz, 2005): s(c, n) holds when at least n of the sets 0 .. c are chosen.
class Cover : private CaDiCaL::Terminator {
 public:
  Cover(const std::vector<std::vector<bool>>& sets, std::size_t elements, std::size_t size,
        const std::atomic<bool>* stop)
      : stop_(stop), solver_(std::make_unique<CaDiCaL::Solver>()) {
    solver_->set("quiet", 1);
    solver_->connect_terminator(this);
    for (std::size_t e = 0; e < elements; ++e) {
      for (std::size_t c = 0; c < sets.size(); ++c) {
        if (sets[c][e]) solver_->add(chosen(c));
      }
      solver_->add(0);
    }
    const auto count = static_cast<int>(sets.size());
    const auto at_least = [&](std::size_t c, std::size_t n) {
      return count + 1 + static_cast<int>(c * size + n - 1);
    };
    for (std::size_t c = 0; c < sets.size(); ++c) {
      if (size == 0) clause({-chosen(c)});
      for (std::size_t n = 1; n <= size; ++n) {
        if (n == 1) clause({-chosen(c), at_least(c, 1)});
        if (c == 0) continue;
        clause({-at_least(c - 1, n), at_least(c, n)});
        if (n > 1) clause({-chosen(c), -at_least(c - 1, n - 1), at_least(c, n)});
        if (n == size) clause({-chosen(c), -at_least(c - 1, n)});
      }
    }
  }
  ~Cover() override { solver_->disconnect_terminator(); }
  Cover(const Cover&) = delete;
  Cover& operator=(const Cover&) = delete;

  enum class Answer { yes, no, stopped };
  // With at least the sets in `fixed` chosen.
  Answer exists(const std::vector<std::size_t>& fixed) {
    if (terminate()) return Answer::stopped;  // the solver only looks when it takes long
    for (const std::size_t c : fixed) solver_->assume(chosen(c));
    const int answer = solver_->solve();
    return answer == 10 ? Answer::yes : answer == 20 ? Answer::no : Answer::stopped;
  }

 private:
  static int chosen(std::size_t set) { return static_cast<int>(set) + 1; }
  void clause(std::initializer_list<int> literals) {
    for (const int literal : literals) solver_->add(literal);
    solver_->add(0);
  }
  bool terminate() override { return stop_ != nullptr && *stop_; }

  const std::atomic<bool>* stop_;
  std::unique_ptr<CaDiCaL::Solver> solver_;
};

}  // namespace

// Sizes are tried from 0 up, so that the solver has refuted every smaller one when it says yes.
// Then sets are added in the order of preference as long as a choice of that size has them all;
// that makes the choice independent of the solver.
SetCover fewest_sets(const std::vector<std::vector<bool>>& sets, std::size_t elements,
                     const std::atomic<bool>* stop) {
  SetCover result;
  for (std::size_t size = 0;; ++size) {
    Cover cover(sets, elements, size, stop);
    const Cover::Answer answer = cover.exists({});
    result.complete = answer != Cover::Answer::stopped;
    if (answer == Cover::Answer::no) continue;
    std::vector<std::size_t> fixed;
    for (std::size_t c = 0; c < sets.size() && fixed.size() < size && result.complete; ++c) {
      fixed.push_back(c);
      const Cover::Answer with = cover.exists(fixed);
      if (with != Cover::Answer::yes) fixed.pop_back();
      result.complete = with != Cover::Answer::stopped;
    }
    if (result.complete) result.chosen = std::move(fixed);
    return result;
  }
}

}  // namespace headway::suite
