// The library of idioms, what the documentation says about it, and broken variants of it.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/file.hpp"
#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::source_dir;
using Json = nlohmann::json;

namespace {

std::vector<std::filesystem::path> files(const std::string& folder) {
  std::vector<std::filesystem::path> result;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() / folder)) {
    result.push_back(entry.path());
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::string needs(const Json& test) {
  std::string text;
  for (const std::string reading : test.at("weakest_sufficient")) {
    if (reading == "unfair:weak") return "nothing";
    const std::size_t colon = reading.find(':');
    text += (text.empty() ? "" : " or ") + reading.substr(0, colon);
    if (reading.substr(colon) == ":strong") text += ", strongly fair";
  }
  return text;
}

std::string resident(const Json& answer) {
  const auto trend = [&](const char* fairness) {  // without the sizes, which the page has above
    const std::string text = answer.at("trend").at(fairness);
    return text.substr(0, text.find(", for N = "));
  };
  const std::string weak = trend("weak"), strong = trend("strong");
  if (weak == strong) return weak;
  if (contains(weak, "never")) return "weakly never sure to terminate; strongly " + strong;
  return "weakly " + weak + "; strongly " + strong;
}

}  // namespace

TEST_CASE("cli/idioms: every idiom expects verdicts for 2, 3 and 4 threads, and has them") {
  const CommandResult all =
      headway::testing::headway({"check", (source_dir() / "litmus/idioms").string()});
  CHECK(all.status == 0);
  CHECK(all.err.empty());
  for (const auto& file : files("litmus/idioms")) {
    const std::string text = headway::read_file(file);
    CAPTURE(file.string());
    CHECK(contains(text, "\nidiom " + file.stem().string() + "\nN = 2..4;\n"));
    CHECK(contains(text, "\nexpect"));
  }
}

TEST_CASE("cli/idioms: broken locks and barriers are told from the right ones") {
  const CommandResult all =
      headway::testing::headway({"check", (source_dir() / "tests/data/broken").string()});
  CHECK(all.status == 0);
  CHECK(all.err.empty());
  for (const auto& file : files("tests/data/broken")) {
    CAPTURE(file.string());
    const std::string text = headway::read_file(file);
    CHECK((contains(text, "expect { error; }") ||
           contains(text, "expect { fail unfair, HSA, OBE, HSA+OBE, LOBE, fair; }")));
  }
}

TEST_CASE("cli/idioms: the table in the documentation is what headway says") {
  std::map<std::string, std::vector<std::string>> rows;
  std::istringstream page(headway::read_file(source_dir() / "docs/reference/idioms.md"));
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| [")) continue;
    std::vector<std::string> cells;
    std::istringstream rest(line.substr(1));
    for (std::string cell; std::getline(rest, cell, '|');) {
      cells.push_back(cell.substr(1, cell.size() < 2 ? 0 : cell.size() - 2));
    }
    rows[cells.at(0).substr(1, cells[0].find(']') - 1)] = cells;
  }
  for (const auto& file : files("litmus/idioms")) {
    CAPTURE(file.string());
    const auto row = rows.find(file.stem().string());
    REQUIRE(row != rows.end());
    const CommandResult check =
        headway::testing::headway({"check", "--format", "json", "--threads", "4", file.string()});
    CHECK(row->second.at(2) == needs(Json::parse(check.out).at(0)));
    const CommandResult answer = headway::testing::headway(
        {"residency", "--format", "json", "--threads", "2..4", file.string()});
    CHECK(row->second.at(3) == resident(Json::parse(answer.out)));
    rows.erase(row);
  }
  CHECK(rows.empty());
}

