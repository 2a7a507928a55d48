#include "kernel/naga/statements.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace headway::kernel::naga {
namespace {

constexpr std::string_view kCloses = "} ";
constexpr std::size_t kMaxConditions = 32;  // behind else, of one chain
constexpr int kMaxDepth = 256;              // of blocks; naga refuses half as many

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

  // Each `else if` opens a block, and all are closed at the end of the chain. Where it is long, the
  // last conditions have no line of their own, as naga bounds how deep blocks are.
  void read_if() {
    std::string closing;
    for (bool goes_on = true; goes_on;) {
      skip_to("{");
      read_block();
      goes_on = false;
      if (word() != "else") break;
      ++at_;
      if (word() != "if") {
        read_block();
        break;
      }
      goes_on = true;
      if (closing.size() / kCloses.size() >= kMaxConditions) continue;
      insert(at_, "{ " + call(tokens_[at_].line));
      closing += kCloses;
    }
    if (!closing.empty()) insert(at_, closing);
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
