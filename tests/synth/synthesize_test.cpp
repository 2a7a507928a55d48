#include "synth/synthesize.hpp"

#include <doctest/doctest.h>

#include <fstream>

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
