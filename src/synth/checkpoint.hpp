// The finished cubes of a run, on disk as they finish: a line for the request and a line a cube,
// each with a checksum. Whenever the run is killed, the file holds whole lines and at most one
// half one, which is dropped when the run goes on.
#pragma once

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "lang/axb/code.hpp"

namespace headway::synth {

namespace axb = lang::axb;

class Checkpoint {
 public:
  struct Cube {
    std::size_t count = 0;
    std::vector<axb::Instruction> codes;  // of the tests found; empty when they were only counted
  };

  // Opens or creates the file for the request with this key. Throws headway::Error when it belongs
  // to another request, is damaged before its last line, or cannot be written.
  Checkpoint(std::filesystem::path path, const std::string& key);
  ~Checkpoint();
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  // What earlier runs finished, by number of the cube.
  const std::map<std::size_t, Cube>& finished() const { return finished_; }
  // Adds a cube; on disk when it returns. Throws headway::Error when the disk is full.
  void add(std::size_t number, const Cube& cube);

 private:
  std::size_t load(const std::string& content, const std::string& heading);

  std::filesystem::path path_;
  std::map<std::size_t, Cube> finished_;
  int file_ = -1;
};

}  // namespace headway::synth
