#include "emit/lower.hpp"

#include <fmt/format.h>

#include "emit/axb_kernel.hpp"
#include "emit/idiom_kernel.hpp"
#include "emit/placed_axb.hpp"
#include "emit/text.hpp"
#include "lang/axb/source.hpp"
#include "lang/idiom/source.hpp"

namespace headway::emit {

namespace {

// Tests of AXB instructions in groups are written as programs of the idiom language are.
const lang::axb::Code* code_in_groups(const lang::Test& test) {
  const lang::axb::Code* code = lang::axb::find_placed_code(test);
  return code != nullptr && !code->is_flat() ? code : nullptr;
}

}  // namespace

Launch launch_of(const lang::Test& test, Mapping mapping, int instances) {
  if (const auto* axb = code_in_groups(test)) {
    return make_launch(axb->topology().workgroups(), mapping, instances);
  }
  const auto idiom = lang::idiom::find_code(test);
  return make_launch(idiom ? idiom->topology.workgroups() : test.thread_count(), mapping,
                     instances);
}

Kernel lower(const lang::Test& test, Mapping mapping, int instances, const Options& options) {
  if (const auto* axb = code_in_groups(test)) {
    Kernel kernel = lower(as_idiom(*axb, test.name), mapping, instances, options);
    kernel.instructions = test.instruction_count();
    return kernel;
  }
  Kernel kernel;
  kernel.name = printable(test.name.empty() ? "a test" : test.name);
  kernel.instructions = test.instruction_count();
  kernel.launch = launch_of(test, mapping, instances);
  kernel.options = options;
  if (const auto* axb = lang::axb::find_code(test)) {
    lower(*axb, kernel);
  } else if (const auto idiom = lang::idiom::find_code(test)) {
    lower(idiom, kernel);
  } else {
    throw Error(fmt::format("{} cannot be exported: it is written in the {} language", test.name,
                            test.source->language()));
  }
  return kernel;
}

}  // namespace headway::emit
