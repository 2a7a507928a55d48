// Verdicts kept in a file from one run to the next. A verdict is used again only for the very
// program and the very model that it was decided for: the file holds what it is about, the program
// up to the names of its locations and the rule of the model, and not just their names.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

#include "suite/matrix.hpp"

namespace headway::suite {

// Where the verdicts of a suite are kept: "verdicts.json" in a folder, else the path of the file
// with ".verdicts.json" behind it; nowhere (empty) for "-".
std::filesystem::path verdict_path(const std::string& suite_path);

class VerdictStore {
 public:
  // Empty.
  VerdictStore() = default;
  // With what the file at `path` holds; empty when there is none, and when it is of another
  // version, damaged or unreadable, of which notes() tells.
  explicit VerdictStore(const std::filesystem::path& path);

  // The verdicts of `tests`: those that are known, the others decided and known from then on. A
  // verdict that a limit or an interruption left unknown is not known.
  VerdictMatrix decide(std::span<const lang::Test> tests,
                       const std::vector<models::ModelPtr>& models,
                       const DecideOptions& options = {});

  // Replaces the file at `path`. It holds the tests of the latest decide(), under all models that
  // verdicts of theirs are known for. Throws headway::Error.
  void write(const std::filesystem::path& path) const;

  // What became of the file's verdicts, for people: a line each.
  const std::vector<std::string>& notes() const { return notes_; }
  // How many tests the latest decide() had to decide, under some model at least.
  std::size_t decided() const { return decided_; }
  // Whether write() would write anything else than what was read.
  bool changed() const { return changed_; }

 private:
  struct Column {
    std::string model;
    std::string rule;
    friend bool operator==(const Column&, const Column&) = default;
  };

  void read(const std::string& content);
  std::size_t column_of(const models::Model& model);
  void keep_so_far(const std::filesystem::path& path);

  std::filesystem::path path_;
  std::vector<Column> columns_;
  // By lang::program_key(): two letters a column, as in to_string(Signature). Letters behind the
  // end are '?'.
  std::unordered_map<std::string, std::string> verdicts_;
  std::vector<std::string> notes_;
  std::size_t decided_ = 0;
  bool changed_ = true;
  std::chrono::steady_clock::time_point kept_;  // when the file was written last
};

}  // namespace headway::suite
