#include "models/library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>

#include "base/file.hpp"
#include "base/text/scanner.hpp"
#include "base/text/suggestion.hpp"
#include "models/embedded.hpp"
#include "models/scoped.hpp"

namespace headway::models {
namespace {

// A specification taken apart: "OBE-k(k=3)".
struct Specification {
  std::string name;
  Expression::Parameters arguments;
};

Specification parse_specification(const std::string& text) {
  Specification result;
  const std::size_t open = text.find('(');
  result.name = text.substr(0, open);
  while (result.name.ends_with(' ')) result.name.pop_back();
  if (open == std::string::npos) return result;
  try {
    Scanner scanner(std::string_view(text).substr(open + 1), "");
    do {
      const Token name = scanner.next();
      if (!name.is_identifier()) {
        scanner.fail(name, "expected a parameter, found " + shown(name));
      }
      scanner.expect("=");
      const Token sign = scanner.peek();
      const bool negative = scanner.accept("-");
      const Token number = scanner.next();
      const int size = number.is_number() && number.text.size() <= 9
                           ? std::stoi(std::string(number.text))
                           : kMaxParameter + 1;
      if (size > kMaxParameter) {
        scanner.fail(sign, fmt::format("expected a value from -{0} to {0}, found '{1}{2}'",
                                       kMaxParameter, negative ? "-" : "", number.text));
      }
      const int value = negative ? -size : size;
      if (!result.arguments.emplace(name.text, value).second) {
        scanner.fail(name, fmt::format("parameter '{}' is given twice", name.text));
      }
    } while (scanner.accept(","));
    scanner.expect(")");
    if (scanner.peek().kind != Token::Kind::end) {
      scanner.fail(scanner.peek(), "expected nothing behind ')'");
    }
  } catch (const Error& error) {
    throw Error(fmt::format("model '{}': {}", text, error.what()));
  }
  return result;
}

// The parts of a text between `separator`, none of which is inside parentheses.
std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == separator && depth <= 0) {
      parts.emplace_back();
    } else if (c != ' ' || !parts.back().empty()) {
      parts.back() += c;
    }
  }
  for (std::string& part : parts) {
    while (part.ends_with(' ')) part.pop_back();
  }
  return parts;
}

// What stands before the '=' of "workgroup=OBE"; nothing of "OBE", "OBE-k(k=3)" and "./a=b.yaml".
std::string level_name(const std::string& part) {
  const std::string name = part.substr(0, part.find('='));
  const bool word = name.size() < part.size() &&
                    std::all_of(name.begin(), name.end(),
                                [](unsigned char c) { return std::isalnum(c) != 0 || c == ' '; });
  return word ? split(name, '=').front() : "";
}

Level parse_level(const std::string& name, const std::string& text) {
  const auto* const level = std::find_if(kLevels.begin(), kLevels.end(),
                                         [&](Level each) { return to_string(each) == name; });
  if (level != kLevels.end()) return *level;
  std::vector<std::string> names;
  names.reserve(kLevels.size());
  for (const Level each : kLevels) names.emplace_back(to_string(each));
  throw Error(
      fmt::format("model '{}': unknown level '{}'; expected workgroup, subgroup or thread{}", text,
                  name, did_you_mean(name, names)));
}

// "workgroup=OBE,thread=unfair" by level; nothing for a text that names no level.
std::optional<std::map<Level, std::string>> parse_scopes(const std::string& text) {
  const std::vector<std::string> parts = split(text, ',');
  if (std::all_of(parts.begin(), parts.end(),
                  [](const std::string& part) { return level_name(part).empty(); })) {
    return std::nullopt;
  }
  std::map<Level, std::string> result;
  for (const std::string& part : parts) {
    const std::string name = level_name(part);
    if (name.empty()) {
      throw Error(
          fmt::format("model '{}': expected workgroup=, subgroup= or thread= and a model, "
                      "found '{}'; several models are parted by ';'",
                      text, part));
    }
    const std::string member = split(part.substr(part.find('=') + 1), ',').front();
    if (!result.emplace(parse_level(name, text), member).second) {
      throw Error(fmt::format("model '{}': level '{}' is given twice", text, name));
    }
  }
  return result;
}

