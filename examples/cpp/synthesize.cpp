// Searches for tests: the first three that tell HSA from OBE, all of a size, and a search that is
// cancelled and one that runs out of time.
#include <headway/headway.hpp>
#include <iostream>

namespace hw = headway::api;

int main() {
  hw::SynthesisRequest request;
  request.threads = 2;
  request.instructions = 3;
  request.filters = {{hw::find_model("OBE"), hw::Fairness::weak, true},
                     {hw::find_model("HSA"), hw::Fairness::weak, false}};
  std::size_t shown = 0;
  hw::synthesize(request, [&](const hw::Test& test) {
    std::cout << test.text() << "\n";
    return ++shown < 3;
  });

  request.filters.clear();
  std::size_t all = 0;
  const hw::SynthesisResult result = hw::synthesize(request, [&](const hw::Test&) {
    ++all;
    return true;
  });
  std::cout << result.tests << " tests of 2 threads and 3 instructions\n";

  request.instructions = 7;
  hw::Limits limits;
  const hw::SynthesisResult cancelled = hw::synthesize(
      request,
      [&](const hw::Test&) {
        limits.cancellation.cancel();
        return true;
      },
      limits);
  std::cout << "the large search was stopped: " << to_string(cancelled.stopped_by) << "\n";
  hw::Limits quick;
  quick.seconds = 0.2;
  const hw::SynthesisResult late = hw::synthesize(
      request, [](const hw::Test&) { return true; }, quick);
  std::cout << "and once more: " << to_string(late.stopped_by) << "\n";
  return shown == 3 && all == result.tests && result.complete && !cancelled.complete &&
                 cancelled.stopped_by == hw::Stop::cancelled && late.stopped_by == hw::Stop::time
             ? 0
             : 1;
}
