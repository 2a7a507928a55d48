// Litmus tests of C and of OpenCL C: a function a thread, with the atomics of <stdatomic.h> (ISO
// C11, 7.17), as herd and diy7 write them.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "consistency/litmus/c_order.hpp"
#include "consistency/litmus/frame.hpp"
#include "consistency/litmus/opencl.hpp"

namespace headway::consistency::litmus {
namespace {

using Kind = Instruction::Kind;

constexpr int kMostNestedStatements = 200;

struct Update {
  Kind kind = Kind::update;
  Term::Kind operation = Term::Kind::add;
};

const std::map<std::string, Update>& updates() {
  static const std::map<std::string, Update> known = {
      {"atomic_exchange", {Kind::exchange, Term::Kind::add}},
      {"atomic_fetch_add", {Kind::update, Term::Kind::add}},
      {"atomic_fetch_sub", {Kind::update, Term::Kind::subtract}},
      {"atomic_fetch_and", {Kind::update, Term::Kind::bit_and}},
      {"atomic_fetch_or", {Kind::update, Term::Kind::bit_or}},
      {"atomic_fetch_xor", {Kind::update, Term::Kind::bit_xor}},
      {"atomic_fetch_min", {Kind::update, Term::Kind::minimum}},
      {"atomic_fetch_max", {Kind::update, Term::Kind::maximum}}};
  return known;
}

// The barriers of a program by the label in front of them; those without one have the number 0.
using Barriers = std::map<std::string, Number>;

// One function, compiled as it is read: expressions read memory in the order in which they stand.
class CFunction {
 public:
  CFunction(Cursor& cursor, Builder& builder, int thread, Barriers& barriers)
      : cursor_(cursor),
        builder_(builder),
        number_(thread),
        is_opencl_(builder.program().language == "OPENCL"),
        barriers_(barriers),
        orders_(builder, thread) {}

  void parameters() {
    cursor_.require("(");
    while (!cursor_.take(")")) {
      const std::size_t offset = cursor_.offset();
      bool is_atomic = false, is_pointer = false;
      std::string name, region;
      while (!cursor_.is(",") && !cursor_.is(")")) {
        if (cursor_.take("*")) {
          is_pointer = true;
          continue;
        }
        const std::size_t at = cursor_.offset();
        name = cursor_.word("a parameter, 'atomic_int* x'");
        is_atomic = is_atomic || name.starts_with("atomic_") || name == "_Atomic";
        const std::string space =
            is_opencl_ ? opencl_address_space(cursor_, at, name) : std::string();
        if (!space.empty()) region = space;
      }
      if (!is_pointer) cursor_.fail(fmt::format("expected a pointer, found '{}'", name));
      const int location = builder_.location(name);
      // What two work-groups share is global, whatever else could stand there.
      if (is_opencl_) stands_in(location, region.empty() ? "GLOBAL" : region, offset);
      pointers_[name] = is_atomic;
      cursor_.take(",");
    }
  }

  void block() {
    cursor_.require("{");
    while (!cursor_.take("}")) {
      if (cursor_.at_end()) cursor_.expected("'}'");
      statement();
    }
  }

 private:
  Thread& thread() { return builder_.program().threads[static_cast<std::size_t>(number_)]; }
  std::size_t here() { return thread().code.size(); }

  // A location is in one address space, and a local one in one work-group.
  void stands_in(int location, const std::string& region, std::size_t offset) {
    auto& of = builder_.program().locations[static_cast<std::size_t>(location)];
    if (!of.tags.empty() && of.tags.front() != region) {
      cursor_.fail_at(offset, fmt::format("'{}' is in two address spaces", of.name));
    }
    if (of.tags.empty()) of.first_place = thread().place;
    if (region == "LOCAL" && of.first_place != thread().place) {
      cursor_.fail_at(offset,
                      fmt::format("'{}' is local, and each work-group has its own; expected "
                                  "another name in this one",
                                  of.name));
    }
    of.tags = {region};
  }
  // Of an access to a location, where it is.
  Tags with_region(Tags tags, int location) {
    const Tags& region = builder_.program().locations[static_cast<std::size_t>(location)].tags;
    tags.insert(tags.end(), region.begin(), region.end());
    return tags;
  }

  void emit(std::size_t begin, int line, Instruction instruction) {
    instruction.line = line;
    std::string text(cursor_.between(begin, cursor_.offset()));
    text.erase(text.find_last_not_of(" \t\r\n;{") + 1);
    builder_.name_choices(begin, line, text);
    instruction.text = std::move(text);
    thread().code.push_back(std::move(instruction));
  }

