#include "every/decide.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <stdexcept>

#include "checker/explain.hpp"
#include "every/check_certificate.hpp"
#include "every/observed_caps.hpp"
#include "lang/idiom/program.hpp"
#include "models/library.hpp"

namespace headway::every {
namespace {

using Claim = Certificate::Claim;
using AnswerKind = Answer::Kind;
using Newcomer = Certificate::Newcomer;
using checker::Verdict;
using lang::idiom::IdiomProgram;

// Caps to try, one after the other: those of places that a thread does not come back to, and of
// loops.
constexpr std::array<Caps, 10> kLadder = {
    {{0, 0}, {1, 0}, {2, 0}, {1, 1}, {2, 1}, {2, 2}, {3, 1}, {3, 0}, {4, 0}, {4, 2}}};
// So many of them come before the caps that a run of few threads suggests.
constexpr int kObservedAfter = 3;
constexpr std::size_t kMostPlaces = 2000;
constexpr std::int64_t kLargestNumber = 16;

// The largest number of the programs, up to a limit; what counts up to it may be a number.
int largest_number(const lang::idiom::Syntax& syntax) {
  std::int64_t largest = 0;
  const std::function<void(const lang::idiom::Expression&)> look = [&](const auto& e) {
    if (e.kind == lang::idiom::Expression::Kind::number && e.number <= kLargestNumber) {
      largest = std::max(largest, e.number);
    }
    for (const auto& operand : e.operands) look(operand);
  };
  const std::function<void(const lang::idiom::Statement&)> look_at = [&](const auto& s) {
    if (s.expression) look(*s.expression);
    for (const auto& value : s.values) look(value);
    for (const auto& inner : s.body) look_at(inner);
    for (const auto& inner : s.otherwise) look_at(inner);
  };
  for (const auto& constant : syntax.constants) look(constant.value);
  for (const auto& block : syntax.blocks) {
    for (const auto& statement : block.body) look_at(statement);
  }
  return static_cast<int>(largest);
}

class Decision {
 public:
  Decision(std::string_view text, const std::string& file, const std::vector<Reading>& readings,
           const EveryOptions& options)
      : options_(options), text_(text), family_(read_family(text, file)) {
    result_.name = family_.syntax.name;
    result_.file = file;
    result_.text = text;
    result_.smallest = family_.smallest;
    result_.refusal = family_.refusal;
    for (const Reading& reading : readings) result_.answers.emplace_back().reading = reading;
  }

  FamilyAnswer run() {
    const int first = std::max(family_.smallest, 4);
    run_sizes(family_.smallest, std::min(first, options_.most_threads));
    if (family_.uniform && !result_.wrong) prove_all();
    if (!result_.wrong) prove_row();
    if (!result_.wrong) prove_counted();
    if ((any_unknown() || !result_.safe) && !result_.wrong)
      run_sizes(next_size_, options_.most_threads);
    result_.safe_to = next_size_ - 1;
    return std::move(result_);
  }

 private:
  bool any_unknown() const {
    return std::any_of(result_.answers.begin(), result_.answers.end(),
                       [](const Answer& answer) { return answer.kind == AnswerKind::unknown; });
  }
  bool stopped() const { return options_.stop != nullptr && *options_.stop; }

  // Runs of fixed N, until nothing is unknown, something goes wrong or a limit is reached.
  void run_sizes(int from, int to) {
    for (next_size_ = std::max(next_size_, from); next_size_ <= to && !limited_; ++next_size_) {
      if (stopped()) return;
      run_size(next_size_);
      if (limited_ || result_.wrong) return;
    }
  }

  void run_size(int n) {
    std::vector<models::ModelPtr> models;
    std::vector<Promise> promises;
    for (const Answer& answer : result_.answers) {
      if (answer.kind != AnswerKind::unknown) continue;
      if (std::count(promises.begin(), promises.end(), answer.reading.promise) > 0) continue;
      promises.push_back(answer.reading.promise);
      models.push_back(library_.named(to_string(answer.reading.promise)));
    }
    if (models.empty()) {
      if (result_.safe) {
        limited_ = true;
        return;
      }
      models.push_back(library_.named("unfair"));
    }
    const std::shared_ptr<const lang::idiom::Code> code = compiled(n);
    if (code == nullptr) {
      limited_ = true;
      return;
    }
    const IdiomProgram program(code);
    checker::CheckOptions limits{options_.max_states, options_.stop};
    const checker::CheckResult checked = checker_.check(program, models, limits);
    if (checked.error) return goes_wrong(program, *checked.error, n);
    if (!checked.complete) {
      limited_ = true;
      return;
    }
    for (Answer& answer : result_.answers) {
      const auto at = std::find(promises.begin(), promises.end(), answer.reading.promise);
      if (answer.kind != AnswerKind::unknown || at == promises.end()) continue;
      const Verdict verdict = checked.verdicts[at - promises.begin()].of(answer.reading.fairness);
      if (verdict == Verdict::pass) answer.passes_to = n;
      if (verdict == Verdict::fail) fails(answer, program, n);
    }
  }

