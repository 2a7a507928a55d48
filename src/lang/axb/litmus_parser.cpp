#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text/several_errors.hpp"
#include "base/text/suggestion.hpp"
#include "lang/axb/formats.hpp"
#include "lang/axb/other_languages.hpp"
#include "lang/axb/source.hpp"

namespace headway::lang::axb {
namespace {

constexpr std::array<std::string_view, 17> kReserved = {
    "litmus", "values", "locations", "thread", "expect", "pass", "fail", "while", "if",
    "goto",   "END",    "Load",      "Exch",   "Store",  "AXB",  "true", "false"};
// Words that start a statement in C, for a better message than "unknown statement".
constexpr std::array<std::string_view, 9> kControl = {
    "for", "do", "else", "switch", "return", "break", "continue", "int", "bool"};

constexpr std::string_view kStatements =
    "expected 'm = 1;', 'while (Load(m) == 0);', 'while (Exch(m, 1) == 1);', "
    "'if (Load(m) == 0) goto L;', 'if (Exch(m, 1) == 0) goto L;', 'barrier(workgroup);' or "
    "'AXB(m, 1, 0, true, 1);'";

bool is_reserved(const Token& token) {
  return std::find(kReserved.begin(), kReserved.end(), token.text) != kReserved.end();
}

bool begins_threads(const Token& token) { return token.is("thread") || token.is("threads"); }

// What stands behind a block, where its brace is missing.
bool ends_block(const Token& token) {
  return token.kind == Token::Kind::end || begins_threads(token) || token.is("workgroup") ||
         token.is("subgroup") || token.is("expect");
}

class LitmusParser {
 public:
  explicit LitmusParser(Scanner& scanner) : scanner_(scanner) {}

  Test run() {
    try {
      return read();
    } catch (const Error& error) {
      if (errors_.empty()) throw;
      if (errors_.size() < kMaxErrors) errors_.push_back(error);
      throw SeveralErrors(std::move(errors_));
    }
  }

 private:
  struct Jump {  // resolved when its thread has ended: labels may come later
    Token token;
    int instruction;
    bool may_be_index;
  };

  Test read() {
    test_.comment = scanner_.leading_comment();
    if (scanner_.accept("litmus")) {
      const Token name = scanner_.name("a name for the test", kNameCharacters);
      test_.name = name.text;
    }
    const bool declares_values = scanner_.accept("values");
    if (declares_values) {
      code_.values = scanner_.integer("number of values", 2, kMaxValues);
      scanner_.expect(";");
    } else {
      code_.values = kMaxValues;
    }
    locations();
    if (scanner_.peek().is("workgroup")) {
      groups();
    } else {
      while (begins_threads(scanner_.peek())) thread();
    }
    if (code_.threads.empty()) {
      scanner_.fail(scanner_.peek(), fmt::format("expected 'thread 0 {{', found {}: a test has at "
                                                 "least one thread",
                                                 shown(scanner_.peek())));
    }
    if (scanner_.accept("expect")) parse_expectations(scanner_, test_.expectations, nullptr);
    if (scanner_.peek().kind != Token::Kind::end) {
      scanner_.fail(scanner_.peek(),
                    fmt::format("expected 'thread {} {{', 'expect {{' or the end of the file, "
                                "found {}",
                                threads_, shown(scanner_.peek())));
    }
    if (lockstep_ && independent_) {
      scanner_.fail(*independent_,
                    "the threads of this group take steps one by one, those of others in lockstep; "
                    "expected subgroups of one thread, or in lockstep, throughout");
    }
    if (!errors_.empty()) throw SeveralErrors(std::exchange(errors_, {}));
    warn_of_unused();
    if (!declares_values) derive_values(code_);
    if (place_) place(code_, *place_);
    test_.source = std::make_shared<const AxbSource>(std::move(code_));
    return std::move(test_);
  }

  // Declarations ------------------------------------------------------------------------------

  void locations() {
    if (test_.name.empty()) refuse_other_languages(scanner_);
    scanner_.expect("locations", test_.name.empty()
                                     ? "a test starts with 'litmus NAME' or 'locations m, f;'"
                                     : "the locations come before the threads, 'locations m, f;'");
    do {
      const Token name = scanner_.next();
      if (!name.is_identifier() || is_reserved(name)) {
        scanner_.fail(name, fmt::format("expected the name of a location, found {}", shown(name)));
      }
      if (static_cast<int>(code_.locations.size()) == kMaxLocations) {
        scanner_.fail(name, fmt::format("more than {} locations", kMaxLocations));
      }
      if (find_location(name.text) >= 0) {
        scanner_.fail(name, fmt::format("location {} is declared twice", shown(name)));
      }
      location_names_.push_back(name);
      Location location{std::string(name.text), 0};
      if (scanner_.accept("=")) location.initial = value();
      code_.locations.push_back(std::move(location));
    } while (scanner_.accept(","));
    scanner_.expect(";");
  }

