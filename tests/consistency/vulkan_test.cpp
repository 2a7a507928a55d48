// What the Vulkan model allows: availability and visibility, scopes, storage classes, barriers,
// what the host orders. Facts of the specification's appendix, and of the tests beside its Alloy
// model.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "consistency/litmus/parse.hpp"
#include "consistency/models.hpp"
#include "consistency/outcomes.hpp"

using namespace headway;
using namespace headway::consistency;

namespace {

constexpr const char* kVulkanGroup = "sg 0,wg 0,qf 0|sg 1,wg 0,qf 0|sg 2,wg 0,qf 0|sg 3,wg 0,qf 0";
constexpr const char* kVulkanGroups = "sg 0,wg 0,qf 0|sg 0,wg 1,qf 0|sg 0,wg 2,qf 0|sg 0,wg 3,qf 0";
constexpr const char* kFamilies = "sg 0,wg 0,qf 0|sg 0,wg 0,qf 1|sg 0,wg 0,qf 2|sg 0,wg 0,qf 3";

std::vector<std::string> split_by(const std::string& text, char by) {
  std::vector<std::string> result(1);
  for (const char c : text) {
    if (c == by) {
      result.emplace_back();
    } else {
      result.back() += c;
    }
  }
  return result;
}

// Threads of instructions with ';' between them, at the first places.
std::string vulkan_test(const std::string& places, const std::vector<std::string>& threads,
                        const std::string& condition, const std::string& initial = "x=0; y=0; z=0;",
                        const std::string& host = "") {
  const std::vector<std::string> all = split_by(places, '|');
  std::vector<std::vector<std::string>> columns;
  std::size_t rows = 0;
  std::string head;
  for (std::size_t t = 0; t < threads.size(); ++t) {
    head += fmt::format("{} P{}@{}", t == 0 ? "" : " |", t, all[t]);
    columns.push_back(split_by(threads[t], ';'));
    rows = std::max(rows, columns.back().size());
  }
  std::string text = fmt::format("VULKAN t\n{{ {} }}\n{}\n{} ;\n", initial, host, head);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t t = 0; t < columns.size(); ++t) {
      text += fmt::format("{} {}", t == 0 ? "" : " |", r < columns[t].size() ? columns[t][r] : "");
    }
    text += " ;\n";
  }
  return text + condition + "\n";
}

Outcomes ask_vulkan(const std::string& text) {
  static const cat::Model vulkan = find_model("vulkan");
  const Outcomes found = outcomes(litmus::parse("f", text), vulkan);
  CHECK(found.cut.empty());
  return found;
}
bool vulkan_allows(const std::string& text) { return ask_vulkan(text).positive > 0; }
bool vulkan_races(const std::string& text) { return ask_vulkan(text).flagged.contains("race"); }

// A message through y: where the flag is seen to be set, is there a race about x?
std::string vulkan_message(const std::string& places, const std::string& writes,
                           const std::string& reads) {
  return vulkan_test(places, {writes, reads}, "filter (1:r0=1)\nexists (1:r1=0)");
}
// The same, and whether the message may be missing.
struct Answer {
  bool missed, races;
  friend bool operator==(const Answer&, const Answer&) = default;
};
Answer message_passes(const std::string& places, const std::string& writes,
                      const std::string& reads) {
  const Outcomes found = ask_vulkan(vulkan_message(places, writes, reads));
  CHECK(found.positive + found.negative > 0);
  return {found.positive > 0, found.flagged.contains("race")};
}
constexpr Answer kPasses = {false, false}, kRaces = {true, true};

}  // namespace

