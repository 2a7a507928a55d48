// Random small programs under readings of subgroups: what headway finds in memory at the end,
// against the literal oracle, which takes branches and labels as steps of their own and counts
// rounds from 0 on. HEADWAY_READINGS=5000 in the environment tries so many programs.
#include <doctest/doctest.h>

#include <set>

#include "checker/check.hpp"
#include "languages/languages.hpp"
#include "models/library.hpp"
#include "oracle/readings_oracle.hpp"
#include "support/budget.hpp"
#include "support/random_tests.hpp"

namespace headway::readings_agreement_test {
namespace {

using lang::SubgroupReading;
using oracle::lockstep::Statement;
using oracle::lockstep::Value;
using oracle::readings::Reading;
using testing::below;
using testing::once_in;
using testing::Random;

struct Compared {
  Reading slow;
  SubgroupReading fast;
};

// Each has all results of those in front of it.
constexpr Compared kCompared[] = {
    {Reading::mr, SubgroupReading::mr},   {Reading::cm, SubgroupReading::cm},
    {Reading::sm, SubgroupReading::sm},   {Reading::scf, SubgroupReading::scf},
    {Reading::sso, SubgroupReading::sso}, {Reading::spec, SubgroupReading::spec}};

class Programs {
 public:
  Programs(Random& random, int i) : random_(random) {
    constexpr int shapes[][3] = {{1, 1, 2}, {1, 1, 3}, {1, 1, 2}, {1, 2, 2}};
    const auto& shape = shapes[static_cast<std::size_t>(i) % std::size(shapes)];
    program_.workgroups = shape[0];
    program_.subgroups = shape[1];
    program_.lanes = shape[2];
    left_ = shape[1] == 2 ? 3 : 3 + below(random, 4);
    program_.body = list(2, false);
  }
  const oracle::lockstep::Program& program() const { return program_; }

 private:
  using Kind = Statement::Kind;

  Value value() {
    Value value;
    value.kind = static_cast<Value::Kind>(below(random_, 3));
    if (value.kind != Value::Kind::lane) value.number = below(random_, 2);
    return value;
  }

  void condition(Statement& s) {
    s.variable = below(random_, 2);
    s.value = once_in(random_, 2) ? Value{Value::Kind::lane} : value();
    s.other = {Value::Kind::number, below(random_, 2)};
    if (once_in(random_, 2)) {
      s.reads = once_in(random_, 3) ? Statement::Reads::exchange : Statement::Reads::load;
    }
  }

  Statement simple() {
    Statement s;
    s.target = below(random_, 2);
    s.variable = below(random_, 2);
    s.value = value();
    constexpr Kind kinds[] = {Kind::set,      Kind::load,      Kind::load,      Kind::store,
                              Kind::store,    Kind::operation, Kind::operation, Kind::operation,
                              Kind::exchange, Kind::fetch_add, Kind::choose};
    s.kind = kinds[static_cast<std::size_t>(below(random_, std::size(kinds)))];
    constexpr const char* names[] = {"all", "any", "elect", "ballot"};
    // A ballot of more lanes does not fit into a register here.
    s.name = names[below(random_, program_.lanes == 2 ? 4 : 3)];
    return s;
  }

  std::vector<Statement> list(int depth, bool in_loop) {
    std::vector<Statement> result;
    const int wanted = 1 + below(random_, depth == 2 ? 4 : 2);
    for (int i = 0; i < wanted && left_ > 0; ++i) {
      --left_;
      const int what = below(random_, 10);
      if (depth == 0 || what < 5) {
        result.push_back(simple());
        continue;
      }
      Statement s;
      s.kind = what < 8 ? Kind::branch : once_in(random_, 2) ? Kind::do_loop : Kind::loop;
      condition(s);
      s.body = list(depth - 1, in_loop || what >= 8);
      if (what < 8 && once_in(random_, 2)) s.otherwise = list(depth - 1, in_loop);
      result.push_back(std::move(s));
    }
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

struct Found {
  std::set<std::string> memories;
  bool stuck = false, beyond = false, passes = false;
};

constexpr std::size_t kMostStates = 50'000;

// Nothing where the reading cannot have the program, or it has too many states.
std::optional<Found> results_of(const std::string& text, SubgroupReading reading) {
  using Ending = lang::Program::Ending;
  const lang::Test test = lang::parse(text, "random");
  lang::SourcePtr source;
  try {
    source = test.source->in_reading(reading);
  } catch (const Error&) {
    return std::nullopt;
  }
  const auto program = source->make_program();
  static const models::Library library;
  const std::vector<models::ModelPtr> none = {library.named("thread=unfair")};
  Found found;
  checker::CheckOptions limits;
  limits.max_states = kMostStates;
  found.passes =
      checker::Checker().check(*program, none, limits).verdicts[0].weak == checker::Verdict::pass;
  checker::Explorer explorer;
  const checker::Lts* lts = explorer.explore(*program, {true, kMostStates});
  if (lts == nullptr) return std::nullopt;
  const ThreadSet all = ThreadSet::first(program->threads());
  for (checker::StateId state = 0; state < lts->states(); ++state) {
    const lang::Word* words = lts->words(state);
    if (program->terminated(words) != all) {
      found.stuck = found.stuck || program->running(words).empty();
      continue;
    }
    found.beyond = found.beyond || program->ending(words) == Ending::beyond;
    if (program->ending(words) == Ending::real) {
      found.memories.insert(program->describe_memory(words));
    }
  }
  return found;
}

bool includes(const std::set<std::string>& all, const std::set<std::string>& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

}  // namespace

TEST_CASE("checker/readings_agreement: random programs end as the oracle says, readings in order") {
  Random random(testing::wished("HEADWAY_READINGS_SEED", 81));
  const int programs = testing::wished("HEADWAY_READINGS", 80 / testing::kShare);
  int whole = 0, decided = 0, different = 0;
  for (int i = 0; i < programs; ++i) {
    const Programs drawn(random, i);
    const std::string text = text_of(drawn.program());
    CAPTURE(text);
    std::optional<Found> before;
    const std::optional<Found> guessed = results_of(text, SubgroupReading::symb);
    for (const Compared& compared : kCompared) {
      CAPTURE(std::string(to_string(compared.fast)));
      const std::optional<Found> fast = results_of(text, compared.fast);
      if (!fast) continue;
      ++decided;
      if (!fast->beyond) {
        if (before && !before->beyond) CHECK(includes(fast->memories, before->memories));
        if (before) different += fast->memories != before->memories ? 1 : 0;
        before = fast;
      }
      const auto slow = oracle::readings::results_of(drawn.program(), compared.slow, 3000);
      if (fast->beyond) {
        // What has been looked at is real.
        if (slow.all) CHECK(includes(slow.memories, fast->memories));
        continue;
      }
      CHECK(includes(fast->memories, slow.memories));
      if (!slow.all) continue;
      ++whole;
      CHECK(includes(slow.memories, fast->memories));
      CHECK(fast->stuck == slow.stuck);
      // What has finitely many states where rounds count ends, unless it gets stuck.
      if (!slow.memories.empty()) CHECK(fast->passes == !slow.stuck);
    }
    if (guessed && before && !before->beyond) CHECK(includes(guessed->memories, before->memories));
  }
  MESSAGE(decided << " decided, " << whole << " of them in whole, " << different
                  << " with more results than the reading in front");
  CHECK(whole > decided / 3);
  CHECK(different > programs / 10);
}

}  // namespace headway::readings_agreement_test
