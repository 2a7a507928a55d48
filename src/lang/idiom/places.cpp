#include "lang/idiom/places.hpp"

#include <algorithm>

#include "base/graph/scc_search.hpp"
#include "lang/idiom/interchangeable.hpp"
#include "lang/idiom/machine.hpp"

namespace headway::lang::idiom {
namespace {

// The instructions that a thread may come to, as a graph; there are no edges from the others.
std::vector<std::vector<std::uint32_t>> reachable_flow(const ThreadCode& thread) {
  std::vector<std::vector<std::uint32_t>> flow(thread.instructions.size());
  std::vector<bool> seen(flow.size(), false);
  std::vector<int> open = {0};
  seen[0] = true;
  while (!open.empty()) {
    const int at = open.back();
    open.pop_back();
    for (const int next : successors(thread, at)) {
      flow[at].push_back(static_cast<std::uint32_t>(next));
      if (seen[next]) continue;
      seen[next] = true;
      open.push_back(next);
    }
  }
  return flow;
}

// Widens the cells that a place reads by those that a node may load.
void add_loads(const Code& code, const ThreadCode& thread, int node, Place& place) {
  if (node < 0) return;
  const Node& n = thread.nodes[node];
  if (n.kind == Node::Kind::load) {
    const SharedVariable& variable = code.variables[n.number];
    const int instance = variable.per_workgroup ? thread.workgroup : 0;
    const int first = variable.first_cell + instance * variable.size;
    const int end = std::max(place.first_read + place.read, first + variable.size);
    place.first_read = place.read == 0 ? first : std::min(place.first_read, first);
    place.read = (place.read == 0 ? first + variable.size : end) - place.first_read;
  }
  for (const int operand : {n.a, n.b, n.c}) add_loads(code, thread, operand, place);
}

}  // namespace

// A height is the number of stops on a longest way to an instruction, where the stops of a loop
// count as one. The end is the highest place, as what is assumed may end a thread anywhere.
std::vector<Place> places_of(const Code& code, const ThreadCode& thread) {
  const auto flow = reachable_flow(thread);
  const StrongComponents loops = strong_components(flow);
  const auto count = static_cast<std::size_t>(loops.count);
  std::vector<std::vector<std::size_t>> members(count);
  for (std::size_t i = 0; i < flow.size(); ++i) members[loops.of[i]].push_back(i);
  std::vector<int> heights(count, 0);
  std::vector<bool> repeats(count, false);
  int highest = 0;
  // Components are numbered against the flow.
  for (std::size_t c = count; c-- > 0;) {
    const bool stands = std::any_of(members[c].begin(), members[c].end(), [&](std::size_t i) {
      return is_stop(thread.instructions[i].kind);
    });
    highest = std::max(highest, heights[c]);
    repeats[c] = members[c].size() > 1;
    for (const std::size_t i : members[c]) {
      for (const std::uint32_t next : flow[i]) {
        int& height = heights[loops.of[next]];
        if (loops.of[next] == c) {
          repeats[c] = true;
        } else {
          height = std::max(height, heights[c] + (stands ? 1 : 0));
        }
      }
    }
  }
  // Higher than whatever a thread can leave by ending or failing.
  ++highest;
  std::vector<Place> places;
  for (std::size_t i = 0; i < flow.size(); ++i) {
    const Instruction& in = thread.instructions[i];
    if (!is_stop(in.kind)) continue;
    Place& place = places.emplace_back();
    const bool ends = in.kind == Instruction::Kind::end;
    place.height = ends ? highest : heights[loops.of[i]];
    place.climbs = !ends && !repeats[loops.of[i]];
    if (in.kind == Instruction::Kind::await) add_loads(code, thread, in.value, place);
  }
  places.push_back({highest, false, 0, 0});
  return places;
}

}  // namespace headway::lang::idiom
