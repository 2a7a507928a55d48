// Engines that refute candidates before Houdini, or beside it (A. Betts and others, "The design and
// implementation of a verification technique for GPU kernels", section on refutation engines).
// Each looks at less than Houdini does: at the bases of loops alone, at their steps alone, at
// their first rounds, or at runs (observed.hpp). All drop only what a counterexample refutes, and
// assume of candidates all that are left, which are never fewer than those that Houdini ends with.
// So what one refutes is not in Houdini's set, and every schedule ends with the same set.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "verify/encoding/encoder.hpp"
#include "verify/prover.hpp"

namespace headway::verify {

// "sbase,lu2,houdini+sstep": one after the other; what stands beside houdini runs beside it, on
// cores of its own. Throws headway::Error.
Schedule parse_schedule(const std::string& text);

// Drops what `refuter`, which does not run the kernel, refutes, and tells `found`, which may be
// null.
void refute_candidates(smt::Context& context, Encoding& encoding, Prover& prover,
                       const Refuter& refuter, Refuted* found);

// A kernel's conditions with all candidates, in terms of their own.
struct Proposal {
  std::unique_ptr<smt::Context> context;
  Encoding encoding;
};

// Drops what runs refute until then, and tells of each candidate: refute_by_runs of observed.hpp.
using Runs = std::function<void(const Options&, Proposal&, Prover::Clock::time_point,
                                const std::function<void(std::size_t)>&)>;

// Houdini with what Options::schedule says. `propose` makes the same proposal each time: engines
// that run beside each other share no terms. `counts`: of each that runs after another one.
std::vector<Dropped> decide_candidates(Proposal& proposal, Prover& prover, const Options& options,
                                       const std::function<Proposal()>& propose, const Runs& runs,
                                       std::vector<EngineCount>& counts);

}  // namespace headway::verify
