#include "fuzz/properties.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "lang/axb/canonical.hpp"
#include "lang/axb/printer.hpp"
#include "lang/axb/source.hpp"
#include "languages/languages.hpp"
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

void check_axb(const lang::Test& test, const lang::axb::Code& code) {
  const std::string printed = lang::print(test);
  const lang::Test again = lang::parse(printed, "printed");
  require(again == test, "what is printed is read back as it was");
  require(lang::print(again) == printed, "printing again changes nothing");

  const std::string published = lang::axb::print_published(code);
  require(lang::axb::find_code(lang::parse(published, "published"))->threads == code.threads,
          "what is printed in the published format has the same threads");

  const lang::axb::Code form = lang::axb::canonical(code);
  require(lang::axb::canonical(form) == form, "a canonical test is its own canonical form");
  lang::Test canonical = test;
  canonical.source = lang::axb::make_test(form).source;
  require(lang::identity(canonical) == lang::identity(test),
          "a test and its canonical form have one identity");
  require(lang::parse(lang::print(canonical), "canonical") == canonical,
          "a canonical test is a valid test");
}

// A program of the idiom language, and some steps of it.
void check_idiom(const lang::Test& test) {
  const std::string printed = lang::print(test);
  const lang::Test again = lang::parse(printed, "printed");
  require(again == test, "what is printed is read back as it was");
  require(lang::identity(again) == lang::identity(test), "and is the same program");
  const auto program = lang::make_program(test);
  std::vector<lang::Word> state(static_cast<std::size_t>(program->words())), next = state;
  program->initial(state.data());
  for (int i = 0; i < 30; ++i) {
    const int thread = i % program->threads();
    require(!program->describe_thread(state.data(), thread).empty(), "a thread stands somewhere");
    if (!program->running(state.data()).contains(thread)) continue;
    const int choices = program->choices(state.data(), thread);
    require(choices >= 1, "a running thread has a transition");
    const lang::Step step(thread, i % choices);
    program->describe_step(state.data(), step);
    const bool ended = program->step(state.data(), step, next.data());
    ThreadSet before = program->terminated(state.data());
    if (ended) before |= ThreadSet::single(thread);
    require(program->terminated(next.data()) == before, "a step ends its own thread alone");
    require((program->blocked(next.data()) & before).empty(), "no thread that has ended waits");
    state.swap(next);
  }
}

}  // namespace

void check_parser(std::string_view text) {
  const auto all = read_if_valid([&] { return lang::parse_all(text, "fuzz"); });
  if (!all) return;
  for (const lang::Test& test : *all) {
    const lang::axb::Code* code = lang::axb::find_code(test);
    code != nullptr ? check_axb(test, *code) : check_idiom(test);
  }
}

void check_model(std::string_view text) {
  const auto file = read_if_valid([&] { return models::parse_model_file(text, "fuzz.yaml"); });
  // The library knows the models that a file may name.
  if (!file || !file->scopes.empty()) return;
  const auto model = read_if_valid([&] { return models::instantiate(*file); });
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
