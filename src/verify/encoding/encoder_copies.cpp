// Copies that go on beside their thread until that waits for them. Each is logged as an access that
// no barrier orders while it goes on, and that its own thread may not meet either.
#include <fmt/format.h>

#include <set>

#include "verify/encoding/encoder_state.hpp"

namespace headway::verify {

using kernel::Value;

void Encoder::thread_copy(const Instruction& i) {
  Access like;
  like.flies = like.is_loose = c_.truth(true);
  const Term length[2] = {c_.resize(bits(i.operands[2], 0), 64),
                          c_.resize(bits(i.operands[2], 1), 64)};
  const ValueId copied = i.operands[i.operands.size() > 3 ? 3 : 2];
  const Term read[2] = {c_.resize(bits(copied, 0), 64), c_.resize(bits(copied, 1), 64)};
  like.kind = AccessKind::read;
  like.align = i.align_from;
  log_access(i, i.operands[1], like, read, std::nullopt, 0);
  like.kind = AccessKind::write;
  like.align = i.align;
  log_access(i, i.operands[0], like, length, std::nullopt, 1);
  barrier_claims_.clear();
  for (auto& [region, version] : version_) version = ++next_version_;
}

// The log is of the first thread.
void Encoder::commit_copies() {
  for (Access& a : log_) {
    if (a.is_loose) a.is_loose = c_.conjunction(*a.is_loose, c_.negation(live(0)));
  }
}

void Encoder::wait_copies(const Instruction& i) {
  const Value& latest = f_.value(i.operands[0]);
  if (latest.kind != Value::Kind::constant || latest.bits != 0) {
    throw Unsupported{"a wait for all copies but the latest", i.place};
  }
  for (Access& a : log_) {
    if (!a.flies) continue;
    a.flies = c_.conjunction(*a.flies, c_.disjunction(*a.is_loose, c_.negation(live(0))));
  }
  for (auto& [region, version] : version_) version = ++next_version_;
}

// What comes behind an access is ordered with it, if that is over.
void Encoder::set_apart(Access& access, Term ordered) {
  if (access.flies) ordered = c_.conjunction(ordered, c_.negation(*access.flies));
  access.when = c_.conjunction(access.when, c_.negation(ordered));
}

// Whether each way from a copy to the next round of a loop has the thread wait for it.
bool Encoder::is_waited_for(const Instruction& copy, BlockId in, int loop) const {
  const BlockId head = flow_.loops[static_cast<std::size_t>(loop)].head;
  std::set<std::pair<BlockId, bool>> seen;
  std::vector<std::pair<BlockId, bool>> next;  // blocks, and whether it is part of a group there
  const auto walk = [&](BlockId b, std::size_t from, bool grouped) {
    const auto& code = f_.blocks[b].code;
    for (std::size_t k = from; k < code.size(); ++k) {
      if (code[k].op == Op::commit_copies) grouped = true;
      const bool waits = code[k].op == Op::wait_copies &&
                         f_.value(code[k].operands[0]).kind == Value::Kind::constant &&
                         f_.value(code[k].operands[0]).bits == 0;
      if (waits && grouped) return true;
    }
    for (const BlockId to : code.back().targets) {
      if (to == head) return false;
      if (flow_.in_loop(to, loop) && seen.insert({to, grouped}).second) {
        next.emplace_back(to, grouped);
      }
    }
    return true;
  };
  const auto& code = f_.blocks[in].code;
  if (!walk(in, static_cast<std::size_t>(&copy - code.data()) + 1, false)) return false;
  while (!next.empty()) {
    const auto [b, grouped] = next.back();
    next.pop_back();
    if (!walk(b, 0, grouped)) return false;
  }
  return true;
}

// A thread that meets a copy of its own that goes on races with it.
void Encoder::check_own(const Access& later) {
  if (c_.is_false(later.when)) return;
  for (const Access& copy : log_) {
    if (!copy.flies || c_.is_false(*copy.flies)) continue;
    const bool reads = copy.kind == AccessKind::read &&
                       (later.kind == AccessKind::read ||
                        (later.kind == AccessKind::atomic && !later.atomic_writes));
    const bool unknown = copy.region == kUnknownRegion || later.region == kUnknownRegion;
    if (reads || (copy.region != later.region && !unknown)) continue;
    const Term meets = unknown ? c_.truth(true) : overlap(copy, later);
    const Term race = c_.conjunction({copy.when, *copy.flies, later.when, meets});
    if (c_.is_false(race)) continue;
    add_check(Property::race, c_.negation(race), later.place,
              fmt::format("{} races with the {} by the copy at line {}, which its thread has not "
                          "waited for",
                          describe(later), describe(copy), copy.place.line),
              copy.place);
  }
}

}  // namespace headway::verify
