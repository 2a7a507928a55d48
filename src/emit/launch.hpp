// Which workgroup of a launch is which workgroup of which instance of a test. A flat test has
// workgroups of one thread. Within an instance a workgroup with a higher id is always one with a
// higher id in the launch (Sorensen et al., OOPSLA 2021).
#pragma once

#include <string>
#include <string_view>

namespace headway::emit {

// Of N workgroups and M instances:
enum class Mapping {
  plain,        // i is workgroup i, and there is one instance only
  round_robin,  // i of instance m is workgroup N * m + i
  chunked,      // i of instance m is workgroup M * i + m
  hybrid        // all but the last round-robin, behind them all the last ones
};
inline constexpr Mapping kMappings[] = {Mapping::plain, Mapping::round_robin, Mapping::chunked,
                                        Mapping::hybrid};
// "plain", "round-robin", "chunked" or "hybrid".
std::string to_string(Mapping mapping);
// Throws headway::Error for a name that is none of these.
Mapping parse_mapping(std::string_view name);

// Workgroups of one launch that every target can take.
inline constexpr int kMaxWorkgroups = 65535;

struct Place {
  int group = 0;
  int instance = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

struct Launch {
  int groups = 1;     // workgroups of a test, at least 1
  int instances = 1;  // at least 1
  Mapping mapping = Mapping::plain;

  int workgroups() const { return groups * instances; }
  // The place that workgroup 0 <= `workgroup` < workgroups() is, and the other way round.
  Place place(int workgroup) const;
  int workgroup(Place place) const;
};

// A launch of a test with so many workgroups: of one instance under the plain mapping whatever
// `instances` says. Throws headway::Error when there is no instance, or when there are more
// workgroups than kMaxWorkgroups.
Launch make_launch(int groups, Mapping mapping, int instances);

}  // namespace headway::emit
