// Models for launches that are not flat (docs/reference/semantics.md, launches): each level has a
// flat model, which selects some of the children of each group there is. A group is guaranteed when
// it is selected and the group around it is guaranteed; the grid always is.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/bits/group_set.hpp"
#include "models/model.hpp"

namespace headway::models {

// By level; null where all that is alive is guaranteed ("fair").
using ModelsByLevel = std::array<ModelPtr, kLevels.size()>;

// A model with a flat model for each level. Asked about a flat launch it is that of workgroups.
class ScopedModel final : public Model {
 public:
  ScopedModel(std::string name, std::string summary, ModelsByLevel members);

  const Model* at(Level level) const override {
    return members_[static_cast<std::size_t>(level)].get();
  }

  bool history_determined() const override;
  bool looks_at_started() const override;
  bool looks_at_blocked() const override;
  bool looks_at_terminated() const override;
  bool looks_at_ids() const override;
  ThreadSet fair(const Topology& topology, const History& history) const override;
  ThreadSet initial(const Topology& topology, const History& first) const override;
  bool looks_at_instructions() const override;
  ThreadSet on_step(const Topology& topology, ThreadSet before, const Event& step,
                    const History& after) const override;
  ThreadSet on_terminate(const Topology& topology, ThreadSet before, int thread,
                         const History& after) const override;

 private:
  ModelsByLevel members_;
};

// "workgroup=OBE,thread=unfair": the levels that do not say fair.
std::string scoped_name(const ModelsByLevel& members);

// The levels at which `model` says something that a launch of this shape never asks, as every group
// has one child there.
std::vector<Level> levels_not_asked(const Model& model, const Topology& topology);
// Whether that is worth a remark: it is about workgroups, or all that the model says.
bool speaks_past(const Model& model, const Topology& topology);

// What a model guarantees, as a key (base/text/key.hpp): its name, which has its parameters, and
// its definition, of each level. Files tell by it whether they are about this model.
std::string rule_key(const Model& model);

// The groups that a model selects among the children of each group, all levels alike. What a model
// remembers, where it has a memory, is this.
GroupSet first_selection(const Model& model, const Topology& topology, const History& history);
GroupSet next_selection(const Model& model, const Topology& topology, const GroupSet& before,
                        const Event& event, const History& after);
// What next_selection() does in two halves, for who sees the end of a thread as an event of its
// own: after a step, and when `thread` terminates.
GroupSet selection_after_step(const Model& model, const Topology& topology, const GroupSet& before,
                              const Event& step, const History& after);
GroupSet selection_after_end(const Model& model, const Topology& topology, const GroupSet& before,
                             int thread, const History& after);
// The same of a model that is a function of the history.
GroupSet selection(const Model& model, const Topology& topology, const History& history);

// The groups that are guaranteed when these are selected. Of a flat launch they are the same.
GroupSet guaranteed(const Topology& topology, const GroupSet& selected);

// Those of them that have a thread which can step, so that they are owed one.
GroupSet owed(const Topology& topology, const History& history, const GroupSet& selected);

// The history of the children of a group: `parent` counts the groups that have children at `level`.
// A group has started when one of its threads has, has terminated when all have, and is blocked
// when it is alive and none of its threads is ready.
History history_of_children(const Topology& topology, Level level, int parent,
                            const History& history);

}  // namespace headway::models
