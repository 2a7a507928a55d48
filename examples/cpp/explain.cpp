// Why does a test hang? The execution that shows it, step by step, and how two models differ.
#include <headway/headway.hpp>
#include <iostream>

namespace hw = headway::api;

int main() {
  const hw::Test test = hw::parse(R"(litmus wait
locations ready;
thread 0 { while (Load(ready) == 0); }
thread 1 { ready = 1; }
)")
                            .front();
  const hw::Model hsa = hw::find_model("HSA"), obe = hw::find_model("OBE");
  const hw::Explanation why = hw::explain(test, hsa, hw::Fairness::weak);
  std::cout << to_string(why.verdict) << ": " << why.summary << "\n";
  for (const hw::Step& step : why.cycle) {
    std::cout << "thread " << step.thread << ", line " << step.line << ": " << step.statement << " "
              << step.effect << ", F = " << step.fair << "\n";
  }
  std::cout << "HSA and OBE are " << to_string(hw::compare(hsa, obe)) << "\n";
  const hw::TransitionSystem system = hw::transition_system(test, hsa);
  std::cout << system.states.size() << " states, " << system.edges.size() << " transitions\n";

  // What is wrong with a text, and where.
  try {
    hw::parse("thread 0 { x = 1; }", "broken.litmus");
  } catch (const hw::Error& error) {
    std::cout << error.file() << ", line " << error.line() << ": refused\n";
  }
  return why.verdict == hw::Verdict::fail ? 0 : 1;
}
