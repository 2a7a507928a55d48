// headway targets: where programs run, and what is known of it.
#include <fmt/format.h>

#include "cli/app.hpp"
#include "cli/check_targets.hpp"
#include "cli/console.hpp"
#include "report/table.hpp"

namespace headway::cli {
namespace {

Outcome list_targets() {
  using report::Color;
  report::TextTable table;
  table.add_row({{"target", Color::dim},
                 {"subgroups", Color::dim},
                 {"promised", Color::dim},
                 {"what it is", Color::dim}});
  for (const engine::Target& target : engine::targets()) {
    table.add_row({{target.name, Color::none},
                   {std::string(to_string(target.reading)), Color::none},
                   {target.model, Color::none},
                   {target.summary, Color::none}});
  }
  print(table.to_string(output_style()));
  return {};
}

Outcome show_target(const std::string& name) {
  for (const engine::Target& target : find_targets({name})) {
    std::string text = fmt::format("{}: {}\n\n", target.name, target.summary);
    report::TextTable table;
    const auto row = [&](const char* what, const std::string& value) {
      if (!value.empty()) table.add_row({{what, report::Color::dim}, {value, report::Color::none}});
    };
    const lang::ReadingRules& rules = lang::rules_of(target.reading);
    row("subgroups", fmt::format("{}: {}", rules.name, rules.says));
    row("votes", target.uniform_votes
                     ? "only where all threads of the subgroup come by; refused elsewhere"
                     : "");
    row("promised", target.model);
    row("size", target.size > 0 ? fmt::format("up to {} threads", target.size) : "");
    row("barrier", target.barrier);
    row("source", target.source);
    print(text + table.to_string(output_style()));
  }
  return {};
}

}  // namespace

void add_targets(CLI::App& app, Context& context) {
  CLI::App* command =
      app.add_subcommand("targets", "List where programs run, and how subgroups run there");
  auto name = std::make_shared<std::string>();
  command->add_option("TARGET", *name,
                      "One of them, or the path of a target file, to say all that is known of it "
                      "[all, in a line each]");
  command->footer(
      "Example: what is known of NVIDIA GPUs before Volta\n"
      "  headway targets cuda-pre-volta");
  command->callback(
      [name, &context] { context.outcome = name->empty() ? list_targets() : show_target(*name); });
}

}  // namespace headway::cli
