// Memory of a launch as locations of a program: a cell of each object for each place that is
// accessed, all of one width where threads choose among them.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "consistency/program.hpp"
#include "kernel/litmus/integers.hpp"
#include "kernel/machine/launch.hpp"

namespace headway::kernel::litmus {

// What a cell holds that nobody has written: no number of fewer than 64 bits.
inline constexpr Number kNothing = INT64_MIN + 1;

// What an object holds at first at a place that nobody names by chance.
struct Content {
  enum class Kind { number, pointer, nothing };
  Kind kind = Kind::number;
  Number number = 0;        // of a pointer the bytes from its object on
  Instance object = kNone;  // of a pointer
  bool is_taken = false;    // nobody says what it is: the number is one of many
};
// Throws headway::Error, without a place, for what is not known as a whole.
Content content_of(const Launch& launch, Instance object, std::uint64_t at, int bytes);

class Cells {
 public:
  explicit Cells(const Launch& launch) : launch_(launch) {}

  // An access of so many bytes, at a place that is known, or chosen by the term of its number in
  // the object; by an instruction of a thread.
  struct Use {
    std::size_t thread = 0, instruction = 0;
    Instance object = kNone;
    std::optional<std::uint64_t> at;  // nothing: chosen
    int bytes = 0;
    int line = 0;
  };
  void add(const Use& use) { uses_.push_back(use); }

  // Gives a program its locations, and its instructions theirs. `notes`: what was taken for what
  // nobody says. Throws headway::Error with a line for what is accessed in different ways, and what
  // has too many cells.
  void lay_out(consistency::Program& program, std::vector<std::string>& notes) const;

 private:
  struct Layout {
    std::map<std::uint64_t, int> places;   // with their widths
    std::map<std::uint64_t, int> numbers;  // of locations
  };
  Layout laid(Instance object) const;

  const Launch& launch_;
  std::vector<Use> uses_;
};

}  // namespace headway::kernel::litmus
