#include "models/model_file.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "models/histories.hpp"
#include "support/errors.hpp"

using headway::Error;
using headway::ThreadSet;
using headway::models::Event;
using headway::models::History;
using headway::models::instantiate;
using headway::models::ModelFile;
using headway::models::ModelPtr;
using headway::models::parse_model_file;
using headway::testing::contains;
using headway::testing::error_of;

namespace {

ModelPtr model_of(std::string_view content) {
  return instantiate(parse_model_file(content, "m.yaml"));
}

// "line:column message" of what is wrong with `content`, with the picture's last line behind it.
struct Complaint {
  std::string place = "accepted";
  std::string message;
  std::string picture;
};

Complaint complaint_of(std::string_view content,
                       const headway::models::Expression::Parameters& chosen = {}) {
  const auto error = error_of([&] { instantiate(parse_model_file(content, "m.yaml"), chosen); });
  if (!error) return {};
  const std::string diagnostic = error->diagnostic();
  return {error->where().to_string(), error->what(),
          diagnostic.substr(std::min(diagnostic.size(), diagnostic.find('\n')))};
}

History history(std::initializer_list<int> started, std::initializer_list<int> terminated) {
  History result;
  for (int t : started) result.started |= ThreadSet::single(t);
  for (int t : terminated) result.terminated |= ThreadSet::single(t);
  return result;
}

ThreadSet set(std::initializer_list<int> threads) { return history(threads, {}).started; }

void refused(const std::string& content, const std::string& place, const std::string& part) {
  CAPTURE(content);
  const Complaint found = complaint_of(content);
  CHECK(found.place == place);
  CAPTURE(found.message);
  CHECK(contains(found.message, part));
}

}  // namespace

TEST_CASE("models/model_file: the history form is a function of the history") {
  const ModelFile file = parse_model_file(
      "# comment\nname: m-1.x_Y+\nsummary: some words\nfair: started & alive  # comment\n", "f");
  CHECK(file.name == "m-1.x_Y+");
  CHECK(file.summary == "some words");
  CHECK(file.parameters.empty());
  CHECK_FALSE(file.event_form);
  CHECK(file.fair.text == "started & alive");
  const ModelPtr model = instantiate(file);
  CHECK(model->name() == "m-1.x_Y+");
  CHECK(model->summary() == "some words");
  CHECK(model->definition() == "started & alive");
  CHECK(model->history_determined());
  CHECK(model->looks_at_started());
  const History now = history({0, 2}, {0});
  CHECK(model->fair(3, now) == set({2}));
  CHECK(model->initial(3).empty());
  CHECK(model->on_step(3, {}, {2, false}, now) == set({2}));
  CHECK(model->on_terminate(3, {}, 0, now) == set({2}));
  CHECK(model->next(3, {}, {2, false}, now) == set({2}));
  CHECK_FALSE(model_of("name: m\nfair: alive\n")->looks_at_started());
}

TEST_CASE("models/model_file: the event form updates F") {
  const ModelFile file = parse_model_file(
      "on_terminate: (F - {tid}) | lowest(alive)\nname: m\non_step: F | (alive & {tid})\n"
      "initial: lowest(all)\n",
      "f");
  CHECK(file.event_form);
  CHECK(file.summary.empty());
  const ModelPtr model = instantiate(file);
  CHECK(model->definition() ==
        "initially lowest(all); on a step F | (alive & {tid}); on a termination (F - {tid}) | "
        "lowest(alive)");
  CHECK_FALSE(model->history_determined());
  CHECK_FALSE(model->looks_at_started());
  CHECK(model->initial(3) == set({0}));
  CHECK(model->on_step(3, set({0}), {2, false}, history({2}, {})) == set({0, 2}));
  CHECK(model->on_terminate(3, set({0, 2}), 0, history({0, 2}, {0})) == set({1, 2}));
  // The step of a last step still sees its thread alive.
  CHECK(model->next(3, set({1}), {0, true}, history({0}, {0})) == set({1}));
  CHECK(model->next(3, {}, {0, true}, history({0}, {0})) == set({1}));
  const auto looks = [](const std::string& on_step, const std::string& on_terminate) {
    return model_of("name: m\ninitial: all\non_step: " + on_step +
                    "\non_terminate: " + on_terminate + "\n")
        ->looks_at_started();
  };
  CHECK_FALSE(looks("F", "F - {tid}"));
  CHECK(looks("started & alive", "F - {tid}"));
  CHECK(looks("F", "(F | started) - terminated"));
}

