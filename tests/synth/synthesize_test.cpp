#include "synth/synthesize.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <atomic>
#include <fstream>
#include <random>
#include <set>

#include "base/bits/hash.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "models/library.hpp"
#include "support/files.hpp"

using namespace headway;
using synth::Batch;
using synth::Request;
using synth::RunOptions;

namespace {

struct Collected {
  std::vector<std::pair<synth::Shape, synth::Instructions>> tests;
  synth::RunResult result;
};

Collected collect(const Request& request, const RunOptions& options = {}) {
  Collected collected;
  collected.result = synth::synthesize(request, options, [&](const Batch& batch) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const auto code = batch.code(i);
      collected.tests.emplace_back(*batch.shape, synth::Instructions(code.begin(), code.end()));
    }
  });
  return collected;
}

Request request_of(std::vector<synth::Bounds> bounds) {
  Request request;
  request.bounds = std::move(bounds);
  return request;
}

}  // namespace

TEST_CASE("synth/synthesize: output is sorted and does not depend on the number of cores") {
  const Request request = request_of({{2, 3, 2, 2}, {3, 4, 2, 2}});
  const Collected one = collect(request);
  CHECK(one.tests.size() == 176 + 4260);
  for (std::size_t i = 1; i < one.tests.size(); ++i) {
    const auto& [shape_a, a] = one.tests[i - 1];
    const auto& [shape_b, b] = one.tests[i];
    if (shape_a.size() == shape_b.size()) CHECK(synth::comes_before(shape_a, a, shape_b, b));
  }
  RunOptions four;
  four.jobs = 4;
  CHECK(collect(request, four).tests == one.tests);
}

TEST_CASE("synth/synthesize: shards hold every test once") {
  Request request = request_of({{2, 4, 2, 2}});
  const Collected whole = collect(request);
  std::vector<std::pair<synth::Shape, synth::Instructions>> joined;
  request.shards = 3;
  for (request.shard = 0; request.shard < 3; ++request.shard) {
    const Collected part = collect(request);
    CHECK(part.tests.size() > 1000);
    joined.insert(joined.end(), part.tests.begin(), part.tests.end());
  }
  std::sort(joined.begin(), joined.end(), [](const auto& a, const auto& b) {
    return synth::comes_before(a.first, a.second, b.first, b.second);
  });
  CHECK(joined == whole.tests);
}

TEST_CASE("synth/synthesize: shards of finer cubes hold every test once, at any number of them") {
  Request request = request_of({{2, 3, 2, 2}, {3, 3, 2, 2}});
  const Collected whole = collect(request);
  request.cube_programs = 20;
  CHECK(collect(request).tests == whole.tests);
  for (const int shards : {2, 7, 1000}) {
    request.shards = shards;
    std::multiset<std::pair<synth::Shape, std::string>> joined, expected;
    const auto add = [](auto& to, const Collected& part) {
      for (const auto& [shape, code] : part.tests) {
        std::string text;
        for (const auto& i : code) {
          for (const int field :
               {+i.location, +i.check_value, +i.jump, +i.exchanges, +i.exchange_value}) {
            text += static_cast<char>('0' + field);
          }
        }
        to.emplace(shape, text);
      }
    };
    for (request.shard = 0; request.shard < shards; ++request.shard) add(joined, collect(request));
    add(expected, whole);
    CHECK(joined == expected);
  }
}

TEST_CASE("synth/synthesize: a count is how many tests there are, in all and of all parts") {
  synth::Bounds placed{3, 4, 2, 2};
  placed.placement = Topology::placed({{2}, {1}});
  placed.barriers.workgroup = true;
  for (const synth::Bounds& bounds :
       {synth::Bounds{2, 4, 2, 2}, synth::Bounds{3, 4, 2, 2}, synth::Bounds{4, 4, 2, 2},
        synth::Bounds{2, 3, 3, 3}, placed}) {
    Request request = request_of({bounds});
    const std::size_t expected = collect(request).tests.size();
    RunOptions options;
    options.count_only = true;
    CHECK(synth::synthesize(request, options, {}).tests == expected);
    std::size_t sum = 0;
    request.shards = 4;
    for (request.shard = 0; request.shard < 4; ++request.shard) {
      sum += synth::synthesize(request, options, {}).tests;
    }
    CHECK(sum == expected);
  }
  // In other orders of threads there are not as many that a model tells apart.
  Request request = request_of({{2, 3, 2, 2}});
  request.minimal_for = models::Library().find_all("HSA");
  RunOptions options;
  options.count_only = true;
  CHECK(synth::synthesize(request, options, {}).tests == collect(request).tests.size());
}

