#include "checker/sweep/symmetry.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <numeric>

namespace headway::checker {

using lang::Program;
using lang::Word;

Symmetry::Symmetry(const Program& program, const lang::Interchangeable& interchangeable,
                   const Levels& levels)
    : topology_(program.topology()) {
  const int threads = topology_.threads();
  assert(interchangeable.kind.size() == static_cast<std::size_t>(threads));
  for (const auto& fields : interchangeable.of_thread) {
    parts_of_thread_.push_back(pack(fields, 1, thread_stride_));
  }
  for (const auto& fields : interchangeable.of_workgroup) {
    parts_of_workgroup_.push_back(pack(fields, 0, workgroup_stride_));
  }
  std::vector<Word> initial(static_cast<std::size_t>(program.words()));
  program.initial(initial.data());
  Scratch scratch;
  read(initial.data(), scratch);
  const auto same = [](const Values& values, std::size_t stride, int a, int b) {
    const auto at = [&](int index) {
      return values.begin() + static_cast<std::ptrdiff_t>(stride * static_cast<std::size_t>(index));
    };
    return std::equal(at(a), at(a + 1), at(b));
  };
  for (int t = 0; t < threads; ++t) {
    int first = 0;
    while (interchangeable.kind[first] != interchangeable.kind[t] ||
           !same(scratch.of_thread, thread_stride_, first, t)) {
      ++first;
    }
    kind_.push_back(first);
  }
  for (int w = 0; w < topology_.workgroups(); ++w) {
    int first = 0;
    while (!same(scratch.of_workgroup, workgroup_stride_, first, w)) ++first;
    of_memory_.push_back(first);
  }
  orbit_.resize(static_cast<std::size_t>(threads));
  std::iota(orbit_.begin(), orbit_.end(), 0);
  for (const Level level : kLevels) {
    if (!topology_.has(level) || !levels[static_cast<std::size_t>(level)]) continue;
    std::vector<int>& previous = previous_[static_cast<std::size_t>(level)];
    previous.assign(static_cast<std::size_t>(topology_.groups(level)), -1);
    for (int parent = 0; parent < topology_.parents(level); ++parent) {
      const Topology::Children children = topology_.children(level, parent);
      const int last = children.first + children.count;
      for (int a = children.first; a < last; ++a) {
        for (int b = a + 1; b < last; ++b) {
          if (same_kind(level, a, b)) exchangeable(level, a, b);
        }
      }
    }
  }
}

void Symmetry::exchangeable(Level level, int a, int b) {
  exists_ = true;
  previous_[static_cast<std::size_t>(level)][b] = a;
  const int apart = topology_.first_thread(level, b) - topology_.first_thread(level, a);
  for (const int thread : threads_of(topology_, level, a)) join(thread, thread + apart);
}

void Symmetry::join(int thread, int other) {
  const int from = orbit_[other], to = orbit_[thread];
  for (int& first : orbit_) first = first == from ? to : first;
}

std::vector<ThreadSet> Symmetry::orbits() const {
  std::vector<ThreadSet> result;
  for (int first = 0; first < topology_.threads(); ++first) {
    ThreadSet orbit;
    for (int t = 0; t < topology_.threads(); ++t) {
      if (orbit_[t] == first) orbit |= ThreadSet::single(t);
    }
    if (orbit.size() > 1) result.push_back(orbit);
  }
  return result;
}

// Packs fields into as few words as they need, of which the first one begins with `reserved` bits.
std::vector<Symmetry::Part> Symmetry::pack(const std::vector<Field>& fields, int reserved,
                                           std::size_t& stride) {
  std::vector<Part> parts;
  std::size_t word = 0;
  int used = reserved;
  for (const Field& field : fields) {
    const int bits = std::bit_width(field.mask);
    if (bits == 0) continue;
    if (used + bits > 64) {
      ++word;
      used = 0;
    }
    parts.push_back({field, static_cast<std::uint16_t>(word), static_cast<std::uint16_t>(used)});
    used += bits;
  }
  stride = std::max(stride, used == 0 ? 0 : word + 1);
  return parts;
}

void Symmetry::read(const Word* state, Scratch& scratch) const {
  const int threads = topology_.threads();
  const std::uint64_t started = Program::noted(state, threads).bits();
  scratch.of_thread.assign(thread_stride_ * static_cast<std::size_t>(threads), 0);
  for (int t = 0; t < threads; ++t) {
    std::uint64_t* value = scratch.of_thread.data() + thread_stride_ * static_cast<std::size_t>(t);
    *value = started >> t & 1;
    for (const Part& part : parts_of_thread_[t]) {
      value[part.word] |= part.field.get(state) << part.shift;
    }
    scratch.from[t] = static_cast<std::uint8_t>(t);
  }
  scratch.of_workgroup.assign(workgroup_stride_ * static_cast<std::size_t>(topology_.workgroups()),
                              0);
  for (std::size_t w = 0; w < parts_of_workgroup_.size(); ++w) {
    std::uint64_t* value = scratch.of_workgroup.data() + workgroup_stride_ * w;
    for (const Part& part : parts_of_workgroup_[w]) {
      value[part.word] |= part.field.get(state) << part.shift;
    }
  }
}

void Symmetry::write(const std::vector<Part>& parts, const std::uint64_t* value, Word* state) {
  for (const Part& part : parts) {
    part.field.set(state, value[part.word] >> part.shift & part.field.mask);
  }
}

bool Symmetry::same_kind(Level level, int a, int b) const {
  const int first_a = topology_.first_thread(level, a), first_b = topology_.first_thread(level, b);
  const int size = threads_of(topology_, level, a).size();
  if (threads_of(topology_, level, b).size() != size) return false;
  for (int i = 0; i < size; ++i) {
    if (kind_[first_a + i] != kind_[first_b + i]) return false;
    const auto subgroup = [&](int first) {
      return topology_.group_of(Level::subgroup, first + i) -
             topology_.group_of(Level::subgroup, first);
    };
    if (subgroup(first_a) != subgroup(first_b)) return false;
  }
  // What is in the memory of workgroups may differ from the start.
  return level != Level::workgroup || of_memory_[a] == of_memory_[b];
}

int Symmetry::compare(const Scratch& scratch, Level level, int a, int b) const {
  const auto order = [](const std::uint64_t* x, const std::uint64_t* y, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    }
    return 0;
  };
  const int size = threads_of(topology_, level, a).size();
  for (int i = 0; i < size; ++i) {
    const auto at = [&](int group) {
      const int place = topology_.first_thread(level, group) + i;
      return scratch.of_thread.data() +
             thread_stride_ * static_cast<std::size_t>(scratch.from[place]);
    };
    if (const int result = order(at(a), at(b), thread_stride_); result != 0) return result;
  }
  if (level != Level::workgroup) return 0;
  const auto at = [&](int group) {
    const int from = topology_.group_of(level, scratch.from[topology_.first_thread(level, group)]);
    return scratch.of_workgroup.data() + workgroup_stride_ * static_cast<std::size_t>(from);
  };
  return order(at(a), at(b), workgroup_stride_);
}

