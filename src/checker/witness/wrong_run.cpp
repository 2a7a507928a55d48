#include "checker/witness/wrong_run.hpp"

namespace headway::checker {

WrongRun wrong_run(const lang::Program& program, const ErrorTrace& trace) {
  WrongRun run;
  run.leaf = program.topology().leaf_name();
  std::vector<lang::Word> state(static_cast<std::size_t>(program.words())), next = state;
  program.initial(state.data());
  for (const lang::Step& step : trace.steps) {
    program.step(state.data(), step, next.data());
    lang::StepText text = program.describe_step(state.data(), step);
    const int thread = text.thread.value_or(step.thread);
    run.steps.push_back({thread, std::move(text), program.describe_memory(next.data())});
    state.swap(next);
  }
  return run;
}

}  // namespace headway::checker
