#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "consistency/cat/syntax.hpp"

namespace headway::consistency::cat {

void refuse(const Syntax& syntax, const Place& place, const std::string& message) {
  const Syntax::File& file = syntax.files[static_cast<std::size_t>(place.file)];
  throw error_at(file.path, file.text, place.offset, message);
}

namespace {

using Kind = Expression::Kind;

constexpr int kMostNested = 500;   // expressions
constexpr int kMostIncluded = 50;  // files

// What every execution has anyway; such files of herd's define nothing else.
constexpr std::array kKnownIncludes = {"cos.cat",      "stdlib.cat",  "fences.cat",
                                       "basic.cat",    "c11_cos.cat", "c11_los.cat",
                                       "c11_base.cat", "filters.cat", "cross.cat"};

struct CatToken {
  enum class Kind { end, name, text, symbol };
  Kind kind = Kind::end;
  std::string text;
  std::size_t offset = 0;
};

class CatParser {
 public:
  CatParser(Syntax& syntax, const Include& include, std::set<std::string>& included)
      : syntax_(syntax),
        include_(include),
        included_(included),
        file_(static_cast<int>(syntax.files.size()) - 1) {
    advance();
  }

  void model(bool is_included) {
    // A model may begin with what it is for and its title.
    if (token_.kind == CatToken::Kind::name && !begins_statement()) advance();
    if (token_.kind == CatToken::Kind::text) {
      if (!is_included) syntax_.title = token_.text;
      advance();
    }
    while (token_.kind != CatToken::Kind::end) statement();
  }

 private:
  const std::string& text() const { return syntax_.files[static_cast<std::size_t>(file_)].text; }
  Place here() const { return {file_, token_.offset}; }
  [[noreturn]] void expected(const std::string& what) const {
    refuse(syntax_, here(),
           fmt::format("expected {}, found {}", what,
                       token_.kind == CatToken::Kind::end ? "the end of the file"
                                                          : "'" + token_.text + "'"));
  }

  // Blanks, and comments: (* ... *), which nest, and // to the end of the line.
  void skip_blanks() {
    const std::string& s = text();
    for (;;) {
      while (at_ < s.size() && std::isspace(static_cast<unsigned char>(s[at_])) != 0) ++at_;
      if (s.compare(at_, 2, "//") == 0) {
        at_ = std::min(s.find('\n', at_), s.size());
      } else if (s.compare(at_, 2, "(*") == 0) {
        skip_comment();
      } else {
        return;
      }
    }
  }

  void skip_comment() {
    const std::string& s = text();
    const std::size_t begin = at_;
    int depth = 0;
    do {
      if (at_ >= s.size())
        refuse(syntax_, {file_, begin}, "this comment never ends; expected '*)'");
      if (s.compare(at_, 2, "(*") == 0) {
        ++depth;
        at_ += 2;
      } else if (s.compare(at_, 2, "*)") == 0) {
        --depth;
        at_ += 2;
      } else {
        ++at_;
      }
    } while (depth > 0);
  }

  void advance() {
    const std::string& s = text();
    skip_blanks();
    token_ = {CatToken::Kind::end, "", at_};
    if (at_ == s.size()) return;
    const auto is_letter = [&](std::size_t i) {
      return i < s.size() && (std::isalpha(static_cast<unsigned char>(s[i])) != 0 || s[i] == '_');
    };
    const auto goes_on = [&](std::size_t i) {
      return is_letter(i) ||
             (i < s.size() && (std::isdigit(static_cast<unsigned char>(s[i])) != 0 || s[i] == '-' ||
                               s[i] == '.' || s[i] == '\''));
    };
    std::size_t end = at_ + 1;
    if (is_letter(at_)) {
      while (goes_on(end)) ++end;
      token_.kind = CatToken::Kind::name;
      if (end == at_ + 1 && s[at_] == '_') token_.kind = CatToken::Kind::symbol;
    } else if (s[at_] == '"') {
      end = s.find('"', at_ + 1);
      if (end == std::string::npos) {
        refuse(syntax_, {file_, at_}, "this text never ends; expected '\"'");
      }
      token_.kind = CatToken::Kind::text;
      token_.text = s.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
      return;
    } else {
      token_.kind = CatToken::Kind::symbol;
      for (const std::string_view longer : {"^-1", "^+", "^*", "^?", "++", "->", "||"}) {
        if (s.compare(at_, longer.size(), longer) == 0) {
          end = at_ + longer.size();
          break;
        }
      }
    }
    token_.text = s.substr(at_, end - at_);
    at_ = end;
  }

