// What synthesis costs: the two engines over the same bounds, and minimality on top.
#include <benchmark/benchmark.h>

#include <ctime>

#include "models/library.hpp"
#include "synth/distinguish.hpp"
#include "synth/sat/directed.hpp"

namespace headway {
namespace {

using synth::Bounds;
using synth::EngineKind;

// The bounds of the publication's five runs.
const std::vector<Bounds> kPublished = {
    {2, 2, 2, 2}, {2, 3, 2, 2}, {2, 4, 2, 2}, {3, 3, 2, 2}, {3, 4, 2, 2}};

std::size_t count(const std::vector<Bounds>& bounds, EngineKind engine, bool minimal) {
  synth::Request request;
  request.bounds = bounds;
  if (minimal) request.minimal_for = models::Library().standard(bounds.front().topology());
  synth::RunOptions options;
  options.engine = engine;
  // To count alone, not all shapes would be searched.
  options.count_only = false;
  return synth::synthesize(request, options, [](const synth::Batch&) {}).tests;
}

void published(benchmark::State& state, EngineKind engine, bool minimal) {
  std::size_t tests = 0;
  for (auto _ : state) tests = count(kPublished, engine, minimal);
  state.counters["tests"] = static_cast<double>(tests);
}
BENCHMARK_CAPTURE(published, explicit_all, EngineKind::explicit_search, false)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(published, explicit_minimal, EngineKind::explicit_search, true)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(published, sat_all, EngineKind::sat, false)->Unit(benchmark::kMillisecond);

// Both engines in turn in every iteration, so that a noisy machine is noisy for both.
void sat_over_explicit(benchmark::State& state) {
  double seconds[2] = {0, 0};
  for (auto _ : state) {
    for (const int which : {0, 1}) {
      const std::clock_t start = std::clock();
      count(kPublished, which == 0 ? EngineKind::explicit_search : EngineKind::sat, false);
      seconds[which] += static_cast<double>(std::clock() - start);
    }
  }
  state.counters["ratio"] = seconds[1] / seconds[0];
}
BENCHMARK(sat_over_explicit)->Unit(benchmark::kMillisecond);

// One more instruction at a time, one core.
void growth(benchmark::State& state) {
  const Bounds bounds{static_cast<int>(state.range(0)), static_cast<int>(state.range(1)), 2, 2};
  std::size_t tests = 0;
  for (auto _ : state) tests = count({bounds}, EngineKind::explicit_search, false);
  state.counters["tests"] = static_cast<double>(tests);
}
BENCHMARK(growth)->Args({2, 3})->Args({2, 4})->Args({2, 5})->Args({3, 4})->Args({3, 5})->Unit(
    benchmark::kMillisecond);

// Tests of a placement with barriers of workgroups a second, one core: all, or those that are
// minimal for the standard models at each level.
void placed(benchmark::State& state, EngineKind engine, bool minimal) {
  const std::vector<std::vector<std::vector<int>>> placements = {
      {{2}}, {{2}, {1}}, {{3}}, {{2}, {2}}};
  Bounds bounds;
  bounds.placement = Topology::placed(placements[static_cast<std::size_t>(state.range(0))]);
  bounds.threads = bounds.placement->threads();
  bounds.instructions = 4;
  bounds.barriers.workgroup = true;
  std::size_t tests = 0;
  for (auto _ : state) tests = count({bounds}, engine, minimal);
  const std::size_t all = minimal ? count({bounds}, EngineKind::explicit_search, false) : tests;
  state.SetLabel(bounds.placement->placement());
  state.counters["tests"] = static_cast<double>(tests);
  state.counters["a second"] =
      benchmark::Counter(static_cast<double>(all), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK_CAPTURE(placed, explicit_all, EngineKind::explicit_search, false)
    ->DenseRange(0, 3)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(placed, explicit_minimal, EngineKind::explicit_search, true)
    ->DenseRange(0, 3)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(placed, sat_all, EngineKind::sat, false)
    ->DenseRange(0, 3)
    ->Unit(benchmark::kMillisecond);

// One test of a size that nobody can enumerate, one core.
void directed(benchmark::State& state) {
  models::Library library;
  const std::vector<synth::Filter> filters = {
      {library.find("OBE"), models::Fairness::strong, true},
      {library.find("HSA"), models::Fairness::strong, false},
      {library.find("fair"), models::Fairness::weak, false}};
  const Bounds bounds{static_cast<int>(state.range(0)), static_cast<int>(state.range(1)), 2, 2};
  std::vector<synth::sat::Place> places;
  for (const synth::Shape& shape : synth::shapes(bounds)) places.push_back({bounds, shape});
  for (auto _ : state) benchmark::DoNotOptimize(synth::sat::search(places, filters));
}
BENCHMARK(directed)->Args({2, 4})->Args({2, 6})->Args({2, 8})->Args({4, 8})->Unit(
    benchmark::kMillisecond);

// The certainty that there is none, one core: each of the two engines' ways.
void absence(benchmark::State& state, EngineKind engine) {
  models::Library library;
  const std::vector<synth::Filter> filters = {
      {library.find("HSA"), models::Fairness::strong, true},
      {library.find("HSA+OBE"), models::Fairness::weak, true},
      {library.find("HSA"), models::Fairness::weak, false},
      {library.find("OBE"), models::Fairness::strong, false}};
  synth::RunOptions options;
  options.engine = engine;
  for (auto _ : state) {
    const int instructions = static_cast<int>(state.range(0));
    const auto result = synth::distinguish(filters, {3, instructions, 2, 2}, options);
    if (result.test || !result.complete) state.SkipWithError("there is such a test");
  }
}
BENCHMARK_CAPTURE(absence, explicit_search, EngineKind::explicit_search)
    ->DenseRange(3, 5)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(absence, sat, EngineKind::sat)->DenseRange(3, 5)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace headway

BENCHMARK_MAIN();
