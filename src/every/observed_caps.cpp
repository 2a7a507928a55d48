#include "every/observed_caps.hpp"

#include <algorithm>
#include <unordered_set>

namespace headway::every {
namespace {

constexpr int kCrowd = 5;

// Specials, and kCrowd threads of any classes. Threads of the crowd at one place are alike, so that
// a state is a list of numbers: memory, the specials, how many have started, and the sorted places
// of those that stand somewhere.
class Observation {
 public:
  Observation(Space& space, std::size_t most) : space_(space), most_(most) {}

  std::vector<int> run() {
    const Uniform& family = space_.family();
    const std::size_t first = 2 + static_cast<std::size_t>(family.specials());
    std::vector<int> initial(first, kFresh);
    initial[0] = space_.initial_memory();
    initial[1] = 0;
    reach(initial);
    for (std::size_t i = 0; i < states_.size() && states_.size() < most_; ++i) {
      const std::vector<int> state = *states_[i];
      for (std::size_t at = 2; at < state.size(); ++at) {
        if (state[at] == kEnded || (at > first && state[at] == state[at - 1])) continue;
        const int special = static_cast<int>(at) - 2;
        take(state, at, state[at] == kFresh ? space_.start(special) : state[at]);
      }
      for (int kind = family.specials(); kind < family.kinds() && state[1] < kCrowd; ++kind) {
        std::vector<int> started = state;
        ++started[1];
        started.push_back(kEnded);
        take(started, started.size() - 1, space_.start(kind));
      }
    }
    std::vector<int> caps(static_cast<std::size_t>(space_.places()), 0);
    for (std::size_t p = 0; p < highest_.size(); ++p) {
      if (highest_[p] > 0 && highest_[p] < kCrowd - 1) caps[p] = highest_[p] + 1;
    }
    return caps;
  }

 private:
  // The step from `place` of the thread whose place is number `at` of a state.
  void take(std::vector<int> state, std::size_t at, int place) {
    const Move move = space_.move(place, state[0]);
    if (move.to == kFailed) return;
    state[0] = move.memory;
    state[at] = move.to;
    const std::size_t first = 2 + static_cast<std::size_t>(space_.family().specials());
    const auto crowd = state.begin() + static_cast<std::ptrdiff_t>(first);
    state.erase(std::remove(crowd, state.end(), kEnded), state.end());
    std::sort(state.begin() + static_cast<std::ptrdiff_t>(first), state.end());
    int same = 0;
    highest_.resize(static_cast<std::size_t>(space_.places()), 0);
    for (std::size_t i = first; i < state.size(); ++i) {
      same = i > first && state[i] == state[i - 1] ? same + 1 : 1;
      highest_[state[i]] = std::max(highest_[state[i]], same);
    }
    reach(state);
  }

  void reach(const std::vector<int>& state) {
    const auto [entry, is_new] = known_.insert(state);
    if (is_new) states_.push_back(&*entry);
  }

  Space& space_;
  const std::size_t most_;
  std::unordered_set<std::vector<int>, NumbersHash> known_;
  std::vector<const std::vector<int>*> states_;  // in `known_`, breadth first
  std::vector<int> highest_;                     // by place, how many have stood there at once
};

}  // namespace

std::vector<int> observed_caps(Space& space, std::size_t most_states) {
  return Observation(space, most_states).run();
}

}  // namespace headway::every
