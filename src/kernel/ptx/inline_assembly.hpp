// Assembly within a language: a text with places for operands, and values that go there -> kernel
// IR.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernel/ir/builder.hpp"
#include "kernel/ptx/addresses.hpp"
#include "kernel/ptx/instructions.hpp"

namespace headway::kernel::ptx {

// What stands for %0, %1 and so on, in this order.
struct InlineOperand {
  Type type;              // of the register
  ValueId value = kNone;  // what it holds at first: of `type`, or a pointer
  bool written = false;   // what it holds in the end is asked for
  bool literal = false;   // a constant, which stands in the text as a number
};

struct InlineResult {
  std::vector<ValueId> values;  // of the operands that are written, of their types
  bool touches_memory = false;  // or waits for threads
};

// Emits it where the builder is. `shared`: of the function, and added to. Throws Refused for what
// is not understood, a text that is no PTX among it.
InlineResult emit_inline(const Module& module, Builder& builder, std::string_view text,
                         const std::vector<InlineOperand>& operands, SharedAddresses& shared);

}  // namespace headway::kernel::ptx
