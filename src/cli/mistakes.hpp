// What to say of a command line that cannot be understood.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace headway::cli {

// Arguments in the order in which they were given, without the program's name.
using Words = std::vector<std::string>;

// What is wrong with the command that `words` begin with, or that it is followed by nothing:
// "unknown command 'chekc'; did you mean 'check'?". Empty if there is such a command.
std::string wrong_command(const CLI::App& app, const Words& words);

// What CLI11 says, and which option may have been meant by one that there is not.
std::string wrong_usage(const CLI::App& app, const Words& words, const CLI::ParseError& error);

// Of the command that `words` begin with: "Try 'headway check --help'."
std::string where_to_read(const CLI::App& app, const Words& words);

// Accepts one of `choices`: "expected table, csv or json, found 'jsn'; did you mean 'json'?".
CLI::Validator one_of(const std::vector<std::string>& choices);

// "a, b or c".
std::string listed(const std::vector<std::string>& choices);

}  // namespace headway::cli
