#include "support/spirv_modules.hpp"

#ifdef HEADWAY_SPIRV
#include <doctest/doctest.h>

#include "kernel/ir/well_formed.hpp"
#include "kernel/spirv/reader.hpp"

namespace headway::testing {

using namespace headway::kernel;

std::string refusal_of(const std::string& text) {
  const Module module = spirv::read_module(text, "test.spvasm");
  const Function& function = module.functions.front();
  return function.unsupported.empty() ? objection(module, function).value_or("")
                                      : function.unsupported;
}

std::string faults_of(const std::string& text, Size3 grid, std::optional<Size3> block) {
  const auto module = std::make_shared<Module>(spirv::read_module(text, "test.spvasm"));
  REQUIRE(module->functions.front().unsupported == "");
  REQUIRE_FALSE(objection(*module, module->functions.front()).has_value());
  LaunchSpec spec;
  spec.grid = grid;
  spec.block = block;
  AnalysisOptions options;
  options.explore.all_faults = true;
  const Analysis found = analyse(module, module->functions.front(), spec, nullptr, options);
  std::string kinds;
  for (const FoundFault& fault : found.exploration.faults) {
    kinds += (kinds.empty() ? "" : ",") + std::string(to_string(fault.fault.kind));
  }
  if (found.exploration.obstacle) kinds += "obstacle: " + found.exploration.obstacle->detail;
  return kinds;
}

}  // namespace headway::testing
#endif
