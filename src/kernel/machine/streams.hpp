// What runs beside what in a CUDA program: kernels and copies that nobody has waited for, and what
// orders them, streams, events and the host. They run one after the other here, which is exact as
// long as nothing that may run beside something else touches the same memory: then no order of
// the two makes a difference. Where something does, it is a race, or is refused.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "kernel/machine/value.hpp"

namespace headway::kernel {

// Which bytes have been accessed, in any execution of a kernel.
class Footprint {
 public:
  enum class Kind : std::uint8_t { reads, writes, atomic };
  // `sure` where the access takes place whatever unknown data are; `line` is where it stands.
  void add(Instance object, std::uint64_t at, std::uint64_t bytes, Kind kind, bool sure, int line);
  // An access that is not ordered with this one, if there is one: a sure one rather than another.
  struct Met {
    Kind kind = Kind::reads;
    bool sure = false;
    int line = 0;
  };
  std::optional<Met> meets(Instance object, std::uint64_t at, std::uint64_t bytes, Kind kind) const;

  // The objects that have been accessed atomically.
  std::set<Instance> atomic() const;

  friend bool operator==(const Footprint&, const Footprint&) = default;

 private:
  using Ranges = std::map<std::uint64_t, std::uint64_t>;  // ends by begins; none overlap
  std::map<std::tuple<Instance, Kind, bool, int>, Ranges> touched_;
};

using FootprintPtr = std::shared_ptr<const Footprint>;

class Streams {
 public:
  using Handle = std::uint64_t;
  using Tasks = std::set<std::uint32_t>;

  // Does not go together with the default stream by itself.
  void add_non_blocking(Handle stream) { non_blocking_.insert(stream); }

  // What has not been waited for, and is in no order with what comes next in the stream.
  std::vector<FootprintPtr> beside(Handle stream) const;
  std::vector<FootprintPtr> pending() const;
  void add(Handle stream, FootprintPtr task);

  void record(Handle event, Handle stream);
  void wait(Handle stream, Handle event);  // the stream waits, not the host
  // What the host waits for where it waits for a stream or an event.
  Tasks before(Handle stream) const;
  Tasks recorded(Handle event) const;
  void done(const Tasks& tasks);
  void all_done();
  // Whether the default stream alone is asked for, while streams run that it goes together with.
  bool is_unclear(Handle stream) const;

  friend bool operator==(const Streams& a, const Streams& b);

 private:
  static bool is_default(Handle stream) { return stream <= 1; }

  std::map<std::uint32_t, FootprintPtr> pending_;
  std::uint32_t next_ = 0;
  std::map<Handle, Tasks> last_;  // what the next task of a stream is ordered behind
  std::map<Handle, Tasks> events_;
  std::set<Handle> non_blocking_;
};

// Of a machine that runs beside others.
struct Beside {
  std::vector<FootprintPtr> others;
  Footprint* own = nullptr;
  bool assumes = false;  // so that accesses may be those of executions that are excluded
};

}  // namespace headway::kernel
