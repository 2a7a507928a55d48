// Answers for every N: the library, the facts that thresholds rest on, and what is refused.
#include "every/decide.hpp"

#include <doctest/doctest.h>

#include <map>

#include "checker/check.hpp"
#include "every/check_certificate.hpp"
#include "lang/idiom/library.hpp"
#include "languages/languages.hpp"
#include "models/library.hpp"

using namespace headway;
using every::Answer;
using every::Certificate;
using every::FamilyAnswer;
using every::Promise;
using every::Reading;
using models::Fairness;

namespace {

FamilyAnswer decide(const std::string& text, const std::vector<Reading>& readings,
                    const every::EveryOptions& options = {}) {
  return every::decide_every(text, "test", readings, options);
}

std::string answer(const std::string& text, Reading reading) {
  return decide(text, {reading}).answers.front().to_string();
}

const std::string kDeclarations = "idiom test\nN = 2..4;\nshared bool x, y;\n";

// What is said of a family for which there are no proofs.
std::string refusal(const std::string& text) {
  const FamilyAnswer family = decide(text, {{Promise::fair, Fairness::weak}});
  return family.refusal ? family.refusal->diagnostic() : "";
}

}  // namespace

TEST_CASE("every/decide: idioms that look neither at N nor at ids") {
  const std::map<std::string, std::map<std::string, std::string>> known = {
      {"exchange-lock", {{"OBE:weak", "pass"}, {"HSA:strong", "fail from 2"}}},
      {"cas-lock", {{"OBE:weak", "pass"}, {"unfair:weak", "fail from 2"}}},
      {"ttas-lock", {{"LOBE:weak", "pass"}, {"HSA:weak", "fail from 2"}}},
      {"producer-consumer-up", {{"HSA:weak", "pass"}, {"OBE:strong", "fail from 2"}}},
      {"producer-consumer-down",
       {{"fair:weak", "pass"}, {"OBE:weak", "fail from 2"}, {"HSA:weak", "fail from 2"}}},
      {"sequence-lock",
       {{"HSA:weak", "pass"}, {"OBE:weak", "pass"}, {"unfair:weak", "fail from 2"}}},
      {"try-locks",
       {{"OBE:strong", "pass"}, {"OBE:weak", "fail from 2"}, {"fair:weak", "fail from 2"}}}};
  for (const auto& idiom : lang::idiom::library()) {
    const auto found = known.find(idiom.name);
    if (found == known.end()) continue;
    CAPTURE(idiom.name);
    std::vector<Reading> readings;
    for (const Promise promise : every::kPromises) {
      for (const Fairness fairness : models::kFairnesses) readings.push_back({promise, fairness});
    }
    const FamilyAnswer family = decide(std::string(idiom.content), readings);
    CHECK(family.safe);
    CHECK(family.safety.has_value());
    for (const Answer& answer : family.answers) {
      const auto expected = found->second.find(answer.reading.to_string());
      if (expected == found->second.end()) continue;
      CAPTURE(expected->first);
      CHECK(answer.to_string() == expected->second);
      CHECK(answer.certificate.has_value());
    }
  }
}

TEST_CASE("every/decide: what N = 2..4 does not tell") {
  // The sixth comer hangs.
  const std::string text =
      "idiom late\nN = 2..4;\nshared int(0..5) n;\nthreads {\n  int(0..5) old;\n  do {\n"
      "    old = load(n);\n    if (old == 5) for (;;) load(n);\n"
      "  } while (cas(n, old, old + 1) != old);\n}\n";
  CHECK(answer(text, {Promise::fair, Fairness::weak}) == "fail at 6");
  CHECK(answer(text, {Promise::obe, Fairness::strong}) == "fail from 6");
}

TEST_CASE("every/decide: one more thread can save the others under fair") {
  const std::string text =
      "idiom test\nN = 2..4;\nshared bool first, y;\nthreads {\n"
      "  if (exch(first, 1) == 0) {\n    while (!load(y));\n"
      "  } else {\n    store(y, 1);\n  }\n}\n";
  CHECK(answer(text, {Promise::fair, Fairness::weak}) == "fail at 1");
  CHECK(answer(text, {Promise::obe, Fairness::weak}) == "fail from 1");
}

TEST_CASE("every/decide: a barrier, where N is mentioned") {
  const std::string text =
      "idiom test\nN = 2..4;\nshared int(0..N) n;\nthreads {\n"
      "  fetch_add(n, 1);\n  while (load(n) != N);\n}\n";
  CHECK(answer(text, {Promise::fair, Fairness::weak}) == "pass");
  CHECK(answer(text, {Promise::obe, Fairness::weak}) == "fail from 2");
  CHECK(refusal(text).find("test:3:15: the range of n depends on N") != std::string::npos);
}

