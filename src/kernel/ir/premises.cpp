#include "kernel/ir/premises.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace headway::kernel {
namespace {

bool looks_at(const Function& function, std::size_t dimension, Builtin id, Builtin size) {
  return std::ranges::any_of(function.blocks, [&](const Block& block) {
    return std::ranges::any_of(block.code, [&](const Instruction& i) {
      return i.op == Op::builtin && (i.builtin == id || i.builtin == size) &&
             static_cast<std::size_t>(i.dimension) == dimension;
    });
  });
}

}  // namespace

bool uses_subgroups(const Function& function) {
  const auto uses = [](const Instruction& i) {
    if (i.op == Op::builtin) return i.builtin >= Builtin::lane;
    if (i.op == Op::subgroup) return true;
    const bool scoped = i.op == Op::barrier || i.op == Op::fence || is_atomic(i.op);
    return scoped && i.scope == Scope::subgroup;
  };
  return std::any_of(function.blocks.begin(), function.blocks.end(), [&](const Block& block) {
    return std::any_of(block.code.begin(), block.code.end(), uses);
  });
}

bool looks_at_threads(const Function& function, std::size_t dimension) {
  return looks_at(function, dimension, Builtin::thread_id, Builtin::group_size);
}

bool looks_at_groups(const Function& function, std::size_t dimension) {
  return looks_at(function, dimension, Builtin::group_id, Builtin::groups);
}

bool has_rows_of_threads(const Function& function) {
  return looks_at_threads(function, 1) && !looks_at_threads(function, 2);
}

bool has_rows_of_groups(const Function& function) {
  return looks_at_groups(function, 1) && !looks_at_groups(function, 2);
}

void add_phrase(std::vector<std::string>& phrases, const std::string& phrase) {
  if (std::ranges::count(phrases, phrase) == 0) phrases.push_back(phrase);
}

void add_premise(Function& function, const std::string& phrase) {
  add_phrase(function.premises, phrase);
}

bool may_overlap(const Module& module, const Function& function, const std::set<std::string>& own) {
  if (module.language() == Language::shader) return false;  // unless declared Aliased, no
  const auto is_buffer = [&](const Parameter& p) {
    return p.type.is_pointer() && p.by_value == 0 && p.space == Space::global &&
           !own.contains(p.name);
  };
  const bool any_struct =
      std::any_of(function.parameters.begin(), function.parameters.end(),
                  [](const Parameter& p) { return p.by_value > 0 || !p.pointers.empty(); });
  const bool any_pointer_read =
      std::any_of(function.blocks.begin(), function.blocks.end(), [](const Block& block) {
        return std::any_of(block.code.begin(), block.code.end(), [](const Instruction& i) {
          return i.op == Op::load && i.type.is_pointer();
        });
      });
  const bool any_variable =
      std::any_of(function.values.begin(), function.values.end(), [&](const Value& value) {
        if (value.kind != Value::Kind::address || value.object >= kFirstLocal) return false;
        const Object& object = module.object(function, value.object);
        return object.space == Space::global && !object.read_only && !object.is_function;
      });
  const auto buffers =
      std::count_if(function.parameters.begin(), function.parameters.end(), is_buffer);
  // A struct may bring two.
  const bool brings = any_struct && any_pointer_read;
  return brings || buffers > 1 || (buffers == 1 && any_variable);
}

SizeLimits size_limits(Language language) {
  constexpr std::uint32_t most = 0x7fffffff, threads = 65536;
  switch (language) {
    case Language::cuda:
      return {{1024, 1024, 64}, {most, 65535, 65535}, 1024};
    case Language::opencl:
    case Language::shader:
      break;
  }
  return {{threads, threads, threads}, {most, most, most}, threads};
}

std::vector<std::string> premises(const Module& module, const Function& function,
                                  std::uint32_t subgroup, bool lockstep) {
  std::vector<std::string> result;
  // CUDA has warps of 32, in the order of ids.
  const bool promised = module.language() == Language::cuda && subgroup == 32;
  if (!promised && (lockstep || uses_subgroups(function))) {
    result.push_back(fmt::format("subgroups have {} threads, in the order of their ids", subgroup));
  }
  result.insert(result.end(), function.premises.begin(), function.premises.end());
  return result;
}

}  // namespace headway::kernel
