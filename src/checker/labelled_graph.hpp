// A transition system with labels on its transitions, for export and for comparison with other
// tools: what a program does, step by step or with the events that a progress model reacts to.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "checker/check.hpp"

namespace headway::checker {

struct Label {
  enum class Kind : std::uint8_t {
    step,       // a thread takes a step
    terminate,  // a thread terminates, an event of its own in the event view
    all_done,   // every thread has terminated
    exit        // the program is over
  };
  Kind kind = Kind::step;
  int thread = -1;
  GroupSet fair;                 // guaranteed (F) before a step; {} without a model
  std::string instruction = {};  // that a step performs, where that is wanted

  friend bool operator==(const Label&, const Label&) = default;
  // Written out, as libc++ 13 has no <=> of strings.
  friend std::strong_ordering operator<=>(const Label& a, const Label& b) {
    if (const auto order = a.kind <=> b.kind; order != 0) return order;
    if (const auto order = a.thread <=> b.thread; order != 0) return order;
    if (const auto order = a.fair <=> b.fair; order != 0) return order;
    return a.instruction.compare(b.instruction) <=> 0;
  }
};

struct LabelledGraph {
  struct Edge {
    std::uint32_t from = 0;
    Label label;
    std::uint32_t to = 0;
    friend auto operator<=>(const Edge&, const Edge&) = default;
  };
  struct Node {
    std::vector<lang::Word> state;  // of the program
    models::History history;
    GroupSet fair;
    ThreadSet failed;
    bool on_fair_cycle = false;
  };

  Topology topology = 0;
  bool has_model = false;   // whether F is meant
  std::vector<Node> nodes;  // the first is the initial one
  std::vector<Edge> edges;  // sorted
};

// What a step performs, for labels that say it.
using InstructionOf = std::function<std::string(const lang::Word*, lang::Step)>;

enum class View { steps, events };

// The LTS of `program` with F on its steps when there is a `model`, and the nodes marked that lie
// on a cycle that is fair in the sense of `fairness`. Only as much history is distinguished as
// the model looks at; none without a model.
//
// The event view is the one of the publication's CADP state spaces: the termination of a thread
// is a transition of its own, after its last step, and the whole ends with AllDone and exit. A
// model sees a thread as alive until its Terminate, and a group until the last one of it. Nothing
// is marked in it.
//
// nullopt when there are more than options.max_states states or it was stopped. Throws
// headway::Error when the model gives F a terminated thread.
std::optional<LabelledGraph> step_view(const lang::Program& program, const models::Model* model,
                                       Fairness fairness, const CheckOptions& options,
                                       const InstructionOf& instruction = {});
std::optional<LabelledGraph> event_view(const lang::Program& program, const models::Model* model,
                                        const CheckOptions& options,
                                        const InstructionOf& instruction = {});

// The smallest graph that is strongly bisimilar to `graph`, nodes being told apart by who waits and
// who has failed; each node is the first of those it stands for.
LabelledGraph reduce(const LabelledGraph& graph);

}  // namespace headway::checker
