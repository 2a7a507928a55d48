// Modules that were made from one file, as one.
#pragma once

#include "kernel/ir/ir.hpp"

namespace headway::kernel {

// Puts the objects and functions of one behind those of another module of the same language.
void append(Module& into, Module more);

}  // namespace headway::kernel
