#include "models/model_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <sstream>

#include "models/histories.hpp"
#include "models/yaml/node.hpp"

namespace headway::models {
namespace {

// Reading YAML ---------------------------------------------------------------------------------

constexpr std::array<std::string_view, 8> kFields = {
    "name", "summary", "params", "fair", "initial", "on_step", "on_terminate", "scopes"};

class Reader {
 public:
  Reader(std::string_view content, const std::string& file) : content_(content), file_(file) {}

  ModelFile run() {
    if (content_.size() > kMaxModelBytes) {
      throw Error({file_, 0, 0}, "larger than 1 MiB; expected a model file");
    }
    if (const std::size_t nul = content_.find('\0'); nul != std::string_view::npos) {
      throw error_at(file_, content_, nul, "a NUL byte; expected a text file");
    }
    check_indentation();
    yaml::Document document;
    try {
      document = yaml::read(std::string(content_));
    } catch (const yaml::Malformed& error) {
      fail(error.mark(), std::string("not YAML: ") + error.what() +
                             "; an expression that starts with '{' and goes on must be quoted");
    }
    if (!document.root.is_map()) {
      fail(document.root.mark, "expected a model: 'name: ...' and 'fair: ...'");
    }
    if (document.second) fail(*document.second, "expected one model in a file");
    read(document.root);
    return std::move(result_);
  }

 private:
  // What yaml-cpp says of tabs would not help.
  void check_indentation() const {
    for (std::size_t line = 0; line < content_.size();) {
      const std::size_t first = content_.find_first_not_of(' ', line);
      if (first != std::string_view::npos && content_[first] == '\t') {
        throw error_at(file_, content_, first, "a tab; YAML lines are indented by spaces alone");
      }
      const std::size_t end = content_.find('\n', line);
      line = end == std::string_view::npos ? content_.size() : end + 1;
    }
  }

  void read(const yaml::Node& root) {
    std::set<std::string> seen;
    for (const auto& entry : root.entries) {
      const yaml::Mark place = entry.key.mark;
      if (!entry.key.is_scalar()) fail(place, "expected the name of a field");
      const std::string& key = entry.key.text;
      if (!seen.insert(key).second) fail(place, fmt::format("'{}' is given twice", key));
      if (std::find(kFields.begin(), kFields.end(), key) == kFields.end()) {
        fail(place, fmt::format("unknown field '{}'; expected name, summary, params, and either "
                                "fair or initial, on_step and on_terminate or scopes",
                                key));
      }
      if (entry.value.is_null()) fail(place, fmt::format("'{}' has no value", key));
      if (key == "name") {
        result_.name = scalar(entry.value, "a name");
        const bool plain =
            std::all_of(result_.name.begin(), result_.name.end(), [](unsigned char c) {
              return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '+' || c == '.';
            });
        if (result_.name.empty() || !plain) {
          fail(entry.value.mark, "expected a name of letters, digits and + - . _");
        }
      } else if (key == "summary") {
        result_.summary = scalar(entry.value, "one line of text");
      } else if (key == "params") {
        parameters(entry.value);
      } else if (key == "scopes") {
        scopes(entry.value);
      } else if (key == "fair") {
        result_.fair = expression(entry.value);
      } else if (key == "initial") {
        result_.initial = expression(entry.value);
      } else if (key == "on_step") {
        result_.on_step = expression(entry.value);
      } else {
        result_.on_terminate = expression(entry.value);
      }
    }
    if (!seen.contains("name")) fail(root.mark, "the model has no name; expected 'name: ...'");
    const std::size_t events =
        seen.count("initial") + seen.count("on_step") + seen.count("on_terminate");
    const bool others = seen.contains("fair") || events > 0 || seen.contains("params");
    if (seen.contains("scopes") && others) {
      fail(root.mark, "expected 'scopes' beside nothing but 'name' and 'summary'");
    }
    if (!seen.contains("scopes") && (seen.contains("fair") ? events > 0 : events < 3)) {
      fail(root.mark,
           "expected 'fair', or all of 'initial', 'on_step' and 'on_terminate', or 'scopes'");
    }
    result_.event_form = events > 0;
    result_.content = content_;
  }

