// Programs whose subgroups run in lockstep: the checker against the literal oracle, which walks the
// tree of their statements. More programs are tried with HEADWAY_AUTOMATA=COUNT in the environment.
#include <doctest/doctest.h>

#include "checker/explain.hpp"
#include "languages/languages.hpp"
#include "models/scoped.hpp"
#include "oracle/lockstep_oracle.hpp"
#include "support/agreement.hpp"
#include "support/budget.hpp"
#include "support/model_pairs.hpp"
#include "support/random_tests.hpp"

namespace headway::testing {
namespace {

using models::Fairness;
using oracle::lockstep::Statement;
using oracle::lockstep::Value;

class LockstepPrograms {
 public:
  LockstepPrograms(Random& random, int i) : random_(random) {
    constexpr int shapes[][3] = {{1, 1, 2}, {2, 1, 2}, {1, 2, 2}, {1, 1, 3},
                                 {1, 1, 4}, {2, 1, 1}, {1, 1, 2}, {2, 1, 3}};
    const auto& shape = shapes[static_cast<std::size_t>(i) % std::size(shapes)];
    program_.workgroups = shape[0];
    program_.subgroups = shape[1];
    program_.lanes = shape[2];
    left_ = 3 + below(random, 5);
    program_.body = list(2, false);
  }

  const oracle::lockstep::Program& program() const { return program_; }

 private:
  using Kind = Statement::Kind;

  Value value() {
    Value value;
    value.kind = static_cast<Value::Kind>(below(random_, 3));
    if (value.kind == Value::Kind::number) value.number = below(random_, 3);
    if (value.kind == Value::Kind::reg) value.number = below(random_, 2);
    return value;
  }

  void condition(Statement& s, bool reads) {
    s.variable = below(random_, 2);
    s.value = value();
    s.other = value();
    if (once_in(random_, 2)) s.value.kind = Value::Kind::lane;
    if (reads && once_in(random_, 2)) {
      s.reads = once_in(random_, 3) ? Statement::Reads::exchange : Statement::Reads::load;
    }
    if (!once_in(random_, 4)) s.other = {Value::Kind::number, below(random_, 2)};
  }

  Statement simple() {
    Statement s;
    s.target = below(random_, 2);
    s.variable = below(random_, 2);
    s.value = value();
    constexpr Kind kinds[] = {Kind::set,       Kind::load,   Kind::store,    Kind::store,
                              Kind::exchange,  Kind::await,  Kind::barrier,  Kind::operation,
                              Kind::operation, Kind::choose, Kind::fetch_add};
    s.kind = kinds[static_cast<std::size_t>(below(random_, std::size(kinds)))];
    if (once_in(random_, 25)) {
      s.kind = Kind::assertion;
      condition(s, false);
    }
    s.grid = once_in(random_, 3);
    s.or_ended = once_in(random_, 2);
    if (s.kind == Kind::operation) {
      constexpr const char* names[] = {"all", "any", "elect", "broadcast", "shuffle", "ballot"};
      s.name = names[static_cast<std::size_t>(below(random_, 6))];
      // A ballot of more lanes does not fit into a register here.
      if (s.name == "ballot" && program_.lanes > 2) s.name = "any";
      if (s.name == "broadcast") s.other = {Value::Kind::number, below(random_, program_.lanes)};
      if (s.name == "shuffle") s.other = once_in(random_, 2) ? Value{Value::Kind::lane} : value();
    }
    return s;
  }

  std::vector<Statement> list(int depth, bool in_loop) {
    std::vector<Statement> result;
    const int wanted = 1 + below(random_, depth == 2 ? 4 : 2);
    for (int i = 0; i < wanted && left_ > 0; ++i) {
      --left_;
      const int what = below(random_, 10);
      if (depth == 0 || what < 4) {
        result.push_back(simple());
      } else if (what < 7) {
        Statement& s = result.emplace_back();
        s.kind = Kind::branch;
        condition(s, true);
        s.body = list(depth - 1, in_loop);
        if (once_in(random_, 2)) s.otherwise = list(depth - 1, in_loop);
      } else {
        Statement s;
        s.kind = once_in(random_, 3) ? Kind::do_loop : Kind::loop;
        condition(s, true);
        s.body = list(depth - 1, true);
        result.push_back(s);
      }
    }
    // Nothing stands behind a jump, as nothing would come to it.
    if (depth < 2 && once_in(random_, 4)) {
      Statement& s = result.emplace_back();
      s.kind = !in_loop || once_in(random_, 5) ? Kind::return_
               : once_in(random_, 3)           ? Kind::continue_
                                               : Kind::break_;
    }
    if (result.empty()) result.push_back(simple());
    return result;
  }

