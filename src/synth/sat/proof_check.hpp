// Checks a synthesis proof (see proof.hpp) without the engine that made it: every clause from the
// definition of a litmus test and the language's step, every listed test, and the refutation of
// each formula by a small checker of our own and by drat-trim where that is installed.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "synth/space/engine.hpp"

namespace headway::synth::sat {

struct ProofCheckOptions {
  // The name or path of drat-trim; nothing is run when this is empty.
  std::string drat_trim = "drat-trim";
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const Shape& shape)> shape_done;
};

struct ProofReport {
  bool accepted = false;
  bool stopped = false;
  std::string problem;  // the first, with its file and line; empty when accepted
  Bounds bounds;
  Requirements requirements;
  std::uint64_t shapes = 0;
  std::uint64_t clauses = 0;
  std::uint64_t rejections = 0;  // of these, those with a reason in the LTS
  std::uint64_t tests = 0;
  std::uint64_t lemmas = 0;  // of the refutations
  // Whether an external tool checked the refutations, too. Ours always does.
  bool drat_trim_ran = false;

  // What was checked, and by what, in a few sentences.
  std::string to_string() const;
};

// Memory as for a formula and its refutation, one shape at a time; no exception for anything that
// the files hold.
ProofReport check_proof(const std::filesystem::path& directory,
                        const ProofCheckOptions& options = {});

}  // namespace headway::synth::sat
