#include "kernel/litmus/translate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "consistency/idiom/strengths.hpp"
#include "kernel/litmus/cells.hpp"
#include "kernel/litmus/thread.hpp"
#include "kernel/machine/bases.hpp"

namespace headway::kernel::litmus {
namespace {

// Objects that some thread may write.
std::set<Instance> written_objects(const Launch& launch, const Function& function) {
  const std::vector<Bases> bases = find_bases(function);
  std::set<Instance> result;
  const auto add_all = [&](const Bases& of) {
    for (int t = 0; t < launch.threads(); ++t) {
      for (const ObjectId object : of.objects) result.insert(launch.instance(object, t));
      for (const std::uint32_t p : of.parameters) {
        if (launch.has_own(p)) {
          result.insert(launch.own_argument(p, t));
        } else if (launch.arguments[p].is_pointer()) {
          result.insert(launch.arguments[p].object);
        }
      }
    }
  };
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      const ValueId address = written_address(i);
      if (address == kNone) continue;
      const Bases& of = bases[address];
      add_all(of);
      if (!of.any) continue;
      for (Instance all = 0; all < launch.objects.size(); ++all) result.insert(all);
    }
  }
  return result;
}

}  // namespace

std::string language_of(const Module& module) {
  switch (module.language()) {
    case Language::cuda:
      return "PTX";
    case Language::opencl:
      return "OPENCL";
    case Language::shader:
      break;
  }
  return "VULKAN";
}

consistency::Program translate(const Launch& launch, const std::string& name,
                               const std::string& language, const LineText& line_text,
                               std::vector<std::string>& notes) {
  consistency::Program program = consistency::idiom::program_in(language, name);
  Cells cells(launch);
  const std::set<Instance> written = written_objects(launch, *launch.function);
  const ThreadContext context{launch, language, line_text, written, find_unsaid(*launch.function)};
  for (int t = 0; t < launch.threads(); ++t) {
    const int group = t / launch.group_threads();
    program.threads.push_back(thread_of(context, t, cells));
    program.threads.back().name = fmt::format("P{}", t);
    program.threads.back().place = {0, group, launch.subgroup_of(t)};
  }
  cells.lay_out(program, notes);
  return program;
}

}  // namespace headway::kernel::litmus