TEST_CASE("consistency/vulkan: a message needs an order, availability and visibility in scope") {
  const std::string release = "st.atom.rel.wg.sc0.semsc0 y, 1";
  const std::string acquire = "ld.atom.acq.wg.sc0.semsc0 r0, y";
  const auto with = [&](const char* places, const std::string& write, const std::string& read) {
    return message_passes(places, write + ";" + release, acquire + ";" + read);
  };
  CHECK(with(kVulkanGroup, "st.av.wg.sc0 x, 1", "ld.vis.wg.sc0 r1, x") == kPasses);
  CHECK(with(kVulkanGroup, "st.av.dv.sc0 x, 1", "ld.vis.dv.sc0 r1, x") == kPasses);
  // One of them alone, and neither.
  CHECK(with(kVulkanGroup, "st.av.wg.sc0 x, 1", "ld.nonpriv.sc0 r1, x") == kRaces);
  CHECK(with(kVulkanGroup, "st.nonpriv.sc0 x, 1", "ld.vis.wg.sc0 r1, x") == kRaces);
  CHECK(with(kVulkanGroup, "st.sc0 x, 1", "ld.sc0 r1, x") == kRaces);
  // In too small a domain: threads of other subgroups do not see what is made available to one.
  CHECK(with(kVulkanGroup, "st.av.sg.sc0 x, 1", "ld.vis.wg.sc0 r1, x") == kRaces);
  CHECK(with(kVulkanGroup, "st.av.wg.sc0 x, 1", "ld.vis.sg.sc0 r1, x") == kRaces);
  // The scope of the order does not take in the other workgroup.
  CHECK(with(kVulkanGroups, "st.av.dv.sc0 x, 1", "ld.vis.dv.sc0 r1, x") == kRaces);
  // Atomics are made available and visible by themselves.
  CHECK(with(kVulkanGroup, "st.atom.wg.sc0 x, 1", "ld.atom.wg.sc0 r1, x") == kPasses);
  // Private accesses are ordered by the host alone.
  CHECK(message_passes(kVulkanGroup, "st.sc0 x, 1;st.atom.rel.wg.sc0.semsc0.semav y, 1",
                       "ld.atom.acq.wg.sc0.semsc0.semvis r0, y;ld.sc0 r1, x") == kRaces);
}

TEST_CASE("consistency/vulkan: semantics make available and visible in bulk") {
  const auto with = [&](const std::string& semantics, const std::string& read_semantics) {
    return message_passes(
        kVulkanGroup, "st.nonpriv.sc0 x, 1;st.atom.rel.wg.sc0.semsc0" + semantics + " y, 1",
        "ld.atom.acq.wg.sc0.semsc0" + read_semantics + " r0, y;ld.nonpriv.sc0 r1, x");
  };
  CHECK(with(".semav", ".semvis") == kPasses);
  CHECK(with(".semav", "") == kRaces);
  CHECK(with("", ".semvis") == kRaces);
  CHECK(with("", "") == kRaces);
}

TEST_CASE("consistency/vulkan: fences order atomics of the classes of their semantics") {
  const auto with = [&](const std::string& scope, const std::string& flag_class,
                        const std::string& semantics) {
    return message_passes(kVulkanGroups,
                          fmt::format("st.av.dv.sc0 x, 1;membar.rel.{0}.{2};st.atom.dv.{1} y, 1",
                                      scope, flag_class, semantics),
                          fmt::format("ld.atom.dv.{1} r0, y;membar.acq.{0}.{2};ld.vis.dv.sc0 r1, x",
                                      scope, flag_class, semantics));
  };
  CHECK(with("dv", "sc0", "semsc0") == kPasses);
  CHECK(with("qf", "sc0", "semsc0") == kPasses);
  CHECK(with("wg", "sc0", "semsc0") == kRaces);
  CHECK(with("dv", "sc1", "semsc0.semsc1") == kPasses);
  CHECK(with("dv", "sc1", "semsc0") == kRaces);  // not about the class of the flag
  CHECK(with("dv", "sc1", "semsc1") == kRaces);  // nor of the message
  CHECK(with("dv", "sc3", "semsc0.semsc3") == kPasses);
  // No fence in front of the acquire.
  CHECK(message_passes(kVulkanGroups, "st.av.dv.sc0 x, 1;st.atom.dv.sc0 y, 1",
                       "ld.atom.acq.dv.sc0.semsc0 r0, y;ld.vis.dv.sc0 r1, x") == kRaces);
}

