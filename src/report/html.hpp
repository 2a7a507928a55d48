// A suite as one HTML file that explains itself: verdicts, transition systems, witnesses and the
// order of the models, without a network. The page is src/report/page, compiled into the program;
// it explores a chosen test on its own, and the file carries only programs and verdicts.
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
};

// Tests with more threads are shown with their verdicts, but are not explored in the page; nor are
// those under a model whose automaton has more nodes.
inline constexpr int kMaxPageThreads = 6;
inline constexpr std::size_t kMaxPageNodes = 10'000;

// Some 200 KB, and 130 bytes a test.
std::string html_report(const Page& page);

}  // namespace headway::report
