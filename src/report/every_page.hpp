// Answers for every N as a page of its own, without scripts.
#pragma once

#include <string>
#include <vector>

#include "every/decide.hpp"
#include "report/page.hpp"

namespace headway::report {

struct EveryPage {
  std::string title;
  std::string version;
  const std::vector<every::FamilyAnswer>& families;  // each in the same readings
  std::vector<std::string> problems;                 // what is missing, one sentence each
};

// All answers in one table; and of each family what holds for which N, its text and the proofs in
// words.
std::string every_html(const EveryPage& page);

// The files of src/report/every_page, as they were when headway was built (cmake/embed.cmake).
const std::vector<EmbeddedFile>& embedded_every_page();

}  // namespace headway::report