TEST_CASE("consistency/vulkan: scopes of queue families and of the device") {
  const auto with = [&](const char* places, const std::string& scope) {
    return message_passes(
        places, fmt::format("st.av.{0}.sc0 x, 1;st.atom.rel.{0}.sc0.semsc0 y, 1", scope),
        fmt::format("ld.atom.acq.{0}.sc0.semsc0 r0, y;ld.vis.{0}.sc0 r1, x", scope));
  };
  CHECK(with(kFamilies, "dv") == kPasses);
  CHECK(with(kFamilies, "qf") == kRaces);
  CHECK(with(kVulkanGroups, "qf") == kPasses);
  CHECK(with(kVulkanGroups, "wg") == kRaces);
  CHECK(with("sg 0,wg 0,qf 0|sg 0,wg 0,qf 0", "sg") == kPasses);
  CHECK(with(kVulkanGroup, "sg") == kRaces);
}

TEST_CASE("consistency/vulkan: release sequences are the atomic and updates alone") {
  const auto with = [&](const std::string& between) {
    const std::string text = vulkan_test(
        kVulkanGroups,
        {"st.av.dv.sc0 x, 1;st.atom.rel.dv.sc0.semsc0 y, 1" + between,
         "rmw.atom.dv.sc0.add r2, y, 5", "ld.atom.acq.dv.sc0.semsc0 r0, y;ld.vis.dv.sc0 r1, x"},
        "filter (2:r0=6 /\\ 1:r2=1)\nexists (2:r1=0)");
    return vulkan_allows(text);
  };
  CHECK_FALSE(with(""));
  // A later store of the same thread is no part of it, unlike in C++11.
  CHECK(vulkan_allows(
      vulkan_test(kVulkanGroups,
                  {"st.av.dv.sc0 x, 1;st.atom.rel.dv.sc0.semsc0 y, 1;st.atom.dv.sc0 y, 2",
                   "ld.atom.acq.dv.sc0.semsc0 r0, y;ld.vis.dv.sc0 r1, x"},
                  "exists (1:r0=2 /\\ 1:r1=0)")));
  // Behind a release fence a relaxed store heads one.
  CHECK_FALSE(vulkan_allows(vulkan_test(
      kVulkanGroups,
      {"st.av.dv.sc0 x, 1;membar.rel.dv.semsc0;st.atom.dv.sc0 y, 1", "rmw.atom.dv.sc0 r2, y, 7",
       "ld.atom.acq.dv.sc0.semsc0 r0, y;ld.vis.dv.sc0 r1, x"},
      "filter (1:r2=1 /\\ 2:r0=7)\nexists (2:r1=0)")));
}

TEST_CASE("consistency/vulkan: availability is handed on by chains") {
  // The write is available to the workgroup; another thread of it makes it available to the device.
  const auto text = [](const std::string& middle_semantics, const std::string& available) {
    return vulkan_test("sg 0,wg 0,qf 0|sg 1,wg 0,qf 0|sg 0,wg 1,qf 0",
                       {"st.av." + available + ".sc0 x, 1;st.atom.rel.wg.sc0.semsc0 y, 1",
                        "ld.atom.acq.wg.sc0.semsc0 r0, y;st.atom.rel.dv.sc1.semsc0.semsc1" +
                            middle_semantics + " z, 1",
                        "ld.atom.acq.dv.sc1.semsc0.semsc1 r0, z;ld.vis.dv.sc0 r1, x"},
                       "filter (1:r0=1 /\\ 2:r0=1)\nexists (2:r1=0)");
  };
  CHECK_FALSE(vulkan_races(text(".semav", "wg")));
  CHECK_FALSE(vulkan_allows(text(".semav", "wg")));
  CHECK(vulkan_races(text("", "wg")));
  CHECK_FALSE(vulkan_races(text("", "dv")));  // there already
  CHECK(vulkan_races(text(".semav", "sg")));  // the other thread is of another subgroup
}

