#include "kernel/spirv/wgsl.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "kernel/spirv/literal.hpp"
#include "kernel/spirv/mend.hpp"

namespace headway::kernel::spirv {
namespace {

using WordList = std::vector<std::uint32_t>;
using OneInstruction = std::span<const std::uint32_t>;

constexpr std::size_t kHeaderWords = 5;
constexpr std::size_t kVersion = 1, kGenerator = 2, kBound = 3;  // of the header

spv::Op op_in(OneInstruction instruction) { return static_cast<spv::Op>(instruction[0] & 0xffff); }

void put(WordList& into, spv::Op op, const WordList& operands) {
  into.push_back(static_cast<std::uint32_t>(operands.size() + 1) << 16 |
                 static_cast<std::uint32_t>(op));
  into.insert(into.end(), operands.begin(), operands.end());
}

WordList literal_words(std::string_view text) {
  WordList result(text.size() / 4 + 1);
  std::memcpy(result.data(), text.data(), text.size());
  return result;
}

class NagaModule {
 public:
  NagaModule(WordList words, const std::string& path, const Marks& marks)
      : words_(std::move(words)), path_(path) {
    all_ = instructions_of(words_);
    for (const OneInstruction& one : all_) look_at(one, marks);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const bool is_ours = is(i, spv::Op::OpFunction) && gone_functions().contains(all_[i][2]);
      if (is_ours) remove_function(i);
    }
    for (std::size_t i = 0; i < all_.size(); ++i) find_zeroing(i);
  }

  WordList rewritten() {
    result_.assign(words_.begin(), words_.begin() + kHeaderWords);
    // No compiler that keeps indices within buffers: as it is called here, naga does not.
    result_[kGenerator] = 0;
    // Subgroups came with 1.3, which naga does not say.
    result_[kVersion] = std::max(result_[kVersion], std::uint32_t{0x00010300});
    file_ = result_[kBound]++;
    if (elect_ != 0) {
      scope_ = result_[kBound]++;
      put(result_, spv::Op::OpCapability,
          {static_cast<std::uint32_t>(spv::Capability::GroupNonUniform)});
    }
    for (std::size_t i = 0; i < all_.size(); ++i) write(i);
    return std::move(result_);
  }

 private:
  void look_at(const OneInstruction& one, const Marks& marks) {
    switch (op_in(one)) {
      case spv::Op::OpName:
        names_[one[1]] = literal(one.subspan(2));
        if (names_[one[1]] == marks.line) mark_ = one[1];
        if (!marks.elect.empty() && names_[one[1]] == marks.elect) elect_ = one[1];
        break;
      case spv::Op::OpTypeInt:
        if (one[2] == 32 && one[3] == 0) uint_ = one[1];
        break;
      case spv::Op::OpConstant:
        numbers_[one[2]] = one[3];
        break;
      case spv::Op::OpTypePointer:
        pointees_[one[1]] = one[3];
        break;
      case spv::Op::OpConstantNull:
        nulls_[one[2]] = one;
        break;
      case spv::Op::OpVariable:
        if (static_cast<spv::StorageClass>(one[3]) == spv::StorageClass::Workgroup) {
          workgroup_.insert(one[2]);
        }
        if (static_cast<spv::StorageClass>(one[3]) == spv::StorageClass::Uniform) {
          blocks_[pointees_[one[1]]] = one[2];
        }
        break;
      default:
        break;
    }
  }

  std::set<Id> gone_functions() const { return {mark_, elect_}; }
  void remove_function(std::size_t i) {
    gone_ids_.insert(all_[i][2]);
    for (; i < all_.size(); ++i) {
      gone_.insert(i);
      if (is(i, spv::Op::OpFunctionParameter)) gone_ids_.insert(all_[i][2]);
      if (is(i, spv::Op::OpFunctionEnd)) return;
    }
  }

  bool is(std::size_t i, spv::Op op) const { return i < all_.size() && op_in(all_[i]) == op; }

  // WGSL's workgroup variables are zero at first. naga has one thread write that, and lets all meet
  // behind it: a block of nothing but such writes, in front of what the author wrote. At `i` is the
  // branch to it. What an author writes has a mark in front.
  void find_zeroing(std::size_t i) {
    if (!is(i, spv::Op::OpBranchConditional) || i == 0 || !is(i - 1, spv::Op::OpSelectionMerge) ||
        !is(i + 1, spv::Op::OpLabel) || all_[i][2] != all_[i + 1][1]) {
      return;
    }
    std::map<Id, Id> zeros;
    std::size_t end = i + 2;
    for (; is(end, spv::Op::OpStore); ++end) {
      const Id variable = all_[end][1], value = all_[end][2];
      if (!workgroup_.contains(variable) || !nulls_.contains(value)) return;
      zeros[variable] = value;
    }
    const bool is_joined = is(end, spv::Op::OpBranch) && is(end + 1, spv::Op::OpLabel) &&
                           all_[end][1] == all_[end + 1][1] && all_[i][3] == all_[end][1] &&
                           is(end + 2, spv::Op::OpControlBarrier);
    if (zeros.empty() || !is_joined) return;
    zeros_.insert(zeros.begin(), zeros.end());
    gone_.insert(i - 1);
    straight_[i] = all_[end][1];
    for (std::size_t k = i + 1; k <= end; ++k) gone_.insert(k);
    gone_.insert(end + 2);
  }

  void copy(const OneInstruction& one) { result_.insert(result_.end(), one.begin(), one.end()); }

