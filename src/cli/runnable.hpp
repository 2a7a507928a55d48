// Which tests of a suite are fit for a device: what a target cannot say is left out, and so is what
// goes wrong, which on a device writes where it should not.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cli/outcome.hpp"
#include "lang/test.hpp"
#include "suite/suite.hpp"

namespace headway::cli {

// Why a test is not fit, as a sentence that names it; nothing when it is.
using Refusal = std::function<std::optional<std::string>(const lang::Test& test)>;

// The tests of `suite` that are not refused. The others are named on standard error, and count as
// bad input. Throws headway::Error, about the path of the suite, when nothing is left.
suite::Suite without_refused(suite::Suite suite, const Refusal& refusal, Outcome& outcome);

// What `write` throws about a test: why a target cannot say it.
Refusal not_expressible(const std::function<void(const lang::Test& test)>& write);

// How a program goes wrong, under every model. Says on standard error when a limit of so many
// states leaves it open.
std::optional<std::string> goes_wrong(const lang::Test& test, std::size_t max_states);

}  // namespace headway::cli
