#include "consistency/litmus/frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>

#include "base/text/suggestion.hpp"
#include "consistency/litmus/parse.hpp"

namespace headway::consistency::litmus {
namespace {

constexpr int kMostThreads = 16;
constexpr int kMostNestedPropositions = 200;

Proposition combine(Proposition::Kind kind, Proposition a, Proposition b) {
  Proposition result;
  result.kind = kind;
  result.operands = {std::move(a), std::move(b)};
  return result;
}

Proposition negate(Proposition a) {
  Proposition result;
  result.kind = Proposition::Kind::negation;
  result.operands = {std::move(a)};
  return result;
}

}  // namespace

int Builder::location(const std::string& name) {
  auto& locations = program_.locations;
  const auto known = std::find_if(locations.begin(), locations.end(),
                                  [&](const auto& location) { return location.name == name; });
  if (known != locations.end()) return static_cast<int>(known - locations.begin());
  locations.push_back({name});
  return static_cast<int>(locations.size()) - 1;
}

Address Builder::address(const std::string& name) {
  const auto known = aliases_.find(name);
  return known == aliases_.end() ? Address{location(name)} : known->second;
}

void Builder::name_choices(std::size_t begin, int line, const std::string& instruction) {
  for (Choice& choice : choices_) {
    if (!choice.instruction.empty() || choice.edits.front().begin < begin) continue;
    choice.instruction = instruction;
    choice.line = line;
  }
}

// "y aliases x", "s @ surface aliases x": one more name of a location. By the name of a proxy it is
// the same address, come to in another way; otherwise an address of its own.
void Builder::alias(Cursor& cursor, const std::string& name, std::size_t offset) {
  std::string proxy;
  if (cursor.take("@")) {
    const std::vector<std::string> proxies = {"generic", "surface", "texture", "constant"};
    const std::size_t at = cursor.offset();
    proxy = cursor.word("a proxy");
    if (std::find(proxies.begin(), proxies.end(), proxy) == proxies.end()) {
      cursor.fail_at(at, fmt::format("expected a proxy, {}, found '{}'{}", fmt::join(proxies, ", "),
                                     proxy, did_you_mean(proxy, proxies)));
    }
  }
  if (!cursor.take_word("aliases")) cursor.expected("'aliases'");
  const std::size_t at = cursor.offset();
  const std::string of = cursor.word("the name of a location", kInNames);
  if (!is_location(of)) cursor.fail_at(at, fmt::format("there is no location '{}'", of));
  if (is_location(name)) cursor.fail_at(offset, fmt::format("'{}' stands twice", name));
  Address address = this->address(of);
  address.proxy = proxy;
  if (proxy.empty() || proxy == "generic") address.alias = static_cast<int>(aliases_.size());
  aliases_.emplace(name, address);
}

bool Builder::is_location(const std::string& name) const {
  const auto& locations = program_.locations;
  return aliases_.contains(name) ||
         std::any_of(locations.begin(), locations.end(),
                     [&](const auto& location) { return location.name == name; });
}

int Builder::thread_number(std::string_view name) {
  if (!name.empty() && name.front() == 'P') name.remove_prefix(1);
  int number = -1;
  const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
  return read.ec == std::errc() && read.ptr == name.data() + name.size() ? number : -1;
}

int Builder::find_register(int thread, const std::string& name) const {
  const auto& registers = program_.threads[static_cast<std::size_t>(thread)].registers;
  const auto known = std::find(registers.begin(), registers.end(), name);
  return known == registers.end() ? -1 : static_cast<int>(known - registers.begin());
}

int Builder::register_of(int thread, const std::string& name) {
  const int known = find_register(thread, name);
  if (known >= 0) return known;
  Thread& of = program_.threads[static_cast<std::size_t>(thread)];
  of.registers.push_back(name);
  of.initial.push_back(0);
  return static_cast<int>(of.registers.size()) - 1;
}

void Builder::initial_state(Cursor& cursor) {
  cursor.require("{");
  while (!cursor.take("}")) {
    if (cursor.take(";")) continue;
    const std::size_t offset = cursor.offset();
    if (cursor.take("[")) {
      const std::string name = cursor.word("the name of a location", kInNames);
      cursor.require("]");
      cursor.require("=");
      program_.locations[static_cast<std::size_t>(location(name))].initial =
          cursor.number("a number");
      continue;
    }
    if (const auto number = cursor.take_number()) {
      cursor.require(":");
      const std::string name = cursor.word("the name of a register", kInNames);
      cursor.require("=");
      initial_.push_back({offset, static_cast<int>(*number), name, cursor.number("a number")});
      continue;
    }
    std::string name = cursor.word("a location or a register of a thread", kInNames);
    if (cursor.take(":")) {
      const int thread = thread_number(name);
      if (thread < 0) cursor.fail_at(offset, fmt::format("expected a thread, found '{}'", name));
      const std::string of = cursor.word("the name of a register", kInNames);
      cursor.require("=");
      initial_.push_back({offset, thread, of, cursor.number("a number")});
      continue;
    }
    // "atomic_int x = 0", "int x = 0": what accesses are is said where they are made.
    while (!cursor.peek_word(kInNames).empty() && cursor.peek_word() != "aliases") {
      name = cursor.word("the name of a location", kInNames);
    }
    if (cursor.is("@") || cursor.peek_word() == "aliases") {
      alias(cursor, name, offset);
      continue;
    }
    auto& of = program_.locations[static_cast<std::size_t>(location(name))];
    if (cursor.take("=")) {
      of.initial = cursor.number("a number");
    } else if (!cursor.is(";") && !cursor.is("}")) {
      cursor.expected("'=', ';' or '}' (aliases, arrays and pointers are not read here)");
    }
  }
}

void Builder::finish(Cursor& cursor) {
  if (program_.threads.size() > kMostThreads) {
    cursor.fail(fmt::format("expected at most {} threads, found {}", kMostThreads,
                            program_.threads.size()));
  }
  for (const InitialRegister& of : initial_) {
    if (of.thread < 0 || of.thread >= static_cast<int>(program_.threads.size())) {
      cursor.fail_at(of.offset, fmt::format("there is no thread {}", of.thread));
    }
    const int number = register_of(of.thread, of.name);
    program_.threads[static_cast<std::size_t>(of.thread)]
        .initial[static_cast<std::size_t>(number)] = of.value;
  }
}

void Builder::conditions(Cursor& cursor) {
  for (;;) {
    if (cursor.take_word("filter")) {
      program_.filter = proposition(cursor);
    } else if (cursor.take_word("locations")) {
      cursor.require("[");
      while (!cursor.take("]")) {
        if (cursor.at_end()) cursor.expected("']'");
        if (!cursor.take(";") && !cursor.take(":") && !cursor.take("*") && !cursor.take_number()) {
          cursor.word("the name of a location", kInNames);
        }
      }
    } else {
      break;
    }
  }
  const std::size_t begin = cursor.offset();
  if (cursor.at_end()) return;  // then every final state is asked about
  if (cursor.take("~") || cursor.take_word("not")) {
    if (!cursor.take_word("exists")) cursor.expected("'exists'");
    program_.quantifier = Program::Quantifier::never;
  } else if (cursor.take_word("forall")) {
    program_.quantifier = Program::Quantifier::forall;
  } else if (!cursor.take_word("exists")) {
    cursor.expected("exists, ~exists, forall, filter or locations");
  }
  program_.condition = proposition(cursor);
  const std::size_t end = cursor.offset();
  cursor.take(";");
  if (!cursor.at_end()) cursor.expected("'/\\', '\\/' or the end of the file");
  std::string text(cursor.between(begin, end));
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  std::replace(text.begin(), text.end(), '\n', ' ');
  program_.condition_text = text;
}

Proposition Builder::proposition(Cursor& cursor) {
  if (++depth_ > kMostNestedPropositions) cursor.fail("this condition is nested too deeply");
  Proposition result = conjunction(cursor);
  for (;;) {
    if (cursor.take("\\/") || cursor.take("||")) {
      result = combine(Proposition::Kind::either, std::move(result), conjunction(cursor));
    } else if (cursor.take("=>")) {
      result = combine(Proposition::Kind::either, negate(std::move(result)), proposition(cursor));
    } else {
      --depth_;
      return result;
    }
  }
}

Proposition Builder::conjunction(Cursor& cursor) {
  Proposition result = literal(cursor);
  while (cursor.take("/\\") || cursor.take("&&")) {
    result = combine(Proposition::Kind::both, std::move(result), literal(cursor));
  }
  return result;
}

Proposition Builder::literal(Cursor& cursor) {
  if (cursor.take("~") || cursor.take_word("not") || (!cursor.is("!=") && cursor.take("!"))) {
    if (++depth_ > kMostNestedPropositions) cursor.fail("this condition is nested too deeply");
    Proposition result = negate(literal(cursor));
    --depth_;
    return result;
  }
  if (cursor.take("(")) {
    Proposition result = proposition(cursor);
    cursor.require(")");
    return result;
  }
  if (cursor.take_word("true")) return {};
  if (cursor.take_word("false")) return negate({});
  const Operand left = operand(cursor);
  const bool differs = cursor.take("!=") || cursor.take("<>");
  if (!differs && !cursor.take("==")) cursor.require("=");
  const Operand right = operand(cursor);
  if (left.is_number && right.is_number) {
    const bool holds = (left.number == right.number) != differs;
    return holds ? Proposition{} : negate({});
  }
  if (left.is_number == right.is_number) {
    cursor.fail("expected a number on one side; two of a state are not compared here");
  }
  Proposition result = left.is_number ? right.compares : left.compares;
  result.value = left.is_number ? left.number : right.number;
  result.differs = differs;
  return result;
}

Builder::Operand Builder::operand(Cursor& cursor) {
  Operand result;
  const std::size_t offset = cursor.offset();
  const auto of_thread = [&](int thread) {
    if (thread < 0 || thread >= static_cast<int>(program_.threads.size())) {
      cursor.fail_at(offset, "there is no such thread");
    }
    const std::string name = cursor.word("the name of a register", kInNames);
    result.compares.kind = Proposition::Kind::compares_register;
    result.compares.thread = thread;
    result.compares.which = find_register(thread, name);
    if (result.compares.which < 0) {
      cursor.fail_at(offset, fmt::format("thread {} has no register '{}'", thread, name));
    }
    return result;
  };
  if (const auto number = cursor.take_number()) {
    if (cursor.take(":")) return of_thread(static_cast<int>(*number));
    result.is_number = true;
    result.number = *number;
    return result;
  }
  const bool in_brackets = cursor.take("[");
  cursor.take("*");
  const std::string name = cursor.word("a register of a thread, a location or a number", kInNames);
  if (in_brackets) cursor.require("]");
  if (cursor.take(":")) return of_thread(thread_number(name));
  if (!is_location(name)) {
    cursor.fail_at(offset, fmt::format("there is no location '{}'", name));
  }
  result.compares.kind = Proposition::Kind::compares_location;
  result.compares.which = address(name).location;
  return result;
}

namespace {

struct LitmusLanguage {
  std::string_view name;  // as files begin, with capitals or without
  void (*parse)(Cursor&, Builder&);
};
constexpr LitmusLanguage kLitmusLanguages[] = {
    {"C", parse_c}, {"PTX", parse_ptx}, {"VULKAN", parse_vulkan}, {"OPENCL", parse_c}};

const LitmusLanguage* language_of(std::string_view word) {
  const auto same = [&](const LitmusLanguage& language) {
    return std::equal(word.begin(), word.end(), language.name.begin(), language.name.end(),
                      [](unsigned char a, unsigned char b) { return std::toupper(a) == b; });
  };
  const auto* const found =
      std::find_if(std::begin(kLitmusLanguages), std::end(kLitmusLanguages), same);
  // "c" begins too much else.
  return found == std::end(kLitmusLanguages) || word == "c" ? nullptr : found;
}

std::string language_names() {
  std::vector<std::string_view> names;
  for (const LitmusLanguage& language : kLitmusLanguages) names.push_back(language.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

bool is_litmus(std::string_view text) {
  const std::string path;
  try {
    Cursor cursor(path, text);
    if (language_of(cursor.peek_word()) == nullptr) return false;
    cursor.word("a language");
    return !cursor.peek_word("+-.").empty() || !cursor.at_end();
  } catch (const Error&) {
    return false;
  }
}

Program parse(const std::string& path, const std::string& text, std::vector<Choice>* choices) {
  Program program;
  Cursor cursor(path, text);
  const std::string word = cursor.word("the language of a litmus test");
  const LitmusLanguage* const language = language_of(word);
  if (language == nullptr) {
    cursor.fail_at(
        0, fmt::format("expected one of the languages {}, found '{}'", language_names(), word));
  }
  program.language = language->name;
  program.name = cursor.rest_of_line();
  if (program.name.empty()) cursor.fail("expected the name of the test");
  // A comment in quotes, and what generators write of themselves: "Cycle=...".
  while (!cursor.is("{")) {
    if (cursor.at_end()) cursor.expected("'{', where the initial state begins");
    if (cursor.take("\"")) {
      const std::size_t begin = cursor.offset();
      const std::size_t end = text.find('"', begin);
      if (end == std::string::npos) cursor.fail_at(begin, "this text never ends; expected '\"'");
      program.comment = text.substr(begin, end - begin);
      cursor = Cursor(path, text, end + 1, text.size());
    } else if (!cursor.rest_of_line().empty()) {
      continue;
    }
  }
  Builder builder(program);
  builder.initial_state(cursor);
  language->parse(cursor, builder);
  builder.finish(cursor);
  builder.conditions(cursor);
  if (choices != nullptr) {
    *choices = std::move(builder.choices());
    std::stable_sort(choices->begin(), choices->end(), [](const Choice& a, const Choice& b) {
      return std::pair(a.thread, a.edits.front().begin) <
             std::pair(b.thread, b.edits.front().begin);
    });
    // In OpenCL only scopes that are the same take in each other, so that a wider one alone may be
    // worse.
    if (program.language == "OPENCL") make_one(*choices, "scope");
  }
  return program;
}

}  // namespace headway::consistency::litmus
