#include "suite/idioms.hpp"

#include "lang/canonical.hpp"
#include "lang/parser.hpp"

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
    by_identity_.emplace(lang::identity(idioms_[i]), i);
  }
}

const lang::Test* Idioms::recognize(const lang::Test& test) const {
  const lang::Test* found = nullptr;
  const auto [begin, end] = by_identity_.equal_range(lang::identity(test));
  for (auto entry = begin; entry != end; ++entry) {
    const lang::Test* idiom = &idioms_[entry->second];
    if ((found == nullptr || idiom < found) && lang::same_program(*idiom, test)) found = idiom;
  }
  return found;
}

}  // namespace headway::suite