  void parameters(const yaml::Node& node) {
    if (!node.is_map()) fail(node.mark, "expected parameters with their defaults: '{k: 2}'");
    for (const auto& entry : node.entries) {
      const std::string name = scalar(entry.key, "the name of a parameter");
      const bool identifier =
          !name.empty() && !std::isdigit(static_cast<unsigned char>(name.front())) &&
          std::all_of(name.begin(), name.end(),
                      [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
      if (!identifier || is_expression_keyword(name)) {
        fail(entry.key.mark, fmt::format("'{}' cannot name a parameter", name));
      }
      const int value = number(entry.value).value_or(kMaxParameter + 1);
      if (value < -kMaxParameter || value > kMaxParameter) {
        fail(entry.value.mark, fmt::format("expected the default of '{}', a number from {} to "
                                           "{}",
                                           name, -kMaxParameter, kMaxParameter));
      }
      if (!result_.parameters.emplace(name, value).second) {
        fail(entry.key.mark, fmt::format("parameter '{}' is given twice", name));
      }
    }
  }

  // As YAML writes numbers: 10, 0xa and 012 are the same.
  static std::optional<int> number(const yaml::Node& node) {
    std::istringstream stream(node.text);
    stream.unsetf(std::ios::dec);
    int value = 0;
    const bool read = node.is_scalar() && !node.text.empty() && node.text.front() != ' ' &&
                      stream >> value && stream.peek() == std::istringstream::traits_type::eof();
    return read ? std::optional(value) : std::nullopt;
  }

  // "{workgroup: OBE, thread: unfair}"
  void scopes(const yaml::Node& node) {
    if (!node.is_map()) fail(node.mark, "expected a model for each level: '{workgroup: OBE}'");
    for (const auto& entry : node.entries) {
      const std::string name = scalar(entry.key, "workgroup, subgroup or thread");
      const auto level = std::find_if(kLevels.begin(), kLevels.end(),
                                      [&](Level known) { return to_string(known) == name; });
      if (level == kLevels.end()) {
        fail(entry.key.mark,
             fmt::format("unknown level '{}'; expected workgroup, subgroup or thread", name));
      }
      ModelFile::Text text;
      text.where = position(entry.value.mark);
      text.text = scalar(entry.value, "a model by name or path");
      if (!result_.scopes.emplace(*level, text).second) {
        fail(entry.key.mark, fmt::format("level '{}' is given twice", name));
      }
    }
  }

  std::string scalar(const yaml::Node& node, const std::string& what) const {
    if (!node.is_scalar()) fail(node.mark, "expected " + what);
    return node.text;
  }

  // YAML takes "{}" and "{0, 2}" for mappings; here they are sets.
  ModelFile::Text expression(const yaml::Node& node) const {
    ModelFile::Text text;
    text.where = position(node.mark);
    if (node.is_map()) {
      for (const auto& entry : node.entries) {
        if (!entry.key.is_scalar() || !entry.value.is_null()) {
          fail(node.mark, "expected a set expression");
        }
        text.text += (text.text.empty() ? "" : ", ") + entry.key.text;
      }
      text.text = "{" + text.text + "}";
      return text;
    }
    text.text = scalar(node, "a set expression");
    const std::string_view line = line_of(text.where.line);
    const std::size_t start = static_cast<std::size_t>(text.where.column) - 1;
    for (const std::size_t skip : {std::size_t{0}, std::size_t{1}}) {  // 1: a quote
      if (start + skip <= line.size() && line.substr(start + skip).starts_with(text.text)) {
        text.where.column += static_cast<int>(skip);
        text.exact = true;
        break;
      }
    }
    return text;
  }

  SourcePosition position(const yaml::Mark& mark) const {
    if (mark.line < 0) return {file_, 1, 1};
    return {file_, mark.line + 1, mark.column + 1};
  }

  std::string_view line_of(int line) const {
    std::size_t offset = 0;
    for (; line > 1 && offset != std::string_view::npos; --line) {
      offset = content_.find('\n', offset);
      if (offset != std::string_view::npos) ++offset;
    }
    return line_around(content_, offset);
  }

  [[noreturn]] void fail(const yaml::Mark& mark, const std::string& message) const {
    const SourcePosition where = position(mark);
    throw Error(where, message, line_of(where.line));
  }

  std::string_view content_;
  const std::string& file_;
  ModelFile result_;
};

// The two kinds of model -----------------------------------------------------------------------

class HistoryModel final : public Model {
 public:
  HistoryModel(std::string name, const ModelFile& file, Expression fair)
      : Model(std::move(name), file.summary, file.fair.text), fair_(std::move(fair)) {}

  bool looks_at_started() const override { return fair_.looks_at_started(); }
  bool looks_at_started_of_others() const override { return fair_.looks_at_started_of_others(); }
  bool looks_at_blocked() const override { return fair_.looks_at_blocked(); }
  bool looks_at_terminated() const override { return fair_.looks_at_terminated(); }
  bool looks_at_ids() const override { return fair_.looks_at_ids(); }
  ThreadSet fair(const Topology& topology, const History& history) const override {
    return fair_.evaluate({topology.threads(), history, {}, 0});
  }

 private:
  Expression fair_;
};

class EventModel final : public Model {
 public:
  EventModel(std::string name, const ModelFile& file, Expression initial, Expression on_step,
             Expression on_terminate)
      : Model(std::move(name), file.summary,
              fmt::format("initially {}; on a step {}; on a termination {}", file.initial.text,
                          file.on_step.text, file.on_terminate.text)),
        initial_(std::move(initial)),
        on_step_(std::move(on_step)),
        on_terminate_(std::move(on_terminate)) {}

  bool history_determined() const override { return false; }
  bool looks_at_started() const override {
    return on_step_.looks_at_started() || on_terminate_.looks_at_started();
  }
  bool looks_at_instructions() const override { return on_step_.looks_at_instructions(); }
  bool looks_at_blocked() const override {
    return initial_.looks_at_blocked() || on_step_.looks_at_blocked() ||
           on_terminate_.looks_at_blocked();
  }
  ThreadSet fair(const Topology&, const History&) const override {
    assert(false && "the fair set of an event model is not a function of the history");
    return {};
  }
  ThreadSet initial(const Topology& topology, const History& first) const override {
    return initial_.evaluate({topology.threads(), first, {}, 0});
  }
  ThreadSet on_step(const Topology& topology, ThreadSet before, const Event& step,
                    const History& after) const override {
    return on_step_.evaluate({topology.threads(), after, before, step.thread, step.instruction});
  }
  ThreadSet on_terminate(const Topology& topology, ThreadSet before, int thread,
                         const History& after) const override {
    return on_terminate_.evaluate({topology.threads(), after, before, thread});
  }

 private:
  Expression initial_;
  Expression on_step_;
  Expression on_terminate_;
};

std::string_view line_number(std::string_view content, int line) {
  std::size_t offset = 0;
  for (; line > 1; --line) offset = content.find('\n', offset) + 1;
  return line_around(content, offset);
}

Expression compile(const ModelFile& file, const ModelFile::Text& text, Expression::Form form,
                   const Expression::Parameters& parameters) {
  try {
    return Expression::parse_set(text.text, form, parameters);
  } catch (const Error& error) {
    SourcePosition where = text.where;
    if (text.exact) where.column += error.where().column - 1;
    throw Error(where, error.what(), line_number(file.content, where.line));
  }
}

// A terminated thread cannot be guaranteed anything; a model that says so is a slip of the pen.
void refuse_terminated_threads(const ModelFile& file, const Model& model) {
  constexpr int largest = 4;
  for (int threads = 1; threads <= largest; ++threads) {
    const Histories histories(threads, {&model});
    for (std::size_t h = 0; h < histories.size(); ++h) {
      const ThreadSet wrong = histories.fair(h, 0) & histories.history(h).terminated;
      if (wrong.empty()) continue;
      const ModelFile::Text& text = file.event_form ? file.on_terminate : file.fair;
      throw Error(text.where,
                  fmt::format("with {} thread{} F holds the terminated thread {} after this "
                              "history: {}; expected only threads that are alive",
                              threads, threads == 1 ? "" : "s", wrong.min(),
                              describe_events(histories.path(h))),
                  line_number(file.content, text.where.line));
    }
  }
}

}  // namespace

ModelFile parse_model_file(std::string_view content, const std::string& file) {
  return Reader(content, file).run();
}

void fail_at(const ModelFile& file, const ModelFile::Text& text, const std::string& message) {
  throw Error(text.where, message, line_number(file.content, text.where.line));
}

ModelPtr instantiate(const ModelFile& file, const Expression::Parameters& chosen) {
  assert(file.scopes.empty());
  Expression::Parameters parameters = file.parameters;
  for (const auto& [name, value] : chosen) {
    const auto known = parameters.find(name);
    if (known == parameters.end()) {
      std::string names;
      for (const auto& [other, ignored] : parameters) names += (names.empty() ? "" : ", ") + other;
      throw Error(fmt::format("model {} has no parameter '{}'; expected {}", file.name, name,
                              names.empty() ? "none" : names));
    }
    known->second = value;
  }
  std::string name = file.name;
  for (const auto& [parameter, value] : parameters) {
    name += fmt::format("{}{}={}", name.size() == file.name.size() ? "(" : ",", parameter, value);
  }
  if (!parameters.empty()) name += ")";
  ModelPtr model;
  if (file.event_form) {
    model = std::make_shared<EventModel>(
        name, file, compile(file, file.initial, Expression::Form::initial, parameters),
        compile(file, file.on_step, Expression::Form::step, parameters),
        compile(file, file.on_terminate, Expression::Form::termination, parameters));
  } else {
    model = std::make_shared<HistoryModel>(
        name, file, compile(file, file.fair, Expression::Form::history, parameters));
  }
  refuse_terminated_threads(file, *model);
  return model;
}

}  // namespace headway::models
