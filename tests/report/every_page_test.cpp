// The page of answers for every N; tests/e2e opens one.
#include "report/every_page.hpp"

#include <doctest/doctest.h>

#include "every/decide.hpp"
#include "support/errors.hpp"

using namespace headway;
using every::Answer;
using every::FamilyAnswer;
using testing::contains;

namespace {

constexpr const char* kLock =
    "idiom lock\nN = 2..4;\nshared bool x;\nthreads { while (exch(x, 1)); store(x, 0); }\n";

std::string html(const std::vector<FamilyAnswer>& families,
                 const std::vector<std::string>& problems = {}) {
  return report::every_html({"a title", "1.2.3", families, problems});
}

// The row of the table of sizes that begins with `reading`, without tags.
std::string row(const std::string& page, const std::string& reading) {
  const std::size_t begin = page.find("<th scope=\"row\">" + reading + "</th>");
  if (begin == std::string::npos) return "none";
  std::string text;
  bool inside = true;
  for (const char c : page.substr(begin, page.find("</tr>", begin) - begin)) {
    if (c == '<' && !inside) text += '|';
    if (c == '<') inside = true;
    if (!inside) text += c;
    if (c == '>') inside = false;
  }
  return text;
}

FamilyAnswer by_hand(const std::vector<Answer>& answers) {
  FamilyAnswer family;
  family.name = "by-hand";
  family.file = "by-hand.litmus";
  family.smallest = 2;
  family.answers = answers;
  return family;
}

Answer answer(every::Promise promise, Answer::Kind kind, int n, int passes_to) {
  Answer answer;
  answer.reading.promise = promise;
  answer.kind = kind;
  answer.n = n;
  answer.passes_to = passes_to;
  return answer;
}

}  // namespace

TEST_CASE("report/every_page: each answer says of each N what it says, and no more") {
  using Kind = Answer::Kind;
  const std::string page = html({by_hand({answer(every::Promise::unfair, Kind::fail_from, 3, 2),
                                          answer(every::Promise::hsa, Kind::fail_at, 3, 2),
                                          answer(every::Promise::obe, Kind::error_from, 3, 2),
                                          answer(every::Promise::hsa_obe, Kind::error_at, 3, 2),
                                          answer(every::Promise::lobe, Kind::unknown, 0, 4),
                                          answer(every::Promise::fair, Kind::pass, 0, 3)})});
  CHECK(contains(page, "<th scope=\"col\">N = 4</th><th scope=\"col\">N &gt; 4</th>"));
  CHECK(!contains(page, "N = 5"));
  CHECK(row(page, "unfair weak") == "unfair weak||fail from 3||pass||fail||fail||fail|");
  CHECK(row(page, "HSA weak") == "HSA weak||fail at 3||pass||fail||?||?|");
  CHECK(row(page, "OBE weak") == "OBE weak||error from 3||pass||error||error||error|");
  CHECK(row(page, "HSA+OBE weak") == "HSA+OBE weak||error at 3||pass||error||?||?|");
  CHECK(row(page, "LOBE weak") == "LOBE weak||unknown, pass to 4||pass||pass||pass||?|");
  CHECK(row(page, "fair weak") == "fair weak||pass||pass||pass||pass||pass|");
}

TEST_CASE("report/every_page: a proof is there in words, once for all that rest on it") {
  const FamilyAnswer family = every::decide_every(
      kLock, "lock.litmus", {{every::Promise::obe, models::Fairness::weak}, {every::Promise::obe}});
  const std::string page = html({family});
  CHECK(contains(page, "<summary>Why: pass under OBE weak, OBE weak</summary>"));
  CHECK(contains(page, "OBE promises steps to all threads that have started."));
  CHECK(contains(page, "lock.litmus: every N from 1 on; safe for every N."));
  CHECK(contains(page, "threads { while (exch(x, 1)); store(x, 0); }"));
}

TEST_CASE("report/every_page: names, texts and problems are no markup") {
  FamilyAnswer family = by_hand({answer(every::Promise::fair, Answer::Kind::unknown, 0, 2)});
  family.name = family.file = family.text = "<b>\"&";
  const std::string page = html({family}, {"<i>"});
  CHECK(!contains(page, "<b>"));
  CHECK(!contains(page, "<i>"));
  CHECK(contains(page, "&lt;b>&quot;&amp;"));
}
