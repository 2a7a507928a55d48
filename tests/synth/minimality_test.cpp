// Minimal tests, held against the definition of docs/reference/synthesis.md without what makes the
// search fast: no key, nothing remembered, every program of the closure decided anew.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <set>
#include <tuple>
#include <utility>

#include "base/file.hpp"
#include "base/parallel.hpp"
#include "lang/axb/canonical.hpp"
#include "lang/axb/program.hpp"
#include "lang/axb/source.hpp"
#include "languages/languages.hpp"
#include "models/library.hpp"
#include "oracle/oracle.hpp"
#include "support/axb.hpp"
#include "support/files.hpp"
#include "support/placed.hpp"
#include "synth/reduction.hpp"
#include "synth/synthesize.hpp"

using namespace headway;
namespace axb = lang::axb;
using synth::Request;
using synth::RunOptions;
using synth::VerdictVector;
using testing::placed;

namespace {

struct Found {
  synth::Bounds bounds;
  synth::Shape shape;
  synth::Instructions code;

  axb::Code program() const { return synth::to_code(bounds, shape, code); }
  friend bool operator==(const Found&, const Found&) = default;
};

std::vector<Found> synthesized(const Request& request, const RunOptions& options = {}) {
  std::vector<Found> found;
  const synth::RunResult result =
      synth::synthesize(request, options, [&](const synth::Batch& batch) {
        for (std::size_t i = 0; i < batch.size(); ++i) {
          const auto code = batch.code(i);
          found.push_back({*batch.bounds, *batch.shape, {code.begin(), code.end()}});
        }
      });
  CHECK(result.complete);
  return found;
}

Request request_of(std::vector<synth::Bounds> bounds, bool minimal) {
  Request request;
  request.bounds = std::move(bounds);
  if (minimal) request.minimal_for = models::Library().standard();
  return request;
}

// An order of programs by all that they are, location by location and field by field.
struct Before {
  bool operator()(const axb::Code& a, const axb::Code& b) const {
    const std::string placed_a = a.topology().placement(), placed_b = b.topology().placement();
    if (placed_a != placed_b) return placed_a < placed_b;
    const auto by_field = [](const axb::Instruction& x, const axb::Instruction& y) {
      const auto fields = [](const axb::Instruction& i) {
        return std::tuple(i.location, i.check_value, i.jump, i.exchanges, i.exchange_value,
                          i.barrier);
      };
      return fields(x) < fields(y);
    };
    return std::lexicographical_compare(
        a.threads.begin(), a.threads.end(), b.threads.begin(), b.threads.end(),
        [&](const axb::Thread& x, const axb::Thread& y) {
          return std::lexicographical_compare(x.instructions.begin(), x.instructions.end(),
                                              y.instructions.begin(), y.instructions.end(),
                                              by_field);
        });
  }
};

// Whether a test reduces to a program with its row, where `row` gives the rows. Locations keep
// their numbers, so that of equal programs some may be looked at twice.
template <class Row>
bool reduces_to_its_row(const axb::Code& test, const Row& row) {
  const auto wanted = row(test);
  std::set<axb::Code, Before> seen;
  std::vector<axb::Code> open = {test};
  for (std::size_t at = 0; at < open.size(); ++at) {
    for (const synth::Reduction& step : synth::reductions(open[at])) {
      axb::Code reduced = synth::apply(open[at], step);
      if (!seen.insert(reduced).second) continue;
      if (row(reduced) == wanted) return true;
      open.push_back(std::move(reduced));
    }
  }
  return false;
}

VerdictVector checked(const axb::Code& test, const std::vector<models::ModelPtr>& models) {
  return checker::Checker().check(axb::AxbProgram(test), models).verdicts;
}

// By the oracle, which shares nothing with the checker.
template <class OracleModels>
std::vector<bool> row_by_oracle(const axb::Code& code, const OracleModels& models) {
  const lang::Test test = axb::make_test(code);
  std::vector<bool> row;
  for (const auto& model : models) {
    const auto lts = oracle::explore(test, model);
    REQUIRE(lts);
    for (const models::Fairness fairness : models::kFairnesses) {
      row.push_back(oracle::passes(*lts, fairness));
    }
  }
  return row;
}

std::vector<bool> by_oracle(const axb::Code& code) {
  return row_by_oracle(code, oracle::set_models());
}

// Under the 36 pairs of a model for workgroups and one for threads.
std::vector<bool> pairs_by_oracle(const axb::Code& code) {
  static const std::vector<oracle::ScopedModel> pairs = [] {
    std::vector<oracle::ScopedModel> result;
    for (const oracle::Model& workgroup : oracle::set_models()) {
      for (const oracle::Model& thread : oracle::set_models()) {
        result.emplace_back(workgroup);
        result.back().thread = thread.form;
      }
    }
    return result;
  }();
  return row_by_oracle(code, pairs);
}

// For the standard models of a launch.
Request minimal_in(const synth::Bounds& bounds, int shard = 0, int shards = 1) {
  Request request;
  request.bounds = {bounds};
  request.minimal_for = models::Library().standard(bounds.topology());
  request.shard = shard;
  request.shards = shards;
  return request;
}

// The tests of `request` that are minimal by the definition, in order. Also that each of them has
// nothing to be reduced to for `headway reduce`.
std::vector<Found> minimal_by_definition(Request request) {
  const auto models = std::exchange(request.minimal_for, {});
  const std::vector<Found> all = synthesized(request);
  std::vector<char> minimal(all.size());
  std::atomic<int> reduced{0};
  parallel_for(all.size(), [&](std::size_t t) {
    const axb::Code test = all[t].program();
    minimal[t] = !reduces_to_its_row(test, [&](const auto& code) { return checked(code, models); });
    if (minimal[t] != 0 && !synth::Minimality(models).smallest(test).empty()) ++reduced;
  });
  CHECK(reduced == 0);
  std::vector<Found> result;
  for (std::size_t t = 0; t < all.size(); ++t) {
    if (minimal[t] != 0) result.push_back(all[t]);
  }
  return result;
}

// Some of the programs of a size: every so-many-th of its cubes.
Request part(const synth::Bounds& bounds, int shard, int shards) {
  Request request = request_of({bounds}, true);
  request.shard = shard;
  request.shards = shards;
  return request;
}

// The bytes of a test, and of all of them.
std::string bytes(const std::vector<Found>& tests) {
  std::string result;
  for (const Found& test : tests) result += lang::print(axb::make_test(test.program())) + "\n";
  return result;
}

}  // namespace

