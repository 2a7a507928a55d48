// What checking costs: verdicts of the published tests under model files, models written in C++
// and models by events; parsing; and the growth of the spin mutex with its threads.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <stdexcept>

#include "base/file.hpp"
#include "checker/check.hpp"
#include "lang/axb/program.hpp"
#include "lang/axb/source.hpp"
#include "languages/languages.hpp"
#include "models/library.hpp"

namespace headway {
namespace {

namespace fs = std::filesystem;
using models::History;
using models::Library;
using models::Model;
using models::ModelPtr;
using Models = std::vector<ModelPtr>;

// Inputs ---------------------------------------------------------------------------------------

struct TextFile {
  std::string name;
  std::string content;
};

const std::vector<TextFile>& published_files() {
  static const std::vector<TextFile> files = [] {
    std::vector<TextFile> found;
    const fs::path folder = fs::path(HEADWAY_SOURCE_DIR) / "tests/data/published/tests";
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() == ".txt") {
        found.push_back({entry.path().string(), read_file(entry.path())});
      }
    }
    std::sort(found.begin(), found.end(),
              [](const TextFile& a, const TextFile& b) { return a.name < b.name; });
    return found;
  }();
  return files;
}

const std::vector<lang::Test>& published_tests() {
  static const std::vector<lang::Test> tests = [] {
    std::vector<lang::Test> parsed;
    for (const TextFile& file : published_files()) {
      parsed.push_back(lang::parse(file.content, file.name));
    }
    return parsed;
  }();
  return tests;
}

// N threads that each take one lock by spinning on an exchange, and release it.
lang::axb::Code spin_mutex(int threads) {
  lang::axb::Thread thread;
  thread.instructions = {{0, 1, 0, true, 1},   // while (Exch(m, 1) == 1);
                         {0, 0, 2, true, 0}};  // m = 0;
  lang::axb::Code code;
  code.locations = {{"m", 0}};
  code.threads.assign(static_cast<std::size_t>(threads), thread);
  return code;
}

// Models ---------------------------------------------------------------------------------------

// A model whose F is a plain function, as the files of models/ would be if they were code.
class NativeModel final : public Model {
 public:
  using Function = ThreadSet (*)(ThreadSet alive, const History& history);

  NativeModel(std::string name, bool looks_at_started, Function function)
      : Model(std::move(name), "", ""), looks_at_started_(looks_at_started), function_(function) {}

  bool looks_at_started() const override { return looks_at_started_; }
  ThreadSet fair(const Topology& topology, const History& history) const override {
    return function_(history.alive(topology.threads()), history);
  }

 private:
  bool looks_at_started_;
  Function function_;
};

ThreadSet lowest(ThreadSet set) { return set.empty() ? ThreadSet() : ThreadSet::single(set.min()); }

ThreadSet upto(ThreadSet set) { return set.empty() ? set : ThreadSet::first(set.max() + 1); }

Models yaml_models() { return Library().standard(); }

Models native_models() {
  const auto make = [](const char* name, bool looks_at_started, NativeModel::Function function) {
    return std::make_shared<NativeModel>(name, looks_at_started, function);
  };
  return {
      make("unfair", false, [](ThreadSet, const History&) { return ThreadSet(); }),
      make("HSA", false, [](ThreadSet alive, const History&) { return lowest(alive); }),
      make("OBE", true, [](ThreadSet alive, const History& h) { return h.started & alive; }),
      make("HSA+OBE", true,
           [](ThreadSet alive, const History& h) { return (h.started | lowest(alive)) & alive; }),
      make("LOBE", true, [](ThreadSet alive, const History& h) { return upto(h.started) & alive; }),
      make("fair", false, [](ThreadSet alive, const History&) { return alive; }),
  };
}

Models event_models() {
  Library library;
  Models models;
  for (const char* name : {"unfair", "hsa", "obe", "hsa_obe", "lobe", "fair"}) {
    models.push_back(
        library.find(HEADWAY_SOURCE_DIR "/models/events/" + std::string(name) + ".yaml"));
  }
  return models;
}

// Measurements ---------------------------------------------------------------------------------

