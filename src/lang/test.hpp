// Progress litmus tests as values: a name, what is expected, and an immutable source in some
// language. Nothing outside a language's own folder looks into a source of it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lang/expectation.hpp"
#include "lang/program.hpp"
#include "lang/subgroup_reading.hpp"

namespace headway::lang {

struct Test;

// Thrown by make_program() where a test cannot be decided as it stands: why, "unknown: ..." or
// "unsupported: ...". No error of who wrote it.
class Undecided : public Error {
 public:
  using Error::Error;
};

// What a test does, in the terms of its language. A new language derives from Source and Language
// (lang/language.hpp). Immutable; safe to share between cores.
class Source {
 public:
  virtual ~Source() = default;

  // As in Language::name().
  virtual std::string_view language() const = 0;
  virtual int threads() const = 0;
  // The launch that models are asked about, and whether its threads may wait for each other.
  virtual Topology launch() const { return threads(); }
  virtual bool waits() const { return false; }
  // The statements that access shared memory.
  virtual int instructions() const = 0;
  // The N of a member of a family, which names it; 0 for a test that belongs to none.
  virtual int size() const { return 0; }
  bool sized() const { return size() > 0; }

  // The same, of which the threads of a subgroup run as `reading` says, and not as the text does.
  // Throws headway::Error, with the place, for what the reading cannot have, and Undecided where
  // the language has no readings.
  virtual std::shared_ptr<const Source> in_reading(SubgroupReading reading) const;

  // The source must outlive the program.
  virtual std::unique_ptr<Program> make_program() const = 0;

  // The text of `test`, whose source this is: what a file of this language holds.
  virtual std::string print(const Test& test) const = 0;
  // Some bytes that are equal exactly for sources that do the same, whatever their names; stable
  // across machines and versions. Sources of different languages have different keys: they begin
  // with a word, where those of AXB begin with a number of threads, which is no letter's.
  virtual std::string key() const = 0;
  // Whether `other`, which is of the same language, says the same, names included.
  virtual bool equals(const Source& other) const = 0;
};

using SourcePtr = std::shared_ptr<const Source>;

struct Test {
  std::string name;                  // empty when the text declares none
  std::vector<std::string> comment;  // lines, without the leading slashes
  std::vector<Expectation> expectations;
  bool expects_error = false;  // that the program goes wrong
  // That it cannot be decided, as "unknown" or "unsupported".
  struct ExpectedOpen {
    std::string how;
    SourcePosition where;
    std::string source_line;
  };
  std::vector<ExpectedOpen> expects_open;
  std::vector<Error> warnings;     // about its text; of a family one test has them
  std::vector<std::string> notes;  // what is said of it beside its verdict
  // What its verdicts take for granted, a phrase each.
  std::vector<std::string> premises;
  // Lines that matter to its answer, and that nothing which was looked at comes to.
  std::vector<int> unreached;
  // The model of what the text of its language promises of its launch (models/library.hpp); empty
  // where that is no language that people write programs in.
  std::string promise;
  double seconds = 0;  // that reading it took of the time that there is to decide it
  // Of what its verdicts are, where nobody asked for that alone: "n = unknown(0..8)"; or empty.
  std::string within;
  std::string
      advice;        // what else there is to say, so that it can be decided: "--arg n=8"; or empty
  SourcePtr source;  // never null in a valid test

  int thread_count() const { return source->threads(); }
  int instruction_count() const { return source->instructions(); }
  // Where a statement stood in a file makes no difference.
  friend bool operator==(const Test& a, const Test& b);
};

// The text of a test. Reading it gives an equal test.
std::string print(const Test& test);

// The program behind a test, which must outlive it.
std::unique_ptr<Program> make_program(const Test& test);

// Source::key(), and a hash of it to name tests by.
std::string program_key(const Test& test);
std::uint64_t identity(const Test& test);

// How a statement stood in its file. Line 0 means that it was not read from a file.
struct SourceLine {
  int line = 0;
  std::string text;
};

}  // namespace headway::lang
