// Certificates: those of the library are accepted, from their JSON, and none that lacks something.
#include <doctest/doctest.h>

#include <map>

#include "every/check_certificate.hpp"
#include "every/decide.hpp"
#include "lang/idiom/library.hpp"

using namespace headway;
using every::Answer;
using every::Certificate;
using every::FamilyAnswer;
using every::Promise;
using every::Reading;
using models::Fairness;

namespace {

std::string_view idiom(const std::string& name) {
  for (const auto& idiom : lang::idiom::library()) {
    if (idiom.name == name) return idiom.content;
  }
  FAIL("no idiom " << name);
  return {};
}

FamilyAnswer decided_for(std::string_view text, Reading reading) {
  return every::decide_every(text, "test", {reading});
}

Certificate certificate(const std::string& name, Reading reading) {
  const FamilyAnswer family = decided_for(idiom(name), reading);
  REQUIRE(family.answers.front().certificate.has_value());
  return *family.answers.front().certificate;
}

bool accepted(const Certificate& certificate) {
  try {
    return !every::objection_to(certificate);
  } catch (const Error&) {
    return false;
  }
}

// Leaves out each element of a list, one at a time, and returns how many certificates without one
// are accepted.
template <class List>
int accepted_without(Certificate certificate, List Certificate::*member, std::size_t step = 1) {
  int count = 0;
  const List whole = certificate.*member;
  for (std::size_t i = 0; i < whole.size(); i += step) {
    certificate.*member = whole;
    (certificate.*member).erase((certificate.*member).begin() + static_cast<std::ptrdiff_t>(i));
    count += accepted(certificate);
  }
  return count;
}

}  // namespace

TEST_CASE("every/certificate: JSON holds all of it") {
  for (const Reading reading : {Reading{Promise::obe, Fairness::strong}, {Promise::obe}}) {
    const Certificate first = certificate("try-locks", reading);
    const std::string text = to_json(first);
    const Certificate second = every::certificate_of(text, "test");
    CHECK(to_json(second) == text);
    CHECK(accepted(second));
  }
}

TEST_CASE("every/certificate: what is none is refused") {
  CHECK_THROWS_WITH_AS(every::certificate_of("{}", "a.json"),
                       doctest::Contains("expected a certificate"), Error);
  CHECK_THROWS_AS(every::certificate_of("", "a.json"), Error);
}

TEST_CASE("every/certificate: a weak proof needs each node, each round and each rank") {
  const Certificate whole = certificate("exchange-lock", {Promise::obe, Fairness::weak});
  CHECK(whole.claim == Certificate::Claim::pass);
  CHECK(accepted(whole));
  CHECK(accepted_without(whole, &Certificate::nodes) == 0);
  CHECK(accepted_without(whole, &Certificate::rounds) == 0);
  CHECK(accepted_without(whole, &Certificate::places) == 0);
  Certificate forgetful = whole;
  forgetful.memories.erase(forgetful.memories.begin());
  CHECK(!accepted(forgetful));
  for (std::size_t r = 0; r < whole.rounds.size(); ++r) {
    Certificate mutant = whole;
    mutant.rounds[r].ranks.pop_back();
    CHECK(!accepted(mutant));
    for (std::size_t o = 0; o < whole.rounds[r].owed.size(); ++o) {
      mutant = whole;
      mutant.rounds[r].owed.erase(mutant.rounds[r].owed.begin() + static_cast<std::ptrdiff_t>(o));
      CHECK(!accepted(mutant));
    }
  }
}

TEST_CASE("every/certificate: a node needs everybody who stands there") {
  const Certificate whole = certificate("ttas-lock", {Promise::obe, Fairness::weak});
  int occupants = 0;
  for (std::size_t n = 0; n < whole.nodes.size(); ++n) {
    for (std::size_t c = 0; c < whole.nodes[n].counts.size(); ++c) {
      Certificate mutant = whole;
      auto& counts = mutant.nodes[n].counts;
      counts.erase(counts.begin() + static_cast<std::ptrdiff_t>(c));
      CHECK(!accepted(mutant));
      ++occupants;
    }
    for (std::size_t p = 0; p < whole.nodes[n].may.size(); ++p) {
      if (!whole.nodes[n].may[p]) continue;
      Certificate mutant = whole;
      mutant.nodes[n].may[p] = false;
      CHECK(!accepted(mutant));
      ++occupants;
    }
  }
  CHECK(occupants > 5);
}

