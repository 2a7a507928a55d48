// A memory model that can be asked: names looked up, functions written out, and what depends on
// reads-from or on the coherence order known, so that as little as possible is worked out again
// while executions are tried.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "consistency/cat/relation.hpp"
#include "consistency/cat/syntax.hpp"

namespace headway::consistency::cat {

// `0`, which is a set and a relation; a set; a relation.
struct Nothing {
  friend bool operator==(const Nothing&, const Nothing&) = default;
};
using Value = std::variant<Nothing, EventSet, Relation>;

// What a value depends on, in the order in which an execution is put together.
enum class Stage { events, reads_from, coherence };
inline constexpr Stage kStages[] = {Stage::events, Stage::reads_from, Stage::coherence};

// What every execution has: sets and relations by their number, as base_names() lists them.
struct BaseName {
  std::string name;
  bool is_relation = false;
  Stage stage = Stage::events;
};
const std::vector<BaseName>& base_names();
// The number of a name, which is one of them.
std::size_t base_number(std::string_view name);

class Model {
 public:
  // Throws headway::Error: a name that nothing has, a set in place of a relation, a recursion in
  // which more may make less.
  Model(Syntax syntax, std::string name);

  const std::string& name() const { return name_; }
  const std::string& title() const { return syntax_.title; }

  struct Node {
    Expression::Kind kind = Expression::Kind::nothing;
    Place place;
    bool is_base = false;    // name
    std::size_t number = 0;  // name: of a base name or a slot; local: the slot
    std::vector<Node> operands = {};
  };
  struct Step {
    Statement::Kind kind = Statement::Kind::define;
    Place place;
    Stage stage = Stage::events;
    std::vector<std::size_t> slots = {};  // that it defines
    std::vector<Node> nodes = {};         // of definitions, or what is checked
    bool negated = false;
    bool flags = false;
    // Of a constraint: whether an execution that breaks it still does with more reads-from, more
    // coherence and more order of fences.
    bool stays_broken = false;
    std::string name = {};
  };
  const std::vector<Step>& steps() const { return steps_; }
  std::size_t slots() const { return slots_; }
  const Syntax& syntax() const { return syntax_; }

 private:
  friend class Resolver;

  Syntax syntax_;
  std::string name_;
  std::vector<Step> steps_;
  std::size_t slots_ = 0;
};

// What a model says of an execution of so many events, as it is put together.
class Evaluation {
 public:
  Evaluation(const Model& model, int events);

  // Sets what the execution has by a name; to be said before the stage of that name.
  void set(std::size_t base_number, const Value& value) { bases_[base_number] = value; }
  // Works out what depends on no later stage. Whether all constraints of this stage hold.
  bool advance(Stage stage);
  // Whether all constraints of this stage may hold once reads-from, or the coherence order, is more
  // than it is by now. To be followed by advance() when it is complete.
  bool may_hold(Stage stage);
  // The names of the flags that hold, once the last stage is over.
  std::vector<std::string> flags() const;
  // Of the constraint that did not hold: its name, or what it is.
  std::string broken() const;

 private:
  Value evaluate(const Model::Node& node);
  Value combined(const Model::Node& node);
  Relation as_relation(const Model::Node& node, const Value& value) const;
  EventSet as_set(const Model::Node& node, const Value& value) const;
  Relation relation(const Model::Node& node) { return as_relation(node, evaluate(node)); }
  EventSet set_of(const Model::Node& node) { return as_set(node, evaluate(node)); }
  bool work_out(Stage stage, bool complete);
  bool holds(const Model::Step& step);
  void define_recursively(const Model::Step& step);

  const Model& model_;
  int events_;
  std::vector<Value> bases_, slots_;
  std::vector<bool> flagged_;  // by step
  const Model::Step* broken_ = nullptr;
};

}  // namespace headway::consistency::cat
