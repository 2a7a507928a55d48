#include "fuzz/properties.hpp"

#include <optional>
#include <stdexcept>
#include <string>

#include "lang/canonical.hpp"
#include "lang/parser.hpp"
#include "lang/printer.hpp"
#include "models/model_file.hpp"

namespace headway::fuzz {
namespace {

constexpr std::size_t kLongestDiagnostic = 3000;

void require(bool holds, const std::string& property) {
  if (!holds) throw std::logic_error("does not hold: " + property);
}

// What `read` returns, or nothing when it complains.
template <class Read>
auto read_if_valid(Read read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const Error& error) {
    require(error.diagnostic().size() < kLongestDiagnostic, "a message is short");
    return std::nullopt;
  }
}

}  // namespace

void check_parser(std::string_view text) {
  const auto read = read_if_valid([&] { return lang::parse(text, "fuzz"); });
  if (!read) return;
  const lang::Test& test = *read;
  const std::string printed = lang::print(test);
  const lang::Test again = lang::parse(printed, "printed");
  require(again == test, "what is printed is read back as it was");
  require(lang::print(again) == printed, "printing again changes nothing");

  const std::string published = lang::print_published(test);
  require(lang::parse(published, "published").threads == test.threads,
          "what is printed in the published format has the same threads");

  const lang::Test canonical = lang::canonical(test);
  require(lang::canonical(canonical) == canonical, "a canonical test is its own canonical form");
  require(lang::identity(canonical) == lang::identity(test),
          "a test and its canonical form have one identity");
  require(lang::parse(lang::print(canonical), "canonical") == canonical,
          "a canonical test is a valid test");
}

void check_model(std::string_view text) {
  const auto model = read_if_valid(
      [&] { return models::instantiate(models::parse_model_file(text, "fuzz.yaml")); });
  if (!model) return;
  require(!(*model)->name().empty(), "a model has a name");
  constexpr int threads = 3;
  ThreadSet fair = (*model)->initial(threads);
  models::History history;
  for (const int thread : {1, 0, 1, 2}) {
    require(ThreadSet::first(threads).includes(fair), "F holds threads that there are");
    require((fair & history.terminated).empty(), "F holds no terminated thread");
    const models::Event event{thread, history.started.contains(thread)};
    history = models::after(history, event);
    fair = (*model)->next(threads, fair, event, history);
  }
}

}  // namespace headway::fuzz
