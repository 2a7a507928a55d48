// headway as a function from a request to an answer, both of them JSON: what the page in the
// browser calls, and what tests hold equal to the command line. It touches no disk and keeps
// nothing between requests. docs/reference/engine.md says what requests and answers hold.
#pragma once

#include <atomic>
#include <string>
#include <string_view>

namespace headway::engine {

// Never throws but for want of memory. A request stops soon after `stop` becomes true.
std::string answer(std::string_view request, const std::atomic<bool>* stop = nullptr);

}  // namespace headway::engine
