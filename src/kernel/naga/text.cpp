#include "kernel/naga/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/error.hpp"
#include "base/text/suggestion.hpp"
#include "kernel/naga/statements.hpp"

namespace headway::kernel::naga {
namespace {

std::string shown_value(double value) {
  return value == std::floor(value) && std::fabs(value) < 1e15
             ? fmt::format("{}", static_cast<std::int64_t>(value))
             : fmt::format("{}", value);
}

bool is_real(std::string_view type) { return type == "f32" || type == "f16"; }

// The type that an override has whose default is this literal; empty where it is none.
std::string type_of_literal(std::string_view literal) {
  if (literal == "true" || literal == "false") return "bool";
  if (literal.starts_with("-")) literal.remove_prefix(1);
  const auto all_of = [&](std::string_view digits) {
    return !literal.empty() && literal.find_first_not_of(digits) == std::string_view::npos;
  };
  const char last = literal.empty() ? '\0' : literal.back();
  std::string result = "i32";
  if (last == 'u' || last == 'i') {
    result = last == 'u' ? "u32" : "i32";
    literal.remove_suffix(1);
  }
  if (literal.starts_with("0x") || literal.starts_with("0X")) {
    literal.remove_prefix(2);
    return all_of("0123456789abcdefABCDEF") ? result : std::string();
  }
  if (all_of("0123456789")) return result;
  if (last == 'f' || last == 'h') literal.remove_suffix(1);
  if (const auto exponent = literal.find_first_of("eE"); exponent != std::string_view::npos) {
    std::string_view power = literal.substr(exponent + 1);
    if (power.starts_with("+") || power.starts_with("-")) power.remove_prefix(1);
    if (power.empty() || power.find_first_not_of("0123456789") != std::string_view::npos) return {};
    literal = literal.substr(0, exponent);
  }
  if (!all_of("0123456789.") || last == 'u' || last == 'i') return {};
  return last == 'h' ? "f16" : "f32";
}

}  // namespace

Text::Text(std::string_view text, std::string file)
    : text_(text), file_(std::move(file)), tokens_(tokens_of(text)), mark_("headway_at") {
  while (text.find(mark_) != std::string_view::npos) mark_ += '_';
  for (std::size_t at = 0; at < tokens_.size(); ++at) {
    if (tokens_[at].text != kElect) continue;
    elects_ = at == 0 || tokens_[at - 1].text != "fn";
    if (!elects_) break;  // a function of the author's own
  }
  find_overrides();
}

void Text::find_overrides() {
  int depth = 0;
  for (std::size_t at = 0; at < tokens_.size(); ++at) {
    const std::string_view word = tokens_[at].text;
    if (word == "{") ++depth;
    if (word == "}") --depth;
    if (word == "override" && depth == 0) overrides_.push_back(read_override(at));
  }
}

// What is no declaration is naga's to say; a token that is not there ends one early.
Override Text::read_override(std::size_t& at) const {
  Override result;
  result.line = tokens_[at].line;
  result.begin = at;
  const auto word = [&](std::size_t i) {
    return i < tokens_.size() ? tokens_[i].text : std::string_view(";");
  };
  // @id(3) stands in front of it.
  if (at >= 5 && word(at - 5) == "@" && word(at - 4) == "id" && word(at - 3) == "(") {
    result.begin = at - 5;
    result.id = word(at - 2);
  } else if (at > 0 && word(at - 1) == ")") {
    throw Error({file_, result.line, 0},
                "attributes of an override are not understood; expected one, @id(NUMBER)");
  }
  result.name = word(++at);
  std::string* into = nullptr;
  while (word(++at) != ";") {
    if (into == nullptr && word(at) == ":") {
      into = &result.type;
    } else if (into != &result.initial && word(at) == "=") {
      into = &result.initial;
    } else if (into != nullptr) {
      if (!into->empty() && is_word_part(into->back()) && is_word_part(word(at).front())) {
        *into += ' ';
      }
      *into += word(at);
    }
  }
  result.end = std::min(at + 1, tokens_.size());
  return result;
}

const double* Text::given(const Override& one, const Values& values) const {
  auto found = values.find(one.id);
  if (one.id.empty() || found == values.end()) found = values.find(one.name);
  return found == values.end() ? nullptr : &found->second;
}

void Text::size_groups(const std::array<std::uint32_t, 3>& size, Values& values) const {
  for (std::size_t at = 0; at + 2 < tokens_.size(); ++at) {
    if (tokens_[at].text != "workgroup_size") continue;
    for (std::size_t d = 0, i = at + 2; d < 3 && i + 1 < tokens_.size(); ++d, i += 2) {
      const bool is_alone = tokens_[i + 1].text == "," || tokens_[i + 1].text == ")";
      if (!is_alone) break;  // what else it is made of is the author's
      for (const Override& one : overrides_) {
        if (one.name == tokens_[i].text && given(one, values) == nullptr) {
          values[one.name] = size[d];
        }
      }
      if (tokens_[i + 1].text == ")") break;
    }
  }
}

std::vector<std::string> Text::defaults(const Values& values) const {
  std::vector<std::string> result;
  for (const Override& one : overrides_) {
    const auto uses = std::count_if(tokens_.begin(), tokens_.end(),
                                    [&](const Token& token) { return token.text == one.name; });
    if (uses > 1 && !one.initial.empty() && given(one, values) == nullptr) {
      result.push_back(fmt::format("override {} is {}, its default", one.name, one.initial));
    }
  }
  return result;
}

std::string Text::type_of(const Override& one) {
  return one.type.empty() ? type_of_literal(one.initial) : one.type;
}

std::string Text::constant(const Override& one, const Values& values) const {
  const double* value = given(one, values);
  if (value == nullptr && one.initial.empty()) {
    throw Error(
        {file_, one.line, 0},
        fmt::format("the override '{0}' has no default; expected --spec {0}=...", one.name));
  }
  const std::string type = type_of(one);
  // Of an override without a type that is made of others the type is what theirs is.
  const auto is_other = [&](const Token& token) {
    return std::any_of(overrides_.begin(), overrides_.end(),
                       [&](const Override& other) { return other.name == token.text; });
  };
  const std::vector<Token> parts = tokens_of(one.initial);
  if (type.empty() && (value != nullptr || std::none_of(parts.begin(), parts.end(), is_other))) {
    throw Error({file_, one.line, 0},
                fmt::format("the type of the override '{0}' is not known here; expected "
                            "override {0}: TYPE = {1}",
                            one.name, one.initial));
  }
  std::string text = one.initial;
  if (value != nullptr) {
    const bool is_whole = *value == std::floor(*value);
    if (!is_whole && !is_real(type)) {
      throw Error({file_, one.line, 0},
                  fmt::format("--spec {}={}: expected a value of {}", one.name, *value, type));
    }
    text = shown_value(*value);
    if (type == "bool") text = *value == 0 ? "false" : "true";
    if (is_real(type) && is_whole) text += ".0";
  }
  return fmt::format("const {}{}{} = {};", one.name, type.empty() ? "" : ": ", type, text);
}

namespace {

// Lets a text be changed in places that come one behind the other, lines kept.
class Rewriting {
 public:
  explicit Rewriting(std::string_view text) : text_(text) {}
  // What stands in `of`, a part of the text; newlines in it stay.
  void replace(std::string_view begin, std::string_view last, const std::string& by) {
    keep_until(begin);
    const std::size_t end = at(last) + last.size();
    result_ += by;
    result_.append(static_cast<std::size_t>(
                       std::count(text_.begin() + static_cast<std::ptrdiff_t>(done_),
                                  text_.begin() + static_cast<std::ptrdiff_t>(end), '\n')),
                   '\n');
    done_ = end;
  }
  void insert(std::string_view before, const std::string& what) {
    keep_until(before);
    result_ += what;
  }
  std::string finish() { return std::move(result_.append(text_.substr(done_))); }