TEST_CASE("models/model_file: an event model sees a step and then a termination") {
  // F counts the events: {0} after one, {1} after two, ...
  const ModelPtr model = model_of(
      "name: m\ninitial: {}\non_step: '({count(F)} | upto(F)) & alive'\non_terminate: F & alive\n");
  const History first = headway::models::after({}, {3, true});
  CHECK(first == history({3}, {3}));
  CHECK(model->next(4, {}, {3, true}, first) == set({0}));
  CHECK(model->next(4, set({0}), {3, true}, first) == set({0, 1}));
  CHECK(model->next(4, set({0, 1, 2}), {3, true}, first) == set({0, 1, 2}));
}

TEST_CASE("models/model_file: an event model may look at the instruction of a step") {
  using headway::models::Instruction;
  const ModelPtr model =
      model_of("name: m\ninitial: {}\non_step: F | exchanges\non_terminate: F - {tid}\n");
  CHECK(model->looks_at_instructions());
  CHECK_FALSE(model->looks_at_started());
  const Instruction exchange{Instruction::Access::exchange, true};
  const Instruction load{Instruction::Access::load, true};
  CHECK(model->next(3, set({0}), {2, false, exchange}, history({2}, {})) == set({0, 2}));
  CHECK(model->next(3, set({0}), {2, false, load}, history({2}, {})) == set({0}));
  CHECK(model->next(3, set({0}), {2, true, exchange}, history({2}, {2})) == set({0}));
  // F - {tid} is missing, which shows only after an exchange.
  refused("name: m\ninitial: {}\non_step: F | exchanges\non_terminate: F\n", "m.yaml:4:15",
          "after this history: thread 0 exchanges and terminates; expected");
  refused("name: m\nfair: loads\n", "m.yaml:2:7", "loads is known only in on_step");
  refused("name: m\nparams: {loops: 1}\nfair: alive\n", "m.yaml:2:10",
          "'loops' cannot name a parameter");
}

TEST_CASE("models/model_file: YAML maps without values are sets") {
  const auto fair = [](const std::string& text) {
    return model_of("name: m\nfair: " + text + "\nparams: {k: 2}\n")->fair(4, {});
  };
  // A terminated thread in F would be refused, so these are initial sets.
  const auto initial = [](const std::string& text) {
    return model_of("name: m\nparams: {k: 2}\ninitial: " + text +
                    "\non_step: F\non_terminate: F - {tid}\n")
        ->initial(4);
  };
  CHECK(fair("{}").empty());
  CHECK(fair("{  }").empty());
  CHECK(initial("{}").empty());
  CHECK(initial("{0, 2}") == set({0, 2}));
  CHECK(initial("{0,2, 2}") == set({0, 2}));
  CHECK(initial("{k}") == set({2}));
  CHECK(initial("{k - 1, 17, k+1}") == set({1, 3}));
  CHECK(initial("{count(first(k)), 0}") == set({0, 2}));
  CHECK(initial("{count(lowest(3, all))}") == set({3}));  // YAML splits it at the comma
  CHECK(initial("\"{0} | first(k)\"") == set({0, 1}));
  CHECK(initial("'{0} | first(k)'") == set({0, 1}));
  CHECK(initial("\n  {1,\n   3}") == set({1, 3}));
  CHECK(initial("\n  0: \n  1: ") == set({0, 1}));
  CHECK(parse_model_file("name: m\nfair: {0, 2}\n", "f").fair.text == "{0, 2}");
}

TEST_CASE("models/model_file: expressions may be written in all ways of YAML") {
  for (const char* fair :
       {"(started | lowest(alive)) & alive", "'(started | lowest(alive)) & alive'",
        "\"(started | lowest(alive)) \\x26 alive\"", "(started\n  | lowest(alive))\n  & alive",
        "|\n  (started | lowest(alive))\n  & alive", ">-\n  (started |\n  lowest(alive)) & alive",
        "&a (started | lowest(alive)) & alive", "!!str (started | lowest(alive)) & alive"}) {
    const ModelPtr model = model_of("name: m\nfair: " + std::string(fair) + "\n");
    CHECK(model->fair(4, history({2}, {})) == set({0, 2}));
    CHECK(model->fair(4, history({0, 1, 2}, {0, 1})) == set({2}));
  }
  const ModelPtr twice =
      model_of("name: m\ninitial: {}\non_step: &next (F | {tid}) & alive\non_terminate: *next\n");
  CHECK(twice->on_terminate(2, {}, 1, history({0, 1}, {0})) == set({1}));
  CHECK(model_of("{name: m, fair: alive}")->fair(2, {}) == set({0, 1}));
  CHECK(model_of("\xef\xbb\xbfname: m\r\nfair: alive\r\n")->name() == "m");
  CHECK(model_of("---\nname: 7\nfair: alive\n...\n")->name() == "7");
}

