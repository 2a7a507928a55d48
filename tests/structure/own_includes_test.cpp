// Sources are compiled together, so that no compiler says where one needs an #include of its
// neighbours; the preset `debug` does, and scripts/lint alone, both in minutes. This does in a
// second, as far as names tell: a file that uses what a header of ours declares in a namespace
// includes it, or includes a file of ours that does. Names that are declared anywhere else in what
// a file sees, as of members and arguments, are let pass.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file.hpp"
#include "support/files.hpp"
#include "support/sources.hpp"

namespace fs = std::filesystem;
using headway::testing::code_of;
using headway::testing::is_word;
using headway::testing::source_dir;

namespace {

struct Token {
  std::string text;  // a name or number, "::", "->", or one other character
  bool glued;        // to what stands before it

  bool is_name() const { return is_word(text[0]) && text[0] > '9'; }
  bool is(std::string_view one) const { return text == one; }
};

// Of code without comments and quotes; directives are none.
std::vector<Token> tokens_of(const std::string& code) {
  std::vector<Token> result;
  bool glued = false;
  for (std::size_t i = 0; i < code.size();) {
    const char c = code[i];
    const std::string_view rest = std::string_view(code).substr(i);
    const bool is_token = c != '#' && std::isspace(static_cast<unsigned char>(c)) == 0;
    std::size_t length = 1;
    if (c == '#') {
      length = std::min(rest.find('\n'), rest.size());
      while (length < rest.size() && rest[length - 1] == '\\') {
        length = std::min(rest.find('\n', length + 1), rest.size());
      }
    } else if (rest.starts_with("::") || rest.starts_with("->")) {
      length = 2;
    } else if (is_word(c)) {
      while (length < rest.size() && (is_word(rest[length]) || rest[length] == '\'')) ++length;
    }
    if (is_token) result.push_back({std::string(rest.substr(0, length)), glued});
    glued = is_token;
    i += length;
  }
  return result;
}

struct Scanned {
  std::set<std::string> includes;  // of ours
  std::vector<Token> tokens;
  std::vector<std::string> spaces;                   // of each token, its namespace
  std::map<std::string, std::set<std::string>> top;  // by name, in which namespaces it is declared
  std::set<std::string> forward;                     // types that are declared and not defined
  std::set<std::string> inner;                       // what is declared within something else
  std::map<std::string, std::string> aliases;        // of namespaces
};

const std::set<std::string> kKinds = {"class", "struct", "union", "enum", "concept", "using"};

bool is_constant(const std::string& name) {
  return name.size() > 1 && name[0] == 'k' &&
         std::isupper(static_cast<unsigned char>(name[1])) != 0;
}

// Whether the name at `i` is declared there, as in "Type name;" and "Type& name(".
bool declares(const std::vector<Token>& tokens, std::size_t i) {
  static const std::set<std::string> no_types = {"return", "else",   "throw", "case",
                                                 "new",    "delete", "goto",  "co_return"};
  if (i == 0 || i + 1 >= tokens.size() || tokens[i].glued) return false;
  const Token& before = tokens[i - 1];
  const bool is_type = before.is_name() ? !no_types.contains(before.text)
                                        : before.glued && (before.is(">") || before.is("&") ||
                                                           before.is("*") || before.is("]"));
  static const std::string_view behind = "=;,(){:[";
  return is_type && tokens[i + 1].text.size() == 1 &&
         behind.find(tokens[i + 1].text[0]) != std::string_view::npos;
}

// What a statement outside of functions and types declares: its tokens from `first` to before
// `last`, which is a semicolon or a brace.
void read_declaration(Scanned& file, const std::string& space, std::size_t first,
                      std::size_t last) {
  const std::vector<Token>& tokens = file.tokens;
  int angles = 0;
  for (std::size_t i = first; i < last; ++i) {
    const Token& token = tokens[i];
    if (token.is("<")) ++angles;
    if (token.is(">")) --angles;
    if (angles > 0) continue;
    if (kKinds.contains(token.text)) {
      std::size_t name = i + 1;
      while (name < last && (tokens[name].is("class") || tokens[name].is("struct") ||
                             !tokens[name].is_name() || tokens[name].is("nodiscard"))) {
        ++name;
      }
      if (name >= last) return;
      const bool is_forward = tokens[last].is(";") && !token.is("using");
      if (is_forward) {
        file.forward.insert(tokens[name].text);
      } else if (!token.is("using") || (name + 1 < last && tokens[name + 1].is("="))) {
        file.top[tokens[name].text].insert(space);
      }
      return;
    }
    if (token.is("operator") || token.is("friend") || token.is("static_assert")) return;
    if (is_constant(token.text)) {
      file.top[token.text].insert(space);
      return;
    }
    if (token.is("(")) {
      const bool is_member =
          i >= first + 2 && tokens[i - 2].is("::");  // of a type, which is defined
      if (i > first + 1 && tokens[i - 1].is_name() && !is_member) {
        file.top[tokens[i - 1].text].insert(space);
      }
      return;
    }
    if (token.is("=")) return;
  }
}

Scanned scan(const fs::path& path) {
  Scanned file;
  const std::string text = headway::read_file(path);
  for (const auto& include : headway::testing::includes_of(text)) {
    if (include.quoted) file.includes.insert(include.path);
  }
  file.tokens = tokens_of(code_of(text));
  const std::vector<Token>& tokens = file.tokens;
  std::vector<std::string> open = {""};  // namespaces, each with those around it
  std::size_t braces = 0;                // of others, within them
  std::size_t begin = 0;                 // of a statement
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    file.spaces.push_back(open.back());
    const Token& token = tokens[i];
    const bool at_top = braces == 0;
    if (token.is("{") && at_top && tokens[begin].is("namespace")) {
      std::string name = open.back();
      if (!name.empty() && begin + 1 < i) name += "::";
      for (std::size_t k = begin + 1; k < i; ++k) name += tokens[k].text;
      open.push_back(name);
      begin = i + 1;
    } else if (token.is("{")) {
      if (at_top) read_declaration(file, open.back(), begin, i);
      ++braces;
    } else if (token.is("}")) {
      if (at_top) {
        open.pop_back();
      } else {
        --braces;
      }
      if (braces == 0) begin = i + 1;
    } else if (token.is(";") && at_top) {
      if (i > begin && tokens[begin].is("namespace")) {
        std::string whole;
        for (std::size_t k = begin + 3; k < i; ++k) whole += tokens[k].text;
        file.aliases[tokens[begin + 1].text] = whole;
      } else {
        read_declaration(file, open.back(), begin, i);
      }
      begin = i + 1;
    } else if (token.is_name()) {
      const bool is_kind = i > 0 && kKinds.contains(tokens[i - 1].text);
      // Of a template: "template <class Name>"; and "using other::Name;".
      const bool is_parameter =
          is_kind && i > 1 && (tokens[i - 2].is("<") || tokens[i - 2].is(","));
      const bool is_taken = i + 1 < tokens.size() && tokens[i + 1].is(";") && i > 0 &&
                            tokens[i - 1].is("::") && tokens[begin].is("using");
      if ((!at_top && is_kind) || is_parameter || is_taken ||
          (declares(tokens, i) && (!at_top || begin + 1 < i))) {
        file.inner.insert(token.text);
      }
    }
  }
  return file;
}

