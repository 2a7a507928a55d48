#include "consistency/cat/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/error.hpp"
#include "base/text/suggestion.hpp"

namespace headway::consistency::cat {
namespace {

using Kind = Expression::Kind;
using Node = Model::Node;

constexpr std::size_t kMostNodes = 200'000;

}  // namespace

// The sets and relations of herd's manual and of its models of C, and those by which models of
// PTX, Vulkan and OpenCL (Dat3M's among them) speak of places, scopes, proxies and storage classes.
const std::vector<BaseName>& base_names() {
  static const std::vector<BaseName> names = [] {
    std::vector<BaseName> result;
    for (const char* set :
         {"R",         "W",      "M",       "F",      "I",      "IW",      "RMW",    "BAR",
          "A",         "NA",     "RLX",     "ACQ",    "REL",    "ACQ_REL", "SC",     "CON",
          "WEAK",      "NAL",    "CTA",     "GPU",    "SYS",    "GEN",     "SUR",    "TEX",
          "ALIAS",     "ATOM",   "NONPRIV", "AV",     "VIS",    "SC0",     "SC1",    "SC2",
          "SC3",       "SEMSC0", "SEMSC1",  "SEMSC2", "SEMSC3", "SEMAV",   "SEMVIS", "AVDEVICE",
          "VISDEVICE", "CBAR",   "SG",      "WG",     "QF",     "DV",      "WI",     "ALL",
          "GLOBAL",    "LOCAL",  "EF",      "XF"}) {
      result.push_back({set, false, Stage::events});
    }
    for (const char* relation :
         {"id",   "po",   "thd",  "int", "ext",     "loc",         "vloc", "po-loc",
          "addr", "data", "ctrl", "rmw", "sr",      "scta",        "sgpu", "ssg",
          "swg",  "sqf",  "sdv",  "ssw", "syncbar", "sync_barrier"}) {
      result.push_back({relation, true, Stage::events});
    }
    for (const char* relation : {"rf", "rfi", "rfe"}) {
      result.push_back({relation, true, Stage::reads_from});
    }
    for (const char* relation : {"co", "coi", "coe", "fr", "fri", "fre", "sync_fence"}) {
      result.push_back({relation, true, Stage::coherence});
    }
    return result;
  }();
  return names;
}

std::size_t base_number(std::string_view name) {
  const auto& names = base_names();
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](const BaseName& base) { return base.name == name; });
  assert(found != names.end());
  return static_cast<std::size_t>(found - names.begin());
}

// Looks names up and writes functions out.
class Resolver {
 public:
  explicit Resolver(Model& model) : model_(model) {}

  void resolve() {
    for (const Statement& statement : model_.syntax_.statements) step(statement);
    model_.slots_ = slot_stages_.size();
  }

 private:
  struct Meaning {
    bool is_base = false;
    std::size_t number = 0;
    const Definition* function = nullptr;
    std::size_t scope = 0;  // of a function: how many names it sees
  };
  struct Named {
    std::string name;
    Meaning meaning;
  };

  // What more in reads-from, coherence or the order of fences may make of a value: more, less.
  static constexpr unsigned kMore = 1, kLess = 2;

  std::size_t new_slot(Stage stage, unsigned change) {
    slot_stages_.push_back(stage);
    slot_changes_.push_back(change);
    return slot_stages_.size() - 1;
  }
  void name_slot(const std::string& name, std::size_t slot) {
    names_.push_back({name, {false, slot, nullptr, 0}});
  }

  void step(const Statement& statement) {
    Model::Step result;
    result.kind = statement.kind;
    result.place = statement.place;
    result.negated = statement.negated;
    result.flags = statement.flags;
    result.name = statement.name;
    switch (statement.kind) {
      case Statement::Kind::define: {
        std::vector<Named> defined;
        for (const Definition& definition : statement.definitions) {
          if (definition.is_function) {
            defined.push_back({definition.name, {false, 0, &definition, names_.size()}});
            continue;
          }
          result.nodes.push_back(node(definition.body));
          const std::size_t slot =
              new_slot(stage_of(result.nodes.back()), change_of(result.nodes.back()));
          result.stage = std::max(result.stage, slot_stages_[slot]);
          result.slots.push_back(slot);
          defined.push_back({definition.name, {false, slot, nullptr, 0}});
        }
        names_.insert(names_.end(), defined.begin(), defined.end());
        if (result.slots.empty()) return;
        break;
      }
      case Statement::Kind::define_recursively:
        recursion(statement, result);
        break;
      case Statement::Kind::acyclic:
      case Statement::Kind::irreflexive:
      case Statement::Kind::empty:
        result.nodes.push_back(node(statement.checked));
        result.stage = stage_of(result.nodes.back());
        result.stays_broken =
            !statement.negated && !statement.flags && (change_of(result.nodes.back()) & kLess) == 0;
        break;
    }
    model_.steps_.push_back(std::move(result));
  }

