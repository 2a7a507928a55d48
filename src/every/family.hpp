// A family of programs of the idiom language, one for each number of threads N, and whether it is
// uniform (docs/internals/every-n.md): but for a few threads at the lowest and the highest ids all
// threads run one program, which does not mention N and looks at ids at most as `tid % c`. (A
// comparison of `tid` with a number makes the threads up to it some of those few.)
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "lang/idiom/code.hpp"
#include "lang/idiom/machine.hpp"
#include "lang/idiom/syntax.hpp"

namespace headway::every {

// The kinds of threads of a uniform family: `low` threads at the lowest ids and `top` at the
// highest are kinds of their own, of one thread each. Behind them come the classes of the crowd:
// its threads by `tid % classes`.
struct Uniform {
  int low = 0, top = 0;
  int classes = 1;
  // A program with a thread of each kind; which thread that is.
  lang::idiom::Code code;
  std::vector<int> thread_of;

  int specials() const { return low + top; }
  int kinds() const { return static_cast<int>(thread_of.size()); }
  bool is_crowd(int kind) const { return kind >= specials(); }
  // "thread 0", "thread N-1", "the crowd", "the crowd where tid % 2 == 1"
  std::string name(int kind) const;
};

// The first thread from `low` on with tid % classes == c.
int first_of(int c, int low, int classes);

// The kinds of threads of a family that looks at ids as a uniform one does, but may mention N.
struct Shape {
  int low = 0, top = 0, classes = 1;
  // Of each special and then of the crowd, in Family::syntax.
  std::vector<std::size_t> blocks;

  int specials() const { return low + top; }
};

struct Family {
  // Of single threads. Where N is a number of workgroups of several threads, it is that of all
  // their threads here, and `launched` is what was read (docs/internals/every-n.md, workgroups).
  lang::idiom::Syntax syntax;
  std::optional<lang::idiom::Syntax> launched;
  int group = 1;                   // threads of a workgroup
  int smallest = 1;                // N
  std::optional<Uniform> uniform;  // when it is
  std::optional<Error> refusal;    // when not, why, with the place
  std::optional<Shape> shape;      // when ids are looked at as in a uniform family
  std::optional<Error> id;         // when not, where they are looked at otherwise
  // Whether what some of the threads do is what they may do when there are more (T1): the programs
  // do not mention N, and ranges and arrays grow with it, if anything. Ids may matter, but not N-1.
  bool grows = false;

  bool has_top() const { return uniform && uniform->top > 0; }
  lang::idiom::Code compiled(int n) const {
    return lang::idiom::compile(launched ? *launched : syntax, n);
  }
};

// Throws headway::Error for what is wrong with the text, and for a text that is no family of
// threads that run on: one of another language, of a fixed size or of groups of threads, or whose
// threads wait blocked, choose or assume.
Family read_family(std::string_view text, const std::string& file);

// What a step of a thread leads to.
enum class StepEnd { goes_on, ends, fails };

// The step function: takes the step of a thread that stands at `local`, in place.
StepEnd take_step(const lang::idiom::Code& code, int thread, lang::idiom::ThreadState& local,
                  std::vector<int>& memory);
lang::idiom::ThreadState start_of(const lang::idiom::Code& code, int thread);

}  // namespace headway::every
