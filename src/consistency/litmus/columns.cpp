#include "consistency/litmus/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/text/suggestion.hpp"

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

bool ends_rows(Cursor& cursor) {
  if (cursor.at_end() || cursor.is("~")) return true;
  const std::string_view word = cursor.peek_word();
  return word == "exists" || word == "forall" || word == "filter" || word == "locations" ||
         word == "not";
}

}  // namespace

std::string upper(std::string_view part) {
  std::string result(part);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return result;
}

Choice::Edit Mnemonic::at(std::size_t part) const {
  std::size_t offset = begin;
  for (std::size_t p = 0; p < part; ++p) offset += parts[p].size() + 1;
  return {offset, offset + parts[part].size()};
}

void ColumnThread::choice(Choice choice) {
  choice.thread = number_;
  builder_.choice(std::move(choice));
}

void ColumnThread::cell(Cursor cursor) {
  while (!cursor.at_end()) {
    if (!label(cursor)) instruction(cursor);
  }
}

void ColumnThread::finish(Cursor& cursor) {
  std::vector<std::string> names;
  names.reserve(labels_.size());
  for (const auto& label : labels_) names.push_back(label.first);
  for (const auto& [instruction, target] : jumps_) {
    const auto known = labels_.find(target.second);
    if (known == labels_.end()) {
      cursor.fail_at(target.first, fmt::format("there is no label '{}'{}", target.second,
                                               did_you_mean(target.second, names)));
    }
    thread().code[instruction].to = known->second;
  }
}

bool ColumnThread::label(Cursor& cursor) {
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
Term ColumnThread::value(Cursor& cursor) {
  if (const auto number = cursor.take_number()) return Term::constant(*number);
  return Term::of_register(register_number(cursor));
}

int ColumnThread::register_number(Cursor& cursor) {
  const std::size_t offset = cursor.offset();
  const std::string name = cursor.word("a register or a number", kInNames);
  if (builder_.is_location(name)) {
    cursor.fail_at(offset, fmt::format("expected a register, found the location '{}'; addresses "
                                       "as values are not read here",
                                       name));
  }
  return builder_.register_of(number_, name);
}

Address ColumnThread::address(Cursor& cursor) {
  const bool in_brackets = cursor.take("[");
  const std::size_t offset = cursor.offset();
  const std::string name = cursor.word("a location", kInNames);
  if (in_brackets) cursor.require("]");
  if (builder_.find_register(number_, name) >= 0) {
    cursor.fail_at(offset, fmt::format("expected a location, found the register '{}'; addresses "
                                       "in registers are not read here",
                                       name));
  }
  return builder_.address(name);
}

void ColumnThread::go_to(const Address& address, Instruction& instruction) {
  instruction.location = address.location;
  instruction.alias = address.alias;
}

void ColumnThread::instruction(Cursor& cursor) {
  Mnemonic mnemonic;
  mnemonic.begin = cursor.offset();
  Instruction result;
  result.line = cursor.line();
  mnemonic.text = cursor.word("an instruction", kInMnemonics);
  mnemonic.parts = parts_of(mnemonic.text);
  const std::string& head = mnemonic.parts.front();
  if (access(cursor, mnemonic, result)) {
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
    cursor.fail_at(mnemonic.begin, fmt::format("'{}' is not read here; expected {}, mov, add, sub, "
                                               "mul, goto or a branch, beq to bge",
                                               mnemonic.text, known_));
  }
  result.text = std::string(cursor.between(mnemonic.begin, cursor.offset()));
  result.text.erase(result.text.find_last_not_of(" \t\r\n") + 1);
  builder_.name_choices(mnemonic.begin, result.line, result.text);
  thread().code.push_back(std::move(result));
}

std::optional<Term::Kind> ColumnThread::arithmetic(const std::string& name) {
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

void ColumnThread::to_label(Cursor& cursor) {
  const std::size_t offset = cursor.offset();
  jumps_.push_back({thread().code.size(), {offset, cursor.word("a label", kInNames)}});
}

void ColumnThread::branch(Cursor& cursor, const std::string& head, Instruction& result) {
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

void parse_columns(
    Cursor& cursor, Builder& builder, const char* what,
    const std::function<std::vector<int>(Cursor&)>& place,
    const std::function<std::unique_ptr<ColumnThread>(Builder&, int thread)>& thread) {
  Program& program = builder.program();
  do {
    const std::size_t offset = cursor.offset();
    const std::string name = cursor.word(what);
    if (Builder::thread_number(name) != static_cast<int>(program.threads.size())) {
      cursor.fail_at(offset,
                     fmt::format("expected 'P{}', found '{}'", program.threads.size(), name));
    }
    Thread next;
    next.name = name;
    cursor.require("@");
    next.place = place(cursor);
    program.threads.push_back(std::move(next));
  } while (cursor.take("|"));
  cursor.require(";");
  std::vector<std::unique_ptr<ColumnThread>> threads;
  threads.reserve(program.threads.size());
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    threads.push_back(thread(builder, static_cast<int>(t)));
  }
  // Rows of cells, up to the condition.
  while (!ends_rows(cursor)) {
    for (std::size_t t = 0; t < threads.size(); ++t) {
      const std::size_t begin = cursor.offset();
      std::size_t end = begin;
      const std::string_view text = cursor.text();
      // What stands in a comment ends no cell.
      while (end < cursor.end() && text[end] != '|' && text[end] != ';') {
        end = Cursor(cursor.path(), text, end + 1, cursor.end()).offset();
      }
      if (end == cursor.end()) cursor.expected("'|' or ';' behind each cell");
      const bool is_last = text[end] == ';';
      if (is_last && t + 1 < threads.size()) {
        cursor.fail_at(
            end, fmt::format("expected {} cells in this row, found {}", threads.size(), t + 1));
      }
      if (!is_last && t + 1 == threads.size()) cursor.fail_at(end, "expected ';', found '|'");
      threads[t]->cell(Cursor(cursor.path(), text, begin, end));
      cursor = Cursor(cursor.path(), text, end + 1, cursor.end());
    }
  }
  for (const auto& each : threads) each->finish(cursor);
}

}  // namespace headway::consistency::litmus
