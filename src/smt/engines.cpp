// The solvers that there are. cvc5 has no interface that can be looked up by name, and starts
// slowly: what uses it (cvc5_solver.cpp) is a module of its own, loaded at the first question to
// it.
#include <dlfcn.h>

#include <filesystem>

#include "base/program_path.hpp"
#include "smt/solver.hpp"

namespace headway::smt {

namespace {

using Make = Solver*(Context*, bool linear);

// Beside the program, one folder up (tests), or where it is installed.
Make* load_module() {
  const std::filesystem::path program = program_path();
  if (program.empty()) return nullptr;
  const std::filesystem::path folder = program.parent_path();
  for (const auto& place :
       {folder, folder.parent_path(), folder.parent_path() / "lib" / "headway"}) {
    const std::string file = place / "headway_cvc5.so";
    if (void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
      return reinterpret_cast<Make*>(dlsym(library, "headway_make_cvc5"));
    }
  }
  return nullptr;
}

}  // namespace

std::unique_ptr<Solver> make_cvc5(Context& context, bool linear) {
  static Make* const make = load_module();
  return std::unique_ptr<Solver>(make == nullptr ? nullptr : make(&context, linear));
}

std::unique_ptr<Solver> make_solver(Context& context, Engine engine) {
  switch (engine) {
    case Engine::z3:
      return make_z3(context, false);
    case Engine::z3_tactic:
      return make_z3(context, true);
    case Engine::cvc5:
      return make_cvc5(context, false);
    case Engine::cvc5_linear:
      return make_cvc5(context, true);
  }
  return nullptr;
}

}  // namespace headway::smt
