#include "models/scoped.hpp"

#include <algorithm>

#include "base/text/key.hpp"

namespace headway::models {
namespace {

std::string definition_of(const ModelsByLevel& members) {
  std::string text;
  for (const Level level : kLevels) {
    const ModelPtr& member = members[static_cast<std::size_t>(level)];
    if (!text.empty()) text += "; ";
    text.append(to_string(level)).append("s ").append(member ? member->definition() : "alive");
  }
  return text;
}

template <class Property>
bool any_member(const ModelsByLevel& members, const Property& property) {
  return std::any_of(members.begin(), members.end(),
                     [&](const ModelPtr& member) { return member && property(*member); });
}

// Those of a set of children, as ids in the grid.
ThreadSet in_grid(Topology::Children children, ThreadSet ids) {
  return ThreadSet::of_bits(ids.bits() << children.first);
}
ThreadSet of_parent(Topology::Children children, ThreadSet groups) {
  return ThreadSet::of_bits(groups.bits() >> children.first) & ThreadSet::first(children.count);
}

// Asks the model of each level about the children of each group: ask(member, level, parent), where
// a level without a model has what is alive there, and so has a group with an only child.
template <class Ask>
GroupSet select(const Model& model, const Topology& topology, const History& history,
                const Ask& ask) {
  GroupSet result;
  for (const Level level : kLevels) {
    if (!topology.has(level)) continue;
    const Model* member = model.at(level);
    ThreadSet& selected = result.at(topology, level);
    for (int parent = 0; parent < topology.parents(level); ++parent) {
      const Topology::Children children = topology.children(level, parent);
      const bool asked = member != nullptr && children.count > 1;
      selected |= in_grid(
          children,
          asked ? ask(*member, level, parent)
                : history_of_children(topology, level, parent, history).alive(children.count));
    }
  }
  return result;
}

}  // namespace

std::string scoped_name(const ModelsByLevel& members) {
  std::string name;
  for (const Level level : kLevels) {
    const ModelPtr& member = members[static_cast<std::size_t>(level)];
    if (!member) continue;
    if (!name.empty()) name += ",";
    name.append(to_string(level)).append("=").append(member->name());
  }
  return name.empty() ? "workgroup=fair" : name;
}

ScopedModel::ScopedModel(std::string name, std::string summary, ModelsByLevel members)
    : Model(std::move(name), std::move(summary), definition_of(members)),
      members_(std::move(members)) {}

bool ScopedModel::history_determined() const {
  return !any_member(members_, [](const Model& member) { return !member.history_determined(); });
}

bool ScopedModel::looks_at_started() const {
  return any_member(members_, [](const Model& member) { return member.looks_at_started(); });
}

bool ScopedModel::looks_at_blocked() const {
  return any_member(members_, [](const Model& member) { return member.looks_at_blocked(); });
}

bool ScopedModel::looks_at_terminated() const {
  return any_member(members_, [](const Model& member) { return member.looks_at_terminated(); });
}

bool ScopedModel::looks_at_ids() const {
  return any_member(members_, [](const Model& member) { return member.looks_at_ids(); });
}

ThreadSet ScopedModel::fair(const Topology& topology, const History& history) const {
  const Model* model = at(Level::workgroup);
  return model != nullptr ? model->fair(topology, history) : history.alive(topology.threads());
}

ThreadSet ScopedModel::initial(const Topology& topology, const History& first) const {
  const Model* model = at(Level::workgroup);
  return model != nullptr ? model->initial(topology, first) : first.alive(topology.threads());
}

bool ScopedModel::looks_at_instructions() const {
  return any_member(members_, [](const Model& member) { return member.looks_at_instructions(); });
}

ThreadSet ScopedModel::on_step(const Topology& topology, ThreadSet before, const Event& step,
                               const History& after) const {
  const Model* model = at(Level::workgroup);
  return model != nullptr ? model->on_step(topology, before, step, after)
                          : after.alive(topology.threads());
}

ThreadSet ScopedModel::on_terminate(const Topology& topology, ThreadSet before, int thread,
                                    const History& after) const {
  const Model* model = at(Level::workgroup);
  return model != nullptr ? model->on_terminate(topology, before, thread, after)
                          : after.alive(topology.threads());
}

History history_of_children(const Topology& topology, Level level, int parent,
                            const History& history) {
  if (topology.is_flat()) return history;
  const Topology::Children children = topology.children(level, parent);
  const ThreadSet ready = history.ready(topology.threads());
  History result;
  for (int child = 0; child < children.count; ++child) {
    const ThreadSet threads = threads_of(topology, level, children.first + child);
    const ThreadSet self = ThreadSet::single(child);
    if (!(history.started & threads).empty()) result.started |= self;
    if (history.terminated.includes(threads)) {
      result.terminated |= self;
    } else if ((ready & threads).empty()) {
      result.blocked |= self;
    }
  }
  return result;
}

std::vector<Level> levels_not_asked(const Model& model, const Topology& topology) {
  std::vector<Level> levels;
  for (const Level level : kLevels) {
    const Model* member = model.at(level);
    if (member != nullptr && member->definition() != "alive" && !topology.has(level)) {
      levels.push_back(level);
    }
  }
  return levels;
}

bool speaks_past(const Model& model, const Topology& topology) {
  const std::vector<Level> levels = levels_not_asked(model, topology);
  if (levels.empty()) return false;
  return levels.front() == Level::workgroup ||
         std::none_of(kLevels.begin(), kLevels.end(), [&](Level level) {
           return topology.has(level) && model.at(level) != nullptr;
         });
}

std::string rule_key(const Model& model) {
  Key key;
  key.texts(model.name(), model.definition());
  for (const Level level : kLevels) {
    const Model* member = model.at(level);
    key.numbers(member != nullptr);
    if (member != nullptr) key.texts(member->name(), member->definition());
  }
  return key.text();
}

GroupSet selection(const Model& model, const Topology& topology, const History& history) {
  if (topology.is_flat()) return {model.fair(topology, history)};
  return select(model, topology, history, [&](const Model& member, Level level, int parent) {
    return member.fair(topology.children(level, parent).count,
                       history_of_children(topology, level, parent, history));
  });
}

GroupSet first_selection(const Model& model, const Topology& topology, const History& history) {
  if (topology.is_flat()) return {model.initial(topology, history)};
  return select(model, topology, history, [&](const Model& member, Level level, int parent) {
    return member.initial(topology.children(level, parent).count,
                          history_of_children(topology, level, parent, history));
  });
}

namespace {

// What is selected after an event of `thread`. Of a model that remembers F only the children of the
// groups around that thread can have changed: what becomes of them is `remember(member, siblings,
// before, child, their history)`.
template <class Remember>
GroupSet select_after(const Model& model, const Topology& topology, const GroupSet& before,
                      int thread, const History& after, const Remember& remember) {
  return select(model, topology, after, [&](const Model& member, Level level, int parent) {
    const Topology::Children range = topology.children(level, parent);
    const History children = history_of_children(topology, level, parent, after);
    if (member.history_determined()) return member.fair(range.count, children);
    const ThreadSet fair = of_parent(range, before.at(topology, level));
    const int child = topology.group_of(level, thread) - range.first;
    if (child < 0 || child >= range.count) return fair;
    return remember(member, range.count, fair, child, children);
  });
}

}  // namespace

GroupSet next_selection(const Model& model, const Topology& topology, const GroupSet& before,
                        const Event& event, const History& after) {
  if (topology.is_flat()) return {model.next(topology, before.threads, event, after)};
  return select_after(
      model, topology, before, event.thread, after,
      [&](const Model& member, int siblings, ThreadSet fair, int child, const History& children) {
        const bool terminates = event.terminates && children.terminated.contains(child);
        return member.next(siblings, fair, {child, terminates, event.instruction}, children);
      });
}

GroupSet selection_after_step(const Model& model, const Topology& topology, const GroupSet& before,
                              const Event& step, const History& after) {
  if (topology.is_flat()) return {model.on_step(topology, before.threads, step, after)};
  return select_after(
      model, topology, before, step.thread, after,
      [&](const Model& member, int siblings, ThreadSet fair, int child, const History& children) {
        return member.on_step(siblings, fair, {child, false, step.instruction}, children);
      });
}

GroupSet selection_after_end(const Model& model, const Topology& topology, const GroupSet& before,
                             int thread, const History& after) {
  if (topology.is_flat()) return {model.on_terminate(topology, before.threads, thread, after)};
  return select_after(
      model, topology, before, thread, after,
      [](const Model& member, int siblings, ThreadSet fair, int child, const History& children) {
        if (!children.terminated.contains(child)) return fair;  // others of the group go on
        return member.on_terminate(siblings, fair, child, children);
      });
}

GroupSet owed(const Topology& topology, const History& history, const GroupSet& selected) {
  return guaranteed(topology, selected) & groups_of(topology, history.ready(topology.threads()));
}

GroupSet guaranteed(const Topology& topology, const GroupSet& selected) {
  if (topology.is_flat()) return selected;
  GroupSet result;
  ThreadSet inside = ThreadSet::first(topology.threads());  // of guaranteed groups so far
  for (const Level level : kLevels) {
    if (!topology.has(level)) continue;
    ThreadSet threads;
    for (const int group : selected.at(topology, level)) {
      threads |= threads_of(topology, level, group);
    }
    inside &= threads;
    result.at(topology, level) = groups_at(topology, level, inside);
  }
  return result;
}

}  // namespace headway::models
