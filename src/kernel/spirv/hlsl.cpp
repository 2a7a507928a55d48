#include "kernel/spirv/hlsl.hpp"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <utility>
#include <vector>

#include "kernel/spirv/literal.hpp"
#include "kernel/spirv/mend.hpp"

namespace headway::kernel::spirv {
namespace {

using WordList = std::vector<std::uint32_t>;

constexpr std::size_t kHlslHeader = 5, kHlslBound = 3;

spv::Op op_of(const WordList& one) { return static_cast<spv::Op>(one[0] & 0xffff); }

WordList instruction_of(spv::Op op, const WordList& operands) {
  WordList result = {static_cast<std::uint32_t>(operands.size() + 1) << 16 |
                     static_cast<std::uint32_t>(op)};
  result.insert(result.end(), operands.begin(), operands.end());
  return result;
}

// Instructions with a type and a result that do nothing but compute or read.
bool is_pure(spv::Op op) {
  switch (op) {
    case spv::Op::OpLoad:
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
    case spv::Op::OpVectorExtractDynamic:
    case spv::Op::OpVectorShuffle:
    case spv::Op::OpCompositeConstruct:
    case spv::Op::OpCompositeExtract:
    case spv::Op::OpCompositeInsert:
    case spv::Op::OpBitcast:
    case spv::Op::OpSelect:
    case spv::Op::OpDot:
    case spv::Op::OpArrayLength:
    case spv::Op::OpCopyObject:
      return true;
    default:
      break;
  }
  const auto within = [op](spv::Op first, spv::Op last) { return op >= first && op <= last; };
  return within(spv::Op::OpConvertFToU, spv::Op::OpFConvert) ||
         within(spv::Op::OpSNegate, spv::Op::OpFMod) ||
         within(spv::Op::OpAny, spv::Op::OpFUnordGreaterThanEqual) ||
         within(spv::Op::OpShiftRightLogical, spv::Op::OpBitCount);
}

// The operands of a pure instruction, or of another one, that may be ids: words that are numbers
// count as ids of others, which leaves more as it is.
std::span<const std::uint32_t> ids_of(const WordList& one) {
  const std::span<const std::uint32_t> words(one);
  switch (op_of(one)) {
    case spv::Op::OpLine:
    case spv::Op::OpNoLine:
    case spv::Op::OpLabel:
      return {};
    case spv::Op::OpLoad:
    case spv::Op::OpCompositeExtract:
    case spv::Op::OpArrayLength:
    case spv::Op::OpCopyObject:
      return words.subspan(3, 1);
    case spv::Op::OpVectorShuffle:
    case spv::Op::OpCompositeInsert:
      return words.subspan(3, 2);
    default:
      return words.subspan(1);
  }
}

class Rewriter {
 public:
  explicit Rewriter(const WordList& words) : header_(words.begin(), words.begin() + kHlslHeader) {
    for (const auto& one : instructions_of(words)) code_.emplace_back(one.begin(), one.end());
    for (const WordList& one : code_) look_at(one);
  }

  void qualify(spv::Decoration how, const std::set<std::string>& names);
  void put_right();
  std::string count_bytes(const std::set<std::string>& sized_in_bytes);
  void convert_operands();
  // Whether there was a choice whose sides have accesses.
  bool leave_sides_to_choices();
  // What a choice does on one side beside computing a value; empty: no choice does.
  std::string effect_on_a_side() const;
  void find_effects();
  WordList words() const;

 private:
  void look_at(const WordList& one);
  std::uint32_t fresh() { return header_[kHlslBound]++; }
  std::optional<std::uint32_t> type_of(std::uint32_t id) const {
    const auto found = types_.find(id);
    return found == types_.end() ? std::nullopt : std::optional(found->second);
  }
  bool is_one_truth(std::uint32_t id) const {
    const auto type = type_of(id);
    return type && *type == truth_;
  }
  bool leave_sides(std::size_t first, std::size_t choice);
  void find_uses(std::size_t function);

