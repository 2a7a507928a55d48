// Litmus files of herd (Alglave, Maranget, "Herding cats", TOPLAS 2014) and of the tools that have
// taken its format over: a language and a name, the initial state, threads, and a condition on the
// final state.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "consistency/litmus/choice.hpp"
#include "consistency/program.hpp"

namespace headway::consistency::litmus {

// Whether a text begins as such a file does, in a language that is read here: C, PTX, VULKAN or
// OPENCL.
bool is_litmus(std::string_view text);

// The program of a file. Throws headway::Error with the place of what is wrong, or of what is not
// read here. Where `choices` are asked for, they are those of the file, thread by thread in the
// order in which they stand there.
Program parse(const std::string& path, const std::string& text,
              std::vector<Choice>* choices = nullptr);

}  // namespace headway::consistency::litmus
