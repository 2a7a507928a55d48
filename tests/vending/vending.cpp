#include "vending/vending.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/bits/field.hpp"

namespace headway::vending {
namespace {

using lang::Step;
using lang::Word;

constexpr int kMost = 7;  // of a counter

struct Statement {
  enum class Kind { add, take, await, choose, again, skip };
  Kind kind = Kind::skip;
  int counter = 0;
  int next = 0;   // where it leads
  int other = 0;  // and where the second alternative of a choice does
  int line = 0;
  std::string text;
};

struct Code {
  std::vector<std::string> counters;
  std::vector<int> initial;
  std::vector<std::vector<Statement>> threads;
  std::string text;
};

class Machine final : public lang::Program {
 public:
  explicit Machine(const Code& code)
      : Program(static_cast<int>(code.threads.size()),
                {.block = true, .choose = true, .fail = true}, 1),
        code_(code) {
    FieldAllotter fields(threads());
    // A thread stands at a statement, behind the last one, or has failed.
    for (const auto& thread : code.threads) places_.push_back(fields.allot(thread.size() + 1));
    for (std::size_t c = 0; c < code.counters.size(); ++c) counters_.push_back(fields.allot(kMost));
    set_words(fields.words());
  }

  void initial(Word* state) const override {
    std::fill(state, state + words(), 0);
    for (std::size_t c = 0; c < counters_.size(); ++c) {
      counters_[c].set(state, static_cast<Word>(code_.initial[c]));
    }
  }
  ThreadSet terminated(const Word* state) const override {
    return those([&](int t) { return places_[t].get(state) == code_.threads[t].size(); });
  }
  ThreadSet failed(const Word* state) const override {
    return those([&](int t) { return places_[t].get(state) > code_.threads[t].size(); });
  }
  ThreadSet blocked(const Word* state) const override {
    return those([&](int t) {
      const Statement* at = statement(state, t);
      return at != nullptr && at->kind == Statement::Kind::await &&
             counters_[at->counter].get(state) == 0;
    });
  }
  int choices(const Word* state, int thread) const override {
    return statement(state, thread)->kind == Statement::Kind::choose ? 2 : 1;
  }
  bool step(const Word* state, Step step, Word* next) const override {
    std::copy(state, state + words(), next);
    const Statement& at = *statement(state, step.thread);
    const auto length = static_cast<int>(code_.threads[step.thread].size());
    int place = step.choice == 0 ? at.next : at.other;
    const int count = static_cast<int>(counters_[at.counter].get(state));
    if (at.kind == Statement::Kind::add || at.kind == Statement::Kind::take) {
      const int after = count + (at.kind == Statement::Kind::add ? 1 : -1);
      if (after < 0 || after > kMost) {
        place = length + 1;
      } else {
        counters_[at.counter].set(next, static_cast<Word>(after));
      }
    }
    places_[step.thread].set(next, static_cast<Word>(place));
    return place == length;
  }

  lang::StepText describe_step(const Word* state, Step step) const override {
    const Statement& at = *statement(state, step.thread);
    if (at.kind != Statement::Kind::choose) return {at.line, at.text, "takes its turn"};
    return {at.line, at.text, fmt::format("chooses {}", step.choice == 0 ? "one" : "the other")};
  }
  std::string describe_memory(const Word* state) const override {
    std::string text;
    for (std::size_t c = 0; c < counters_.size(); ++c) {
      text += fmt::format("{}{}={}", c > 0 ? " " : "", code_.counters[c], counters_[c].get(state));
    }
    return text;
  }
  std::string describe_thread(const Word* state, int thread) const override {
    if (const Statement* at = statement(state, thread)) return at->text;
    return terminated(state).contains(thread) ? "END" : "ERROR";
  }

 private:
  template <class Holds>
  ThreadSet those(const Holds& holds) const {
    ThreadSet result;
    for (int t = 0; t < threads(); ++t) result |= holds(t) ? ThreadSet::single(t) : ThreadSet();
    return result;
  }
  const Statement* statement(const Word* state, int thread) const {
    const Word place = places_[thread].get(state);
    return place < code_.threads[thread].size() ? &code_.threads[thread][place] : nullptr;
  }

