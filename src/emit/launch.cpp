#include "emit/launch.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace headway::emit {

std::string to_string(Mapping mapping) {
  switch (mapping) {
    case Mapping::plain:
      return "plain";
    case Mapping::round_robin:
      return "round-robin";
    case Mapping::chunked:
      return "chunked";
    case Mapping::hybrid:
      return "hybrid";
  }
  return "";
}

Mapping parse_mapping(std::string_view name) {
  for (const Mapping mapping : kMappings) {
    if (to_string(mapping) == name) return mapping;
  }
  throw Error(
      fmt::format("'{}' is no mapping; expected plain, round-robin, chunked or hybrid", name));
}

Place Launch::place(int workgroup) const {
  switch (mapping) {
    case Mapping::plain:
    case Mapping::round_robin:
      return {workgroup % groups, workgroup / groups};
    case Mapping::chunked:
      return {workgroup / instances, workgroup % instances};
    case Mapping::hybrid:
      break;
  }
  const int first_ones = groups - 1;
  if (workgroup < first_ones * instances) return {workgroup % first_ones, workgroup / first_ones};
  return {first_ones, workgroup - first_ones * instances};
}

int Launch::workgroup(Place place) const {
  switch (mapping) {
    case Mapping::plain:
    case Mapping::round_robin:
      return groups * place.instance + place.group;
    case Mapping::chunked:
      return instances * place.group + place.instance;
    case Mapping::hybrid:
      break;
  }
  const int first_ones = groups - 1;
  return place.group < first_ones ? first_ones * place.instance + place.group
                                  : first_ones * instances + place.instance;
}

Launch make_launch(int groups, Mapping mapping, int instances) {
  if (instances < 1) {
    throw Error(fmt::format("{} instances of a test; at least one is expected", instances));
  }
  if (mapping == Mapping::plain) instances = 1;
  if (instances > kMaxWorkgroups / groups) {
    throw Error(fmt::format("{} instances of {} workgroups are more than {}", instances, groups,
                            kMaxWorkgroups));
  }
  return {groups, instances, mapping};
}

}  // namespace headway::emit
