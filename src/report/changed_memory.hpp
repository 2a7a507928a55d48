// Memory in the tables of an execution.
#pragma once

#include <string>

namespace headway::report {

// Of "x=1 a={0,0}", as Program::describe_memory() writes it, the variables that differ from those
// of `before`, or are not there; all of it where some are gone, or the texts are written otherwise.
std::string changed_memory(const std::string& before, const std::string& after);

}  // namespace headway::report