  int new_register() {
    return builder_.register_of(number_, fmt::format("${}", thread().registers.size()));
  }

  void statement_or_block() { cursor_.is("{") ? block() : statement(); }

  void statement() {
    if (++depth_ > kMostNestedStatements) cursor_.fail("this is nested too deeply");
    const std::string label = is_opencl_ ? label_here() : std::string();
    if (!label.empty() || (is_opencl_ && is_barrier())) {
      barrier(label);
    } else if (cursor_.is("{")) {
      block();
    } else if (cursor_.take(";")) {
    } else if (cursor_.take_word("if")) {
      conditional();
    } else if (cursor_.take_word("while")) {
      loop();
    } else if (cursor_.take_word("do")) {
      loop_behind();
    } else {
      simple();
      cursor_.require(";");
    }
    --depth_;
  }

  // "B1:" in front of a barrier.
  std::string label_here() {
    Cursor ahead = cursor_;
    if (ahead.peek_word().empty()) return {};
    std::string label = ahead.word("a label");
    if (!ahead.take(":")) return {};
    cursor_ = ahead;
    if (!is_barrier()) cursor_.expected("a barrier behind this label");
    return label;
  }
  bool is_barrier() {
    return cursor_.peek_word() == "barrier" || cursor_.peek_word() == "work_group_barrier";
  }
  // A fence on the way in and one on the way out.
  void barrier(const std::string& label) {
    const std::size_t begin = cursor_.offset();
    const int line = cursor_.line();
    cursor_.word("a barrier");
    cursor_.require("(");
    Instruction enters{Kind::barrier};
    enters.tags = opencl_regions(cursor_);
    enters.tags.push_back(cursor_.take(",") ? opencl_scope(cursor_, builder_, number_) : "WG");
    cursor_.require(")");
    enters.tags.insert(enters.tags.end(), {"F", "BAR"});
    Number id = 0;
    if (!label.empty()) {
      id = barriers_.emplace(label, static_cast<Number>(barriers_.size()) + 1).first->second;
    }
    enters.barrier_id = Term::constant(id);
    Instruction leaves = enters;
    leaves.leaves = true;
    enters.tags.emplace_back("EF");
    leaves.tags.emplace_back("XF");
    emit(begin, line, std::move(enters));
    emit(begin, line, std::move(leaves));
    cursor_.require(";");
  }

  // A jump where the condition that stands here is 0; its target is set later.
  std::size_t branch_unless() {
    const std::size_t begin = cursor_.offset();
    const int line = cursor_.line();
    cursor_.require("(");
    Term condition = expression();
    cursor_.require(")");
    Instruction branch{Kind::branch};
    branch.value = {Term::Kind::negation, 0, {std::move(condition)}};
    emit(begin, line, std::move(branch));
    return here() - 1;
  }
  std::size_t jump(std::size_t to) {
    Instruction instruction{Kind::jump};
    instruction.to = to;
    thread().code.push_back(std::move(instruction));
    return here() - 1;
  }

  void conditional() {
    const std::size_t branch = branch_unless();
    statement_or_block();
    if (!cursor_.take_word("else")) {
      thread().code[branch].to = here();
      return;
    }
    const std::size_t behind = jump(0);
    thread().code[branch].to = here();
    statement_or_block();
    thread().code[behind].to = here();
  }

  void loop() {
    const std::size_t head = here();
    const std::size_t branch = branch_unless();
    statement_or_block();
    jump(head);
    thread().code[branch].to = here();
  }

  void loop_behind() {
    const std::size_t head = here();
    statement_or_block();
    if (!cursor_.take_word("while")) cursor_.expected("'while'");
    const std::size_t branch = branch_unless();
    cursor_.require(";");
    jump(head);
    thread().code[branch].to = here();
  }