  WordList header_;
  std::vector<WordList> code_;
  std::map<std::uint32_t, std::uint32_t> types_;  // of results
  std::map<std::uint32_t, int> integers_;         // types and their widths
  std::set<std::uint32_t> integer_vectors_;       // types
  std::uint32_t glsl_ = 0;                        // the set of instructions
  std::uint32_t truth_ = 0;                       // the type
  std::map<std::uint32_t, std::vector<std::size_t>> uses_;
  std::set<std::uint32_t> effects_;  // functions that do more than to set what is theirs, and read
  std::set<std::uint32_t> unread_;   // variables of functions that pass an argument, or nothing
};

// Decorates the buffers of these names, and no type of a buffer.
void Rewriter::qualify(spv::Decoration how, const std::set<std::string>& names) {
  const auto word = static_cast<std::uint32_t>(how);
  std::set<std::uint32_t> named, chosen;
  for (const WordList& one : code_) {
    if (op_of(one) == spv::Op::OpName && names.contains(literal(std::span(one).subspan(2)))) {
      named.insert(one[1]);
    }
    const auto storage = op_of(one) == spv::Op::OpVariable ? static_cast<spv::StorageClass>(one[3])
                                                           : spv::StorageClass::Function;
    const bool is_buffer =
        storage == spv::StorageClass::Uniform || storage == spv::StorageClass::StorageBuffer;
    if (is_buffer && named.contains(one[2])) chosen.insert(one[2]);
  }
  std::erase_if(code_, [&](const WordList& one) {
    return op_of(one) == spv::Op::OpMemberDecorate && one[3] == word;
  });
  const auto first = std::find_if(code_.begin(), code_.end(), [](const WordList& one) {
    return op_of(one) == spv::Op::OpDecorate || op_of(one) == spv::Op::OpMemberDecorate;
  });
  std::vector<WordList> made;
  made.reserve(chosen.size());
  for (const std::uint32_t variable : chosen) {
    made.push_back(instruction_of(spv::Op::OpDecorate, {variable, word}));
  }
  code_.insert(first, made.begin(), made.end());
}

void Rewriter::look_at(const WordList& one) {
  switch (op_of(one)) {
    case spv::Op::OpTypeBool:
      truth_ = one[1];
      return;
    case spv::Op::OpTypeInt:
      integers_[one[1]] = static_cast<int>(one[2]);
      return;
    case spv::Op::OpTypeVector:
      if (integers_.contains(one[2])) integer_vectors_.insert(one[1]);
      return;
    case spv::Op::OpExtInstImport:
      if (literal(std::span(one).subspan(2)) == "GLSL.std.450") glsl_ = one[1];
      return;
    case spv::Op::OpConstant:
    case spv::Op::OpSpecConstant:
    case spv::Op::OpSpecConstantOp:
    case spv::Op::OpConstantTrue:
    case spv::Op::OpConstantFalse:
    case spv::Op::OpFunctionParameter:
    case spv::Op::OpFunctionCall:
    case spv::Op::OpPhi:
    case spv::Op::OpExtInst:
      types_[one[2]] = one[1];
      return;
    default:
      if (is_pure(op_of(one)) && one.size() > 3) types_[one[2]] = one[1];
  }
}

// any() and all() of a scalar, mad() of integers, and types of parameters that are blocks without
// offsets.
void Rewriter::put_right() {
  std::set<std::uint32_t> laid_out;
  for (const WordList& one : code_) {
    if (op_of(one) == spv::Op::OpMemberDecorate &&
        static_cast<spv::Decoration>(one[3]) == spv::Decoration::Offset) {
      laid_out.insert(one[1]);
    }
  }
  std::erase_if(code_, [&](const WordList& one) {
    if (op_of(one) != spv::Op::OpDecorate || laid_out.contains(one[1])) return false;
    const auto how = static_cast<spv::Decoration>(one[2]);
    return how == spv::Decoration::Block || how == spv::Decoration::BufferBlock;
  });
  std::vector<WordList> result;
  for (WordList& one : code_) {
    const spv::Op op = op_of(one);
    if ((op == spv::Op::OpAny || op == spv::Op::OpAll) && is_one_truth(one[3])) {
      one = instruction_of(spv::Op::OpCopyObject, {one[1], one[2], one[3]});
    } else if (op == spv::Op::OpExtInst && one[3] == glsl_ && one[4] == GLSLstd450Fma &&
               (integers_.contains(one[1]) || integer_vectors_.contains(one[1]))) {
      const std::uint32_t product = fresh();
      result.push_back(instruction_of(spv::Op::OpIMul, {one[1], product, one[5], one[6]}));
      one = instruction_of(spv::Op::OpIAdd, {one[1], one[2], product, one[7]});
    }
    result.push_back(std::move(one));
  }
  code_ = std::move(result);
}

// glslang counts the words of a byte address buffer. What cannot be put right, in words.
std::string Rewriter::count_bytes(const std::set<std::string>& sized_in_bytes) {
  if (sized_in_bytes.empty()) return {};
  std::map<std::uint32_t, std::string> names;
  std::set<std::uint32_t> variables;
  for (const WordList& one : code_) {
    const spv::Op op = op_of(one);
    if (op == spv::Op::OpName) names[one[1]] = literal(std::span(one).subspan(2));
    const bool is_declared = op == spv::Op::OpVariable || op == spv::Op::OpFunctionParameter;
    if (!is_declared || !sized_in_bytes.contains(names[one[2]])) continue;
    if (op == spv::Op::OpFunctionParameter) {
      return "GetDimensions of the byte address buffer '" + names[one[2]] + "', a parameter";
    }
    variables.insert(one[2]);
  }
  std::vector<WordList> result;
  for (WordList& one : code_) {
    if (op_of(one) != spv::Op::OpArrayLength || !variables.contains(one[3])) {
      result.push_back(std::move(one));
      continue;
    }
    // Four times, without a constant that the module may not have.
    const std::uint32_t type = one[1], bytes = one[2], words = fresh(), twice = fresh();
    one[2] = words;
    result.push_back(std::move(one));
    result.push_back(instruction_of(spv::Op::OpIAdd, {type, twice, words, words}));
    result.push_back(instruction_of(spv::Op::OpIAdd, {type, bytes, twice, twice}));
  }
  code_ = std::move(result);
  return {};
}

// glslang 12 adds `1` to a number without a sign as it is: a number with one.
void Rewriter::convert_operands() {
  std::vector<WordList> result;
  for (WordList& one : code_) {
    std::vector<std::size_t> values;
    switch (op_of(one)) {
      case spv::Op::OpAtomicExchange:
      case spv::Op::OpAtomicIAdd:
      case spv::Op::OpAtomicISub:
      case spv::Op::OpAtomicSMin:
      case spv::Op::OpAtomicUMin:
      case spv::Op::OpAtomicSMax:
      case spv::Op::OpAtomicUMax:
      case spv::Op::OpAtomicAnd:
      case spv::Op::OpAtomicOr:
      case spv::Op::OpAtomicXor:
        values = {6};
        break;
      case spv::Op::OpAtomicCompareExchange:
        values = {7, 8};
        break;
      default:
        break;
    }
    for (const std::size_t at : values) {
      if (at >= one.size()) continue;
      const std::uint32_t wanted = one[1];
      const auto type = type_of(one[at]);
      if (!type || *type == wanted || !integers_.contains(*type) || !integers_.contains(wanted) ||
          integers_.at(*type) != integers_.at(wanted)) {
        continue;
      }
      const std::uint32_t converted = fresh();
      result.push_back(instruction_of(spv::Op::OpBitcast, {wanted, converted, one[at]}));
      types_[converted] = wanted;
      one[at] = converted;
    }
    result.push_back(std::move(one));
  }
  code_ = std::move(result);
}

void Rewriter::find_uses(std::size_t function) {
  uses_.clear();
  for (std::size_t i = function; op_of(code_[i]) != spv::Op::OpFunctionEnd; ++i) {
    for (const std::uint32_t id : ids_of(code_[i])) uses_[id].push_back(i);
  }
}

// `condition ? x : y`; of `a && b` that is `a ? b : a`, and of `a || b` `a ? a : b`.
struct Choice {
  std::uint32_t condition, x, y;
};
std::optional<Choice> choice_of(const WordList& one) {
  switch (op_of(one)) {
    case spv::Op::OpSelect:
      return Choice{one[3], one[4], one[5]};
    case spv::Op::OpLogicalAnd:
      return Choice{one[3], one[4], one[3]};
    case spv::Op::OpLogicalOr:
      return Choice{one[3], one[3], one[4]};
    default:
      return std::nullopt;
  }
}

// What is computed for one side of a choice alone goes into a block of its own. `first` is the
// label of the block that it is in. Whether that was done.
bool Rewriter::leave_sides(std::size_t first, std::size_t choice) {
  const WordList select = code_[choice];
  const auto [condition, of_x, of_y] = *choice_of(select);
  if (!is_one_truth(condition)) return false;
  std::size_t last = choice;
  while (op_of(code_[last]) != spv::Op::OpBranch && last + 1 < code_.size() &&
         op_of(code_[last + 1]) != spv::Op::OpLabel &&
         op_of(code_[last + 1]) != spv::Op::OpFunctionEnd) {
    ++last;
    if (op_of(code_[last]) == spv::Op::OpLoopMerge) return false;
  }
  std::vector<std::size_t> sides[2];
  std::map<std::size_t, int> side_of;
  bool reads = false;
  for (std::size_t i = choice; i-- > first + 1;) {
    const WordList& one = code_[i];
    const spv::Op op = op_of(one);
    if (op == spv::Op::OpLine || op == spv::Op::OpNoLine) continue;
    // What is moved passes nothing that writes; and the condition comes first.
    const bool passes = op == spv::Op::OpStore && unread_.contains(one[1]);  // an argument
    const bool calls = op == spv::Op::OpFunctionCall && !effects_.contains(one[3]);
    if (!passes && ((!calls && !is_pure(op)) || one[2] == condition)) break;
    int side = -1;
    bool is_ours = true;
    for (const std::size_t use : uses_[one[passes ? 1 : 2]]) {
      int used = -1;
      if (use == i || op_of(code_[use]) == spv::Op::OpVariable) continue;  // its own result
      if (use == choice) {
        const bool x = of_x == one[2], y = of_y == one[2];
        if (x != y) used = x ? 0 : 1;
      } else if (const auto found = side_of.find(use); found != side_of.end()) {
        used = found->second;
      }
      is_ours = is_ours && used >= 0 && (side < 0 || side == used);
      side = used;
    }
    if (!is_ours || side < 0) continue;
    side_of[i] = side;
    sides[side].push_back(i);
  }
  for (const auto& [i, side] : side_of) {
    reads = reads || op_of(code_[i]) == spv::Op::OpFunctionCall ||
            op_of(code_[i]) == spv::Op::OpAccessChain ||
            op_of(code_[i]) == spv::Op::OpInBoundsAccessChain;
  }
  if (!reads) return false;
  const std::uint32_t taken = fresh(), other = fresh(), merge = fresh();
  const std::uint32_t block = code_[first][1];
  std::vector<WordList> made;
  WordList line;
  for (std::size_t i = first; i < choice; ++i) {
    if (op_of(code_[i]) == spv::Op::OpLine) line = code_[i];
    if (!side_of.contains(i)) made.push_back(code_[i]);
  }
  const auto put_line = [&] {
    if (!line.empty()) made.push_back(line);
  };
  made.push_back(instruction_of(spv::Op::OpSelectionMerge, {merge, 0}));
  made.push_back(instruction_of(spv::Op::OpBranchConditional, {condition, taken, other}));
  for (const int side : {0, 1}) {
    made.push_back(instruction_of(spv::Op::OpLabel, {side == 0 ? taken : other}));
    put_line();
    for (auto i = sides[side].rbegin(); i != sides[side].rend(); ++i) made.push_back(code_[*i]);
    made.push_back(instruction_of(spv::Op::OpBranch, {merge}));
  }
  made.push_back(instruction_of(spv::Op::OpLabel, {merge}));
  made.push_back(instruction_of(spv::Op::OpPhi, {select[1], select[2], of_x, taken, of_y, other}));
  put_line();
  const auto begin = code_.begin();
  code_.erase(begin + static_cast<std::ptrdiff_t>(first),
              begin + static_cast<std::ptrdiff_t>(choice + 1));
  code_.insert(code_.begin() + static_cast<std::ptrdiff_t>(first), made.begin(), made.end());
  // Who came from this block now comes from where its sides meet.
  for (WordList& one : code_) {
    if (op_of(one) != spv::Op::OpPhi || one[2] == select[2]) continue;
    for (std::size_t at = 4; at < one.size(); at += 2) {
      if (one[at] == block) one[at] = merge;
    }
  }
  return true;
}

bool Rewriter::leave_sides_to_choices() {
  bool result = false;
  std::size_t function = 0;
  for (std::size_t label = 0; label < code_.size(); ++label) {
    const spv::Op op = op_of(code_[label]);
    if (op == spv::Op::OpFunction) {
      function = label;
      find_uses(function);
    }
    if (op != spv::Op::OpLabel) continue;
    std::size_t end = label + 1;
    while (op_of(code_[end]) != spv::Op::OpLabel && op_of(code_[end]) != spv::Op::OpFunctionEnd) {
      ++end;
    }
    // The last one first: its sides, which are blocks behind this one, may have choices of their
    // own.
    for (std::size_t at = end; at-- > label + 1;) {
      if (!choice_of(code_[at]) || !leave_sides(label, at)) continue;
      result = true;
      find_uses(function);
      --label;  // and what is left of this block may, too
      break;
    }
  }
  return result;
}

// Whether an instruction that is no store and no call can be noticed by others.
bool is_noticed(spv::Op op) {
  return (op >= spv::Op::OpAtomicLoad && op <= spv::Op::OpAtomicXor) ||
         (op >= spv::Op::OpGroupNonUniformElect && op <= spv::Op::OpGroupNonUniformQuadSwap) ||
         op == spv::Op::OpControlBarrier || op == spv::Op::OpMemoryBarrier ||
         op == spv::Op::OpImageWrite || op == spv::Op::OpCopyMemory;
}

void Rewriter::find_effects() {
  std::set<std::uint32_t> read;
  for (const WordList& one : code_) {
    const spv::Op op = op_of(one);
    if (op == spv::Op::OpVariable &&
        static_cast<spv::StorageClass>(one[3]) == spv::StorageClass::Function) {
      unread_.insert(one[2]);
    }
    if (op == spv::Op::OpLoad || op == spv::Op::OpAccessChain ||
        op == spv::Op::OpInBoundsAccessChain) {
      read.insert(one[3]);
    }
  }
  for (const std::uint32_t variable : read) unread_.erase(variable);
  for (bool changes = true; changes;) {
    const std::size_t before = effects_.size();
    std::uint32_t function = 0;
    std::set<std::uint32_t> own;  // variables and parameters, and pointers into them
    for (const WordList& one : code_) {
      const spv::Op op = op_of(one);
      if (op == spv::Op::OpFunction) {
        function = one[2];
        own.clear();
      }
      const bool is_part = (op == spv::Op::OpAccessChain || op == spv::Op::OpInBoundsAccessChain) &&
                           own.contains(one[3]);
      if (is_part || op == spv::Op::OpFunctionParameter ||
          (op == spv::Op::OpVariable && function != 0)) {
        own.insert(one[2]);
      }
      if (is_noticed(op) || (op == spv::Op::OpStore && !own.contains(one[1])) ||
          (op == spv::Op::OpFunctionCall && effects_.contains(one[3]))) {
        effects_.insert(function);
      }
    }
    changes = effects_.size() > before;
  }
}

std::string Rewriter::effect_on_a_side() const {
  std::uint32_t line = 0;
  for (std::size_t at = 0; at < code_.size(); ++at) {
    if (op_of(code_[at]) == spv::Op::OpLine) line = code_[at][2];
    const auto choice = choice_of(code_[at]);
    if (!choice || !is_one_truth(choice->condition)) continue;
    // glslang computes the sides in between.
    bool any = false;
    for (std::size_t i = at; i-- > 0 && op_of(code_[i]) != spv::Op::OpLabel;) {
      const WordList& one = code_[i];
      const spv::Op op = op_of(one);
      if (one.size() > 2 && one[2] == choice->condition && types_.contains(one[2]) &&
          op != spv::Op::OpStore) {
        if (!any) break;
        return "line " + std::to_string(line) +
               ": one side of '&&', '||' or '?:' does more than to compute a value, which HLSL "
               "2021 has only where this side is taken, and older HLSL always; expected an 'if'";
      }
      any = any || is_noticed(op) || (op == spv::Op::OpStore && !unread_.contains(one[1])) ||
            (op == spv::Op::OpFunctionCall && effects_.contains(one[3]));
    }
  }
  return {};
}

WordList Rewriter::words() const {
  WordList result = header_;
  for (const WordList& one : code_) result.insert(result.end(), one.begin(), one.end());
  return result;
}

std::string bytes_of(const WordList& words) {
  std::string result(words.size() * sizeof(std::uint32_t), '\0');
  std::memcpy(result.data(), words.data(), result.size());
  return result;
}

}  // namespace

HlslModule as_hlsl(std::string_view module, const std::set<std::string>& coherent,
                   const std::set<std::string>& is_volatile,
                   const std::set<std::string>& sized_in_bytes) {
  HlslModule result{std::string(module), false, {}};
  WordList words(module.size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), module.data(), words.size() * sizeof(std::uint32_t));
  if (words.size() <= kHlslHeader || instructions_of(words).empty()) return result;
  Rewriter rewriter(words);
  rewriter.qualify(spv::Decoration::Coherent, coherent);
  rewriter.qualify(spv::Decoration::Volatile, is_volatile);
  rewriter.put_right();
  result.refused = rewriter.count_bytes(sized_in_bytes);
  result.words = bytes_of(rewriter.words());
  rewriter.convert_operands();
  const WordList converted = rewriter.words();
  if (!flaw_of(converted, Rules::hlsl).empty()) return result;
  result.words = bytes_of(converted);
  rewriter.find_effects();
  if (result.refused.empty()) result.refused = rewriter.effect_on_a_side();
  if (!rewriter.leave_sides_to_choices()) return result;
  const WordList chosen = rewriter.words();
  if (!flaw_of(chosen, Rules::hlsl).empty()) return result;
  result.words = bytes_of(chosen);
  result.chooses = true;
  return result;
}

}  // namespace headway::kernel::spirv
