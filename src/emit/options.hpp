// What a user chooses of how a test is written for a device.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace headway::emit {

// How threads look at memory.
enum class Loads : std::uint8_t {
  relaxed,           // by atomic loads
  read_modify_write  // by atomics that change nothing
};
inline constexpr Loads kLoads[] = {Loads::relaxed, Loads::read_modify_write};
// "relaxed" or "rmw".
std::string to_string(Loads loads);
// Throws headway::Error for a name that is none of these.
Loads parse_loads(std::string_view name);

struct Options {
  Loads loads = Loads::relaxed;
  bool cooperative = false;  // CUDA: a cooperative launch
  bool spin = false;         // await(e) is a loop; otherwise it is refused
};

// "relaxed loads", "rmw loads, cooperative launch, await as a loop".
std::string describe(const Options& options);

}  // namespace headway::emit
