// What is put into a text of WGSL before naga reads it; naga has no part in this.
#include "kernel/naga/text.hpp"

#include <doctest/doctest.h>

#include "kernel/naga/tokens.hpp"
#include "support/errors.hpp"

using headway::kernel::naga::Text;
using headway::kernel::naga::tokens_of;
using headway::testing::complaint_of;
using headway::testing::contains;

namespace {

std::string prepared(const std::string& text, const Text::Values& values = {}) {
  return Text(text, "a.wgsl").prepared(values);
}

// Without the function that is added at the end.
std::string marked(const std::string& text) {
  const std::string all = prepared(text);
  return all.substr(0, all.rfind("\nfn headway_at"));
}

}  // namespace

TEST_CASE("kernel/naga/text: tokens know their lines, and comments nest") {
  const auto tokens = tokens_of("a /* 1\n /* 2 */ b */ c\n// d\ne_1");
  REQUIRE(tokens.size() == 3);
  CHECK(tokens[1].text == "c");
  CHECK(tokens[1].line == 2);
  CHECK(tokens[2].text == "e_1");
  CHECK(tokens[2].line == 4);
  CHECK(tokens_of("/* open").empty());
}

TEST_CASE("kernel/naga/text: each statement is marked, and each function first") {
  CHECK(marked("fn f() {\n  x = 1;\n  {\n    y();\n  }\n}") ==
        "fn f() {\n  headway_at(1u); headway_at(2u); x = 1;\n  headway_at(3u); {\n    "
        "headway_at(4u); y();\n  }\n}");
  CHECK(marked("fn f() { for (var i = 0; i < 2; i++) { x(); } }") ==
        "fn f() { headway_at(1u); headway_at(1u); for (var i = 0; i < 2; i++) { headway_at(1u); "
        "x(); } }");
  CHECK(marked("fn f() { loop { continuing { break if a[(1)]; } } }") ==
        "fn f() { headway_at(1u); headway_at(1u); loop { headway_at(1u); continuing { "
        "headway_at(1u); break if a[(1)]; } } }");
  CHECK(marked("fn f() { @diagnostic(off, x.y) if a { } }") ==
        "fn f() { headway_at(1u); headway_at(1u); @diagnostic(off, x.y) if a { } }");
}

TEST_CASE("kernel/naga/text: a condition behind else has a line of its own") {
  CHECK(marked("fn f() {\nif a { b(); }\nelse if c { }\nelse { d(); }\n}") ==
        "fn f() {\nheadway_at(1u); headway_at(2u); if a { headway_at(2u); b(); }\nelse { "
        "headway_at(3u); if c { }\nelse { headway_at(4u); d(); }\n} }");
}

TEST_CASE("kernel/naga/text: cases of a switch are no statements, what is in them is") {
  CHECK(marked("fn f() { switch a(1) { case 1, 2: { b(); } default { } } }") ==
        "fn f() { headway_at(1u); headway_at(1u); switch a(1) { case 1, 2: { headway_at(1u); b(); "
        "} default { } } }");
}

