#include "emit/lower.hpp"

#include <fmt/format.h>

#include "emit/axb_kernel.hpp"
#include "emit/idiom_kernel.hpp"
#include "emit/text.hpp"
#include "lang/axb/source.hpp"
#include "lang/idiom/source.hpp"

namespace headway::emit {

Kernel lower(const lang::Test& test, Mapping mapping, int instances) {
  Kernel kernel;
  kernel.name = printable(test.name.empty() ? "a test" : test.name);
  kernel.instructions = test.instruction_count();
  kernel.launch = make_launch(test.thread_count(), mapping, instances);
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
