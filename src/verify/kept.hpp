// Reports kept in a file from one run to the next. One is used again only for what it was made for:
// the code that a compiler made of a file, its text with the directives in it, the options, the
// rules of the models that these name, and this version of headway. Only what is decided is kept:
// verified, violated and unsupported.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "verify/verify.hpp"

namespace headway::verify {

// Where reports are kept: "verify.json" in a folder, else the path of the file with ".verify.json"
// behind it.
std::filesystem::path kept_path(const std::string& path);

// Safe to use from several threads.
class KeptReports {
 public:
  // With what the file holds; empty when there is none, and when it is of another version, damaged
  // or unreadable, of which note() tells.
  explicit KeptReports(std::filesystem::path path);

  // The reports of the kernels of a file, if all of them were decided.
  std::optional<std::vector<Report>> find(const std::string& key);
  // Also writes the file, if it was written some seconds ago, so that little is lost in a kill.
  void add(const std::string& key, const std::vector<Report>& reports);
  // Replaces the file by what was found and added. Throws headway::Error.
  void write();

  const std::string& note() const { return note_; }  // empty: nothing to say

 private:
  std::filesystem::path path_;
  std::mutex mutex_;
  std::map<std::string, std::vector<Report>> read_, kept_;
  std::string note_;
  std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
};

}  // namespace headway::verify
