// Small programs with what is part of the answer, and what is not: a row each.
#pragma once

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/texts.hpp"

namespace headway::testing {

// Commands of rows: a launch of two threads, and a shader's.
inline constexpr const char* kCheckTwo = "check FILE --grid 1 --block 2 -m fair";
// For all n, where it is taken from a small range else.
inline constexpr const char* kCheckTwoAnyN =
    "check FILE --grid 1 --block 2 -m fair --arg n=unknown";
inline constexpr const char* kCheckShaderAnyN = "check FILE --groups 1 -m fair --arg n=unknown";
inline constexpr const char* kVerifyTwo = "verify FILE --grid 1 --block 2";
inline constexpr const char* kVerifyBounds = "verify FILE --grid 1 --block 2 --bounds";
inline constexpr const char* kCheckShader = "check FILE --groups 1 -m fair";

struct Row {
  const char* file;  // its ending says which language it is in
  const char* text;
  const char* command;  // with FILE in it
  const char* says;     // what is part of the answer
  const char* never = "\x01";
};

inline void check_rows(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    CAPTURE(std::string(row.text));
    CAPTURE(std::string(row.command));
    const TemporaryFolder folder;
    const std::string file = folder.write(row.file, row.text).string();
    std::vector<std::string> arguments;
    std::istringstream words(row.command);
    for (std::string word; words >> word;) arguments.push_back(word == "FILE" ? file : word);
    arguments.insert(arguments.end(), {"--format", "csv"});
    const CommandResult result = headway(arguments);
    const std::string said = unfolded(result.out + result.err);
    CAPTURE(said);
    CHECK(contains(said, row.says));
    CHECK(!contains(said, row.never));
  }
}

}  // namespace headway::testing
