// What was seen of devices, held against the verdicts of a suite: what reports on devices are
// about.
#pragma once

#include <string>
#include <vector>

#include "campaign/conformance.hpp"

namespace headway::report {

struct ConformReport {
  const suite::Suite& suite;
  const suite::VerdictMatrix& matrix;
  const suite::SuiteOrder& order;
  std::vector<campaign::DeviceObservations> devices;
  std::vector<campaign::DeviceResult> results;  // one a device
  std::vector<std::string> notes;               // what was not as one expects of the files
};

}  // namespace headway::report
