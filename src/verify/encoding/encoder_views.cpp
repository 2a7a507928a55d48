#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "verify/encoding/encoder_state.hpp"

namespace headway::verify {

using kernel::BlockId;
using kernel::Claim;

namespace {

bool holds(const kernel::Block& block, const kernel::Instruction& i) {
  return std::any_of(block.code.begin(), block.code.end(),
                     [&](const kernel::Instruction& one) { return &one == &i; });
}

}  // namespace

// Barrier invariants, after N. Chong, A. Donaldson, P. Kelly, J. Ketema, S. Qadeer, "Barrier
// invariants: a shared state abstraction for the analysis of data-dependent GPU kernels", OOPSLA
// 2013. Memory that one speaks of is, for each thread, what it was at the last barrier, but for
// what the thread wrote since. That is so as long as nothing races, whoever else writes: a place
// that another thread wrote in the same interval of barriers and that this one reads is a race.
// (Encoding::views: nothing is verified without race freedom.) The claim is checked for any thread
// on its way to the barrier. All of the workgroup come to it, as nothing diverges; so behind it
// the claim holds of memory for every thread, and is used for those that the author names.

// What a value is computed from here, each operand before its use. Phis are left as they are, and
// what was computed in loops that are behind: in them, values of a round are not those at the end.
std::vector<const kernel::Instruction*> Encoder::computation(ValueId of, BlockId at) const {
  std::vector<const Instruction*> found;
  std::set<ValueId> seen;
  const std::function<void(ValueId)> visit = [&](ValueId id) {
    const Instruction* i = definitions_[id];
    if (i == nullptr || i->op == Op::phi || !seen.insert(id).second) return;
    const int loop = flow_.loop[block_of(*i)];
    if (loop != kNoLoop && !flow_.in_loop(at, loop)) return;
    for (const ValueId operand : i->operands) visit(operand);
    found.push_back(i);
  };
  visit(of);
  return found;
}

BlockId Encoder::block_of(const Instruction& i) const {
  const auto& all = f_.blocks;
  return static_cast<BlockId>(
      std::find_if(all.begin(), all.end(), [&](const kernel::Block& b) { return holds(b, i); }) -
      all.begin());
}

void Encoder::find_views() {
  if (options_.lockstep) return;  // threads may see what others write without a barrier
  for (BlockId b = 0; b < f_.blocks.size(); ++b) {
    for (const Instruction& i : f_.blocks[b].code) {
      if (i.op != Op::claim || i.claim != Claim::barrier_invariant) continue;
      for (const Instruction* part : computation(i.operands[0], b)) {
        if (part->op != Op::load) continue;
        for (const int r : regions_.of_value[part->operands[0]]) {
          const Region& region = regions_.all[static_cast<std::size_t>(r)];
          if (r > kUnknownRegion && region.shared()) viewed_.insert(r);
        }
      }
    }
  }
  result_.views = !viewed_.empty();
}

void Encoder::see_store(const Access& access, int thread) {
  if (!viewed_.contains(access.region)) return;
  seen_[thread].emplace_back(access, version_[access.region]);
}

// What is in memory for a thread.
Term Encoder::view(int region, Term offset, int width, int thread) {
  const int version = version_[region];
  const std::string name = fmt::format("memory {} version {}", region, version);
  Term value = c_.apply(name, width, {offset});
  // Another workgroup has memory of its own.
  if (thread == 1 && regions_.all[static_cast<std::size_t>(region)].of_group()) {
    value = c_.ite(same_group_, value, c_.apply(name + " elsewhere", width, {offset}));
  }
  Access read;
  read.offset = offset;
  read.bytes = c_.constant(static_cast<std::uint64_t>(width / 8), 64);
  for (const auto& [store, at] : seen_[thread]) {
    if (store.region != region || at != version) continue;
    const bool whole = store.value && store.bytes == read.bytes && c_.width(*store.value) == width;
    const Term written =
        whole ? c_.ite(c_.equal(store.offset, offset), *store.value, c_.fresh("read", width))
              : c_.fresh("read", width);
    value = c_.ite(c_.conjunction(store.when, overlap(store, read)), written, value);
  }
  // One that is not here keeps values of an earlier round.
  return c_.ite(live(thread), value, c_.fresh("read", width));
}

void Encoder::barrier_invariant(const Instruction& i) {
  const Term claim = c_.nonzero(bits(i.operands[0], 0));
  const auto parts = computation(i.operands[0], at_);
  const bool of_two = std::any_of(parts.begin(), parts.end(), [](const Instruction* part) {
    return part->op == Op::annotation && part->annotation == kernel::Annotation::other;
  });
  Term here = live(0);
  if (of_two) here = c_.conjunction({here, live(1), same_group_});
  check(Property::assertion, over_log(c_.implies(here, claim), log_), i.place,
        "what __barrier_invariant says may fail");
  barrier_claims_.push_back(&i);
}

// At the barrier that follows, in the same block, with no write between.
void Encoder::use_barrier_invariants() {
  for (const Instruction* claim : barrier_claims_) {
    for (int t = 0; t < 2; ++t) {
      use_barrier_invariant(*claim, std::nullopt, t);
      for (std::size_t k = 1; k < claim->operands.size(); ++k) {
        use_barrier_invariant(*claim, bits(claim->operands[k], t), t);
      }
    }
  }
  barrier_claims_.clear();
}

void Encoder::use_barrier_invariant(const Instruction& claim, std::optional<Term> other, int t) {
  const auto parts = computation(claim.operands[0], at_);
  // What is read on the way to the barrier, behind all writes, is there behind the barrier.
  const auto reads_now = [&](const Instruction* part) {
    if (part->is_volatile || !holds(f_.blocks[at_], *part)) return false;
    return std::none_of(part, &claim, [](const Instruction& between) {
      return touch_of(between).writes || between.op == Op::barrier ||
             between.op == Op::barrier_reduce || between.op == Op::async_copy ||
             between.op == Op::wait_events;
    });
  };
  const auto varies = [&](ValueId id) { return uniformity_.value[id] == Uniform::no; };
  std::set<ValueId> again;
  for (const Instruction* part : parts) {
    // Of both threads, or of the log.
    if (part->op == Op::annotation) return;
    const bool changes = std::any_of(part->operands.begin(), part->operands.end(),
                                     [&](ValueId id) { return again.contains(id); });
    const Touch touch = touch_of(*part);
    const bool reads = part->op == Op::load && reads_now(part);
    const bool computed = !touch.reads && !touch.writes && part->op != Op::subgroup &&
                          part->op != Op::barrier_reduce && part->op != Op::unknown;
    if (reads || (computed && (changes || part->op == Op::builtin))) {
      again.insert(part->result);
      continue;
    }
    if (computed && !other) continue;
    // Values of another thread that nobody knows here.
    if (other && varies(part->result)) return;
    if (!other && changes) return;
  }
  for (const Instruction* part : parts) {
    for (const ValueId id : part->operands) {
      const Instruction* from = definitions_[id];
      const bool left =
          from != nullptr && std::find(parts.begin(), parts.end(), from) == parts.end();
      if (other && left && varies(id)) return;
    }
  }
  const std::vector<Quantity> before = values_[t];
  const Term own = tid_[t][0];
  if (other) tid_[t][0] = c_.resize(*other, 32);
  const Term exists = c_.ult(tid_[t][0], size_[0]);
  for (const Instruction* part : parts) {
    if (again.contains(part->result)) values_[t][part->result] = evaluate(*part, t);
  }
  const Term holds = c_.nonzero(bits(claim.operands[0], t));
  values_[t] = before;
  tid_[t][0] = own;
  assume(c_.implies(c_.conjunction(live(t), exists), holds));
}

}  // namespace headway::verify