TEST_CASE("synth/minimality: the minimal tests are those of the definition") {
  for (const Request& request :
       {request_of({{2, 2, 2, 2}, {2, 3, 2, 2}, {3, 3, 2, 2}}, true), part({2, 4, 2, 2}, 1, 6),
        part({3, 4, 2, 2}, 2, 6), part({2, 5, 2, 2}, 29, 80), part({3, 5, 2, 2}, 58, 80),
        part({2, 3, 3, 3}, 1, 3)}) {
    const std::vector<Found> found = synthesized(request);
    CHECK(found == minimal_by_definition(request));
    CHECK(!found.empty());
  }
}

// All of five instructions, the first size at which programs had one key.
TEST_CASE("synth/minimality: all minimal tests of five instructions are those of the definition") {
  if (std::getenv("HEADWAY_MINIMAL") == nullptr) return;
  for (const int threads : {2, 3, 4, 5}) {
    const Request request = request_of({{threads, 5, 2, 2}}, true);
    const std::vector<Found> found = synthesized(request);
    MESSAGE(threads << " threads: " << found.size() << " minimal tests");
    CHECK(found == minimal_by_definition(request));
  }
}

TEST_CASE("synth/minimality: the minimal tests are those of the oracle's verdicts") {
  for (const Request& request : {request_of({{2, 2, 2, 2}, {2, 3, 2, 2}, {3, 3, 2, 2}}, true)}) {
    Request all = request;
    all.minimal_for.clear();
    std::vector<Found> minimal;
    for (const Found& test : synthesized(all)) {
      if (!reduces_to_its_row(test.program(), by_oracle)) minimal.push_back(test);
    }
    CHECK(synthesized(request) == minimal);
    CHECK(minimal.size() == 4 + 17 + 3);
  }
}

