// A transition system in the formats of other tools.
#pragma once

#include <string>

#include "checker/labelled_graph.hpp"

namespace headway::report {

// Aldebaran's .aut, which CADP and mCRL2 read: "des (first, transitions, states)" and a line a
// transition, labels "STEP !0 !{0, 1}", "TERMINATE !0", "ALLDONE" and "exit".
std::string lts_aut(const checker::LabelledGraph& graph);
// A label of it; "STEP !0 !AXB(m, 0, 0, false, -) !{0, 1}" where instructions are wanted.
std::string lts_label(const checker::Label& label, const checker::LabelledGraph& graph);

// Graphviz; states on a fair cycle are red.
std::string lts_dot(const checker::LabelledGraph& graph, const lang::Program& program);

// `file` is named where there is one.
std::string lts_json(const checker::LabelledGraph& graph, const lang::Program& program,
                     const std::string& file = {});

}  // namespace headway::report