TEST_CASE("every/decide: the whole library, by what is decided for every N") {
  std::map<std::string, int> answers;
  for (const auto& idiom : lang::idiom::library()) {
    std::vector<Reading> readings;
    for (const Promise promise : every::kPromises) {
      for (const Fairness fairness : models::kFairnesses) readings.push_back({promise, fairness});
    }
    const FamilyAnswer family = decide(std::string(idiom.content), readings, {.most_threads = 4});
    CHECK(!family.wrong.has_value());
    for (const Answer& answer : family.answers) {
      CHECK((answer.open() || answer.certificate.has_value()));
    }
    for (const Answer& answer : family.answers) ++answers[answer.to_string()];
  }
  CHECK(answers["pass"] >= 154);
  CHECK(answers["fail from 2"] + answers["fail from 3"] >= 110);
  CHECK(answers["fail at 2"] <= 1);
  CHECK(answers["unknown, pass to 4"] + answers["unknown, pass to 3"] <= 28);
}

TEST_CASE("every/decide: what only looks like a row, a barrier or a ticket lock is none") {
  struct Trap {
    std::string what, program, hsa, obe, fair;
  };
  const std::string ticket =
      "shared int(0..N) next, serving;\nthreads {\n"
      "  int(0..N) my = fetch_add(next, 1);\n";
  const std::string wait = "  while (load(serving) != my);\n";
  const std::string count = "shared int(0..N) arrived;\nthreads {\n";
  const std::vector<Trap> traps = {
      {"who looks up, not down",
       "shared bool done[N];\nthreads {\n  if (tid < N - 1) while (!load(done[tid + 1]));\n"
       "  store(done[tid], 1);\n}\n",
       "fail from 2", "fail from 2", "unknown, pass to 6"},
      {"the first one says nothing",
       "shared bool done[N];\nthread 0 { }\nthreads 1..N-1 {\n  while (!load(done[tid - 1]));\n"
       "  store(done[tid], 1);\n}\n",
       "fail from 2", "fail from 2", "fail at 2"},
      {"the first one has a program of its own",
       "shared bool done[N];\nthread 0 { store(done[0], 1); }\nthreads 1..N-1 {\n"
       "  while (!load(done[tid - 1]));\n  store(done[tid], 1);\n}\n",
       "pass", "fail from 2", "pass"},
      {"a turn is skipped",
       "shared int(0..2*N) next, serving;\nthreads {\n  int(0..2*N) my = fetch_add(next, 1);\n" +
           wait + "  store(serving, my + 2);\n}\n",
       "fail from 2", "fail from 2", "fail at 2"},
      {"one keeps the turn",
       ticket + wait + "  if (my == 1) return;\n  store(serving, my + 1);\n}\n", "fail from 2",
       "fail from 3", "fail at 3"},
      {"one does not wait",
       ticket + "  if (my != 1) while (load(serving) != my);\n  store(serving, my + 1);\n}\n",
       "fail from 2", "fail from 2", "fail at 2"},
      {"a barrier for one less",
       count + "  fetch_add(arrived, 1);\n  while (load(arrived) != N - 1);\n}\n", "fail at 2",
       "fail at 2", "fail at 2"},
      {"a barrier for at least one less",
       count + "  fetch_add(arrived, 1);\n  while (load(arrived) < N - 1);\n}\n", "fail from 3",
       "fail from 3", "pass"},
      {"a barrier that counts down at once",
       count + "  fetch_add(arrived, 1);\n  while (load(arrived) < N);\n"
               "  fetch_sub(arrived, 1);\n}\n",
       "fail from 2", "fail from 2", "fail at 2"},
      {"the fifth waits",
       count + "  int(0..N) r = fetch_add(arrived, 1);\n"
               "  if (r == 4) while (load(arrived) != 0);\n}\n",
       "fail from 5", "fail from 5", "fail at 5"}};
  for (const Trap& trap : traps) {
    CAPTURE(trap.what);
    const std::string text = "idiom test\nN = 2..4;\n" + trap.program;
    CHECK(answer(text, {Promise::hsa, Fairness::weak}) == trap.hsa);
    CHECK(answer(text, {Promise::obe, Fairness::weak}) == trap.obe);
    CHECK(answer(text, {Promise::fair, Fairness::weak}) == trap.fair);
  }
}

