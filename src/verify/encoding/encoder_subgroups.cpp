#include "verify/encoding/encoder_state.hpp"

namespace headway::verify {

// An operation of a subgroup: threads that are named have to be there together. Where no mask is
// given, all of the subgroup are.
void Encoder::meet(const Instruction& i) {
  if (i.partial) return;  // whoever does not come has ended
  std::size_t plain = 1;
  if (i.subgroup == kernel::Subgroup::elect) plain = 0;
  if (i.subgroup <= kernel::Subgroup::shuffle_xor) plain = 3;
  const Term one = live(0), other = live(1);
  Term met = c_.equal(one, other);
  if (i.operands.size() > plain) {
    // The mask is that of the thread that is there; the other one is asked for by its lane.
    const Term lanes = c_.constant(options_.launch.subgroup, 32);
    const auto named = [&](int by) {
      const Term mask = c_.resize(bits(i.operands[plain], by), 64);
      const Term lane = c_.zext(c_.urem(linear_id(1 - by), lanes), 64);
      return c_.nonzero(c_.bit_and(c_.lshr(mask, lane), c_.constant(1, 64)));
    };
    met = c_.conjunction(c_.implies(c_.conjunction(one, named(0)), other),
                         c_.implies(c_.conjunction(other, named(1)), one));
  }
  check(Property::divergence, c_.implies(same_subgroup(), met), i.place,
        "not all threads of a subgroup come to this operation together");
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