TEST_CASE("models/model_file: parameters have defaults and may be chosen") {
  const ModelFile file = parse_model_file(
      "name: M\nparams: {k: 2, low: -1000, high_2: 1000}\nfair: lowest(k + low + high_2, alive)\n",
      "f");
  CHECK(file.parameters ==
        headway::models::Expression::Parameters{{"k", 2}, {"low", -1000}, {"high_2", 1000}});
  CHECK(instantiate(file)->name() == "M(high_2=1000,k=2,low=-1000)");
  CHECK(instantiate(file)->fair(4, {}) == set({0, 1}));
  const ModelPtr chosen = instantiate(file, {{"k", 3}, {"low", -1001}});
  CHECK(chosen->name() == "M(high_2=1000,k=3,low=-1001)");
  CHECK(chosen->fair(4, {}) == set({0, 1}));
  CHECK(instantiate(file, {{"k", 0}})->fair(4, {}).empty());
  const auto unknown = error_of([&] { instantiate(file, {{"x", 1}}); });
  REQUIRE(unknown);
  CHECK(std::string(unknown->what()) == "model M has no parameter 'x'; expected high_2, k, low");
  const auto none = error_of([&] {
    instantiate(parse_model_file("name: M\nfair: alive", "f"), {{"x", 1}});
  });
  REQUIRE(none);
  CHECK(std::string(none->what()) == "model M has no parameter 'x'; expected none");
  // A parameter that is not used is no mistake, nor is an empty list.
  CHECK(model_of("name: M\nparams: {k: 1}\nfair: alive\n")->name() == "M(k=1)");
  CHECK(model_of("name: M\nparams: {}\nfair: alive\n")->name() == "M");
  CHECK(model_of("name: M\nparams:\n  k: 1\n  _x1: 0\nfair: alive\n")->name() == "M(_x1=0,k=1)");
}

TEST_CASE("models/model_file: what is wrong with the fields is refused with its place") {
  refused("name: m\nfare: alive\n", "m.yaml:2:1",
          "unknown field 'fare'; expected name, summary, params, and either fair or initial");
  refused("name: m\nfair: alive\nname: n\n", "m.yaml:3:1", "'name' is given twice");
  refused("name: m\nfair: alive\nfair: alive\n", "m.yaml:3:1", "'fair' is given twice");
  refused("name: m\n? [a]\n: b\nfair: alive\n", "m.yaml:2:3", "expected the name of a field");
  refused("fair: alive\n", "m.yaml:1:1", "the model has no name; expected 'name: ...'");
  refused("# comment\n\nfair: alive\n", "m.yaml:3:1", "the model has no name");
  refused("name: m\n", "m.yaml:1:1", "expected 'fair', or all of 'initial', 'on_step'");
  refused("name: m\nfair: alive\ninitial: all\n", "m.yaml:1:1", "expected 'fair', or all");
  refused("name: m\nfair: alive\ninitial: all\non_step: F\non_terminate: F\n", "m.yaml:1:1",
          "expected 'fair', or all");
  refused("name: m\ninitial: all\non_terminate: F\n", "m.yaml:1:1", "expected 'fair', or");
  refused("name: m\ninitial: all\non_step: F\n", "m.yaml:1:1", "expected 'fair', or");
  refused("name: m\non_step: F\non_terminate: F - {tid}\n", "m.yaml:1:1", "expected 'fair', or");
  refused("name: m\nfair: [alive]\n", "m.yaml:2:7", "expected a set expression");
  refused("name: m\nfair: {0: 1}\n", "m.yaml:2:7", "expected a set expression");
  refused("name: m\nfair: {[0], 1}\n", "m.yaml:2:7", "expected a set expression");
  refused("name: m\nsummary: [a]\nfair: alive\n", "m.yaml:2:10", "expected one line of text");
}

