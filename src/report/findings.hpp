// What a command found, for services that show it: JUnit XML, a case for each thing that was looked
// at, and SARIF 2.1.0 (OASIS), a result for each that is not as it should be, or is so in part. One
// writer for all commands.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"

namespace headway::report {

struct Finding {
  // limited: met, as far as the message says; failed: looked at, and not as it should be; open: not
  // decided; broken: could not be read.
  enum class Kind { met, limited, failed, possible, open, broken };
  Kind kind = Kind::met;
  std::string rule;   // "expectation", "race", "refuted"
  std::string group;  // what cases are listed under: a file, a device
  std::string name;   // of the case
  std::string message = {};
  SourcePosition where = {};  // no file: nowhere in particular
  double seconds = 0;
};

// Findings in what could not be read.
std::vector<Finding> findings_of(const std::vector<Error>& errors);

struct FindingRule {
  std::string id, text;
};

// `command` is "check".
std::string findings_junit(const std::string& command, const std::vector<Finding>& findings);
// The rules are those of the command; what could not be read has one of its own.
std::string findings_sarif(const std::vector<Finding>& findings, std::vector<FindingRule> rules);

}  // namespace headway::report