  bool is_mark(std::size_t i) const {
    return mark_ != 0 && is(i, spv::Op::OpFunctionCall) && all_[i][3] == mark_;
  }

  // The line that the first call in a function has.
  std::uint32_t line_of_function(std::size_t i) const {
    for (; i < all_.size() && !is(i, spv::Op::OpFunctionEnd); ++i) {
      if (is_mark(i)) return marked_line(i);
    }
    return 0;  // a function of naga's own: the line of whoever calls it stays
  }
  std::uint32_t marked_line(std::size_t i) const {
    const auto found = numbers_.find(all_[i][4]);
    return found == numbers_.end() ? 0 : found->second;
  }

  void put_line() {
    if (line_ > 0) put(result_, spv::Op::OpLine, {file_, line_, 0});
  }

  // OpString comes in front of names and of all that follows them.
  void name_file(spv::Op before) {
    switch (before) {
      case spv::Op::OpCapability:
      case spv::Op::OpExtension:
      case spv::Op::OpExtInstImport:
      case spv::Op::OpMemoryModel:
      case spv::Op::OpEntryPoint:
      case spv::Op::OpExecutionMode:
      case spv::Op::OpExecutionModeId:
        return;
      default:
        break;
    }
    has_file_ = true;
    WordList operands = literal_words(path_);
    operands.insert(operands.begin(), file_);
    put(result_, spv::Op::OpString, operands);
    // naga puts uniform data into structs of its own, in which they have no name.
    for (const auto& [block, variable] : blocks_) {
      operands = literal_words(names_[variable]);
      operands.insert(operands.begin(), {block, 0});
      if (!names_.contains(block)) put(result_, spv::Op::OpMemberName, operands);
    }
  }

  void write(std::size_t i) {
    const OneInstruction& one = all_[i];
    const spv::Op op = op_in(one);
    if (!has_file_) name_file(op);
    if (gone_.contains(i)) return;
    if (is_mark(i)) {
      line_ = marked_line(i);
      return put_line();
    }
    if (const auto to = straight_.find(i); to != straight_.end()) {
      return put(result_, spv::Op::OpBranch, {to->second});
    }
    switch (op) {
      case spv::Op::OpName:
        if (!gone_ids_.contains(one[1])) copy(one);
        return;
      case spv::Op::OpConstantNull:
        if (written_nulls_.insert(one[2]).second) copy(one);
        return;
      case spv::Op::OpVariable:
        return write_variable(one);
      case spv::Op::OpFunctionCall:
        if (elect_ == 0 || one[3] != elect_) return copy(one);
        return put(result_, spv::Op::OpGroupNonUniformElect, {one[1], one[2], scope_});
      case spv::Op::OpFunction:
        if (elect_ != 0 && !has_scope_) {
          put(result_, spv::Op::OpConstant,
              {uint_, scope_, static_cast<std::uint32_t>(spv::Scope::Subgroup)});
          has_scope_ = true;
        }
        line_ = line_of_function(i);
        put_line();
        return copy(one);
      case spv::Op::OpLoopMerge:
        continues_[one[2]] = line_;
        return copy(one);
      case spv::Op::OpLabel:
        // What is behind the body of a loop belongs to the loop.
        if (const auto loop = continues_.find(one[1]); loop != continues_.end()) {
          line_ = loop->second;
        }
        copy(one);
        return put_line();
      case spv::Op::OpControlBarrier:
        // Whatever a barrier is about, it orders it within those that meet (WGSL, "Synchronization
        // Built-in Functions"); naga gives storageBarrier() the scope of the device.
        return put(result_, op, {one[1], one[1], one[3]});
      default:
        return copy(one);
    }
  }

  void write_variable(const OneInstruction& one) {
    const auto zero = zeros_.find(one[2]);
    if (zero == zeros_.end()) return copy(one);
    if (written_nulls_.insert(zero->second).second) copy(nulls_.at(zero->second));
    put(result_, spv::Op::OpVariable, {one[1], one[2], one[3], zero->second});
  }

  WordList words_;
  const std::string& path_;
  std::vector<OneInstruction> all_;
  Id mark_ = 0, elect_ = 0, uint_ = 0;  // 0: none
  Id file_ = 0, scope_ = 0;             // made here
  std::map<Id, std::string> names_;
  std::map<Id, Id> pointees_, blocks_;   // by pointer types; variables by the types of their blocks
  std::map<Id, std::uint32_t> numbers_;  // constants
  std::map<Id, OneInstruction> nulls_;
  std::set<Id> workgroup_;  // variables
  std::set<Id> gone_ids_;
  std::set<std::size_t> gone_;          // instructions
  std::map<std::size_t, Id> straight_;  // branches to one place now
  std::map<Id, Id> zeros_;              // of variables
  std::set<Id> written_nulls_;
  std::map<Id, std::uint32_t> continues_;  // lines of loops, by where they go on
  bool has_file_ = false, has_scope_ = false;
  std::uint32_t line_ = 0;
  WordList result_;
};

}  // namespace

std::string as_wgsl(std::string_view module, const std::string& path, const Marks& marks) {
  WordList words(module.size() / 4);
  std::memcpy(words.data(), module.data(), words.size() * 4);
  if (words.size() < kHeaderWords || instructions_of(words).empty()) {
    throw Error({path, 0, 0}, "naga wrote no SPIR-V");
  }
  const WordList written = NagaModule(std::move(words), path, marks).rewritten();
  std::string result(written.size() * 4, '\0');
  std::memcpy(result.data(), written.data(), result.size());
  return result;
}

}  // namespace headway::kernel::spirv
