// What PTX 7.5 allows where memory is come to in different ways, after the outcomes that the
// authors of its proxies published (Lustig, Cooksey, Giroux, ISCA 2022, and
// github.com/NVlabs/mixedproxy); and that without proxies it is as PTX 6.0.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "consistency/litmus/parse.hpp"
#include "consistency/models.hpp"
#include "consistency/outcomes.hpp"
#include "support/errors.hpp"

using namespace headway;
using namespace headway::consistency;

namespace {

// By letters: s, t, c of the proxy of surfaces, textures and constants, a of aliases.
std::string fences_of(const std::string& letters) {
  static const std::map<char, std::string> kinds = {
      {'s', "surface"}, {'t', "texture"}, {'c', "constant"}, {'a', "alias"}};
  std::string result;
  for (const char letter : letters) result += "fence.proxy." + kinds.at(letter) + " ";
  return result;
}

constexpr const char* kNames =
    "x=0; f=0; y @ generic aliases x; s @ surface aliases x; sy @ surface aliases y; "
    "t @ texture aliases x; ty @ texture aliases y; k @ constant aliases x;";

// Whether a message that was written by one way may be missed by who reads it by another.
bool may_miss(const std::string& scope, const std::string& write, const std::string& before,
              const std::string& behind, const std::string& read) {
  const std::string text = fmt::format(
      "PTX t\n{{ {} }}\n P0@cta 0,gpu 0 | P1@cta {},gpu 0 ;\n {}, 2 {}st.release.{} f, 1 |"
      " ld.acquire.{} r0, f {}{} ;\nfilter (1:r0=1)\nexists (1:r1=0)\n",
      kNames, scope == "cta" ? 0 : 1, write, fences_of(before), scope, scope, fences_of(behind),
      read);
  const Outcomes found = outcomes(litmus::parse("f", text), find_model("ptx"));
  CHECK(found.cut.empty());
  // Where it may, the two race.
  CHECK((found.positive > 0) == found.flagged.contains("race"));
  return found.positive > 0;
}

struct ProxyRow {
  const char *write, *before, *behind, *read;
  bool in_block, in_device;  // whether the message may be missed
};

void check_rows(const std::vector<ProxyRow>& rows) {
  for (const ProxyRow& row : rows) {
    CAPTURE(row.write);
    CAPTURE(row.before);
    CAPTURE(row.behind);
    CAPTURE(row.read);
    CHECK(may_miss("cta", row.write, row.before, row.behind, row.read) == row.in_block);
    CHECK(may_miss("gpu", row.write, row.before, row.behind, row.read) == row.in_device);
  }
}

}  // namespace

TEST_CASE("consistency/ptx: a message by two proxies needs the fences of both, in order") {
  const char *st = "st.weak x", *sust = "sust.weak s";
  const char *ld = "ld.weak r1, x", *suld = "suld.weak r1, s", *tld = "tld.weak r1, t";
  const std::vector<ProxyRow> rows = {{st, "", "", ld, false, false},
                                      {st, "", "", suld, true, true},
                                      {sust, "", "", ld, true, true},
                                      {sust, "", "", suld, false, true},  // one proxy and one block
                                      {sust, "", "", tld, true, true},
                                      // A fence of a proxy is for the block of who uses the proxy.
                                      {st, "s", "", suld, false, true},
                                      {st, "", "s", suld, false, false},
                                      {st, "t", "", suld, true, true},
                                      {sust, "s", "", ld, false, false},
                                      {sust, "", "s", ld, false, true},
                                      {sust, "s", "s", suld, false, false},
                                      // From surfaces to textures it goes by the generic proxy.
                                      {sust, "s", "", tld, true, true},
                                      {sust, "st", "", tld, false, true},
                                      {sust, "ts", "", tld, true, true},
                                      {sust, "s", "t", tld, false, false},
                                      {sust, "t", "s", tld, true, true},
                                      {sust, "", "st", tld, false, true},
                                      {st, "c", "", "cold.weak r1, k", false, true},
                                      {st, "", "c", "cold.weak r1, k", false, false}};
  check_rows(rows);
}