TEST_CASE("cli/idioms: residency is the smallest k of OBE-k that passes") {
  const std::string file = (source_dir() / "litmus/idioms/discovery-barrier-ids.litmus").string();
  const CommandResult answer =
      headway::testing::headway({"residency", "--format", "csv", "-n", "3", file});
  CHECK(answer.out ==
        "test,threads,fairness,resident\ndiscovery-barrier-ids,3,weak,2\n"
        "discovery-barrier-ids,3,strong,2\n");
  for (int k = 0; k <= 3; ++k) {
    const CommandResult check =
        headway::testing::headway({"check", "--format", "csv", "-n", "3", "--model",
                                   "OBE-k(k=" + std::to_string(k) + ")", file});
    CHECK(contains(check.out, k < 2 ? "weak,fail" : "weak,pass"));
  }
  const CommandResult axb =
      headway::testing::headway({"residency", (source_dir() / "litmus/chain-3.litmus").string()});
  CHECK(contains(axb.out, "needs 3 of 3"));
}

TEST_CASE("cli/idioms: errors are a verdict, a trace and an exit status") {
  const std::string broken =
      (source_dir() / "tests/data/broken/cas-lock-not-atomic.litmus").string();
  std::string text = headway::read_file(broken);
  text.erase(text.find("expect"));
  headway::testing::CommandOptions input;
  input.input = text;
  const CommandResult table = headway::testing::headway({"check", "-n", "2", "-"}, input);
  CHECK(table.status == 1);
  CHECK(contains(table.out, "OBE      error  error"));
  CHECK(contains(table.out, "how it goes wrong"));
  CHECK(contains(table.err, "goes wrong: step 6, thread 1, line 8"));
  const CommandResult json =
      headway::testing::headway({"check", "-n", "2", "--format", "json", "-"}, input);
  CHECK(Json::parse(json.out).at(0).at("error").size() == 6);
  CHECK(Json::parse(json.out).at(0).at("verdicts").at(0).at("verdict") == "error");
  const CommandResult csv =
      headway::testing::headway({"check", "-n", "2", "--format", "csv", "-"}, input);
  CHECK(contains(csv.out, ",fair,strong,error\n"));
  const CommandResult explained =
      headway::testing::headway({"explain", "-n", "2", "-m", "OBE", "-"}, input);
  CHECK(explained.status == 1);
  CHECK(contains(explained.out, "error, the program goes wrong"));
  const CommandResult residency =
      headway::testing::headway({"residency", "-n", "2..3", "-"}, input);
  CHECK(residency.status == 1);
  CHECK(residency.out.empty());
  CHECK(contains(residency.err, "goes wrong"));
  // An error that is expected and does not come is an expectation that is not met.
  input.input = "threads 0..1 { } expect { error; }";
  const CommandResult fine = headway::testing::headway({"check", "-"}, input);
  CHECK(fine.status == 1);
  CHECK(contains(fine.err, "expected stdin to go wrong; it does not"));
}

TEST_CASE("cli/idioms: members of a family are chosen by their number of threads") {
  const std::string file = (source_dir() / "litmus/idioms/ticket-lock.litmus").string();
  const CommandResult none = headway::testing::headway({"explain", file, "-m", "OBE"});
  CHECK(none.status == 2);
  CHECK(contains(none.err, "expected one test, as with --threads 2"));
  const CommandResult one =
      headway::testing::headway({"explain", file, "-m", "OBE", "--threads", "3"});
  CHECK(one.status == 0);
  CHECK(contains(one.out, "ticket-lock-3 under OBE"));
  const CommandResult lts = headway::testing::headway({"lts", file, "-n", "2", "--format", "json"});
  CHECK(lts.status == 0);
  CHECK(contains(lts.out, "store(serving, my + 1); [my=0]"));
  const CommandResult bad = headway::testing::headway({"check", file, "--threads", "4..2"});
  CHECK(bad.status == 2);
  CHECK(
      contains(bad.err, "--threads:1:4: number of threads '2' is out of range; expected 4 to 64"));
  const CommandResult odd = headway::testing::headway({"check", file, "--threads", "2:4"});
  CHECK(odd.status == 2);
  CHECK(contains(odd.err, "expected numbers of threads or ranges such as 2..6 or 2,4,8"));
}
