#include <fmt/format.h>

#include <numeric>
#include <set>

#include "verify/rules/scene.hpp"

namespace headway::verify::rules {

namespace {

// The sum of some parts of an offset, divided by what they are multiples of.
Term sum_over(const Scene& scene, const std::vector<std::pair<Term, std::int64_t>>& parts,
              std::int64_t constant, std::int64_t unit) {
  smt::Context& c = scene.c;
  Term sum = c.constant(static_cast<std::uint64_t>(constant / unit), 64);
  for (const auto& [part, factor] : parts) {
    sum = c.add(sum, c.scale(scene.wide(part), static_cast<std::uint64_t>(factor / unit)));
  }
  return sum;
}

// A digit that moves by strides is where it started, modulo what they have in common.
void strided_digit(Scene& scene, const Site& site, const std::string& where, const View& view,
                   const std::vector<std::pair<Term, std::int64_t>>& digits, std::int64_t unit,
                   std::int64_t high) {
  smt::Context& c = scene.c;
  std::int64_t common = 0;
  std::vector<std::pair<Term, std::int64_t>> starts;
  for (const auto& [part, factor] : digits) {
    if (factor % unit != 0) return;
    starts.emplace_back(scene.varies(part) ? scene.start(part) : part, factor);
    if (scene.varies(starts.back().first)) return;
    if (scene.varies(part)) common = std::gcd(common, factor / unit * scene.stride_of(part));
  }
  if (common <= 1) return;
  Term digit = c.udiv(site.offset, c.constant(static_cast<std::uint64_t>(unit), 64));
  std::int64_t constant = view.constant;
  if (high > 0) {
    digit = c.urem(digit, c.constant(static_cast<std::uint64_t>(high / unit), 64));
    constant %= high;
  }
  const Term moved = c.sub(digit, sum_over(scene, starts, constant, unit));
  scene.of_site("r0", where + " gives ids of its thread, modulo a stride", 8, site,
                c.equal(c.urem(moved, c.constant(static_cast<std::uint64_t>(common), 64)),
                        c.constant(0, 64)));
}

}  // namespace

// An offset as a number of mixed radix, whose radices are the factors in it: each digit that does
// not vary is known.
void access_break(Scene& scene) {
  smt::Context& c = scene.c;
  for (const Site& site : scene.loop.sites) {
    for (const Access& access : site.now) {
      const std::string where = fmt::format("the access at line {}", access.place.line);
      if (!scene.varies(access.offset)) {
        scene.of_site("r0", where + " is always at one place", 0, site,
                      c.equal(site.offset, access.offset));
        continue;
      }
      const View view = scene.view(access.offset);
      std::set<std::int64_t> cuts;
      for (const auto& [part, factor] : view.parts) {
        if (factor > 0) cuts.insert(factor);
      }
      for (auto low = cuts.begin(); low != cuts.end(); ++low) {
        const std::int64_t unit = *low;
        const auto next = std::next(low);
        for (auto high = next;; ++high) {
          // Digits from `unit` up to *high, or to the top.
          const bool top = high == cuts.end();
          if (!top && *high % unit != 0) continue;
          std::vector<std::pair<Term, std::int64_t>> digits;
          bool known = true;
          for (const auto& [part, factor] : view.parts) {
            if (factor < unit || (!top && factor >= *high)) continue;
            known = known && !scene.varies(part) && factor % unit == 0;
            digits.emplace_back(part, factor);
          }
          if (known && !digits.empty()) {
            Term digit = c.udiv(site.offset, c.constant(static_cast<std::uint64_t>(unit), 64));
            std::int64_t constant = view.constant;
            if (!top) {
              digit = c.urem(digit, c.constant(static_cast<std::uint64_t>(*high / unit), 64));
              constant %= *high;
            }
            scene.of_site("r0", where + " gives ids of its thread",
                          smt::is_power_of_two(static_cast<std::uint64_t>(unit)) ? 3 : 7, site,
                          c.equal(digit, sum_over(scene, digits, constant, unit)));
          } else if (!digits.empty()) {
            strided_digit(scene, site, where, view, digits, unit, top ? 0 : *high);
          }
          if (top) break;
        }
      }
      // Below the smallest factor that varies.
      for (const std::int64_t cut : cuts) {
        std::vector<std::pair<Term, std::int64_t>> digits;
        bool known = true;
        for (const auto& [part, factor] : view.parts) {
          if (factor >= cut) continue;
          known = known && !scene.varies(part);
          digits.emplace_back(part, factor);
        }
        if (!known || digits.empty()) continue;
        scene.of_site("r0", where + " gives ids of its thread",
                      smt::is_power_of_two(static_cast<std::uint64_t>(cut)) ? 3 : 7, site,
                      c.equal(c.urem(site.offset, c.constant(static_cast<std::uint64_t>(cut), 64)),
                              sum_over(scene, digits, view.constant % cut, 1)));
      }
    }
  }
}

}  // namespace headway::verify::rules
