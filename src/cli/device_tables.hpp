// What devices did with tests, as the CSV files published with Sorensen et al. (OOPSLA 2021).
#pragma once

#include <string>

#include "report/html.hpp"

namespace headway::cli {

struct DeviceFile {
  report::DeviceTable table;
  std::size_t unmatched = 0;  // rows about no test of the suite
};

// Reads a file whose first column names tests, with a further column a placement of the threads,
// "P" or "F (3/20)", and perhaps a last one, "All Passed". The device has the name of the file. A
// row is about the test of its name, or of that name behind the folder's: row 7 of 2t_2i/a12.csv is
// about 2t_2i_7. A row of totals is left out. Throws headway::Error with the place of what is
// wrong, and when no row is about a test of the suite.
DeviceFile read_device_table(const std::string& path, const suite::Suite& suite);

}  // namespace headway::cli
