// Verdicts that would be about nothing: what is assumed may hold nowhere, and where sizes are open,
// a launch may have one thread, while proofs are about two.
#pragma once

#include <optional>
#include <string>

#include "verify/encoding/encoder.hpp"
#include "verify/prover.hpp"

namespace headway::verify {

// Where something is assumed that holds in no execution which comes there, if that is known of one.
std::optional<kernel::Place> unfulfilled(smt::Context& context, const Encoding& encoding,
                                         Prover& prover);

// Why no launch has these sizes, as the kernel says itself.
std::optional<std::string> excluded_launch(const kernel::Function& function, const Launch& launch);

// Whether something is claimed of each thread by itself.
bool is_of_one_thread(const kernel::Function& function, const Options& options);

// The launch of one thread, if it is one of several that `options` are about.
std::optional<Launch> single_launch(const kernel::Function& function, const Options& options);

}  // namespace headway::verify
