// Where a litmus test says how strong an access or a fence is, and what else could stand there.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace headway::consistency::litmus {

struct Choice {
  struct Option {
    std::string name;  // "release", "gpu"; empty: nothing stands there
    // One option is at most as strong as another if none of its numbers is greater.
    std::vector<int> strength;
  };
  // What stands in text[begin, end), by option.
  struct Edit {
    std::size_t begin = 0, end = 0;
    std::vector<std::string> texts = {};
  };

  int thread = 0;  // -1: of all threads
  int line = 0;    // of the file, from 1; 0: of several lines
  std::string instruction = {};
  std::string what;  // "order", "scope", "order of failure", "fence"
  std::vector<Option> options;
  // What stands in the file; none where that is not the same everywhere.
  std::optional<std::size_t> written;
  std::vector<Edit> edits;
};

// Whether an option is no stronger than another one of the same choice.
bool at_most(const Choice::Option& weak, const Choice::Option& strong);

// All choices of a kind as one, which has the same options everywhere; in their place if there are
// any.
void make_one(std::vector<Choice>& choices, const std::string& what);

// The text of the file of these choices, with an option of each.
std::string with_options(const std::string& text, const std::vector<Choice>& choices,
                         const std::vector<std::size_t>& options);

}  // namespace headway::consistency::litmus
