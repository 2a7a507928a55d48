#include "kernel/litmus/translate.hpp"

#include <fmt/format.h>

#include <utility>

#include "consistency/idiom/strengths.hpp"
#include "kernel/litmus/cells.hpp"
#include "kernel/litmus/thread.hpp"
#include "kernel/machine/contacts.hpp"

namespace headway::kernel::litmus {
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

consistency::Program translate(const Code& code, const Launch& launch, const std::string& name,
                               const std::string& language, const LineText& line_text,
                               std::vector<std::string>& notes) {
  consistency::Program program = consistency::idiom::program_in(language, name);
  Cells cells(launch);
  const ThreadContext context{launch, language, line_text, Contacts(code, launch),
                              find_unsaid(*launch.function)};
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
