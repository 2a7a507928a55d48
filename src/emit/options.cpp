#include "emit/options.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace headway::emit {

std::string to_string(Loads loads) { return loads == Loads::relaxed ? "relaxed" : "rmw"; }

Loads parse_loads(std::string_view name) {
  for (const Loads loads : kLoads) {
    if (to_string(loads) == name) return loads;
  }
  throw Error(fmt::format("'{}' is no kind of load; expected relaxed or rmw", name));
}

std::string describe(const Options& options) {
  return fmt::format("{} loads{}{}", to_string(options.loads),
                     options.cooperative ? ", cooperative launch" : "",
                     options.spin ? ", await as a loop" : "");
}

}  // namespace headway::emit