using Scans = std::map<std::string, Scanned>;

const Scans& scans() {
  static const Scans all = [] {
    Scans result;
    for (const auto& entry : fs::recursive_directory_iterator(source_dir() / "src")) {
      const std::string ending = entry.path().extension();
      if (ending != ".hpp" && ending != ".cpp") continue;
      result.emplace(entry.path().lexically_relative(source_dir() / "src").string(),
                     scan(entry.path()));
    }
    return result;
  }();
  return all;
}

// By name and namespace, the headers that declare it.
using Owners = std::map<std::string, std::map<std::string, std::set<std::string>>>;

Owners owners_in(const Scans& all) {
  Owners owners;
  for (const auto& [name, file] : all) {
    if (!name.ends_with(".hpp")) continue;
    for (const auto& [declared, spaces] : file.top) {
      for (const std::string& space : spaces) owners[declared][space].insert(name);
    }
  }
  return owners;
}

// The files that `name` includes, over whatever way, and itself.
std::set<std::string> seen_by(const std::string& name, const Scans& all) {
  std::set<std::string> seen = {name};
  std::vector<std::string> open = {name};
  while (!open.empty()) {
    const std::string next = open.back();
    open.pop_back();
    const auto found = all.find(next);
    if (found == all.end()) continue;
    for (const std::string& include : found->second.includes) {
      if (seen.insert(include).second) open.push_back(include);
    }
  }
  return seen;
}

