// headway family: a member of a family of litmus tests.
#include <fmt/format.h>

#include <algorithm>

#include "base/file.hpp"
#include "base/text/suggestion.hpp"
#include "cli/app.hpp"
#include "cli/console.hpp"
#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "lang/axb/families.hpp"
#include "lang/idiom/library.hpp"
#include "report/table.hpp"

namespace headway::cli {
namespace {

struct FamilyArguments {
  std::string name;
  lang::axb::FamilyOptions options;
  std::string out = "-";
};

Outcome list_families() {
  report::TextTable table;
  for (const lang::axb::Family& family : lang::axb::families()) {
    table.add_row({{family.name, report::Color::bold}, {family.summary, report::Color::none}});
  }
  for (const lang::idiom::LibraryIdiom& idiom : lang::idiom::library()) {
    table.add_row({{idiom.name, report::Color::bold}, {idiom.summary, report::Color::none}});
  }
  print(table.to_string(output_style()));
  return {};
}

// A member of an AXB family, or of one of the library of idioms.
lang::Test make_member(const FamilyArguments& arguments) {
  std::string names;
  for (const lang::idiom::LibraryIdiom& idiom : lang::idiom::library()) {
    if (idiom.name == arguments.name) return member(idiom, arguments.options.threads);
    names += ", " + idiom.name;
  }
  const auto& axb = lang::axb::families();
  if (std::none_of(axb.begin(), axb.end(), [&](const lang::axb::Family& family) {
        return family.name == arguments.name;
      })) {
    for (const lang::axb::Family& family : axb) names += ", " + family.name;
    std::vector<std::string> known;
    for (const lang::idiom::LibraryIdiom& idiom : lang::idiom::library()) {
      known.push_back(idiom.name);
    }
    for (const lang::axb::Family& family : axb) known.push_back(family.name);
    throw Error(fmt::format("unknown family '{}'; expected {}{}", arguments.name, names.substr(2),
                            did_you_mean(arguments.name, known)));
  }
  return lang::axb::make_family(arguments.name, arguments.options);
}

Outcome family(const FamilyArguments& arguments) {
  const std::string text = lang::print(make_member(arguments));
  require_folder_of(arguments.out);
  if (arguments.out == "-") {
    print(text);
  } else {
    write_file(arguments.out, text);
  }
  return {};
}

}  // namespace

void add_family(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<FamilyArguments>();
  CLI::App* command =
      app.add_subcommand("family", "Write an idiom as a litmus test for any number of threads");
  command->add_option("NAME", arguments->name, "A family; without it, the families are listed");
  add_number_option(*command, "-n,--threads", arguments->options.threads, 1, kMaxThreads,
                    "Threads");
  add_number_option(*command, "-g,--groups", arguments->options.groups, 1, kMaxThreads,
                    "Groups of threads (two-level-mutex)");
  add_out_option(*command, arguments->out, "The file to write, or - for standard output");
  command->footer(
      "Example: decide the spin mutex with 16 threads\n"
      "  headway family spin-mutex --threads 16 | headway check -");
  command->callback([arguments, &context] {
    context.outcome = arguments->name.empty() ? list_families() : family(*arguments);
  });
}

}  // namespace headway::cli
