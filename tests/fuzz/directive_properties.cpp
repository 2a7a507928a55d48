#include "fuzz/directive_properties.hpp"

#include <algorithm>
#include <stdexcept>

#include "kernel/directives.hpp"

namespace headway::fuzz {
namespace {

void require_directive(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

}  // namespace

void check_directives(std::string_view text) {
  const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
  try {
    const kernel::Directives all = kernel::parse_directives(text, "fuzz.cu");
    require_directive(all.launches.size() <= kernel::kMaxLaunches, "launches are limited");
    for (const kernel::LaunchDirective& launch : all.launches) {
      require_directive(launch.where.line >= 1 && launch.where.line <= lines,
                        "a launch has a line");
      for (const auto& extent : {launch.grid, launch.block}) {
        require_directive(!extent || std::count(extent->begin(), extent->end(), 0u) == 0,
                          "sizes are positive");
      }
      for (const kernel::Buffer& buffer : launch.buffers) {
        require_directive(!buffer.name.empty(), "a buffer has a name");
        // How many an expression comes to is known, and compared, once there are arguments.
        require_directive(buffer.count ? !buffer.count->text.empty() && buffer.elements == 0
                                       : buffer.values.size() <= buffer.elements,
                          "values have elements");
      }
      for (const kernel::Argument& argument : launch.arguments) {
        const auto same = [&](const kernel::Argument& other) {
          return other.name == argument.name;
        };
        require_directive(
            std::count_if(launch.arguments.begin(), launch.arguments.end(), same) == 1,
            "an argument is given once");
        require_directive(argument.unknown.low.value_or(0) <= argument.unknown.high.value_or(0) ||
                              !argument.unknown.low,
                          "a range is not empty");
      }
    }
  } catch (const Error& error) {
    require_directive(error.where().line >= 1 && error.where().line <= lines,
                      "an error has a line");
    require_directive(std::string_view(error.what()).size() < 1000, "a message is short");
  }
}

}  // namespace headway::fuzz