TEST_CASE("synth/minimality: the minimal tests of placed threads are those of the definition") {
  const synth::Bounds::Barriers workgroup{.workgroup = true};
  for (const Request& request :
       {minimal_in(placed({{2}, {1}}, 3)), minimal_in(placed({{1}, {2}}, 3)),
        minimal_in(placed({{3}}, 3)), minimal_in(placed({{2}}, 4, workgroup), 2, 8),
        minimal_in(placed({{2}, {1}}, 4, workgroup), 3, 24)}) {
    const std::vector<Found> found = synthesized(request);
    CHECK(found == minimal_by_definition(request));
    CHECK(!found.empty());
  }
}

TEST_CASE("synth/minimality: the minimal tests of placed threads are those of the oracle") {
  std::vector<std::size_t> counts;
  for (const synth::Bounds& bounds :
       {placed({{2}, {1}}, 3), placed({{1}, {2}}, 3), placed({{3}}, 3)}) {
    Request all = minimal_in(bounds);
    all.minimal_for.clear();
    std::vector<Found> minimal;
    for (const Found& test : synthesized(all)) {
      if (!reduces_to_its_row(test.program(), pairs_by_oracle)) minimal.push_back(test);
    }
    CHECK(synthesized(minimal_in(bounds)) == minimal);
    counts.push_back(minimal.size());
  }
  CHECK(counts == std::vector<std::size_t>{14, 18, 3});
}

// One workgroup has the minimal tests of a flat launch, as the models of threads rule there; and
// the first that need a barrier.
TEST_CASE("synth/minimality: of one workgroup those of a flat launch are minimal") {
  const auto minimal = [](const synth::Bounds& bounds) {
    return synthesized(minimal_in(bounds)).size();
  };
  CHECK(minimal(placed({{2}}, 3)) == 17);
  CHECK(minimal(placed({{2}}, 4)) == 166);
  CHECK(minimal(placed({{3}}, 4)) == 166);
  std::vector<std::string> with_barrier;
  for (const Found& found : synthesized(minimal_in(placed({{2}}, 4, {.workgroup = true})))) {
    const axb::Code test = found.program();
    if (test.has_barriers()) with_barrier.push_back(lang::print(axb::make_test(test)));
  }
  CHECK(with_barrier == std::vector<std::string>{"locations x;\n"
                                                 "\n"
                                                 "workgroup 0 {\n"
                                                 "  thread 0 {\n"
                                                 "    barrier(workgroup);\n"
                                                 "    while (Load(x) == 0);\n"
                                                 "  }\n"
                                                 "  thread 1 {\n"
                                                 "    barrier(workgroup);\n"
                                                 "    x = 1;\n"
                                                 "  }\n"
                                                 "}\n",
                                                 "locations x;\n"
                                                 "\n"
                                                 "workgroup 0 {\n"
                                                 "  thread 0 {\n"
                                                 "    barrier(workgroup);\n"
                                                 "    x = 1;\n"
                                                 "  }\n"
                                                 "  thread 1 {\n"
                                                 "    barrier(workgroup);\n"
                                                 "    while (Load(x) == 0);\n"
                                                 "  }\n"
                                                 "}\n"});
}

TEST_CASE("synth/minimality: of tests that differ in the order of siblings one is kept") {
  Request request;
  request.bounds = {placed({{2}, {2}}, 4, {.workgroup = true})};
  const std::vector<Found> all = synthesized(request);
  const auto models = models::Library().find_all("OBE;workgroup=OBE,thread=unfair;fair");
  for (const auto symmetric : {synth::Symmetric::thread, synth::Symmetric::all}) {
    request.symmetric = symmetric;
    const std::vector<Found> kept = synthesized(request);
    CHECK(kept.size() < all.size());
    CHECK(std::includes(all.begin(), all.end(), kept.begin(), kept.end(),
                        [](const Found& a, const Found& b) {
                          return synth::comes_before(a.shape, a.code, b.shape, b.code);
                        }));
    // Which verdicts there are is the same.
    const auto rows = [&](const std::vector<Found>& tests) {
      std::set<std::string> result;
      for (const Found& test : tests) {
        std::string row;
        for (const auto& verdict : checked(test.program(), models)) {
          row += to_string(verdict.weak) + to_string(verdict.strong) + " ";
        }
        result.insert(row);
      }
      return result;
    };
    CHECK(rows(kept) == rows(all));
  }
  CHECK_THROWS_WITH_AS(
      synth::require_no_ids(models::Library().find_all("workgroup=HSA,thread=fair"),
                            Topology(2, 1, 2), synth::Symmetric::all),
      "model workgroup=HSA looks at the ids of workgroups; expected models that do not where their "
      "order is to make no difference",
      Error);
  synth::require_no_ids(models::Library().find_all("workgroup=HSA,thread=fair"), Topology(2, 1, 2),
                        synth::Symmetric::thread);
}