TEST_CASE("consistency/ptx: a message by two addresses of a place needs a fence of aliases") {
  const char *st = "st.weak x", *sust = "sust.weak s";
  const char *ld = "ld.weak r1, y", *suld = "suld.weak r1, sy", *tld = "tld.weak r1, ty";
  const std::vector<ProxyRow> rows = {
      {st, "", "", ld, true, true},         {st, "a", "", ld, false, false},
      {st, "", "a", ld, false, false},      {sust, "a", "", suld, true, true},
      {st, "as", "", suld, false, true},    {st, "sa", "", suld, true, true},
      {st, "a", "s", suld, false, false},   {st, "", "as", suld, false, false},
      {st, "", "sa", suld, true, true},     {sust, "as", "", ld, true, true},
      {sust, "sa", "", ld, false, false},   {sust, "s", "a", ld, false, false},
      {sust, "sat", "", tld, false, true},  {sust, "ast", "", tld, true, true},
      {sust, "sta", "", tld, true, true},   {sust, "sa", "t", tld, false, false},
      {sust, "s", "at", tld, false, false}, {sust, "s", "ta", tld, true, true},
      {sust, "", "sat", tld, false, true}};
  check_rows(rows);
}

TEST_CASE("consistency/ptx: proxies within one thread") {
  const auto misses = [](const std::string& code) {
    const std::string text =
        fmt::format("PTX t\n{{ {} }}\n P0@cta 0,gpu 0 ;\n {} ;\nexists (0:r1=0)\n", kNames, code);
    return outcomes(litmus::parse("f", text), find_model("ptx")).positive > 0;
  };
  CHECK_FALSE(misses("st.weak x, 1 ld.weak r1, x"));
  CHECK_FALSE(misses("sust.weak s, 1 suld.weak r1, s"));
  CHECK(misses("sust.weak s, 1 ld.weak r1, x"));
  CHECK_FALSE(misses("sust.weak s, 1 fence.proxy.surface ld.weak r1, x"));
  CHECK(misses("sust.weak s, 1 fence.proxy.texture ld.weak r1, x"));
  CHECK_FALSE(misses("sust.weak s, 1 fence.proxy.surface fence.proxy.texture tld.weak r1, t"));
  CHECK(misses("sust.weak s, 1 fence.proxy.surface tld.weak r1, t"));
  CHECK(misses("st.weak x, 1 ld.weak r1, y"));
  CHECK_FALSE(misses("st.weak x, 1 fence.proxy.alias ld.weak r1, y"));
}

TEST_CASE("consistency/ptx: without proxies it allows what ptx6 does") {
  const cat::Model ptx = find_model("ptx"), ptx6 = find_model("ptx6");
  const std::vector<std::string> stores = {"st.weak", "st.relaxed.cta", "st.relaxed.gpu",
                                           "st.release.cta", "st.release.gpu"};
  const std::vector<std::string> loads = {"ld.weak", "ld.relaxed.cta", "ld.relaxed.gpu",
                                          "ld.acquire.cta", "ld.acquire.gpu"};
  const std::vector<std::string> fences = {"", "fence.acq_rel.gpu ", "fence.sc.gpu ",
                                           "fence.sc.cta "};
  const auto states = [](const Program& program, const cat::Model& model) {
    std::vector<std::string> result;
    for (const auto& state : outcomes(program, model).states) result.push_back(state.first);
    return result;
  };
  for (const std::string& store : stores) {
    for (const std::string& load : loads) {
      for (const std::string& fence : fences) {
        for (const bool is_message : {true, false}) {
          const std::string text = fmt::format(
              "PTX t\n{{ x=0; y=0; }}\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n {} | {} ;\n"
              "exists (0:r0=0 /\\ 1:r0=0 /\\ 1:r1=0 /\\ x=1)\n",
              is_message ? fmt::format("mov r0, 0 {0} x, 1 {1}{0} y, 1", store, fence)
                         : fmt::format("{0} x, 1 {2}{1} r0, y", store, load, fence),
              is_message ? fmt::format("{0} r0, y {1}{0} r1, x", load, fence)
                         : fmt::format("{0} y, 1 {2}{1} r0, x mov r1, 0", store, load, fence));
          CAPTURE(text);
          const Program program = litmus::parse("f", text);
          CHECK(states(program, ptx) == states(program, ptx6));
        }
      }
    }
  }
}

