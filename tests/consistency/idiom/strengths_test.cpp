// What else could stand where the idiom language says how strong something is.
#include "consistency/idiom/strengths.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "consistency/idiom/translate.hpp"
#include "consistency/models.hpp"
#include "consistency/repair/repair.hpp"
#include "languages/languages.hpp"
#include "models/library.hpp"

using namespace headway;
using namespace headway::consistency;
using litmus::Choice;

namespace {

Repair weakest(const std::string& text, const std::string& memory) {
  const cat::Model model = find_model(memory);
  const std::string language = language_of({&model});
  RepairQuestion question;
  question.text = text;
  question.read = [&](const std::string& of, std::vector<Choice>* choices) {
    const lang::Test test = lang::parse(of, "f.litmus");
    if (choices != nullptr) *choices = idiom::choices_of(idiom::syntax_of(test), language);
    return idiom::translate(test, "f.litmus", language);
  };
  question.memory = {&model};
  return repair(question);
}

std::set<std::string> texts(const Repair& repair) {
  std::set<std::string> result;
  for (const RepairAnswer& answer : repair.answers) result.insert(answer.text);
  return result;
}
using Set = std::set<std::string>;

}  // namespace

TEST_CASE("consistency/idiom/strengths: a lock needs an acquire in front and a release behind") {
  const std::string lock =
      "shared bool lock, data;\nthreads 0..1 {\n  while (exch(lock, 1));\n"
      "  store(data, 1, plain);\n  store(lock, 0);\n}\n";
  const std::string mended =
      "shared bool lock, data;\nthreads 0..1 {\n  while (exch(lock, 1, acquire));\n"
      "  store(data, 1, plain);\n  store(lock, 0, release);\n}\n";
  const Repair in_c = weakest(lock, "rc11");
  CHECK(in_c.as_written.has_value());
  CHECK(texts(in_c) == Set{mended});
  CHECK(in_c.cut.empty());
  // What is written is made weaker as well.
  const std::string strong =
      "shared bool lock, data;\nthreads 0..1 {\n  while (exch(lock, 1, seq_cst));\n"
      "  store(data, 1, plain);\n  fence(seq_cst);\n  store(lock, 0, seq_cst);\n}\n";
  const Repair less = weakest(strong, "rc11");
  CHECK(texts(less) ==
        Set{"shared bool lock, data;\nthreads 0..1 {\n  while (exch(lock, 1, acquire));\n"
            "  store(data, 1, plain);\n  \n  store(lock, 0, release);\n}\n",
            "shared bool lock, data;\nthreads 0..1 {\n  while (exch(lock, 1, acquire));\n"
            "  store(data, 1, plain);\n  fence(release);\n  store(lock, 0, relaxed);\n}\n"});
}

TEST_CASE("consistency/idiom/strengths: scopes take in who is there, and no more") {
  // One workgroup of two threads, and two of one.
  const std::string pass =
      "thread 0 { store(data, 1, plain); store(flag, 1); }\n"
      "thread 1 { if (load(flag)) assert(load(data, plain)); }\n";
  const std::string near = "idiom t\n1 workgroup of 2 threads;\nshared bool flag, data;\n" + pass;
  const std::string far = "idiom t\n2 workgroups of 1 thread;\nshared bool flag, data;\n" + pass;
  const Repair in_one = weakest(near, "ptx6");
  REQUIRE(in_one.answers.size() == 1);
  CHECK(in_one.answers[0].text ==
        "idiom t\n1 workgroup of 2 threads;\nshared bool flag, data;\n"
        "thread 0 { store(data, 1, plain); store(flag, 1, release, workgroup); }\n"
        "thread 1 { if (load(flag, acquire, workgroup)) assert(load(data, plain)); }\n");
  const Repair in_two = weakest(far, "ptx6");
  REQUIRE(in_two.answers.size() == 1);
  CHECK(in_two.answers[0].text ==
        "idiom t\n2 workgroups of 1 thread;\nshared bool flag, data;\n"
        "thread 0 { store(data, 1, plain); store(flag, 1, release); }\n"
        "thread 1 { if (load(flag, acquire)) assert(load(data, plain)); }\n");
  const Repair in_vulkan = weakest(far, "vulkan");
  REQUIRE(in_vulkan.answers.size() == 1);
  CHECK(in_vulkan.answers[0].text == in_two.answers[0].text);
}