TEST_CASE("synth/synthesize: a limit gives the first tests of the output") {
  const Request request = request_of({{2, 3, 2, 2}});
  const Collected whole = collect(request);
  for (const std::size_t limit : {std::size_t{1}, std::size_t{57}, std::size_t{176}}) {
    RunOptions options;
    options.limit = limit;
    options.jobs = 2;
    const Collected some = collect(request, options);
    CHECK(some.tests.size() == limit);
    CHECK(some.result.tests == limit);
    CHECK(std::equal(some.tests.begin(), some.tests.end(), whole.tests.begin()));
  }
}

TEST_CASE("synth/synthesize: filters keep what the checker says") {
  models::Library library;
  Request request = request_of({{2, 3, 2, 2}});
  request.filters = {{library.find("OBE"), models::Fairness::strong, true},
                     {library.find("HSA"), models::Fairness::strong, false}};
  const Collected filtered = collect(request);
  CHECK(filtered.tests.size() > 0);
  CHECK(filtered.tests.size() < 176);
}

TEST_CASE("synth/synthesize: a run goes on from its checkpoint, also from half a line") {
  const testing::TemporaryFolder folder;
  const Request request = request_of({{2, 3, 2, 2}});
  const Collected whole = collect(request);
  RunOptions options;
  options.checkpoint = folder.path() / "checkpoint";
  CHECK(collect(request, options).tests == whole.tests);
  const std::string full = read_file(options.checkpoint);
  // Killed at any byte: what is left is a prefix.
  for (std::size_t length = 0; length <= full.size(); length += 97) {
    std::ofstream(options.checkpoint, std::ios::binary) << full.substr(0, length);
    CHECK(collect(request, options).tests == whole.tests);
    CHECK(read_file(options.checkpoint).size() == full.size());
  }
}

TEST_CASE("synth/synthesize: a run that is ended again and again has the tests of one run") {
  const testing::TemporaryFolder folder;
  Request request = request_of({{2, 4, 2, 2}});
  const Collected whole = collect(request);
  request.cube_programs = 100;
  RunOptions options;
  options.checkpoint = folder.path() / "checkpoint";
  options.jobs = 2;
  std::atomic<bool> stop{false};
  options.stop = &stop;
  std::mt19937 random(21);
  std::size_t most = 0;  // that a run has delivered so far
  int ended = 0;
  for (bool complete = false; !complete; ++ended) {
    stop = false;
    std::size_t delivered = 0;
    const std::size_t end = most + random() % 60;
    complete = synth::synthesize(request, options, [&](const Batch&) {
                 if (delivered++ == end) stop = true;
               }).complete;
    most = std::max(most, delivered);
    // And what a kill would leave of the last line.
    if (!complete) std::ofstream(options.checkpoint, std::ios::app) << "17 3 0";
    REQUIRE(ended < 1'000);
  }
  CHECK(ended > 3);
  stop = false;
  CHECK(collect(request, options).tests == whole.tests);
  request.cube_programs = 1000;
  CHECK_THROWS_AS(collect(request, options), Error);
}

TEST_CASE("synth/synthesize: a checkpoint of an earlier version is refused by name") {
  const testing::TemporaryFolder folder;
  RunOptions options;
  options.checkpoint = folder.path() / "checkpoint";
  // As version 0.2.0 wrote it.
  const std::string key = "headway-checkpoint-1 2,2,2,2; shard 0/1";
  std::ofstream(options.checkpoint) << key << fmt::format(" {:016x}\n", stable_hash(key));
  try {
    collect(request_of({{2, 2, 2, 2}}), options);
    FAIL("was taken");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find("earlier version") != std::string::npos);
  }
}

TEST_CASE("synth/synthesize: a checkpoint that is damaged or of another request is refused") {
  const testing::TemporaryFolder folder;
  RunOptions options;
  options.checkpoint = folder.path() / "checkpoint";
  collect(request_of({{2, 2, 2, 2}}), options);
  CHECK_THROWS_AS(collect(request_of({{2, 3, 2, 2}}), options), Error);
  Request filtered = request_of({{2, 2, 2, 2}});
  filtered.minimal_for = models::Library().standard();
  CHECK_THROWS_AS(collect(filtered, options), Error);
  std::string text = read_file(options.checkpoint);
  text[text.find('\n') + 3] ^= 1;
  std::ofstream(options.checkpoint, std::ios::binary) << text;
  CHECK_THROWS_AS(collect(request_of({{2, 2, 2, 2}}), options), Error);
}

TEST_CASE("synth/synthesize: bounds out of range are refused") {
  for (const synth::Bounds& bounds :
       {synth::Bounds{0, 2, 2, 2}, synth::Bounds{3, 2, 2, 2}, synth::Bounds{2, 1000, 2, 2},
        synth::Bounds{2, -1, 2, 2}, synth::Bounds{2, 2, 0, 2}, synth::Bounds{2, 2, 2, 1}}) {
    CHECK_THROWS_AS(synth::validate(bounds), Error);
  }
}
