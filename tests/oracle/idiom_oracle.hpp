// An interpreter of the idiom language, for tests only: slow, and as close to the words of
// docs/reference/idiom-language.md as code can be. It walks the syntax tree, and shares nothing
// with the compiler and the machine. Where a thread stands is the list of statements it is inside
// of, with its registers and what the accesses of the expression that it is in the middle of have
// read.
#pragma once

#include <memory>

#include "lang/idiom/syntax.hpp"
#include "oracle/oracle.hpp"

namespace headway::oracle {

// Of flat launches whose threads neither wait nor choose; throws std::logic_error at what else
// there is in the language.
class IdiomOracle {
 public:
  // `syntax` must outlive the oracle and the behaviour.
  IdiomOracle(const lang::idiom::Syntax& syntax, int threads);
  ~IdiomOracle();

  Behaviour behaviour() const;

 private:
  class Interpreter;
  std::shared_ptr<Interpreter> interpreter_;
};

}  // namespace headway::oracle
