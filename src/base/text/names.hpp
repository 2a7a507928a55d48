// Names that users gave to things, made fit for file names and told apart.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace headway {

// `name` as a part of a file name: at most 100 bytes, '_' for whatever is no letter, no digit and
// not in `also`, and no '.' in front.
std::string safe_name(const std::string& name, std::string_view also);

// `text` as terminals and tables can show it: "\x1b" for what is a control character, unless it is
// in `but`, and for bytes that are not UTF-8.
std::string printable(std::string_view text, std::string_view but = {});

// `text` as messages quote it: without its end, "...", if it has more than `most` bytes, so that a
// word without an end cannot bury what is said of it.
std::string shortened(std::string_view text, std::size_t most = 40);

// Of equal names all but the first get a number behind them, NAME-2, NAME-3, ..., so that no two
// are equal; a name that is nobody else's stays. The same in every run.
std::vector<std::string> distinct_names(std::vector<std::string> names);

}  // namespace headway
