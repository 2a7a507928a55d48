#include "cli/shard.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

#include "base/error.hpp"
#include "base/file.hpp"
#include "suite/documents.hpp"

namespace headway::cli {
namespace {

constexpr std::string_view kMark = suite::kShardMark;
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

// Where a part says what it is: in a file, or in one of its folder.
std::filesystem::path mark_file(const std::string& part) {
  return std::filesystem::is_directory(part) ? std::filesystem::path(part) / kShardFile
                                             : std::filesystem::path(part);
}

// The first line of a part; nothing of what is none.
std::string mark_line(const std::string& part) {
  std::ifstream stream(mark_file(part));
  std::string start(kMark.size(), '\0'), rest;
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  if (!stream || start != kMark) return {};
  std::getline(stream, rest);
  return start + rest;
}

// The parts of one run, as they are read.
class Parts {
 public:
  // Returns which part `text` is. `columns` are to be those of the others.
  int add(const std::string& text, const std::string& file, const std::string& columns) {
    const std::size_t line = text.find('\n');
    if (text.starts_with(kMark) && !text.ends_with(kEnd)) {
      throw Error({file, 0, 0}, "this part is cut off: whoever wrote it did not finish");
    }
    if (!text.starts_with(kMark) || line == std::string::npos) {
      throw Error({file, 1, 0}, "expected a part that was made with --shard");
    }
    const Heading heading = heading_of(text.substr(0, line), file);
    if (first_file_.empty()) {
      first_file_ = file;
      first_ = heading;
      columns_ = columns;
    }
    if (heading.of != first_.of || heading.shard.count != first_.shard.count ||
        columns != columns_) {
      throw Error({file, 1, 0},
                  fmt::format("this is not of the run that {} is a part of: another suite, other "
                              "models or options, or another number of parts",
                              first_file_));
    }
    if (!there_.insert(heading.shard.index).second) {
      throw Error({file, 1, 0}, fmt::format("part {} is there twice", heading.shard.index));
    }
    return heading.shard.index;
  }

  void require_all() const {
    for (int part = 1; part <= first_.shard.count; ++part) {
      if (there_.contains(part)) continue;
      throw Error(fmt::format("part {}/{} is missing", part, first_.shard.count));
    }
  }

 private:
  std::string first_file_;
  Heading first_;
  std::string columns_;
  std::set<int> there_;
};

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

std::string shard_heading(const Shard& shard, const std::string& what,
                          const std::string& identity) {
  return fmt::format("{}{}/{} {} {}\n", kMark, shard.index, shard.count, what, identity);
}

std::string shard_end() { return std::string(kEnd); }

std::string shard_text(const Shard& shard, const std::string& what, const std::string& identity,
                       const std::string& lines) {
  return shard_heading(shard, what, identity) + lines + shard_end();
}

bool is_shard(const std::string& file) { return !mark_line(file).empty(); }

bool is_shard_of_tests(const std::string& file) {
  const std::string line = mark_line(file);
  return !line.empty() && heading_of(line, file).of.starts_with("tests ");
}

void require_all_parts(const std::vector<std::string>& parts) {
  Parts all;
  for (const std::string& part : parts) {
    const std::filesystem::path file = mark_file(part);
    all.add(std::filesystem::exists(file) ? read_file(file, ~std::size_t{0}) : "", part, "");
  }
  all.require_all();
}

std::string joined_shards(const std::vector<std::string>& files) {
  Parts parts;
  std::map<int, std::string> bodies;
  std::string names;  // of the columns
  for (const std::string& file : files) {
    const std::string text = read_file(file, ~std::size_t{0});
    const std::size_t line = text.find('\n');
    const std::size_t body = line == std::string::npos ? line : text.find('\n', line + 1);
    const std::string columns = body == std::string::npos ? "" : text.substr(line + 1, body - line);
    const int index = parts.add(text, file, columns);
    if (body == std::string::npos) throw Error({file, 2, 0}, "expected the names of the columns");
    names = columns;
    bodies[index] = text.substr(body + 1, text.size() - body - 1 - kEnd.size());
  }
  parts.require_all();
  std::string result = names;
  for (const auto& [index, body] : bodies) result += body;
  return result;
}

}  // namespace headway::cli