TEST_CASE("synth/minimality: what is remembered makes no difference") {
  const auto models = models::Library().standard();
  synth::Minimality all(models), some(models, 10), none(models, 0);
  std::size_t minimal = 0;
  Request request = part({2, 5, 2, 2}, 29, 80);
  request.minimal_for.clear();
  for (const Found& found : synthesized(request)) {
    const axb::Code test = found.program();
    const bool is_minimal = all.is_minimal(test);
    minimal += is_minimal ? 1 : 0;
    if (some.is_minimal(test) != is_minimal || none.is_minimal(test) != is_minimal) {
      CAPTURE(lang::print(axb::make_test(test)));
      CHECK(some.is_minimal(test) == is_minimal);
      CHECK(none.is_minimal(test) == is_minimal);
    }
  }
  CHECK(minimal > 0);
}

TEST_CASE("synth/minimality: a set is the same bytes for all numbers of cores and in parts") {
  std::vector<Request> requests = {request_of({{2, 4, 2, 2}, {3, 4, 2, 2}}, true),
                                   part({2, 5, 2, 2}, 9, 20)};
  if (std::getenv("HEADWAY_MINIMAL") != nullptr) {
    requests.push_back(request_of({{2, 5, 2, 2}, {3, 5, 2, 2}}, true));
  }
  for (Request& request : requests) {
    const std::string whole = bytes(synthesized(request));
    for (const int jobs : {2, 3}) {
      RunOptions options;
      options.jobs = jobs;
      CHECK(bytes(synthesized(request, options)) == whole);
    }
    // A checkpoint that a kill has cut.
    const testing::TemporaryFolder folder;
    RunOptions options;
    options.checkpoint = folder.path() / "checkpoint";
    CHECK(bytes(synthesized(request, options)) == whole);
    const std::string full = read_file(options.checkpoint);
    write_file(options.checkpoint, full.substr(0, full.size() / 2));
    options.jobs = 2;
    CHECK(bytes(synthesized(request, options)) == whole);
    if (request.shards > 1) continue;
    std::vector<Found> joined;
    request.shards = 3;
    for (request.shard = 0; request.shard < 3; ++request.shard) {
      for (Found& found : synthesized(request)) joined.push_back(std::move(found));
    }
    std::sort(joined.begin(), joined.end(), [](const Found& a, const Found& b) {
      const std::pair size_a(a.bounds.threads, a.bounds.instructions);
      const std::pair size_b(b.bounds.threads, b.bounds.instructions);
      if (size_a != size_b) return size_a < size_b;
      return synth::comes_before(a.shape, a.code, b.shape, b.code);
    });
    CHECK(bytes(joined) == whole);
  }
}

// It was listed, as a program that it reduces to had the key of one that had been looked at.
TEST_CASE("synth/minimality: a test that reduces to its row by several steps is not minimal") {
  const auto models = models::Library().standard();
  const axb::Code test =
      testing::axb_code(lang::parse("locations x, y;\n"
                                    "thread 0 { if (Load(x) == 0) goto B; A: while (Load(y) == 0);"
                                    " B: if (Load(y) == 0) goto A; }\n"
                                    "thread 1 { while (Exch(x, 1) == 0); y = 1; }",
                                    "f"));
  CHECK(!synth::Minimality(models).is_minimal(test));
  const auto smallest = synth::Minimality(models).smallest(test);
  REQUIRE(smallest.size() == 1);
  CHECK(axb::code_key(smallest.front().test) ==
        lang::program_key(lang::parse("locations y; thread 0 { while (Load(y) == 0); }\n"
                                      "thread 1 { y = 1; }",
                                      "f")));
}
