#include "synth/sat/rup.hpp"

#include <algorithm>
#include <utility>

namespace headway::synth::sat {
namespace {

// The same for every order of the literals.
std::uint64_t hash_of(const std::vector<int>& clause) {
  std::uint64_t sum = clause.size();
  for (const int literal : clause) {
    std::uint64_t x = static_cast<std::uint32_t>(literal) * 0x9e3779b97f4a7c15ULL;
    x ^= x >> 29;
    sum += x * 0xbf58476d1ce4e5b9ULL;
  }
  return sum;
}

std::vector<int> sorted(std::vector<int> clause) {
  std::sort(clause.begin(), clause.end());
  clause.erase(std::unique(clause.begin(), clause.end()), clause.end());
  return clause;
}

}  // namespace

RupChecker::RupChecker(int variables)
    : values_(variables + 1), watches_(2 * (static_cast<std::size_t>(variables) + 1)) {}

void RupChecker::assign(int literal) {
  values_[literal > 0 ? literal : -literal] = literal > 0 ? 1 : -1;
  trail_.push_back(literal);
}

void RupChecker::add_axiom(const std::vector<int>& clause) { add(sorted(clause)); }

// A clause is watched at two literals that are not false at the root. With fewer of them it is a
// unit, or the contradiction.
void RupChecker::add(std::vector<int> clause) {
  if (refuted_) return;
  const std::uint64_t hash = hash_of(clause);
  std::stable_partition(clause.begin(), clause.end(), [&](int l) { return value(l) >= 0; });
  if (clause.empty() || value(clause[0]) < 0) {
    refuted_ = true;
    return;
  }
  if (clause.size() == 1 || value(clause[1]) < 0) {
    if (value(clause[0]) == 0) assign(clause[0]);
    if (!propagate()) refuted_ = true;
    return;
  }
  const auto reference = static_cast<Reference>(arena_.size());
  arena_.push_back(static_cast<int>(clause.size()));
  arena_.insert(arena_.end(), clause.begin(), clause.end());
  watches_[slot(clause[0])].push_back({reference, clause[1]});
  watches_[slot(clause[1])].push_back({reference, clause[0]});
  by_hash_.emplace(hash, reference);
}

bool RupChecker::add_lemma(const std::vector<int>& lemma) {
  if (refuted_) return true;
  std::vector<int> clause = sorted(lemma);
  const std::size_t root = trail_.size();
  bool conflict = false;
  for (const int literal : clause) {
    if (value(literal) > 0) conflict = true;
    if (value(literal) == 0) assign(-literal);
  }
  conflict = conflict || !propagate();
  for (; trail_.size() > root; trail_.pop_back()) values_[std::abs(trail_.back())] = 0;
  propagated_ = root;
  if (conflict) add(std::move(clause));
  return conflict;
}

bool RupChecker::propagate() {
  for (; propagated_ < trail_.size(); ++propagated_) {
    const int falsified = -trail_[propagated_];
    auto& watches = watches_[slot(falsified)];
    std::size_t kept = 0;
    bool conflict = false;
    for (std::size_t w = 0; w < watches.size(); ++w) {
      const Watch watch = watches[w];
      if (conflict || value(watch.blocker) > 0) {
        watches[kept++] = watch;
        continue;
      }
      const int size = arena_[watch.clause];
      if (size == 0) continue;  // removed
      int* literals = &arena_[watch.clause + 1];
      if (literals[0] == falsified) std::swap(literals[0], literals[1]);
      int next = 2;
      while (value(literals[0]) <= 0 && next < size && value(literals[next]) < 0) ++next;
      if (value(literals[0]) > 0) {
        watches[kept++] = {watch.clause, literals[0]};
      } else if (next < size) {
        std::swap(literals[1], literals[next]);
        watches_[slot(literals[1])].push_back({watch.clause, literals[0]});
      } else {
        watches[kept++] = watch;
        if (value(literals[0]) < 0) {
          conflict = true;
        } else {
          assign(literals[0]);
        }
      }
    }
    watches.resize(kept);
    if (conflict) return false;
  }
  return true;
}

void RupChecker::remove(const std::vector<int>& lemma) {
  const std::vector<int> clause = sorted(lemma);
  const auto [begin, end] = by_hash_.equal_range(hash_of(clause));
  for (auto entry = begin; entry != end; ++entry) {
    const auto first = arena_.begin() + entry->second + 1;
    if (sorted({first, first + arena_[entry->second]}) != clause) continue;
    arena_[entry->second] = 0;
    by_hash_.erase(entry);
    return;
  }
}

}  // namespace headway::synth::sat
