#include "kernel/glslang/hlsl_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/text/words.hpp"

namespace headway::kernel::glslang {
namespace {

constexpr std::string_view kCoherent = "globallycoherent", kVolatile = "volatile";
constexpr std::array<std::string_view, 4> kBuffers = {"RWStructuredBuffer", "RWByteAddressBuffer",
                                                      "AppendStructuredBuffer",
                                                      "ConsumeStructuredBuffer"};

struct Token {
  std::string_view text;
  int line = 1;
  std::string_view file = {};  // that is included; empty: none that was named
};

// Words, numbers and marks, one by one, with the places that #line gives.
std::vector<Token> tokens(std::string_view text) {
  std::vector<Token> result;
  int line = 1;
  std::string_view file;
  bool is_first = true;  // of a line
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\n') {
      ++line;
      is_first = true;
      ++i;
      continue;
    }
    if (std::isspace(static_cast<unsigned char>(text[i])) != 0) {
      ++i;
      continue;
    }
    if (std::exchange(is_first, false) && text[i] == '#') {
      constexpr std::string_view directive = "#line ";
      const std::size_t end = std::min(text.find('\n', i), text.size());
      const std::string whole(text.substr(i, end - i));
      if (whole.starts_with(directive)) {
        line = std::atoi(whole.c_str() + directive.size()) - 1;
        const std::size_t quote = whole.find('"');
        const std::size_t last = whole.rfind('"');
        file = quote < last ? text.substr(i + quote + 1, last - quote - 1) : std::string_view();
      }
      i = end;
      continue;
    }
    std::size_t end = i + 1;
    if (text[i] == '"') {
      while (end < text.size() && text[end] != '"') ++end;
      end = std::min(end + 1, text.size());
    } else if (is_word_character(text[i])) {
      while (end < text.size() && is_word_character(text[end])) ++end;
    }
    result.push_back({text.substr(i, end - i), line, file});
    i = end;
  }
  return result;
}

// Behind the bracket that closes the one at `at`.
std::size_t behind_bracket(const std::vector<Token>& all, std::size_t at) {
  int depth = 0;
  for (; at < all.size(); ++at) {
    if (all[at].text == "[") ++depth;
    if (all[at].text == "]" && --depth == 0) return at + 1;
  }
  return at;
}

class Declarations {
 public:
  explicit Declarations(std::string_view text) : all_(tokens(text)) {
    for (at_ = 0; at_ < all_.size(); ++at_) look();
  }

  const Qualified& found() const { return found_; }
  // A buffer that is a parameter, or part of a type, where others have other qualifiers.
  std::optional<Token> mixed() const { return is_mixed_ ? inner_ : std::nullopt; }

 private:
  struct Manner {
    bool coherent = false, is_volatile = false;
    friend bool operator==(const Manner&, const Manner&) = default;
  };

  std::string_view text(std::size_t at) const {
    return at < all_.size() ? all_[at].text : std::string_view();
  }

  void look() {
    const std::string_view one = all_[at_].text;
    if (one == "{") {
      const bool is_space = at_ >= 2 && text(at_ - 2) == "namespace";
      scopes_.emplace_back(is_space ? std::string(text(at_ - 1)) : std::string());
      manner_ = {};
    } else if (one == "}") {
      if (!scopes_.empty()) scopes_.pop_back();
      manner_ = {};
    } else if (one == "(") {
      ++parentheses_;
      manner_ = {};
    } else if (one == ")") {
      --parentheses_;
      manner_ = {};
    } else if (one == ";" || (one == "," && parentheses_ > 0)) {
      manner_ = {};
      is_type_ = false;
    } else if (one == "typedef" || one == "using") {
      is_type_ = true;
    } else if (one == kCoherent) {
      manner_.coherent = true;
    } else if (one == kVolatile) {
      manner_.is_volatile = true;
    } else if (std::find(kBuffers.begin(), kBuffers.end(), one) != kBuffers.end()) {
      declare();
    }
  }

  bool is_outermost() const {
    return parentheses_ == 0 && !is_type_ &&
           std::none_of(scopes_.begin(), scopes_.end(),
                        [](const std::string& scope) { return scope.empty(); });
  }

