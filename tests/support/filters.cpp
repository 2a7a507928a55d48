#include "support/filters.hpp"

#include <atomic>

#include "checker/check.hpp"
#include "lang/axb/program.hpp"
#include "synth/explicit/explicit_engine.hpp"

namespace headway::testing {

std::vector<synth::Filter> some_filters(std::mt19937& random,
                                        const std::vector<models::ModelPtr>& models) {
  std::vector<synth::Filter> filters;
  const std::size_t count = 2 + random() % 3;
  for (std::size_t f = 0; f < count; ++f) {
    const auto fairness = random() % 2 == 0 ? models::Fairness::weak : models::Fairness::strong;
    filters.push_back(
        {models[random() % models.size()], fairness, f == 0 || (f > 1 && random() % 2 == 0)});
  }
  return filters;
}

bool satisfies(const synth::Bounds& bounds, const synth::Shape& shape,
               const synth::Instructions& code, const std::vector<synth::Filter>& filters) {
  checker::Checker checker;
  std::vector<models::ModelPtr> models;
  for (const synth::Filter& filter : filters) models.push_back(filter.model);
  const lang::axb::Code program = to_code(bounds, shape, code);
  const auto verdicts = checker.check(lang::axb::AxbProgram(program), models).verdicts;
  for (std::size_t f = 0; f < filters.size(); ++f) {
    const auto wanted = filters[f].passes ? checker::Verdict::pass : checker::Verdict::fail;
    if (verdicts[f].of(filters[f].fairness) != wanted) return false;
  }
  return true;
}

std::vector<synth::Instructions> litmus_tests(const synth::Bounds& bounds,
                                              const synth::Shape& shape) {
  std::vector<synth::Instructions> result;
  synth::ExplicitEngine engine(bounds, {});
  const std::atomic<bool> never{false};
  for (const synth::Cube& cube : cubes(bounds)) {
    if (cube.shape != shape) continue;
    engine.enumerate(
        cube, [&](const synth::Instructions& code) { return result.push_back(code), true; }, never);
  }
  return result;
}

}  // namespace headway::testing
