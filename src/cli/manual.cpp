// The pages of the manual, made of what commands say of themselves in --help.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/file.hpp"
#include "cli/app.hpp"

namespace headway::cli {
namespace {

// Text as roff has it: no line may begin with a control character, and hyphens are minus signs.
std::string roff(const std::string& text) {
  std::string result;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
    begins = c == '\n';
  }
  return result;
}

std::string page_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : page_name(*parent) + "-" + command.get_name();
}

std::string spaced(std::string name) {
  std::replace(name.begin(), name.end(), '-', ' ');
  return name;
}

std::vector<const CLI::App*> pages_below(const CLI::App& app) {
  auto all = app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); });
  return {all.begin(), all.end()};
}

// "--format TEXT", "-m, --model TEXT"
std::string option_heading(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames())
    names.push_back("\\fB" + roff("-" + name) + "\\fR");
  for (const std::string& name : option.get_lnames()) {
    names.push_back("\\fB" + roff("--" + name) + "\\fR");
  }
  std::string heading = fmt::format("{}", fmt::join(names, ", "));
  if (names.empty()) heading = "\\fI" + roff(option.get_name(true)) + "\\fR";
  if (option.get_items_expected_max() > 0 && !names.empty()) {
    heading += " \\fI" + roff(option.get_type_name()) + "\\fR";
  }
  return heading;
}

std::string options_section(const CLI::App& command) {
  std::string text;
  for (const bool positional : {true, false}) {
    std::string section;
    for (const CLI::Option* option : command.get_options()) {
      if (option->get_positional() != positional || option->get_group().empty()) continue;
      section += ".TP\n" + option_heading(*option) + "\n" + roff(option->get_description());
      const std::string usual = option->get_default_str();
      section += (usual.empty() ? "" : roff(fmt::format(" [{}]", usual))) + "\n";
    }
    if (!section.empty()) text += (positional ? ".SH ARGUMENTS\n" : ".SH OPTIONS\n") + section;
  }
  return text;
}

std::string page(const CLI::App& command) {
  const std::string name = page_name(command);
  std::string upper = name;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  const std::string description = command.get_description();
  const bool root = command.get_parent() == nullptr;
  std::string text =
      fmt::format(".TH {} 1 \"\" \"headway {}\" \"headway\"\n", roff(upper), HEADWAY_VERSION);
  const std::string brief = root ? "decide, explain and test progress models of GPUs" : description;
  text += fmt::format(".SH NAME\n{} \\- {}\n", roff(name), roff(brief));
  text += fmt::format(".SH SYNOPSIS\n\\fB{}\\fR", roff(spaced(name)));
  const auto below = pages_below(command);
  if (!below.empty()) text += " \\fICOMMAND\\fR";
  text += " [\\fIOPTIONS\\fR]";
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) continue;
    const std::string argument = "\\fI" + roff(option->get_name(true)) + "\\fR" +
                                 (option->get_items_expected_max() > 1 ? "..." : "");
    text += option->get_required() ? " " + argument : " [" + argument + "]";
  }
  text += "\n";
  if (root) text += ".SH DESCRIPTION\n" + roff(description) + "\n";
  if (!below.empty()) {
    text += ".SH COMMANDS\n";
    for (const CLI::App* each : below) {
      text += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", roff(page_name(*each)),
                          roff(each->get_description()));
    }
  }
  text += options_section(command);
  if (!command.get_footer().empty()) {
    text += ".SH NOTES\n.nf\n" + roff(command.get_footer()) + "\n.fi\n";
  }
  if (!root) {
    text += fmt::format(".SH SEE ALSO\n.BR {} (1)\n", roff(page_name(*command.get_parent())));
  }
  return text;
}

void write_pages(const CLI::App& command, const std::filesystem::path& folder) {
  write_file(folder / (page_name(command) + ".1"), page(command));
  for (const CLI::App* each : pages_below(command)) write_pages(*each, folder);
}

}  // namespace

void write_manual(const CLI::App& app, const std::string& folder) {
  std::filesystem::create_directories(folder);
  write_pages(app, folder);
}

}  // namespace headway::cli