  bool is(std::string_view what) const {
    return token_.kind != CatToken::Kind::text && token_.text == what &&
           token_.kind != CatToken::Kind::end;
  }
  bool take(std::string_view what) {
    if (!is(what)) return false;
    advance();
    return true;
  }
  void require(std::string_view what) {
    if (!take(what)) expected(fmt::format("'{}'", what));
  }
  std::string name(const char* what) {
    if (token_.kind != CatToken::Kind::name) expected(what);
    std::string result = token_.text;
    advance();
    return result;
  }

  bool begins_statement() const {
    constexpr std::array words = {"let",    "acyclic", "irreflexive",  "empty",
                                  "flag",   "show",    "unshow",       "undefined_unless",
                                  "with",   "include", "call",         "procedure",
                                  "forall", "enum",    "instructions", "if"};
    return std::any_of(words.begin(), words.end(), [&](const char* word) { return is(word); });
  }

  void statement() {
    const Place place = here();
    if (take("include")) return include(place);
    if (take("let")) return definitions(place);
    if (take("show") || take("unshow")) return skip_names();
    if (take("with")) return generated(place);
    const bool flags = take("flag") || take("undefined_unless");
    const bool unless = flags && text().compare(place.offset, 4, "flag") != 0;
    const bool negated = take("~") != unless;
    Statement check;
    check.place = place;
    check.flags = flags;
    check.negated = negated;
    if (take("acyclic")) {
      check.kind = Statement::Kind::acyclic;
    } else if (take("irreflexive")) {
      check.kind = Statement::Kind::irreflexive;
    } else if (take("empty")) {
      check.kind = Statement::Kind::empty;
    } else {
      expected(
          "let, include, acyclic, irreflexive, empty, flag, undefined_unless, show or with (other "
          "statements of cat are not read here)");
    }
    check.checked = expression();
    if (take("as")) check.name = name("a name for this constraint");
    syntax_.statements.push_back(std::move(check));
  }

  void include(const Place& place) {
    if (token_.kind != CatToken::Kind::text) expected("the name of a file in quotes");
    const std::string path = token_.text;
    const bool known =
        std::find(kKnownIncludes.begin(), kKnownIncludes.end(), path) != kKnownIncludes.end();
    if (!known && included_.insert(path).second) {
      if (included_.size() > kMostIncluded) refuse(syntax_, place, "too many files are included");
      Syntax::File file;
      try {
        file = include_(path);
      } catch (const Error& error) {
        refuse(syntax_, place, error.what());
      }
      syntax_.files.push_back(std::move(file));
      CatParser(syntax_, include_, included_).model(true);
    }
    advance();
  }

  // "show e as name, e as name": how a picture would be drawn.
  void skip_names() {
    do {
      expression();
      if (take("as")) name("a name");
    } while (take(","));
  }

  // "with co from e": all coherence orders are tried anyway.
  void generated(const Place& place) {
    const std::string what = name("a name");
    if (what != "co") {
      refuse(syntax_, place,
             fmt::format("expected 'with co', found 'with {}'; other relations are "
                         "not generated here",
                         what));
    }
    require("from");
    expression();
  }

  void definitions(const Place& place) {
    Statement statement;
    statement.place = place;
    statement.kind = take("rec") ? Statement::Kind::define_recursively : Statement::Kind::define;
    do {
      statement.definitions.push_back(definition());
    } while (take("and"));
    syntax_.statements.push_back(std::move(statement));
  }

  Definition definition() {
    Definition result;
    result.place = here();
    result.name = name("the name of a definition");
    if (take("(")) {
      result.is_function = true;
      do {
        result.parameters.push_back(name("the name of a parameter"));
      } while (take(","));
      require(")");
    } else if (token_.kind == CatToken::Kind::name) {
      result.is_function = true;
      result.parameters.push_back(name("the name of a parameter"));
    }
    require("=");
    result.body = expression();
    return result;
  }

