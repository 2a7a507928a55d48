// The idiom language as a language, and tests whose source is a program in it.
#pragma once

#include "lang/idiom/code.hpp"
#include "lang/language.hpp"

namespace headway::lang::idiom {

class IdiomSource final : public Source {
 public:
  // `syntax` is what the code was compiled from, for its N.
  IdiomSource(Code code, std::shared_ptr<const Syntax> syntax)
      : code_(std::make_shared<const Code>(std::move(code))), syntax_(std::move(syntax)) {}

  const std::shared_ptr<const Code>& code() const { return code_; }
  const Syntax& syntax() const { return *syntax_; }

  std::string_view language() const override;
  int threads() const override { return static_cast<int>(code_->threads.size()); }
  Topology launch() const override;
  bool waits() const override { return code_->waits() || (code_->reading && !code_->lockstep); }
  int instructions() const override { return code_->accesses(); }
  int size() const override { return code_->sized ? code_->n : 0; }
  std::shared_ptr<const Source> in_reading(SubgroupReading reading) const override;
  std::unique_ptr<Program> make_program() const override;
  // As it was written, with its N alone.
  std::string print(const Test&) const override { return code_->source; }
  std::string key() const override { return code_key(*code_); }
  bool equals(const Source& other) const override {
    return code_->source == static_cast<const IdiomSource&>(other).code_->source;
  }

 private:
  std::shared_ptr<const Code> code_;
  std::shared_ptr<const Syntax> syntax_;
};

const Language& language();

// The code of a program of this language; null for a test of another one.
std::shared_ptr<const Code> find_code(const Test& test);

}  // namespace headway::lang::idiom