TEST_CASE("models/model_file: a name is letters and digits and + - . _") {
  const std::string expected = "expected a name of letters, digits and + - . _";
  refused("fair: alive\nname: two words\n", "m.yaml:2:7", expected);
  refused("name: \"\"\nfair: alive\n", "m.yaml:1:7", expected);
  refused("name: a/b\nfair: alive\n", "m.yaml:1:7", expected);
  refused("name: a(k=2)\nfair: alive\n", "m.yaml:1:7", expected);
  refused("name: a,b\nfair: alive\n", "m.yaml:1:7", expected);
  refused("name: a:b\nfair: alive\n", "m.yaml:1:7", expected);
  refused("name: \xc3\xa4\nfair: alive\n", "m.yaml:1:7", expected);
  refused("name: [m]\nfair: alive\n", "m.yaml:1:7", "expected a name");
  refused("name: {}\nfair: alive\n", "m.yaml:1:7", "expected a name");
}

TEST_CASE("models/model_file: what is wrong with the parameters is refused with its place") {
  const auto wrong = [](const std::string& params, const std::string& place,
                        const std::string& part) {
    refused("name: m\nparams: " + params + "\nfair: alive\n", "m.yaml:" + place, part);
  };
  wrong("3", "2:9", "expected parameters with their defaults: '{k: 2}'");
  wrong("[k]", "2:9", "expected parameters with their defaults");
  wrong("{k: two}", "2:13", "expected the default of 'k', a number from -1000 to 1000");
  wrong("{k: 2.5}", "2:13", "expected the default of 'k'");
  wrong("{k: 1001}", "2:13", "expected the default of 'k'");
  wrong("{k: -1001}", "2:13", "expected the default of 'k'");
  wrong("{k: 99999999999999999999}", "2:13", "expected the default of 'k'");
  wrong("{k: [1]}", "2:13", "expected the default of 'k'");
  wrong("{k: 1, k: 2}", "2:16", "parameter 'k' is given twice");
  wrong("{2k: 1}", "2:10", "'2k' cannot name a parameter");
  wrong("{k-1: 1}", "2:10", "'k-1' cannot name a parameter");
  wrong("{\"\": 1}", "2:10", "'' cannot name a parameter");
  wrong("{tid: 1}", "2:10", "'tid' cannot name a parameter");
  wrong("{alive: 1}", "2:10", "'alive' cannot name a parameter");
  wrong("{[k]: 1}", "2:10", "expected the name of a parameter");
  wrong("\n  k: 1\n  \"l m\": 1", "4:3", "'l m' cannot name a parameter");
}

TEST_CASE("models/model_file: what is no YAML or no model is refused") {
  refused("", "m.yaml:1:1", "expected a model: 'name: ...' and 'fair: ...'");
  refused("just words\n", "m.yaml:1:1", "expected a model");
  refused("- name: m\n", "m.yaml:1:1", "expected a model");
  refused("name: m\nfair: {0} & alive\n", "m.yaml:2:12",
          "not YAML: anchor not found after &; an expression that starts with '{' and goes on must "
          "be quoted");
  refused("name: m\nfair: {0} | alive\n", "m.yaml:2:13", "not YAML");
  refused("name: m\n\tfair: alive\n", "m.yaml:2:1", "a tab; YAML lines are indented by spaces");
  refused("name: m\nfair: {0, 1\n", "m.yaml:3:1", "not YAML");
  refused("name: m\nfair: *nothing\n", "m.yaml:2:7", "not YAML");
  CHECK(complaint_of(std::string(100000, '[')).message.starts_with("not YAML"));
  refused("name: m\nfair: alive\n---\nname: n\nfair: alive\n", "m.yaml:4:1",
          "expected one model in a file");
  const Complaint nul = complaint_of(std::string("name: m\nfair: al\0ive\n", 21));
  CHECK(nul.place == "m.yaml:2:9");
  CHECK(contains(nul.message, "a NUL byte; expected a text file"));
  const std::string large(headway::models::kMaxModelBytes + 1, '\n');
  CHECK(complaint_of(large).place == "m.yaml");
  CHECK(contains(complaint_of(large).message, "larger than 1 MiB"));
  CHECK(complaint_of("name: m\nfair: alive\n" +
                     std::string(headway::models::kMaxModelBytes - 20, '\n'))
            .place == "accepted");
}

