#include "cli/mistakes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/suggestion.hpp"

namespace headway::cli {
namespace {

Words commands_of(const CLI::App& app) {
  Words names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) names.push_back(command->get_name());  // not hidden
  }
  return names;
}

bool is_option(const std::string& word) { return word.size() > 1 && word.starts_with('-'); }

// The command that `words` name; `next` is then the first word behind it.
const CLI::App& command_of(const CLI::App& app, const Words& words, std::size_t& next) {
  const CLI::App* command = &app;
  for (next = 0; next < words.size(); ++next) {
    const auto below = command->get_subcommands(
        [&](const CLI::App* each) { return each->get_name() == words[next]; });
    if (below.empty()) break;
    command = below.front();
  }
  return *command;
}

std::string path_of(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : path_of(*parent) + " " + command.get_name();
}

// Of a word behind an option that takes one only behind '=', as "--minimal HSA"; else nothing.
std::string optional_value(const CLI::App& command, const Words& words, const std::string& word) {
  const auto at = std::find(words.begin(), words.end(), word);
  if (at == words.begin() || at == words.end() || !(at - 1)->starts_with("--")) return {};
  const CLI::Option* option = command.get_option_no_throw(*(at - 1));
  const bool takes_one = option != nullptr && option->get_items_expected_min() == 0 &&
                         option->get_items_expected_max() > 0;
  if (!takes_one) return {};
  return fmt::format("unexpected argument '{0}'; expected {1}={0}", word, *(at - 1));
}

}  // namespace

std::string wrong_command(const CLI::App& app, const Words& words) {
  std::size_t next = 0;
  const CLI::App& command = command_of(app, words, next);
  if (command.get_require_subcommand_min() == 0) return {};
  const Words names = commands_of(command);
  if (next == words.size()) {
    return fmt::format("expected a command behind '{}': {}", path_of(command), listed(names));
  }
  if (is_option(words[next])) return {};
  const Words outermost = commands_of(app);
  const bool is_outermost =
      next > 0 && std::find(outermost.begin(), outermost.end(), words[next]) != outermost.end();
  const std::string meant = is_outermost ? fmt::format("; did you mean 'headway {}'?", words[next])
                                         : did_you_mean(words[next], names);
  if (next == 0 || !meant.empty()) {
    return fmt::format("unknown command '{}'{}", words[next], meant);
  }
  return fmt::format("unknown command '{}' behind '{}'; expected {}", words[next], path_of(command),
                     listed(names));
}

std::string wrong_usage(const CLI::App& app, const Words& words, const CLI::ParseError& error) {
  std::size_t next = 0;
  const CLI::App& command = command_of(app, words, next);
  Words options;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    for (const std::string& word : words) {
      const std::string name = word.substr(0, word.find('='));
      if (!name.starts_with("--") || name == "--") continue;
      if (std::find(options.begin(), options.end(), name) != options.end()) continue;
      return fmt::format("unknown option '{}'{}", name, did_you_mean(name, options));
    }
    const Words left = app.remaining(true);
    const auto option = std::find_if(left.begin(), left.end(), is_option);
    if (option != left.end()) return fmt::format("unknown option '{}'", *option);
    std::string optional = left.empty() ? "" : optional_value(command, words, left.front());
    if (!optional.empty()) return optional;
    if (!left.empty()) {
      const bool takes_none =
          command.get_options([](const CLI::Option* each) { return each->get_positional(); })
              .empty();
      return fmt::format(
          "unexpected argument{} '{}'{}", left.size() > 1 ? "s" : "", fmt::join(left, "', '"),
          takes_none ? fmt::format("; '{}' takes options alone", path_of(command)) : "");
    }
  }
  return error.what();
}

std::string where_to_read(const CLI::App& app, const Words& words) {
  std::size_t next = 0;
  return fmt::format("Try '{} --help'.", path_of(command_of(app, words, next)));
}

CLI::Validator one_of(const std::vector<std::string>& choices) {
  return CLI::Validator(
      [choices](const std::string& value) {
        if (std::find(choices.begin(), choices.end(), value) != choices.end()) return std::string();
        return fmt::format("expected {}, found '{}'{}", listed(choices), value,
                           did_you_mean(value, choices));
      },
      fmt::format("{{{}}}", fmt::join(choices, ",")));
}

std::string listed(const std::vector<std::string>& choices) {
  std::string text;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) text += i + 1 < choices.size() ? ", " : " or ";
    text += choices[i];
  }
  return text;
}

}  // namespace headway::cli