TEST_CASE("every/decide: thresholds do without proofs where ranges and arrays grow with N") {
  const auto hsa = [](const std::string& declarations, const std::string& range) {
    const std::string text = "idiom test\nN = 2..4;\n" + declarations +
                             "shared bool x;\nthreads {\n  " + range +
                             " r = tid;\n  while (exch(x, 1) == 1);\n  store(x, 0);\n}\n";
    CAPTURE(text);
    return answer(text, {Promise::hsa, Fairness::weak});
  };
  CHECK(hsa("", "int(0..63)") == "fail from 2");
  CHECK(hsa("", "int(0..N)") == "fail from 2");
  CHECK(hsa("shared bool y[2 * N + 1];\n", "int(-1..N - 1)") == "fail from 2");
  CHECK(hsa("const M = N + 1;\n", "int(0..M)") == "fail from 2");
  CHECK(hsa("", "int(0..70 - N)") == "fail at 2");
  CHECK(hsa("", "int(0 - N..64)") == "fail from 2");
  CHECK(hsa("", "wrap int(0..N)") == "fail at 2");
  CHECK(hsa("shared int(0..99) y = N;\n", "int(0..63)") == "fail at 2");
  CHECK(hsa("shared bool y[N] = {0, 0};\n", "int(0..63)") == "fail at 2");
}

TEST_CASE("every/decide: places that make a family not uniform") {
  const auto has = [](const std::string& text, const std::string& part) {
    CAPTURE(refusal(text));
    CHECK(refusal(text).find(part) != std::string::npos);
  };
  has(kDeclarations + "threads { store(x, tid / 2); }\n", "test:4:20: expected tid % c");
  has(kDeclarations + "threads { store(x, tid > 2); }\n", "test:4:20: expected tid % c");
  has(kDeclarations + "threads { store(x, tid % 100 > 0); }\n", "test:4:26: expected a number");
  has(kDeclarations + "threads { if (N > 3) store(x, 1); }\n", "test:4:15: this depends on N");
  has("idiom test\nN = 2..4;\nconst M = N - 1;\nshared bool x;\nthreads { if (M > 1) store(x, 1); "
      "}",
      "test:5:15: this depends on N");
  has(kDeclarations + "threads 0..N-2 { store(x, 1); }\nthread N-1 { store(x, tid > 0); }\n",
      "test:5:23: tid depends on N here");
  has("idiom test\nN = 2..4;\nshared bool x[N];\nthreads { store(x[0], 1); }\n",
      "the size of x depends on N");
}

TEST_CASE("every/decide: programs that no answer for every N is about") {
  const Reading reading{Promise::fair, Fairness::weak};
  const auto refused = [&](const std::string& text, const std::string& part) {
    CHECK_THROWS_WITH_AS(answer(text, reading), doctest::Contains(part.c_str()), Error);
  };
  refused("idiom t\nshared bool x;\nthread 0 { store(x, 1); }\n", "a fixed number of threads");
  refused(kDeclarations + "threads { await(load(x) == 1); }\n", "threads wait blocked");
  refused(kDeclarations + "threads { while (weak_cas(x, 0, 1) == 0); }\n", "threads choose");
  refused("locations x; thread 0 { x = 1; }", "expected a family of the idiom language");
}

TEST_CASE("every/decide: who is told apart by a number is a special") {
  std::vector<Reading> readings;
  for (const Promise promise : every::kPromises) {
    for (const Fairness fairness : models::kFairnesses) readings.push_back({promise, fairness});
  }
  const auto answers = [&](const std::string& threads) {
    std::vector<std::string> all;
    for (const Answer& answer : decide(kDeclarations + threads, readings).answers) {
      all.push_back(answer.to_string());
    }
    return all;
  };
  const std::string set = "store(x, 1);", wait = "while (!load(x));";
  const auto apart = answers("thread 0 { " + set + " }\nthreads 1..N-1 { " + wait + " }\n");
  CHECK(apart == std::vector<std::string>{"fail from 2", "fail from 2", "pass", "pass",
                                          "fail from 2", "fail from 2", "pass", "pass", "pass",
                                          "pass", "pass", "pass"});
  const auto told = [&](const std::string& condition, bool sets) {
    return answers("threads { if (" + condition + ") { " + (sets ? set : wait) + " } else { " +
                   (sets ? wait : set) + " } }\n");
  };
  CHECK(told("tid == 0", true) == apart);
  CHECK(told("tid != 0", false) == apart);
  CHECK(told("0 < tid", false) == apart);
  CHECK(told("1 > tid", true) == apart);
  // There is a thread 1 then.
  CHECK(decide(kDeclarations + "threads { store(x, 1 > tid); }\n", readings).smallest == 2);
  CHECK(decide(kDeclarations + "threads { store(x, 0 == tid); }\n", readings).smallest == 1);
  // Threads that count each other, and classes behind the special.
  const std::string count = "shared int(0..N) c;\n";
  const std::string all = "  fetch_add(c, 1);\n  while (load(c) != N);\n";
  const auto barrier = answers(count + "threads {\n" + all + "}\n");
  CHECK(answers(count + "threads {\n  if (tid > 0) store(y, tid % 2 == 1);\n" + all + "}\n") ==
        barrier);
}