bool is_within(const std::string& space, const std::string& outer) {
  return outer.empty() || space == outer || space.starts_with(outer + "::");
}

// What `name` uses of headers that it does not see, as "kernel/a.cpp: Type (kernel/b.hpp)".
std::set<std::string> missing_in(const std::string& name, const Scans& all, const Owners& owners) {
  const Scanned& file = all.at(name);
  const std::set<std::string> seen = seen_by(name, all);
  std::set<std::string> missing;
  for (std::size_t i = 0; i < file.tokens.size(); ++i) {
    const std::string& used = file.tokens[i].text;
    const auto owned = owners.find(used);
    if (owned == owners.end()) continue;
    std::string qualifier;
    std::size_t first = i;
    while (first >= 2 && file.tokens[first - 1].is("::") && file.tokens[first - 2].is_name()) {
      first -= 2;
      std::string part = file.tokens[first].text;
      if (const auto alias = file.aliases.find(part); alias != file.aliases.end()) {
        part = alias->second;
      }
      qualifier = part + (qualifier.empty() ? "" : "::") + qualifier;
    }
    if (first > 0 && (file.tokens[first - 1].is(".") || file.tokens[first - 1].is("->") ||
                      file.tokens[first - 1].is("::"))) {
      continue;
    }
    const bool is_called =
        i + 1 < file.tokens.size() && (file.tokens[i + 1].is("(") || file.tokens[i + 1].is("{"));
    const bool is_type = std::isupper(static_cast<unsigned char>(used[0])) != 0;
    if (!is_called && !is_type && !is_constant(used)) continue;
    std::set<std::string> headers;
    for (const auto& [space, declaring] : owned->second) {
      const bool reached = qualifier.empty()
                               ? is_within(file.spaces[i], space)
                               : space == qualifier || space.ends_with("::" + qualifier);
      if (reached) headers.insert(declaring.begin(), declaring.end());
    }
    const auto is_seen = [&](const std::string& header) { return seen.contains(header); };
    if (headers.empty() || std::any_of(headers.begin(), headers.end(), is_seen)) continue;
    const bool is_other = std::any_of(seen.begin(), seen.end(), [&](const std::string& one) {
      const auto other = all.find(one);
      if (other == all.end()) return false;
      // A function of another namespace may be meant, which its arguments lead to.
      if (other->second.top.contains(used)) return !is_type && qualifier.empty();
      return other->second.inner.contains(used) || other->second.forward.contains(used);
    });
    if (!is_other && !file.top.contains(used) && !file.inner.contains(used)) {
      missing.insert(name + ": " + used + " (" + *headers.begin() + ")");
    }
  }
  return missing;
}

}  // namespace

TEST_CASE("structure/own_includes: what a file uses of ours it includes") {
  const Owners owners = owners_in(scans());
  CHECK(owners.size() > 1000);
  for (const auto& entry : scans()) {
    for (const std::string& missing : missing_in(entry.first, scans(), owners)) {
      FAIL_CHECK(missing);
    }
  }
}

// Which of the #includes of ours the rule above would miss if they were not there.
TEST_CASE("structure/own_includes: most of what is taken away is missed") {
  Scans all = scans();
  const Owners owners = owners_in(all);
  std::size_t missed = 0, taken = 0, turn = 0;
  for (const auto& [name, file] : scans()) {
    for (const std::string& include : file.includes) {
      if (++turn % 16 != 0) continue;  // of some 3,000
      ++taken;
      all[name].includes.erase(include);
      if (!missing_in(name, all, owners).empty()) ++missed;
      all[name].includes.insert(include);
    }
  }
  MESSAGE(missed, " of ", taken);
  // The others come by other ways, too, or are missed by a compiler alone.
  CHECK(missed * 10 >= taken * 7);
}