  int find_location(std::string_view name) const {
    for (std::size_t l = 0; l < code_.locations.size(); ++l) {
      if (code_.locations[l].name == name) return static_cast<int>(l);
    }
    return -1;
  }

  // "workgroup 0 { thread 0 { ... } }", "workgroup 0 { subgroup 0 { thread 0 { ... } } }": all
  // workgroups have subgroups, or none has. Groups are numbered as threads are, through the whole
  // launch.
  void groups() {
    std::vector<std::vector<int>> placement;
    int subgroups = 0;
    std::optional<bool> divided;
    while (scanner_.peek().is("workgroup")) {
      const Token workgroup = group(static_cast<int>(placement.size()));
      std::vector<int>& sizes = placement.emplace_back();
      const bool has_subgroups = scanner_.peek().is("subgroup");
      if (divided.value_or(has_subgroups) != has_subgroups) {
        scanner_.fail(scanner_.peek(),
                      has_subgroups ? "the first workgroup has no subgroups; expected a thread"
                                    : "the first workgroup has subgroups; expected 'subgroup'");
      }
      divided = has_subgroups;
      if (has_subgroups) {
        while (scanner_.peek().is("subgroup")) {
          const Token subgroup = group(subgroups++);
          sizes.push_back(threads_of_group(subgroup));
          scanner_.expect("}", "or 'thread'");
        }
      } else {
        sizes.push_back(threads_of_group(workgroup));
      }
      scanner_.expect("}", has_subgroups ? "or 'subgroup'" : "or 'thread'");
    }
    place_ = Topology::placed(placement);
  }

  // "workgroup 0 {"
  Token group(int number) {
    const Token keyword = scanner_.next();
    scanner_.expect(std::to_string(number),
                    fmt::format("{}s are numbered 0, 1, 2, ... in order, through the whole launch",
                                keyword.text));
    scanner_.expect("{");
    return keyword;
  }

  int threads_of_group(const Token& keyword) {
    const int before = code_.thread_count();
    bool in_lockstep = false;
    while (begins_threads(scanner_.peek())) {
      const Token next = scanner_.peek();
      in_lockstep = in_lockstep || next.is("threads");
      if (in_lockstep && code_.thread_count() > before) {
        scanner_.fail(next, fmt::format("the threads of a subgroup in lockstep have one program; "
                                        "expected '}}', found {}",
                                        shown(next)));
      }
      thread();
    }
    if (code_.thread_count() == before) {
      scanner_.fail(scanner_.peek(), fmt::format("expected 'thread {} {{', found {}: a {} has at "
                                                 "least one thread",
                                                 threads_, shown(scanner_.peek()), keyword.text));
    }
    if (in_lockstep) return 1;
    if (code_.thread_count() - before > 1) independent_ = keyword;
    return code_.thread_count() - before;
  }

  void thread() {
    const Token keyword = scanner_.next();
    const int id = threads_;
    if (id == kMaxThreads) {
      scanner_.fail(keyword, fmt::format("more than {} threads", kMaxThreads));
    }
    scanner_.expect(std::to_string(id), "threads are numbered 0, 1, 2, ... in order");
    thread_ = {};
    if (keyword.is("threads")) {
      scanner_.expect("..", "'threads 0..1' names a subgroup in lockstep, 'thread 0' one thread");
      thread_.lanes =
          scanner_.integer("last thread of the subgroup", id + 1, kMaxThreads - 1) - id + 1;
      lockstep_ = keyword;
    }
    threads_ += thread_.lanes;
    const Token open = scanner_.expect("{");
    labels_.clear();
    jumps_.clear();
    const std::size_t before = errors_.size();
    while (!scanner_.accept("}")) {
      const Token token = scanner_.peek();
      if (ends_block(token)) {
        scanner_.fail(open, fmt::format("the block of thread {} does not end; expected '}}' "
                                        "before {}",
                                        id, shown(token)));
      }
      try {
        statement();
      } catch (const Error& error) {
        errors_.push_back(error);
        if (errors_.size() == kMaxErrors) throw SeveralErrors(std::exchange(errors_, {}));
        if (!lacks_semicolon(error, scanner_.peek())) go_on();
      }
    }
    if (errors_.size() > before) {  // of which others may come
      code_.threads.emplace_back();
      return;
    }
    if (thread_.instructions.empty()) {
      scanner_.fail(keyword, fmt::format("thread {} is empty; expected a statement", id));
    }
    for (const Jump& jump : jumps_) {
      thread_.instructions[jump.instruction].jump = static_cast<std::uint8_t>(target(jump));
    }
    code_.threads.push_back(std::move(thread_));
  }

