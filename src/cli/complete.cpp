// What a shell offers after TAB, from the commands as they are: the shells' scripts, in
// scripts/completions, only ask.
#include <algorithm>

#include "cli/app.hpp"
#include "models/library.hpp"

namespace headway::cli {
namespace {

using CompletionWords = std::vector<std::string>;

std::vector<const CLI::App*> listed_commands(const CLI::App& app) {
  auto all = app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); });
  return {all.begin(), all.end()};
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

void offer(std::string& result, const std::string& candidate, const std::string& about,
           const std::string& begun) {
  if (candidate.starts_with(begun)) result += candidate + "\t" + first_line(about) + "\n";
}

const CLI::Option* option_named(const CLI::App& command, const std::string& word) {
  for (const CLI::Option* option : command.get_options()) {
    if (word.size() > 1 && word.front() == '-' && option->check_name(word)) return option;
  }
  return nullptr;
}

// The words of "{a,b,c}" in what an option says of its values.
CompletionWords choices_of(const CLI::Option& option) {
  const std::string text = option.get_type_name();
  const std::size_t open = text.find('{'), close = text.find('}');
  CompletionWords result;
  if (open == std::string::npos || close == std::string::npos) return result;
  std::string word;
  for (std::size_t i = open + 1; i <= close; ++i) {
    if (text[i] != ',' && i < close) {
      word += text[i];
    } else if (!word.empty()) {
      result.push_back(std::exchange(word, {}));
    }
  }
  return result;
}

std::string values(const CLI::Option& option, const std::string& before, const std::string& begun) {
  std::string result;
  const CompletionWords choices = choices_of(option);
  for (const std::string& choice : choices) offer(result, before + choice, {}, begun);
  if (!choices.empty()) return result;
  if (option.check_name("--model")) {
    for (const models::ModelPtr& model : models::Library().all()) {
      // Without parameters, which shells would want quoted.
      const std::string& name = model->name();
      offer(result, before + name.substr(0, name.find('(')), model->summary(), begun);
    }
  }
  // A model may be a file, too.
  return result + ":files\n";
}

}  // namespace

std::string completions(const CLI::App& app, const std::vector<std::string>& words) {
  const std::string begun = words.empty() ? "" : words.back();
  const CLI::App* command = &app;
  std::size_t next = 0;
  for (; next + 1 < words.size(); ++next) {
    const auto all = listed_commands(*command);
    const auto found = std::find_if(all.begin(), all.end(), [&](const CLI::App* each) {
      return each->get_name() == words[next];
    });
    if (found == all.end()) break;
    command = *found;
  }
  if (words.size() >= 2 && next + 1 < words.size()) {
    const CLI::Option* option = option_named(*command, words[words.size() - 2]);
    if (option != nullptr && option->get_items_expected_max() > 0)
      return values(*option, "", begun);
  }
  std::string result;
  if (begun.starts_with('-')) {
    const std::size_t equals = begun.find('=');
    if (equals != std::string::npos) {
      const CLI::Option* option = option_named(*command, begun.substr(0, equals));
      return option == nullptr ? "" : values(*option, begun.substr(0, equals + 1), begun);
    }
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        offer(result, "--" + name, option->get_description(), begun);
      }
      for (const std::string& name : option->get_snames()) {
        offer(result, "-" + name, option->get_description(), begun);
      }
    }
    return result;
  }
  const auto below = listed_commands(*command);
  for (const CLI::App* each : below) {
    offer(result, each->get_name(), each->get_description(), begun);
  }
  return below.empty() ? ":files\n" : result;
}

}  // namespace headway::cli
