#include "cli/shard.hpp"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

#include "base/error.hpp"
#include "base/file.hpp"

namespace headway::cli {
namespace {

constexpr std::string_view kMark = "#headway-shard ";
constexpr std::string_view kEnd = "#headway-shard end\n";
constexpr int kMostShards = 1'000'000;

// "VERDICTS IDENTITY" and which part, of the line behind the mark.
struct Heading {
  std::string of;
  Shard shard;
};

Heading heading_of(const std::string& line, const std::string& file) {
  std::istringstream words(line.substr(kMark.size()));
  std::string part, what, identity;
  words >> part >> what >> identity;
  if (identity.empty()) {
    throw Error({file, 1, 0}, fmt::format("expected '{}I/N WHAT IDENTITY'", kMark));
  }
  return {what + " " + identity, parse_shard(part)};
}

}  // namespace

std::pair<std::size_t, std::size_t> Shard::range(std::size_t things) const {
  const auto before = [&](int parts) {
    return static_cast<std::size_t>(static_cast<unsigned __int128>(things) *
                                    static_cast<unsigned>(parts) / static_cast<unsigned>(count));
  };
  return {before(index - 1), before(index)};
}

Shard parse_shard(const std::string& text) {
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, shard.index);
  if (first.ec == std::errc() && first.ptr != end && *first.ptr == '/') {
    const auto second = std::from_chars(first.ptr + 1, end, shard.count);
    const bool good = second.ec == std::errc() && second.ptr == end && shard.index >= 1 &&
                      shard.index <= shard.count && shard.count <= kMostShards;
    if (good) return shard;
  }
  throw Error(fmt::format("--shard: expected I/N with 1 <= I <= N, found '{}'", text));
}

std::string shard_text(const Shard& shard, const std::string& what, const std::string& identity,
                       const std::string& lines) {
  return fmt::format("{}{}/{} {} {}\n{}{}", kMark, shard.index, shard.count, what, identity, lines,
                     kEnd);
}

bool is_shard(const std::string& file) {
  std::ifstream stream(file);
  std::string start(kMark.size(), '\0');
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  return stream && start == kMark;
}

std::string joined_shards(const std::vector<std::string>& files) {
  std::map<int, std::string> parts;
  std::optional<Heading> first;
  std::string names;  // of the columns
  for (const std::string& file : files) {
    const std::string text = read_file(file, ~std::size_t{0});
    const std::size_t line = text.find('\n');
    const bool ends = text.ends_with(kEnd);
    if (text.starts_with(kMark) && !ends) {
      throw Error({file, 0, 0}, "this part is cut off: whoever wrote it did not finish");
    }
    if (!text.starts_with(kMark) || line == std::string::npos) {
      throw Error({file, 1, 0}, "expected a part that was made with --shard");
    }
    const Heading heading = heading_of(text.substr(0, line), file);
    const std::size_t body = text.find('\n', line + 1);
    if (body == std::string::npos) throw Error({file, 2, 0}, "expected the names of the columns");
    const std::string columns = text.substr(line + 1, body - line);
    if (!first) {
      first = heading;
      names = columns;
    }
    if (heading.of != first->of || heading.shard.count != first->shard.count || columns != names) {
      throw Error({file, 1, 0},
                  fmt::format("this is not of the run that {} is a part of: another suite, other "
                              "models or options, or another number of parts",
                              files.front()));
    }
    if (!parts
             .emplace(heading.shard.index,
                      text.substr(body + 1, text.size() - body - 1 - kEnd.size()))
             .second) {
      throw Error({file, 1, 0}, fmt::format("part {} is there twice", heading.shard.index));
    }
  }
  std::string result = names;
  for (int part = 1; part <= first->shard.count; ++part) {
    const auto found = parts.find(part);
    if (found == parts.end()) {
      throw Error(fmt::format("part {}/{} is missing", part, first->shard.count));
    }
    result += found->second;
  }
  return result;
}

}  // namespace headway::cli
