#include <fmt/format.h>

#include "kernel/machine/machine.hpp"
#include "verify/encoding/encoder_state.hpp"

namespace headway::verify {

// Whether the mask of one thread names the other one, or itself: by its lane.
Term Encoder::names(Term mask, int whom) {
  const Term lanes = c_.constant(options_.launch.subgroup, 32);
  const Term lane = c_.zext(c_.urem(linear_id(whom), lanes), 64);
  return c_.nonzero(c_.bit_and(c_.lshr(c_.resize(mask, 64), lane), c_.constant(1, 64)));
}

// The mask of active threads names its own thread, and those that are here with it, which have the
// same.
void Encoder::know_active(ValueId mask) {
  const Term a = bits(mask, 0), b = bits(mask, 1);
  assume(c_.implies(live(0), names(a, 0)));
  assume(c_.implies(live(1), names(b, 1)));
  const Term together = c_.conjunction({live(0), live(1), c_.equal(a, b)});
  assume(c_.implies(c_.conjunction({same_subgroup(), live(0), names(a, 1)}), together));
  assume(c_.implies(c_.conjunction({same_subgroup(), live(1), names(b, 0)}), together));
}

// At an operation or a barrier of a subgroup, threads that are named have to be there together, by
// masks that are the same, and a mask names its own thread. Where none is given, all of the
// subgroup are named. What it gives: whether both threads are there and meet.
Term Encoder::meet(const Instruction& i, const char* what) {
  const Term one = live(0), other = live(1);
  const Term both = c_.conjunction({one, other, same_subgroup()});
  if (i.partial) return both;  // whoever does not come has ended
  const std::optional<std::size_t> operand = kernel::mask_operand(i);
  if (!operand) {
    check(Property::divergence, c_.implies(same_subgroup(), c_.equal(one, other)), i.place,
          fmt::format("not all threads of a subgroup come to this {} together", what));
    return both;
  }
  const Term mask[2] = {bits(i.operands[*operand], 0), bits(i.operands[*operand], 1)};
  const Term named[2] = {names(mask[1], 0), names(mask[0], 1)};  // by the other one
  check(
      Property::divergence,
      c_.implies(same_subgroup(), c_.conjunction(c_.implies(c_.conjunction(one, named[1]), other),
                                                 c_.implies(c_.conjunction(other, named[0]), one))),
      i.place, fmt::format("not all threads of a subgroup come to this {} together", what));
  check(Property::divergence, c_.implies(one, names(mask[0], 0)), i.place,
        fmt::format("the mask of this {} may not name a thread that comes to it", what));
  check(Property::divergence,
        c_.implies(c_.conjunction(both, named[1]), c_.equal(mask[0], mask[1])), i.place,
        fmt::format("threads that meet at this {} may give different masks", what));
  return c_.conjunction({both, named[0], named[1]});
}

// What an operation of a whole subgroup gives to two of its threads: the same, or to one of both
// alone.
void Encoder::join_results(const Instruction& i, Quantity (&both)[2]) {
  using kernel::Subgroup;
  if (f_.value(i.result).type.is_pointer()) return;
  const Term together = c_.conjunction({live(0), live(1), same_subgroup()});
  switch (i.subgroup) {
    case Subgroup::elect: {
      const Term elected = c_.conjunction(c_.nonzero(both[0].bits), c_.nonzero(both[1].bits));
      assume(c_.negation(c_.conjunction(together, elected)));
      return;
    }
    case Subgroup::ballot:
    case Subgroup::all:
    case Subgroup::any:
    case Subgroup::all_equal:
    case Subgroup::broadcast_first:
    case Subgroup::count:
    case Subgroup::reduce:
      // A mask names some threads, and a cluster has a result of its own.
      if (i.operands.size() > 1 || i.cluster > 0) return;
      both[1].bits = c_.ite(together, both[0].bits, both[1].bits);
      return;
    case Subgroup::shuffle:
    case Subgroup::shuffle_up:
    case Subgroup::shuffle_down:
    case Subgroup::shuffle_xor:
    case Subgroup::inclusive_scan:
    case Subgroup::exclusive_scan:
    case Subgroup::match_any:
      return;
  }
}

}  // namespace headway::verify