TEST_CASE("every/certificate: no proof shows another reading that fails") {
  Certificate mutant = certificate("exchange-lock", {Promise::obe, Fairness::weak});
  for (const Promise promise : {Promise::unfair, Promise::hsa}) {
    for (const Fairness fairness : models::kFairnesses) {
      mutant.reading = {promise, fairness};
      CHECK(!accepted(mutant));
    }
  }
  mutant = certificate("try-locks", {Promise::obe, Fairness::strong});
  CHECK(accepted(mutant));
  mutant.reading.fairness = Fairness::weak;
  CHECK(!accepted(mutant));
}

TEST_CASE("every/certificate: a strong proof needs the nodes, and ways out that get nearer") {
  const Certificate whole = certificate("try-locks", {Promise::obe, Fairness::strong});
  REQUIRE(!whole.escapes.empty());
  CHECK(accepted_without(whole, &Certificate::nodes, 17) == 0);
  Certificate mutant = whole;
  mutant.escapes.clear();
  CHECK(!accepted(mutant));
  // Those that end somebody at once are what all others lead to.
  mutant.escapes.clear();
  for (const every::Escape& escape : whole.escapes) {
    if (escape.distance > 0) mutant.escapes.push_back(escape);
  }
  CHECK(!accepted(mutant));
  mutant = whole;
  for (every::Escape& escape : mutant.escapes) escape.distance = 0;
  CHECK(!accepted(mutant));
  mutant = whole;
  for (every::Escape& escape : mutant.escapes) escape.crowd.clear();
  CHECK(!accepted(mutant));
}

TEST_CASE("every/certificate: a fail needs each step and the premises of its threshold") {
  const Certificate whole = certificate("exchange-lock", {Promise::hsa, Fairness::weak});
  CHECK(whole.claim == Certificate::Claim::fail);
  CHECK(whole.newcomer == Certificate::Newcomer::idle);
  CHECK(accepted_without(whole, &Certificate::cycle) == 0);
  Certificate mutant = whole;
  mutant.reading.promise = Promise::obe;
  CHECK(!accepted(mutant));
  mutant = whole;
  mutant.n = 1;
  CHECK(!accepted(mutant));
  // Under fair a newcomer that stands aside would be owed a step; here it can come and go.
  const Certificate fair = certificate("try-locks", {Promise::fair, Fairness::weak});
  CHECK(fair.newcomer == Certificate::Newcomer::restoring);
  mutant = fair;
  mutant.newcomer = Certificate::Newcomer::idle;
  CHECK(!accepted(mutant));
}

TEST_CASE("every/certificate: where programs mention N a run must be one of more threads") {
  Certificate mutant = certificate("exchange-lock", {Promise::obe, Fairness::weak});
  mutant.program = idiom("ticket-lock");
  CHECK(!accepted(mutant));
  const Certificate whole = certificate("counter-barrier", {Promise::hsa, Fairness::weak});
  CHECK(whole.newcomer == Certificate::Newcomer::idle);
  CHECK(accepted(whole));
  // Of three threads two leave; they do so for no other N.
  mutant = whole;
  const std::string wait = "while (load(arrived) != N);";
  mutant.program.replace(mutant.program.find(wait), wait.size(),
                         "if (load(arrived) == N - 1) while (1);");
  CHECK(!accepted(mutant));
}

