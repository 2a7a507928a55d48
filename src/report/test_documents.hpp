// Tests as documents of a stream: a JSON object on one line, or a YAML document. Both carry the
// test in the litmus format, and can be read back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lang/test.hpp"

namespace headway::report {

// {"test": ..., "threads": 2, "instructions": 3, "identity": "...", "litmus": "..."} and a newline.
std::string json_line(const lang::Test& test);

// "---", the same fields, the litmus text as a block.
std::string yaml_document(const lang::Test& test);

// The tests of a stream of either kind. Throws headway::Error with the place in `file`.
std::vector<lang::Test> read_documents(std::string_view text, const std::string& file);

}  // namespace headway::report
