// What all commands have in common.
#include <doctest/doctest.h>

#include <cctype>
#include <sstream>

#include "support/command.hpp"
#include "support/errors.hpp"

using headway::testing::CommandResult;
using headway::testing::contains;
using Arguments = std::vector<std::string>;

namespace {

CommandResult run_headway(const Arguments& arguments) {
  return headway::testing::headway(arguments);
}

// The commands that a help text lists.
Arguments subcommands(const std::string& help) {
  Arguments names;
  std::istringstream lines(help);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == "Subcommands:") {
      inside = true;
    } else if (line.empty()) {
      inside = false;
    } else if (inside && line.starts_with("  ") && line.at(2) != ' ') {
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
    }
  }
  return names;
}

// Every command below `command`, as words: {"models", "compare"}.
void collect(const Arguments& command, std::vector<Arguments>& all) {
  Arguments words = command;
  words.push_back("--help");
  for (const std::string& name : subcommands(run_headway(words).out)) {
    Arguments below = command;
    below.push_back(name);
    all.push_back(below);
    collect(below, all);
  }
}

}  // namespace

TEST_CASE("cli/app: the version is one line on standard output") {
  const CommandResult result = run_headway({"--version"});
  CHECK(result.status == 0);
  CHECK(result.out.starts_with("headway "));
  CHECK(std::isdigit(static_cast<unsigned char>(result.out.at(8))) != 0);
  CHECK(result.out.find('\n') + 1 == result.out.size());
  CHECK(result.err.empty());
}

TEST_CASE("cli/app: the help lists the commands and the exit statuses") {
  for (const char* option : {"--help", "-h"}) {
    const CommandResult result = run_headway({option});
    CHECK(result.status == 0);
    CHECK(result.err.empty());
    CHECK(contains(result.out, "\n  check "));
    CHECK(contains(result.out, "Exit status: 0 fine; 1"));
  }
}

TEST_CASE("cli/app: the help of every command says what it does and shows an example") {
  std::vector<Arguments> commands;
  collect({}, commands);
  REQUIRE_FALSE(commands.empty());
  for (Arguments command : commands) {
    std::string words = "headway";
    for (const std::string& word : command) words += " " + word;
    command.push_back("--help");
    const CommandResult result = run_headway(command);
    CAPTURE(result.out);
    CHECK(result.status == 0);
    CHECK(result.err.empty());
    CHECK_FALSE(result.out.starts_with("Usage"));  // a sentence comes first
    const std::size_t example = result.out.rfind("\n  headway ");
    REQUIRE(example != std::string::npos);
    CHECK(contains(result.out.substr(example), words));
  }
}

TEST_CASE("cli/app: what is not understood is refused on standard error") {
  const std::pair<Arguments, const char*> refused[] = {
      {{}, "headway: "},
      {{"nonsense"}, "headway: "},
      {{"--nonsense"}, "headway: "},
      {{"check"}, "PATH is required"},
      {{"check", "--nonsense", "litmus"}, "--nonsense"},
      {{"check", "--format", "xml", "litmus"},
       "--format: expected table, csv, json, junit, sarif or herd, found 'xml'\n"},
      {{"check", "--fairness", "strog", "litmus"}, "found 'strog'; did you mean 'strong'?"},
      {{"chekc", "litmus"}, "unknown command 'chekc'; did you mean 'check'?"},
      {{"models", "compar"}, "unknown command 'compar'; did you mean 'compare'?"},
      {{"help", "chekc"}, "unknown command 'chekc'; did you mean 'check'?"},
      {{"models", "HSA"},
       "unknown command 'HSA' behind 'headway models'; expected list, show or compare\n"
       "Try 'headway models --help'.\n"},
      {{"suite", "fingerprint", "x", "y"},
       "unexpected argument 'y'\nTry 'headway suite fingerprint --help'.\n"},
      {{"distinguish", "mine.yaml", "OBE"},
       "unexpected arguments 'mine.yaml', 'OBE'; 'headway distinguish' takes options alone\n"},
      {{"check", "-q", "litmus"}, "unknown option '-q'\n"},
      {{"check", "--modle=OBE", "litmus"}, "unknown option '--modle'; did you mean '--model'?"},
      {{"synth", "-k", "3", "--minimal", "HSA"},
       "unexpected argument 'HSA'; expected --minimal=HSA\n"},
      {{"suite", "report", "litmus"}, "unknown command 'report'; did you mean 'headway report'?\n"},
      {{"check", "--timeout", "nan", "litmus"}, "--timeout: expected seconds"},
      {{"check", "--timeout", "3h", "litmus"}, "--timeout: expected seconds"},
      {{"check", "--timeout", "-3s", "litmus"}, "--timeout: expected seconds"},
      {{"synth", "-k", "3", "--placement", ""}, "--placement: expected a placement"},
      {{"report", "litmus", "-o", ""}, "--out: expected a name"},
      {{"check", "--jobs", "0", "litmus"}, "--jobs: "},
      {{"check", "--jobs", "many", "litmus"}, "--jobs"},
      {{"check", "--max-states", "0", "litmus"}, "--max-states: "},
      {{"check", "--max-states", "-1", "litmus"}, "--max-states"},
      {{"check", "--max-states", "99999999999999999999", "litmus"}, "--max-states"},
      {{"check", "litmus", "--model"}, "--model"},
      {{"check", "litmus", "--against"}, "--against"},
  };
  for (const auto& [arguments, gist] : refused) {
    const CommandResult result = run_headway(arguments);
    CAPTURE(result.err);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK(contains(result.err, gist));
    CHECK(contains(result.err, "Try 'headway"));
  }
}

TEST_CASE("cli/app: help and version are commands, too") {
  CHECK(run_headway({"version"}).out == run_headway({"--version"}).out);
  CHECK(run_headway({"help"}).out == run_headway({"--help"}).out);
  CHECK(run_headway({"help", "check"}).out == run_headway({"check", "--help"}).out);
  CHECK(run_headway({"help", "models", "show"}).out ==
        run_headway({"models", "show", "--help"}).out);
}
