#include "synth/space/symmetry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/bits/group_set.hpp"

namespace headway::synth {
namespace {

using Order = std::vector<int>;  // by place, the thread that comes there

// Whether two groups of a level have the same shape.
bool same_shape(const Topology& launch, Level level, int a, int b) {
  const auto sizes = [&](int group) {
    std::vector<int> result;
    for (const int thread : threads_of(launch, level, group)) {
      result.push_back(launch.group_of(Level::subgroup, thread));
    }
    for (int& subgroup : result)
      subgroup -= launch.group_of(Level::subgroup, launch.first_thread(level, group));
    return result;
  };
  const auto lanes = [&](int group) {
    std::vector<int> result;
    for (const int leaf : threads_of(launch, level, group)) result.push_back(launch.lanes(leaf));
    return result;
  };
  return sizes(a) == sizes(b) && lanes(a) == lanes(b);
}

// The levels whose siblings may change places, from the inside out.
std::vector<Level> levels_of(const Topology& launch, Symmetric symmetric) {
  std::vector<Level> result;
  for (const Level level : {Level::thread, Level::subgroup, Level::workgroup}) {
    if (!launch.has(level)) continue;
    if (symmetric == Symmetric::all || level == launch.leaf()) result.push_back(level);
  }
  return result;
}

// Calls `visit` with every order of siblings; false when it said so.
template <class Visit>
bool for_orders(const Topology& launch, const std::vector<Level>& levels, std::size_t depth,
                int parent, const Order& order, const Visit& visit) {
  if (depth == levels.size()) return visit(order);
  const Level level = levels[depth];
  if (parent == launch.parents(level)) {
    return for_orders(launch, levels, depth + 1, 0, order, visit);
  }
  const Topology::Children children = launch.children(level, parent);
  std::vector<int> groups(static_cast<std::size_t>(children.count));
  std::iota(groups.begin(), groups.end(), children.first);
  do {
    Order next = order;
    bool fits = true;
    for (int c = 0; c < children.count && fits; ++c) {
      const int to = children.first + c;
      fits = same_shape(launch, level, groups[c], to);
      if (!fits) break;
      const int from_first = launch.first_thread(level, groups[c]);
      const int to_first = launch.first_thread(level, to);
      for (int i = 0; i < threads_of(launch, level, to).size(); ++i) {
        next[to_first + i] = order[from_first + i];
      }
    }
    if (fits && !for_orders(launch, levels, depth, parent + 1, next, visit)) return false;
  } while (std::next_permutation(groups.begin(), groups.end()));
  return true;
}

}  // namespace

bool comes_first(const Bounds& bounds, const Shape& shape, std::span<const axb::Instruction> code,
                 Symmetric symmetric) {
  const Topology launch = bounds.topology();
  std::vector<std::span<const axb::Instruction>> threads;
  for (std::size_t at = 0; const int length : shape) {
    threads.push_back(code.subspan(at, static_cast<std::size_t>(length)));
    at += static_cast<std::size_t>(length);
  }
  Order order(shape.size());
  std::iota(order.begin(), order.end(), 0);
  Shape other_shape(shape.size());
  Instructions other;
  std::vector<int> number(static_cast<std::size_t>(bounds.locations));
  return for_orders(launch, levels_of(launch, symmetric), 0, 0, order, [&](const Order& chosen) {
    other.clear();
    std::fill(number.begin(), number.end(), -1);
    int used = 0;
    for (std::size_t place = 0; place < chosen.size(); ++place) {
      other_shape[place] = shape[chosen[place]];
      for (axb::Instruction i : threads[chosen[place]]) {
        if (i.is_access()) {
          if (number[i.location] < 0) number[i.location] = used++;
          i.location = static_cast<std::uint8_t>(number[i.location]);
        }
        other.push_back(i);
      }
    }
    return !comes_before(other_shape, other, shape, code);
  });
}

void require_no_ids(const std::vector<models::ModelPtr>& models, const Topology& launch,
                    Symmetric symmetric) {
  if (symmetric == Symmetric::none) return;
  for (const models::ModelPtr& model : models) {
    for (const Level level : levels_of(launch, symmetric)) {
      const models::Model* member = model->at(level);
      if (member == nullptr || !member->looks_at_ids()) continue;
      throw Error(
          fmt::format("model {} looks at the ids of {}s; expected models that do not where "
                      "their order is to make no difference",
                      model->name(), to_string(level)));
    }
  }
}

}  // namespace headway::synth
