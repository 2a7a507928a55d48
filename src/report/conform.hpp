// What is said about devices and models: which readings the runs of which devices refute. Nothing
// here says that a device has a model.
#pragma once

#include <string>
#include <vector>

#include "report/conform_report.hpp"
#include "report/table.hpp"

namespace headway::report {

// A line a device: what ran, and the strongest readings that are not refuted.
TextTable device_table(const ConformReport& report);
// Devices by readings: how many conformance tests refute each, and under which mappings, each a
// letter that legend() explains.
TextTable refutation_matrix(const ConformReport& report);
std::string legend(const ConformReport& report);
// The same of reading_table().
std::string reading_legend(const ConformReport& report);
// A line a device and reading; mappings by their letters or by their names.
enum class MappingNames { letters, full };
TextTable reading_table(const ConformReport& report, MappingNames names);
// A line a device, test that hung and mapping, and what this refutes.
TextTable hung_table(const ConformReport& report);

std::string conform_json(const ConformReport& report);
// A page of its own, without scripts.
std::string conform_html(const ConformReport& report);

}  // namespace headway::report
