// One sentence about a launch, for who asks what the text of its language promises: whether it ends
// or may hang, who waits for whom then, and what would help.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/topology.hpp"
#include "checker/check.hpp"
#include "checker/waiting.hpp"

namespace headway::report {

// What a language's text promises, as a model, and what is asked beside it.
struct Promise {
  std::string model;                // by name
  std::string words;                // "CUDA promises"
  std::string group;                // what a workgroup is called
  std::vector<std::string> rows;    // the models that are reported of its launches
  std::vector<std::string> beside;  // those that say what would help, the strongest last
};

// Of lang::Test::promise; null where that names none.
const Promise* promise_named(const std::string& model);

// "block 1 waits at line 10 for block 0, which need not have started"
std::string wait_text(const Promise& promise, const Topology& launch,
                      const checker::Waiting& waiting);

struct Asked {
  const Promise& promise;
  std::string test;    // its name
  std::string within;  // as of lang::Test
  Topology launch;
  checker::Verdict verdict = checker::Verdict::unknown;  // under the promise, weakly fair
  std::vector<std::string> enough;                       // of Promise::beside, those that suffice
  // Of an execution that never ends; nothing where none is known.
  std::optional<checker::Waiting> waiting;
};

// Empty for what goes wrong, which is told as that.
std::string answer_text(const Asked& asked);

}  // namespace headway::report