  Expression binary(Kind kind, const Place& place, Expression left, Expression right) const {
    Expression result{kind, place};
    result.operands.push_back(std::move(left));
    result.operands.push_back(std::move(right));
    return result;
  }
  Expression unary(Kind kind, const Place& place, Expression operand) const {
    Expression result{kind, place};
    result.operands.push_back(std::move(operand));
    return result;
  }

  // From what binds least: | then ; then \ then & then * then ~ and what stands behind.
  Expression expression() {
    if (++depth_ > kMostNested) refuse(syntax_, here(), "this is nested too deeply");
    Expression result = local_or_union();
    --depth_;
    return result;
  }

  Expression local_or_union() {
    const Place place = here();
    if (!take("let")) return chain(0);
    Definition definition = this->definition();
    if (definition.is_function)
      refuse(syntax_, definition.place,
             "expected a set or a relation; a "
             "function within an expression is not read here");
    require("in");
    Expression result = binary(Kind::local, place, std::move(definition.body), expression());
    result.name = std::move(definition.name);
    return result;
  }

  Expression chain(std::size_t level) {
    constexpr std::array<std::pair<std::string_view, Kind>, 5> operators = {{{"|", Kind::either},
                                                                             {";", Kind::sequence},
                                                                             {"\\", Kind::without},
                                                                             {"&", Kind::both},
                                                                             {"*", Kind::product}}};
    if (level == operators.size()) return complement();
    Expression left = chain(level + 1);
    for (;;) {
      const Place place = here();
      if (!take(operators[level].first)) return left;
      left = binary(operators[level].second, place, std::move(left), chain(level + 1));
    }
  }

  Expression complement() {
    const Place place = here();
    if (!take("~")) return postfix();
    if (++depth_ > kMostNested) refuse(syntax_, place, "this is nested too deeply");
    Expression result = unary(Kind::complement, place, complement());
    --depth_;
    return result;
  }

  Expression postfix() {
    Expression result = atom();
    for (;;) {
      const Place place = here();
      if (take("^-1")) {
        result = unary(Kind::inverse, place, std::move(result));
      } else if (take("^+") || take("+")) {
        result = unary(Kind::plus, place, std::move(result));
      } else if (take("^*") || (is("*") && !begins_operand() && take("*"))) {
        result = unary(Kind::star, place, std::move(result));
      } else if (take("^?") || take("?")) {
        result = unary(Kind::optional, place, std::move(result));
      } else {
        return result;
      }
    }
  }

  // Whether what comes behind the '*' here can be its right side; otherwise it is "again and
  // again".
  bool begins_operand() const {
    CatParser ahead = *this;
    ahead.advance();
    return ahead.begins_atom() || ahead.is("~");
  }
  bool begins_atom() const {
    if (token_.kind == CatToken::Kind::name) {
      return !begins_statement() && !is("as") && !is("and") && !is("in");
    }
    return is("(") || is("[") || is("{") || is("0") || is("_");
  }

  Expression atom() {
    const Place place = here();
    if (take("(")) {
      Expression result = expression();
      require(")");
      return result;
    }
    if (take("[")) {
      Expression result = unary(Kind::identity, place, expression());
      require("]");
      return result;
    }
    if (take("{")) {
      require("}");
      return {Kind::nothing, place};
    }
    if (take("0")) return {Kind::nothing, place};
    if (take("_")) return {Kind::everything, place};
    if (token_.kind != CatToken::Kind::name || !begins_atom()) {
      expected("a set of events or a relation");
    }
    Expression result{Kind::name, place};
    result.name = name("a name");
    if (is("(")) {
      advance();
      result.kind = Kind::call;
      do {
        result.operands.push_back(expression());
      } while (take(","));
      require(")");
    } else if (begins_atom()) {
      result.kind = Kind::call;
      result.operands.push_back(atom());
    }
    return result;
  }

  Syntax& syntax_;
  const Include& include_;
  std::set<std::string>& included_;
  int file_;
  std::size_t at_ = 0;
  CatToken token_;
  int depth_ = 0;
};

}  // namespace

Syntax parse(const std::string& path, const std::string& text, const Include& include) {
  Syntax syntax;
  syntax.files.push_back({path, text});
  std::set<std::string> included;
  CatParser(syntax, include, included).model(false);
  return syntax;
}

}  // namespace headway::consistency::cat
