// Certificates: those of the library are accepted, from their JSON, and none that lacks something.
#include <doctest/doctest.h>

#include <algorithm>
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
    return !every::objection_to(to_json(certificate));
  } catch (const Error&) {
    return false;
  }
}

// Leaves out each element of a list of the certificate, one at a time, and returns how many
// certificates without one are accepted.
template <class ListOf>
int accepted_without(const Certificate& whole, const ListOf& list_of, std::size_t step = 1) {
  int count = 0;
  Certificate copy = whole;
  const std::size_t size = list_of(copy).size();
  for (std::size_t i = 0; i < size; i += step) {
    Certificate mutant = whole;
    list_of(mutant).erase(list_of(mutant).begin() + static_cast<std::ptrdiff_t>(i));
    count += accepted(mutant);
  }
  return count;
}

std::vector<every::Round>& rounds_of(Certificate& c) { return c.rounds; }
std::vector<int>& stem_of(Certificate& c) { return c.stem; }
std::vector<int>& cycle_of(Certificate& c) { return c.cycle; }
std::vector<every::CountedPlace>& places_of(Certificate& c) { return c.counted->places; }

// Without a node, about which nothing else is said either.
Certificate without_node(Certificate certificate, std::uint32_t gone) {
  auto& nodes = certificate.counted->nodes;
  nodes.erase(nodes.begin() + gone);
  for (every::Round& round : certificate.rounds) {
    round.ranks.erase(round.ranks.begin() + gone);
    std::erase_if(round.owed, [&](const auto& owed) { return owed.first == gone; });
    for (auto& [node, place] : round.owed) node -= node > gone;
  }
  return certificate;
}

int accepted_without_nodes(const Certificate& whole, std::size_t step = 1) {
  int count = 0;
  for (std::size_t n = 0; n < whole.counted->nodes.size(); n += step) {
    count += accepted(without_node(whole, static_cast<std::uint32_t>(n)));
  }
  return count;
}

}  // namespace

TEST_CASE("every/certificate: what is none is refused") {
  for (const char* text : {"{}", "", "[1]", "{\"claim\": \"safe\", \"program\": 1}"}) {
    CHECK_THROWS_WITH_AS(every::objection_to(text), doctest::Contains("expected a certificate"),
                         Error);
  }
  CHECK_THROWS_AS(every::title_of("{}"), Error);
}