TEST_CASE("every/decide: N workgroups of one thread are N threads, at each N that is run") {
  const std::string head = "idiom test\nN = 1..5;\n";
  const std::string launch = "N workgroups of 1 thread;\n";
  const std::vector<std::string> programs = {
      "shared bool x;\nthreads { while (exch(x, 1)); store(x, 0); }\n",
      "shared bool x[2];\nthreads {\n  while (exch(x[gid % 2], 1));\n  store(x[gid % 2], "
      "lid);\n}\n",
      "shared bool x[N];\nthreads {\n  if (gid > 0) while (!load(x[gid - 1]));\n"
      "  store(x[gid], WORKGROUP_SIZE);\n}\n",
      "shared int(0..THREADS) c;\nthreads {\n  fetch_add(c, 1);\n"
      "  while (load(c) != WORKGROUPS);\n}\n",
      "shared bool x;\nthread 0 { store(x, 1); }\nthreads 1..N-1 { while (!load(x)); }\n"};
  std::vector<Reading> readings;
  for (const Promise promise : every::kPromises) {
    for (const Fairness fairness : models::kFairnesses) readings.push_back({promise, fairness});
  }
  const models::Library library;
  checker::Checker checker;
  int passes = 0, thresholds = 0;
  for (const std::string& program : programs) {
    CAPTURE(program);
    const FamilyAnswer family = decide(head + launch + program, readings);
    CHECK(family.safe);
    for (const lang::Test& test : lang::parse_all(head + launch + program, "test")) {
      const int n = test.thread_count();
      if (n < family.smallest) continue;
      const auto made = lang::make_program(test);
      const auto checked = checker.check(*made, library.standard(), {});
      for (std::size_t a = 0; a < readings.size(); ++a) {
        const Answer& answer = family.answers[a];
        CAPTURE(n);
        CAPTURE(readings[a].to_string());
        CHECK(!answer.open());
        const bool passes_there = answer.kind == Answer::Kind::pass || n < answer.n;
        const auto verdict = checked.verdicts[a / 2].of(readings[a].fairness);
        CHECK(verdict == (passes_there ? checker::Verdict::pass : checker::Verdict::fail));
      }
    }
    for (const Answer& answer : family.answers) {
      passes += answer.kind == Answer::Kind::pass;
      thresholds += answer.kind == Answer::Kind::fail_from;
    }
  }
  CHECK(passes > 20);
  CHECK(thresholds > 10);
}

