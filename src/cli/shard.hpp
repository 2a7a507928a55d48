// Parts of a run that are made apart, on machines that share nothing, and joined by `headway merge`
// into what one run writes, byte for byte. A part begins with a line that says which it is of what
// and closes with one, so that none is forgotten, joined twice or cut off.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headway::cli {

struct Shard {
  int index = 1;  // from 1
  int count = 1;

  // Which of so many things are in this part: from the first number up to the second. The parts
  // are as equal as can be, and all of them together are everything, in order.
  std::pair<std::size_t, std::size_t> range(std::size_t things) const;
};

// "2/8". Throws headway::Error.
Shard parse_shard(const std::string& text);

// A part: `lines` behind its first line, which says what it is a part of: "verdicts", and
// `identity`, a word that all parts have.
std::string shard_text(const Shard& shard, const std::string& what, const std::string& identity,
                       const std::string& lines);

// The first line and the last one of such a part.
std::string shard_heading(const Shard& shard, const std::string& what, const std::string& identity);
std::string shard_end();

// Whether a file begins as shard_text() does, or a folder holds a file that does so.
bool is_shard(const std::string& file);
// Whether it is a part of tests, which synth writes: "tests".
bool is_shard_of_tests(const std::string& file);
// In a folder of tests.
inline constexpr std::string_view kShardFile = ".headway-shard";

// Throws headway::Error for files and folders that are not all the parts of one run of synth.
void require_all_parts(const std::vector<std::string>& parts);
// What one run would have written: the parts in their order, with the heading of the first. Throws
// headway::Error for files that are no parts of one run, and when one is missing or there twice.
std::string joined_shards(const std::vector<std::string>& files);

}  // namespace headway::cli
