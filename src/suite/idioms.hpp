// The idioms that headway knows, and which tests are one of them: the tests of litmus/, and the
// members of the library for every number of threads, litmus/idioms.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lang/test.hpp"

namespace headway::suite {

// The files of litmus/ as they were when headway was built (cmake/embed.cmake).
struct EmbeddedIdiom {
  std::string_view name;
  std::string_view content;
};
const std::vector<EmbeddedIdiom>& embedded_idioms();

class Idioms {
 public:
  // Those compiled into the program, sorted by name.
  Idioms();
  // Others instead. Of tests that are the same program the first counts.
  explicit Idioms(std::vector<lang::Test> idioms);

  // Without members of the library, of which there are too many to list.
  const std::vector<lang::Test>& all() const { return idioms_; }
  // Which of them is the same program as `test`: same threads in the same order, up to the names
  // and order of locations; nullptr when none is. What it gives lives as long as this. Not to be
  // shared between cores.
  const lang::Test* recognize(const lang::Test& test) const;

 private:
  const std::map<std::string, lang::Test>& members(int threads) const;

  std::vector<lang::Test> idioms_;
  std::unordered_map<std::string, std::size_t> by_program_;  // lang::program_key() to the idiom
  bool with_library_ = false;
  mutable std::map<int, std::map<std::string, lang::Test>> members_;  // by size and key, as asked
};

}  // namespace headway::suite
