// AXB as a language: its two text formats, and tests whose source is AXB code.
#pragma once

#include "lang/axb/code.hpp"
#include "lang/language.hpp"

namespace headway::lang::axb {

class AxbSource final : public Source {
 public:
  explicit AxbSource(Code code) : code_(std::move(code)) {}

  const Code& code() const { return code_; }

  std::string_view language() const override;
  int threads() const override { return first_lane(code_, code_.thread_count()); }
  Topology launch() const override { return code_.topology(); }
  bool waits() const override { return code_.has_barriers(); }
  int instructions() const override { return code_.instruction_count(); }
  std::unique_ptr<Program> make_program() const override;
  std::string print(const Test& test) const override;
  std::string key() const override;
  bool equals(const Source& other) const override;

 private:
  Code code_;
};

// headway's litmus format (docs/reference/litmus-format.md) and the format in which the tests of
// Sorensen et al. (OOPSLA 2021) are published. Takes any text that begins with neither for the
// former.
const Language& language();

// What `code` does, which has to outlive it.
std::unique_ptr<Program> make_program(const Code& code);

// A test of this code.
Test make_test(Code code, std::string name = {});

// The code of a flat AXB test; nullptr for one with workgroups or barriers, and for one of another
// language.
const Code* find_code(const Test& test);
// The code of any AXB test; nullptr for one of another language.
const Code* find_placed_code(const Test& test);
// As find_code() and find_placed_code(); throws headway::Error where these have none, in which
// `what` says what is for AXB tests only.
const Code& code_of(const Test& test, const std::string& what);
const Code& placed_code_of(const Test& test, const std::string& what);

// Forgets where the statements of an AXB test stood, which takes more memory than what they say.
void forget_lines(Test& test);

// Whether a text is one of the published format.
bool is_published(std::string_view text);

}  // namespace headway::lang::axb