// The model of a level; null for fair, which guarantees whatever is alive there.
ModelPtr member(ModelPtr model) {
  if (dynamic_cast<const ScopedModel*>(model.get()) != nullptr) {
    throw Error(
        fmt::format("model {} is for all levels; expected one for a single level, such as "
                    "OBE",
                    model->name()));
  }
  if (model->definition() == "alive") return nullptr;
  return model;
}

// A model for all levels from each choice of one for each of them.
std::vector<ModelPtr> combinations(const std::map<Level, std::vector<ModelPtr>>& choices) {
  std::vector<ModelsByLevel> all(1);
  for (const auto& [level, models] : choices) {
    std::vector<ModelsByLevel> longer;
    longer.reserve(all.size() * models.size());
    for (const ModelsByLevel& outer : all) {
      for (const ModelPtr& model : models) {
        longer.push_back(outer);
        longer.back()[static_cast<std::size_t>(level)] = member(model);
      }
    }
    all = std::move(longer);
  }
  std::vector<ModelPtr> result;
  result.reserve(all.size());
  for (const ModelsByLevel& members : all) {
    result.push_back(std::make_shared<ScopedModel>(scoped_name(members), "", members));
  }
  return result;
}

template <class Find>
ModelPtr of_scopes(const std::map<Level, std::string>& scopes, const Find& find) {
  ModelsByLevel members;
  for (const auto& [level, name] : scopes) {
    members[static_cast<std::size_t>(level)] = member(find(name));
  }
  return std::make_shared<ScopedModel>(scoped_name(members), "", members);
}

// Parsing takes longer than many a test does.
const std::vector<ModelFile>& presets() {
  static const std::vector<ModelFile> files = [] {
    std::vector<ModelFile> result;
    const auto& embedded = embedded_models();
    for (std::size_t i = kFirstModels; i < embedded.size(); ++i) {
      result.push_back(parse_model_file(embedded[i].content, std::string(embedded[i].name)));
    }
    return result;
  }();
  return files;
}

bool equal_but_for_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

bool is_path(std::string_view name) {
  return name.find('/') != std::string_view::npos || name.ends_with(".yaml") ||
         name.ends_with(".yml");
}

}  // namespace

Files Files::on_disk() {
  return {[](const std::string& path) { return read_file(path); },
          [](const std::string& path) { return std::filesystem::exists(path); }};
}

Library::Library(Files disk) : disk_(std::move(disk)) {
  const auto& embedded = embedded_models();
  assert(embedded.size() >= kFirstModels);
  for (std::size_t i = 0; i < kFirstModels; ++i) {
    files_.push_back(parse_model_file(embedded[i].content, std::string(embedded[i].name)));
  }
}

const ModelFile* Library::find_file(const std::string& name) const {
  const auto named = [&](const ModelFile& file) { return file.name == name; };
  const auto own = std::find_if(files_.begin(), files_.end(), named);
  if (own != files_.end()) return &*own;
  const auto preset = std::find_if(presets().begin(), presets().end(), named);
  if (preset != presets().end()) return &*preset;
  // "obe" for OBE, where no other model is called so.
  const ModelFile* alike = nullptr;
  for (const auto* all : {&files_, &presets()}) {
    for (const ModelFile& file : *all) {
      if (!equal_but_for_case(file.name, name)) continue;
      if (alike != nullptr) return nullptr;
      alike = &file;
    }
  }
  return alike;
}

std::vector<ModelFile> Library::files() const {
  std::vector<ModelFile> files = files_;
  files.insert(files.begin() + kFirstModels, presets().begin(), presets().end());
  return files;
}