TEST_CASE("consistency/vulkan: a control barrier orders memory where it has semantics") {
  const auto with = [&](const std::string& barrier, const std::string& write,
                        const std::string& read) {
    const Outcomes found = ask_vulkan(vulkan_test(
        kVulkanGroup, {write + ";" + barrier + " 0", barrier + " 0;" + read}, "exists (1:r1=0)"));
    return Answer{found.positive > 0, found.flagged.contains("race")};
  };
  CHECK(with("cbar.acq_rel.wg.semsc0", "st.av.wg.sc0 x, 1", "ld.vis.wg.sc0 r1, x") == kPasses);
  CHECK(with("cbar.acq_rel.wg.semsc0.semav.semvis", "st.nonpriv.sc0 x, 1",
             "ld.nonpriv.sc0 r1, x") == kPasses);
  CHECK(with("cbar.acq_rel.wg.semsc1", "st.av.wg.sc0 x, 1", "ld.vis.wg.sc0 r1, x") == kRaces);
  CHECK(with("cbar.wg", "st.av.wg.sc0 x, 1", "ld.vis.wg.sc0 r1, x") == kRaces);
  CHECK(with("cbar.acq_rel.sg.semsc0", "st.av.wg.sc0 x, 1", "ld.vis.wg.sc0 r1, x") == kRaces);
  // Fences on both sides do as well.
  CHECK(with("membar.acq_rel.wg.semsc0;cbar.wg 0;membar.acq_rel.wg.semsc0;cbar.wg",
             "st.av.wg.sc0 x, 1", "ld.vis.wg.sc0 r1, x") == kPasses);
  // Nobody leaves alone.
  CHECK(
      ask_vulkan(vulkan_test(kVulkanGroup, {"cbar.wg 0", "cbar.wg 1"}, "exists (x=0)")).positive ==
      0);
}

TEST_CASE("consistency/vulkan: what the host orders goes by the device domain") {
  const std::string host = "{ ssw 0 1; ssw P1 P2; }";
  const auto with = [&](const std::string& first, const std::string& between,
                        const std::string& last) {
    return vulkan_races(vulkan_test(kVulkanGroups, {first, between, last}, "exists (x=1)",
                                    "x=0; y aliases x;", host));
  };
  CHECK_FALSE(with("st.sc0 x, 1", "avdevice;visdevice", "ld.sc0 r1, x"));
  CHECK_FALSE(with("st.sc0 x, 1", "avdevice;visdevice", "ld.sc0 r1, y"));  // any reference
  CHECK(with("st.sc0 x, 1", "avdevice", "ld.sc0 r1, x"));
  CHECK_FALSE(with("st.sc0 x, 1", "avdevice", "st.sc0 x, 2"));
  CHECK(with("st.sc0 x, 1", "ld.sc0 r0, z", "st.sc0 x, 2"));
  CHECK_FALSE(with("ld.sc0 r1, x", "ld.sc0 r0, z", "st.sc0 x, 2"));  // write after read
  // Chains do not cross references in shaders.
  CHECK(vulkan_races(vulkan_test(kVulkanGroup,
                                 {"st.av.wg.sc0 x, 1;cbar.acq_rel.wg.semsc0 0",
                                  "cbar.acq_rel.wg.semsc0 0;ld.vis.wg.sc0 r1, y"},
                                 "exists (x=1)", "x=0; y aliases x;")));
}

