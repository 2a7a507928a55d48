// Litmus tests that have a column a thread, as those of PTX and Vulkan do: rows of cells with
// labels, branches and arithmetic; what accesses memory differs.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "consistency/litmus/frame.hpp"

namespace headway::consistency::litmus {

// A part of a mnemonic as its tag is written.
std::string upper(std::string_view part);

// "ld.acquire.gpu" and where it stands.
struct Mnemonic {
  std::size_t begin = 0;
  std::string text;
  std::vector<std::string> parts;

  // Where a part stands.
  Choice::Edit at(std::size_t part) const;
  Choice::Edit whole() const { return {begin, begin + text.size()}; }
};

// One thread, a cell at a time.
class ColumnThread {
 public:
  // `known` are the instructions that access() takes, as a message names them.
  ColumnThread(Builder& builder, int thread, std::string_view known)
      : builder_(builder), number_(thread), known_(known) {}
  virtual ~ColumnThread() = default;
  ColumnThread(const ColumnThread&) = delete;
  ColumnThread& operator=(const ColumnThread&) = delete;

  void cell(Cursor cursor);
  // Jumps to labels that are known by now.
  void finish(Cursor& cursor);

 protected:
  // What stands behind the mnemonic of an instruction of memory; false: it is none.
  virtual bool access(Cursor& cursor, const Mnemonic& mnemonic, Instruction& result) = 0;

  Term value(Cursor& cursor);
  int register_number(Cursor& cursor);
  Address address(Cursor& cursor);
  // What else could stand in the instruction that is read.
  void choice(Choice choice);
  // Where the instruction goes: its location, and by which name.
  static void go_to(const Address& address, Instruction& instruction);
  static std::optional<Term::Kind> arithmetic(const std::string& name);

 private:
  Thread& thread() { return builder_.program().threads[static_cast<std::size_t>(number_)]; }
  bool label(Cursor& cursor);
  void instruction(Cursor& cursor);
  void to_label(Cursor& cursor);
  void branch(Cursor& cursor, const std::string& head, Instruction& result);

  Builder& builder_;
  int number_;
  std::string_view known_;
  std::map<std::string, std::size_t> labels_;
  // Of an instruction: where its label stands, and which it is.
  std::vector<std::pair<std::size_t, std::pair<std::size_t, std::string>>> jumps_;
};

// Reads " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;" and the rows below. `place` reads what stands behind
// '@'.
void parse_columns(
    Cursor& cursor, Builder& builder, const char* what,
    const std::function<std::vector<int>(Cursor&)>& place,
    const std::function<std::unique_ptr<ColumnThread>(Builder&, int thread)>& thread);

}  // namespace headway::consistency::litmus