// The exchange of P0 reads from a store whose thread has seen its write.
TEST_CASE("consistency/ptx: an update observes as one operation") {
  const std::string text =
      "PTX t\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
      " atom.release.sys.exch r0, x, 1 | atom.release.gpu.exch r0, x, 2 st.release.cta x, 3 ;\n"
      "exists (0:r0=3 /\\ 1:r0=1)\n";
  for (const char* model : {"ptx", "ptx6"}) {
    CHECK(outcomes(litmus::parse("f", text), find_model(model)).positive == 0);
  }
}

TEST_CASE("consistency/ptx: who uses proxies is asked under ptx, and has no meaning in ptx6") {
  const auto of = [](const std::string& code) {
    return litmus::parse("f",
                         fmt::format("PTX t\n{{ {} }}\n P0@cta 0,gpu 0 ;\n {} ;\n", kNames, code));
  };
  for (const char* code : {"sust.weak s, 1", "tld.weak r0, t", "st.weak x, 1 ld.weak r0, y",
                           "fence.proxy.alias", "fence.proxy.constant"}) {
    CAPTURE(std::string(code));
    CHECK(model_of(of(code)) == "ptx");
    CHECK(outcomes(of(code), find_model("ptx6")).flagged.contains("proxies"));
  }
  CHECK(model_of(of("st.weak x, 1")) == "ptx6");
  CHECK(outcomes(of("st.weak x, 1"), find_model("ptx6")).flagged.empty());
}

TEST_CASE("consistency/ptx: what is wrong about proxies is refused with its place") {
  const auto complaint = [](const std::string& initial, const std::string& code) {
    return testing::complaint_of([&] {
      litmus::parse("f", fmt::format("PTX t\n{{ {} }}\n P0@cta 0,gpu 0 ;\n {} ;\n", initial, code));
    });
  };
  CHECK(complaint("x=0; s @ surfac aliases x;", "st.weak x, 1") ==
        "2:12: expected a proxy, generic, surface, texture, constant, found 'surfac'; did you mean "
        "'surface'?");
  CHECK(complaint("x=0; s @ surface aliases z;", "st.weak x, 1") ==
        "2:28: there is no location 'z'");
  CHECK(complaint("x=0; s @ surface x;", "st.weak x, 1") == "2:20: expected 'aliases', found 'x'");
  CHECK(complaint("x=0; s @ surface aliases x;", "ld.weak r0, s") ==
        "4:14: this address is one of the surface proxy; expected an instruction of it");
  CHECK(complaint("x=0;", "fence.proxy.textur") ==
        "4:2: expected fence.proxy. and alias, surface, texture, constant, found "
        "'fence.proxy.textur'; did you mean 'texture'?");
}

// PTX ISA, "Memory consistency model", axiom "Fence-SC": of fences that are morally strong alone.
TEST_CASE("consistency/ptx: fences whose scopes do not take in each other order nothing") {
  const auto may_see = [](const std::string& scope, const std::string& block,
                          const std::string& model) {
    const std::string text = fmt::format(
        "PTX t\n{{ x=0; y=0; }}\n P0@cta 0,gpu 0 | P1@cta {},gpu 0 ;\n"
        " fence.sc.{} | ld.acquire.gpu r0, y ;\n st.release.gpu y, 1 | fence.sc.{} ;\n"
        "exists (1:r0=1)\n",
        block, scope, scope);
    return outcomes(litmus::parse("f", text), find_model(model)).positive > 0;
  };
  for (const char* model : {"ptx", "ptx6"}) {
    CAPTURE(model);
    CHECK(may_see("cta", "1", model));
    CHECK(may_see("cta", "0", model));
    CHECK(may_see("gpu", "1", model));
  }
}