  void recursion(const Statement& statement, Model::Step& result) {
    for (const Definition& definition : statement.definitions) {
      if (definition.is_function) {
        refuse(model_.syntax_, definition.place, "a function that calls itself is not read here");
      }
      result.slots.push_back(new_slot(Stage::events, 0));
      name_slot(definition.name, result.slots.back());
    }
    for (const Definition& definition : statement.definitions) {
      result.nodes.push_back(node(definition.body));
      std::vector<bool> grows(slot_stages_.size());
      for (const std::size_t slot : result.slots) grows[slot] = true;
      require_growth(result.nodes.back(), grows, true);
      result.stage = std::max(result.stage, stage_of(result.nodes.back()));
    }
    for (const std::size_t slot : result.slots) slot_stages_[slot] = result.stage;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < result.slots.size(); ++i) {
        unsigned& known = slot_changes_[result.slots[i]];
        const unsigned all = known | change_of(result.nodes[i]);
        changed = changed || all != known;
        known = all;
      }
    }
  }

  unsigned change_of(const Node& node) {
    if (node.kind == Kind::name) {
      if (!node.is_base) return slot_changes_[node.number];
      return base_names()[node.number].stage == Stage::events ? 0 : kMore;
    }
    if (node.kind == Kind::local) {
      slot_changes_[node.number] |= change_of(node.operands[0]);
      return change_of(node.operands[1]);
    }
    unsigned result = 0;
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      const unsigned change = change_of(node.operands[i]);
      const bool turns = node.kind == Kind::complement || (node.kind == Kind::without && i == 1);
      result |= turns ? ((change & kMore) != 0 ? kLess : 0) | ((change & kLess) != 0 ? kMore : 0)
                      : change;
    }
    return result;
  }

  // That more in the slots that grow never makes less of a node.
  bool require_growth(const Node& node, std::vector<bool>& grows, bool growing) {
    if (node.kind == Kind::name) {
      if (node.is_base || !grows[node.number]) return false;
      if (growing) return true;
      refuse(model_.syntax_, node.place,
             "this recursion is not monotone: what is defined here stands behind '\\' or '~'");
    }
    bool any = false;
    if (node.kind == Kind::local) {
      const bool grown = require_growth(node.operands[0], grows, growing);
      grows[node.number] = grown;
      return require_growth(node.operands[1], grows, growing) || grown;
    }
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      const bool less = node.kind == Kind::complement || (node.kind == Kind::without && i == 1);
      any = require_growth(node.operands[i], grows, less ? !growing : growing) || any;
    }
    return any;
  }

  Stage stage_of(const Node& node) const {
    Stage result = Stage::events;
    if (node.kind == Kind::name) {
      return node.is_base ? base_names()[node.number].stage : slot_stages_[node.number];
    }
    for (const Node& operand : node.operands) result = std::max(result, stage_of(operand));
    return result;
  }

  Node node(const Expression& expression) {
    if (++nodes_ > kMostNodes) {
      refuse(model_.syntax_, expression.place,
             "this model is too large once its functions are "
             "written out");
    }
    if (expression.kind == Kind::call) return call(expression);
    Node result{expression.kind, expression.place};
    if (expression.kind == Kind::name) {
      const Meaning meaning = look_up(expression);
      if (meaning.function != nullptr) {
        refuse(model_.syntax_, expression.place,
               fmt::format("'{}' is a function; expected '{}(...)'", expression.name,
                           expression.name));
      }
      result.is_base = meaning.is_base;
      result.number = meaning.number;
      return result;
    }
    if (expression.kind == Kind::local) {
      result.operands.push_back(node(expression.operands[0]));
      result.number = new_slot(stage_of(result.operands[0]), 0);
      name_slot(expression.name, result.number);
      result.operands.push_back(node(expression.operands[1]));
      names_.pop_back();
      return result;
    }
    for (const Expression& operand : expression.operands) result.operands.push_back(node(operand));
    return result;
  }

  static Node operation(Kind kind, const Place& place, Node a) {
    Node result{kind, place};
    result.operands.push_back(std::move(a));
    return result;
  }
  static Node operation(Kind kind, const Place& place, Node a, Node b) {
    Node result = operation(kind, place, std::move(a));
    result.operands.push_back(std::move(b));
    return result;
  }

  // What herd defines in its library.
  std::optional<Node> library_call(const Expression& expression) {
    const Place& place = expression.place;
    const std::string& name = expression.name;
    if (expression.operands.size() != 1) return std::nullopt;
    if (name == "domain" || name == "range") {
      // A call is left as it is, with 0 or 1 for which.
      Node result{Kind::call, place};
      result.number = name == "range" ? 1 : 0;
      result.operands.push_back(node(expression.operands[0]));
      return result;
    }
    if (name == "toid") return operation(Kind::identity, place, node(expression.operands[0]));
    if (name == "fencerel") {
      Node po{Kind::name, place};
      po.is_base = true;
      po.number = base_number("po");
      Node fences = operation(Kind::identity, place, node(expression.operands[0]));
      return operation(Kind::sequence, place, operation(Kind::sequence, place, po, fences), po);
    }
    return std::nullopt;
  }

  Node call(const Expression& expression) {
    const auto known = std::find_if(names_.rbegin(), names_.rend(), [&](const Named& named) {
      return named.name == expression.name;
    });
    if (known == names_.rend()) {
      if (auto library = library_call(expression)) return std::move(*library);
    }
    const Meaning meaning = look_up(expression);
    if (meaning.function == nullptr) {
      refuse(model_.syntax_, expression.place,
             fmt::format("'{}' is no function; expected ';' or another operator behind it",
                         expression.name));
    }
    const Definition& function = *meaning.function;
    if (function.parameters.size() != expression.operands.size()) {
      refuse(model_.syntax_, expression.place,
             fmt::format("'{}' takes {} argument{}, found {}", expression.name,
                         function.parameters.size(), function.parameters.size() == 1 ? "" : "s",
                         expression.operands.size()));
    }
    std::vector<Node> arguments;
    for (const Expression& operand : expression.operands) arguments.push_back(node(operand));
    // The body sees what was there when the function was defined, and its parameters.
    std::vector<Named> hidden(names_.begin() + static_cast<std::ptrdiff_t>(meaning.scope),
                              names_.end());
    names_.resize(meaning.scope);
    std::vector<std::size_t> slots;
    for (std::size_t p = 0; p < arguments.size(); ++p) {
      slots.push_back(new_slot(stage_of(arguments[p]), 0));
      name_slot(function.parameters[p], slots.back());
    }
    Node result = node(function.body);
    names_.resize(meaning.scope);
    names_.insert(names_.end(), hidden.begin(), hidden.end());
    for (std::size_t p = arguments.size(); p-- > 0;) {
      Node bound =
          operation(Kind::local, expression.place, std::move(arguments[p]), std::move(result));
      bound.number = slots[p];
      result = std::move(bound);
    }
    return result;
  }

  Meaning look_up(const Expression& expression) const {
    for (auto named = names_.rbegin(); named != names_.rend(); ++named) {
      if (named->name == expression.name) return named->meaning;
    }
    const auto& bases = base_names();
    for (std::size_t b = 0; b < bases.size(); ++b) {
      if (bases[b].name == expression.name) return {true, b, nullptr, 0};
    }
    std::vector<std::string> known;
    for (const Named& named : names_) known.push_back(named.name);
    for (const BaseName& base : bases) known.push_back(base.name);
    refuse(model_.syntax_, expression.place,
           fmt::format("nothing is called '{}'{}", expression.name,
                       did_you_mean(expression.name, known)));
  }

  Model& model_;
  std::vector<Named> names_;
  std::vector<Stage> slot_stages_;
  std::vector<unsigned> slot_changes_;
  std::size_t nodes_ = 0;
};

