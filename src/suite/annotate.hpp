// Tests with what is known about them written into them: verdicts as expectations, their place in
// the classification as a comment, and names that say what they are.
#pragma once

#include <string>
#include <vector>

#include "suite/classification.hpp"
#include "suite/idioms.hpp"

namespace headway::suite {

class Annotator {
 public:
  // `tests` are those of the matrix. What is passed must outlive the annotator.
  Annotator(std::span<const lang::Test> tests, const VerdictMatrix& matrix,
            const SuiteOrder& order);

  // Test `index` with all known verdicts as its expectations, passes first, and behind its comment
  // some lines that say how large it is, what it is a distinguishing test of, where the published
  // attribution puts it (when its models are there), and which idiom it is. Such lines of an
  // earlier annotation are replaced.
  lang::Test annotated(std::size_t index) const;

  // Its size, and the idiom that it is or the weakest readings that suffice: "2t_3i-hsa.weak".
  std::string title(std::size_t index) const;

  // Names for all tests: the title, with a number where it is not an idiom: "2t_3i-hsa.weak-07".
  std::vector<std::string> names() const;

 private:
  std::string weakest(std::size_t index) const;

  std::span<const lang::Test> tests_;
  const VerdictMatrix& matrix_;
  const SuiteOrder& order_;
  Classification classification_;
  Idioms idioms_;
};

}  // namespace headway::suite
