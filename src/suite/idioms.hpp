// The idioms that headway knows, the tests of litmus/, and which tests are one of them.
#pragma once

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

  const std::vector<lang::Test>& all() const { return idioms_; }
  // Which of them is the same program as `test`: same threads in the same order, up to the names
  // and order of locations; nullptr when none is.
  const lang::Test* recognize(const lang::Test& test) const;

 private:
  std::vector<lang::Test> idioms_;
  std::unordered_map<std::string, std::size_t> by_program_;  // lang::program_key() to the idiom
};

}  // namespace headway::suite
