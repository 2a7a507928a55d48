#include <fmt/format.h>

#include "verify/rules/scene.hpp"

namespace headway::verify::rules {

namespace {

// What a value may be.
void choices(const Scene& scene, Term t, std::set<Term>& found) {
  const smt::Node& n = scene.c.node(t);
  if (n.kind == smt::Kind::ite && scene.varies(t)) {
    choices(scene, n.args[1], found);
    choices(scene, n.args[2], found);
  } else {
    found.insert(t);
  }
}

std::set<Term> fixed_choices(const Scene& scene, Term t) {
  std::set<Term> found;
  choices(scene, t, found);
  std::erase_if(found, [&](Term one) { return scene.varies(one); });
  return found;
}

// At the head: held as at first, held or not, and held where a variable of the loop says so.
void at_head(Scene& scene) {
  smt::Context& c = scene.c;
  const std::vector<Carried>& carried = scene.loop.carried;
  for (const Carried& one : carried) {
    if (one.hold < 0) continue;
    const auto say = [&](const char* text, const std::function<Term(int)>& made) {
      scene.unary("lock", text, 0, made);
    };
    say("a lock is held as before the loop",
        [&](int t) { return c.equal(one.variable[t], one.entry[t]); });
    const auto part = [&](Hold::Part which) {
      for (const Carried& other : carried) {
        if (other.hold == one.hold && other.part == which) return &other;
      }
      return static_cast<const Carried*>(nullptr);
    };
    const Carried* held = part(Hold::Part::held);
    if (one.part == Hold::Part::place) {
      const std::set<Term> others = fixed_choices(scene, one.back[1]);
      for (const Term place : fixed_choices(scene, one.back[0])) {
        for (const Term other : others) {  // of the second thread
          say("a lock that is held is this one", [&](int t) {
            return c.implies(held->variable[t], c.equal(one.variable[t], t == 0 ? place : other));
          });
        }
      }
      continue;
    }
    say("a lock is held", [&](int t) { return one.variable[t]; });
    if (one.part != Hold::Part::held) {
      if (held == nullptr) continue;
      say("a lock that is held is acquired",
          [&](int t) { return c.implies(held->variable[t], one.variable[t]); });
      continue;
    }
    say("no lock is held", [&](int t) { return c.negation(one.variable[t]); });
    for (const Carried& flag : carried) {
      if (flag.hold >= 0 || flag.selects || flag.pointer) continue;
      const auto is = [&](int t) { return c.nonzero(flag.variable[t]); };
      say("a lock is held where a variable says so",
          [&](int t) { return c.equal(one.variable[t], is(t)); });
      say("a lock is held where a variable is 0",
          [&](int t) { return c.differ(one.variable[t], is(t)); });
    }
  }
}

// Of accesses of earlier rounds: made under a lock, at a place that does not change, or moves with
// what is accessed.
void at_accesses(Scene& scene) {
  smt::Context& c = scene.c;
  for (const Site& site : scene.loop.sites) {
    for (const Access& now : site.now) {
      for (std::size_t k = 0; k < site.locks.size(); ++k) {
        if (c.is_false(now.locks[k].held)) continue;
        const std::string where = fmt::format("the access at line {} ", now.place.line);
        const Term place = site.locks[k].place;
        scene.of_site("lock", where + "is under a lock", 0, site, site.locks[k].held);
        std::set<Term> places;
        choices(scene, now.locks[k].place, places);
        for (const Term here : places) {
          if (!scene.varies(here)) {
            scene.of_site("lock", where + "is under this lock", 0, site, c.equal(place, here));
            continue;
          }
          for (const std::uint64_t factor : {1U, 2U, 4U, 8U}) {
            const auto apart = [&](Term offset, Term lock) {
              return c.sub(c.scale(offset, factor), lock);
            };
            if (!scene.varies(apart(now.offset, here))) {
              scene.of_site("lock", where + "is under the lock of its place", 1, site,
                            c.equal(apart(site.offset, place), apart(now.offset, here)));
            }
            if (factor > 1 && !scene.varies(apart(here, now.offset))) {
              scene.of_site("lock", where + "is under the lock of its place", 1, site,
                            c.equal(apart(place, site.offset), apart(here, now.offset)));
            }
          }
        }
      }
    }
  }
}

}  // namespace

void held_locks(Scene& scene) {
  at_head(scene);
  at_accesses(scene);
}

}  // namespace headway::verify::rules
