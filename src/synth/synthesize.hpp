// Runs an engine over all cubes of a space, on several cores, and delivers what it finds in the
// order of output, whichever core found it first. A checkpoint file lets a killed run go on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "base/progress.hpp"
#include "synth/reduction.hpp"
#include "synth/space/engine.hpp"
#include "synth/space/filter.hpp"
#include "synth/space/symmetry.hpp"

namespace headway::synth {

enum class EngineKind { automatic, sat, explicit_search };

// The engine of a kind. `automatic` is the explicit engine where it applies: it is the faster one
// wherever both were measured (docs/internals/synthesis.md).
std::unique_ptr<Engine> make_engine(EngineKind kind, const Bounds& bounds,
                                    const Requirements& requirements);

struct Request {
  std::vector<Bounds> bounds;  // searched one after another
  Requirements requirements;
  std::vector<Filter> filters;
  std::vector<models::ModelPtr> minimal_for;  // keep only tests minimal for these; empty: all
  // Keep only tests whose LTS has at most so many states and transitions; 0: any number.
  std::size_t max_lts_states = 0;
  std::size_t max_actions = 0;
  // Keep only tests to which these models, none or two, give different verdicts, weak or strong.
  std::vector<models::ModelPtr> distinguished;
  // Of tests that are the same up to the order of siblings, keep one: the first.
  Symmetric symmetric = Symmetric::none;
  // This run's part: the cubes whose number, from 0, is `shard` modulo `shards`.
  int shard = 0;
  int shards = 1;
  double cube_programs = kCubePrograms;  // the size of a cube, which says what shards hold

  // What decides the result, as text: two requests with the same key give the same tests.
  std::string key() const;
};

// Tests of one cube, in order, their instructions one after another.
struct Batch {
  const Bounds* bounds = nullptr;
  const Shape* shape = nullptr;
  std::vector<axb::Instruction> codes;

  std::size_t size() const { return codes.size() / static_cast<std::size_t>(bounds->instructions); }
  std::span<const axb::Instruction> code(std::size_t index) const {
    const auto length = static_cast<std::size_t>(bounds->instructions);
    return {codes.data() + index * length, length};
  }
};

struct RunOptions {
  EngineKind engine = EngineKind::automatic;
  int jobs = 1;
  bool count_only = false;              // deliver nothing, only count
  std::size_t limit = ~std::size_t{0};  // stop after so many tests, in order
  std::filesystem::path checkpoint;     // empty: none
  const std::atomic<bool>* stop = nullptr;
  Progress* progress = nullptr;  // advanced by one a cube
};

struct RunResult {
  std::size_t tests = 0;  // found, up to the limit
  bool complete = true;   // false: stopped early, by `stop` or the limit
};

// Calls `deliver` for each cube that has tests, in order and never twice at a time. Throws
// headway::Error for bad bounds and for a checkpoint that is damaged or of another request.
RunResult synthesize(const Request& request, const RunOptions& options,
                     const std::function<void(const Batch&)>& deliver);

// How many cubes a request has in this run's part; fewer where tests are only counted.
std::size_t cube_count(const Request& request, bool count_only = false);

}  // namespace headway::synth
