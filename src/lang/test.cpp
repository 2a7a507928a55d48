#include "lang/test.hpp"

#include <fmt/format.h>

#include <tuple>

#include "base/bits/hash.hpp"

namespace headway::lang {

bool operator==(const Test& a, const Test& b) {
  const auto fields = [](const Test& test) {
    return std::tie(test.name, test.comment, test.expectations, test.expects_error);
  };
  if (fields(a) != fields(b)) return false;
  if (a.source == b.source) return true;
  return a.source->language() == b.source->language() && a.source->equals(*b.source);
}

std::shared_ptr<const Source> Source::in_reading(SubgroupReading reading) const {
  throw Undecided(
      fmt::format("unsupported: --subgroups {} of a test in {}; expected a program of "
                  "the idiom language",
                  to_string(reading), language()));
}

std::string print(const Test& test) { return test.source->print(test); }

std::unique_ptr<Program> make_program(const Test& test) { return test.source->make_program(); }

std::string program_key(const Test& test) { return test.source->key(); }

std::uint64_t identity(const Test& test) { return stable_hash(program_key(test)); }

}  // namespace headway::lang
