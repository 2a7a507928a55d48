#include "kernel/clang/host_parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "base/text/words.hpp"

namespace headway::kernel {
namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Whether the line that ends at `end` goes on in the next one.
bool goes_on(std::string_view text, std::size_t end) {
  if (end > 0 && text[end - 1] == '\r') --end;
  return end > 0 && text[end - 1] == '\\';
}

// Goes through a text by what is code in it: behind comments, literals and lines of the
// preprocessor.
class CodeWalk {
 public:
  explicit CodeWalk(std::string_view text) : text_(text) {}

  std::size_t at() const { return at_; }
  bool over() const { return at_ >= text_.size(); }
  char here() const { return text_[at_]; }

  // To the next byte of code, this one included.
  void to_code() {
    while (!over() && (skip_comment() || skip_directive() || skip_literal())) {
    }
  }
  void step() {
    is_line_start_ = here() == '\n' || (is_line_start_ && is_space(here()));
    ++at_;
  }

 private:
  bool starts(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  void go_to(std::size_t end) { at_ = std::min(end, text_.size()); }
  void go_behind(std::string_view word, std::size_t from) {
    const std::size_t found = text_.find(word, from);
    go_to(found == std::string_view::npos ? found : found + word.size());
  }

  bool skip_comment() {
    if (starts("/*")) {
      go_behind("*/", at_ + 2);
    } else if (starts("//")) {
      go_to(text_.find('\n', at_));
    } else {
      return false;
    }
    return true;
  }

  bool skip_directive() {
    if (!is_line_start_ || here() != '#') return false;
    do {
      go_to(text_.find('\n', at_ + 1));
    } while (!over() && goes_on(text_, at_));
    return true;
  }

  bool skip_literal() {
    const char quote = here();
    if (quote != '"' && quote != '\'') return false;
    std::size_t word = at_;  // in front of it
    while (word > 0 && is_word_character(text_[word - 1])) --word;
    const std::string_view before = text_.substr(word, at_ - word);
    if (quote == '"' && before.ends_with('R')) {
      const std::size_t open = text_.find('(', at_);
      if (open == std::string_view::npos) return false;
      go_behind(fmt::format("){}\"", text_.substr(at_ + 1, open - at_ - 1)), open);
      return true;
    }
    // 1'000'000
    if (quote == '\'' && !before.empty() && is_digit(before.front())) return false;
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n') {
      end += text_[end] == '\\' ? 2 : 1;
    }
    go_to(end + 1);
    is_line_start_ = false;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool is_line_start_ = true;
};

bool has_whole_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_word_character(text[at - 1]);
    const std::size_t end = at + word.size();
    if (begins && (end == text.size() || !is_word_character(text[end]))) return true;
  }
  return false;
}

// In front of a brace: whether what is in it is as if it stood outside.
bool is_transparent(std::string_view head) {
  if (head.ends_with('"') && head.find("extern") != std::string_view::npos) return true;
  return has_whole_word(head, "namespace") && head.find('(') == std::string_view::npos &&
         head.find('=') == std::string_view::npos;
}

// Whether a semicolon ends what has such a head and braces behind it.
bool goes_on_behind_braces(std::string_view head) {
  if (head.find('=') != std::string_view::npos && head.find("operator") == std::string_view::npos) {
    return true;
  }
  if (head.find('(') != std::string_view::npos) return false;
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"struct", "class", "union", "enum"},
      [&](std::string_view word) { return has_whole_word(head, word); });
}

std::vector<std::string_view> names_in(std::string_view text) {
  std::vector<std::string_view> all;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_word_character(text[at])) continue;
    std::size_t end = at;
    while (end < text.size() && is_word_character(text[end])) ++end;
    if (!is_digit(text[at])) all.push_back(text.substr(at, end - at));
    at = end;
  }
  return all;
}