  Random& random_;
  oracle::lockstep::Program program_;
  int left_ = 0;  // statements
};

struct LockstepPair {
  models::ModelPtr fast;
  oracle::ScopedModel slow;
};

LockstepPair draw_pair(Random& random, const Pairs& pairs) {
  models::ModelsByLevel members;
  oracle::ScopedModel slow;
  for (std::size_t level = 0; level < kLevels.size(); ++level) {
    if (once_in(random, 5)) continue;
    const Pair& pair =
        pairs[static_cast<std::size_t>(below(random, static_cast<int>(pairs.size())))];
    members[level] = pair.fast;
    slow.at(oracle::kLevels[level]) = pair.slow.form;
  }
  const std::string name = models::scoped_name(members);
  slow.name = name;
  return {std::make_shared<models::ScopedModel>(name, "", members), slow};
}

// As a whole, and swept.
std::vector<checker::CheckOptions> lockstep_explorations() {
  std::vector<checker::CheckOptions> result(3);
  result[0].reductions.layers = false;
  result[1].small = result[2].small = 1;
  result[2].reductions.early_stop = false;
  result[2].reductions.symmetry = false;
  result[2].reductions.history = false;
  return result;
}

}  // namespace

TEST_CASE("checker/lockstep_agreement: random programs agree with the oracle") {
  Random random(71);
  const Pairs functions = standard_pairs() + family_pairs(), all = all_pairs();
  checker::Checker checker;
  VerdictTally tally;
  int decided = 0;
  for (int i = 0; i < wanted_programs(1500 / testing::kShare); ++i) {
    const LockstepPrograms drawn(random, i);
    const std::string text = text_of(drawn.program());
    CAPTURE(text);
    std::vector<models::ModelPtr> fast;
    std::vector<checker::ModelVerdict> wanted;
    bool small = true;
    for (int m = 0; m < 4 && small; ++m) {
      const LockstepPair pair = draw_pair(random, m == 3 ? all : functions);
      const auto lts = oracle::explore(behaviour_of(drawn.program()), pair.slow, 250);
      small = lts.has_value();
      if (!small) break;
      fast.push_back(pair.fast);
      wanted.push_back({verdict_by_definition(*lts, Fairness::weak),
                        verdict_by_definition(*lts, Fairness::strong)});
    }
    if (!small) continue;
    ++decided;
    const auto program = lang::make_program(lang::parse(text, "random"));
    for (const checker::CheckOptions& options : lockstep_explorations()) {
      const checker::CheckResult result = checker.check(*program, fast, options);
      REQUIRE(result.complete);
      for (std::size_t m = 0; m < fast.size(); ++m) {
        CAPTURE(fast[m]->name());
        CHECK(to_string(result.verdicts[m].weak) == to_string(wanted[m].weak));
        CHECK(to_string(result.verdicts[m].strong) == to_string(wanted[m].strong));
      }
    }
    tally.add(wanted);
  }
  MESSAGE(decided << " programs; verdicts: pass " << tally.pass << ", fail " << tally.fail
                  << ", error " << tally.error << ", strong alone " << tally.strong_alone);
  CHECK(decided > wanted_programs(1500 / testing::kShare) / 2);
  CHECK(tally.pass > decided / 4);
  CHECK(tally.fail > decided / 4);
  CHECK(tally.error > 0);
}

TEST_CASE("checker/lockstep_agreement: witnesses replay") {
  Random random(72);
  const Pairs all = all_pairs();
  int failing = 0;
  for (int i = 0; i < 200; ++i) {
    const LockstepPrograms drawn(random, i);
    const std::string text = text_of(drawn.program());
    CAPTURE(text);
    if (!oracle::explore(behaviour_of(drawn.program()), oracle::ScopedModel(), 250)) continue;
    const auto program = lang::make_program(lang::parse(text, "random"));
    const LockstepPair pair = draw_pair(random, all);
    for (const Fairness fairness : models::kFairnesses) {
      // It throws when a witness does not replay.
      const auto found = checker::explain(*program, *pair.fast, fairness);
      failing += found.verdict == checker::Verdict::fail ? 1 : 0;
    }
  }
  CHECK(failing > 20);
}

TEST_CASE("checker/lockstep_agreement: a sweep knows executions that an assumption ends") {
  const std::string body =
      "shared int(0..4) x;\nthreads {\n  bool r = choose(0..1);\n  assume(r == 1);\n"
      "  while (load(x) != tid);\n  store(x, tid + 1);\n}\nfinal { assert(load(x) == THREADS); }\n";
  const std::size_t fair = standard_pairs().size() - 1;
  const Pairs pairs = standard_pairs() + event_pairs();
  std::vector<models::ModelPtr> fast;
  for (const Pair& pair : pairs) fast.push_back(pair.fast);
  checker::Checker checker;
  for (const std::string launch : {"idiom t\n3 workgroups of 1 thread;\n",
                                   "idiom t\n2 workgroups of 2 threads;\nexecution: lockstep;\n"}) {
    const auto program = lang::make_program(lang::parse(launch + body, "assumes"));
    const auto ways = lockstep_explorations();
    const auto whole = checker.check(*program, fast, ways[0]);
    CHECK_FALSE(whole.error);
    CHECK(whole.verdicts == checker.check(*program, fast, ways[1]).verdicts);
    CHECK(whole.verdicts == checker.check(*program, fast, ways[2]).verdicts);
  }
  const auto program =
      lang::make_program(lang::parse("idiom t\n3 workgroups of 1 thread;\n" + body, "assumes"));
  const auto verdicts = checker.check(*program, fast, lockstep_explorations()[1]).verdicts;
  CHECK(verdicts.front().weak == checker::Verdict::fail);  // unfair
  CHECK(verdicts[fair].weak == checker::Verdict::pass);
}

}  // namespace headway::testing
