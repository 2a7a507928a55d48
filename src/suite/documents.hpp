// Tests as documents of a stream: a JSON object on one line, or a YAML document. Both carry the
// test in the litmus format, and can be read back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "languages/languages.hpp"

namespace headway::suite {

// The first and the last line of a part of a run begin so (cli/shard.hpp). They are no tests.
inline constexpr std::string_view kShardMark = "#headway-shard ";

// {"test": ..., "threads": 2, "instructions": 3, "identity": "...", "litmus": "..."} and a newline.
std::string json_line(const lang::Test& test);

// "---", the same fields, the litmus text as a block.
std::string yaml_document(const lang::Test& test);

// The tests of a stream of either kind, in order, parsed on several cores. A document that cannot
// be read becomes an Error with its place in `file`, and the others are still returned. `progress`
// is advanced by one a document.
std::vector<lang::Test> read_documents(
    std::string_view text, const std::string& file, std::vector<Error>& errors,
    Progress* progress = nullptr, const lang::Languages& languages = lang::standard_languages());

}  // namespace headway::suite
