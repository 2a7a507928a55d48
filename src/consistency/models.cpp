#include "consistency/models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text/suggestion.hpp"

namespace headway::consistency {
namespace fs = std::filesystem;

namespace {

std::string name_of(const EmbeddedModel& model) {
  return fs::path(std::string(model.path)).stem().string();
}

Error unknown_model(const std::string& name) {
  const std::vector<std::string> names = model_names();
  return Error(fmt::format("unknown memory model '{}'; expected {} or a file, FILE.cat{}", name,
                           fmt::join(names, ", "), did_you_mean(name, names)));
}

// The text that a file begins with.
std::string title_of(std::string_view text) {
  const std::size_t begin = text.find('"') + 1;
  return std::string(text.substr(begin, text.find('"', begin) - begin));
}

// The first sentence of its first comment, on one line.
std::string source_of(std::string_view text) {
  std::string result;
  for (std::size_t at = text.find("(*") + 2; at < text.size(); ++at) {
    const bool is_space = text[at] == ' ' || text[at] == '\n';
    if (is_space && result.ends_with('.')) break;
    if (!is_space) {
      result += text[at];
    } else if (!result.empty() && result.back() != ' ') {
      result += ' ';
    }
  }
  if (result.ends_with('.')) result.pop_back();
  return result;
}

// "rc11.cat" among the models that are compiled in.
cat::Syntax::File embedded(const std::string& name) {
  for (const EmbeddedModel& model : embedded_models()) {
    if (name_of(model) + ".cat" == name) return {std::string(model.path), std::string(model.text)};
  }
  throw Error(fmt::format("there is no file '{}' here", name));
}

cat::Model of_file(const fs::path& path) {
  const cat::Include beside = [folder = path.parent_path()](const std::string& name) {
    const fs::path file = folder / name;
    std::error_code none;
    if (!fs::exists(file, none)) {
      const std::vector<std::string> names = model_names();
      if (std::find(names.begin(), names.end(), fs::path(name).stem().string()) != names.end()) {
        return embedded(name);
      }
    }
    return cat::Syntax::File{file.string(), read_file(file)};
  };
  return {cat::parse(path.string(), read_file(path), beside), path.stem().string()};
}

}  // namespace

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const EmbeddedModel& model : embedded_models()) names.push_back(name_of(model));
  return names;
}

std::vector<ModelSummary> model_summaries() {
  std::vector<ModelSummary> result;
  for (const EmbeddedModel& model : embedded_models()) {
    result.push_back({name_of(model), title_of(model.text), source_of(model.text)});
  }
  return result;
}

std::string_view model_text(const std::string& name) {
  for (const EmbeddedModel& model : embedded_models()) {
    if (name_of(model) == name) return model.text;
  }
  throw unknown_model(name);
}

std::string model_of(const Program& program) {
  if (program.language == "VULKAN") return "vulkan";
  if (program.language == "OPENCL") return "opencl";
  if (program.language != "PTX") return "rc11";
  const auto goes_by_proxies = [](const Instruction& of) {
    return of.alias >= 0 || std::any_of(of.tags.begin(), of.tags.end(), [](const auto& tag) {
             return tag == "SUR" || tag == "TEX" || tag == "CON" || tag == "ALIAS";
           });
  };
  const bool has_proxies =
      std::any_of(program.threads.begin(), program.threads.end(), [&](const Thread& thread) {
        return std::any_of(thread.code.begin(), thread.code.end(), goes_by_proxies);
      });
  return has_proxies ? "ptx" : "ptx6";
}

bool forbids_thin_air(const cat::Model& model) {
  constexpr std::string_view all[] = {"sc", "tso", "rc11", "ptx", "ptx6"};
  return std::ranges::count(all, model.name()) > 0;
}

std::string language_of(const cat::Model& model) {
  const std::string& name = model.name();
  if (name.starts_with("ptx")) return "PTX";
  if (name == "vulkan") return "VULKAN";
  if (name == "opencl") return "OPENCL";
  return name == "rc11" || name == "c11" ? "C" : "";
}

void require_language(const cat::Model& model, const Program& program, const std::string& file) {
  const std::string own = language_of(model);
  if (own.empty() || own == "C" || own == program.language) return;
  throw Error({file, 1, 0},
              fmt::format("'{}' is a test of {}, and the model '{}' is about tests of {}; expected "
                          "{}, or a program of the idiom language",
                          program.name, program.language, model.name(), own,
                          program.language == "C" ? "rc11, c11, tso or sc"
                                                  : model_of(program) + ", rc11, c11, tso or sc"));
}

std::string language_of(const std::vector<const cat::Model*>& models) {
  std::string language;
  for (const cat::Model* model : models) {
    const std::string own = language_of(*model);
    if (own.empty() || own == language) continue;
    if (!language.empty()) {
      throw Error(fmt::format("{} is asked about programs of {}, and another model about {}",
                              model->name(), own, language));
    }
    language = own;
  }
  return language.empty() ? "C" : language;
}

cat::Model find_model(const std::string& specification) {
  if (specification.find('/') != std::string::npos || specification.ends_with(".cat")) {
    return of_file(specification);
  }
  for (const EmbeddedModel& model : embedded_models()) {
    if (name_of(model) != specification) continue;
    return {cat::parse(std::string(model.path), std::string(model.text), embedded), specification};
  }
  throw unknown_model(specification);
}

}  // namespace headway::consistency
