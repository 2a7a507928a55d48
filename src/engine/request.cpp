#include "engine/request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/limits.hpp"
#include "engine/arguments.hpp"

namespace headway::engine {
namespace {

using Json = nlohmann::ordered_json;

// Where 32 bits name bytes, headway's own tables have to leave room for what they grow from.
constexpr std::size_t kMostMemory = sizeof(void*) == 4 ? std::size_t{1200} << 20 : ~std::size_t{0};

std::string string_at(const Json& json, const std::string& key, const std::string& otherwise = {}) {
  const auto field = json.find(key);
  if (field == json.end()) return otherwise;
  if (!field->is_string()) throw Error(fmt::format("request: expected a text as '{}'", key));
  return field->get<std::string>();
}

std::string choice_at(const Json& json, const std::string& key,
                      const std::vector<std::string>& choices) {
  std::string value = string_at(json, key, choices.front());
  if (std::find(choices.begin(), choices.end(), value) == choices.end()) {
    throw Error(fmt::format("request: expected {} as '{}', found '{}'", fmt::join(choices, ", "),
                            key, value));
  }
  return value;
}

double number_at(const Json& json, const std::string& key, double most) {
  const auto field = json.find(key);
  if (field == json.end()) return 0;
  const double number = field->is_number() ? field->get<double>() : -1;
  if (!(number > 0) || number > most) {
    throw Error(fmt::format("request: expected a number above 0 as '{}', at most {}", key, most));
  }
  return number;
}

}  // namespace

Request Request::parse(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) throw Error("request: expected an object of JSON");
  constexpr std::array<std::string_view, 12> known = {
      "command", "text",      "file",  "models",     "fairness",   "threads",
      "launch",  "histories", "files", "max_states", "max_memory", "timeout"};
  for (const auto& [key, value] : json.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      throw Error(
          fmt::format("request: unknown field '{}'; expected {}", key, fmt::join(known, ", ")));
    }
  }
  Request request;
  request.command = choice_at(
      json, "command", {"check", "explain", "lts", "residency", "compare", "models", "show"});
  request.text = string_at(json, "text");
  request.file = string_at(json, "file", "<stdin>");
  request.fairness = choice_at(json, "fairness", {"both", "weak", "strong"});
  request.threads = string_at(json, "threads");
  request.launch = string_at(json, "launch");
  request.histories = choice_at(json, "histories", {"recurring", "all"});
  if (const auto models = json.find("models"); models != json.end()) {
    const bool texts =
        models->is_array() &&
        std::all_of(models->begin(), models->end(), [](const Json& m) { return m.is_string(); });
    if (!texts) throw Error("request: expected a list of texts as 'models'");
    request.models = models->get<std::vector<std::string>>();
  }
  if (const auto files = json.find("files"); files != json.end()) {
    const bool texts =
        files->is_object() &&
        std::all_of(files->begin(), files->end(), [](const Json& f) { return f.is_string(); });
    if (!texts) throw Error("request: expected texts by path as 'files'");
    for (const auto& [path, content] : files->items()) request.files[path] = content;
  }
  if (json.contains("max_states")) {
    request.max_states = static_cast<std::size_t>(
        number_at(json, "max_states", static_cast<double>(checker::kHighestMaxStates)));
  }
  request.max_memory = static_cast<std::size_t>(
      number_at(json, "max_memory",
                1e15 < static_cast<double>(kMostMemory) ? 1e15 : static_cast<double>(kMostMemory)));
  request.timeout = number_at(json, "timeout", 1e9);
  return request;
}

models::Library Request::library() const {
  return models::Library(
      {[this](const std::string& path) {
         const auto file = files.find(path);
         if (file == files.end()) {
           throw Error({path, 0, 0}, "there is no such file; expected one of 'files'");
         }
         return file->second;
       },
       [this](const std::string& path) { return files.contains(path); }});
}

checker::CheckOptions Request::options(std::size_t most_states,
                                       const std::atomic<bool>* stop) const {
  checker::CheckOptions options{max_states.value_or(most_states), stop};
  options.max_memory =
      max_memory > 0 ? max_memory : std::min(kMostMemory, available_memory() / 10 * 9);
  if (timeout > 0) options.deadline = StopSigns::after(timeout);
  return options;
}

models::Fairness Request::one_fairness() const {
  return fairness == "strong" ? models::Fairness::strong : models::Fairness::weak;
}

std::optional<int> Request::one_size() const {
  if (threads.empty()) return std::nullopt;
  const lang::Sizes sizes = parse_sizes(threads);
  if (sizes.numbers().size() != 1) {
    throw Error(fmt::format("expected one number of threads; found '{}'", threads));
  }
  return *sizes.numbers().begin();
}

void Answer::status(int status) {
  constexpr std::array<int, 5> by_gravity = {0, 1, 3, 2, 130};
  const auto gravity = [&](int each) {
    return std::find(by_gravity.begin(), by_gravity.end(), each) - by_gravity.begin();
  };
  if (gravity(status) > gravity(status_)) status_ = status;
}

void Answer::message(std::string_view kind, const std::string& text) {
  messages_.push_back({{"kind", kind}, {"text", text}});
}

void Answer::message(std::string_view kind, const Error& error) {
  Json message = {{"kind", kind}, {"text", error.what()}};
  const SourcePosition& where = error.where();
  if (!where.file.empty()) message["file"] = where.file;
  if (where.line > 0) message["line"] = where.line;
  if (where.column > 0) message["column"] = where.column;
  messages_.push_back(std::move(message));
}

std::string Answer::text() const {
  // What goes wrong does so whatever a limit left open.
  const int status = wrong_ && status_ == 3 ? 1 : status_;
  const Json answer = {{"status", status}, {"messages", messages_}, {"output", output_}};
  return answer.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace headway::engine
