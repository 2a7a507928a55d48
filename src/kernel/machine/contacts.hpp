// Which accesses of an object other accesses of the same function could race with, whatever the
// schedule: where there are none, nobody has to remember that an access took place.
#pragma once

#include <bit>
#include <vector>

#include "kernel/machine/code.hpp"
#include "kernel/machine/launch.hpp"

namespace headway::kernel {

class Contacts {
 public:
  // Of an expanded launch.
  Contacts(const Code& code, const Launch& launch);

  // Whether some thread may write it.
  bool is_written(Instance object) const { return may_race(object, false, false); }

  bool may_race(Instance object, bool is_atomic, bool writes) const {
    const auto has = [&](bool Kinds::*kind) { return kinds_[object].*kind || anywhere_.*kind; };
    const unsigned widths = kinds_[object].atomic_widths | anywhere_.atomic_widths;
    const unsigned scopes = kinds_[object].atomic_scopes | anywhere_.atomic_scopes;
    const bool alike = std::popcount(widths) <= 1 && (!same_scopes_ || std::popcount(scopes) <= 1);
    if (is_atomic && wide_ && alike) {
      return has(&Kinds::plain_writes) || (writes && has(&Kinds::plain_reads));
    }
    return writes || has(&Kinds::plain_writes) || has(&Kinds::atomic_writes);
  }

 private:
  struct Kinds {
    bool plain_reads = false, plain_writes = false, atomic_writes = false;
    unsigned atomic_widths = 0;  // in bytes: a bit for each, which are powers of two
    unsigned atomic_scopes = 0;  // a bit for each
  };

  bool same_scopes_;          // those of two scopes are atomic to nobody, as in OpenCL
  bool wide_;                 // else atomic accesses of one width do not race with each other
  std::vector<Kinds> kinds_;  // by object
  Kinds anywhere_;            // by pointers that may go to any object
};

}  // namespace headway::kernel
