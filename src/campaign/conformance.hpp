// Which models a device refutes. A conformance test of a reading, a model under weak or strong
// fairness, is a test that passes under it; a run of one that did not terminate refutes the reading
// for the device. No run can do more: a reading is refuted or it is not refuted.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "campaign/observations.hpp"
#include "suite/matrix.hpp"
#include "suite/suite_order.hpp"

namespace headway::campaign {

// What was seen of the conformance tests of a reading under some mapping, or under all of them.
struct Tally {
  std::size_t tests = 0;     // of which something was seen
  std::size_t refuting = 0;  // of these: some run did not terminate
  std::size_t always = 0;    // of the refuting ones: every run under some mapping did not
  std::size_t unclear = 0;   // likewise: not known whether every run
  std::uint64_t runs = 0;    // as far as they are known
  bool all_runs_known = true;

  std::size_t held() const { return tests - refuting; }
};

// Whether the refutations of a reading come in every run: some test never terminated under some
// mapping, in the runs that there are; or no test is known to.
enum class Determinism { always, sometimes, unknown };

struct ReadingResult {
  models::Reading reading;
  Tally all;
  std::vector<Tally> by_mapping;      // one a mapping of the device
  std::vector<std::size_t> refuting;  // tests of the suite, increasing
  bool only_lost = false;             // all hangs of refuting tests were ended by device or driver

  bool tested() const { return all.tests > 0; }
  bool refuted() const { return all.refuting > 0; }
  Determinism determinism() const;  // of a reading that is refuted
};

struct DeviceResult {
  std::vector<ReadingResult> readings;  // as SuiteOrder::readings()
  // The readings that are not refuted and have no strictly stronger one that is not: groups of
  // equal ones, in the order of the readings.
  std::vector<std::vector<models::Reading>> strongest;
  std::size_t tests = 0;   // of which something was seen
  std::size_t hung = 0;    // of these: some run did not terminate
  std::uint64_t runs = 0;  // as far as they are known
  bool all_runs_known = true;
};

// A test with an unknown verdict under a reading is no conformance test of it.
DeviceResult conformance(const DeviceObservations& device, const suite::VerdictMatrix& matrix,
                         const suite::SuiteOrder& order);

}  // namespace headway::campaign
