#include "verify/overflow.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>

#include "verify/wrapping.hpp"

namespace headway::verify {

namespace {

constexpr std::chrono::milliseconds kQuery{1000};

std::string word_for(kernel::Op op) {
  if (op == kernel::Op::add) return "sum";
  if (op == kernel::Op::sub) return "difference";
  if (op == kernel::Op::mul) return "product";
  if (op == kernel::Op::shl) return "shift";
  assert(op == kernel::Op::trunc);  // what may_wrap() says of the others
  return "conversion";
}

using Places = std::vector<std::size_t>;

class Overflow {
 public:
  Overflow(smt::Context& context, const kernel::Function& function, const Encoding& encoding,
           const Options& options, Prover::Clock::time_point until)
      : c_(context), encoding_(encoding), prover_(context, options, until, "wraps") {
    prover_.prefer_laws();
    const Signs signs = signs_of(function);
    for (const Arithmetic& one : encoding.arithmetic) {
      const auto fits_with = [&](bool sign) {
        return fits(c_, one.op, sign, one.width, one.a, one.b);
      };
      // Numbers of an open kind are of one and the same in all places: of any.
      const Signs::Kind kind = signs.kind(one.result);
      const std::uint32_t group = signs.group[one.result];
      const Term fit = kind == Signs::Kind::with ? fits_with(true)
                       : kind == Signs::Kind::without
                           ? fits_with(false)
                           : c_.ite(c_.variable(fmt::format("sign.{}", group), 0), fits_with(true),
                                    fits_with(false));
      add(one, c_.implies(c_.conjunction(one.when, one.active), fit));
    }
  }

  // Nothing where it is not shown.
  std::vector<Wrapped> places_of(const std::set<Property>& wanted) {
    Places all;
    for (std::size_t k = 0; k < places_.size(); ++k) all.push_back(k);
    if (all.empty()) return {};
    alive_ = {};
    for (const Candidate& one : encoding_.conditions.candidates) alive_.push_back(one.alive);
    anew_ = false;
    if (!holds(wanted, all)) {
      // Invariants may have fallen because something wraps around, and nothing else.
      if (std::find(alive_.begin(), alive_.end(), false) == alive_.end()) return {};
      alive_.assign(alive_.size(), true);
      anew_ = true;
      if (!holds(wanted, all)) return {};
    }
    // What is left out is not needed. Fewer facts have fewer invariants: those of all facts are
    // what to begin with.
    alive_ = left_;
    for (std::size_t part = (all.size() + 1) / 2;; part = (part + 1) / 2) {
      for (std::size_t from = 0; from < all.size();) {
        const std::size_t to = std::min(from + part, all.size());
        Places fewer(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(from));
        fewer.insert(fewer.end(), all.begin() + static_cast<std::ptrdiff_t>(to), all.end());
        if (!fewer.empty() && holds(wanted, fewer)) {
          all = std::move(fewer);
        } else {
          from = to;
        }
      }
      if (part <= 1) break;
    }
    std::vector<Wrapped> result;
    for (const std::size_t k : all) result.push_back(places_[k].place);
    return result;
  }

 private:
  struct Place {
    Wrapped place;
    std::vector<std::pair<std::size_t, Term>> facts;  // in front of which item
  };

  void add(const Arithmetic& one, Term fact) {
    if (c_.is_true(fact)) return;
    const Wrapped place{word_for(one.op), one.width, one.place.line};
    const auto [at, added] =
        known_.try_emplace({place.line, place.bits, place.what}, places_.size());
    if (added) places_.emplace_back().place = place;
    places_[at->second].facts.emplace_back(one.item, fact);
  }

  // Whether these properties do where these places fit.
  bool holds(const std::set<Property>& wanted, const Places& fit) {
    Conditions all = encoding_.conditions;
    std::vector<std::vector<Term>> at(all.items.size() + 1);
    for (const std::size_t k : fit) {
      for (const auto& [item, fact] : places_[k].facts) at[item].push_back(fact);
    }
    all.items.clear();
    for (std::size_t k = 0; k < at.size(); ++k) {
      for (const Term fact : at[k]) all.items.push_back({Item::Kind::assume, fact, 0});
      if (k < encoding_.conditions.items.size()) {
        all.items.push_back(encoding_.conditions.items[k]);
      }
    }
    for (std::size_t k = 0; k < alive_.size(); ++k) all.candidates[k].alive = alive_[k];
    if (anew_) houdini(c_, all, prover_);
    left_.clear();
    bool stated = true;  // what the author wrote
    for (const Candidate& one : all.candidates) {
      left_.push_back(one.alive);
      stated = stated && (one.alive || !one.user);
    }
    if (!stated && wanted.contains(Property::assertion)) return false;
    std::set<Property> others;
    for (const Property p :
         {Property::race, Property::divergence, Property::assertion, Property::bounds,
          Property::null, Property::alignment, Property::constant}) {
      if (!wanted.contains(p)) others.insert(p);
    }
    return failed_checks(c_, all, prover_, 1, others).empty() && !prover_.over();
  }

  smt::Context& c_;
  const Encoding& encoding_;
  Prover prover_;
  std::vector<Place> places_;
  std::map<std::tuple<int, int, std::string>, std::size_t> known_;
  std::vector<bool> alive_, left_;  // by candidate: to begin with; in the end
  bool anew_ = false;
};

}  // namespace

std::string text_of(const Wrapped& place) {
  return fmt::format("the {}-bit {} at line {}", place.bits, place.what, place.line);
}

std::string text_of(const std::vector<Wrapped>& places) {
  std::set<int> bits;
  std::map<int, std::vector<std::string>> at;
  for (const Wrapped& one : places) {
    bits.insert(one.bits);
    at[one.line].push_back("the " + one.what);
  }
  std::vector<std::string> widths, lines;
  for (const int b : bits) widths.push_back(fmt::format("{}-bit", b));
  for (auto& [line, what] : at) {
    std::sort(what.begin(), what.end());
    what.erase(std::unique(what.begin(), what.end()), what.end());
    lines.push_back(fmt::format("{} at line {}", fmt::join(what, " or "), line));
  }
  return fmt::format("only where {} arithmetic wraps around, in {}", fmt::join(widths, " or "),
                     fmt::join(lines, ", or "));
}

std::map<Property, std::vector<Wrapped>> only_by_overflow(
    smt::Context& context, const kernel::Function& function, const Encoding& encoding,
    const Options& options, const std::set<Property>& failed, const std::set<Property>& verified,
    Prover::Clock::time_point until) {
  std::map<Property, std::vector<Wrapped>> result;
  if (failed.empty()) return result;
  Options own = options;
  own.dump.clear();
  own.query_limit = std::min(own.query_limit, kQuery);
  Overflow overflow(context, function, encoding, own, until);
  for (const Property p : failed) {
    // What else the answer rests on.
    std::set<Property> wanted{p};
    const bool by_barriers = p == Property::race || p == Property::assertion;
    if (by_barriers && !verified.contains(Property::divergence)) {
      wanted.insert(Property::divergence);
    }
    if (encoding.views) {
      wanted.insert(failed.begin(), failed.end());
      wanted.insert({Property::race, Property::divergence, Property::assertion});
    }
    std::vector<Wrapped> places = overflow.places_of(wanted);
    if (!places.empty()) result[p] = std::move(places);
  }
  return result;
}

}  // namespace headway::verify
