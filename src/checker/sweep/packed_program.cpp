#include "checker/sweep/packed_program.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <set>
#include <tuple>

#include "base/graph/scc_search.hpp"

namespace headway::checker {
namespace {

using lang::StepTables;
using Stage = PackedProgram::Stage;

// The local states of a thread with the codes they get.
struct Coded {
  struct Place {
    std::uint16_t code = 0;
    int height = 0;
    bool reached = false;
  };

  StepTables::Thread thread;  // with a fresh state of its own where that makes a difference
  bool fresh = false;         // whether the initial state is fresh
  std::vector<Place> places;  // by local state, the end included
  std::uint16_t component_mask = 0;
  int bits = 1;
};

// A thread that can come back to its initial local state gets a copy of it to start from.
Coded with_fresh_state(const StepTables::Thread& thread, bool track_started) {
  Coded coded;
  coded.thread = thread;
  coded.fresh = track_started;
  const auto returns = [&](const StepTables::LocalRow& local) {
    return std::any_of(local.outcomes.begin(), local.outcomes.end(),
                       [&](const auto& outcome) { return outcome.next == thread.initial; });
  };
  if (!track_started || std::none_of(thread.locals.begin(), thread.locals.end(), returns)) {
    return coded;
  }
  const std::uint16_t end = thread.end();
  assert(end + 2 <= 0xffff);  // so that local states have numbers with one more
  coded.thread.locals.push_back(thread.locals[thread.initial]);
  coded.thread.initial = end;
  for (StepTables::LocalRow& local : coded.thread.locals) {
    for (StepTables::Outcome& outcome : local.outcomes) {
      if (outcome.next >= end) ++outcome.next;  // the end has moved by one
    }
  }
  return coded;
}

constexpr std::size_t kMaxCodes = std::size_t{1} << 16;

// Components of the graph of local states, with heights, then codes: components in order of
// height, the end last, and within a component its states in any order. Components
// are numbered in reverse topological order: steps lead to the same number or a smaller one.
// Returns whether the codes fit into 16 bits.
bool find_codes(Coded& coded) {
  const auto& locals = coded.thread.locals;
  const std::size_t end = coded.thread.end();
  const std::size_t states = end + (coded.thread.may_fail ? 2 : 1);
  std::vector<std::vector<std::uint32_t>> graph(states);
  for (std::size_t from = 0; from < end; ++from) {
    std::set<std::uint16_t> next;
    for (const auto& outcome : locals[from].outcomes) next.insert(outcome.next);
    graph[from].assign(next.begin(), next.end());
  }
  const StrongComponents components = strong_components(graph);
  const std::vector<std::uint32_t>& component = components.of;
  const auto count = static_cast<int>(components.count);

  std::vector<int> height(static_cast<std::size_t>(count), -1);  // -1: never reached
  std::vector<std::vector<std::size_t>> members(static_cast<std::size_t>(count));
  for (std::size_t state = 0; state < states; ++state) members[component[state]].push_back(state);
  height[component[coded.thread.initial]] = 0;
  for (int c = count - 1; c >= 0; --c) {
    if (height[c] < 0) continue;
    for (const std::size_t from : members[c]) {
      for (const std::uint32_t next : graph[from]) {
        const auto to = static_cast<int>(component[next]);
        assert(to <= c);
        if (to != c) height[to] = std::max(height[to], height[c] + 1);
      }
    }
  }

  std::vector<int> order;
  for (int c = 0; c < count; ++c) {
    if (height[c] >= 0) order.push_back(c);
  }
  const auto rank = [&](int c) {
    return std::tuple(c == static_cast<int>(component[end]), height[c], -c);
  };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return rank(a) < rank(b); });
  std::size_t largest = 1;
  for (const int c : order) largest = std::max(largest, members[c].size());
  const int low = std::bit_width(largest - 1);
  const std::size_t codes = order.size() << low;
  if (codes > kMaxCodes) return false;
  coded.places.resize(states);
  for (std::size_t place = 0; place < order.size(); ++place) {
    std::size_t index = 0;
    for (const std::size_t state : members[order[place]]) {
      coded.places[state] = {static_cast<std::uint16_t>(place << low | index++),
                             height[order[place]], true};
    }
  }
  coded.bits = std::max(1, static_cast<int>(std::bit_width(codes - 1)));
  coded.component_mask = static_cast<std::uint16_t>(((1U << coded.bits) - 1) >> low << low);
  return true;
}

}  // namespace

