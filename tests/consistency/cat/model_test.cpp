// Models in cat: what expressions mean, and what is refused with its place.
#include "consistency/cat/model.hpp"

#include <doctest/doctest.h>

#include <random>

#include "consistency/models.hpp"
#include "support/errors.hpp"

using namespace headway;
using namespace headway::consistency;

namespace {

cat::Model model_of(const std::string& text) {
  const cat::Include none = [](const std::string& name) -> cat::Syntax::File {
    throw Error("there is no file '" + name + "' here");
  };
  return {cat::parse("f", text, none), "f"};
}

std::string complaint(const std::string& text) {
  return testing::complaint_of([&] { model_of(text); });
}

// Whether `check` holds when rf, co and po are these relations of five events, of which W and R
// are the sets.
bool holds(const std::string& text, const Relation& rf, const Relation& co, const Relation& po,
           EventSet writes) {
  const cat::Model model = model_of(text);
  cat::Evaluation evaluation(model, rf.events());
  evaluation.set(cat::base_number("W"), writes);
  evaluation.set(cat::base_number("R"), first_events(rf.events()) & ~writes);
  evaluation.set(cat::base_number("po"), po);
  evaluation.set(cat::base_number("rf"), rf);
  evaluation.set(cat::base_number("co"), co);
  for (const cat::Stage stage : cat::kStages) {
    if (!evaluation.advance(stage)) return false;
  }
  return true;
}

}  // namespace

// Each pair is two ways to say the same; 'empty (a \ b) | (b \ a)' of them must hold of any
// relations.
TEST_CASE("consistency/cat/model: expressions obey the laws of relations") {
  const std::vector<std::pair<std::string, std::string>> laws = {
      {"rf | co & po", "rf | (co & po)"},
      {"rf ; co | po", "(rf ; co) | po"},
      {"rf \\ co & po", "rf \\ (co & po)"},
      {"(rf ; co)^-1", "co^-1 ; rf^-1"},
      {"rf^+", "rf | (rf ; rf^+)"},
      {"rf^*", "rf^? ; rf^*"},
      {"rf?", "rf | [W | R]"},
      {"[W]; rf", "rf & (W * _)"},
      {"rf ; [R]", "rf & (_ * R)"},
      {"~(rf | co)", "~rf & ~co"},
      {"let x = rf in x ; x", "rf ; rf"},
      {"po \\ (W * R)", "po & ~(W * R)"},
      {"toid(W)", "[W]"},
      {"fencerel(W)", "po ; [W] ; po"},
      {"[domain(rf)] ; rf ; [range(rf)]", "rf"},
      {"rf | 0", "rf"},
      {"rf & 0", "0"},
      {"W * R", "[W] ; (_ * _) ; [R]"}};
  std::mt19937 random(1);
  for (int round = 0; round < 60; ++round) {
    const auto some = [&] {
      Relation result(5);
      for (int e = 0; e < 5; ++e) result.set_from(e, random() & random() & 31);
      return result;
    };
    const Relation rf = some(), co = some(), po = some();
    const EventSet writes = random() & 31;
    for (const auto& law : laws) {
      CAPTURE(law.first);
      const std::string text =
          "let a = " + law.first + " let b = " + law.second + " empty (a \\ b) | (b \\ a)";
      CHECK(holds(text, rf, co, po, writes));
    }
  }
}

TEST_CASE(
    "consistency/cat/model: definitions, functions, recursion and checks mean what cat says") {
  Relation line(3);
  line.add(0, 1);
  line.add(1, 2);
  const Relation none(3);
  const auto with = [&](const std::string& text) { return holds(text, line, none, none, 1); };
  CHECK(with("acyclic rf"));
  CHECK_FALSE(with("acyclic rf | rf^-1"));
  CHECK_FALSE(with("empty rf"));
  CHECK(with("~empty rf"));
  CHECK(with("irreflexive rf ; rf"));
  CHECK(with("let rec r = rf | (rf ; r) empty (r \\ rf^+) | (rf^+ \\ r)"));
  CHECK(with("let twice(r) = r ; r ~empty twice(rf) empty twice(twice(rf))"));
  // A name means what it meant where it stood.
  CHECK(with("let co = rf let f = co let co = 0 ~empty f empty co"));
  CHECK(with("let f(x) = rf let rf = 0 ~empty f(0)"));
  CHECK(with("let rec a = ~(~a | rf) empty a"));
}

TEST_CASE("consistency/cat/model: what is wrong or not read is refused with its place") {
  CHECK(complaint("let a = rf ; ") ==
        "1:14: expected a set of events or a relation, found the end of the file");
  CHECK(complaint("acyclic pox") == "1:9: nothing is called 'pox'; did you mean 'po'?");
  CHECK(complaint("acyclic W") == "1:9: this is a set of events; expected a relation");
  CHECK(complaint("empty [po]") == "1:8: this is a relation; expected a set of events");
  CHECK(complaint("let rec a = rf \\ a") ==
        "1:18: this recursion is not monotone: what is defined here stands behind '\\' or '~'");
  CHECK(complaint("let f(x) = x empty f") == "1:20: 'f' is a function; expected 'f(...)'");
  CHECK(complaint("let f(x) = x empty f(rf, co)") == "1:20: 'f' takes 1 argument, found 2");
  CHECK(complaint("(* open") == "1:1: this comment never ends; expected '*)'");
  CHECK(complaint("include \"other.cat\"") == "1:1: there is no file 'other.cat' here");
  CHECK(complaint("procedure p() = end") ==
        "1:1: expected let, include, acyclic, irreflexive, empty, flag, undefined_unless, show or "
        "with (other statements of cat are not read here), found 'procedure'");
  std::string doubling = "let f0(x) = x ; x\n";
  for (int i = 1; i < 40; ++i) {
    doubling += "let f" + std::to_string(i) + "(x) = f" + std::to_string(i - 1) + "(f" +
                std::to_string(i - 1) + "(x))\n";
  }
  CHECK(complaint(doubling + "empty f39(rf)")
            .ends_with("this model is too large once its functions are written out"));
  CHECK(
      complaint(std::string(2000, '(') + "rf")
          .ends_with("expected let, include, acyclic, irreflexive, empty, flag, undefined_unless, "
                     "show or with (other statements of cat are not read here), found '('"));
  CHECK(complaint("empty " + std::string(2000, '(') + "rf") == "1:507: this is nested too deeply");
}

TEST_CASE("consistency/models: all that are built in can be asked, and unknown ones are named") {
  for (const std::string& name : model_names()) {
    CAPTURE(name);
    CHECK_FALSE(find_model(name).title().empty());
  }
  CHECK(testing::complaint_of([] { find_model("rc12"); }) ==
        "0:0: unknown memory model 'rc12'; expected c11, opencl, ptx, ptx6, rc11, sc, tso, vulkan "
        "or a file, FILE.cat; did you mean 'rc11'?");
}