TEST_CASE("every/decide: of workgroups of several threads each N that is run agrees") {
  const std::string head = "idiom test\nN = 1..3;\nN workgroups of 2 threads;\n";
  const std::vector<std::string> programs = {
      // All threads of a workgroup run that has started.
      "shared bool x;\nthreads { while (exch(x, 1)); store(x, 0); }\n",
      "shared bool x[2];\nthreads {\n  if (lid == 0) store(x[0], 1); else while "
      "(!load(x[0]));\n}\n",
      "shared bool x;\nthreads { if (tid == 0) store(x, 1); else while (!load(x)); }\n",
      "shared bool x;\nthreads { if (tid == 3) store(x, 1); else while (!load(x)); }\n",
      "shared bool x[THREADS];\nthreads {\n  if (tid > 0) while (!load(x[tid - 1]));\n"
      "  store(x[tid], 1);\n}\n",
      "shared int(0..THREADS) c;\nthreads {\n  fetch_add(c, 1);\n"
      "  while (load(c) != THREADS);\n}\n",
      "shared int(0..THREADS) next, serving;\nthreads {\n"
      "  int(0..THREADS) my = fetch_add(next, 1);\n  while (load(serving) != my);\n"
      "  store(serving, my + 1);\n}\n",
      "shared bool x;\nworkgroup bool y;\nthreads { while (exch(y, 1)); store(y, lid == 2); }\n",
      "shared bool x;\nthreads { assert(exch(x, lid) == 0); }\n"};
  std::vector<Reading> readings;
  for (const Promise promise : every::kPromises) {
    for (const Fairness fairness : models::kFairnesses) readings.push_back({promise, fairness});
  }
  const models::Library library;
  checker::Checker checker;
  std::map<Answer::Kind, int> kinds;
  for (const std::string& program : programs) {
    CAPTURE(program);
    const FamilyAnswer family = decide(head + program, readings);
    for (const Answer& answer : family.answers) ++kinds[answer.kind];
    for (const lang::Test& test : lang::parse_all(head + program, "test")) {
      const int n = test.thread_count() / 2;
      if (n < family.smallest) continue;
      const auto made = lang::make_program(test);
      const auto checked = checker.check(*made, library.standard(), {});
      CHECK((!family.safe || !checked.error));
      for (std::size_t a = 0; a < readings.size(); ++a) {
        const Answer& answer = family.answers[a];
        CAPTURE(n);
        CAPTURE(readings[a].to_string());
        CAPTURE(answer.to_string());
        const auto verdict = checked.verdicts[a / 2].of(readings[a].fairness);
        const bool passes =
            answer.kind == Answer::Kind::pass || n < answer.n || n <= answer.passes_to;
        const bool fails = answer.kind == Answer::Kind::fail_from && n >= answer.n;
        CHECK((!passes || verdict == checker::Verdict::pass));
        CHECK((!fails || verdict == checker::Verdict::fail));
      }
    }
  }
  CHECK(kinds[Answer::Kind::pass] > 30);
  CHECK(kinds[Answer::Kind::fail_from] > 10);
}

TEST_CASE("every/decide: a workgroup that is promised steps gives them to all of its threads") {
  // The second thread waits for the first, which need not have started.
  const std::string text =
      "idiom test\nN = 1..3;\nN workgroups of 2 threads;\nshared bool x;\n"
      "threads { if (lid == 0) store(x, 1); else while (!load(x)); }\n";
  const FamilyAnswer family = decide(text, {{Promise::unfair, Fairness::weak}});
  CHECK(family.answers.front().to_string() == "fail from 2");
  REQUIRE(family.answers.front().certificate.has_value());
  Certificate mutant = *family.answers.front().certificate;
  CHECK(!every::objection_to(to_json(mutant)));
  // Of one workgroup all threads are promised steps, and of several under OBE those of who started.
  mutant.reading.promise = Promise::obe;
  CHECK(every::objection_to(to_json(mutant)).has_value());
}

TEST_CASE("every/decide: other launches are refused at their place") {
  const auto refused = [&](const std::string& launch, const std::string& what,
                           const std::string& program = "while (exch(x, 1)); store(x, 0);") {
    const std::string text =
        "idiom test\nN = 2..4;\n" + launch + "\nshared bool x;\nthreads { " + program + " }\n";
    CAPTURE(text);
    CHECK_THROWS_WITH_AS(answer(text, {Promise::fair, Fairness::weak}),
                         doctest::Contains(what.c_str()), Error);
  };
  refused("2 workgroups of N threads;", "or 'N workgroups of K threads;'");
  refused("1 workgroup of N threads, subgroups of 1;", "or 'N workgroups of K threads;'");
  refused("N + 1 workgroups of 1 thread;", "or 'N workgroups of K threads;'");
  refused("N workgroups of 2 threads;", "expected tid, lid, THREADS or WORKGROUP_SIZE",
          "store(x, gid == 0);");
  refused("N workgroups of 2 threads;", "expected tid, lid, THREADS or WORKGROUP_SIZE",
          "store(x, N == 2);");
  refused("N workgroups of 2 threads;", "wait for each other", "barrier(workgroup);");
  refused("N workgroups of 2 threads;", "threads wait blocked", "await(load(x));");
}

TEST_CASE("every/decide: limits leave answers open and do no harm") {
  const std::string text(lang::idiom::library().front().content);
  every::EveryOptions options;
  options.max_abstract = 1;
  options.most_threads = 2;
  const FamilyAnswer family = decide(text, {{Promise::obe, Fairness::weak}}, options);
  CHECK(family.answers.front().to_string() == "unknown, pass to 2");
  CHECK(!family.safe);
  CHECK(family.safe_to == 2);
}
