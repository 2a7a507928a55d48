#include "synth/checkpoint.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <thread>

#include "base/bits/hash.hpp"
#include "base/file.hpp"
#include "synth/space/bounds.hpp"

namespace headway::synth {
namespace {

constexpr std::string_view kAnyFormat = "headway-checkpoint-";
// Of 1 cubes were larger; 2 may hold minimal tests that are none, as may 1.
constexpr std::string_view kFormat = "headway-checkpoint-3 ";

constexpr std::size_t kFields = 5;  // bytes an instruction
// What asks for the lane has a location that there is not, and barriers have those before it.
constexpr int kNoLocation = 0xff;

std::string with_checksum(const std::string& text) {
  return fmt::format("{} {:016x}\n", text, stable_hash(text));
}

// On one line, and no other text's.
std::string escaped(const std::string& key) {
  std::string text;
  for (const char c : key) {
    if (c == '\\')
      text += "\\\\";
    else if (c == '\n')
      text += "\\n";
    else
      text += c;
  }
  return text;
}

std::string encode(const std::vector<axb::Instruction>& codes) {
  std::string text;
  text.reserve(codes.size() * kFields * 2);
  for (const axb::Instruction& i : codes) {
    const int other = kNoLocation - static_cast<int>(i.barrier);
    for (const int field : {i.is_access() ? +i.location : other, +i.check_value, +i.jump,
                            +i.exchanges, +i.exchange_value}) {
      constexpr std::string_view digits = "0123456789abcdef";
      text += digits[static_cast<std::size_t>(field >> 4)];
      text += digits[static_cast<std::size_t>(field & 15)];
    }
  }
  return text;
}

std::vector<axb::Instruction> decode(std::string_view text) {
  std::vector<axb::Instruction> codes;
  for (std::size_t at = 0; at + kFields * 2 <= text.size(); at += kFields * 2) {
    std::uint8_t field[kFields] = {};
    for (std::size_t f = 0; f < kFields; ++f) {
      const char* from = text.data() + at + f * 2;
      std::from_chars(from, from + 2, field[f], 16);
    }
    if (field[0] < kMaxSynthLocations) {
      codes.push_back({field[0], field[1], field[2], field[3] != 0, field[4]});
    } else {
      codes.push_back(
          {.check_value = field[1],
           .jump = field[2],
           .barrier = axb::Instruction::Barrier{static_cast<std::uint8_t>(kNoLocation - field[0])},
           .asks_lane = field[0] == kNoLocation});
    }
  }
  return codes;
}

void write_all(int file, std::string_view text, const std::filesystem::path& path) {
  while (!text.empty()) {
    const ssize_t put = ::write(file, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) {
      throw Error({path.string(), 0, 0},
                  fmt::format("cannot write the checkpoint: {}", std::strerror(errno)));
    }
    text.remove_prefix(static_cast<std::size_t>(put));
  }
}

}  // namespace

Checkpoint::Checkpoint(std::filesystem::path path, const std::string& key)
    : path_(std::move(path)) {
  const std::string heading = with_checksum(std::string(kFormat) + escaped(key));
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  const auto fail = [&](const std::string& what) {
    const std::string reason = std::strerror(errno);
    if (file_ >= 0) ::close(file_);
    throw Error({path_.string(), 0, 0}, what + ": " + reason);
  };
  if (file_ < 0) fail("cannot open the checkpoint");
  // A process that has just been killed may need a moment to let go of its lock.
  for (int attempt = 0; ::flock(file_, LOCK_EX | LOCK_NB) != 0; ++attempt) {
    if (attempt == 20) fail("another run uses this checkpoint");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  try {
    const std::string content = read_file(path_, ~std::size_t{0});
    const std::size_t good = load(content, heading);
    if (::ftruncate(file_, static_cast<off_t>(good)) != 0) fail("cannot repair the checkpoint");
    ::lseek(file_, 0, SEEK_END);
    if (good == 0) write_all(file_, heading, path_);
  } catch (...) {
    ::close(file_);
    throw;
  }
}

Checkpoint::~Checkpoint() { ::close(file_); }

// Takes the whole lines of `content` and returns where they end.
std::size_t Checkpoint::load(const std::string& content, const std::string& heading) {
  std::size_t at = 0;
  for (int line = 1; at < content.size(); ++line) {
    const std::size_t end = content.find('\n', at);
    if (end == std::string::npos) break;  // the run was killed while it wrote this line
    const std::string_view text = std::string_view(content).substr(at, end - at);
    const auto damaged = [&](const std::string& what) {
      throw Error({path_.string(), line, 0}, what);
    };
    const std::size_t space = text.rfind(' ');
    if (space == std::string_view::npos ||
        with_checksum(std::string(text.substr(0, space))) != content.substr(at, end + 1 - at)) {
      damaged("the checkpoint is damaged here; expected a line that a run of synth wrote");
    }
    if (line == 1) {
      if (text.starts_with(kAnyFormat) && !text.starts_with(kFormat)) {
        damaged(
            "this checkpoint is of an earlier version of headway; expected one of this version, or "
            "a new file");
      }
      if (content.substr(at, end + 1 - at) != heading) {
        damaged(
            "this checkpoint belongs to another request: of other bounds, filters or shards, or "
            "one "
            "with --count and one without; expected one of the same request");
      }
    } else {
      std::size_t number = 0;
      Cube cube;
      const std::string_view body = text.substr(0, space);
      const std::size_t first = body.find(' ');
      const std::size_t second = body.find(' ', first + 1);
      std::from_chars(body.data(), body.data() + first, number);
      std::from_chars(body.data() + first + 1, body.data() + second, cube.count);
      cube.codes = decode(body.substr(second + 1));
      finished_[number] = std::move(cube);
    }
    at = end + 1;
  }
  return at;
}

void Checkpoint::add(std::size_t number, const Cube& cube) {
  write_all(file_, with_checksum(fmt::format("{} {} {}", number, cube.count, encode(cube.codes))),
            path_);
}

}  // namespace headway::synth