  const Code& code_;
  std::vector<Field> places_, counters_;
};

class VendingSource final : public lang::Source {
 public:
  explicit VendingSource(Code code) : code_(std::move(code)) {}
  std::string_view language() const override { return vending::language().name(); }
  int threads() const override { return static_cast<int>(code_.threads.size()); }
  int instructions() const override {
    int count = 0;
    for (const auto& thread : code_.threads) count += static_cast<int>(thread.size());
    return count;
  }
  std::unique_ptr<lang::Program> make_program() const override {
    return std::make_unique<Machine>(code_);
  }
  std::string print(const lang::Test&) const override { return code_.text; }
  std::string key() const override { return "vending\n" + code_.text; }
  bool equals(const Source& other) const override {
    return code_.text == static_cast<const VendingSource&>(other).code_.text;
  }

 private:
  Code code_;
};

class Parser {
 public:
  Parser(Scanner& scanner, std::string_view text) : scanner_(scanner) { code_.text = text; }

  lang::Test run() {
    lang::Test test;
    test.comment = scanner_.leading_comment();
    scanner_.expect("machine");
    test.name = scanner_.name("a name for the machine", "-").text;
    scanner_.expect("counters");
    do {
      code_.counters.emplace_back(scanner_.name("a counter", "").text);
      scanner_.expect("=");
      code_.initial.push_back(scanner_.integer("count", 0, kMost));
    } while (scanner_.accept(","));
    scanner_.expect(";");
    while (scanner_.accept("thread")) {
      code_.threads.emplace_back();
      block();
    }
    if (code_.threads.empty()) scanner_.fail(scanner_.peek(), "expected a thread");
    if (scanner_.accept("expect")) {
      parse_expectations(scanner_, test.expectations, &test.expects_error);
    }
    if (scanner_.peek().kind != Token::Kind::end) {
      scanner_.fail(scanner_.peek(), "expected 'thread' or 'expect'");
    }
    test.source = std::make_shared<const VendingSource>(std::move(code_));
    return test;
  }

 private:
  using Kind = Statement::Kind;

  std::vector<Statement>& thread() { return code_.threads.back(); }
  int here() { return static_cast<int>(thread().size()); }
  int counter() {
    const Token name = scanner_.name("a counter", "");
    const auto found = std::find(code_.counters.begin(), code_.counters.end(), name.text);
    if (found == code_.counters.end()) {
      scanner_.fail(name, fmt::format("there is no counter {}", shown(name)));
    }
    return static_cast<int>(found - code_.counters.begin());
  }
  void add(Kind kind, int counter, const Token& first, std::string text) {
    thread().push_back({kind, counter, here() + 1, 0, first.line, std::move(text)});
  }

  void block() {
    scanner_.expect("{");
    while (!scanner_.accept("}")) statement();
  }

  void statement() {
    const Token first = scanner_.peek();
    if (scanner_.accept("await")) {
      const int awaited = counter();
      add(Kind::await, awaited, first, "await " + code_.counters[awaited] + ";");
    } else if (scanner_.accept("again")) {
      add(Kind::again, 0, first, "again;");
      thread().back().next = 0;
    } else if (scanner_.accept("choose")) {
      const auto choice = static_cast<std::size_t>(here());
      add(Kind::choose, 0, first, "choose");
      block();
      const auto out = static_cast<std::size_t>(here());
      add(Kind::skip, 0, first, "leave the choice");
      thread()[choice].other = here();
      scanner_.expect("or");
      block();
      thread()[out].next = here();
      return;
    } else {
      const int changed = counter();
      const bool more = scanner_.accept("+=");
      if (!more) scanner_.expect("-=");
      scanner_.integer("step", 1, 1);
      add(more ? Kind::add : Kind::take, changed, first,
          fmt::format("{} {}= 1;", code_.counters[changed], more ? "+" : "-"));
    }
    scanner_.expect(";");
  }

  Scanner& scanner_;
  Code code_;
};

class Vending final : public lang::Language {
 public:
  std::string_view name() const override { return "vending"; }
  bool begins(const Token& first) const override { return first.is("machine"); }
  std::vector<lang::Test> parse(Scanner& scanner, std::string_view text, const std::string&,
                                const std::optional<lang::Sizes>&) const override {
    return {Parser(scanner, text).run()};
  }
};

}  // namespace

const lang::Language& language() {
  static const Vending vending;
  return vending;
}

}  // namespace headway::vending