  // A declaration, an assignment, or a call for its effect.
  void simple() {
    const std::size_t begin = cursor_.offset();
    const int line = cursor_.line();
    if (cursor_.take("*")) {
      const int location = pointer();
      cursor_.require("=");
      const std::size_t value = cursor_.offset();
      Instruction store{Kind::store};
      store.location = location;
      store.value = expression();
      store.tags = plain_tags(location);
      if (is_atomic(location)) {
        orders_.of_pointer_write(name_of(location), begin, value, cursor_.offset());
      }
      emit(begin, line, std::move(store));
      return;
    }
    Cursor ahead = cursor_;
    const std::string first = ahead.word("a statement");
    const bool declares = !ahead.peek_word().empty();
    if (declares) {
      cursor_ = ahead;
      if (first == "return" || first == "goto" || first == "for" || first == "switch") {
        cursor_.fail_at(begin, fmt::format("'{}' is not read here; expected if, while, do, an "
                                           "assignment or an atomic operation",
                                           first));
      }
    }
    ahead = cursor_;
    const std::string name = ahead.word("a register");
    if (!declares && ahead.is("(")) return call_for_effect(begin, line);
    cursor_ = ahead;
    if (is_pointer(name)) {
      cursor_.fail_at(begin, fmt::format("'{}' is a pointer; expected '*{}'", name, name));
    }
    const int target = builder_.register_of(number_, name);
    if (declares && !cursor_.is("=")) return;
    cursor_.require("=");
    Instruction assign{Kind::assign};
    assign.target = target;
    assign.value = expression();
    emit(begin, line, std::move(assign));
  }

  void call_for_effect(std::size_t begin, int line) {
    Cursor ahead = cursor_;
    const std::string name = ahead.word("a call");
    if (name == (is_opencl_ ? "atomic_work_item_fence" : "atomic_thread_fence")) {
      cursor_ = ahead;
      cursor_.require("(");
      Instruction fence{Kind::fence};
      if (is_opencl_) {
        fence.tags = opencl_regions(cursor_);
        cursor_.require(",");
      }
      fence.tags.insert(fence.tags.end(), {"F", orders_.here(cursor_, Use::fence)});
      if (is_opencl_) {
        cursor_.require(",");
        fence.tags.push_back(opencl_scope(cursor_, builder_, number_));
      }
      cursor_.require(")");
      return emit(begin, line, std::move(fence));
    }
    const bool is_explicit = name == "atomic_store_explicit";
    if (is_explicit || name == "atomic_store") {
      cursor_ = ahead;
      cursor_.require("(");
      Instruction store{Kind::store};
      store.location = pointer();
      cursor_.require(",");
      store.value = expression();
      const std::string order = is_explicit ? orders_.behind_comma(cursor_, Use::store)
                                            : orders_.of_call(cursor_, Use::store, begin, name);
      store.tags = atomic_tags(store.location, order, is_explicit);
      cursor_.require(")");
      return emit(begin, line, std::move(store));
    }
    expression();  // what it returns is dropped
  }

  bool is_pointer(const std::string& name) const { return pointers_.contains(name); }
  int pointer() {
    cursor_.take("&");
    const std::size_t offset = cursor_.offset();
    const std::string name = cursor_.word("a location that is a parameter");
    if (!is_pointer(name)) {
      cursor_.fail_at(offset, fmt::format("'{}' is no parameter of this thread; other pointers are "
                                          "not read here",
                                          name));
    }
    return builder_.location(name);
  }
  const std::string& name_of(int location) {
    return builder_.program().locations[static_cast<std::size_t>(location)].name;
  }
  bool is_atomic(int location) { return pointers_.at(name_of(location)); }
  // Of an access without a call: by a pointer to an atomic object it is sequentially consistent.
  Tags plain_tags(int location) {
    if (is_atomic(location)) return atomic_tags(location, "SC", false);
    return with_region({"NA", "NAL"}, location);
  }
  // Behind an order OpenCL may have a scope; without one it is the device.
  Tags atomic_tags(int location, const std::string& order, bool may_have_scope) {
    Tags tags = with_region({"A", order}, location);
    if (is_opencl_) {
      const bool has_scope = may_have_scope && cursor_.take(",");
      tags.push_back(has_scope ? opencl_scope(cursor_, builder_, number_) : "DV");
    }
    return tags;
  }