void check_all(checker::Checker& checker, const Models& models) {
  for (const lang::Test& test : published_tests()) {
    const lang::axb::AxbProgram program(*lang::axb::find_code(test));
    benchmark::DoNotOptimize(checker.check(program, models).states);
  }
}

// A number that is only worth printing if the models that are compared agree.
void require_equal_verdicts(const Models& some, const Models& others) {
  checker::Checker checker;
  for (const lang::Test& test : published_tests()) {
    const lang::axb::AxbProgram program(*lang::axb::find_code(test));
    if (checker.check(program, some).verdicts != checker.check(program, others).verdicts) {
      throw std::runtime_error("the models that are compared disagree on " + test.name);
    }
  }
}

// Items are tests; "a_test" is the processor time that one takes.
void count_tests(benchmark::State& state, std::size_t tests) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(tests));
  state.counters["a_test"] =
      benchmark::Counter(static_cast<double>(tests), benchmark::Counter::kIsIterationInvariantRate |
                                                         benchmark::Counter::kInvert);
}

// All 11 verdicts (six models, weak and strong, `unfair` once) of each published test, from the
// parsed test on.
void verdicts(benchmark::State& state, Models (*make)()) {
  const Models models = make();
  require_equal_verdicts(models, yaml_models());
  checker::Checker checker;
  for (auto _ : state) check_all(checker, models);
  count_tests(state, published_tests().size());
}
BENCHMARK_CAPTURE(verdicts, yaml, yaml_models)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(verdicts, native, native_models)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(verdicts, events, event_models)->Unit(benchmark::kMicrosecond);

// How much longer the verdicts take under some models than under those written in C++. Both are
// measured in turns and in processor time, so that what else the machine does hits both alike.
void over_native(benchmark::State& state, Models (*make)()) {
  const Models models = make();
  const Models native = native_models();
  checker::Checker checker;
  std::clock_t with_models = 0;
  std::clock_t with_native = 0;
  for (auto _ : state) {
    const std::clock_t start = std::clock();
    check_all(checker, models);
    const std::clock_t middle = std::clock();
    check_all(checker, native);
    with_models += middle - start;
    with_native += std::clock() - middle;
  }
  state.counters["ratio"] = static_cast<double>(with_models) / static_cast<double>(with_native);
}
BENCHMARK_CAPTURE(over_native, yaml, yaml_models)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(over_native, events, event_models)->Unit(benchmark::kMicrosecond);

void parse_published(benchmark::State& state) {
  const std::vector<TextFile>& files = published_files();
  std::size_t bytes = 0;
  for (const TextFile& file : files) bytes += file.content.size();
  for (auto _ : state) {
    for (const TextFile& file : files) {
      benchmark::DoNotOptimize(lang::parse(file.content, file.name).source);
    }
  }
  count_tests(state, files.size());
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}
BENCHMARK(parse_published)->Unit(benchmark::kMicrosecond);

// Items are states: of the exploration alone, and with the 11 verdicts.
void mutex_explore(benchmark::State& state) {
  const lang::axb::Code code = spin_mutex(static_cast<int>(state.range(0)));
  const lang::axb::AxbProgram program(code);
  checker::Explorer explorer;
  for (auto _ : state) {
    benchmark::DoNotOptimize(explorer.explore(program, checker::ExploreOptions()));
  }
  const std::size_t states = explorer.explored_states();
  state.counters["states"] = static_cast<double>(states);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(states));
}
BENCHMARK(mutex_explore)->DenseRange(2, 8)->Unit(benchmark::kMicrosecond);

void mutex_verdicts(benchmark::State& state) {
  const lang::axb::Code code = spin_mutex(static_cast<int>(state.range(0)));
  const Models models = yaml_models();
  checker::Checker checker;
  std::size_t states = 0;
  for (auto _ : state) {
    const lang::axb::AxbProgram program(code);
    states = checker.check(program, models).states;
  }
  state.counters["states"] = static_cast<double>(states);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(states));
}
BENCHMARK(mutex_verdicts)->DenseRange(2, 8)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace headway

BENCHMARK_MAIN();
