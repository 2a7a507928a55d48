// A suite as one HTML file that explains itself: verdicts, transition systems, witnesses and the
// order of the models, without a network. The page is src/report/page, compiled into the program.
// It asks the engine that the file carries about a chosen test; without one it shows what was
// recorded of the smaller tests.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "suite/idioms.hpp"
#include "suite/matrix.hpp"
#include "suite/suite.hpp"

namespace headway::report {

// What a device did with tests.
struct DeviceTable {
  std::string device;
  std::vector<std::string> placements;  // how threads were placed, one an outcome
  // By test: "P", all runs terminated, or "F (3/20)", 3 of 20 did not.
  std::map<std::size_t, std::vector<std::string>> outcomes;
};

struct Page {
  std::string title;
  std::string version;
  const suite::Suite& suite;
  const suite::VerdictMatrix& verdicts;
  const suite::Idioms& idioms;
  // The text of each test as it was written; an empty one is printed anew.
  std::vector<std::string> sources;
  std::vector<DeviceTable> devices;
  std::vector<std::string> problems;  // what the suite lacks, one sentence each
  // The texts of models that do not come with headway, by path.
  std::map<std::string, std::string> model_files;
  // The module of src/engine/wasm, compressed with gzip; empty: the page has none.
  std::string engine;
};

// Some 200 KB, 130 bytes a test, and the engine or up to 2 MB of what is recorded.
std::string html_report(const Page& page);

}  // namespace headway::report
