#include "report/groups_csv.hpp"

#include "base/text/csv.hpp"

namespace headway::report {
namespace {

using checker::Label;
using Fields = std::vector<std::string>;

// The column that a level of a launch is in: where it is flat, of what people take its threads for.
std::size_t column_of(const Topology& topology, Level level) {
  if (level != topology.leaf()) return static_cast<std::size_t>(level);
  return static_cast<std::size_t>(topology.leaf_name() == "thread" ? Level::thread
                                                                   : Level::subgroup);
}

// workgroup, subgroup, thread
void add_groups_of(const Topology& topology, int thread, Fields& fields) {
  const std::size_t first = fields.size();
  fields.resize(first + kLevels.size());
  if (thread < 0) return;
  for (const Level level : kLevels) {
    if (!topology.has(level)) continue;
    fields[first + column_of(topology, level)] = std::to_string(topology.group_of(level, thread));
  }
}

// The same for a set, as numbers with spaces between them.
void add_groups(const Topology& topology, const GroupSet& groups, Fields& fields) {
  const std::size_t first = fields.size();
  fields.resize(first + kLevels.size());
  for (const Level level : kLevels) {
    if (!topology.has(level)) continue;
    std::string& field = fields[first + column_of(topology, level)];
    for (const int group : groups.at(topology, level)) {
      field += (field.empty() ? "" : " ") + std::to_string(group);
    }
  }
}

std::string event_name(Label::Kind kind) {
  switch (kind) {
    case Label::Kind::step:
      return "step";
    case Label::Kind::terminate:
      return "terminate";
    case Label::Kind::all_done:
      return "all done";
    case Label::Kind::exit:
      return "exit";
  }
  return {};
}

class StepLines {
 public:
  explicit StepLines(const Explained& explained)
      : explained_(explained), moments_(explained.explanation.replay.moments) {}

  void add(const std::string& part, const std::vector<lang::Step>& steps) {
    const lang::Program& program = explained_.program;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const checker::Moment& before = moments_[taken_];
      const lang::StepText text = program.describe_step(before.state.data(), steps[i]);
      const checker::Moment& after = moments_[++taken_];
      Fields fields = {part, std::to_string(i + 1)};
      add_groups_of(program.topology(), steps[i].thread, fields);
      fields.insert(fields.end(), {text.line > 0 ? std::to_string(text.line) : "", text.statement,
                                   text.effect, program.describe_memory(after.state.data())});
      add_groups(program.topology(), before.fair(program.topology()), fields);
      text_ += csv_line(fields);
    }
  }
  const std::string& text() const { return text_; }

 private:
  const Explained& explained_;
  const std::vector<checker::Moment>& moments_;
  std::size_t taken_ = 0;
  std::string text_;
};

}  // namespace

std::string explanation_csv(const Explained& explained) {
  const checker::Explanation& explanation = explained.explanation;
  StepLines lines(explained);
  if (explanation.verdict == checker::Verdict::error) lines.add("error", explanation.error);
  if (explanation.verdict == checker::Verdict::fail) {
    lines.add("stem", explanation.witness->lasso.stem);
    lines.add("cycle", explanation.witness->lasso.cycle);
  }
  return csv_line({"part", "step", "workgroup", "subgroup", "thread", "line", "statement", "effect",
                   "memory_after", "guaranteed_workgroups", "guaranteed_subgroups",
                   "guaranteed_threads"}) +
         lines.text();
}

std::string lts_csv(const checker::LabelledGraph& graph) {
  std::string text =
      csv_line({"from", "to", "event", "workgroup", "subgroup", "thread", "guaranteed_workgroups",
                "guaranteed_subgroups", "guaranteed_threads"});
  for (const auto& edge : graph.edges) {
    Fields fields = {std::to_string(edge.from), std::to_string(edge.to),
                     event_name(edge.label.kind)};
    add_groups_of(graph.topology, edge.label.thread, fields);
    add_groups(graph.topology, edge.label.fair, fields);
    text += csv_line(fields);
  }
  return text;
}

}  // namespace headway::report
