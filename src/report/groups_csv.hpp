// Executions and transition systems as CSV: who steps, by the levels of the launch, and which
// groups are guaranteed to before that. Columns of levels that a launch does not have are empty.
#pragma once

#include <string>

#include "checker/labelled_graph.hpp"
#include "report/explanation.hpp"

namespace headway::report {

// A line a step of the stem, the cycle or the error; none when the test passes. Columns: part,
// step, workgroup, subgroup, thread, line, statement, effect, memory_after, guaranteed_workgroups,
// guaranteed_subgroups, guaranteed_threads.
std::string explanation_csv(const Explained& explained);

// A line a transition. Columns: from, to, event, workgroup, subgroup, thread and the last three of
// the above.
std::string lts_csv(const checker::LabelledGraph& graph);

}  // namespace headway::report