// Lines of the preprocessor, with those in which they go on.
struct Directive {
  std::size_t begin = 0;
  std::string_view word, rest;  // "define", "A __device__"
};
std::vector<Directive> directives_of(std::string_view text) {
  std::vector<Directive> result;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view start = trimmed(text.substr(begin, end - begin));
    if (start.starts_with('#')) {
      while (end < text.size() && goes_on(text, end)) {
        end = std::min(text.find('\n', end + 1), text.size());
      }
      const std::string_view all = trimmed(trimmed(text.substr(begin, end - begin)).substr(1));
      const auto stop = std::ranges::find_if_not(all, is_word_character) - all.begin();
      const auto length = static_cast<std::size_t>(stop);
      result.push_back({begin, all.substr(0, length), trimmed(all.substr(length))});
    }
    begin = end + 1;
  }
  return result;
}

// What the preprocessor is told in a text.
struct Preprocessed {
  std::vector<Directive> directives;
  std::set<std::string_view> macros;  // that it defines
  // Those that say that something is of the device: CUDA's, and macros for them.
  std::set<std::string_view> device_words = {"__global__", "__device__", "__constant__",
                                             "__shared__", "__managed__"};

  explicit Preprocessed(std::string_view text) : directives(directives_of(text)) {
    for (std::size_t before = 0; before != device_words.size();) {
      before = device_words.size();
      for (const Directive& one : directives) {
        const auto names = names_in(one.rest);
        if (one.word != "define" || names.empty()) continue;
        macros.insert(names.front());
        if (std::any_of(names.begin() + 1, names.end(),
                        [&](std::string_view name) { return device_words.contains(name); })) {
          device_words.insert(names.front());
        }
      }
    }
  }

  bool is_of_device(std::string_view part) const {
    return std::ranges::any_of(names_in(part),
                               [&](std::string_view name) { return device_words.contains(name); });
  }
};

std::string_view text_of(std::string_view text, const TopLevelPart& part) {
  return text.substr(part.begin, part.end - part.begin);
}

// What is in front of the parameters, the body or the value of a part, without those of a template.
std::string_view head_of(std::string_view part) {
  std::string_view head = part;
  if (head.starts_with("template")) {
    int depth = 0;
    std::size_t at = head.find('<');
    for (; at < head.size(); ++at) {
      if (head[at] == '<') ++depth;
      if (head[at] == '>' && --depth == 0) break;
    }
    head.remove_prefix(std::min(at + 1, head.size()));
  }
  return trimmed(head.substr(0, head.find_first_of("({;=")));
}

// What a part declares, if that is a function, a variable or a class that is no template.
struct Declared {
  std::string_view name;
  bool is_function = false;  // with a body
};
std::optional<Declared> declared_by(std::string_view part) {
  const std::string_view head = head_of(part);
  const std::size_t behind =
      part.find_first_of("({;=", static_cast<std::size_t>(head.data() + head.size() - part.data()));
  const char end = behind < part.size() ? part[behind] : ';';
  const bool is_template = part.starts_with("template");
  for (const char* word :
       {"static_assert", "constexpr", "consteval", "using", "typedef", "enum", "concept",
        "operator", "friend", "decltype", "alignas", "__attribute__", "__declspec"}) {
    if (has_whole_word(head, word)) return {};
  }
  // What a function gives may be constant.
  if (end != '(' && has_whole_word(head, "const")) return {};
  const auto names = names_in(head.substr(0, head.find(':')));
  if (names.empty()) return {};
  const bool is_class = names.front() == "struct" || names.front() == "class";
  if (is_class && end == '{') {
    if (is_template || names.size() < 2 || head.find('<') != std::string_view::npos) return {};
    return Declared{names.back(), false};
  }
  const auto all = names_in(head);
  const bool has_body = end == '(' && part.ends_with('}');
  // Of several variables, and of what is specialized, more than a name counts.
  const bool is_list =
      head.find(',') != std::string_view::npos && head.find('<') == std::string_view::npos;
  const bool is_special =
      head.ends_with('>') ||
      (is_template && trimmed(trimmed(part.substr(8)).substr(1)).starts_with(">"));
  if (is_list || is_special || (is_template && !has_body)) return {};
  return Declared{all.back(), has_body};
}

// Whether a name may be a macro that a header has, for words like __device__.
bool may_be_qualifier(std::string_view name, const std::set<std::string_view>& macros) {
  return name.size() > 1 && !macros.contains(name) && std::ranges::none_of(name, [](char c) {
           return std::islower(static_cast<unsigned char>(c)) != 0;
         });
}