TEST_CASE("models/model_file: a wrong expression is shown where it stands") {
  const std::string found = "expected '|', '&', '-' or the end of the expression, found '+'";
  refused("name: m\nfair: started + alive\n", "m.yaml:2:15", found);
  refused("name: m\nfair:    started + alive\n", "m.yaml:2:18", found);
  refused("name: m\nfair: \"started + alive\"\n", "m.yaml:2:16", found);
  refused("name: m\nfair: 'started + alive'\n", "m.yaml:2:16", found);
  refused("name: m\nfair:\n  started + alive\n", "m.yaml:3:11", found);
  refused("{name: m, fair: started + alive}\n", "m.yaml:1:25", found);
  refused("name: m\r\nfair: started + alive\r\n", "m.yaml:2:15", found);
  refused("name: m\nfair: F & alive\n", "m.yaml:2:7", "F is known only in on_step");
  refused("name: m\nfair: alive - {tid}\n", "m.yaml:2:16", "tid is known only in on_step");
  refused("name: m\ninitial: all - F\non_step: F\non_terminate: F - {tid}\n", "m.yaml:2:16",
          "F is known only");
  refused("name: m\ninitial: all\non_step: F | {t}\non_terminate: F - {tid}\n", "m.yaml:3:15",
          "expected a number (0, 1, ..., count(S), tid), found 't'");
  refused("name: m\ninitial: all\non_step: F\non_terminate: F - tid\n", "m.yaml:4:19",
          "expected a set");
  refused("name: m\nfair: lowest(k, alive)\nparams: {j: 1}\n", "m.yaml:2:14", "expected a set");
  // The end of the text: behind its last letter.
  refused("name: m\nfair: alive &\n", "m.yaml:2:14", "found the end of the expression");
  refused("name: m\nfair: 'alive &'\n", "m.yaml:2:15", "found the end of the expression");
  refused("name: m\nfair: ''\n", "m.yaml:2:7", "found the end of the expression");
  // A set literal that YAML has taken apart, and text that YAML has put together, have no columns
  // of their own: their beginning is shown.
  refused("name: m\nfair: {0, x}\n", "m.yaml:2:7", "found 'x'");
  refused("name: m\nfair: alive\n  &  & alive\n", "m.yaml:2:7", "found '&'");
  refused("name: m\nfair: \"alive \\x26 + alive\"\n", "m.yaml:2:7", "found '+'");
  refused("name: m\nfair: |\n  alive &\n  + alive\n", "m.yaml:2:7", "found '+'");
  refused("name: m\nfair: &a started + alive\n", "m.yaml:2:7", found);
  const Complaint shown = complaint_of("name: m\nfair: \"started + alive\"\n");
  CHECK(shown.picture == "\n  fair: \"started + alive\"\n                 ^");
}

TEST_CASE("models/model_file: a field without a value is shown where it stands") {
  for (const char* field : {"name", "summary", "params", "fair", "initial", "on_step"}) {
    for (const char* nothing : {"", " ~", " null", "  # comment"}) {
      refused("# comment\n" + std::string(field) + ":" + nothing + "\n", "m.yaml:2:1",
              "'" + std::string(field) + "' has no value");
    }
  }
}

TEST_CASE("models/model_file: F must not hold a terminated thread") {
  const Complaint history = complaint_of("name: m\nfair: started\n");
  CHECK(history.place == "m.yaml:2:7");
  CHECK(history.message ==
        "with 1 thread F holds the terminated thread 0 after this history: thread 0 steps and "
        "terminates; expected only threads that are alive");
  CHECK(history.picture == "\n  fair: started\n        ^");
  const Complaint events =
      complaint_of("name: m\ninitial: {}\non_step: F | {tid}\non_terminate: F\n");
  CHECK(events.place == "m.yaml:4:15");
  CHECK(contains(events.message, "thread 0 steps and terminates"));
  // Found with the fewest threads and the shortest history.
  const Complaint third = complaint_of("name: m\nfair: upto({2} & terminated) & {1}\n");
  CHECK(contains(third.message,
                 "with 3 threads F holds the terminated thread 1 after this history: thread 1 "
                 "steps and terminates; thread 2 steps and terminates"));
  const Complaint fourth = complaint_of("name: m\nfair: terminated & from({3})\n");
  CHECK(contains(fourth.message, "with 4 threads F holds the terminated thread 3"));
  const Complaint chosen =
      complaint_of("name: m\nparams: {k: 0}\nfair: alive | lowest(k, all)\n", {{"k", 2}});
  CHECK(chosen.place == "m.yaml:3:7");
  CHECK(complaint_of("name: m\nparams: {k: 0}\nfair: alive | lowest(k, all)\n").place ==
        "accepted");
  // A later thread is the checker's business.
  CHECK(complaint_of("name: m\nfair: terminated & {4}\n").place == "accepted");
}