  // Expressions, from what binds least.
  Term expression() {
    if (++depth_ > kMostNestedStatements) cursor_.fail("this is nested too deeply");
    Term result = either();
    --depth_;
    return result;
  }
  Term either() {
    Term result = both();
    while (cursor_.take("||")) result = on_the_right(Term::Kind::logical_or, std::move(result));
    return result;
  }
  Term both() {
    Term result = comparison();
    while (cursor_.take("&&")) result = on_the_right(Term::Kind::logical_and, std::move(result));
    return result;
  }
  // What may not be evaluated must have no effect.
  Term on_the_right(Term::Kind kind, Term left) {
    const std::size_t before = here();
    const std::size_t offset = cursor_.offset();
    Term right = kind == Term::Kind::logical_or ? both() : comparison();
    if (here() != before) {
      cursor_.fail_at(offset, "an access on the right of '&&' or '||' is not read here");
    }
    return Term::of(kind, std::move(left), std::move(right));
  }
  Term comparison() {
    Term left = bits();
    if (cursor_.take("==")) return Term::of(Term::Kind::equal, std::move(left), bits());
    if (cursor_.take("!=")) return Term::of(Term::Kind::differs, std::move(left), bits());
    if (cursor_.take("<=")) return Term::of(Term::Kind::at_most, std::move(left), bits());
    if (cursor_.take(">=")) {
      Term right = bits();
      return Term::of(Term::Kind::at_most, std::move(right), std::move(left));
    }
    if (cursor_.take("<")) return Term::of(Term::Kind::less, std::move(left), bits());
    if (cursor_.take(">")) {
      Term right = bits();
      return Term::of(Term::Kind::less, std::move(right), std::move(left));
    }
    return left;
  }
  // C binds & below comparisons, which nobody means; parentheses are asked for.
  Term bits() {
    Term result = sum();
    for (;;) {
      if (cursor_.take("^")) {
        result = Term::of(Term::Kind::bit_xor, std::move(result), sum());
      } else if (!cursor_.is("&&") && !cursor_.is("||") && (cursor_.is("&") || cursor_.is("|"))) {
        cursor_.fail("'&' and '|' of numbers are not read here");
      } else {
        return result;
      }
    }
  }
  Term sum() {
    Term result = product();
    for (;;) {
      if (cursor_.take("+")) {
        result = Term::of(Term::Kind::add, std::move(result), product());
      } else if (cursor_.take("-")) {
        result = Term::of(Term::Kind::subtract, std::move(result), product());
      } else {
        return result;
      }
    }
  }
  Term product() {
    Term result = primary();
    while (cursor_.take("*")) {
      result = Term::of(Term::Kind::multiply, std::move(result), primary());
    }
    return result;
  }

  Term primary() {
    if (cursor_.take("!")) return {Term::Kind::negation, 0, {primary()}};
    if (cursor_.take("(")) {
      Cursor ahead = cursor_;
      // A cast: "(int)".
      if (ahead.take_word("int") && ahead.take(")")) {
        cursor_ = ahead;
        return primary();
      }
      Term result = expression();
      cursor_.require(")");
      return result;
    }
    if (const auto number = cursor_.take_number()) return Term::constant(*number);
    const std::size_t begin = cursor_.offset();
    const int line = cursor_.line();
    if (cursor_.take("*")) {
      const std::size_t name_begin = cursor_.offset();
      Instruction load{Kind::load};
      load.location = pointer();
      load.tags = plain_tags(load.location);
      if (is_atomic(load.location)) {
        const std::string& pointer = name_of(load.location);
        orders_.of_pointer_read(pointer, begin, name_begin + pointer.size());
      }
      return read(begin, line, std::move(load));
    }
    const std::string name = cursor_.word("a value");
    if (cursor_.is("(")) return call(begin, line, name);
    if (is_pointer(name)) {
      cursor_.fail_at(begin, fmt::format("'{}' is a pointer; expected '*{}'", name, name));
    }
    const int known = builder_.find_register(number_, name);
    if (known < 0) {
      cursor_.fail_at(begin, fmt::format("nothing is called '{}' here", name));
    }
    return Term::of_register(known);
  }

  Term read(std::size_t begin, int line, Instruction instruction) {
    instruction.target = new_register();
    const int target = instruction.target;
    emit(begin, line, std::move(instruction));
    return Term::of_register(target);
  }

  Term call(std::size_t begin, int line, const std::string& name) {
    constexpr std::string_view suffix = "_explicit";
    const bool is_explicit = name.ends_with(suffix);
    const std::string operation = is_explicit ? name.substr(0, name.size() - suffix.size()) : name;
    const auto update = updates().find(operation);
    const bool compares = operation == "atomic_compare_exchange_strong";
    if (operation != "atomic_load" && update == updates().end() && !compares) {
      cursor_.fail_at(begin, fmt::format("'{}' is not read here; expected an operation of "
                                         "<stdatomic.h>{}",
                                         name,
                                         operation == "atomic_compare_exchange_weak"
                                             ? " but this one, which may fail for no reason"
                                             : ""));
    }
    cursor_.require("(");
    if (compares) return compare_exchange(begin, line, is_explicit);
    Instruction instruction{Kind::load};
    instruction.location = pointer();
    if (update != updates().end()) {
      instruction.kind = update->second.kind;
      instruction.update = update->second.operation;
      cursor_.require(",");
      instruction.value = expression();
    }
    const Use use = update == updates().end() ? Use::load : Use::update;
    const std::string order = is_explicit ? orders_.behind_comma(cursor_, use)
                                          : orders_.of_call(cursor_, use, begin, name);
    instruction.tags = atomic_tags(instruction.location, order, is_explicit);
    cursor_.require(")");
    return read(begin, line, std::move(instruction));
  }

