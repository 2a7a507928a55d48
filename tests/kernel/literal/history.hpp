// What has happened in one execution, in its order, and what happens before what: a relation over
// these events, as it is defined.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include "kernel/ir/ir.hpp"

namespace headway::testing::literal {

constexpr std::size_t kMostEvents = 128;
using Events = std::bitset<kMostEvents>;

struct Event {
  enum class Kind { access, fence, passing };
  Kind kind = Kind::access;
  int thread = 0;
  int object = 0;
  std::uint64_t at = 0;
  int bytes = 0;
  bool reads = false, writes = false, is_atomic = false;
  kernel::Order order = kernel::Order::relaxed;
  kernel::Scope scope = kernel::Scope::system;
  int reads_from = -1;        // of an atomic read: the event that wrote what it reads
  std::array<int, 8> made{};  // of a write: its bytes, equal where they are the same in all worlds
  int previous = -1;          // of its thread
  Events before;              // those that happen before it
  // Those that come before it in every execution with these values, by program order, barriers and
  // atomic accesses of one place, however relaxed: what PTX's order of fences cannot turn around.
  Events earlier;

  bool is_same_place(const Event& other) const {
    return object == other.object && at == other.at && bytes == other.bytes;
  }
  bool overlaps(const Event& other) const {
    return object == other.object && at < other.at + static_cast<unsigned>(other.bytes) &&
           other.at < at + static_cast<unsigned>(bytes);
  }
};

class History {
 public:
  // Threads of a workgroup, and of a subgroup; whether fences that are sequentially consistent
  // synchronize by their order, and who reads a write comes behind it (Module::causality).
  History(int group_threads, int subgroup, bool causality, int threads)
      : group_threads_(group_threads),
        subgroup_(subgroup),
        causality_(causality),
        last_(static_cast<std::size_t>(threads), -1) {}

  int size() const { return static_cast<int>(events_.size()); }
  // Takes back what has happened since.
  void back_to(int size);

  void add(Event event);
  // Threads that have met, and know all that each of them did.
  void meet(const std::vector<int>& threads);
  // Whether the last event, an access, races with an earlier one.
  bool races() const;

 private:
  const Event& at(int event) const { return events_[static_cast<std::size_t>(event)]; }
  int group(int thread) const { return thread / group_threads_; }
  bool includes(kernel::Scope scope, int a, int b) const;
  bool reach_each_other(const Event& a, const Event& b) const;
  // What releases to an atomic read: the head of a release sequence, or a fence in front of it;
  // with the scope that both have.
  struct Release {
    int event;
    kernel::Scope scope;
  };
  std::vector<Release> released_to(int read) const;
  void come_behind(Event& after, int before) const;
  void follow(Event& after, int before) const;
  void acquire(Event& by, int read, kernel::Scope scope) const;

  int group_threads_, subgroup_;
  bool causality_;
  std::vector<Event> events_;
  std::vector<int> last_;
};

}  // namespace headway::testing::literal