  // To the statement behind one that is wrong.
  void go_on() {
    for (;;) {
      const Token token = scanner_.peek();
      if (ends_block(token) || token.is("}") || scanner_.accept(";")) return;
      scanner_.next();
      // The group that a barrier names begins no block.
      const bool named = scanner_.peek().is("workgroup") || scanner_.peek().is("subgroup");
      if (token.is("(") && named) scanner_.next();
    }
  }

  void warn_of_unused() {
    for (std::size_t l = 0; l < code_.locations.size(); ++l) {
      const bool used =
          std::any_of(code_.threads.begin(), code_.threads.end(), [&](const Thread& thread) {
            return std::any_of(
                thread.instructions.begin(), thread.instructions.end(),
                [&](const Instruction& i) { return i.is_access() && i.location == l; });
          });
      if (used) continue;
      test_.warnings.emplace_back(
          scanner_.position(location_names_[l]),
          fmt::format("location {} is never used", shown(location_names_[l])),
          scanner_.line(location_names_[l]));
    }
  }

  int target(const Jump& jump) const {
    const int length = thread_.length();
    if (jump.token.is("END")) return length;
    if (jump.may_be_index && jump.token.is_number()) {
      const int index =
          jump.token.text.size() <= 9 ? std::stoi(std::string(jump.token.text)) : length + 1;
      if (index <= length) return index;
      scanner_.fail(jump.token,
                    fmt::format("target {} is out of range; the thread has {} instructions: "
                                "expected 0 to {}, a label or END",
                                shown(jump.token), length, length));
    }
    const auto label = labels_.find(jump.token.text);
    if (label == labels_.end()) {
      scanner_.fail(jump.token,
                    fmt::format("unknown label {}; expected END or a label of this thread",
                                shown(jump.token)));
    }
    return label->second;
  }

  // Statements --------------------------------------------------------------------------------

  void statement() {
    const Token first = scanner_.next();
    if (first.is_identifier() && !is_reserved(first) && scanner_.accept(":")) {
      return label(first);
    }
    if (thread_.length() == kMaxInstructions) {
      scanner_.fail(first, fmt::format("more than {} instructions in a thread", kMaxInstructions));
    }
    Instruction instruction;
    if (first.is("while")) {
      instruction = loop();
    } else if (first.is("if")) {
      instruction = branch();
    } else if (first.is("AXB")) {
      instruction = raw();
    } else if (first.is("barrier") && scanner_.peek().is("(")) {
      instruction = barrier();
    } else if (first.is("Exch") || first.is("Store")) {
      scanner_.expect("(");
      const int where = location();
      scanner_.expect(",");
      instruction = store(where, value());
      scanner_.expect(")");
    } else if (first.is_identifier() && find_location(first.text) >= 0) {
      instruction = assignment(first);
    } else {
      refuse(first);
    }
    scanner_.expect(";", first.is("while")
                             ? "the body of a loop would be further instructions; a while "
                               "statement is one instruction and has no body"
                             : "");
    thread_.sources.push_back({first.line, scanner_.excerpt(first.offset, scanner_.last_end())});
    thread_.instructions.push_back(instruction);
  }

  void label(const Token& name) {
    if (!labels_.emplace(name.text, thread_.length()).second) {
      scanner_.fail(name, fmt::format("label {} is defined twice in this thread", shown(name)));
    }
  }

  Instruction loop() {
    Instruction instruction = comparison("a loop that reads no memory");
    instruction.jump = static_cast<std::uint8_t>(thread_.length());
    return instruction;
  }

  // "lane == 1)"
  Instruction lane() {
    const Token word = scanner_.next();
    if (thread_.lanes == 1) {
      scanner_.fail(word,
                    "a thread of its own has no lanes; expected 'threads 0..1 {', a subgroup "
                    "in lockstep, around this");
    }
    scanner_.expect("==");
    Instruction instruction;
    instruction.asks_lane = true;
    instruction.check_value =
        static_cast<std::uint8_t>(scanner_.integer("lane", 0, thread_.lanes - 1));
    scanner_.expect(")");
    return instruction;
  }

