#include "kernel/spirv/reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "kernel/ir/guards.hpp"
#include "kernel/ir/id_ranges.hpp"
#include "kernel/ir/premises.hpp"
#include "kernel/ir/tidy.hpp"
#include "kernel/spirv/fences.hpp"
#include "kernel/spirv/function_reader.hpp"
#include "kernel/spirv/uniform.hpp"

namespace headway::kernel::spirv {
namespace {

struct EntryPoint {
  Id function = 0;
  std::string name;
  std::vector<std::uint32_t> interface;
};

const char* stage_name(spv::ExecutionModel model) {
  switch (model) {
    case spv::ExecutionModel::Vertex:
      return "a vertex shader";
    case spv::ExecutionModel::TessellationControl:
    case spv::ExecutionModel::TessellationEvaluation:
      return "a tessellation shader";
    case spv::ExecutionModel::Geometry:
      return "a geometry shader";
    case spv::ExecutionModel::Fragment:
      return "a fragment shader";
    default:
      return "of another stage";
  }
}

std::vector<EntryPoint> entry_points(const Words& words, const std::string& path) {
  std::vector<EntryPoint> result;
  std::string others;
  for (const RawInstruction& one : words.instructions) {
    if (static_cast<spv::Op>(one.op) != spv::Op::OpEntryPoint) continue;
    const auto of = words.operands(one);
    EntryPoint made;
    made.function = of[1];
    made.name = literal(of.subspan(2));
    const auto model = static_cast<spv::ExecutionModel>(of[0]);
    if (model != spv::ExecutionModel::GLCompute && model != spv::ExecutionModel::Kernel) {
      others +=
          fmt::format("{}'{}' is {}", others.empty() ? "" : ", ", made.name, stage_name(model));
      continue;
    }
    const auto rest = of.subspan(2 + made.name.size() / 4 + 1);
    made.interface.assign(rest.begin(), rest.end());
    result.push_back(std::move(made));
  }
  if (result.empty()) {
    throw Error({path, 0, 0}, others.empty()
                                  ? "the module has no entry point; expected a compute shader"
                                  : "expected a compute shader; " + others);
  }
  return result;
}

// The size of a workgroup, from the mode of the entry point or a constant that is decorated so.
void read_group_size(Context& context, Id entry, Function& into) {
  const Words& words = context.words();
  std::uint64_t size[3] = {0, 0, 0};
  for (const RawInstruction& one : words.instructions) {
    const auto op = static_cast<spv::Op>(one.op);
    const auto of = words.operands(one);
    if (op == spv::Op::OpFunction) break;
    const bool is_mode = op == spv::Op::OpExecutionMode || op == spv::Op::OpExecutionModeId;
    if (!is_mode || of[0] != entry || of.size() < 5) continue;
    const auto mode = static_cast<spv::ExecutionMode>(of[1]);
    if (mode == spv::ExecutionMode::LocalSize) std::copy_n(of.begin() + 2, 3, size);
    if (mode == spv::ExecutionMode::LocalSizeId) {
      for (std::size_t i = 0; i < 3; ++i) size[i] = context.known(of[2 + i], "a local size");
    }
  }
  // The decorated constant counts more (SPIR-V, WorkgroupSize).
  for (const RawInstruction& one : words.instructions) {
    if (static_cast<spv::Op>(one.op) == spv::Op::OpFunction) break;
    if (one.result == 0 ||
        context.decoration(one.result, spv::Decoration::BuiltIn) !=
            static_cast<std::uint32_t>(spv::BuiltIn::WorkgroupSize) ||
        !context.is_constant(one.result)) {
      continue;
    }
    const auto& scalars = context.constant(one.result);
    for (std::size_t i = 0; i < 3 && i < scalars.size(); ++i) {
      if (!scalars[i].bits) throw Unsupported("a size of workgroups that is undefined");
      size[i] = *scalars[i].bits;
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (size[i] > 65536) throw Unsupported("a workgroup of more than 65536 threads");
    into.group_size[i] = static_cast<std::uint32_t>(size[i]);
  }
  const bool any = size[0] > 0 || size[1] > 0 || size[2] > 0;
  if (any && (size[0] == 0 || size[1] == 0 || size[2] == 0)) {
    throw Unsupported("a workgroup of no threads");
  }
}

// A size of workgroups that is asked for is given to the constants that it is made of.
void specialize_group_size(const Context& context, const std::array<std::uint32_t, 3>& size,
                           Specialization& into) {
  const auto give = [&](Id constant, std::uint32_t value) {
    const auto id = context.decoration(constant, spv::Decoration::SpecId);
    if (id && context.op(constant) == spv::Op::OpSpecConstant) into.try_emplace(*id, value);
  };
  for (const RawInstruction& one : context.words().instructions) {
    const auto op = static_cast<spv::Op>(one.op);
    const auto of = context.words().operands(one);
    if (op == spv::Op::OpFunction) return;
    const bool is_mode = op == spv::Op::OpExecutionModeId && of.size() > 4 &&
                         static_cast<spv::ExecutionMode>(of[1]) == spv::ExecutionMode::LocalSizeId;
    const bool is_size = op == spv::Op::OpSpecConstantComposite && of.size() == 3 &&
                         context.decoration(one.result, spv::Decoration::BuiltIn) ==
                             static_cast<std::uint32_t>(spv::BuiltIn::WorkgroupSize);
    for (std::size_t d = 0; d < 3 && (is_mode || is_size); ++d) {
      give(of[is_mode ? 2 + d : d], size[d]);
    }
  }
}

Function read_function(Context& context, const EntryPoint& entry) {
  Function result;
  result.name = entry.name;
  result.symbol = entry.name;
  const Words& words = context.words();
  FunctionReader reader(context, result);
  try {
    // The place of the function is the line before it.
    const auto at =
        static_cast<std::size_t>(&context.definition(entry.function) - words.instructions.data());
    if (words.instructions[at].line > 0) {
      result.place = {context.text_file(), words.instructions[at].line, 0};
    }
    if (at > 0 && static_cast<spv::Op>(words.instructions[at - 1].op) == spv::Op::OpLine) {
      const auto of = words.operands(words.instructions[at - 1]);
      result.place = {context.file(of[0]), static_cast<int>(of[1]), 0};
    }
    if (!context.foreign().empty()) throw Unsupported(context.foreign());
    read_group_size(context, entry.function, result);
    constexpr std::uint32_t whole_interface = 0x00010400;
    reader.read(entry.function, entry.interface, words.version >= whole_interface);
    order_blocks(result);
    promote_locals(result);
    drop_loop_guards(result);
    fold_id_ranges(result);
    fold_constants(result);
    if (context.is_shader()) join_fences(result);
    require_uniform(result);
  } catch (const Unsupported& what) {
    const Place at = reader.place();
    Function refused;
    refused.name = result.name;
    refused.symbol = result.symbol;
    std::copy_n(result.group_size, 3, refused.group_size);
    refused.unsupported = what.what();
    refused.place = at.line > 0 ? at : result.place;
    if (refused.place.line == 0 && reader.instruction() != nullptr) {
      // A module without lines: where it is then is what is there.
      refused.unsupported += ", in " + text_of(words, *reader.instruction());
    }
    return refused;
  } catch (const NotUniform& what) {
    Function refused;
    refused.name = result.name;
    refused.symbol = result.symbol;
    std::copy_n(result.group_size, 3, refused.group_size);
    refused.unsupported = what.what();
    refused.place = what.place.line > 0 ? what.place : result.place;
    return refused;
  }
  return result;
}

}  // namespace

Module read_module(std::string_view content, const std::string& path, const ReadOptions& options) {
  const Rules rules = options.language == SourceLanguage::hlsl ? Rules::hlsl : Rules::all;
  Words words = read_words(content, path, rules);
  const std::vector<EntryPoint> entries = entry_points(words, path);
  Module result;
  result.path = path;
  result.volatile_is_atomic = false;
  if (!words.listing.empty()) {
    result.files = {path};
    result.listing = words.listing;
  }
  result.clamps_indices = words.clamps_indices;
  const std::string flaw = words.flaw;
  Specialization specialization = options.specialization;
  Context context(std::move(words), result, specialization, options.language);
  if (options.group_size) specialize_group_size(context, *options.group_size, specialization);
  result.is_shader = context.is_shader();
  result.is_wgsl = options.language == SourceLanguage::wgsl;
  result.atomics_by_space = !context.is_shader();
  for (const EntryPoint& entry : entries) {
    const std::size_t objects = result.objects.size();
    result.functions.push_back(read_function(context, entry));
    if (!result.functions.back().unsupported.empty()) result.objects.resize(objects);
  }
  // A constant that is asked for and not there is a mistake of whoever asks.
  for (const auto& [id, value] : options.specialization) {
    if (!context.has_specialization(id)) {
      throw Error({path, 0, 0}, fmt::format("there is no specialization constant {}", id));
    }
  }
  for (Function& function : result.functions) {
    for (const std::string& phrase : context.defaults()) add_premise(function, phrase);
    if (!flaw.empty()) {
      add_premise(function,
                  "the module, which is not valid SPIR-V, means what it says (" + flaw + ")");
    }
  }
  return result;
}

}  // namespace headway::kernel::spirv
