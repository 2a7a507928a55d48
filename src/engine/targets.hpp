// Where programs run, as files say it (models/targets/*.yaml, docs/reference/machines.md): how the
// threads of a subgroup advance there, and what is promised at each level.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lang/test.hpp"

namespace headway::engine {

struct TargetFile {
  std::string_view name;
  std::string_view content;
};

// The files of models/targets as they were when headway was built.
const std::vector<TargetFile>& embedded_targets();

struct Target {
  std::string name;
  std::string summary;
  lang::SubgroupReading reading = lang::SubgroupReading::its;
  bool uniform_votes = false;  // whether nobody says who votes elsewhere
  std::string model;           // "workgroup=OBE,subgroup=fair,thread=unfair"
  int size = 0;                // threads of a subgroup, at most; 0: nobody says
  std::string barrier;         // what it asks
  std::string source;          // the text that says so
};

// Throws headway::Error for what is wrong, with its place in `file`.
Target read_target(std::string_view content, const std::string& file);

// Those that come with headway, by name.
std::vector<Target> targets();

// `test` as it runs there. Throws headway::Error for what nobody says of it there, with its line.
lang::Test on_target(lang::Test test, const Target& target);

}  // namespace headway::engine