TEST_CASE("every/certificate: threads in a row need each place and each set") {
  for (const char* name : {"chained-scan", "decoupled-look-back-acquired", "ticket-lock"}) {
    CAPTURE(name);
    const Certificate whole = certificate(name, {Promise::lobe, Fairness::weak});
    REQUIRE(whole.row.has_value());
    CHECK(accepted(whole));
    CHECK(accepted(every::certificate_of(to_json(whole), "test")));
    Certificate mutant = whole;
    for (std::size_t p = 0; p < whole.row->places.size(); ++p) {
      mutant = whole;
      mutant.row->places.erase(mutant.row->places.begin() + static_cast<std::ptrdiff_t>(p));
      for (auto& round : mutant.row_proof.rounds) {
        round.ranks.erase(round.ranks.begin() + static_cast<std::ptrdiff_t>(p));
      }
      CHECK(!accepted(mutant));
    }
    for (const auto& [owner, values] : whole.row->sets.seen) {
      for (const std::int64_t value : values) {
        mutant = whole;
        mutant.row->sets.seen[owner].erase(value);
        CHECK(!accepted(mutant));
      }
    }
    for (const auto& [owner, values] : whole.row->sets.last) {
      mutant = whole;
      mutant.row->sets.last.erase(owner);
      CHECK(!accepted(mutant));
    }
    mutant = whole;
    mutant.row->sets.handed.clear();
    CHECK((!accepted(mutant) || std::string(name) != "ticket-lock"));
    mutant = whole;
    mutant.row_proof.rounds.clear();
    CHECK(!accepted(mutant));
    // About any thread, and with all variables anybody's.
    mutant = whole;
    mutant.row_proof.below_ended = false;
    CHECK(!accepted(mutant));
    mutant = whole;
    mutant.row->sets.roles.assign(mutant.row->sets.roles.size(), every::Role::any);
    CHECK(!accepted(mutant));
    mutant = whole;
    mutant.reading.promise = Promise::unfair;
    CHECK(!accepted(mutant));
    // Positions that are ids need HSA, and such as are drawn OBE.
    mutant.reading.promise = whole.row->sets.drawn ? Promise::hsa : Promise::obe;
    CHECK(!accepted(mutant));
  }
}

TEST_CASE("every/certificate: counted threads need each node, each place and each round") {
  const std::map<std::string, Promise> weakest = {{"counter-barrier", Promise::fair},
                                                  {"producer-consumer-two-way", Promise::fair},
                                                  {"sense-barrier", Promise::fair},
                                                  {"work-queue", Promise::unfair}};
  for (const auto& row : weakest) {
    const auto& name = row.first;
    const auto& promise = row.second;
    CAPTURE(name);
    const Certificate whole = certificate(name, {promise, Fairness::weak});
    REQUIRE(whole.counted.has_value());
    CHECK(accepted(whole));
    CHECK(accepted(every::certificate_of(to_json(whole), "test")));
    Certificate mutant = whole;
    for (std::size_t n = 0; n < whole.counted->nodes.size(); ++n) {
      mutant = whole;
      mutant.counted->nodes.erase(mutant.counted->nodes.begin() + static_cast<std::ptrdiff_t>(n));
      for (auto& round : mutant.rounds) {
        round.ranks.erase(round.ranks.begin() + static_cast<std::ptrdiff_t>(n));
      }
      CHECK(!accepted(mutant));
      // A place less at a node.
      if (whole.counted->nodes[n].counts.empty()) continue;
      mutant = whole;
      mutant.counted->nodes[n].counts.pop_back();
      CHECK(!accepted(mutant));
    }
    for (std::size_t p = 0; p < whole.counted->places.size(); ++p) {
      mutant = whole;
      mutant.counted->places[p].kind = 7;
      CHECK(!accepted(mutant));
      mutant = whole;
      mutant.counted->caps[p] = 0;
      CHECK(!accepted(mutant));
    }
    for (std::size_t r = 0; r < whole.rounds.size(); ++r) {
      mutant = whole;
      mutant.rounds[r].owed.clear();
      const bool owes = !whole.rounds[r].owed.empty();
      CHECK((!owes || !accepted(mutant)));
    }
    mutant = whole;
    mutant.rounds.clear();
    CHECK((!accepted(mutant) || name == "work-queue"));
    if (promise == Promise::unfair) continue;
    mutant = whole;
    mutant.reading.promise = Promise::obe;
    CHECK(!accepted(mutant));
  }
}

TEST_CASE("every/certificate: an error needs a step that goes wrong") {
  const std::string text =
      "idiom broken\nN = 2;\nshared bool x;\nthreads { assert(exch(x, 1) == 0); }\n";
  const FamilyAnswer family = decided_for(text, {Promise::fair, Fairness::weak});
  CHECK(family.answers.front().to_string() == "error from 2");
  REQUIRE(family.answers.front().certificate.has_value());
  const Certificate whole = *family.answers.front().certificate;
  CHECK(accepted(whole));
  CHECK(accepted_without(whole, &Certificate::stem) == 0);
}
