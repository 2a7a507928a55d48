#include "fuzz/memory_properties.hpp"

#include <stdexcept>
#include <string>
#include <vector>

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

// Whatever is chosen in a test, it can be read again.
void require_readable(const std::string& text,
                      const std::vector<consistency::litmus::Choice>& choices) {
  for (const bool strongest : {false, true}) {
    std::vector<std::size_t> options;
    options.reserve(choices.size());
    for (const auto& choice : choices) {
      options.push_back(strongest ? choice.options.size() - 1 : 0);
    }
    const std::string changed = consistency::litmus::with_options(text, choices, options);
    try {
      consistency::litmus::parse("f", changed);
    } catch (const Error& error) {
      throw std::logic_error("a choice that cannot be read: " + error.diagnostic());
    }
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
    std::vector<consistency::litmus::Choice> choices;
    const consistency::Program program = consistency::litmus::parse("f", content, &choices);
    require_readable(content, choices);
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
