// Memory models in the language cat (Alglave, Cousot, Maranget, "Syntax and semantics of the weak
// consistency model specification language cat", 2016): definitions of sets of events and of
// relations between them, and constraints that executions meet.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace headway::consistency::cat {

// A place in one of the texts of a model.
struct Place {
  int file = 0;  // index into Syntax::files
  std::size_t offset = 0;
};

struct Expression {
  enum class Kind {
    name,        // of a definition, a parameter, or what every execution has
    nothing,     // 0 or {}
    everything,  // _
    either,      // a | b
    both,        // a & b
    without,     // a \ b
    sequence,    // a ; b
    product,     // a * b
    complement,  // ~a
    inverse,     // a^-1
    plus,        // a^+
    star,        // a^*
    optional,    // a^?
    identity,    // [a]
    call,        // name(operands)
    local,       // let name = operand in operand
  };
  Kind kind = Kind::nothing;
  Place place;
  std::string name = {};  // name, call, local
  std::vector<Expression> operands = {};
};

struct Definition {
  Place place;
  std::string name;
  bool is_function = false;
  std::vector<std::string> parameters;
  Expression body;
};

struct Statement {
  enum class Kind {
    define,
    define_recursively,  // all definitions at once, the least that fulfil them
    acyclic,
    irreflexive,
    empty,
  };
  Kind kind = Kind::define;
  Place place;
  std::vector<Definition> definitions = {};
  Expression checked = {};
  bool negated = false;  // ~empty
  bool flags = false;    // says something of an execution that it allows, by its name
  std::string name = {};
};

struct Syntax {
  struct File {
    std::string path;
    std::string text;
  };
  std::vector<File> files;  // the model's first, then those that it includes
  std::string title;
  std::vector<Statement> statements;
};

// Reads the text of a file that a model includes, or throws headway::Error.
using Include = std::function<Syntax::File(const std::string& name)>;

// Throws headway::Error with the place of what is wrong, or of what is not read here.
Syntax parse(const std::string& path, const std::string& text, const Include& include);

// An Error at a place of a model.
[[noreturn]] void refuse(const Syntax& syntax, const Place& place, const std::string& message);

}  // namespace headway::consistency::cat
