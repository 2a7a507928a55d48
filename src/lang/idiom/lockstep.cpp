#include "lang/idiom/lockstep.hpp"

#include <algorithm>

#include "lang/idiom/interchangeable.hpp"

namespace headway::lang::idiom {
namespace {

using InstructionKind = Instruction::Kind;

}  // namespace

Topology of_subgroups(const Topology& launch) {
  return Topology::in_lockstep(launch.workgroups(), launch.subgroups(), launch.subgroup_threads());
}

LockstepProgram::LockstepProgram(std::shared_ptr<const Code> code)
    : Program(of_subgroups(code->topology),
              Abilities{.block = code->waits(),
                        .choose = code->chooses() || code->topology.subgroup_threads() > 1,
                        .choose_fairly = code->chooses_fairly(),
                        .fail = true,
                        .end_others = code->assumes()},
              1),
      code_(std::move(code)) {
  const int size = code_->topology.subgroup_threads();
  FieldAllotter fields(threads());
  subgroups_.reserve(static_cast<std::size_t>(threads()));
  for (int g = 0; g < threads(); ++g) {
    subgroups_.emplace_back(*code_, g * size);
    packed_.push_back(allot(subgroups_.back(), fields));
  }
  cells_ = allot_cells(*code_, fields);
  set_words(fields.words());
}

LockstepProgram::Packed LockstepProgram::allot(const Subgroup& subgroup,
                                               FieldAllotter& fields) const {
  const ThreadCode& thread = subgroup.thread();
  std::uint32_t live = 0;
  for (const int place : subgroup.places()) live |= thread.live[place];
  const auto lanes = static_cast<std::size_t>(subgroup.size());
  Packed packed;
  packed.failed = fields.allot(1);
  for (std::size_t p = 0; p + 1 < lanes; ++p) {
    packed.points.push_back(fields.allot(subgroup.places().size()));
  }
  for (std::size_t l = 0; l < lanes; ++l) {
    Lane& lane = packed.lanes.emplace_back();
    lane.role = fields.allot(Parted::highest_role(subgroup.size()));
    lane.at = fields.allot(subgroup.places().size() - 1);
    for (std::size_t r = 0; r < thread.registers.size(); ++r) {
      if ((live >> r & 1) == 0) continue;
      const RegisterRange& range = thread.registers[r];
      lane.registers.push_back({fields.allot(static_cast<std::uint64_t>(range.high) - range.low),
                                range.low, static_cast<int>(r)});
    }
  }
  return packed;
}

int LockstepProgram::place_number(int subgroup, int at) const {
  const std::vector<int>& places = subgroups_[subgroup].places();
  const auto found = std::lower_bound(places.begin(), places.end(), at);
  assert(found != places.end() && *found == at);
  return static_cast<int>(found - places.begin());
}

void LockstepProgram::put(Word* state, int subgroup, const Lanes& lanes) const {
  const Packed& packed = packed_[subgroup];
  packed.failed.set(state, lanes.failed ? 1 : 0);
  for (std::size_t p = 0; p < packed.points.size(); ++p) {
    const int point = p < lanes.partings.size() ? lanes.partings[p].point : -1;
    packed.points[p].set(state,
                         point < 0 ? 0 : static_cast<Word>(place_number(subgroup, point)) + 1);
  }
  for (std::size_t l = 0; l < packed.lanes.size(); ++l) {
    const ThreadState& own = lanes.lanes[l];
    packed.lanes[l].role.set(state, lanes.role(static_cast<int>(l)));
    packed.lanes[l].at.set(state,
                           lanes.failed ? 0 : static_cast<Word>(place_number(subgroup, own.at)));
    for (const PackedValue& value : packed.lanes[l].registers) {
      value.field.set(state,
                      lanes.failed ? 0 : static_cast<Word>(own.registers[value.index] - value.low));
    }
  }
}

Lanes LockstepProgram::lanes(const Word* state, int subgroup) const {
  const Packed& packed = packed_[subgroup];
  const std::vector<int>& places = subgroups_[subgroup].places();
  const ThreadCode& thread = subgroups_[subgroup].thread();
  Lanes result;
  result.failed = packed.failed.get(state) != 0;
  result.set_roles(static_cast<int>(packed.lanes.size()),
                   [&](int lane) { return packed.lanes[lane].role.get(state); });
  for (const Lane& lane : packed.lanes) {
    ThreadState& own = result.lanes.emplace_back();
    own.at = places[lane.at.get(state)];
    for (std::size_t r = 0; r < thread.registers.size(); ++r) {
      own.registers[r] = thread.registers[r].low;
    }
    for (const PackedValue& value : lane.registers) {
      own.registers[value.index] = value.get(state);
    }
  }
  for (std::size_t p = 0; p < result.partings.size(); ++p) {
    const Word point = packed.points[p].get(state);
    result.partings[p].point = point == 0 ? kNowhere : places[point - 1];
  }
  return result;
}

void LockstepProgram::initial(Word* state) const {
  std::fill(state, state + words(), 0);
  for (const PackedValue& cell : cells_) {
    cell.set(state, code_->initial[cell.index]);
  }
  for (int g = 0; g < threads(); ++g) put(state, g, subgroups_[g].start());
}

bool LockstepProgram::is_ended(const Word* state, int subgroup) const {
  const Packed& packed = packed_[subgroup];
  return packed.failed.get(state) == 0 &&
         std::all_of(packed.lanes.begin(), packed.lanes.end(),
                     [&](const Lane& lane) { return lane.role.get(state) == Parted::kEnded; });
}

ThreadSet LockstepProgram::terminated(const Word* state) const {
  ThreadSet result;
  for (int g = 0; g < threads(); ++g) {
    if (is_ended(state, g)) result |= ThreadSet::single(g);
  }
  return result;
}

ThreadSet LockstepProgram::failed(const Word* state) const {
  ThreadSet result;
  for (int g = 0; g < threads(); ++g) {
    if (packed_[g].failed.get(state) != 0) result |= ThreadSet::single(g);
  }
  return result;
}

ThreadSet LockstepProgram::blocked(const Word* state) const {
  ThreadSet result;
  if (!may_block()) return result;
  for (int g = 0; g < threads(); ++g) {
    const Lanes own = lanes(state, g);
    const Instruction* in = subgroups_[g].instruction(own);
    if (in == nullptr) continue;
    const bool blocked =
        in->kind == InstructionKind::wait ||
        (in->kind == InstructionKind::await && !subgroups_[g].holds(own, CellsView(cells_, state)));
    if (blocked) result |= ThreadSet::single(g);
  }
  return result;
}

// Of the threads of the group that meets at a barrier, which `subgroup` is in, whether all wait
// there; a lane that is not active does not.
bool LockstepProgram::all_wait(const Word* state, int barrier, int subgroup) const {
  const Barrier& which = code_->barriers[barrier];
  const int count = which.scope == Scope::grid ? threads() : topology().subgroups();
  const int first = which.scope == Scope::grid ? 0 : subgroup / count * count;
  for (int g = first; g < first + count; ++g) {
    const Lanes own = lanes(state, g);
    const Instruction* in = subgroups_[g].instruction(own);
    const bool waits = in != nullptr && in->kind == InstructionKind::wait && in->barrier == barrier;
    const bool all_here =
        own.partings.empty() && (which.counts_ended || own.active.size() == subgroups_[g].size());
    if (own.failed || !all_here || !(waits || own.active.empty())) return false;
  }
  return true;
}

// Lets those pass whose barrier is complete.
void LockstepProgram::release(Word* state) const {
  for (int g = 0; g < threads(); ++g) {
    const Lanes own = lanes(state, g);
    const Instruction* in = subgroups_[g].instruction(own);
    if (in == nullptr || in->kind != InstructionKind::wait) continue;
    const int barrier = in->barrier;
    if (!all_wait(state, barrier, g)) continue;
    const bool grid = code_->barriers[barrier].scope == Scope::grid;
    for (int other = g; other < threads(); ++other) {
      const bool meets = grid || other / topology().subgroups() == g / topology().subgroups();
      Lanes waiting = lanes(state, other);
      if (!meets || waiting.active.empty()) continue;
      subgroups_[other].release(waiting);
      put(state, other, waiting);
    }
  }
}

int LockstepProgram::choices(const Word* state, int subgroup) const {
  const Lanes own = lanes(state, subgroup);
  if (!subgroups_[subgroup].may_choose(own)) return 1;
  std::vector<Word> scratch(state, state + words());
  CellsView memory(cells_, scratch.data(), scratch.data());
  return subgroups_[subgroup].choices(own, memory);
}

bool LockstepProgram::chooses_fairly(const Word* state, int subgroup) const {
  const Instruction* in = subgroups_[subgroup].instruction(lanes(state, subgroup));
  return in != nullptr && in->fair;
}

// The step of a subgroup alone, without what the others get from it.
LanesTaken LockstepProgram::take(const Word* state, Step step, Word* next) const {
  std::copy(state, state + words(), next);
  Lanes own = lanes(state, step.thread);
  CellsView memory(cells_, next, next);
  LanesTaken taken;
  subgroups_[step.thread].step(own, memory, step.choice, taken);
  if (own.failed) std::copy(state, state + words(), next);
  if (own.over) {
    end_all(next);
  } else {
    put(next, step.thread, own);
  }
  taken.over = own.over;
  return taken;
}

bool LockstepProgram::step(const Word* state, Step step, Word* next) const {
  assert(running(state).contains(step.thread));
  const LanesTaken taken = take(state, step, next);
  if (taken.failure.kind != Failure::Kind::none) return false;
  if (taken.over) return true;
  if (!code_->barriers.empty()) release(next);
  if (!is_ended(next, step.thread)) return false;
  judge_end(next, step.thread);
  return packed_[step.thread].failed.get(next) == 0;
}

// Subgroups whose threads run the same programs, lane by lane, change places as threads do
// elsewhere.
std::optional<Interchangeable> LockstepProgram::interchangeable() const {
  const std::vector<int> kinds = kinds_of(*code_);
  const int lanes = code_->topology.subgroup_threads();
  const auto same = [&](int one, int other) {
    const auto first = kinds.begin() + static_cast<std::ptrdiff_t>(one) * lanes;
    const auto second = kinds.begin() + static_cast<std::ptrdiff_t>(other) * lanes;
    return std::equal(first, first + lanes, second) && subgroups_[one].same_flow(subgroups_[other]);
  };
  Interchangeable result;
  for (int g = 0; g < threads(); ++g) {
    int first = 0;
    while (!same(first, g)) ++first;
    result.kind.push_back(first);
    std::vector<Field>& fields = result.of_thread.emplace_back();
    fields.push_back(packed_[g].failed);
    fields.insert(fields.end(), packed_[g].points.begin(), packed_[g].points.end());
    for (const Lane& lane : packed_[g].lanes) {
      fields.insert(fields.end(), {lane.role, lane.at});
      for (const PackedValue& value : lane.registers) fields.push_back(value.field);
    }
  }
  const bool of_workgroups =
      std::any_of(code_->variables.begin(), code_->variables.end(),
                  [](const SharedVariable& variable) { return variable.per_workgroup; });
  for (int w = 0; of_workgroups && w < topology().workgroups(); ++w) {
    std::vector<Field>& fields = result.of_workgroup.emplace_back();
    for (const SharedVariable& variable : code_->variables) {
      for (int i = 0; variable.per_workgroup && i < variable.size; ++i) {
        const int cell = variable.first_cell + w * variable.size + i;
        fields.push_back(cells_[static_cast<std::size_t>(cell)].field);
      }
    }
  }
  return result;
}

// The execution is not considered any further.
void LockstepProgram::end_all(Word* state) const {
  for (int g = 0; g < threads(); ++g) {
    Lanes ended;
    ended.lanes.resize(packed_[g].lanes.size());
    for (ThreadState& lane : ended.lanes) {
      lane.at = subgroups_[g].places().back();
      subgroups_[g].machine(0).forget(lane);
    }
    put(state, g, ended);
  }
}

// What the final block says of the memory that the last subgroup to end leaves.
void LockstepProgram::judge_end(Word* state, int subgroup) const {
  if (code_->final.instructions.empty() || terminated(state) != ThreadSet::first(threads())) return;
  const Failure failure = Machine(*code_, code_->final).judge(CellsView(cells_, state));
  if (failure.kind == Failure::Kind::none) return;
  Lanes own = lanes(state, subgroup);
  own.failed = true;
  put(state, subgroup, own);
}

}  // namespace headway::lang::idiom
