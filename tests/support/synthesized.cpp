#include "support/synthesized.hpp"

#include <fmt/format.h>

#include <map>

#include "lang/axb/source.hpp"
#include "synth/synthesize.hpp"

namespace headway::testing {

const std::vector<lang::Test>& synthesized_tests(int threads, int instructions) {
  static std::map<std::pair<int, int>, std::vector<lang::Test>> known;
  const auto [entry, is_new] = known.try_emplace({threads, instructions});
  if (!is_new) return entry->second;
  std::vector<lang::Test>& tests = entry->second;
  synth::Request request;
  request.bounds = {{threads, instructions, 2, 2}};
  synth::synthesize(request, {}, [&](const synth::Batch& batch) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      tests.push_back(
          lang::axb::make_test(synth::to_code(*batch.bounds, *batch.shape, batch.code(i)),
                               fmt::format("{}t_{}i_{}", threads, instructions, tests.size())));
    }
  });
  return tests;
}

}  // namespace headway::testing
