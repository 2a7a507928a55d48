// What people call a place in the memory of a launch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "kernel/machine/launch.hpp"

namespace headway::kernel {

// "flag", "data[3]", "l@1.owner" (of workgroup 1), "q->head", or "q+6" for what is no such part.
std::string place_name(const Launch& launch, Instance object, std::uint64_t at, int bytes);

// The same without the workgroup, where it is a member of a structure: numbers say less then.
std::optional<std::string> member_name(const ObjectInfo& info, const Module& module,
                                       std::uint64_t at, int bytes);

// Of what an unknown value is called that memory holds at first: "row" of "row[3]". Nothing of
// other values.
std::optional<std::string_view> memory_of(std::string_view name);

}  // namespace headway::kernel
