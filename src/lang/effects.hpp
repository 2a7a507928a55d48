// What the next steps of threads touch, for programs that can say it: where steps of two threads
// do not affect each other, one order of them is enough (docs/internals/exploration.md, sleep
// sets).
#pragma once

#include "lang/program.hpp"

namespace headway::lang {

// Of a thread in a state, of all transitions that it has there.
struct Effects {
  // They touch no shared variable but `first` .. `first + count - 1`. Who waits until they hold
  // something touches them, too. Ending, and arriving at a barrier or passing it, touches none.
  int first = 0, count = 0;
  bool changes = false;  // whether they may change them
  bool climbs = false;   // whether each of them leads to a greater height()

  // Of different threads.
  bool independent_of(const Effects& other) const {
    const bool apart = first + count <= other.first || other.first + other.count <= first;
    return apart || count == 0 || other.count == 0 || (!changes && !other.changes);
  }
};

// A Program may be this, too. Then steps of two threads that are running and independent can be
// taken in either order and lead to the same state, or go wrong in both orders; neither makes a
// difference to what the other thread can do, or to what it touches.
class SaysEffects {
 public:
  // Of a running thread.
  virtual Effects effects(const Word* state, int thread) const = 0;
  // False: nothing is known of this program.
  virtual bool effects_known() const { return true; }

 protected:
  ~SaysEffects() = default;
};

}  // namespace headway::lang
