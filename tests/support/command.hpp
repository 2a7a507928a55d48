// Runs programs for tests, headway above all.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headway::testing {

struct CommandOptions {
  std::string input;             // what it reads from standard input
  std::filesystem::path folder;  // where it runs; here when empty
  // Variables on top of our own environment; one without a value is removed. Whatever our own
  // says about colours is removed first.
  std::map<std::string, std::optional<std::string>> environment;
  bool merge = false;     // standard error goes where standard output goes
  bool terminal = false;  // standard output is a terminal
};

inline CommandOptions input(const std::string& text) {
  CommandOptions options;
  options.input = text;
  return options;
}

inline CommandOptions in(const std::filesystem::path& folder) {
  CommandOptions options;
  options.folder = folder;
  return options;
}

struct CommandResult {
  int status = 0;  // 128 + n when signal n ended it
  std::string out;
  std::string err;
};

// The path of the headway that was built with these tests.
std::filesystem::path headway_binary();

// Runs headway with `arguments` and waits for its end.
CommandResult headway(const std::vector<std::string>& arguments,
                      const CommandOptions& options = {});

// The same for any program, which is looked for in our PATH.
CommandResult run_program(const std::vector<std::string>& words, const CommandOptions& options);

// `headway check` and `headway suite` with these arguments, and the first in the root of the
// sources.
CommandResult check(std::vector<std::string> arguments, const CommandOptions& options = {});
CommandResult check_here(const std::vector<std::string>& arguments);
CommandResult suite(std::vector<std::string> arguments, const CommandOptions& options = {});

// Checks that a command refused its arguments, saying `part`, and did nothing.
void check_refused(const CommandResult& result, const std::string& part);

// Whether golden files and documented outputs are to be written anew instead of compared: when
// the environment says HEADWAY_UPDATE_GOLDEN=1.
bool updating_golden();

}  // namespace headway::testing
