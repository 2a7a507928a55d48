// A transition system and fairness for other tools, which then decide what headway decides: an
// automaton for Spot, which accepts the fair executions that never end, and a formula for CADP.
// Of flat launches without fair choices.
#pragma once

#include <string>

#include "checker/labelled_graph.hpp"

namespace headway::report {

// An omega-automaton in the Hanoi format (HOA v1), with a proposition a thread that holds on its
// steps. Its language is empty exactly if the test passes. Weak fairness is a generalized Buchi
// condition, strong fairness a Streett condition. `graph` is a step view with a model.
std::string fair_executions_hoa(const checker::LabelledGraph& graph, models::Fairness fairness,
                                const std::string& name);

// A formula of MCL about the transition system that lts_aut() writes of `graph`: true exactly if
// the test fails. No thread may wait blocked.
std::string fails_mcl(const checker::LabelledGraph& graph, models::Fairness fairness,
                      const std::string& name);

}  // namespace headway::report
