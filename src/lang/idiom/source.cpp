#include "lang/idiom/source.hpp"

#include <fmt/format.h>

#include "lang/idiom/lockstep.hpp"
#include "lang/idiom/parser.hpp"
#include "lang/idiom/program.hpp"
#include "lang/idiom/readings.hpp"
#include "lang/idiom/tangle_program.hpp"

namespace headway::lang::idiom {
namespace {

class Idioms final : public Language {
 public:
  std::string_view name() const override { return "idiom"; }
  bool begins(const Token& first) const override { return begins_program(first); }

  std::vector<Test> parse(Scanner& scanner, std::string_view text, const std::string& file,
                          const std::optional<Sizes>& sizes) const override {
    const auto parsed = std::make_shared<const Syntax>(idiom::parse(scanner, text, file));
    const Syntax& syntax = *parsed;
    std::vector<int> wanted = syntax.sizes;
    if (wanted.empty()) {
      wanted = {thread_count(syntax)};
    } else if (sizes) {
      wanted.assign(sizes->numbers().begin(), sizes->numbers().end());
    }
    std::vector<Test> tests;
    for (const int n : wanted) {
      Test& test = tests.emplace_back();
      test.name = syntax.name;
      if (!test.name.empty() && !syntax.sizes.empty()) test.name += fmt::format("-{}", n);
      test.comment = syntax.comment;
      test.source = std::make_shared<const IdiomSource>(compile(syntax, n), parsed);
      Expected expected = idiom::expected(syntax, n);
      test.expectations = std::move(expected.expectations);
      test.expects_error = expected.error;
      if (tests.size() == 1) test.warnings = syntax.warnings;
    }
    return tests;
  }
};

}  // namespace

const Language& language() {
  static const Idioms idioms;
  return idioms;
}

std::string_view IdiomSource::language() const { return idiom::language().name(); }

std::shared_ptr<const Source> IdiomSource::in_reading(SubgroupReading reading) const {
  auto syntax = std::make_shared<Syntax>(*syntax_);
  syntax->reading = reading;
  refuse_for_reading(*syntax);
  const ReadingRules& rules = rules_of(reading);
  // One stream of instructions serves a subgroup in all of them but where threads are independent.
  syntax->lockstep = rules.votes != Meets::anywhere;
  Code code = compile(*syntax, code_->n);
  if (rules.in_lockstep) return std::make_shared<const IdiomSource>(std::move(code), syntax);
  code.lockstep = false;
  // Without votes threads are independent as ever.
  if (rules.votes == Meets::anywhere && code.operations.empty()) code.reading.reset();
  return std::make_shared<const IdiomSource>(std::move(code), syntax);
}

Topology IdiomSource::launch() const {
  const bool as_one = code_->reading && rules_of(*code_->reading).as_one();
  return code_->lockstep || as_one ? of_subgroups(code_->topology) : code_->topology;
}

std::unique_ptr<Program> IdiomSource::make_program() const {
  if (code_->lockstep) return std::make_unique<LockstepProgram>(code_);
  if (code_->reading) return std::make_unique<TangleProgram>(code_);
  return std::make_unique<IdiomProgram>(code_);
}

std::shared_ptr<const Code> find_code(const Test& test) {
  const auto* source = dynamic_cast<const IdiomSource*>(test.source.get());
  return source != nullptr ? source->code() : nullptr;
}

}  // namespace headway::lang::idiom
