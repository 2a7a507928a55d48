// Refutation of candidates by runs, DYN in "The design and implementation of a verification
// technique for GPU kernels": trials (trial.hpp) of some launches, in which two threads that come
// to a loop in the same rounds around it are looked at round by round. What is claimed at its head
// and is false there is no invariant. docs/internals/verify-proofs.md says why no run reaches a
// state that the encoding does not have: what a run does not know, as a read of memory that is
// written, refutes nothing.
#pragma once

#include <functional>

#include "verify/encoding/encoder.hpp"

namespace headway::verify {

// Calls `refuted` with each candidate that a run refutes, but for those of the author, and drops
// it, until `until`.
void refute_by_runs(const kernel::Module& module, const kernel::Function& function,
                    const Flow& flow, const Options& options, smt::Context& context,
                    Encoding& encoding, std::chrono::steady_clock::time_point until,
                    const std::function<void(std::size_t candidate)>& refuted);

}  // namespace headway::verify
