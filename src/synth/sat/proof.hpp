// Writes why a synthesis is complete, for a doubter to check without this program: each shape's
// final formula, the ground of every clause, the tests found and a DRAT proof that there is no
// further one. The files and what they mean are listed in docs/internals/synthesis.md.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "synth/space/engine.hpp"

namespace headway::synth::sat {

struct ProofOptions {
  const std::atomic<bool>* stop = nullptr;
  // Called with each test found and when a shape is done.
  std::function<void(const Shape& shape, const Instructions& code)> found;
  std::function<void(const Shape& shape)> shape_done;
};

struct ShapeProof {
  Shape shape;
  int variables = 0;
  std::uint64_t clauses = 0;  // of the final formula
  std::uint64_t rejections = 0;
  std::uint64_t tests = 0;
};

struct ProofSummary {
  bool complete = false;  // false when stopped: then there is no proof.json
  std::vector<ShapeProof> shapes;
};

// Creates `directory`; files of an older proof in it are replaced. Memory as for the engine, one
// shape at a time. Throws headway::Error when it cannot write.
ProofSummary write_proof(const Bounds& bounds, const Requirements& requirements,
                         const std::filesystem::path& directory, const ProofOptions& options = {});

}  // namespace headway::synth::sat