  Instruction branch() {
    const Instruction instruction = comparison("a branch that reads no memory");
    if (!scanner_.peek().is("goto")) {
      scanner_.fail(scanner_.peek(),
                    fmt::format("expected 'goto', found {}: only a jump can depend on the "
                                "comparison, anything else would be a further instruction",
                                shown(scanner_.peek())));
    }
    scanner_.next();
    const Token label = scanner_.next();
    if (!label.is_identifier()) {
      scanner_.fail(label, fmt::format("expected a label or END, found {}", shown(label)));
    }
    jumps_.push_back({label, thread_.length(), false});
    return instruction;
  }

  // "(Load(m) == 0)", "(Exch(m, 1) == 0)" or "(lane == 0)"
  Instruction comparison(const std::string& otherwise) {
    scanner_.expect("(");
    if (scanner_.peek().is("lane")) return lane();
    const Token access = scanner_.next();
    Instruction instruction;
    instruction.exchanges = access.is("Exch");
    if (!instruction.exchanges && !access.is("Load")) {
      if (access.is_identifier() && find_location(access.text) >= 0) {
        scanner_.fail(access, fmt::format("expected 'Load(m)' or 'Exch(m, value)', found {}: an "
                                          "access says what it does",
                                          shown(access)));
      }
      if (access.is_identifier() && scanner_.peek().is("(")) {
        refuse_access(access, {"Load", "Exch"});
      }
      scanner_.fail(access, fmt::format("expected 'Load(m)' or 'Exch(m, value)', found {}: {} "
                                        "is not an AXB instruction",
                                        shown(access), otherwise));
    }
    scanner_.expect("(");
    instruction.location = static_cast<std::uint8_t>(location());
    if (instruction.exchanges) {
      scanner_.expect(",");
      instruction.exchange_value = value();
    }
    scanner_.expect(")");
    scanner_.expect("==", "an AXB instruction jumps when what it read equals a constant");
    const Token constant = scanner_.peek();
    if (!constant.is_number()) {
      scanner_.fail(constant, fmt::format("expected a constant, found {}: one instruction reads "
                                          "one location and compares it with a constant",
                                          shown(constant)));
    }
    instruction.check_value = value();
    scanner_.expect(")", scanner_.peek().is("&&") || scanner_.peek().is("||")
                             ? "one instruction makes one comparison"
                             : "");
    return instruction;
  }

  Instruction assignment(const Token& name) {
    if (!scanner_.peek().is("=")) {
      scanner_.fail(scanner_.peek(),
                    fmt::format("expected '=', found {}: a statement that computes from what it "
                                "reads is not an AXB instruction",
                                shown(scanner_.peek())));
    }
    scanner_.next();
    const Token constant = scanner_.peek();
    if (!constant.is_number()) {
      scanner_.fail(constant,
                    fmt::format("expected a constant, found {}: a store writes a constant, and "
                                "what an exchange or a load reads can only be compared",
                                shown(constant)));
    }
    const Instruction instruction = store(find_location(name.text), value());
    if (!scanner_.peek().is(";") && scanner_.peek().kind == Token::Kind::punctuation &&
        !scanner_.peek().is("}")) {
      scanner_.fail(
          scanner_.peek(),
          fmt::format("expected ';', found {}: a store writes a constant", shown(scanner_.peek())));
    }
    return instruction;
  }

  Instruction store(int where, std::uint8_t what) const {
    Instruction instruction;
    instruction.location = static_cast<std::uint8_t>(where);
    instruction.jump = static_cast<std::uint8_t>(thread_.length() + 1);
    instruction.exchanges = true;
    instruction.exchange_value = what;
    return instruction;
  }

  // "AXB(m, 1, 0, true, 1)": location, check value, target, exchanges?, exchange value
  Instruction raw() {
    Instruction instruction;
    scanner_.expect("(");
    instruction.location = static_cast<std::uint8_t>(location());
    scanner_.expect(",");
    instruction.check_value = value();
    scanner_.expect(",");
    const Token target = scanner_.next();
    if (target.kind != Token::Kind::word) {
      scanner_.fail(target, fmt::format("expected an instruction index, a label or END, found {}",
                                        shown(target)));
    }
    jumps_.push_back({target, thread_.length(), true});
    scanner_.expect(",");
    const Token exchanges = scanner_.next();
    instruction.exchanges = exchanges.is("true");
    if (!instruction.exchanges && !exchanges.is("false")) {
      scanner_.fail(exchanges, fmt::format("expected true or false (whether the instruction "
                                           "exchanges), found {}",
                                           shown(exchanges)));
    }
    scanner_.expect(",");
    if (instruction.exchanges || !scanner_.accept("-")) {
      const std::uint8_t exchanged = value();
      if (instruction.exchanges) instruction.exchange_value = exchanged;
    }
    scanner_.expect(")");
    return instruction;
  }

