#include "fuzz/memory_properties.hpp"

#include <stdexcept>
#include <string>

#include "consistency/litmus/parse.hpp"
#include "consistency/models.hpp"
#include "consistency/outcomes.hpp"

namespace headway::fuzz {
namespace {

constexpr std::size_t kLongestMessage = 2000;

// A text may be both refused here and fine there.
template <class Action>
void may_refuse(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    if (error.diagnostic().size() > kLongestMessage) throw std::logic_error("a long message");
  }
}

}  // namespace

void check_memory(std::string_view text) {
  const std::string content(text);
  may_refuse([&] {
    const consistency::cat::Include none =
        [](const std::string&) -> consistency::cat::Syntax::File { throw Error("no files"); };
    const consistency::cat::Model model(consistency::cat::parse("f", content, none), "f");
    consistency::cat::Evaluation evaluation(model, 3);
    for (const consistency::cat::Stage stage : consistency::cat::kStages) {
      if (!evaluation.advance(stage)) return;
    }
  });
  may_refuse([&] {
    static const consistency::cat::Model sc = consistency::find_model("sc");
    const consistency::Program program = consistency::litmus::parse("f", content);
    consistency::OutcomeOptions options;
    options.candidates = 500;
    options.traces = {1, 50};
    const consistency::Outcomes found = consistency::outcomes(program, sc, options);
    if (found.positive + found.negative > 0 && found.states.empty()) {
      throw std::logic_error("executions without a final state");
    }
  });
}

}  // namespace headway::fuzz
