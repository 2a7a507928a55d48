#include "checker/sweep/symmetry.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace headway::checker {

using lang::Program;
using lang::Word;

Symmetry::Symmetry(const Program& program, const lang::Interchangeable& interchangeable,
                   const Levels& levels)
    : topology_(program.topology()), fields_(interchangeable), levels_(levels) {
  const int threads = topology_.threads();
  assert(fields_.kind.size() == static_cast<std::size_t>(threads));
  for (const auto& fields : fields_.of_thread) {
    thread_stride_ = std::max(thread_stride_, fields.size() + 1);
  }
  for (const auto& fields : fields_.of_workgroup) {
    workgroup_stride_ = std::max(workgroup_stride_, fields.size());
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
    while (fields_.kind[first] != fields_.kind[t] ||
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
    if (!topology_.has(level) || !levels_[static_cast<std::size_t>(level)]) continue;
    const int siblings = topology_.siblings(level);
    for (int a = 0; a < topology_.groups(level); ++a) {
      for (int b = a + 1; b < (a / siblings + 1) * siblings; ++b) {
        if (!same_kind(level, a, b)) continue;
        exists_ = true;
        for (const int thread : threads_of(topology_, level, a)) {
          join(thread, thread + (b - a) * topology_.group_threads(level));
        }
      }
    }
  }
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

void Symmetry::read(const Word* state, Scratch& scratch) const {
  const int threads = topology_.threads();
  const ThreadSet started = Program::noted(state, threads);
  scratch.of_thread.assign(thread_stride_ * static_cast<std::size_t>(threads), 0);
  for (int t = 0; t < threads; ++t) {
    std::uint64_t* value = scratch.of_thread.data() + thread_stride_ * static_cast<std::size_t>(t);
    *value++ = started.contains(t) ? 1 : 0;
    for (const Field& field : fields_.of_thread[t]) *value++ = field.get(state);
    scratch.from[t] = static_cast<std::uint8_t>(t);
  }
  scratch.of_workgroup.assign(workgroup_stride_ * static_cast<std::size_t>(topology_.workgroups()),
                              0);
  for (std::size_t w = 0; w < fields_.of_workgroup.size(); ++w) {
    std::uint64_t* value = scratch.of_workgroup.data() + workgroup_stride_ * w;
    for (const Field& field : fields_.of_workgroup[w]) *value++ = field.get(state);
  }
}

bool Symmetry::same_kind(Level level, int a, int b) const {
  const int size = topology_.group_threads(level);
  for (int i = 0; i < size; ++i) {
    if (kind_[a * size + i] != kind_[b * size + i]) return false;
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
  const int size = topology_.group_threads(level);
  for (int i = 0; i < size; ++i) {
    const auto at = [&](int group) {
      return scratch.of_thread.data() +
             thread_stride_ * static_cast<std::size_t>(scratch.from[group * size + i]);
    };
    if (const int result = order(at(a), at(b), thread_stride_); result != 0) return result;
  }
  if (level != Level::workgroup) return 0;
  const auto at = [&](int group) {
    const int from = scratch.from[group * size] / size;
    return scratch.of_workgroup.data() + workgroup_stride_ * static_cast<std::size_t>(from);
  };
  return order(at(a), at(b), workgroup_stride_);
}

void Symmetry::exchange(Scratch& scratch, Level level, int a, int b) const {
  const int size = topology_.group_threads(level);
  std::swap_ranges(scratch.from.begin() + a * size, scratch.from.begin() + (a + 1) * size,
                   scratch.from.begin() + b * size);
}

// From the inside out: when the children of two groups are sorted, equal groups have equal content.
void Symmetry::sort(Word* state, Places* places) const {
  thread_local Scratch scratch;
  read(state, scratch);
  for (const Level level : {Level::thread, Level::subgroup, Level::workgroup}) {
    if (!topology_.has(level) || !levels_[static_cast<std::size_t>(level)]) continue;
    const int siblings = topology_.siblings(level);
    for (int first = 0; first < topology_.groups(level); first += siblings) {
      // By insertion, as a step leaves most in order. Groups of other kinds stay where they are.
      for (int at = first + 1; at < first + siblings; ++at) {
        int here = at;
        for (int before = at - 1; before >= first; --before) {
          if (!same_kind(level, before, here)) continue;
          if (compare(scratch, level, before, here) <= 0) break;
          exchange(scratch, level, before, here);
          here = before;
        }
      }
    }
  }
  const int threads = topology_.threads();
  const int workgroup = topology_.group_threads(Level::workgroup);
  ThreadSet started;
  bool moved = false;
  for (int place = 0; place < threads; ++place) {
    const int thread = scratch.from[place];
    if (places != nullptr) (*places)[thread] = static_cast<std::uint8_t>(place);
    const std::uint64_t* value =
        scratch.of_thread.data() + thread_stride_ * static_cast<std::size_t>(thread);
    if (*value++ != 0) started |= ThreadSet::single(place);
    if (thread == place) continue;
    moved = true;
    for (const Field& field : fields_.of_thread[place]) field.set(state, *value++);
  }
  if (!moved) return;
  for (std::size_t w = 0; w < fields_.of_workgroup.size(); ++w) {
    const int from = scratch.from[w * static_cast<std::size_t>(workgroup)] / workgroup;
    const std::uint64_t* value =
        scratch.of_workgroup.data() + workgroup_stride_ * static_cast<std::size_t>(from);
    for (const Field& field : fields_.of_workgroup[w]) field.set(state, *value++);
  }
  Program::forget(state, threads);
  Program::note(state, started);
}

ThreadSet Symmetry::representatives(const Word* state) const {
  thread_local Scratch scratch;
  read(state, scratch);
  ThreadSet result = ThreadSet::first(topology_.threads());
  for (const Level level : kLevels) {
    if (!topology_.has(level) || !levels_[static_cast<std::size_t>(level)]) continue;
    const int siblings = topology_.siblings(level);
    for (int group = 0; group < topology_.groups(level); ++group) {
      for (int before = group - 1; before >= group / siblings * siblings; --before) {
        if (!same_kind(level, before, group)) continue;
        if (compare(scratch, level, before, group) == 0) {
          result -= threads_of(topology_, level, group);
        }
        break;  // the state is sorted
      }
    }
  }
  return result;
}

}  // namespace headway::checker
