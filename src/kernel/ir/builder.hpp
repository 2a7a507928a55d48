// Makes functions of kernel IR, folding what is known: equal constants share a value, operations
// on constants become constants, and addresses plus constants become addresses. Readers use it.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "kernel/ir/ir.hpp"

namespace headway::kernel {

// Barriers that a workgroup has, by their numbers; each is so many bytes of one object.
inline constexpr int kBarriers = 16, kBarrierBytes = 8;
inline constexpr std::string_view kBarrierObject = "barriers";

class Builder {
 public:
  // The function must outlive the builder.
  explicit Builder(Function& function) : function_(function) {}

  Function& function() { return function_; }
  const Function& function() const { return function_; }
  const Value& value(ValueId id) const { return function_.values[id]; }
  Type type(ValueId id) const { return function_.values[id].type; }

  // Values.
  ValueId constant(Type type, std::uint64_t bits);
  ValueId integer(int bits, std::uint64_t value);
  ValueId null() { return constant(Type::pointer(), 0); }
  ValueId undefined(Type type, std::string name = {});
  ValueId address(ObjectId object, std::uint64_t offset = 0);
  ValueId argument(Type type, std::uint64_t parameter, std::string name);
  ObjectId local(Object object);
  // A value that is given by an instruction to come: of a phi that is not there yet.
  ValueId forward(Type type, std::string name = {});
  std::optional<std::uint64_t> known(ValueId id) const;

  // Blocks and places. Instructions go to the end of the block at hand, with the place at hand.
  BlockId block(std::string name = {});
  void at(BlockId block) { block_ = block; }
  BlockId here() const { return block_; }
  void at(Place place) { place_ = place; }
  Place place() const { return place_; }

  // Instructions. The result is kNone where there is none.
  ValueId emit(Instruction instruction);
  ValueId operation(Op op, Type type, std::initializer_list<ValueId> operands);
  ValueId builtin(Builtin which, int dimension = 0, Type type = Type::integer(32));
  ValueId binary(Op op, ValueId a, ValueId b);  // of integers, of reals; comparisons give one bit
  // trunc to bitcast; nothing to do is no instruction. `saturates` as in Instruction.
  ValueId convert(Op op, ValueId a, Type to, bool saturates = false);
  ValueId resize(ValueId a, int bits, bool is_signed);
  ValueId select(ValueId condition, ValueId a, ValueId b);
  ValueId offset(ValueId pointer, ValueId bytes);  // bytes: a signed integer of any width
  ValueId offset(ValueId pointer, std::int64_t bytes);
  ValueId load(ValueId pointer, Type type, bool is_volatile = false, std::uint32_t align = 1);
  void store(ValueId pointer, ValueId value, bool is_volatile = false, std::uint32_t align = 1,
             bool is_further_part = false);
  // Claims that an index is below `count`, where that is not plain.
  void within(ValueId index, std::uint64_t count);
  // The barrier of the workgroup with a number below kBarriers: an integer of 32 bits.
  ValueId barrier(ValueId number);
  void jump(BlockId target);
  void branch(ValueId condition, BlockId then, BlockId otherwise);
  // At the head of a block whose blocks before it are known by now.
  void phi(BlockId block, ValueId result, const std::vector<std::pair<BlockId, ValueId>>& incoming);

 private:
  ValueId add(Value value);

  Function& function_;
  BlockId block_ = 0;
  Place place_;
  std::map<std::tuple<int, int, int, ObjectId, std::uint64_t>, ValueId> shared_;
};

}  // namespace headway::kernel