// Whether headers that are not here may say what a condition of the preprocessor is.
bool is_of_headers(std::string_view condition, const std::set<std::string_view>& macros) {
  constexpr std::string_view known[] = {"defined",        "true",  "false",
                                        "NDEBUG",         "DEBUG", "CUDA_VERSION",
                                        "CUDART_VERSION", "WIN32", "USE_ROCM"};
  return std::ranges::any_of(names_in(condition), [&](std::string_view name) {
    return !name.starts_with('_') && !macros.contains(name) && std::ranges::count(known, name) == 0;
  });
}

// Libraries that some include as if they were their own.
constexpr std::string_view kLibraries[] = {"cublas.h", "cublasLt.h",   "cublas_v2.h", "cudnn.h",
                                           "cufft.h",  "cusolverDn.h", "cusparse.h",  "mpi.h",
                                           "nccl.h",   "nvToolsExt.h", "nvml.h",      "nvrtc.h"};

std::pair<std::size_t, std::size_t> bytes_of_line(std::string_view text, int line) {
  std::size_t begin = 0;
  for (int k = 1; k < line && begin < text.size(); ++k) {
    const std::size_t end = text.find('\n', begin);
    begin = end == std::string_view::npos ? text.size() : end + 1;
  }
  return {begin, std::min(text.find('\n', begin), text.size())};
}

// Takes all out but lines of the preprocessor, of which some may belong to what stands around it.
void blank(std::string& text, const TopLevelPart& part) {
  bool is_start = false, is_directive = false;
  for (std::size_t at = part.begin; at < part.end; ++at) {
    if (text[at] == '\n') {
      is_start = true;
      is_directive = is_directive && goes_on(text, at);
      continue;
    }
    if (is_start && !is_space(text[at])) {
      const std::string_view line = std::string_view(text).substr(at, text.find('\n', at) - at);
      const bool begins = line.starts_with('#') && !trimmed(line.substr(1)).starts_with("pragma");
      is_directive = is_directive || begins;
      is_start = false;
    }
    if (!is_directive) text[at] = ' ';
  }
}

// "3 and 12-30".
std::string ranges_of(const std::set<int>& lines) {
  std::vector<std::string> all;
  for (auto at = lines.begin(); at != lines.end();) {
    const int first = *at;
    int last = first;
    while (++at != lines.end() && *at == last + 1) ++last;
    all.push_back(first == last ? std::to_string(first) : fmt::format("{}-{}", first, last));
  }
  if (all.size() < 2) return fmt::format("{}", fmt::join(all, ""));
  return fmt::format("{} and {}", fmt::join(all.begin(), all.end() - 1, ", "), all.back());
}

}  // namespace

std::string_view included_library(std::string_view line) {
  const std::size_t hash = line.find('#'), word = line.find("include");
  if (hash == std::string_view::npos || word == std::string_view::npos || word < hash) return {};
  const std::size_t open = line.find_first_of("<\"", word);
  if (open == std::string_view::npos) return {};
  const bool is_own = line[open] == '"';
  const std::size_t close = line.find(is_own ? '"' : '>', open + 1);
  if (close == std::string_view::npos) return {};
  const std::string_view name = line.substr(open + 1, close - open - 1);
  if (is_own && std::ranges::count(kLibraries, name) == 0) return {};
  return line.substr(open, close + 1 - open);
}

std::vector<TopLevelPart> top_level_parts(std::string_view text) {
  std::vector<TopLevelPart> result;
  CodeWalk walk(text);
  std::size_t begin = std::string_view::npos;
  int depth = 0;  // of parentheses and braces, from the begin of a part on
  std::string_view head;
  const auto ends = [&](std::size_t end) {
    result.push_back({begin, end});
    begin = std::string_view::npos;
    head = {};
  };
  for (walk.to_code(); !walk.over(); walk.to_code()) {
    const char c = walk.here();
    const std::size_t at = walk.at();
    walk.step();
    if (begin == std::string_view::npos) {
      if (is_space(c) || c == ';' || c == '}') continue;  // of a namespace
      begin = at;
      depth = 0;
    }
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == '{') {
      if (depth == 0 && head.empty()) {
        head = trimmed(text.substr(begin, at - begin));
        if (is_transparent(head)) {
          begin = std::string_view::npos;
          head = {};
          continue;
        }
      }
      ++depth;
    }
    if (c == '}' && --depth <= 0 && !goes_on_behind_braces(head)) ends(at + 1);
    if (c == ';' && depth <= 0 && begin != std::string_view::npos) ends(at + 1);
  }
  if (begin != std::string_view::npos) ends(text.size());
  return result;
}

