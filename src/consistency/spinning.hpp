// Which updates may be taken for reads where they spin: those of a lock, `while (exchange(m, 1));`,
// that fail and put what they have found.
//
// Let G be an execution in which such a round of a loop is gone through. Leave it out, and let who
// reads from its write read from the write w that it read from. No order between other events is
// new: updates are whole, so that nothing stands between w and the round; the synchronization with
// w stays, as updates go on with its release sequence, and that with the round is less; and each
// way along reads-from from w to such a reader went through the round before. So models in which an
// order less never forbids an execution allow what is left. It ends in the same state, and a race
// of others stays one. The round itself races with nobody, as all accesses of the location are
// atomic and in scope.
//
// If G is fair and never ends, then at some time all writes of the location but such rounds are
// over. As each write is missed by finitely many reads, the rounds come behind them, a chain of one
// value from the last of them, w. Left out but for one, which reads w, they make a graph that
// progress.hpp takes for a wait. The other way round rounds may follow w for ever, in turn. They
// come last in their threads and in the order of writes, and only each other, and loads that wait,
// read from them: there is no way back from them to another event, so that nothing is circular that
// was not.
//
// In PTX the write of an exchange does not depend on its read: a value may be its own reason by way
// of a round, and not without it. There updates are never taken for reads.
#pragma once

#include <set>

#include "consistency/program.hpp"

namespace headway::consistency {

// Locations where an update that leaves the value counts as a read in rounds that change nothing.
std::set<int> left_by_spinning(const Program& program);

}  // namespace headway::consistency
