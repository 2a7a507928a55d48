#include "lang/idiom/source.hpp"

#include <fmt/format.h>

#include "lang/idiom/parser.hpp"
#include "lang/idiom/program.hpp"

namespace headway::lang::idiom {
namespace {

class Idioms final : public Language {
 public:
  std::string_view name() const override { return "idiom"; }
  bool begins(const Token& first) const override { return begins_program(first); }

  std::vector<Test> parse(Scanner& scanner, std::string_view text, const std::string& file,
                          const std::optional<Sizes>& sizes) const override {
    const Syntax syntax = idiom::parse(scanner, text, file);
    Sizes wanted;
    if (!syntax.threads) {
      wanted.fewest = wanted.most = thread_count(syntax);
    } else {
      wanted = sizes.value_or(Sizes{syntax.threads->first, syntax.threads->second});
    }
    std::vector<Test> tests;
    for (int threads = wanted.fewest; threads <= wanted.most; ++threads) {
      Test& test = tests.emplace_back();
      test.name = syntax.name;
      if (!test.name.empty() && syntax.threads) test.name += fmt::format("-{}", threads);
      test.comment = syntax.comment;
      test.source = std::make_shared<const IdiomSource>(compile(syntax, threads));
      Expected expected = idiom::expected(syntax, threads);
      test.expectations = std::move(expected.expectations);
      test.expects_error = expected.error;
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

std::unique_ptr<Program> IdiomSource::make_program() const {
  return std::make_unique<IdiomProgram>(code_);
}

std::shared_ptr<const Code> find_code(const Test& test) {
  const auto* source = dynamic_cast<const IdiomSource*>(test.source.get());
  return source != nullptr ? source->code() : nullptr;
}

}  // namespace headway::lang::idiom