Model::Model(Syntax syntax, std::string name) : syntax_(std::move(syntax)), name_(std::move(name)) {
  Resolver(*this).resolve();
  // Sets in place of relations show in an execution without events.
  Evaluation empty(*this, 0);
  for (const Stage stage : kStages) empty.advance(stage);
}

Evaluation::Evaluation(const Model& model, int events)
    : model_(model), events_(events), slots_(model.slots()), flagged_(model.steps().size()) {
  for (const BaseName& base : base_names()) {
    if (base.is_relation) {
      bases_.emplace_back(Relation(events));
    } else {
      bases_.emplace_back(EventSet{0});
    }
  }
}

bool Evaluation::advance(Stage stage) { return work_out(stage, true); }

bool Evaluation::may_hold(Stage stage) { return work_out(stage, false); }

bool Evaluation::work_out(Stage stage, bool complete) {
  const auto& steps = model_.steps();
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const Model::Step& step = steps[s];
    if (step.stage != stage) continue;
    switch (step.kind) {
      case Statement::Kind::define: {
        // All at once: "let a = b and b = a" exchanges them.
        std::vector<Value> values;
        for (const Node& node : step.nodes) values.push_back(evaluate(node));
        for (std::size_t i = 0; i < values.size(); ++i) slots_[step.slots[i]] = values[i];
        break;
      }
      case Statement::Kind::define_recursively:
        define_recursively(step);
        break;
      case Statement::Kind::acyclic:
      case Statement::Kind::irreflexive:
      case Statement::Kind::empty: {
        if (!complete && !step.stays_broken) break;
        const bool held = holds(step);
        flagged_[s] = step.flags && held;
        if (step.flags || held) break;
        broken_ = &step;
        return false;
      }
    }
  }
  return true;
}

