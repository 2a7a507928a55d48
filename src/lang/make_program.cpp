#include "lang/make_program.hpp"

#include "lang/axb_program.hpp"
#include "lang/idiom/program.hpp"

namespace headway::lang {

std::unique_ptr<Program> make_program(const Test& test) {
  if (test.is_axb()) return std::make_unique<AxbProgram>(test);
  return std::make_unique<idiom::IdiomProgram>(test.program);
}

}  // namespace headway::lang
