#include "synth/sat/encoding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <numeric>

namespace headway::synth::sat {
namespace {

int count(const ChoiceSet& set) { return std::accumulate(set.begin(), set.end(), 0); }

// The fields of an instruction as small numbers; no exchange is -1. A barrier and a branch on the
// lane have none, and no term but those of single choices.
constexpr int kFields = 4;
constexpr const char* kFieldNames[kFields] = {"location", "check", "jump", "exchange"};

constexpr int kNoField = -2;

int field(const axb::Instruction& i, int which) {
  if (!i.is_access()) return kNoField;
  switch (which) {
    case 0:
      return i.location;
    case 1:
      return i.check_value;
    case 2:
      return i.jump;
    default:
      return i.exchanges ? i.exchange_value : -1;
  }
}

bool uses(const axb::Instruction& i, int location) {
  return i.is_access() && i.location == location;
}

std::string field_name(int which, int value) {
  return value < 0 ? fmt::format("{}=none", kFieldNames[which])
                   : fmt::format("{}={}", kFieldNames[which], value);
}

}  // namespace

Encoding::Encoding(const Space& space, const Requirements& requirements) : space_(space) {
  int next = 1;
  for (const Position& position : space.positions) {
    first_variable_.push_back(next);
    next += static_cast<int>(position.choices.size());
  }
  variables_ = next - 1;
  terms_at_.resize(space.size());
  for (int position = 0; position < space.size(); ++position) add_terms(position);
  one_choice_each();
  canonical_locations();
  influence_between_threads();
  reachable_values(requirements);
}

template <typename Predicate>
Encoding::Disjunct Encoding::those(int position, Predicate predicate) const {
  Disjunct result{position, {}};
  for (const axb::Instruction& i : space_.positions[position].choices) {
    result.choices.push_back(predicate(i) ? 1 : 0);
  }
  return result;
}

void Encoding::add_term(int position, ChoiceSet choices, std::string name) {
  const int size = count(choices);
  if (size < 2 || size == static_cast<int>(choices.size())) return;
  for (const int t : terms_at_[position]) {
    if (terms_[t].choices == choices) return;
  }
  terms_at_[position].push_back(static_cast<int>(terms_.size()));
  terms_.push_back({position, std::move(choices), std::move(name), ++variables_});
}

void Encoding::add_terms(int position) {
  const Bounds& bounds = space_.bounds;
  const Position& at = space_.positions[position];
  const int low[kFields] = {0, 0, 0, -1};
  const int high[kFields] = {bounds.locations, bounds.values, at.length + 1, bounds.values};
  for (int a = 0; a < kFields; ++a) {
    for (int x = low[a]; x < high[a]; ++x) {
      add_term(position, those(position, [&](auto& i) { return field(i, a) == x; }).choices,
               field_name(a, x));
    }
  }
  for (int l = 0; l < bounds.locations; ++l) {
    const auto branches = [&](auto& i) { return uses(i, l) && !at.is_store(i); };
    add_term(position, those(position, branches).choices, fmt::format("location={} branch", l));
    const auto exchanges = [&](auto& i) { return uses(i, l) && i.exchanges; };
    add_term(position, those(position, exchanges).choices, fmt::format("location={} exchange", l));
    for (int c = 0; c < bounds.values; ++c) {
      const auto checks = [&](auto& i) { return branches(i) && i.check_value == c; };
      add_term(position, those(position, checks).choices,
               fmt::format("location={} branch check={}", l, c));
    }
  }
  for (int a = 0; a < kFields; ++a) {
    for (int b = a + 1; b < kFields; ++b) {
      for (int x = low[a]; x < high[a]; ++x) {
        for (int y = low[b]; y < high[b]; ++y) {
          const auto both = [&](auto& i) { return field(i, a) == x && field(i, b) == y; };
          add_term(position, those(position, both).choices,
                   field_name(a, x) + " " + field_name(b, y));
        }
      }
    }
  }
  std::stable_sort(terms_at_[position].begin(), terms_at_[position].end(), [&](int a, int b) {
    return count(terms_[a].choices) > count(terms_[b].choices);
  });
}

void Encoding::add_choice_clause(int position, Clause clause) {
  premises_.push_back({std::move(clause), Ground::choice, position, {}});
}

void Encoding::add_premise(Premise premise, const std::vector<Disjunct>& disjuncts) {
  for (const auto& [position, choices] : disjuncts) {
    const int size = count(choices);
    if (size == 0) continue;
    if (size == static_cast<int>(choices.size())) return;
    if (size == 1) {
      const auto only = std::find(choices.begin(), choices.end(), 1) - choices.begin();
      premise.clause.push_back(variable(position, static_cast<int>(only)));
      continue;
    }
    ChoiceSet rest(choices.size());
    std::transform(choices.begin(), choices.end(), rest.begin(), [](auto in) { return !in; });
    int literal = 0;
    for (const int t : terms_at_[position]) {
      if (terms_[t].choices == choices) literal = terms_[t].variable;
      if (terms_[t].choices == rest) literal = -terms_[t].variable;
    }
    if (literal == 0 && count(rest) == 1) {
      const auto other = std::find(rest.begin(), rest.end(), 1) - rest.begin();
      literal = -variable(position, static_cast<int>(other));
    }
    assert(literal != 0);
    premise.clause.push_back(literal);
  }
  premises_.push_back(std::move(premise));
}

// Each instruction is exactly one choice, and each term is what it says.
void Encoding::one_choice_each() {
  for (int position = 0; position < space_.size(); ++position) {
    const int choices = static_cast<int>(space_.positions[position].choices.size());
    Clause some;
    for (int a = 0; a < choices; ++a) {
      some.push_back(variable(position, a));
      for (int b = 0; b < a; ++b) {
        add_choice_clause(position, {-variable(position, a), -variable(position, b)});
      }
    }
    add_choice_clause(position, std::move(some));
  }
  for (const Term& term : terms_) {
    Clause implies{-term.variable};
    for (std::size_t choice = 0; choice < term.choices.size(); ++choice) {
      const int chosen = variable(term.position, static_cast<int>(choice));
      if (term.choices[choice]) implies.push_back(chosen);
      add_choice_clause(term.position,
                        {-chosen, term.choices[choice] ? term.variable : -term.variable});
    }
    add_choice_clause(term.position, std::move(implies));
  }
}

// Locations are numbered by first use iff every instruction that uses a location has an earlier
// one that uses the location before it.
void Encoding::canonical_locations() {
  for (int position = 0; position < space_.size(); ++position) {
    for (int l = 1; l < space_.bounds.locations; ++l) {
      std::vector<Disjunct> clause{those(position, [&](auto& i) { return !uses(i, l); })};
      for (int earlier = 0; earlier < position; ++earlier) {
        clause.push_back(those(earlier, [&](auto& i) { return uses(i, l - 1); }));
      }
      add_premise({{}, Ground::numbering, position, {}}, clause);
    }
  }
}

// Constraint 5, word by word.
void Encoding::influence_between_threads() {
  for (int position = 0; position < space_.size(); ++position) {
    const Position& at = space_.positions[position];
    for (int l = 0; l < space_.bounds.locations; ++l) {
      std::vector<Disjunct> exchange{
          those(position, [&](auto& i) { return !uses(i, l) || !i.exchanges; })};
      std::vector<Disjunct> branch{
          those(position, [&](auto& i) { return !uses(i, l) || at.is_store(i); })};
      for (int other = 0; other < space_.size(); ++other) {
        const Position& there = space_.positions[other];
        // Another thread has the program of this one where that is of several lanes.
        if (there.thread == at.thread && space_.bounds.lanes_of(at.thread) == 1) continue;
        exchange.push_back(those(other, [&](auto& i) { return uses(i, l) && !there.is_store(i); }));
        branch.push_back(those(other, [&](auto& i) { return uses(i, l); }));
      }
      add_premise({{}, Ground::influence, position, {}}, exchange);
      add_premise({{}, Ground::influence, position, {}}, branch);
    }
  }
}

// A location only ever holds 0 and what instructions exchange there. So a branch that checks for
// another value than 0 is taken only if some instruction exchanges it there, one that checks for 0
// is not taken only if one exchanges another value, and an exchange for 0 changes memory only
// then, too. These follow from constraints 3 and 6 but take many boxes to say. The value read
// tells, so the box that such a clause excludes is refuted by its LTS like any other.
void Encoding::reachable_values(const Requirements& requirements) {
  for (int position = 0; position < space_.size(); ++position) {
    const Position& at = space_.positions[position];
    for (int l = 0; l < space_.bounds.locations; ++l) {
      const auto exchanged = [&](const Reason& reason, std::vector<Disjunct> clause, int low,
                                 int high) {
        for (int other = 0; other < space_.size(); ++other) {
          for (int v = low; v <= high; ++v) {
            clause.push_back(those(other, [&](auto& i) {
              return uses(i, l) && i.exchanges && i.exchange_value == v;
            }));
          }
        }
        add_premise({{}, Ground::reason, position, reason}, clause);
      };
      for (int c = 0; c < space_.bounds.values; ++c) {
        const auto unless = [&](auto& i) {
          return !uses(i, l) || at.is_store(i) || i.check_value != c;
        };
        const Reason reason{Constraint::all_branches_possible, position, c != 0, -1, {}};
        if (c == 0) exchanged(reason, {those(position, unless)}, 1, space_.bounds.values - 1);
        if (c != 0) exchanged(reason, {those(position, unless)}, c, c);
      }
      if (requirements.effective_stores) {
        const auto unless = [&](auto& i) {
          return !uses(i, l) || !i.exchanges || i.exchange_value != 0;
        };
        const Reason reason{Constraint::effective_stores, position, false, -1, {}};
        exchanged(reason, {those(position, unless)}, 1, space_.bounds.values - 1);
      }
    }
  }
}

// For each instruction, literals that together say "not one of the box's choices": largest terms
// and negated terms first, single choices for what is left.
Clause Encoding::excluding(const Box& box) const {
  Clause clause;
  for (int position = 0; position < space_.size(); ++position) {
    ChoiceSet open(box[position].size());  // to be said
    std::transform(box[position].begin(), box[position].end(), open.begin(),
                   [](auto in) { return !in; });
    const int choices = static_cast<int>(open.size());
    int left = count(open);
    if (left == choices - 1) {
      const auto only = std::find(open.begin(), open.end(), 0) - open.begin();
      clause.push_back(-variable(position, static_cast<int>(only)));
      continue;
    }
    while (left > 0) {
      int best = 0, best_gain = 0;
      const Term* best_term = nullptr;
      for (const int t : terms_at_[position]) {
        for (const std::uint8_t sign : {1, 0}) {
          int gain = 0;
          bool inside = true;
          for (int choice = 0; choice < choices && inside; ++choice) {
            if (terms_[t].choices[choice] != sign) continue;
            inside = !box[position][choice];
            gain += open[choice];
          }
          if (!inside || gain <= best_gain) continue;
          best_gain = gain;
          best_term = &terms_[t];
          best = sign ? terms_[t].variable : -terms_[t].variable;
        }
      }
      if (best_gain <= 1) break;
      clause.push_back(best);
      for (int choice = 0; choice < choices; ++choice) {
        if ((best_term->choices[choice] != 0) == (best > 0)) open[choice] = 0;
      }
      left -= best_gain;
    }
    for (int choice = 0; choice < choices; ++choice) {
      if (open[choice]) clause.push_back(variable(position, choice));
    }
  }
  return clause;
}

Clause Encoding::excluding(std::span<const std::uint16_t> program) const {
  Clause clause;
  for (int position = 0; position < space_.size(); ++position) {
    clause.push_back(-variable(position, program[position]));
  }
  return clause;
}

}  // namespace headway::synth::sat