TEST_CASE("every/certificate: a weak proof needs each node, each round and each rank") {
  const Certificate whole = certificate("exchange-lock", {Promise::obe, Fairness::weak});
  CHECK(whole.claim == Certificate::Claim::pass);
  CHECK(accepted(whole));
  CHECK(accepted_without_nodes(whole) == 0);
  CHECK(accepted_without(whole, rounds_of) == 0);
  CHECK(accepted_without(whole, places_of) == 0);
  for (std::size_t n = 0; n < whole.counted->nodes.size(); ++n) {
    Certificate mutant = whole;
    mutant.counted->nodes[n].memory.cells[0] ^= 1;
    CHECK(!accepted(mutant));
  }
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

TEST_CASE(
    "every/certificate: no node comes twice, and places that are not counted have no number") {
  const Certificate whole = certificate("ttas-lock", {Promise::obe, Fairness::weak});
  Certificate mutant = whole;
  mutant.counted->nodes.push_back(mutant.counted->nodes.front());
  for (every::Round& round : mutant.rounds) round.ranks.push_back(round.ranks.front());
  CHECK(!accepted(mutant));
  mutant = whole;
  mutant.counted->places.push_back(mutant.counted->places.front());
  mutant.counted->caps.push_back(mutant.counted->caps.front());
  CHECK(!accepted(mutant));
  mutant = whole;
  every::CountedNode& node = mutant.counted->nodes.front();
  REQUIRE(!node.may.empty());
  node.counts.emplace_back(node.may.front(), 5);
  CHECK(!accepted(mutant));
}

TEST_CASE("every/certificate: a node needs everybody who stands there") {
  const Certificate whole = certificate("ttas-lock", {Promise::obe, Fairness::weak});
  int occupants = 0;
  for (std::size_t n = 0; n < whole.counted->nodes.size(); ++n) {
    const every::CountedNode& node = whole.counted->nodes[n];
    for (std::size_t c = 0; c < node.counts.size() + node.may.size(); ++c) {
      Certificate mutant = whole;
      auto& counts = mutant.counted->nodes[n].counts;
      auto& may = mutant.counted->nodes[n].may;
      const auto at = static_cast<std::ptrdiff_t>(c);
      const auto counted = static_cast<std::ptrdiff_t>(counts.size());
      if (at < counted) counts.erase(counts.begin() + at);
      if (at >= counted) may.erase(may.begin() + (at - counted));
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

TEST_CASE("every/certificate: a strong proof needs each node and who owes a step there") {
  const Certificate whole = certificate("try-locks", {Promise::obe, Fairness::strong});
  CHECK(accepted(whole));
  CHECK(accepted_without_nodes(whole, 17) == 0);
  CHECK(accepted_without(whole, places_of) == 0);
  Certificate mutant = whole;
  // Of a node where a step is left only who is owed one tells why it is not come to for ever.
  mutant.rounds.front().owed.clear();
  CHECK(!accepted(mutant));
  mutant = whole;
  mutant.rounds.pop_back();
  CHECK(!accepted(mutant));
}

TEST_CASE("every/certificate: a fail needs each step and the premises of its threshold") {
  const Certificate whole = certificate("exchange-lock", {Promise::hsa, Fairness::weak});
  CHECK(whole.claim == Certificate::Claim::fail);
  CHECK(whole.newcomer == Certificate::Newcomer::idle);
  CHECK(accepted_without(whole, cycle_of) == 0);
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
    Certificate mutant = whole;
    for (std::size_t p = 0; p < whole.row->places.size(); ++p) {
      mutant = whole;
      mutant.row->places.erase(mutant.row->places.begin() + static_cast<std::ptrdiff_t>(p));
      for (auto& round : mutant.rounds) {
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
    mutant.rounds.clear();
    CHECK(!accepted(mutant));
    // About any thread, and with all variables anybody's.
    mutant = whole;
    mutant.row->below_ended = false;
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

TEST_CASE("every/certificate: in a row a loop counts that is entered before all below have ended") {
  const std::string text =
      "idiom early\nN = 2;\nshared bool done[N];\nshared bool x;\nthread 0 { store(done[0], 1); }\n"
      "threads 1..N-1 {\n  if (!load(done[tid - 1])) while (!load(x));\n"
      "  store(done[tid], 1);\n}\n";
  const FamilyAnswer family = decided_for(text, {Promise::hsa, Fairness::weak});
  CHECK(family.answers.front().to_string() == "fail from 2");
  REQUIRE((family.safety && family.safety->row));
  CHECK(accepted(*family.safety));
  // All steps but that of the loop, which nobody enters when all below have ended, lead on.
  Certificate mutant = *family.safety;
  mutant.claim = Certificate::Claim::pass;
  mutant.reading = {Promise::hsa, Fairness::weak};
  mutant.row->below_ended = true;
  const auto& places = mutant.row->places;
  every::Round& round = mutant.rounds.emplace_back();
  for (std::size_t p = 0; p < places.size(); ++p) {
    round.ranks.push_back(static_cast<std::uint32_t>(places.size() - p));
  }
  const auto objection = every::objection_to(to_json(mutant));
  REQUIRE(objection.has_value());
  CHECK(*objection == "1 steps are left that may go on for ever");
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
    CHECK(whole.counted->symbolic);
    CHECK(accepted(whole));
    Certificate mutant = whole;
    for (std::size_t n = 0; n < whole.counted->nodes.size(); ++n) {
      CHECK(!accepted(without_node(whole, static_cast<std::uint32_t>(n))));
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
      // What was "so many or more" is a number now, where more may come. (Who has ended may be the
      // one special.)
      const bool ended = whole.counted->places[p].stage == every::CountedPlace::Stage::ended;
      mutant = whole;
      const int place = static_cast<int>(p), cap = mutant.counted->caps[p]++;
      const bool or_more = std::any_of(
          whole.counted->nodes.begin(), whole.counted->nodes.end(), [&](const auto& node) {
            return std::count(node.counts.begin(), node.counts.end(), std::pair{place, cap}) > 0;
          });
      CHECK((ended || !or_more || !accepted(mutant)));
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

TEST_CASE("every/certificate: specials are counted, and promised what their ids are") {
  const std::string text =
      "idiom flag\nN = 2;\nshared bool x;\nthread 0 { store(x, 1); }\n"
      "threads 1..N-1 { while (!load(x)); }\n";
  const FamilyAnswer family = decided_for(text, {Promise::hsa, Fairness::weak});
  CHECK(family.answers.front().to_string() == "pass");
  REQUIRE(family.answers.front().certificate.has_value());
  const Certificate whole = *family.answers.front().certificate;
  CHECK(accepted(whole));
  CHECK(accepted_without_nodes(whole) == 0);
  Certificate mutant = whole;
  mutant.reading.promise = Promise::obe;  // thread 0 need not start
  CHECK(!accepted(mutant));
  // Where a special is not counted nobody knows whether it is alive.
  for (std::size_t p = 0; p < whole.counted->places.size(); ++p) {
    const auto stands = [&](const every::CountedNode& node) {
      return std::count(node.counts.begin(), node.counts.end(), std::pair{static_cast<int>(p), 1});
    };
    const auto& nodes = whole.counted->nodes;
    if (whole.counted->places[p].kind != 0 || std::none_of(nodes.begin(), nodes.end(), stands)) {
      continue;
    }
    mutant = whole;
    mutant.counted->caps[p] = 0;
    for (every::CountedNode& node : mutant.counted->nodes) {
      std::erase_if(node.counts, [&](const auto& at) { return at.first == static_cast<int>(p); });
      node.may.insert(std::lower_bound(node.may.begin(), node.may.end(), static_cast<int>(p)),
                      static_cast<int>(p));
    }
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
  CHECK(accepted_without(whole, stem_of) == 0);
}