ModelPtr Library::named(const std::string& specification) const {
  if (const auto scopes = parse_scopes(specification)) {
    return of_scopes(*scopes, [&](const std::string& name) { return named(name); });
  }
  const Specification wanted = parse_specification(specification);
  if (const ModelFile* file = find_file(wanted.name)) return of_file(*file, wanted.arguments);
  if (is_path(wanted.name)) {
    throw Error(fmt::format(
        "'{}' is a file; expected the name of a model, for one of your own the one that "
        "its file gives it, and --model with the file",
        wanted.name));
  }
  std::vector<std::string> names;
  for (const ModelFile& file : files()) names.push_back(file.name);
  std::string hint = did_you_mean(wanted.name, names);
  for (const std::string& reading : {std::string(":weak"), std::string(":strong")}) {
    if (!wanted.name.ends_with(reading)) continue;
    hint =
        fmt::format("; '{}' is the model and '{}' how it is read, for which --fairness is",
                    wanted.name.substr(0, wanted.name.size() - reading.size()), reading.substr(1));
  }
  throw Error(fmt::format("unknown model '{}'; expected {} or the path of a model file{}",
                          wanted.name, fmt::join(names, ", "), hint));
}

ModelPtr Library::of_file(const ModelFile& file, const Expression::Parameters& chosen) const {
  if (file.scopes.empty()) return instantiate(file, chosen);
  if (!chosen.empty()) {
    throw Error(fmt::format("model {} has no parameter '{}'; expected none", file.name,
                            chosen.begin()->first));
  }
  ModelsByLevel members;
  for (const auto& [level, text] : file.scopes) {
    try {
      members[static_cast<std::size_t>(level)] = member(named(text.text));
    } catch (const Error& error) {
      if (error.where().line > 0) throw;
      fail_at(file, text, error.what());
    }
  }
  return std::make_shared<ScopedModel>(file.name, file.summary, members);
}

ModelPtr Library::find(const std::string& specification) {
  if (const auto scopes = parse_scopes(specification)) {
    return of_scopes(*scopes, [&](const std::string& name) { return find(name); });
  }
  const Specification wanted = parse_specification(specification);
  if (!is_path(wanted.name)) return named(specification);
  ModelFile file = parse_model_file(disk_.read(wanted.name), wanted.name);
  // Files that it names are beside it. They are known by their names from then on, too.
  for (auto& [level, text] : file.scopes) {
    if (!is_path(text.text)) continue;
    const auto path = std::filesystem::path(wanted.name).parent_path() / text.text;
    try {
      text.text = find(path.string())->name();
    } catch (const Error& error) {
      if (error.where().line > 0) throw;
      fail_at(file, text, error.what());
    }
  }
  ModelPtr model = of_file(file, wanted.arguments);
  const ModelFile* same = find_file(file.name);
  if (same == nullptr) {
    files_.push_back(std::move(file));
  } else if (same->content != file.content) {
    throw Error({wanted.name, 0, 0}, fmt::format("another model is already called {}; expected a "
                                                 "name of its own",
                                                 file.name));
  }
  return model;
}

std::vector<ModelPtr> Library::find_all(const std::string& specifications) {
  std::vector<ModelPtr> models;
  if (is_path(specifications) && disk_.exists(specifications)) {
    return {find(specifications)};
  }
  for (const std::string& part : split(specifications, ';')) {
    if (const auto scopes = parse_scopes(part)) {
      if (part.find('*') == std::string::npos) {
        models.push_back(find(part));
        continue;
      }
      std::map<Level, std::vector<ModelPtr>> choices;
      for (const auto& [level, name] : *scopes) {
        choices[level] = name == "*" ? standard() : std::vector{find(name)};
      }
      for (ModelPtr& model : combinations(choices)) models.push_back(std::move(model));
    } else {
      for (const std::string& name : split(part, ',')) models.push_back(find(name));
    }
  }
  return models;
}

std::vector<ModelPtr> Library::all() const {
  std::vector<ModelPtr> models;
  for (const ModelFile& file : files()) models.push_back(of_file(file, {}));
  return models;
}

std::vector<ModelPtr> Library::standard() const {
  std::vector<ModelPtr> models;
  for (std::size_t i = 0; i < kStandardModels; ++i) models.push_back(instantiate(files_[i]));
  return models;
}

std::vector<ModelPtr> Library::standard(const Topology& launch) const {
  if (launch.is_flat()) return standard();
  std::map<Level, std::vector<ModelPtr>> choices;
  for (const Level level : kLevels) {
    if (level == Level::workgroup || launch.has(level)) choices[level] = standard();
  }
  return combinations(choices);
}

}  // namespace headway::models
