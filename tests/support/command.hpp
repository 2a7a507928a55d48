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

// Whether golden files and documented outputs are to be written anew instead of compared: when
// the environment says HEADWAY_UPDATE_GOLDEN=1.
bool updating_golden();

}  // namespace headway::testing
