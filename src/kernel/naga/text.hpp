// WGSL as a text: what naga's SPIR-V cannot say is put into the text before naga reads it. Lines
// stay where they are. Linear in the text.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/naga/tokens.hpp"

namespace headway::kernel::naga {

// A declaration `override NAME: TYPE = VALUE;`, whose value is the launch's.
struct Override {
  std::string name;
  std::string id;       // of @id(...); or empty
  std::string type;     // as it is written; or empty
  std::string initial;  // its default, as it is written; or empty
  int line = 0;
  std::size_t begin = 0, end = 0;  // tokens, attributes and semicolon among them
};

class Text {
 public:
  // `text` must outlive this. Throws headway::Error for a declaration that is not understood.
  Text(std::string_view text, std::string file);

  static constexpr const char* kElect = "subgroupElect";

  // By the name of the override, or its @id.
  using Values = std::map<std::string, double>;
  // A size of workgroups is given to the overrides that it is made of, where nobody said otherwise.
  void size_groups(const std::array<std::uint32_t, 3>& size, Values& values) const;
  // Of overrides that are used and have their default, that they do.
  std::vector<std::string> defaults(const Values& values) const;

  // The same text for naga, which has no word for `enable subgroups`.
  std::string readable() const;
  // Overrides are constants, and in front of each statement `mark()` is called with its line.
  // Throws headway::Error for a value that is missing, does not fit, or is nobody's.
  std::string prepared(const Values& values) const;
  // The function that is called; it is added to the text.
  const std::string& mark() const { return mark_; }
  // Whether the text calls subgroupElect(), which naga does not know: a function of that name is
  // added, and a call of it stands for what WGSL means.
  bool elects() const { return elects_; }

 private:
  void find_overrides();
  Override read_override(std::size_t& at) const;
  const double* given(const Override& one, const Values& values) const;
  std::string added_functions() const;
  static std::string type_of(const Override& one);
  std::string constant(const Override& one, const Values& values) const;

  std::string_view text_;
  std::string file_;
  std::vector<Token> tokens_;
  std::vector<Override> overrides_;
  std::string mark_;
  bool elects_ = false;
};

}  // namespace headway::kernel::naga
