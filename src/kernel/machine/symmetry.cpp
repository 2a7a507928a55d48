#include "kernel/machine/symmetry.hpp"

#include <algorithm>
#include <numeric>

namespace headway::kernel {

Symmetry::Symmetry(const Code& code, const Launch& launch) : code_(code) {
  // Memory of a thread's own would have to change places, too.
  if (launch.threads() > 64 || launch.own(0).second > 0) return;
  bool meets = false;
  bool has_subgroups = false;
  std::uint32_t count = 0;
  for (const Block& block : code.function().blocks) {
    for (const Instruction& i : block.code) {
      ++count;
      const bool has_scope = i.op == Op::fence || i.op == Op::barrier || is_atomic(i.op);
      has_subgroups = has_subgroups || i.op == Op::subgroup || i.op == Op::numbered_barrier ||
                      (has_scope && i.scope < Scope::workgroup);
      meets = meets || is_barrier(i.op);
    }
  }
  // What copies beside a thread would have to change places, too.
  if (has_subgroups || code.plain_scope() == Scope::subgroup || code.copies_beside()) return;
  const bool has_groups =
      meets || !code.has_wide_scopes() || code.plain_scope() == Scope::workgroup ||
      std::any_of(launch.objects.begin(), launch.objects.end(),
                  [](const ObjectInfo& object) { return object.workgroup >= 0; });
  together_ = has_groups ? launch.group_threads() : launch.threads();
  // Whether an instruction gives different values to threads that may change places.
  const auto tells = [&](const Instruction& i) {
    switch (i.builtin) {
      case Builtin::thread_id:
        return launch.block[i.dimension] > 1;
      case Builtin::group_id:
        return !has_groups && launch.grid[i.dimension] > 1;
      case Builtin::group_size:
      case Builtin::groups:
      case Builtin::cooperative:
      case Builtin::subgroup_size:
      case Builtin::subgroups:
        return false;
      default:
        return true;
    }
  };
  identified_.resize(count);
  for (BlockId b = 0; b < code.function().blocks.size(); ++b) {
    for (std::uint32_t i = 0; i < code.function().blocks[b].code.size(); ++i) {
      if (!code.parks(b, i)) continue;
      const std::uint32_t at = code.number(b, i);
      const std::vector<std::uint32_t>& ahead = code.builtins_ahead(at);
      identified_[at] = std::any_of(ahead.begin(), ahead.end(), [&](std::uint32_t number) {
        return tells(code.instruction(number));
      });
    }
  }
}

bool Symmetry::is_anonymous(const ThreadState& local) const {
  return local.status == Status::ended || !identified_[code_.number(local.block, local.index)];
}

std::vector<int> Symmetry::sort(MachineState& state, std::vector<std::uint64_t>& locals) const {
  if (together_ == 1) return {};
  const auto count = static_cast<int>(state.threads.size());
  std::vector<std::uint64_t> colors;  // of threads that are alike but for what they know
  const auto local_of = [&](int thread) { return locals[static_cast<std::size_t>(thread)]; };
  std::vector<int> from(state.threads.size());
  std::iota(from.begin(), from.end(), 0);
  bool moves = false;
  for (int first = 0; first < count; first += together_) {
    std::vector<int> places;
    for (int t = first; t < first + together_; ++t) {
      if (is_anonymous(*state.threads[static_cast<std::size_t>(t)])) places.push_back(t);
    }
    std::vector<int> threads = places;
    const auto before = [&](int a, int b) { return local_of(a) < local_of(b); };
    const auto alike = [&](int a, int b) { return local_of(a) == local_of(b); };
    std::stable_sort(threads.begin(), threads.end(), before);
    for (auto i = threads.begin(); state.order && i != threads.end();) {
      i = std::adjacent_find(i, threads.end(), alike);
      if (i == threads.end()) break;
      if (colors.empty()) colors = state.order->colors(locals);
      const auto end = std::upper_bound(i, threads.end(), *i, before);
      std::stable_sort(i, end, [&](int a, int b) {
        return colors[static_cast<std::size_t>(a)] < colors[static_cast<std::size_t>(b)];
      });
      i = end;
    }
    for (std::size_t p = 0; p < places.size(); ++p) {
      from[static_cast<std::size_t>(places[p])] = threads[p];
      moves = moves || places[p] != threads[p];
    }
  }
  if (!moves) return {};
  std::vector<ThreadStatePtr> moved;
  std::vector<std::uint64_t> numbers;
  std::vector<int> to(from.size());
  for (std::size_t place = 0; place < from.size(); ++place) {
    const auto thread = static_cast<std::size_t>(from[place]);
    moved.push_back(state.threads[thread]);
    numbers.push_back(locals[thread]);
    to[thread] = static_cast<int>(place);
  }
  state.threads = std::move(moved);
  locals = std::move(numbers);
  if (state.order) state.order->rename(to);
  return from;
}

}  // namespace headway::kernel
