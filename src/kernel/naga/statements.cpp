#include "kernel/naga/statements.hpp"

#include <fmt/format.h>

namespace headway::kernel::naga {
namespace {

constexpr int kMaxDepth = 256;  // of blocks; naga refuses half as many

class Marker {
 public:
  Marker(const std::vector<Token>& tokens, const std::string& mark)
      : tokens_(tokens), mark_(mark) {}

  std::vector<Insertion> run() {
    while (at_ < tokens_.size()) {
      if (word() != "fn") {
        ++at_;
        continue;
      }
      const int line = tokens_[at_].line;
      skip_to("{");
      if (at_ + 1 >= tokens_.size()) break;
      insert(at_ + 1, call(line));
      read_block();
    }
    return std::move(result_);
  }

 private:
  std::string_view word() const {
    return at_ < tokens_.size() ? tokens_[at_].text : std::string_view();
  }
  std::string call(int line) const { return fmt::format("{}({}u); ", mark_, line); }
  void insert(std::size_t before, std::string text) {
    if (before < tokens_.size()) result_.push_back({before, std::move(text)});
  }
  // To the next token of that text outside of parentheses and brackets.
  void skip_to(std::string_view what) {
    int depth = 0;
    for (; at_ < tokens_.size(); ++at_) {
      if (depth == 0 && word() == what) return;
      if (word() == "(" || word() == "[") ++depth;
      if (word() == ")" || word() == "]") --depth;
    }
  }

  // From its bracket to behind the other one.
  void read_block() {
    ++at_;
    if (++depth_ > kMaxDepth) at_ = tokens_.size();
    while (at_ < tokens_.size() && word() != "}") read_statement();
    ++at_;
    --depth_;
  }

  void read_statement() {
    insert(at_, call(tokens_[at_].line));
    while (word() == "@") {
      at_ += 2;
      if (word() != "(") continue;
      ++at_;
      skip_to(")");
      ++at_;
    }
    if (word() == "{") return read_block();
    if (word() == "if") return read_if();
    if (word() == "switch") return read_switch();
    if (word() == "loop" || word() == "while" || word() == "for" || word() == "continuing") {
      skip_to("{");
      return read_block();
    }
    skip_to(";");
    ++at_;
  }

  void read_if() {
    skip_to("{");
    read_block();
    if (word() != "else") return;
    ++at_;
    if (word() != "if") return read_block();
    insert(at_, "{ " + call(tokens_[at_].line));
    read_if();
    insert(at_, "} ");
  }

  void read_switch() {
    skip_to("{");
    ++at_;
    while (at_ < tokens_.size() && word() != "}") {
      skip_to("{");
      read_block();
    }
    ++at_;
  }

  const std::vector<Token>& tokens_;
  const std::string& mark_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::vector<Insertion> result_;
};

}  // namespace

std::vector<Insertion> statement_marks(const std::vector<Token>& tokens, const std::string& mark) {
  return Marker(tokens, mark).run();
}

}  // namespace headway::kernel::naga
