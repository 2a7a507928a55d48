// The checker of certificates of method B.
#include <algorithm>

#include "every/objection.hpp"

namespace headway::every {
namespace {

class RowCheck {
 public:
  RowCheck(const Certificate& certificate, const Family& family)
      : c_(certificate),
        sets_(certificate.row->sets),
        places_(certificate.row->places),
        space_(family) {}

  void run(const std::vector<Reading>& readings) {
    check_sets();
    for (std::size_t p = 0; p < places_.size(); ++p) check_place(static_cast<int>(p));
    for (const PositionPlace& place : space_.starts(sets_)) number_of(place);
    for (const PositionPlace& place : places_) check_steps(place);
    if (c_.claim == Certificate::Claim::safe) return;
    const bool below = c_.row->below_ended;
    for (const Reading reading : readings) {
      require(!below || promises_lowest(reading.promise),
              "the model promises nothing to the lowest");
    }
    if (below) check_ended();
    std::vector<CheckedStep> left;
    for (std::size_t p = 0; p < places_.size(); ++p) {
      if (places_[p].ended) continue;
      for (const PositionEffect& effect : space_.effects(places_[p], sets_, below)) {
        require(!effect.fails, "a step of place {} goes wrong: {}", p, effect.what);
        if (effect.place.ended) continue;
        left.push_back(
            {static_cast<std::uint32_t>(p), number_of(effect.place), {}, effect.changes});
      }
    }
    check_rounds(c_.rounds, places_.size(), std::move(left),
                 [](std::uint32_t, int) { return false; });
  }

 private:
  std::size_t count(Role role) const {
    return static_cast<std::size_t>(std::count(sets_.roles.begin(), sets_.roles.end(), role));
  }

  // The sets have what is there at first.
  void check_sets() const {
    require(sets_.roles.size() == space_.family().variables.size(), "roles of other variables");
    require(!sets_.drawn || space_.drawn_from(), "no positions are drawn");
    const PositionSets first = space_.beginning(sets_.drawn, sets_.roles);
    require(first.roles == sets_.roles, "a variable cannot have its role");
    for (const auto& [owner, values] : first.seen) {
      for (const std::int64_t value : values) require_in(sets_.seen, owner, value);
    }
    for (const auto& handed : first.handed) {
      require(sets_.handed.count(handed) > 0, "what is guarded at first is missing");
    }
    for (const auto& handed : sets_.handed) {
      require(handed.size() == count(Role::guarded), "something else is handed on");
    }
  }

  void require_in(const PositionSets::ByOwner& sets, std::pair<int, bool> owner,
                  std::int64_t value) const {
    const auto found = sets.find(owner);
    require(found != sets.end() && found->second.count(value) > 0,
            "it is missing that variable {} may hold {}", owner.first, value);
  }

  void check_place(int p) {
    const PositionPlace& place = places_[p];
    const auto blocks = static_cast<int>(space_.family().syntax.blocks.size());
    require(place.block >= 0 && place.block < blocks, "place {} is in no block", p);
    const auto& code = space_.program(place.block).code;
    require(place.at >= 0 && place.at + 1 < static_cast<int>(code.instructions.size()) &&
                (place.ended || lang::idiom::is_stop(code.instructions[place.at].kind)) &&
                place.registers.size() == code.registers.size() &&
                place.own.size() == count(Role::owned),
            "place {} is nowhere in the program", p);
    const bool holds = place.baton == PositionPlace::Baton::holds && !place.ended;
    require(place.guarded.size() == (holds ? count(Role::guarded) : 0),
            "place {} holds other variables", p);
    require(numbers_.emplace(place.key(), p).second, "place {} comes twice", p);
  }

  std::uint32_t number_of(const PositionPlace& place) const {
    const auto found = numbers_.find(place.key());
    require(found != numbers_.end(), "a thread comes to a place that is not listed");
    return static_cast<std::uint32_t>(found->second);
  }

  void check_steps(const PositionPlace& place) const {
    if (place.ended) return;
    for (const PositionEffect& effect : space_.effects(place, sets_, false)) {
      require(!effect.fails, "a step goes wrong: {}", effect.what);
      number_of(effect.place);
      for (const bool first : {true, false}) {
        if (effect.written < 0 || !effect.place.may_be(first)) continue;
        require_in(sets_.seen, {effect.written, first}, effect.value);
      }
      require(!effect.passes || sets_.handed.count(effect.handed) > 0,
              "it is missing what is handed on");
    }
  }

  bool promises_lowest(Promise promise) const {
    switch (promise) {
      case Promise::unfair:
        return false;
      case Promise::hsa:
        return !sets_.drawn;
      case Promise::obe:
        return sets_.drawn;
      default:
        return true;
    }
  }

  // What threads leave behind them.
  void check_ended() const {
    for (const PositionPlace& place : places_) {
      if (!place.ended) continue;
      require(!sets_.all_pass || place.baton == PositionPlace::Baton::passed,
              "a thread ends and keeps the baton");
      std::size_t i = 0;
      for (std::size_t v = 0; v < sets_.roles.size(); ++v) {
        if (sets_.roles[v] != Role::owned) continue;
        for (const bool first : {true, false}) {
          if (place.may_be(first)) {
            require_in(sets_.last, {static_cast<int>(v), first}, place.own[i]);
          }
        }
        ++i;
      }
    }
  }

  const Certificate& c_;
  const PositionSets& sets_;
  const std::vector<PositionPlace>& places_;
  const PositionSpace space_;
  std::map<std::vector<std::int64_t>, int> numbers_;
};

}  // namespace

void check_row(const Certificate& certificate, const Family& family,
               const std::vector<Reading>& readings) {
  RowCheck(certificate, family).run(readings);
}

}  // namespace headway::every
