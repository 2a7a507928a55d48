// What holds for every text there is. Shared by the fuzz targets and by the test that replays
// their corpora. Each function throws std::logic_error when its property does not hold; bad input
// is no violation.
#pragma once

#include <string_view>

namespace headway::fuzz {

// A text that is a test is printed and read back as the same test, in both formats, and has one
// canonical form. One that is not gets a message of reasonable length.
void check_parser(std::string_view text);

// A text that is a model gives fair sets of living threads.
void check_model(std::string_view text);

}  // namespace headway::fuzz