  void declare() {
    if (!first_) first_ = manner_;
    is_mixed_ = is_mixed_ || *first_ != manner_;
    if (!is_outermost()) {
      if (!inner_) inner_ = all_[at_];
      return;
    }
    std::string prefix;
    for (const std::string& scope : scopes_) prefix += scope + "::";
    int depth = 0;
    for (++at_; at_ < all_.size() && (depth > 0 || text(at_) != ";"); ++at_) {
      const std::string_view one = text(at_);
      if (one == "<" || one == "(" || one == "[" || one == "{") ++depth;
      if (one == ">" || one == ")" || one == "]" || one == "}") --depth;
      if (depth > 0 || !is_word_character(one.front())) continue;
      const std::string_view before = text(at_ - 1), next = text(at_ + 1);
      const bool follows = before == ">" || before == "," || is_word_character(before.front());
      const bool ends = next == "[" || next == ":" || next == "," || next == ";" || next == "=";
      if (!follows || !ends) continue;
      if (manner_.coherent) found_.coherent.insert(prefix + std::string(one));
      if (manner_.is_volatile) found_.is_volatile.insert(prefix + std::string(one));
    }
    manner_ = {};
  }

  std::vector<Token> all_;
  std::size_t at_ = 0;
  std::vector<std::string> scopes_;  // names of namespaces; empty: of something else
  int parentheses_ = 0;
  bool is_type_ = false, is_mixed_ = false;
  Manner manner_;  // of the declaration that is being read
  std::optional<Manner> first_;
  std::optional<Token> inner_;
  Qualified found_;
};

// b.GetDimensions(n) of `ByteAddressBuffer b`.
std::set<std::string> sized_in_bytes(std::string_view text) {
  const std::vector<Token> all = tokens(text);
  std::set<std::string_view> declared;
  std::set<std::string> result;
  for (std::size_t i = 0; i + 2 < all.size(); ++i) {
    const std::string_view one = all[i].text;
    if (one == "ByteAddressBuffer" || one == "RWByteAddressBuffer") {
      // Several of them stand behind commas.
      for (std::size_t at = i + 1; at < all.size() && is_word_character(all[at].text.front());
           at += 2) {
        declared.insert(all[at].text);
        if (at + 1 >= all.size() || all[at + 1].text != ",") break;
      }
    }
    if (declared.contains(one) && all[i + 1].text == "." && all[i + 2].text == "GetDimensions") {
      result.insert(std::string(one));
    }
  }
  return result;
}

}  // namespace

// An attribute stands in front of its function: [numthreads(8, 8, 1)] [shader("compute")] void
// name(...).
std::vector<std::string> entry_points(std::string_view text) {
  const std::vector<Token> all = tokens(text);
  constexpr std::string_view sizes = "numthreads";
  const auto is_size = [&](std::string_view word) {
    return std::equal(word.begin(), word.end(), sizes.begin(), sizes.end(), [](char a, char b) {
      return std::tolower(static_cast<unsigned char>(a)) == b;
    });
  };
  std::vector<std::string> result;
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    if (all[i].text != "[" || !is_size(all[i + 1].text)) continue;
    if (all[i + 1].text != sizes) {
      throw Error(fmt::format("[{}]: glslang reads it in small letters alone", all[i + 1].text));
    }
    std::size_t at = i;
    while (at < all.size() && all[at].text == "[") at = behind_bracket(all, at);
    while (at + 1 < all.size() && all[at + 1].text != "(") ++at;
    if (at + 1 >= all.size()) continue;
    const std::string name(all[at].text);
    if (std::find(result.begin(), result.end(), name) == result.end()) result.push_back(name);
  }
  return result;
}

Qualified qualified(std::string_view text, const std::filesystem::path& file) {
  const Declarations declarations(text);
  if (const auto mixed = declarations.mixed()) {
    const std::string included(mixed->file);
    throw Error({included.empty() ? file.string() : included, mixed->line, 0},
                fmt::format("a {} that is no variable, beside buffers of which some are "
                            "'{}' or '{}' and others are not",
                            mixed->text, kCoherent, kVolatile));
  }
  Qualified result = declarations.found();
  result.sized_in_bytes = sized_in_bytes(text);
  return result;
}

}  // namespace headway::kernel::glslang