  // (object, expected, desired[, order, order of failure]): whether it was as expected; where it
  // was not, what it was goes where `expected` points to.
  Term compare_exchange(std::size_t begin, int line, bool is_explicit) {
    Instruction instruction{Kind::compare_exchange};
    instruction.location = pointer();
    cursor_.require(",");
    cursor_.take("&");
    const std::size_t offset = cursor_.offset();
    const std::string name = cursor_.word("where the expected value is");
    const bool in_memory = is_pointer(name);
    const int kept = in_memory ? -1 : builder_.find_register(number_, name);
    if (!in_memory && kept < 0) {
      cursor_.fail_at(offset, fmt::format("nothing is called '{}' here", name));
    }
    if (in_memory) {
      Instruction load{Kind::load};
      load.location = builder_.location(name);
      load.tags = plain_tags(load.location);
      instruction.expected = read(begin, line, std::move(load));
    } else {
      instruction.expected = Term::of_register(kept);
    }
    const Term expected = instruction.expected;
    cursor_.require(",");
    instruction.value = expression();
    const std::string order =
        is_explicit ? orders_.behind_comma(cursor_, Use::update) : std::string("SC");
    const std::string failed =
        is_explicit ? orders_.behind_comma(cursor_, Use::failure) : std::string("SC");
    instruction.tags = atomic_tags(instruction.location, order, is_explicit);
    instruction.failed_tags = instruction.tags;
    std::replace(instruction.failed_tags.begin(), instruction.failed_tags.end(), order, failed);
    cursor_.require(")");
    const Term old = read(begin, line, std::move(instruction));
    Instruction compare{Kind::assign};
    compare.target = new_register();
    compare.value = Term::of(Term::Kind::equal, old, expected);
    Term succeeds = Term::of_register(compare.target);
    emit(begin, line, std::move(compare));
    Instruction branch{Kind::branch};
    branch.value = succeeds;
    emit(begin, line, std::move(branch));
    const std::size_t behind = here() - 1;
    Instruction keep{in_memory ? Kind::store : Kind::assign};
    keep.value = old;
    keep.target = kept;
    if (in_memory) {
      keep.location = builder_.location(name);
      keep.tags = plain_tags(keep.location);
    }
    emit(begin, line, std::move(keep));
    thread().code[behind].to = here();
    return succeeds;
  }

  Cursor& cursor_;
  Builder& builder_;
  int number_;
  bool is_opencl_;
  Barriers& barriers_;
  COrders orders_;
  std::map<std::string, bool> pointers_;  // and whether to an atomic object
  int depth_ = 0;
};

}  // namespace

void parse_c(Cursor& cursor, Builder& builder) {
  Program& program = builder.program();
  program.one_event_updates = true;
  Barriers barriers;
  while (cursor.peek_word().starts_with("P") || program.threads.empty()) {
    const std::size_t offset = cursor.offset();
    const std::string name = cursor.word("a thread, 'P0 (atomic_int* x) { ... }'");
    if (Builder::thread_number(name) != static_cast<int>(program.threads.size())) {
      cursor.fail_at(offset,
                     fmt::format("expected 'P{}', found '{}'", program.threads.size(), name));
    }
    // Older files of OpenCL say that they are of C, but have places.
    if (program.threads.empty() && cursor.is("@")) program.language = "OPENCL";
    const bool is_opencl = program.language == "OPENCL";
    Thread thread;
    thread.name = name;
    if (is_opencl) thread.place = opencl_place(cursor);
    program.threads.push_back(std::move(thread));
    CFunction function(cursor, builder, static_cast<int>(program.threads.size()) - 1, barriers);
    function.parameters();
    function.block();
  }
  if (program.language == "OPENCL") {
    program.scopes = {{"WI", 3}, {"WG", 2}, {"DV", 1}, {"ALL", 0}};
  }
}

}  // namespace headway::consistency::litmus