void Symmetry::exchange(Scratch& scratch, Level level, int a, int b) const {
  const int size = threads_of(topology_, level, a).size();
  const auto first = scratch.from.begin() + topology_.first_thread(level, a);
  std::swap_ranges(first, first + size, scratch.from.begin() + topology_.first_thread(level, b));
}

// From the inside out: when the children of two groups are sorted, equal groups have equal content.
void Symmetry::sort(Word* state, Places* places) const {
  thread_local Scratch scratch;
  read(state, scratch);
  for (const Level level : {Level::thread, Level::subgroup, Level::workgroup}) {
    const std::vector<int>& previous = previous_[static_cast<std::size_t>(level)];
    // By insertion, as a step leaves most in order. Groups of other kinds stay where they are.
    for (int at = 0; at < static_cast<int>(previous.size()); ++at) {
      for (int here = at; previous[here] >= 0; here = previous[here]) {
        if (compare(scratch, level, previous[here], here) <= 0) break;
        exchange(scratch, level, previous[here], here);
      }
    }
  }
  const int threads = topology_.threads();
  ThreadSet started;
  bool moved = false;
  for (int place = 0; place < threads; ++place) {
    const int thread = scratch.from[place];
    if (places != nullptr) (*places)[thread] = static_cast<std::uint8_t>(place);
    const std::uint64_t* value =
        scratch.of_thread.data() + thread_stride_ * static_cast<std::size_t>(thread);
    if ((*value & 1) != 0) started |= ThreadSet::single(place);
    if (thread == place) continue;
    moved = true;
    write(parts_of_thread_[place], value, state);
  }
  if (!moved) return;
  for (std::size_t w = 0; w < parts_of_workgroup_.size(); ++w) {
    const int place = topology_.first_thread(Level::workgroup, static_cast<int>(w));
    const int from = topology_.group_of(Level::workgroup, scratch.from[place]);
    write(parts_of_workgroup_[w],
          scratch.of_workgroup.data() + workgroup_stride_ * static_cast<std::size_t>(from), state);
  }
  Program::forget(state, threads);
  Program::note(state, started);
}

// From the inside out, so that the threads of a group know theirs when it is found to be like
// another one.
ThreadSet Symmetry::representatives(const Word* state, Alike* alike) const {
  thread_local Scratch scratch;
  read(state, scratch);
  const int threads = topology_.threads();
  ThreadSet result = ThreadSet::first(threads);
  if (alike != nullptr) {
    std::iota(alike->first.begin(), alike->first.begin() + threads, std::uint8_t{0});
    alike->twin = alike->first;
  }
  for (const Level level : {Level::thread, Level::subgroup, Level::workgroup}) {
    const std::vector<int>& previous = previous_[static_cast<std::size_t>(level)];
    for (int group = 0; group < static_cast<int>(previous.size()); ++group) {
      // As the state is sorted, equal groups stand beside each other.
      if (previous[group] < 0 || compare(scratch, level, previous[group], group) != 0) continue;
      result -= threads_of(topology_, level, group);
      if (alike == nullptr) continue;
      const int apart =
          topology_.first_thread(level, group) - topology_.first_thread(level, previous[group]);
      for (const int t : threads_of(topology_, level, group)) {
        const int like = t - apart;
        alike->first[t] = alike->first[like];
        if (level == Level::thread) alike->twin[t] = alike->twin[like];
      }
    }
  }
  return result;
}

}  // namespace headway::checker