PackedProgram::Field PackedProgram::allot(int bits) {
  if (bits == 0) return {};
  assert(bits <= 16);
  if (used_ % 64 + bits > 64) used_ += 64 - used_ % 64;
  const Field field{static_cast<std::uint8_t>(used_ / 64), static_cast<std::uint8_t>(used_ % 64),
                    static_cast<std::uint16_t>((1U << bits) - 1)};
  used_ += bits;
  return field;
}

std::optional<PackedProgram> PackedProgram::pack(const StepTables& tables,
                                                 const PackOptions& options) {
  PackedProgram packed;
  packed.tracks_started_ = options.track_started;
  std::vector<std::vector<int>> kinds;  // ids
  for (int t = 0; t < static_cast<int>(tables.threads.size()); ++t) {
    const auto same = std::find_if(kinds.begin(), kinds.end(), [&](const auto& ids) {
      return options.symmetry && tables.threads[ids.front()] == tables.threads[t];
    });
    if (same == kinds.end()) {
      kinds.push_back({t});
    } else {
      same->push_back(t);
    }
  }
  std::vector<Coded> coded;
  for (const auto& ids : kinds) {
    coded.push_back(with_fresh_state(tables.threads[ids.front()], options.track_started));
    if (!find_codes(coded.back())) return std::nullopt;
    packed.may_fail_ = packed.may_fail_ || coded.back().thread.may_fail;
  }

  for (std::size_t k = 0; k < kinds.size(); ++k) {
    for (const int id : kinds[k]) {
      packed.slots_.push_back({packed.allot(coded[k].bits), 0, static_cast<int>(k), id});
    }
  }
  std::vector<Field> variables;
  for (const auto& variable : tables.variables) {
    variables.push_back(packed.allot(std::bit_width(variable.values - 1U)));
  }
  assert(variables.size() <= 0x10000);  // LocalRow::variable_number
  packed.variables_ = static_cast<int>(variables.size());
  packed.words_ = std::max(1, (packed.used_ + 63) / 64);
  assert(packed.words_ <= 0x100);  // Field::word
  packed.initial_.assign(static_cast<std::size_t>(packed.words_), 0);
  const auto put = [&](const Field& field, std::uint64_t value) {
    packed.initial_[field.word] |= value << field.shift;
  };

  std::set<int> climbs;
  int slot = 0;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const Coded& code = coded[k];
    const auto size = static_cast<int>(kinds[k].size());
    Kind kind{slot, size, static_cast<std::uint32_t>(packed.locals_.size()), code.component_mask};
    packed.locals_.resize(packed.locals_.size() + (std::size_t{1} << code.bits));
    int highest = 0;
    for (std::size_t state = 0; state < code.places.size(); ++state) {
      const Coded::Place& place = code.places[state];
      if (!place.reached) continue;
      highest = std::max(highest, place.height);
      LocalRow& local = packed.locals_[kind.first_local + place.code];
      if (state >= code.thread.end()) {
        local.stage = Stage::ended;
        local.failed = state == code.thread.failed();
        continue;
      }
      const StepTables::LocalRow& from = code.thread.locals[state];
      assert(from.outcomes.size() == tables.variables[from.variable].values);
      const bool fresh = code.fresh && state == code.thread.initial;
      local = {variables[from.variable],
               from.variable,
               fresh ? Stage::fresh : Stage::running,
               false,
               static_cast<std::uint16_t>(from.outcomes.size()),
               static_cast<std::uint32_t>(packed.outcomes_.size())};
      for (std::size_t value = 0; value < from.outcomes.size(); ++value) {
        const StepTables::Outcome& outcome = from.outcomes[value];
        const Coded::Place& next = code.places[outcome.next];
        const int climb = next.height - place.height;
        assert(next.reached && climb >= 0 && climb <= 0xffff);
        assert((climb == 0) == (((place.code ^ next.code) & code.component_mask) == 0));
        assert(outcome.value < from.outcomes.size());
        packed.outcomes_.push_back({static_cast<std::uint16_t>(place.code ^ next.code),
                                    static_cast<std::uint16_t>(value ^ outcome.value),
                                    static_cast<std::uint16_t>(climb)});
        if (climb > 0) climbs.insert(climb);
      }
    }
    assert(code.places[code.thread.initial].height == 0);
    packed.highest_ += highest * size;
    for (int i = 0; i < size; ++i, ++slot) {
      Slot& entry = packed.slots_[slot];
      entry.first_local = kind.first_local;
      put(entry.field, code.places[code.thread.initial].code);
    }
    packed.kinds_.push_back(kind);
  }
  for (std::size_t v = 0; v < variables.size(); ++v) {
    put(variables[v], tables.variables[v].initial);
  }
  packed.climbs_.assign(climbs.begin(), climbs.end());
  return packed;
}

}  // namespace headway::checker