  // Null where there is no such program, for an N larger than the least.
  std::shared_ptr<const lang::idiom::Code> compiled(int n) const {
    try {
      return std::make_shared<const lang::idiom::Code>(family_.compiled(n));
    } catch (const Error&) {
      if (n == family_.smallest) throw;
      return nullptr;
    }
  }

  void goes_wrong(const IdiomProgram& program, const checker::ErrorTrace& trace, int n) {
    result_.wrong = checker::wrong_run(program, trace);
    result_.wrong_from = n;
    Certificate certificate = of_run(Claim::error, n, {});
    for (const lang::Step step : trace.steps) certificate.stem.push_back(step.thread);
    certificate.newcomer = family_.uniform ? Newcomer::idle : Newcomer::none;
    const bool holds = !objection_to(to_json(certificate));
    result_.wrong_from_then_on = family_.uniform && holds;
    for (Answer& answer : result_.answers) {
      if (answer.kind != AnswerKind::unknown) continue;
      answer.kind = family_.uniform && holds ? AnswerKind::error_from : AnswerKind::error_at;
      answer.n = n;
      if (holds) answer.certificate = certificate;
    }
  }

  Certificate of_run(Claim claim, int n, Reading reading) const {
    Certificate certificate;
    certificate.program = text_;
    certificate.claim = claim;
    certificate.reading = reading;
    certificate.n = n;
    return certificate;
  }

  // The certificate of an execution that does not end, of as many N as its checker accepts.
  void fails(Answer& answer, const IdiomProgram& program, int n) {
    answer.kind = AnswerKind::fail_at;
    answer.n = n;
    const checker::Explanation explanation =
        checker::explain(program, *library_.named(to_string(answer.reading.promise)),
                         answer.reading.fairness, {options_.max_states, options_.stop});
    if (!explanation.witness) return;
    Certificate certificate = of_run(Claim::fail, n, answer.reading);
    const checker::Lasso& lasso = explanation.witness->lasso;
    for (const lang::Step step : lasso.stem) certificate.stem.push_back(step.thread);
    // The history settles in the first round.
    for (const lang::Step step : lasso.cycle) certificate.stem.push_back(step.thread);
    for (const lang::Step step : lasso.cycle) certificate.cycle.push_back(step.thread);
    for (const Newcomer newcomer : {Newcomer::idle, Newcomer::restoring, Newcomer::none}) {
      certificate.newcomer = newcomer;
      if (objection_to(to_json(certificate))) continue;
      if (newcomer != Newcomer::none) answer.kind = AnswerKind::fail_from;
      answer.certificate = std::move(certificate);
      return;
    }
  }

  // Method A, with higher and higher caps.
  void prove_all() {
    Space space(*family_.uniform);
    Abstraction abstraction(space);
    AbstractGraph all;
    if (abstraction.build({}, options_.max_abstract, all, true) == AbstractionEnd::limit) return;
    std::vector<std::vector<int>> ladder;
    ladder.reserve(kLadder.size() + 1);
    for (const Caps caps : kLadder) ladder.push_back(caps_by_place(space, all, caps));
    ladder.insert(ladder.begin() + kObservedAfter, observed_caps(space, options_.max_abstract));
    std::set<std::vector<int>> tried;
    for (const std::vector<int>& by_place : ladder) {
      if (stopped() || (!any_unknown() && result_.safe)) return;
      if (!tried.insert(by_place).second) continue;
      AbstractGraph graph;
      const AbstractionEnd end = abstraction.build(by_place, options_.max_abstract, graph);
      if (end == AbstractionEnd::limit) continue;
      if (end == AbstractionEnd::unsafe) continue;
      prove_with(space, graph, by_place);
    }
  }

  void prove_with(Space& space, const AbstractGraph& graph, const std::vector<int>& caps) {
    Certificate base = blank();
    base.counted = counted(space, graph, caps);
    settle_safety(base);
    if (!result_.safe) return;
    for (Answer& answer : result_.answers) {
      if (answer.kind != AnswerKind::unknown || stopped()) continue;
      std::optional<std::vector<Round>> rounds = prove(space, graph, answer.reading);
      if (!rounds) continue;
      Certificate certificate = base;
      certificate.claim = Claim::pass;
      certificate.reading = answer.reading;
      certificate.rounds = std::move(*rounds);
      if (objection_to(to_json(certificate))) continue;
      answer.kind = AnswerKind::pass;
      answer.certificate = std::move(certificate);
    }
  }

  bool done() const { return stopped() || (!any_unknown() && result_.safe); }