bool HostParts::take_out(int line) {
  const auto [first, last] = bytes_of_line(text_, line);
  const std::string_view words = trimmed(std::string_view(text_).substr(first, last - first));
  if (words.starts_with('#')) {
    const std::string_view header = included_library(words);
    if (header.empty() || headers_may_decide()) return false;
    headers_.emplace_back(header);
    text_.replace(first, last - first, last - first, ' ');
    return true;
  }
  for (const TopLevelPart& part : top_level_parts(text_)) {
    if (part.end <= first || part.begin >= last || !is_of_host(part)) continue;
    const auto line_of = [&](std::size_t at) {
      return 1 + static_cast<int>(
                     std::count(text_.begin(), text_.begin() + static_cast<long>(at), '\n'));
    };
    for (int k = line_of(part.begin); k <= line_of(part.end - 1); ++k) lines_.insert(k);
    blank(text_, part);
    return true;
  }
  return false;
}

// Whether code of the device is the same without what a part declares.
bool HostParts::is_of_host(const TopLevelPart& part) const {
  const Preprocessed lines(text_);
  const std::string_view own = text_of(text_, part);
  const std::optional<Declared> declared = declared_by(own);
  if (!declared || lines.is_of_device(own)) return false;
  const auto head = names_in(head_of(own));
  for (const std::string_view name : head) {
    if (name != head.back() && may_be_qualifier(name, lines.macros)) return false;
  }
  for (const Directive& one : lines.directives) {
    if (one.word == "define" && has_whole_word(one.rest, declared->name)) return false;
  }
  return std::ranges::none_of(top_level_parts(text_), [&](const TopLevelPart& other) {
    if (other.begin == part.begin) return false;
    const std::string_view of = text_of(text_, other);
    const std::optional<Declared> what = declared_by(of);
    const bool is_host_function = what && what->is_function && !lines.is_of_device(of);
    return !is_host_function && has_whole_word(of, declared->name);
  });
}

// Whether conditions of the preprocessor around or within code of the device may hang on headers.
bool HostParts::headers_may_decide() const {
  const Preprocessed lines(text_);
  std::vector<TopLevelPart> of_device = top_level_parts(text_);
  std::erase_if(of_device, [&](const TopLevelPart& part) {
    return !lines.is_of_device(text_of(text_, part));
  });
  struct Open {
    std::size_t begin = 0;
    bool is_of_headers = false;
  };
  std::vector<Open> open;
  for (const Directive& one : lines.directives) {
    const bool begins = one.word == "if" || one.word == "ifdef" || one.word == "ifndef";
    if (begins) open.push_back({one.begin, false});
    if (open.empty()) continue;
    if (begins || one.word == "elif") {
      open.back().is_of_headers =
          open.back().is_of_headers || is_of_headers(one.rest, lines.macros);
    }
    if (one.word != "endif") continue;
    const Open closed = open.back();
    open.pop_back();
    if (closed.is_of_headers && std::ranges::any_of(of_device, [&](const TopLevelPart& part) {
          return closed.begin < part.end && part.begin < one.begin;
        })) {
      return true;
    }
  }
  return false;
}

std::string HostParts::what_is_missing() const {
  std::string result;
  if (!headers_.empty()) result = fmt::format("without {}", fmt::join(headers_, ", "));
  if (lines_.empty()) return result;
  if (!result.empty()) result += ", and ";
  const bool one = lines_.size() == 1;
  return result +
         fmt::format("without what the host has in line{} {}", one ? "" : "s", ranges_of(lines_));
}

}  // namespace headway::kernel
