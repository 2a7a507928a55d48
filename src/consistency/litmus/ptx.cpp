// Litmus tests of PTX: a column a thread, as Dat3M and NVIDIA's tests write them
// (PTX ISA, "Memory Consistency Model").
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "consistency/litmus/frame.hpp"

namespace headway::consistency::litmus {
namespace {

using Kind = Instruction::Kind;

constexpr std::string_view kInMnemonics = ".";

std::vector<std::string> parts_of(const std::string& mnemonic) {
  std::vector<std::string> parts(1);
  for (const char c : mnemonic) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// One thread, a cell at a time.
class PtxThread {
 public:
  PtxThread(Builder& builder, int thread) : builder_(builder), number_(thread) {}

  void cell(Cursor cursor) {
    while (!cursor.at_end()) {
      if (!label(cursor)) instruction(cursor);
    }
  }

  // Jumps to labels that are known by now.
  void finish(Cursor& cursor) {
    for (const auto& [instruction, target] : jumps_) {
      const auto known = labels_.find(target.second);
      if (known == labels_.end()) {
        cursor.fail_at(target.first, fmt::format("there is no label '{}'", target.second));
      }
      thread().code[instruction].to = known->second;
    }
  }

 private:
  Thread& thread() { return builder_.program().threads[static_cast<std::size_t>(number_)]; }

  bool label(Cursor& cursor) {
    Cursor ahead = cursor;
    if (ahead.peek_word(kInNames).empty()) return false;
    const std::size_t offset = ahead.offset();
    const std::string name = ahead.word("a label", kInNames);
    if (!ahead.take(":")) return false;
    if (!labels_.emplace(name, thread().code.size()).second) {
      cursor.fail_at(offset, fmt::format("the label '{}' stands twice", name));
    }
    cursor = ahead;
    return true;
  }

  // A register or a number.
  Term value(Cursor& cursor) {
    if (const auto number = cursor.take_number()) return Term::constant(*number);
    return Term::of_register(register_number(cursor));
  }
  int register_number(Cursor& cursor) {
    const std::size_t offset = cursor.offset();
    const std::string name = cursor.word("a register or a number", kInNames);
    if (builder_.is_location(name)) {
      cursor.fail_at(offset, fmt::format("expected a register, found the location '{}'; addresses "
                                         "as values are not read here",
                                         name));
    }
    return builder_.register_of(number_, name);
  }
  int location(Cursor& cursor) {
    const bool in_brackets = cursor.take("[");
    const std::size_t offset = cursor.offset();
    const std::string name = cursor.word("a location", kInNames);
    if (in_brackets) cursor.require("]");
    if (builder_.find_register(number_, name) >= 0) {
      cursor.fail_at(offset, fmt::format("expected a location, found the register '{}'; addresses "
                                         "in registers are not read here",
                                         name));
    }
    return builder_.location(name);
  }

  void emit(Cursor& cursor, std::size_t begin, Instruction instruction) {
    instruction.text = std::string(cursor.between(begin, cursor.offset()));
    instruction.text.erase(instruction.text.find_last_not_of(" \t\r\n") + 1);
    thread().code.push_back(std::move(instruction));
  }

  // The order and the scope of a mnemonic, as tags; throws for parts that are neither.
  Tags tags_of(Cursor& cursor, std::size_t begin, const std::vector<std::string>& parts,
               std::size_t from, std::initializer_list<std::string_view> orders, bool needs_scope) {
    Tags tags = {"GEN"};
    bool has_order = false, has_scope = false;
    for (std::size_t p = from; p < parts.size(); ++p) {
      std::string part = parts[p];
      std::transform(part.begin(), part.end(), part.begin(),
                     [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
      if (part == "CTA" || part == "GPU" || part == "SYS") {
        tags.push_back(part);
        has_scope = true;
      } else if (std::find(orders.begin(), orders.end(), parts[p]) != orders.end()) {
        tags.push_back(part == "RELAXED"   ? "RLX"
                       : part == "ACQUIRE" ? "ACQ"
                       : part == "RELEASE" ? "REL"
                                           : part);
        has_order = true;
      } else {
        cursor.fail_at(begin, fmt::format("'.{}' is not read here; expected {} and a scope, cta, "
                                          "gpu or sys",
                                          parts[p], fmt::join(orders, ", ")));
      }
    }
    const bool weak = std::find(tags.begin(), tags.end(), "WEAK") != tags.end();
    if (!has_order && !has_scope) {
      tags.push_back("WEAK");
    } else if (!weak && needs_scope && !(has_order && has_scope)) {
      cursor.fail_at(begin, "expected an order and a scope, as in 'relaxed.gpu'");
    }
    return tags;
  }

  void instruction(Cursor& cursor) {
    const std::size_t begin = cursor.offset();
    Instruction result;
    result.line = cursor.line();
    const std::string mnemonic = cursor.word("an instruction", kInMnemonics);
    const std::vector<std::string> parts = parts_of(mnemonic);
    const std::string& head = parts.front();
    if (head == "ld") {
      result.kind = Kind::load;
      result.tags = tags_of(cursor, begin, parts, 1, {"weak", "relaxed", "acquire"}, true);
      result.target = register_number(cursor);
      cursor.require(",");
      result.location = location(cursor);
    } else if (head == "st") {
      result.kind = Kind::store;
      result.tags = tags_of(cursor, begin, parts, 1, {"weak", "relaxed", "release"}, true);
      result.location = location(cursor);
      cursor.require(",");
      result.value = value(cursor);
    } else if (head == "atom" || head == "red") {
      update(cursor, begin, parts, result);
    } else if (head == "fence") {
      result.kind = Kind::fence;
      result.tags = tags_of(cursor, begin, parts, 1, {"sc", "acq_rel", "acquire", "release"}, true);
      // A fence of sequential consistency is one of acquire and release, too.
      if (std::find(result.tags.begin(), result.tags.end(), "SC") != result.tags.end()) {
        result.tags.push_back("ACQ_REL");
      }
    } else if (head == "bar" || head == "barrier") {
      barrier(cursor, begin, parts, result);
    } else if (head == "mov") {
      result.kind = Kind::assign;
      result.target = register_number(cursor);
      cursor.require(",");
      result.value = value(cursor);
    } else if (arithmetic(head)) {
      result.kind = Kind::assign;
      result.target = register_number(cursor);
      cursor.require(",");
      Term left = value(cursor);
      cursor.require(",");
      result.value = Term::of(*arithmetic(head), std::move(left), value(cursor));
    } else if (head == "goto" || head == "bra") {
      result.kind = Kind::jump;
      to_label(cursor);
    } else if (head == "beq" || head == "bne" || head == "blt" || head == "ble" || head == "bgt" ||
               head == "bge") {
      branch(cursor, head, result);
    } else {
      cursor.fail_at(begin, fmt::format("'{}' is not read here; expected ld, st, atom, red, fence, "
                                        "bar.cta.sync, mov, add, sub, mul, goto or a branch, beq "
                                        "to bge",
                                        mnemonic));
    }
    emit(cursor, begin, std::move(result));
  }

  static std::optional<Term::Kind> arithmetic(const std::string& name) {
    static const std::map<std::string, Term::Kind> known = {
        {"add", Term::Kind::add},      {"plus", Term::Kind::add},
        {"sub", Term::Kind::subtract}, {"minus", Term::Kind::subtract},
        {"mul", Term::Kind::multiply}, {"mult", Term::Kind::multiply},
        {"and", Term::Kind::bit_and},  {"or", Term::Kind::bit_or},
        {"xor", Term::Kind::bit_xor},  {"min", Term::Kind::minimum},
        {"max", Term::Kind::maximum}};
    const auto found = known.find(name);
    return found == known.end() ? std::nullopt : std::optional(found->second);
  }

  // atom.order.scope.operation target, location, value; red has no target.
  void update(Cursor& cursor, std::size_t begin, std::vector<std::string> parts,
              Instruction& result) {
    std::string operation;
    std::erase_if(parts, [&](const std::string& part) {
      if (part != "exch" && part != "cas" && !arithmetic(part)) return false;
      operation = part;
      return true;
    });
    if (operation.empty()) {
      cursor.fail_at(begin, "expected what it does, as in 'atom.relaxed.gpu.add'");
    }
    const Tags tags = tags_of(cursor, begin, parts, 1,
                              {"weak", "relaxed", "acquire", "release", "acq_rel"}, true);
    for (const std::string& tag : tags) {
      result.tags.push_back(tag == "ACQ_REL" ? "ACQ" : tag == "REL" ? "RLX" : tag);
      result.write_tags.push_back(tag == "ACQ_REL" ? "REL" : tag == "ACQ" ? "RLX" : tag);
    }
    if (parts.front() == "atom") {
      result.target = register_number(cursor);
      cursor.require(",");
    }
    result.location = location(cursor);
    cursor.require(",");
    if (operation == "cas") {
      result.kind = Kind::compare_exchange;
      result.expected = value(cursor);
      cursor.require(",");
    } else if (operation == "exch") {
      result.kind = Kind::exchange;
    } else {
      result.kind = Kind::update;
      result.update = *arithmetic(operation);
    }
    result.value = value(cursor);
  }

  void barrier(Cursor& cursor, std::size_t begin, const std::vector<std::string>& parts,
               Instruction& result) {
    const bool whole = (parts.size() == 3 && parts[1] == "cta" && parts[2] == "sync") ||
                       (parts.size() == 2 && parts[1] == "sync");
    if (!whole) {
      cursor.fail_at(begin, "expected 'bar.cta.sync'; other barriers are not read here");
    }
    result.kind = Kind::barrier;
    result.tags = {"BAR", "GEN", "CTA"};
    result.barrier_id = value(cursor);
    if (cursor.is(",")) {
      cursor.fail("a barrier of some threads of a block is not read here; expected one number");
    }
  }

  void to_label(Cursor& cursor) {
    const std::size_t offset = cursor.offset();
    jumps_.push_back({thread().code.size(), {offset, cursor.word("a label", kInNames)}});
  }

  void branch(Cursor& cursor, const std::string& head, Instruction& result) {
    result.kind = Kind::branch;
    Term left = value(cursor);
    cursor.require(",");
    Term right = value(cursor);
    cursor.require(",");
    to_label(cursor);
    const bool swapped = head == "bgt" || head == "bge";
    if (swapped) std::swap(left, right);
    const Term::Kind kind = head == "beq"                    ? Term::Kind::equal
                            : head == "bne"                  ? Term::Kind::differs
                            : head == "blt" || head == "bgt" ? Term::Kind::less
                                                             : Term::Kind::at_most;
    result.value = Term::of(kind, std::move(left), std::move(right));
  }

  Builder& builder_;
  int number_;
  std::map<std::string, std::size_t> labels_;
  // Of an instruction: where its label stands, and which it is.
  std::vector<std::pair<std::size_t, std::pair<std::size_t, std::string>>> jumps_;
};

}  // namespace

void parse_ptx(Cursor& cursor, Builder& builder) {
  Program& program = builder.program();
  program.partial_coherence = true;
  // " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;"
  do {
    const std::size_t offset = cursor.offset();
    const std::string name = cursor.word("a thread, 'P0@cta 0,gpu 0'");
    if (Builder::thread_number(name) != static_cast<int>(program.threads.size())) {
      cursor.fail_at(offset,
                     fmt::format("expected 'P{}', found '{}'", program.threads.size(), name));
    }
    Thread thread;
    thread.name = name;
    cursor.require("@");
    cursor.require("cta");
    const auto block = static_cast<int>(cursor.number("the number of its block"));
    cursor.require(",");
    cursor.require("gpu");
    thread.place = {static_cast<int>(cursor.number("the number of its device")), block};
    program.threads.push_back(std::move(thread));
  } while (cursor.take("|"));
  cursor.require(";");
  std::vector<PtxThread> threads;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    threads.emplace_back(builder, static_cast<int>(t));
  }
  // Rows of cells, up to the condition.
  const auto ends = [&] {
    if (cursor.at_end() || cursor.is("~")) return true;
    const std::string_view word = cursor.peek_word();
    return word == "exists" || word == "forall" || word == "filter" || word == "locations" ||
           word == "not";
  };
  while (!ends()) {
    for (std::size_t t = 0; t < threads.size(); ++t) {
      const std::size_t begin = cursor.offset();
      std::size_t end = begin;
      const std::string_view text = cursor.text();
      while (end < cursor.end() && text[end] != '|' && text[end] != ';') ++end;
      if (end == cursor.end()) cursor.expected("'|' or ';' behind each cell");
      const bool is_last = text[end] == ';';
      if (is_last && t + 1 < threads.size()) {
        cursor.fail_at(
            end, fmt::format("expected {} cells in this row, found {}", threads.size(), t + 1));
      }
      if (!is_last && t + 1 == threads.size()) cursor.fail_at(end, "expected ';', found '|'");
      threads[t].cell(Cursor(cursor.path(), text, begin, end));
      cursor = Cursor(cursor.path(), text, end + 1, cursor.end());
    }
  }
  for (PtxThread& thread : threads) thread.finish(cursor);
}

}  // namespace headway::consistency::litmus
