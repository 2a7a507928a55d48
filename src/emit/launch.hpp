// Which workgroup of a launch is which thread of which instance of a test. Within an instance a
// thread with a higher id is always a workgroup with a higher id (Sorensen et al., OOPSLA 2021).
#pragma once

#include <string>
#include <string_view>

namespace headway::emit {

// Of N threads and M instances:
enum class Mapping {
  plain,        // thread i is workgroup i, and there is one instance only
  round_robin,  // thread i of instance m is workgroup N * m + i
  chunked,      // thread i of instance m is workgroup M * i + m
  hybrid        // the threads but the last round-robin, behind them all the last ones
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
  int thread = 0;
  int instance = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

struct Launch {
  int threads = 1;    // of a test, at least 1
  int instances = 1;  // at least 1
  Mapping mapping = Mapping::plain;

  int workgroups() const { return threads * instances; }
  // The thread that workgroup 0 <= `workgroup` < workgroups() is, and the other way round.
  Place place(int workgroup) const;
  int workgroup(Place place) const;
};

// A launch of a test with so many threads: of one instance under the plain mapping whatever
// `instances` says. Throws headway::Error when there is no instance, or when there are more
// workgroups than kMaxWorkgroups.
Launch make_launch(int threads, Mapping mapping, int instances);

}  // namespace headway::emit