TEST_CASE("kernel/naga/text: what is no WGSL is left as it is, however deep") {
  for (const std::string text : {"fn", "fn f(", "fn f() {", "fn f() { if", "fn f() { switch a {",
                                 "fn f() { for (;;", "}", "override", "override x", "@id(", "@"}) {
    CAPTURE(text);
    CHECK_NOTHROW(Text(text, "a.wgsl").readable());
  }
  std::string deep = "fn f() ";
  for (int i = 0; i < 100'000; ++i) deep += "{ if a ";
  CHECK_NOTHROW(prepared(deep));
  std::string chain = "fn f() { if a { }";
  for (int i = 0; i < 100'000; ++i) chain += " else if a { }";
  CHECK_NOTHROW(prepared(chain + " }"));
}

TEST_CASE("kernel/naga/text: the name of the mark is nobody else's") {
  CHECK(contains(prepared("fn headway_at() {}\nfn f() { g(); }"), "headway_at_(2u); g();"));
}

TEST_CASE("kernel/naga/text: subgroups need no word for naga") {
  CHECK(Text("enable subgroups;\nfn f() {}", "").readable() == "                 \nfn f() {}");
  CHECK(contains(Text("enable f16, subgroups;", "").readable(), "enable f16"));
  CHECK_FALSE(contains(Text("requires x;\nenable f16, subgroups;", "").readable(), "subgroups"));
  CHECK(contains(Text("const subgroups = 1;", "").readable(), "subgroups"));
}

TEST_CASE("kernel/naga/text: overrides are constants of the types that they have") {
  CHECK(contains(prepared("override a: u32 = 4;"), "const a: u32 = 4;"));
  CHECK(contains(prepared("override a = 4;"), "const a: i32 = 4;"));
  CHECK(contains(prepared("override a = -0x1F;"), "const a: i32 = -0x1F;"));
  CHECK(contains(prepared("override a = 4u;"), "const a: u32 = 4u;"));
  CHECK(contains(prepared("override a = 1.5;"), "const a: f32 = 1.5;"));
  CHECK(contains(prepared("override a = 2e-3;"), "const a: f32 = 2e-3;"));
  CHECK(contains(prepared("override a = .5f;"), "const a: f32 = .5f;"));
  CHECK(contains(prepared("override a = 4h;"), "const a: f16 = 4h;"));
  CHECK(contains(prepared("override a = true;"), "const a: bool = true;"));
  CHECK(contains(prepared("override a = 1u; override b = a * 2;"), "const b = a*2;"));
  CHECK(contains(prepared("@id(7) override a: u32;", {{"7", 3}}), "const a: u32 = 3;"));
  CHECK(contains(prepared("@id(7) override a: u32;", {{"a", 3}}), "const a: u32 = 3;"));
  CHECK(contains(prepared("override a: f32 = 1;", {{"a", 2}}), "const a: f32 = 2.0;"));
  CHECK(contains(prepared("override a: f32 = 1;", {{"a", 0.5}}), "const a: f32 = 0.5;"));
  CHECK(contains(prepared("override a: bool = true;", {{"a", 0}}), "const a: bool = false;"));
  // Lines stay where they are.
  CHECK(contains(prepared("override a: u32\n  = 4;\nfn f() { g(); }"), "\n"));
  CHECK(contains(prepared("override a: u32\n  = 4;\nfn f() { g(); }"), "headway_at(3u); g();"));
  // What only looks like one.
  CHECK(contains(prepared("// override a: u32;\nconst overrides = 1;"), "// override a: u32;"));
}

TEST_CASE("kernel/naga/text: a value that is missing, wrong or nobody's is refused") {
  const auto refused = [](const std::string& text, const Text::Values& values) {
    return complaint_of([&] { prepared(text, values); });
  };
  CHECK(contains(refused("\noverride a: u32;", {}),
                 "2:0: the override 'a' has no default; expected --spec a=..."));
  CHECK(contains(refused("override a: u32 = 1;", {{"a", 0.5}}), "expected a value of u32"));
  CHECK(contains(refused("override size: u32 = 1;", {{"sise", 2}}),
                 "there is no override 'sise'; did you mean 'size'?"));
  for (const std::string value : {"k * 2", "1 + 2", "2 - 1", "vec2(1)", "1.5u"}) {
    CAPTURE(value);
    CHECK(contains(refused("const k = 2; override a = " + value + ";", {}),
                   "expected override a: TYPE"));
  }
}

TEST_CASE("kernel/naga/text: workgroups that overrides size are as large as asked for") {
  const std::string text =
      "override x: u32 = 1; override y: u32 = 2; @compute @workgroup_size(x, y, 4) fn f() {}";
  Text::Values values = {{"y", 8}};
  Text(text, "").size_groups({16, 32, 64}, values);
  CHECK(values == Text::Values{{"x", 16}, {"y", 8}});
  CHECK(Text(text, "").defaults(values).empty());
  CHECK(Text(text, "").defaults({}) ==
        std::vector<std::string>{"override x is 1, its default", "override y is 2, its default"});
  CHECK(Text("override unused = 1;", "").defaults({}).empty());
}