 private:
  std::size_t at(std::string_view part) const {
    return static_cast<std::size_t>(part.data() - text_.data());
  }
  void keep_until(std::string_view part) {
    result_.append(text_.substr(done_, at(part) - done_));
    done_ = at(part);
  }

  std::string_view text_;
  std::size_t done_ = 0;
  std::string result_;
};

// The tokens of `enable subgroups;` and of lists with subgroups in them: begin and end of each word
// that has to go, with the comma beside it.
struct Gone {
  std::size_t begin = 0, last = 0;
};
std::vector<Gone> enabled_subgroups(const std::vector<Token>& tokens) {
  std::vector<Gone> result;
  const auto is_directive = [](std::string_view word) {
    return word == "enable" || word == "requires" || word == "diagnostic";
  };
  for (std::size_t at = 0; at < tokens.size() && is_directive(tokens[at].text);) {
    std::size_t end = at;
    while (end < tokens.size() && tokens[end].text != ";") ++end;
    if (end == tokens.size()) break;
    const bool enables = tokens[at].text == "enable";
    for (std::size_t i = at + 1; i < end; ++i) {
      if (!enables || tokens[i].text != "subgroups") continue;
      const bool has_comma = tokens[i + 1].text == ",";
      if (has_comma) {
        result.push_back({i, i + 1});
      } else if (tokens[i - 1].text == ",") {
        result.push_back({i - 1, i});
      } else {
        result.push_back({at, end});
      }
    }
    at = end + 1;
  }
  return result;
}

}  // namespace

std::string Text::readable() const {
  Rewriting rewriting(text_);
  for (const Gone& gone : enabled_subgroups(tokens_)) {
    std::string_view begin = tokens_[gone.begin].text, last = tokens_[gone.last].text;
    // Blanks, so that columns stay where they are.
    const auto bytes = static_cast<std::size_t>(last.data() + last.size() - begin.data());
    const std::string_view part(begin.data(), bytes);
    const auto lines = static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n'));
    rewriting.replace(begin, last, std::string(lines == 0 ? bytes : 0, ' '));
  }
  return rewriting.finish() + added_functions();
}

std::string Text::added_functions() const {
  return elects_ ? fmt::format("\nfn {}() -> bool {{ return false; }}\n", kElect) : std::string();
}

std::string Text::prepared(const Values& values) const {
  for (const auto& [name, value] : values) {
    std::vector<std::string> names;
    bool is_known = false;
    for (const Override& one : overrides_) {
      names.push_back(one.name);
      is_known = is_known || one.name == name || (!one.id.empty() && one.id == name);
    }
    if (!is_known) {
      throw Error({file_, 0, 0},
                  fmt::format("there is no override '{}'{}", name, did_you_mean(name, names)));
    }
  }
  struct Change {
    std::size_t token;
    std::size_t last;  // that it replaces; less than `token`: none
    std::string text;
  };
  std::vector<Change> changes;
  for (const Gone& gone : enabled_subgroups(tokens_)) {
    changes.push_back({gone.begin, gone.last, " "});
  }
  for (const Override& one : overrides_) {
    changes.push_back({one.begin, one.end - 1, constant(one, values)});
  }
  for (const Insertion& one : statement_marks(tokens_, mark_)) {
    changes.push_back({one.before, 0, one.text});
  }
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.token < b.token; });
  Rewriting rewriting(text_);
  for (const Change& change : changes) {
    const std::string_view at = tokens_[change.token].text;
    if (change.last >= change.token && change.last > 0) {
      rewriting.replace(at, tokens_[change.last].text, change.text);
    } else {
      rewriting.insert(at, change.text);
    }
  }
  return rewriting.finish() + added_functions() + fmt::format("\nfn {}(line: u32) {{}}\n", mark_);
}

}  // namespace headway::kernel::naga
