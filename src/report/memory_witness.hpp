// How one execution under a memory model looks.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "consistency/witness.hpp"

namespace headway::report {

// An execution, and what is to be seen in it.
struct ShownExecution {
  std::string what;
  const consistency::Witness* execution = nullptr;  // none: there is none to show
};

struct ShownExecutions {
  std::string test, file;
  std::string memory;    // models, by name
  std::string progress;  // empty: none was asked about
  std::vector<ShownExecution> shown;
};

// A paragraph each: thread by thread, and the order of the writes of each location that has
// several.
std::string executions_text(const ShownExecutions& of);
std::string executions_json(const ShownExecutions& of);
// The first as a graph for Graphviz: program order, and in colours what is read from where (rf),
// the order of writes (co) and which writes a read is before (fr). Empty: there is none.
std::string executions_dot(const ShownExecutions& of);

// Its reads, in the order of the threads: "P1 line 9 reads lock = 1 from P0 line 6; ...".
std::string reads_text(const consistency::Witness& witness);
nlohmann::ordered_json witness_json(const consistency::Witness& witness);

}  // namespace headway::report
