// Names of a source out of the symbols that compilers make of them.
#pragma once

#include <string>

namespace headway::kernel {

// "int*, float" is cut off from "f<int>(int*, float)", and what is around a variable from "f()::x".
// What is no mangled name stays as it is.
std::string demangled(const std::string& symbol);

// Whether somebody may mean a kernel of that name: by the name itself, by its symbol, or by the
// name of the template of which it is an instance, "reduce" of "reduce<256u>".
bool is_called(const std::string& said, const std::string& name, const std::string& symbol);

}  // namespace headway::kernel
