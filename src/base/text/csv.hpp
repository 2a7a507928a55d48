// Comma-separated values (RFC 4180).
#pragma once

#include <string>
#include <vector>

namespace headway {

// One line, fields quoted where they need it.
std::string csv_line(const std::vector<std::string>& fields);

// The fields of the lines of a text, quotes resolved; the last line may lack its newline. Throws
// headway::Error with the place in `file` for a quote that does not end.
std::vector<std::vector<std::string>> parse_csv(const std::string& text, const std::string& file);

}  // namespace headway
