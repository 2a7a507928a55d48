#include "lang/parted.hpp"

#include <utility>

namespace headway::lang {
namespace {

constexpr Parted::Role waiting_role(std::size_t parting) { return 1 + 2 * parting; }
constexpr Parted::Role pending_role(std::size_t parting) { return 2 + 2 * parting; }

}  // namespace

void Parted::tidy() {
  for (std::size_t p = partings.size(); p-- > 1;) {
    Parting& inner = partings[p];
    Parting& outer = partings[p - 1];
    if (inner.point != outer.point) continue;
    outer.waiting |= inner.waiting;
    inner.waiting = {};
    if (outer.pending.empty()) std::swap(outer.pending, inner.pending);
  }
  std::erase_if(partings, [](const Parting& parting) {
    return parting.waiting.empty() && parting.pending.empty();
  });
}

bool Parted::pick_active() {
  if (!active.empty()) return true;
  if (partings.empty()) return false;
  Parting& last = partings.back();
  std::swap(active, last.pending.empty() ? last.waiting : last.pending);
  tidy();
  return true;
}

bool Parted::wait_at(int place) {
  if (partings.empty() || partings.back().point != place) return false;
  partings.back().waiting |= active;
  active = {};
  tidy();
  return true;
}

Parted::Role Parted::role(int lane) const {
  if (active.contains(lane)) return waiting_role(partings.size());
  for (std::size_t p = 0; p < partings.size(); ++p) {
    if (partings[p].waiting.contains(lane)) return waiting_role(p);
    if (partings[p].pending.contains(lane)) return pending_role(p);
  }
  return kEnded;
}

ThreadSet& Parted::members(Role role, bool is_active) {
  if (is_active) return active;
  Parting& parting = partings[static_cast<std::size_t>((role - 1) / 2)];
  return role % 2 != 0 ? parting.waiting : parting.pending;
}

}  // namespace headway::lang