  // Takes a proof of all that is unknown about some readings, where it is accepted.
  template <class Is>
  void settle(Certificate certificate, const Is& is_about) {
    certificate.claim = Claim::pass;
    std::vector<Answer*> answers;
    std::vector<Reading> readings;
    for (Answer& answer : result_.answers) {
      if (answer.kind != AnswerKind::unknown || !is_about(answer.reading.promise)) continue;
      answers.push_back(&answer);
      readings.push_back(answer.reading);
    }
    if (answers.empty() || objection_to(to_json(certificate), readings)) return;
    for (Answer* answer : answers) {
      certificate.reading = answer->reading;
      answer->kind = AnswerKind::pass;
      answer->certificate = certificate;
    }
    if (result_.safe) return;
    // What is accepted shows that nothing goes wrong, too.
    result_.safe = true;
    certificate.claim = Claim::safe;
    certificate.rounds.clear();
    result_.safety = std::move(certificate);
  }
  void settle_safety(const Certificate& certificate) {
    if (result_.safe || objection_to(to_json(certificate))) return;
    result_.safe = true;
    result_.safety = certificate;
  }
  Certificate blank() const {
    Certificate certificate;
    certificate.program = text_;
    certificate.claim = Claim::safe;
    return certificate;
  }

  // Method B: positions that are ids, and then such as are drawn.
  void prove_row() {
    const auto prove = [&](bool drawn, Positions& row) {
      if (!row.build(drawn, kMostPlaces, options_.stop)) return missing("in a row", row.reason());
      Certificate base = blank();
      base.row = row.graph();
      for (const bool below_ended : {false, true}) {
        const std::optional<std::vector<Round>> rounds = row.prove(below_ended);
        if (!rounds && below_ended) missing("in a row", row.reason());
        if (!rounds) continue;
        base.row->below_ended = below_ended;
        base.rounds = *rounds;
        settle(base, [&](Promise promise) { return carries(promise, drawn, below_ended); });
      }
      base.rounds.clear();
      settle_safety(base);
    };
    attempt("in a row", [&] {
      Positions row(family_);
      for (const bool drawn : {false, true}) {
        if (done() || (drawn && !row.can_draw())) return;
        attempt("in a row", [&] { prove(drawn, row); });
      }
    });
  }

  // Method C, with more and more threads counted.
  void prove_counted() {
    if (done()) return;
    if (!family_.shape) {
      result_.reasons.push_back(*family_.id);
      return;
    }
    std::vector<CountingCaps> ladder(3);
    ladder[1].most = most_together(family_, std::max(family_.smallest * family_.group, 3), 1);
    ladder[2].anywhere = 2;
    const int largest = largest_number(family_.syntax);
    for (std::size_t i = 0, plain = ladder.size(); i < plain && largest > 0; ++i) {
      ladder.push_back(ladder[i]);
      ladder.back().largest_number = largest;
    }
    for (const std::size_t most : {options_.max_abstract / 16, options_.max_abstract / 2}) {
      for (const CountingCaps& caps : ladder) {
        if (done()) return;
        attempt("counted", [&] { prove_counted(caps, most); });
      }
    }
  }

  void prove_counted(const CountingCaps& caps, std::size_t most_nodes) {
    Counting counting(family_);
    if (!counting.build(caps, most_nodes, options_.stop)) {
      return missing("counted", counting.reason());
    }
    Certificate base = blank();
    base.counted = counting.graph();
    for (const Kept kept : {Kept::nobody, Kept::started, Kept::all}) {
      if (done()) return;
      const std::optional<std::vector<Round>> rounds = counting.prove(kept);
      if (!rounds && kept == Kept::all) missing("counted", counting.reason());
      if (!rounds) continue;
      base.rounds = *rounds;
      settle(base, [&](Promise promise) { return kept_by(promise) >= kept; });
    }
    base.rounds.clear();
    settle_safety(base);
  }

  // What a method cannot say leaves answers open.
  template <class Method>
  void attempt(const char* threads, const Method& method) {
    try {
      method();
    } catch (const Unsupported& unsupported) {
      missing(threads, unsupported);
    } catch (const Error& error) {
      missing(error);
    } catch (const std::overflow_error& error) {
      missing(threads, {error.what(), {}});
    }
  }

  void missing(const char* threads, const Unsupported& reason) {
    missing(Error({result_.file, reason.line.line, 0},
                  fmt::format("threads {}: {}", threads, reason.text), reason.line.text));
  }
  void missing(const Error& error) {
    for (const Error& known : result_.reasons) {
      if (known.diagnostic() == error.diagnostic()) return;
    }
    result_.reasons.push_back(error);
  }

  const EveryOptions options_;
  const std::string text_;
  const Family family_;
  const models::Library library_;
  checker::Checker checker_;
  FamilyAnswer result_;
  int next_size_ = 0;
  bool limited_ = false;
};

}  // namespace

std::string Answer::to_string() const {
  switch (kind) {
    case Kind::pass:
      return "pass";
    case Kind::fail_from:
      return fmt::format("fail from {}", n);
    case Kind::fail_at:
      return fmt::format("fail at {}", n);
    case Kind::error_from:
      return fmt::format("error from {}", n);
    case Kind::error_at:
      return fmt::format("error at {}", n);
    case Kind::unknown:
      break;
  }
  return passes_to > 0 ? fmt::format("unknown, pass to {}", passes_to) : "unknown";
}

FamilyAnswer decide_every(std::string_view text, const std::string& file,
                          const std::vector<Reading>& readings, const EveryOptions& options) {
  return Decision(text, file, readings, options).run();
}

}  // namespace headway::every