  // "barrier(workgroup);" or "barrier(subgroup or ended);"
  Instruction barrier() {
    using Barrier = Instruction::Barrier;
    scanner_.expect("(");
    const Token level = scanner_.next();
    if (!level.is("workgroup") && !level.is("subgroup")) {
      scanner_.fail(level, fmt::format("expected 'workgroup' or 'subgroup', found {}: threads meet "
                                       "in the group that a barrier names",
                                       shown(level)));
    }
    const Token next = scanner_.peek();
    const bool ended = scanner_.accept("or");
    if (ended) scanner_.expect("ended", "threads that have ended may count as waiting");
    if (ended_count_.value_or(ended) != ended) {
      scanner_.fail(next,
                    "at all barriers of a test threads that have ended count as waiting, or "
                    "at none; this one differs from those above");
    }
    ended_count_ = code_.ended_count = ended;
    scanner_.expect(")");
    return barrier_at(thread_.length(),
                      level.is("workgroup") ? Barrier::workgroup : Barrier::subgroup);
  }

  int location() {
    const Token name = scanner_.next();
    const int index = name.kind == Token::Kind::word ? find_location(name.text) : -1;
    if (index < 0) {
      scanner_.fail(name, fmt::format("unknown location {}; expected one that 'locations' names",
                                      shown(name)));
    }
    return index;
  }

  std::uint8_t value() {
    return static_cast<std::uint8_t>(scanner_.integer("value", 0, code_.values - 1));
  }

  // `known`: those that may have been meant.
  [[noreturn]] void refuse_access(const Token& name, const std::vector<std::string>& known) const {
    const std::string meant = did_you_mean(name.text, known);
    if (!meant.empty()) scanner_.fail(name, fmt::format("unknown word {}{}", shown(name), meant));
    scanner_.fail(name,
                  fmt::format("expected 'Load(m)' or 'Exch(m, value)', found {}: a test of AXB "
                              "instructions has no other accesses; the idiom language has cas, "
                              "fetch_add and more (docs/reference/idiom-language.md)",
                              shown(name)));
  }

  [[noreturn]] void refuse(const Token& first) const {
    if (first.is("goto")) {
      scanner_.fail(first,
                    "a goto of its own reads no memory and so is not an AXB instruction; expected "
                    "'if (Load(m) == 0) goto L;' or 'if (Exch(m, 1) == 0) goto L;'");
    }
    if (first.is("Load")) {
      scanner_.fail(first,
                    "a load whose value is not compared has no effect; expected "
                    "'while (Load(m) == 0);' or 'if (Load(m) == 0) goto L;'");
    }
    if (std::find(kControl.begin(), kControl.end(), first.text) != kControl.end()) {
      scanner_.fail(first,
                    fmt::format("{} is not one AXB instruction; {}", shown(first), kStatements));
    }
    if (first.is_identifier() && !is_reserved(first) && scanner_.peek().is("=")) {
      scanner_.fail(first, fmt::format("unknown location {}; expected one that 'locations' names",
                                       shown(first)));
    }
    if (first.is_identifier() && scanner_.peek().is("(")) {
      refuse_access(first, {"barrier", "while", "if", "Exch", "Store", "AXB"});
    }
    scanner_.fail(first, fmt::format("unknown statement {}; {}", shown(first), kStatements));
  }

  Scanner& scanner_;
  Test test_;
  Code code_;
  std::optional<Topology> place_;
  int threads_ = 0;                              // so far, lanes of subgroups in lockstep included
  std::optional<Token> lockstep_, independent_;  // groups of several threads that run so
  std::optional<bool> ended_count_;              // as the first barrier says
  std::vector<Token> location_names_;
  std::vector<Error> errors_;                            // of statements, so far
  Thread thread_;                                        // the one being read
  std::map<std::string_view, int, std::less<>> labels_;  // of that thread
  std::vector<Jump> jumps_;                              // of that thread
};

}  // namespace

Test parse_litmus(Scanner& scanner) { return LitmusParser(scanner).run(); }

}  // namespace headway::lang::axb
