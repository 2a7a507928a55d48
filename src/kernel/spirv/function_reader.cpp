#include "kernel/spirv/function_reader.hpp"

#include <fmt/format.h>
#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include <algorithm>

namespace headway::kernel::spirv {
namespace {

bool is_end(spv::Op op) {
  switch (op) {
    case spv::Op::OpBranch:
    case spv::Op::OpBranchConditional:
    case spv::Op::OpSwitch:
    case spv::Op::OpReturn:
    case spv::Op::OpReturnValue:
    case spv::Op::OpUnreachable:
    case spv::Op::OpKill:
    case spv::Op::OpTerminateInvocation:
      return true;
    default:
      return false;
  }
}

}  // namespace

void FunctionReader::refuse(const RawInstruction& instruction) const {
  std::string text = text_of(context_.words(), instruction);
  const auto equals = text.find("= ");
  if (equals != std::string::npos) text.erase(0, equals + 2);
  throw Unsupported("the instruction " + text);
}

void FunctionReader::give(const RawInstruction& instruction, Parts parts) {
  frame_->values[instruction.result] = std::move(parts);
}

// Inlining and taking apart multiply code; no kernel that people wait for comes near this.
void FunctionReader::guard_size() {
  const std::size_t most =
      std::min<std::size_t>(20'000 + 64 * context_.words().words.size(), 1'000'000);
  if (builder_.function().values.size() > most) {
    throw Unsupported("code that grows too much when calls and composites are taken apart");
  }
}

void FunctionReader::read(Id function, std::span<const std::uint32_t> interface,
                          bool has_whole_interface) {
  const Words& words = context_.words();
  has_lines_ = std::any_of(words.instructions.begin(), words.instructions.end(),
                           [](const RawInstruction& one) {
                             return one.op == static_cast<std::uint16_t>(spv::Op::OpLine) ||
                                    one.set == ExtendedSet::debug;
                           });
  reflection_ = read_reflection(context_, function);
  const BlockId first = builder_.block("entry");
  builder_.at(builder_.function().place);
  builder_.at(first);
  Frame frame;
  frame.function = function;
  frame_ = &frame;
  active_.insert(function);
  if (context_.is_shader()) find_storage_images();
  make_buffers(interface, has_whole_interface);
  for (const RawInstruction& one : words.instructions) {
    const auto op = static_cast<spv::Op>(one.op);
    if (op == spv::Op::OpFunction) break;
    if (op != spv::Op::OpVariable) continue;
    if (context_.storage(one.type) == spv::StorageClass::Private) make_private(one.result);
  }
  const auto at =
      static_cast<std::uint32_t>(&context_.definition(function) - words.instructions.data());
  read_parameters(at);
  read_body(frame, at);
  settle_availability();
}

// Of a kernel of OpenCL.
void FunctionReader::read_parameters(std::uint32_t at) {
  const Words& words = context_.words();
  Function& into = builder_.function();
  for (++at; at < words.instructions.size(); ++at) {
    const RawInstruction& one = words.instructions[at];
    const auto op = static_cast<spv::Op>(one.op);
    if (op == spv::Op::OpLabel) return;
    if (op != spv::Op::OpFunctionParameter) continue;
    const std::string name = free_name(context_.name(one.result), "parameter");
    const std::vector<Type> types = context_.types(one.type);
    Parts all;
    for (std::size_t i = 0; i < types.size(); ++i) {
      Parameter made;
      made.name = types.size() == 1 ? name : fmt::format("{}.{}", name, i);
      made.type = types[i];
      if (context_.is_pointer(one.type)) {
        switch (context_.storage(one.type)) {
          case spv::StorageClass::CrossWorkgroup:
            break;
          case spv::StorageClass::Workgroup:
            made.space = Space::workgroup;
            break;
          case spv::StorageClass::UniformConstant:
            made.space = Space::constant;
            break;
          case spv::StorageClass::Function:
            made.space = Space::local;
            made.by_value = context_.bytes(context_.pointee(one.type));
            break;
          default:
            throw Unsupported("a parameter of an unknown storage class");
        }
      }
      const ValueId value = builder_.argument(made.type, into.parameters.size(), made.name);
      into.parameters.push_back(std::move(made));
      into.arguments.push_back(value);
      all.push_back(value);
    }
    frame_->values[one.result] = std::move(all);
  }
}

std::vector<Id> FunctionReader::targets(const RawInstruction& end) const {
  const auto of = context_.words().operands(end);
  switch (static_cast<spv::Op>(end.op)) {
    case spv::Op::OpBranch:
      return {of[0]};
    case spv::Op::OpBranchConditional:
      return {of[1], of[2]};
    case spv::Op::OpSwitch: {
      std::vector<Id> result = {of[1]};
      const int bits = context_.scalar(context_.definition(of[0]).type).bits;
      const std::size_t step = bits > 32 ? 3 : 2;
      for (std::size_t i = 2; i + step <= of.size(); i += step) result.push_back(of[i + step - 1]);
      return result;
    }
    default:
      return {};
  }
}

void FunctionReader::read_body(Frame& frame, std::uint32_t at) {
  const Words& words = context_.words();
  struct Source {
    std::uint32_t begin, end;  // behind the label; at the end
    // Of what is read for it beside its own block, as of calls: the first one and behind the last.
    BlockId first_more = 0, end_more = 0;
  };
  std::unordered_map<Id, Source> sources;
  std::vector<Id> order;
  for (std::uint32_t i = at + 1; i < words.instructions.size(); ++i) {
    const RawInstruction& one = words.instructions[i];
    const auto op = static_cast<spv::Op>(one.op);
    if (op == spv::Op::OpFunctionEnd) break;
    if (op == spv::Op::OpLabel) {
      order.push_back(one.result);
      sources[one.result] = {i + 1, 0};
    }
    if (is_end(op) && !order.empty()) sources[order.back()].end = i;
  }
  if (order.empty()) {
    throw Unsupported("a call of the function '" + context_.name(frame.function) +
                      "', which is not in the module");
  }
  // What cannot be reached is not read.
  std::set<Id> reached = {order.front()};
  std::vector<Id> open = {order.front()};
  while (!open.empty()) {
    const Source& of = sources.at(open.back());
    open.pop_back();
    if (of.end == 0) throw Unsupported("a block without a known end");
    for (const Id next : targets(words.instructions[of.end])) {
      if (reached.insert(next).second) open.push_back(next);
    }
  }
  for (const Id label : order) {
    if (reached.contains(label)) frame.blocks[label] = builder_.block(context_.name(label));
  }
  builder_.jump(frame.blocks.at(order.front()));
  for (const Id label : order) {
    if (!reached.contains(label)) continue;
    builder_.at(frame.blocks.at(label));
    Source& of = sources.at(label);
    of.first_more = static_cast<BlockId>(builder_.function().blocks.size());
    for (std::uint32_t i = of.begin; i <= of.end; ++i) {
      const RawInstruction& one = words.instructions[i];
      if (!has_lines_ && one.line > 0) builder_.at(Place{context_.text_file(), one.line, 0});
      guard_size();
      current_ = &one;
      if (i < of.end) {
        read_instruction(one);
      } else {
        frame.ends[label] = builder_.here();
        if (!read_end(one)) refuse(one);
      }
    }
    of.end_more = static_cast<BlockId>(builder_.function().blocks.size());
  }
  finish_phis(frame);
  // What is in a loop: all that comes behind its head and not behind its merge block.
  for (const Id head : order) {
    if (!reached.contains(head)) continue;
    const RawInstruction& merges = words.instructions[sources.at(head).end - 1];
    if (static_cast<spv::Op>(merges.op) != spv::Op::OpLoopMerge) continue;
    std::set<Id> in = {words.operands(merges)[0]};  // where it ends
    open = {head};
    while (!open.empty()) {
      const Id at = open.back();
      open.pop_back();
      if (!in.insert(at).second) continue;
      const Source& of = sources.at(at);
      const auto put = [&](BlockId block) {
        builder_.function().blocks[block].loops.push_back(frame.blocks.at(head));
      };
      put(frame.blocks.at(at));
      for (BlockId more = of.first_more; more < of.end_more; ++more) put(more);
      const std::vector<Id> next = targets(words.instructions[of.end]);
      open.insert(open.end(), next.begin(), next.end());
    }
  }
}

void FunctionReader::read_place(const RawInstruction& instruction) {
  const auto of = context_.words().operands(instruction);
  if (static_cast<spv::Op>(instruction.op) == spv::Op::OpLine) {
    builder_.at(Place{context_.file(of[0]), static_cast<int>(of[1]), static_cast<int>(of[2])});
    return;
  }
  if (of.size() < 5 || of[1] != NonSemanticShaderDebugInfo100DebugLine) return;
  const auto source = context_.operands(of[2]);
  if (source.size() < 3 || source[1] != NonSemanticShaderDebugInfo100DebugSource) return;
  const auto line = context_.number(of[3]);
  const auto column = of.size() > 5 ? context_.number(of[5]) : std::nullopt;
  if (line) {
    builder_.at(Place{context_.file(source[2]), static_cast<int>(*line),
                      static_cast<int>(column.value_or(0))});
  }
}

void FunctionReader::read_instruction(const RawInstruction& instruction) {
  const auto of = context_.words().operands(instruction);
  switch (static_cast<spv::Op>(instruction.op)) {
    case spv::Op::OpLine:
      return read_place(instruction);
    case spv::Op::OpNop:
    case spv::Op::OpNoLine:
    case spv::Op::OpSelectionMerge:
    case spv::Op::OpLoopMerge:      // read_body
    case spv::Op::OpAssumeTrueKHR:  // of the compiler
      return;
    case spv::Op::OpPhi: {
      Parts all;
      for (const Type& type : context_.types(instruction.type)) {
        all.push_back(builder_.forward(type, context_.name(instruction.result)));
      }
      give(instruction, std::move(all));
      frame_->phis.emplace_back(&instruction, builder_.here());
      return;
    }
    case spv::Op::OpFunctionCall:
      return read_call(instruction);
    case spv::Op::OpExtInst:
      if (instruction.set == ExtendedSet::debug) return read_place(instruction);
      if (instruction.set == ExtendedSet::other) {
        const std::string set = literal(context_.operands(of[0]));
        if (set.starts_with("NonSemantic.")) return;
        throw Unsupported("the instruction set " + set);
      }
      break;
    default:
      break;
  }
  if (read_memory(instruction) || read_synchronization(instruction) || read_group(instruction) ||
      read_copies(instruction) ||
      (context_.is_shader() ? read_shader_image(instruction) : read_image(instruction)) ||
      read_value(instruction)) {
    return;
  }
  refuse(instruction);
}

bool FunctionReader::read_end(const RawInstruction& instruction) {
  const auto of = context_.words().operands(instruction);
  const auto block = [&](Id label) { return frame_->blocks.at(label); };
  Instruction end;
  switch (static_cast<spv::Op>(instruction.op)) {
    case spv::Op::OpBranch:
      builder_.jump(block(of[0]));
      return true;
    case spv::Op::OpBranchConditional:
      builder_.branch(single(of[0]), block(of[1]), block(of[2]));
      return true;
    case spv::Op::OpSwitch: {
      const ValueId selector = single(of[0]);
      const int bits = builder_.type(selector).bits;
      end.op = Op::choose;
      end.operands = {selector};
      end.targets = {block(of[1])};
      const std::size_t step = bits > 32 ? 3 : 2;
      for (std::size_t i = 2; i + step <= of.size(); i += step) {
        std::uint64_t value = of[i];
        if (step == 3) value |= std::uint64_t{of[i + 1]} << 32;
        end.cases.push_back(bits == 64 ? value : value & ((std::uint64_t{1} << bits) - 1));
        end.targets.push_back(block(of[i + step - 1]));
      }
      if (end.cases.empty()) {
        builder_.jump(end.targets.front());
      } else {
        builder_.emit(std::move(end));
      }
      return true;
    }
    case spv::Op::OpReturn:
    case spv::Op::OpReturnValue:
      if (active_.size() > 1) {
        // Where to is known when all of the function has been read.
        const bool gives = !of.empty();
        frame_->returns.emplace_back(builder_.here(), gives ? parts(of[0]) : Parts());
        return true;
      }
      end.op = Op::ret;
      builder_.emit(std::move(end));
      return true;
    case spv::Op::OpUnreachable:
      end.op = Op::unreachable;
      builder_.emit(std::move(end));
      return true;
    default:
      return false;
  }
}

void FunctionReader::read_call(const RawInstruction& instruction) {
  const auto of = context_.words().operands(instruction);
  const Id callee = of[0];
  constexpr std::size_t max_calls = 200;
  if (active_.contains(callee)) {
    throw Unsupported("recursion: the function '" + context_.name(callee) + "' calls itself");
  }
  if (active_.size() > max_calls) throw Unsupported("calls that are nested too deeply");
  const auto at = static_cast<std::uint32_t>(&context_.definition(callee) -
                                             context_.words().instructions.data());
  Frame inner;
  inner.function = callee;
  std::size_t argument = 1;
  for (std::uint32_t i = at + 1; i < context_.words().instructions.size(); ++i) {
    const RawInstruction& one = context_.words().instructions[i];
    const auto op = static_cast<spv::Op>(one.op);
    if (op == spv::Op::OpLabel || op == spv::Op::OpFunctionEnd) break;
    if (op != spv::Op::OpFunctionParameter) continue;
    if (argument >= of.size()) throw Unsupported("a call without all of its arguments");
    const Id given_id = of[argument++];
    if (context_.is_pointer(one.type)) {
      const Pointer to = pointer(given_id);
      inner.pointers[one.result] = to;
      if (to.address != kNone) inner.values[one.result] = {to.address};
    } else {
      inner.values[one.result] = parts(given_id);
    }
  }
  Frame* outer = frame_;
  const Place place = builder_.place();
  frame_ = &inner;
  active_.insert(callee);
  read_body(inner, at);
  active_.erase(callee);
  frame_ = outer;
  builder_.at(place);
  const BlockId after = builder_.block();
  for (const auto& [block, values] : inner.returns) {
    builder_.at(block);
    builder_.jump(after);
  }
  builder_.at(after);
  Parts result;
  const std::vector<Type> types = context_.types(instruction.type);
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (inner.returns.empty()) {
      result.push_back(builder_.undefined(types[i]));
    } else if (inner.returns.size() == 1) {
      result.push_back(inner.returns.front().second.at(i));
    } else {
      const ValueId joined = builder_.forward(types[i]);
      std::vector<std::pair<BlockId, ValueId>> incoming;
      for (const auto& [block, values] : inner.returns) incoming.emplace_back(block, values.at(i));
      builder_.phi(after, joined, incoming);
      result.push_back(joined);
    }
  }
  give(instruction, std::move(result));
}

void FunctionReader::finish_phis(Frame& frame) {
  for (const auto& [instruction, in] : frame.phis) {
    const auto of = context_.words().operands(*instruction);
    const Parts results = frame.values.at(instruction->result);
    for (std::size_t part = 0; part < results.size(); ++part) {
      std::vector<std::pair<BlockId, ValueId>> incoming;
      for (std::size_t i = 0; i + 1 < of.size(); i += 2) {
        const auto from = frame.ends.find(of[i + 1]);
        if (from == frame.ends.end()) continue;
        const Parts all = parts(of[i]);
        if (part < all.size()) incoming.emplace_back(from->second, all[part]);
      }
      builder_.phi(in, results[part], incoming);
    }
  }
}

}  // namespace headway::kernel::spirv
