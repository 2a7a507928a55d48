// Atomics, fences and barriers: their scopes and semantics as kernel IR has them.
#include <fmt/format.h>

#include "kernel/spirv/function_reader.hpp"

namespace headway::kernel::spirv {
namespace {

constexpr std::uint32_t bit(spv::MemorySemanticsMask mask) {
  return static_cast<std::uint32_t>(mask);
}

std::optional<Update> atomic_update_of(spv::Op op) {
  switch (op) {
    case spv::Op::OpAtomicExchange:
    case spv::Op::OpAtomicFlagTestAndSet:
      return Update::exchange;
    case spv::Op::OpAtomicIIncrement:
    case spv::Op::OpAtomicIAdd:
      return Update::add;
    case spv::Op::OpAtomicIDecrement:
    case spv::Op::OpAtomicISub:
      return Update::sub;
    case spv::Op::OpAtomicSMin:
      return Update::smin;
    case spv::Op::OpAtomicUMin:
      return Update::umin;
    case spv::Op::OpAtomicSMax:
      return Update::smax;
    case spv::Op::OpAtomicUMax:
      return Update::umax;
    case spv::Op::OpAtomicAnd:
      return Update::bit_and;
    case spv::Op::OpAtomicOr:
      return Update::bit_or;
    case spv::Op::OpAtomicXor:
      return Update::bit_xor;
    case spv::Op::OpAtomicFAddEXT:
      return Update::fadd;
    case spv::Op::OpAtomicFMinEXT:
      return Update::fmin;
    case spv::Op::OpAtomicFMaxEXT:
      return Update::fmax;
    default:
      return {};
  }
}

}  // namespace

Scope FunctionReader::scope_of(Id id) {
  switch (static_cast<spv::Scope>(context_.known(id, "a scope"))) {
    case spv::Scope::CrossDevice:
      return Scope::system;
    case spv::Scope::Device:
    case spv::Scope::QueueFamily:  // a launch is of one queue
      return Scope::device;
    case spv::Scope::Workgroup:
      return Scope::workgroup;
    case spv::Scope::Subgroup:
      return Scope::subgroup;
    case spv::Scope::Invocation:
      return Scope::thread;
    default:
      throw Unsupported("a scope that is not known");
  }
}

FunctionReader::Ordering FunctionReader::ordering_of(Id id, bool is_atomic) {
  const auto semantics = static_cast<std::uint32_t>(context_.known(id, "memory semantics"));
  const auto has = [&](spv::MemorySemanticsMask mask) { return (semantics & bit(mask)) != 0; };
  Ordering result;
  const bool acquire = has(spv::MemorySemanticsMask::Acquire);
  const bool release = has(spv::MemorySemanticsMask::Release);
  if (has(spv::MemorySemanticsMask::SequentiallyConsistent)) {
    result.order = Order::seq_cst;
  } else if (has(spv::MemorySemanticsMask::AcquireRelease) || (acquire && release)) {
    result.order = Order::acquire_release;
  } else if (acquire) {
    result.order = Order::acquire;
  } else if (release) {
    result.order = Order::release;
  }
  bool global = has(spv::MemorySemanticsMask::UniformMemory) ||
                has(spv::MemorySemanticsMask::CrossWorkgroupMemory);
  if (has_storage_images_) {
    const bool images = has(spv::MemorySemanticsMask::ImageMemory);
    if (has_written_buffers_ && images != global && result.order != Order::relaxed) {
      throw Unsupported(fmt::format("an order of {} alone, beside accesses of both",
                                    images ? "images, not buffers," : "buffers, not images,"));
    }
    if (!has_written_buffers_) global = images;
  }
  const bool local = has(spv::MemorySemanticsMask::WorkgroupMemory);
  result.memory = static_cast<std::uint8_t>((local ? 1 : 0) | (global ? 2 : 0));
  // OpenCL's atomics order the memory that they are about without saying so.
  if (is_atomic && !context_.is_shader() && result.memory == 0) result.memory = 3;
  if (context_.is_vulkan() && result.memory != 0) {
    if (releases(result.order)) {
      if (has(spv::MemorySemanticsMask::MakeAvailable)) {
        makes_available_ = true;
      } else if (!release_) {
        release_ = builder_.place();
      }
    }
    if (acquires(result.order)) {
      if (has(spv::MemorySemanticsMask::MakeVisible)) {
        makes_visible_ = true;
      } else if (!acquire_) {
        acquire_ = builder_.place();
      }
    }
  }
  return result;
}

void FunctionReader::fence(Order order, Scope scope, std::uint8_t memory) {
  if (order == Order::relaxed || memory == 0) return;
  Instruction made;
  made.op = Op::fence;
  made.order = order;
  made.scope = scope;
  made.memory = memory;
  builder_.emit(std::move(made));
}

void FunctionReader::read_barrier(const RawInstruction& instruction) {
  const auto of = context_.words().operands(instruction);
  const Scope who = scope_of(of[0]);
  const Scope scope = scope_of(of[1]);
  const Ordering ordering = ordering_of(of[2], false);
  const bool orders = ordering.order != Order::relaxed;
  if (orders && ordering.order < Order::acquire_release && ordering.memory != 0) {
    throw Unsupported("a barrier that only acquires or only releases");
  }
  if (who != Scope::workgroup && who != Scope::subgroup) {
    if (who == Scope::thread) return fence(ordering.order, scope, ordering.memory);
    throw Unsupported("a barrier of more than a workgroup");
  }
  const std::uint8_t memory = orders && scope != Scope::thread ? ordering.memory : 0;
  // Beyond those that meet, a barrier orders as a fence does, on both sides.
  const bool reaches_further = scope > who;
  if (orders && scope < who) throw Unsupported("a barrier whose memory scope is narrower than it");
  if (reaches_further) fence(Order::acquire_release, scope, memory);
  Instruction made;
  made.op = Op::barrier;
  made.scope = who;
  made.order = Order::acquire_release;
  made.memory = memory;
  made.partial =
      who == Scope::subgroup && context_.is_shader() && context_.language() != SourceLanguage::wgsl;
  builder_.emit(std::move(made));
  if (reaches_further) fence(Order::release, scope, memory);
}

void FunctionReader::read_atomic(const RawInstruction& instruction) {
  const auto of = context_.words().operands(instruction);
  const auto op = static_cast<spv::Op>(instruction.op);
  const Pointer at = pointer(of[0]);
  if (at.root != Pointer::Root::memory) throw Unsupported("an atomic access to no memory");
  claim_within(at);
  const bool is_flag = op == spv::Op::OpAtomicFlagTestAndSet || op == spv::Op::OpAtomicFlagClear;
  const Type type = is_flag ? Type::integer(32) : context_.scalar(at.type);
  Instruction made;
  made.type = type;
  made.operands = {at.address};
  made.scope = scope_of(of[1]);
  const Ordering ordering = ordering_of(of[2], true);
  made.order = ordering.order;
  made.memory = ordering.memory;
  if (ordering.memory == 0) made.order = Order::relaxed;
  const auto semantics = static_cast<std::uint32_t>(context_.known(of[2], "memory semantics"));
  made.is_volatile = (semantics & bit(spv::MemorySemanticsMask::Volatile)) != 0;
  if (op == spv::Op::OpAtomicStore || op == spv::Op::OpAtomicFlagClear) {
    made.op = Op::atomic_store;
    made.operands.push_back(is_flag ? builder_.integer(32, 0) : single(of[3]));
    where_inside(at, {}, [&] {
      builder_.emit(std::move(made));
      return Parts();
    });
    return;
  }
  made.result = builder_.forward(type);
  if (op == spv::Op::OpAtomicLoad) {
    made.op = Op::atomic_load;
  } else if (op == spv::Op::OpAtomicCompareExchange || op == spv::Op::OpAtomicCompareExchangeWeak) {
    made.op = Op::atomic_compare;
    made.operands.push_back(single(of[5]));
    made.operands.push_back(single(of[4]));
    const Ordering otherwise = ordering_of(of[3], true);
    made.otherwise = otherwise.memory == 0 ? Order::relaxed : otherwise.order;
    if (otherwise.order != Order::relaxed && otherwise.memory != ordering.memory) {
      throw Unsupported(
          "a compare-and-exchange that orders different memory as it succeeds or not");
    }
  } else {
    made.op = Op::atomic_update;
    made.update = *atomic_update_of(op);
    if (is_flag || op == spv::Op::OpAtomicIIncrement || op == spv::Op::OpAtomicIDecrement) {
      made.operands.push_back(builder_.integer(type.bits, 1));
    } else {
      made.operands.push_back(single(of[3]));
    }
  }
  const ValueId old =
      where_inside(at, {type}, [&] { return Parts{builder_.emit(std::move(made))}; }).front();
  give(instruction, {is_flag ? builder_.binary(Op::ne, old, builder_.integer(32, 0)) : old});
}

bool FunctionReader::read_synchronization(const RawInstruction& instruction) {
  const auto of = context_.words().operands(instruction);
  const auto op = static_cast<spv::Op>(instruction.op);
  switch (op) {
    case spv::Op::OpControlBarrier:
      read_barrier(instruction);
      return true;
    case spv::Op::OpMemoryBarrier: {
      const Ordering ordering = ordering_of(of[1], false);
      fence(ordering.order, scope_of(of[0]), ordering.memory);
      return true;
    }
    case spv::Op::OpAtomicLoad:
    case spv::Op::OpAtomicStore:
    case spv::Op::OpAtomicFlagClear:
    case spv::Op::OpAtomicCompareExchange:
    case spv::Op::OpAtomicCompareExchangeWeak:
      read_atomic(instruction);
      return true;
    default:
      if (!atomic_update_of(op)) return false;
      read_atomic(instruction);
      return true;
  }
}

}  // namespace headway::kernel::spirv
