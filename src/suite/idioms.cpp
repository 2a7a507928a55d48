#include "suite/idioms.hpp"

#include "languages/languages.hpp"

namespace headway::suite {
namespace {

std::vector<lang::Test> parse_embedded() {
  std::vector<lang::Test> tests;
  for (const EmbeddedIdiom& file : embedded_idioms()) {
    tests.push_back(lang::parse(file.content, std::string(file.name)));
  }
  return tests;
}

}  // namespace

Idioms::Idioms() : Idioms(parse_embedded()) {}

Idioms::Idioms(std::vector<lang::Test> idioms) : idioms_(std::move(idioms)) {
  for (std::size_t i = 0; i < idioms_.size(); ++i) {
    by_program_.try_emplace(lang::program_key(idioms_[i]), i);
  }
}

const lang::Test* Idioms::recognize(const lang::Test& test) const {
  const auto found = by_program_.find(lang::program_key(test));
  return found == by_program_.end() ? nullptr : &idioms_[found->second];
}

}  // namespace headway::suite
