#include "kernel/ptx/parser.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "kernel/ptx/body_parser.hpp"
#include "kernel/ptx/declarations.hpp"
#include "kernel/ptx/lexer.hpp"
#include "kernel/ptx/literal.hpp"

namespace headway::kernel::ptx {
namespace {

// Directives of a function that say nothing of what it does, each with numbers behind it or none.
constexpr std::string_view kHints[] = {".minnctapersm", ".maxnctapersm", ".maxnreg", ".noreturn"};
// Of blocks that are scheduled together, with numbers behind them or none.
constexpr std::string_view kClusters[] = {".reqnctapercluster", ".maxclusterrank",
                                          ".explicitcluster", ".blocksareclusters"};
constexpr std::string_view kLinkage[] = {".visible", ".extern", ".weak", ".common"};
constexpr std::uint64_t kMostThreads = 0xffffffff;

template <class Words>
bool is_one_of(const Words& words, std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

class ModuleParser {
 public:
  explicit ModuleParser(Lexer& lexer) : lexer_(lexer) {}

  ModuleText parse() {
    if (!lexer_.peek().is(".version")) {
      lexer_.fail(lexer_.peek(), fmt::format("a file of PTX begins with '.version'; found {}",
                                             lexer_.peek().shown()));
    }
    while (lexer_.peek().kind != Token::Kind::end) directive();
    return std::move(result_);
  }

 private:
  void directive() {
    const Token first = lexer_.next();
    if (first.is(".version")) {
      if (lexer_.next().kind != Token::Kind::number) lexer_.fail(first, "expected a version");
    } else if (first.is(".target")) {
      do {
        lexer_.next();
      } while (lexer_.accept(","));
    } else if (first.is(".address_size")) {
      take_integer(lexer_, "addresses of 64 bits:", 64, 64);
    } else if (first.is(".file")) {
      file();
    } else if (first.is(".section")) {
      section(first);
    } else if (first.is(".pragma")) {
      skip_pragma(lexer_);
    } else if (first.kind == Token::Kind::dotted) {
      declaration(first);
    } else {
      lexer_.fail(first, fmt::format("expected a directive, as '.entry', found {}", first.shown()));
    }
  }

  // .file 1 "a.cu", and in later versions a folder in front of it, a time and a size behind it.
  void file() {
    const auto number =
        static_cast<int>(take_integer(lexer_, "the number of a file", 0, 0x7fffffff));
    std::string name;
    if (lexer_.peek().kind != Token::Kind::quoted) {
      lexer_.fail(lexer_.peek(),
                  fmt::format("expected the name of a file, found {}", lexer_.peek().shown()));
    }
    while (lexer_.peek().kind == Token::Kind::quoted) {
      const std::string_view part = lexer_.next().text;
      if (part.starts_with('/')) name.clear();
      if (!name.empty()) name += '/';
      name += part;
    }
    while (lexer_.accept(",")) lexer_.next();
    result_.files[number] = std::move(name);
  }

  // What debuggers are told.
  void section(const Token& first) {
    lexer_.next();
    if (!lexer_.accept("{")) {
      lexer_.fail(lexer_.peek(),
                  fmt::format("expected '{{' of a section, found {}", lexer_.peek().shown()));
    }
    for (int depth = 1; depth > 0;) {
      const Token token = lexer_.next();
      if (token.kind == Token::Kind::end) {
        lexer_.fail(first, "the file ends within a section; expected '}'");
      }
      depth += token.is("{") ? 1 : token.is("}") ? -1 : 0;
    }
  }

  void declaration(Token word) {
    bool is_external = false;
    while (is_one_of(kLinkage, word.text)) {
      is_external = is_external || word.is(".extern");
      word = lexer_.next();
    }
    if (word.is(".entry") || word.is(".func")) return function(word);
    if (word.kind == Token::Kind::dotted && begins_variables(word.text) && !word.is(".param")) {
      for (Variable& one : parse_variables(lexer_, word, is_external)) {
        result_.variables.push_back(std::move(one));
      }
      return;
    }
    lexer_.fail(word, fmt::format("{} is not modelled; expected '.entry', '.func' or a variable",
                                  word.shown()));
  }

  void function(const Token& word) {
    FunctionText made;
    made.is_entry = word.is(".entry");
    made.line = word.line;
    std::vector<Variable> variables;
    if (!made.is_entry && lexer_.peek().is("(")) made.results = parameters(variables);
    while (is_one_of(kHints, lexer_.peek().text)) hint();
    const Token name = lexer_.next();
    if (name.kind != Token::Kind::word) {
      lexer_.fail(name, fmt::format("expected the name of a function, found {}", name.shown()));
    }
    made.name = std::string(name.text);
    if (lexer_.peek().is("(")) made.parameters = parameters(variables);
    while (lexer_.peek().kind == Token::Kind::dotted) attribute(made);
    if (lexer_.accept(";")) {
      made.body.variables = std::move(variables);
    } else if (lexer_.accept("{")) {
      made.has_body = true;
      made.body = BodyParser(lexer_, std::move(variables)).parse_function();
    } else {
      lexer_.fail(lexer_.peek(), fmt::format("expected '{{' or ';' of '{}', found {}", made.name,
                                             lexer_.peek().shown()));
    }
    result_.functions.push_back(std::move(made));
  }

  // How many there are.
  std::size_t parameters(std::vector<Variable>& into) {
    lexer_.next();
    if (lexer_.accept(")")) return 0;
    const std::size_t before = into.size();
    do {
      into.push_back(parse_parameter(lexer_));
    } while (lexer_.accept(","));
    if (!lexer_.accept(")")) {
      lexer_.fail(lexer_.peek(), fmt::format("expected ',' or ')' behind a parameter, found {}",
                                             lexer_.peek().shown()));
    }
    return into.size() - before;
  }

  void hint() {
    lexer_.next();
    if (lexer_.peek().kind == Token::Kind::number) lexer_.next();
  }

  void attribute(FunctionText& of) {
    const Token word = lexer_.peek();
    if (is_one_of(kHints, word.text)) return hint();
    lexer_.next();
    if (word.is(".pragma")) return skip_pragma(lexer_);
    if (is_one_of(kClusters, word.text)) {
      of.refused = fmt::format("clusters of blocks: '{}'", word.text);
      while (lexer_.peek().kind == Token::Kind::number || lexer_.peek().is(",")) lexer_.next();
      return;
    }
    const bool is_fixed = word.is(".reqntid");
    if (!is_fixed && !word.is(".maxntid")) {
      lexer_.fail(word, fmt::format("the directive {} of a function is not modelled; expected "
                                    "'.reqntid', '.maxntid' or '{{'",
                                    word.shown()));
    }
    std::array<std::uint32_t, 3> size = {1, 1, 1};
    std::size_t given = 0;
    std::uint64_t threads = 1;
    do {
      if (given == size.size()) lexer_.fail(lexer_.peek(), "expected up to three sizes");
      size[given] =
          static_cast<std::uint32_t>(take_integer(lexer_, "a number of threads", 1, 65536));
      threads = std::min(threads * size[given++], kMostThreads);
    } while (lexer_.accept(","));
    if (is_fixed) {
      of.group_size = size;
    } else {
      of.most_threads = static_cast<std::uint32_t>(threads);
    }
  }

  Lexer& lexer_;
  ModuleText result_;
};

}  // namespace

Text parse(std::string_view text, const std::string& file, std::vector<Register> before) {
  Lexer lexer(text, file);
  return BodyParser(lexer, std::move(before)).parse_all();
}

ModuleText parse_module(std::string_view text, const std::string& file) {
  Lexer lexer(text, file);
  return ModuleParser(lexer).parse();
}

}  // namespace headway::kernel::ptx
