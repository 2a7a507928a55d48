#include "kernel/test/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernel/ir/control_flow.hpp"
#include "kernel/ir/divergence.hpp"

namespace headway::kernel {
namespace {

using Source = Divergence::Source;

bool is_zero(const Function& function, ValueId id) {
  const Value& value = function.value(id);
  return value.kind == Value::Kind::constant && value.bits == 0;
}

// What differs between threads of a group. Where nobody races, all who read one
// place between two barriers read the same.
Source source_of(const Code& code, const Instruction& i, Together of) {
  // What a thread keeps there may be the same for all.
  if (i.op == Op::load && code.is_private(i.operands[0])) return Source::same;
  if (i.op == Op::load || i.op == Op::atomic_load) return Source::as_operands;
  // Adding nothing is a way to read.
  if (i.op == Op::atomic_update && is_zero(code.function(), i.operands[1])) {
    return Source::as_operands;
  }
  if (of != Together::subgroup && i.op == Op::subgroup && i.subgroup != Subgroup::elect &&
      !is_scan(i.subgroup)) {
    return Source::as_operands;
  }
  // What nobody knows is held against no barrier.
  if (i.op == Op::unknown ||
      is_one_of(i.op, OpClass::call, OpClass::annotation, OpClass::asynchronous)) {
    return Source::same;
  }
  return source_of(i, of);
}

struct PartedBarrier {
  const Instruction* barrier;
  const Instruction* branch;
};

// Barriers of a group, and operations of a subgroup, that threads may come to without others, and
// the last branch in front at which these go elsewhere.
std::vector<PartedBarrier> parted_barriers(const Code& code, Together of) {
  const Function& function = code.function();
  std::vector<PartedBarrier> result;
  std::vector<std::pair<BlockId, const Instruction*>> barriers;
  for (BlockId b = 0; b < function.blocks.size(); ++b) {
    for (const Instruction& i : function.blocks[b].code) {
      const bool of_group =
          i.op == Op::barrier_reduce || (i.op == Op::barrier && i.scope == Scope::workgroup);
      const bool of_grid = i.op == Op::barrier && i.scope >= Scope::device;
      const bool of_subgroup =
          i.op == Op::subgroup || (i.op == Op::barrier && i.scope == Scope::subgroup);
      const bool is_looked_for = of == Together::grid        ? of_grid
                                 : of == Together::workgroup ? of_group
                                                             : of_subgroup;
      if (is_looked_for) barriers.emplace_back(b, &i);
    }
  }
  if (barriers.empty() || function.blocks.size() > Divergence::kMostBlocks) return result;
  const Divergence divergence(function,
                              [&](const Instruction& i) { return source_of(code, i, of); });
  for (const auto& [block, barrier] : barriers) {
    const Instruction* branch = nullptr;
    for (BlockId from = 0; from < function.blocks.size(); ++from) {
      if (!divergence.splits(from) || !divergence.reaches(from, block)) continue;
      if (divergence.join(from) != kNone && divergence.passes(from, block)) continue;
      branch = &function.blocks[from].end();
    }
    if (divergence.parts(block) && branch != nullptr) result.push_back({barrier, branch});
  }
  return result;
}

// Whether a plain load is all that a loop is about: it goes round to the same until another thread
// writes there.
bool is_spin(const Code& code, std::uint32_t load) {
  if (code.instruction(load).op != Op::load || code.instruction(load).is_volatile) return false;
  const Function& function = code.function();
  const auto after = successors(function);
  BlockId home = 0;
  while (home + 1 < function.blocks.size() && code.number(home + 1, 0) <= load) ++home;
  const std::vector<bool> behind = reached_from(after, home);
  if (!behind[home]) return false;
  for (BlockId b = 0; b < function.blocks.size(); ++b) {
    if (!behind[b] || !reached_from(after, b)[home]) continue;
    for (const Instruction& i : function.blocks[b].code) {
      const bool goes_on = i.op == Op::jump || i.op == Op::branch || i.op == Op::choose;
      const bool looks = i.op == Op::load || (is_value(i.op) && i.op != Op::phi);
      if (!looks && !goes_on) return false;
    }
  }
  return true;
}

// Whether a thread of the launch may write where `load` reads. What is read alone has no new value
// to wait for, wherever a compiler reads it.
bool may_be_written(const Code& code, std::uint32_t load) {
  const Bases& of = code.bases(code.instruction(load).operands[0]);
  const auto meet = [](const auto& a, const auto& b) {
    return std::any_of(a.begin(), a.end(),
                       [&](auto one) { return std::binary_search(b.begin(), b.end(), one); });
  };
  const auto writes = [&](const Instruction& i) {
    if (!writes_memory(i.op)) return false;
    const Bases& written = code.bases(written_address(i));
    return of.any || written.any || meet(of.parameters, written.parameters) ||
           meet(of.objects, written.objects);
  };
  const auto& blocks = code.function().blocks;
  return std::any_of(blocks.begin(), blocks.end(), [&](const Block& block) {
    return std::any_of(block.code.begin(), block.code.end(), writes);
  });
}

std::string_view promise(const Module& module) {
  if (module.is_wgsl) return "WGSL has barriers in uniform control flow alone";
  if (module.is_shader) return "Vulkan promises nothing of a barrier outside of uniform control";
  if (!module.volatile_is_atomic) {
    return "in OpenCL C all work-items of a work-group come to a barrier, or none";
  }
  return "CUDA allows that only where the condition is the same for all threads that are to meet";
}

// Lines of compiled code may be of another file.
std::string file_of(const Module& module, const Place& place, const std::filesystem::path& read) {
  if (place.file <= 0 || static_cast<std::size_t>(place.file) >= module.files.size()) {
    return read.string();
  }
  const std::string& named = module.files[static_cast<std::size_t>(place.file)];
  return std::filesystem::path(named).filename() == read.filename() ? read.string() : named;
}

}  // namespace

std::vector<Error> warnings(const Analysis& analysis, const std::filesystem::path& file) {
  std::vector<Error> result;
  const auto warn = [&](const Instruction& at, const std::string& message) {
    result.emplace_back(SourcePosition{file_of(*analysis.run->module, at.place, file),
                                       at.place.line, at.place.column},
                        message, analysis.run->text->line(at.place));
  };
  const Code& code = *analysis.run->code;
  std::vector<std::uint32_t> spins = analysis.spins;
  const auto& faults = analysis.exploration.faults;
  for (const FoundFault& found : faults) {
    if (found.fault.kind != FaultKind::race) continue;
    for (const std::uint32_t of : {found.fault.instruction, found.fault.other_instruction}) {
      const bool is_known = std::find(spins.begin(), spins.end(), of) != spins.end();
      if (!is_known && is_spin(code, of)) spins.push_back(of);
    }
  }
  for (const std::uint32_t spin : spins) {
    // Somebody else may write what a loop does nothing but wait for.
    if (!may_be_written(code, spin) && !is_spin(code, spin)) continue;
    warn(code.instruction(spin),
         "a loop waits by a plain load, which a compiler may move out of the loop; expected an "
         "atomic or volatile one");
  }
  if (analysis.wait) {
    warn(code.instruction(analysis.wait->loop), wait_text(code, *analysis.wait));
  }
  const bool diverges = std::any_of(faults.begin(), faults.end(), [](const FoundFault& found) {
    return found.fault.kind == FaultKind::divergence;
  });
  const Module& module = *analysis.run->module;
  for (const Together of : {Together::subgroup, Together::workgroup, Together::grid}) {
    if (diverges) break;
    const bool of_subgroup = of == Together::subgroup;
    if (of_subgroup && !module.is_wgsl) continue;  // the reader judges them, or a mask does
    for (const PartedBarrier& one : parted_barriers(code, of)) {
      warn(*one.barrier,
           fmt::format(
               "line {} may keep some threads from this {}, in other launches if not "
               "in this one; {}",
               one.branch->place.line, of_subgroup ? "operation of a subgroup" : "barrier",
               of_subgroup ? "WGSL has these in uniform control flow alone" : promise(module)));
    }
  }
  return result;
}

}  // namespace headway::kernel
