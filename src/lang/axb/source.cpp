#include "lang/axb/source.hpp"

#include <fmt/format.h>

#include "lang/axb/canonical.hpp"
#include "lang/axb/formats.hpp"
#include "lang/axb/lockstep.hpp"
#include "lang/axb/printer.hpp"
#include "lang/axb/program.hpp"

namespace headway::lang::axb {
namespace {

class Axb final : public Language {
 public:
  std::string_view name() const override { return "AXB"; }
  bool begins(const Token&) const override { return true; }
  std::vector<Test> parse(Scanner& scanner, std::string_view, const std::string&,
                          const std::optional<Sizes>&) const override {
    return {begins_published(scanner.peek()) ? parse_published(scanner) : parse_litmus(scanner)};
  }
};

}  // namespace

const Language& language() {
  static const Axb axb;
  return axb;
}

std::string_view AxbSource::language() const { return axb::language().name(); }

std::unique_ptr<Program> make_program(const Code& code) {
  if (code.in_lockstep()) return std::make_unique<LockstepProgram>(code);
  return std::make_unique<AxbProgram>(code);
}

std::unique_ptr<Program> AxbSource::make_program() const { return axb::make_program(code_); }

std::string AxbSource::print(const Test& test) const { return print_litmus(test, code_); }

std::string AxbSource::key() const { return code_key(code_); }

bool AxbSource::equals(const Source& other) const {
  return code_ == static_cast<const AxbSource&>(other).code_;
}

Test make_test(Code code, std::string name) {
  Test test;
  test.name = std::move(name);
  test.source = std::make_shared<const AxbSource>(std::move(code));
  return test;
}

const Code* find_code(const Test& test) {
  const auto* source = dynamic_cast<const AxbSource*>(test.source.get());
  return source != nullptr && source->code().is_flat() ? &source->code() : nullptr;
}

const Code* find_placed_code(const Test& test) {
  const auto* source = dynamic_cast<const AxbSource*>(test.source.get());
  return source != nullptr ? &source->code() : nullptr;
}

const Code& code_of(const Test& test, const std::string& what) {
  if (const Code* code = find_code(test)) return *code;
  if (find_placed_code(test) != nullptr) {
    throw Error(
        fmt::format("{} has workgroups, barriers or lanes in lockstep; {} for flat AXB tests only",
                    test.name, what));
  }
  return placed_code_of(test, what);
}

const Code& placed_code_of(const Test& test, const std::string& what) {
  if (const Code* code = find_placed_code(test)) return *code;
  throw Error(fmt::format("{} is a program of the {} language; {} for AXB tests only", test.name,
                          test.source->language(), what));
}

void forget_lines(Test& test) {
  const Code* code = find_placed_code(test);
  if (code == nullptr) return;
  Code bare = *code;
  for (Thread& thread : bare.threads) thread.sources = {};
  test.source = std::make_shared<const AxbSource>(std::move(bare));
}

bool is_published(std::string_view text) { return begins_published(Scanner(text, {}).peek()); }

}  // namespace headway::lang::axb
