#include "suite/idioms.hpp"

#include "lang/idiom/library.hpp"
#include "lang/idiom/source.hpp"
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

Idioms::Idioms() : Idioms(parse_embedded()) { with_library_ = true; }

Idioms::Idioms(std::vector<lang::Test> idioms) : idioms_(std::move(idioms)) {
  for (std::size_t i = 0; i < idioms_.size(); ++i) {
    by_program_.try_emplace(lang::program_key(idioms_[i]), i);
  }
}

const lang::Test* Idioms::recognize(const lang::Test& test) const {
  const auto found = by_program_.find(lang::program_key(test));
  if (found != by_program_.end()) return &idioms_[found->second];
  if (!with_library_ || lang::idiom::find_code(test) == nullptr) return nullptr;
  const auto& library = members(test.source->sized() ? test.source->size() : test.thread_count());
  const auto member = library.find(lang::program_key(test));
  return member == library.end() ? nullptr : &member->second;
}

// Those of the library that have members of this size.
const std::map<std::string, lang::Test>& Idioms::members(int threads) const {
  const auto [place, is_new] = members_.try_emplace(threads);
  if (!is_new) return place->second;
  for (const lang::idiom::LibraryIdiom& idiom : lang::idiom::library()) {
    try {
      lang::Test member = lang::idiom::member(idiom, threads);
      std::string key = lang::program_key(member);
      place->second.try_emplace(std::move(key), std::move(member));
    } catch (const Error&) {  // its sizes are others
    }
  }
  return place->second;
}

}  // namespace headway::suite