TEST_CASE(
    "consistency/vulkan: atomics are coherent in scope, and have no order between locations") {
  const auto relaxed = [](const std::string& reads) {
    return vulkan_test(kVulkanGroups, {"st.atom.dv.sc0 x, 1", "st.atom.dv.sc0 x, 2", reads, reads},
                       "exists (2:r0=1 /\\ 2:r1=2 /\\ 3:r0=2 /\\ 3:r1=1)");
  };
  CHECK_FALSE(vulkan_allows(relaxed("ld.atom.dv.sc0 r0, x;ld.atom.dv.sc0 r1, x")));
  // Out of the scope of the writes each group has its own order (and a race).
  const std::string apart = vulkan_test(
      kVulkanGroups,
      {"st.atom.wg.sc0 x, 1", "st.atom.dv.sc0 x, 2", "ld.atom.dv.sc0 r0, x;ld.atom.dv.sc0 r1, x",
       "ld.atom.dv.sc0 r0, x;ld.atom.dv.sc0 r1, x"},
      "exists (2:r0=1 /\\ 2:r1=2 /\\ 3:r0=2 /\\ 3:r1=1)");
  CHECK(vulkan_allows(apart));
  CHECK(vulkan_races(apart));
  // Store buffering: there is no sequential consistency.
  const auto buffered = [](const std::string& store, const std::string& load) {
    return vulkan_test(kVulkanGroups,
                       {store + " x, 1;" + load + " r0, y", store + " y, 1;" + load + " r0, x"},
                       "exists (0:r0=0 /\\ 1:r0=0)");
  };
  CHECK(vulkan_allows(buffered("st.atom.dv.sc0", "ld.atom.dv.sc0")));
  CHECK(vulkan_allows(buffered("st.atom.rel.dv.sc0.semsc0", "ld.atom.acq.dv.sc0.semsc0")));
  CHECK_FALSE(vulkan_races(buffered("st.atom.dv.sc0", "ld.atom.dv.sc0")));
  // Updates of one location do not meet.
  CHECK_FALSE(vulkan_allows(
      vulkan_test(kVulkanGroups, {"rmw.atom.dv.sc0.add r0, x, 1", "rmw.atom.dv.sc0.add r0, x, 1"},
                  "exists (0:r0=0 /\\ 1:r0=0)")));
  CHECK(vulkan_races(vulkan_test(kVulkanGroups,
                                 {"rmw.atom.wg.sc0.add r0, x, 1", "rmw.atom.wg.sc0.add r0, x, 1"},
                                 "exists (x=2)")));
  // Who wrote twice leaves the second.
  CHECK_FALSE(
      vulkan_allows(vulkan_test(kVulkanGroups, {"st.sc0 x, 1;st.sc0 x, 2"}, "exists (x=1)")));
  CHECK_FALSE(
      vulkan_allows(vulkan_test(kVulkanGroups, {"st.sc0 x, 1;ld.sc0 r0, x"}, "exists (0:r0=0)")));
  // Accesses that race may be seen in another order than they were made.
  CHECK(vulkan_allows(vulkan_test(kVulkanGroups,
                                  {"st.sc0 x, 1;st.sc0 x, 2", "ld.sc0 r0, x;ld.sc0 r1, x"},
                                  "exists (1:r0=2 /\\ 1:r1=1)")));
}

TEST_CASE("consistency/vulkan: a stronger order, scope or semantics never allows more") {
  const auto executions = [](const std::string& write, const std::string& flag,
                             const std::string& test, const std::string& read) {
    const Outcomes found = ask_vulkan(vulkan_test(
        kVulkanGroups, {write + " x, 1;" + flag + " y, 1", test + " r0, y;" + read + " r1, x"},
        "exists (1:r0=1 /\\ 1:r1=0)"));
    return std::pair(found.positive, found.flagged.contains("race"));
  };
  // From weak to strong, each stronger than the one before.
  const std::vector<std::string> writes = {"st.sc0", "st.nonpriv.sc0", "st.av.wg.sc0",
                                           "st.av.dv.sc0"};
  const std::vector<std::string> reads = {"ld.sc0", "ld.nonpriv.sc0", "ld.vis.wg.sc0",
                                          "ld.vis.dv.sc0"};
  const std::vector<std::string> flags = {"st.atom.dv.sc0", "st.atom.rel.wg.sc0.semsc0",
                                          "st.atom.rel.dv.sc0.semsc0",
                                          "st.atom.rel.dv.sc0.semsc0.semav"};
  const std::vector<std::string> tests = {"ld.atom.dv.sc0", "ld.atom.acq.wg.sc0.semsc0",
                                          "ld.atom.acq.dv.sc0.semsc0",
                                          "ld.atom.acq.dv.sc0.semsc0.semvis"};
  for (std::size_t w = 0; w < writes.size(); ++w) {
    for (std::size_t f = 0; f < flags.size(); ++f) {
      for (std::size_t t = 0; t < tests.size(); ++t) {
        for (std::size_t r = 0; r < reads.size(); ++r) {
          if (f == 1 || t == 1) continue;  // an atomic of a smaller scope is weaker than relaxed
          const auto weak = executions(writes[w], flags[f], tests[t], reads[r]);
          for (const auto& [dw, df, dt, dr] :
               {std::tuple(1, 0, 0, 0), {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}) {
            std::size_t f2 = f + df, t2 = t + dt;
            if (f2 == 1) f2 = 2;
            if (t2 == 1) t2 = 2;
            if (w + dw >= 4 || f2 >= 4 || t2 >= 4 || r + dr >= 4) continue;
            const auto strong = executions(writes[w + dw], flags[f2], tests[t2], reads[r + dr]);
            CHECK(strong.first <= weak.first);
            CHECK(strong.second <= weak.second);
          }
        }
      }
    }
  }
}