bool Evaluation::holds(const Model::Step& step) {
  const Value value = evaluate(step.nodes.front());
  bool held = false;
  if (step.kind == Statement::Kind::empty) {
    if (const auto* set = std::get_if<EventSet>(&value)) {
      held = *set == 0;
    } else if (const auto* pairs = std::get_if<Relation>(&value)) {
      held = pairs->empty();
    } else {
      held = true;
    }
  } else {
    const Relation pairs = relation(step.nodes.front());
    held = step.kind == Statement::Kind::acyclic ? pairs.acyclic() : pairs.irreflexive();
  }
  return held != step.negated;
}

void Evaluation::define_recursively(const Model::Step& step) {
  for (const std::size_t slot : step.slots) slots_[slot] = Nothing{};
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < step.nodes.size(); ++i) {
      const Value value = evaluate(step.nodes[i]);
      if (value == slots_[step.slots[i]]) continue;
      slots_[step.slots[i]] = value;
      changed = true;
    }
  }
}

Relation Evaluation::as_relation(const Node& node, const Value& value) const {
  if (std::holds_alternative<Nothing>(value)) return Relation(events_);
  if (const auto* pairs = std::get_if<Relation>(&value)) return *pairs;
  refuse(model_.syntax(), node.place, "this is a set of events; expected a relation");
}

EventSet Evaluation::as_set(const Node& node, const Value& value) const {
  if (std::holds_alternative<Nothing>(value)) return 0;
  if (const auto* set = std::get_if<EventSet>(&value)) return *set;
  refuse(model_.syntax(), node.place, "this is a relation; expected a set of events");
}

Value Evaluation::combined(const Node& node) {
  const Node& first = node.operands[0];
  const Node& second = node.operands[1];
  const Value a = evaluate(first);
  const Value b = evaluate(second);
  if (std::holds_alternative<Nothing>(a) && std::holds_alternative<Nothing>(b)) return a;
  if (std::holds_alternative<EventSet>(a) || std::holds_alternative<EventSet>(b)) {
    const EventSet left = as_set(first, a);
    const EventSet right = as_set(second, b);
    if (node.kind == Kind::either) return left | right;
    return node.kind == Kind::both ? left & right : left & ~right;
  }
  const Relation left = as_relation(first, a);
  const Relation right = as_relation(second, b);
  if (node.kind == Kind::either) return left | right;
  return node.kind == Kind::both ? left & right : left - right;
}

Value Evaluation::evaluate(const Node& node) {
  const auto& operands = node.operands;
  const EventSet all = first_events(events_);
  switch (node.kind) {
    case Kind::name:
      return node.is_base ? bases_[node.number] : slots_[node.number];
    case Kind::nothing:
      return Nothing{};
    case Kind::everything:
      return all;
    case Kind::either:
    case Kind::both:
    case Kind::without:
      return combined(node);
    case Kind::sequence:
      return relation(operands[0]).then(relation(operands[1]));
    case Kind::product:
      return Relation::product(events_, set_of(operands[0]), set_of(operands[1]));
    case Kind::complement: {
      const Value a = evaluate(operands[0]);
      if (const auto* set = std::get_if<EventSet>(&a)) return all & ~*set;
      return Relation::product(events_, all, all) - as_relation(operands[0], a);
    }
    case Kind::inverse:
      return relation(operands[0]).inverse();
    case Kind::plus:
      return relation(operands[0]).closure();
    case Kind::star:
      return relation(operands[0]).closure() | Relation::identity(events_, all);
    case Kind::optional:
      return relation(operands[0]) | Relation::identity(events_, all);
    case Kind::identity:
      return Relation::identity(events_, set_of(operands[0]));
    case Kind::call: {
      const Relation pairs = relation(operands[0]);
      return node.number == 1 ? pairs.range() : pairs.domain();
    }
    case Kind::local:
      slots_[node.number] = evaluate(operands[0]);
      return evaluate(operands[1]);
  }
  return Nothing{};
}

std::vector<std::string> Evaluation::flags() const {
  std::vector<std::string> result;
  for (std::size_t s = 0; s < flagged_.size(); ++s) {
    if (flagged_[s]) result.push_back(model_.steps()[s].name);
  }
  return result;
}

std::string Evaluation::broken() const {
  if (broken_ == nullptr) return {};
  if (!broken_->name.empty()) return broken_->name;
  switch (broken_->kind) {
    case Statement::Kind::acyclic:
      return "acyclic";
    case Statement::Kind::irreflexive:
      return "irreflexive";
    case Statement::Kind::empty:
    case Statement::Kind::define:
    case Statement::Kind::define_recursively:
      break;
  }
  return "empty";
}

}  // namespace headway::consistency::cat
