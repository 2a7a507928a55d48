#include "lang/expectation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/topology.hpp"

namespace headway::lang {
namespace {

// More than any model accepts; models know their own limits.
constexpr int kMaxParameterValue = 1'000'000;

// What follows the parenthesis of "OBE-k(k = 3)", as models write it in their names: "(k=3)".
std::string parameters(Scanner& scanner) {
  std::string text;
  do {
    const Token name = scanner.next();
    if (!name.is_identifier()) {
      scanner.fail(name, fmt::format("expected the name of a parameter, found {}", shown(name)));
    }
    scanner.expect("=");
    const std::string sign = scanner.accept("-") ? "-" : "";
    const int value = scanner.integer("parameter value", 0, kMaxParameterValue);
    text += fmt::format("{}{}={}{}", text.empty() ? "(" : ",", name.text, sign, value);
  } while (scanner.accept(","));
  scanner.expect(")");
  return text + ")";
}

// "workgroup=OBE,thread=unfair"
bool is_for_levels(std::string_view model) {
  return std::any_of(kLevels.begin(), kLevels.end(), [&](Level level) {
    return model.starts_with(std::string(to_string(level)) + "=");
  });
}

void parse_expectation(Scanner& scanner, bool passes, std::vector<Expectation>& expectations) {
  const Token found = scanner.peek();
  // Models have plain names, but for those that say one for each level.
  if (found.kind == Token::Kind::text && !is_for_levels(found.text)) {
    scanner.fail(found, fmt::format("expected the name of a model, found {}", shown(found)));
  }
  const Token name = scanner.name("the name of a model", kNameCharacters);
  if (expectations.size() == kMaxExpectations) {
    scanner.fail(name, fmt::format("more than {} expectations", kMaxExpectations));
  }
  Expectation expectation;
  if (name.is("workgroup") || name.is("subgroup") || name.is("thread")) {
    if (scanner.peek().is("=")) {
      scanner.fail(name, fmt::format("a model for each level stands in quotes here: "
                                     "'\"{}=OBE\"'",
                                     name.text));
    }
  }
  expectation.model = name.text;
  if (scanner.accept("(")) expectation.model += parameters(scanner);
  if (scanner.accept(":")) {
    const Token fairness = scanner.next();
    if (!fairness.is("weak") && !fairness.is("strong")) {
      scanner.fail(fairness, fmt::format("expected weak or strong, found {}", shown(fairness)));
    }
    expectation.fairness = fairness.is("weak") ? Fairness::weak : Fairness::strong;
  }
  expectation.passes = passes;
  for (const Expectation& other : expectations) {
    if (!overlap(other, expectation)) continue;
    scanner.fail(name, fmt::format("a second expectation for model {}; expected one a model "
                                   "and fairness",
                                   shown(name)));
  }
  expectation.where = scanner.position(name);
  expectation.source_line = scanner.line(name);
  expectations.push_back(std::move(expectation));
}

}  // namespace

std::string to_string(const Expectation& expectation) {
  const std::string model =
      is_for_levels(expectation.model) ? "\"" + expectation.model + "\"" : expectation.model;
  return expectation.fairness ? model + ":" + to_string(*expectation.fairness) : model;
}

bool overlap(const Expectation& a, const Expectation& b) {
  return a.model == b.model && (!a.fairness || !b.fairness || *a.fairness == *b.fairness);
}

void parse_expectations(Scanner& scanner, std::vector<Expectation>& expectations, bool* error) {
  const Token open = scanner.expect("{");
  while (!scanner.accept("}")) {
    const Token verdict = scanner.next();
    if (verdict.kind == Token::Kind::end) {
      scanner.fail(open, "the expect block does not end; expected '}'");
    }
    if (error != nullptr && verdict.is("error")) {
      *error = true;
      scanner.expect(";");
      continue;
    }
    if (!verdict.is("pass") && !verdict.is("fail")) {
      scanner.fail(verdict, fmt::format("expected 'pass MODEL, ...;' or 'fail MODEL:weak, ...;'{} "
                                        "or '}}', found {}",
                                        error != nullptr ? " or 'error;'" : "", shown(verdict)));
    }
    do {
      parse_expectation(scanner, verdict.is("pass"), expectations);
    } while (scanner.accept(","));
    scanner.expect(";");
  }
}

}  // namespace headway::lang
