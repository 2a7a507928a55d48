// headway as a library: tests and models in, verdicts and explanations out, all of them values.
// Whatever a call is given that is wrong throws headway::api::Error; memory that runs out throws
// std::bad_alloc; what a callback throws passes through. A limit that is reached, and a cancelled
// call, is an answer (`unknown`, `complete == false`), never an exception. All functions may be
// called from several threads at once. Versions are semantic; docs/reference/library.md has more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#if defined(__GNUC__)
#define HEADWAY_API __attribute__((visibility("default")))
#else
#define HEADWAY_API
#endif

namespace headway::api {

// "0.3.0", of the library that runs.
HEADWAY_API std::string version();

// Something wrong with what was given. what() is a message for people, with the place and a picture
// of the line where they are known.
class HEADWAY_API Error : public std::runtime_error {
 public:
  Error(const std::string& text, std::string message, std::string file, int line, int column);
  ~Error() override;
  Error(const Error&) = default;
  Error& operator=(const Error&) = default;

  const std::string& message() const { return message_; }  // alone
  const std::string& file() const { return file_; }        // empty: not known
  int line() const { return line_; }                       // from 1; 0: not known
  int column() const { return column_; }

 private:
  std::string message_, file_;
  int line_ = 0, column_ = 0;
};

enum class Fairness : std::uint8_t { weak, strong };
// error: the program itself can go wrong. unknown: a limit came first, or a cancellation.
enum class Verdict : std::uint8_t { pass, fail, unknown, error };
enum class Stop : std::uint8_t { none, states, memory, time, cancelled };

HEADWAY_API std::string to_string(Fairness fairness);
HEADWAY_API std::string to_string(Verdict verdict);
HEADWAY_API std::string to_string(Stop stop);

// Cancels calls from another thread. Copies share what they say.
class HEADWAY_API Cancellation {
 public:
  Cancellation();
  ~Cancellation();
  Cancellation(const Cancellation&);
  Cancellation& operator=(const Cancellation&);

  void cancel() const;
  bool cancelled() const;

 private:
  friend struct Access;
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

struct Limits {
  std::size_t max_states = 1'000'000'000;  // of one test
  std::size_t max_memory = 0;              // bytes; 0: as much as there is
  double seconds = 0;                      // of a call; 0: no limit
  int jobs = 0;                            // cores; 0: all
  Cancellation cancellation;
};

// A reading of a model that a test says it passes or fails under.
struct Expectation {
  std::string model;
  bool weak = true, strong = true;  // the readings it is about
  bool passes = false;
};

// A litmus test. Cheap to copy; never changes.
class HEADWAY_API Test {
 public:
  ~Test();
  Test(const Test&);
  Test& operator=(const Test&);

  std::string name() const;
  int threads() const;
  int instructions() const;
  std::string language() const;
  std::string text() const;  // as a file that parse() reads
  std::vector<Expectation> expectations() const;
  bool expects_error() const;
  std::uint64_t identity() const;  // the same for programs that differ in names alone
  HEADWAY_API friend bool operator==(const Test& a, const Test& b);

 private:
  friend struct Access;
  struct Impl;
  explicit Test(std::shared_ptr<const Impl> impl);
  std::shared_ptr<const Impl> impl_;
};

// A progress model. Cheap to copy; never changes.
class HEADWAY_API Model {
 public:
  ~Model();
  Model(const Model&);
  Model& operator=(const Model&);

  std::string name() const;
  std::string summary() const;
  std::string definition() const;  // the rule of its fair set

 private:
  friend struct Access;
  struct Impl;
  explicit Model(std::shared_ptr<const Impl> impl);
  std::shared_ptr<const Impl> impl_;
};

// The tests of a text: one, but for families, which have one for each of `sizes`, or of those that
// the text declares where none are given. `name` is the file that errors speak of.
HEADWAY_API std::vector<Test> parse(std::string_view text, const std::string& name = "<text>",
                                    const std::vector<int>& sizes = {});
// The tests of a file or of a folder with everything below it, sorted by path.
HEADWAY_API std::vector<Test> read(const std::string& path, const std::vector<int>& sizes = {});

// By name, "OBE", with parameters, "OBE-k(k=3)", by levels, "workgroup=HSA", or the path of a file.
HEADWAY_API Model find_model(const std::string& specification);
HEADWAY_API std::vector<Model> standard_models();  // the six that commands use when none is named
HEADWAY_API std::vector<Model> all_models();

struct ModelVerdict {
  std::string model;
  Verdict weak = Verdict::unknown;
  Verdict strong = Verdict::unknown;
};

// One step of an execution, for people.
struct Step {
  int thread = 0;
  int line = 0;           // of the statement in its file; 0: not known
  std::string statement;  // as written
  std::string effect;     // "reads m = 1"
  std::string memory;     // after it
  std::string fair;       // what the model guarantees before it, "{0}"; empty without a model
};

struct CheckResult {
  std::string test;
  std::vector<ModelVerdict> verdicts;  // one a model, in the order in which they were given
  bool met = true;                     // whether every expectation that was looked at is met
  std::vector<std::string> unmet;      // those that are not, "HSA:weak expected pass, found fail"
  std::vector<std::string> weakest_sufficient;  // "OBE:weak"; none where a limit was reached
  std::vector<std::string> strongest_insufficient;
  std::vector<Step> wrong;  // how the program goes wrong, where it does
  std::size_t states = 0, transitions = 0;
  bool complete = true;
  Stop stopped_by = Stop::none;
};

// No models: standard_models().
HEADWAY_API CheckResult check(const Test& test, const std::vector<Model>& models = {},
                              const Limits& limits = {});

struct Explanation {
  std::string test, model;
  Fairness fairness = Fairness::weak;
  Verdict verdict = Verdict::unknown;
  std::vector<Step> stem;   // fail: once; error: a shortest way to it
  std::vector<Step> cycle;  // fail: and then for ever; none when the last state is stuck
  std::string summary;      // fail: in a sentence
  std::string text;         // as `headway explain` prints it
  std::string json;         // the same, for programs
};

HEADWAY_API Explanation explain(const Test& test, const Model& model,
                                Fairness fairness = Fairness::weak, const Limits& limits = {});

// The transition system of a test, under a model when there is one.
struct TransitionSystem {
  struct State {
    std::string memory;
    std::vector<std::string> threads;  // what each does next, "END" where it has ended
    std::string fair;                  // what the model guarantees
    bool on_fair_cycle = false;
  };
  struct Edge {
    std::size_t from = 0, to = 0;
    int thread = 0;
    std::string label;
  };
  std::vector<State> states;  // the first is the initial one
  std::vector<Edge> edges;
  std::string dot;       // Graphviz
  bool complete = true;  // false: a limit was reached, and there is nothing else
};

HEADWAY_API TransitionSystem transition_system(const Test& test, const Limits& limits = {});
HEADWAY_API TransitionSystem transition_system(const Test& test, const Model& model,
                                               Fairness fairness = Fairness::weak,
                                               const Limits& limits = {});

// Two models: A is below B when B guarantees, after every history that recurs, whatever A does.
// What passes under A then passes under B.
enum class Relation : std::uint8_t { equal, below, above, incomparable };
HEADWAY_API std::string to_string(Relation relation);
// Exact for launches of so many threads, 1 to 10.
HEADWAY_API Relation compare(const Model& a, const Model& b, int threads = 3);

// How two suites differ, as `headway suite diff` says it.
struct Difference {
  std::string kind;                  // "only_a", "only_b", "changed", "expectations"
  std::string a, b;                  // names of tests; empty in a suite that has none
  std::vector<std::string> changes;  // "HSA:weak pass -> fail"
};
struct Comparison {
  std::vector<Difference> differences;
  std::size_t in_both = 0;  // programs of A that are in B
  bool complete = true;
};
HEADWAY_API Comparison compare(const std::vector<Test>& a, const std::vector<Test>& b,
                               const std::vector<Model>& models = {}, const Limits& limits = {});

// "Passes (fails) under a reading of a model."
struct Filter {
  Model model;
  Fairness fairness = Fairness::weak;
  bool passes = true;
};

struct SynthesisRequest {
  int threads = 2;
  int instructions = 3;  // in total
  int locations = 2;     // at most
  int values = 2;
  std::vector<Model> minimal_for = {};  // keep only tests that are minimal for these; none: all
  std::vector<Filter> filters = {};
  int shard = 1, shards = 1;  // one of so many parts, from 1
};

struct SynthesisResult {
  std::size_t tests = 0;  // delivered
  bool complete = true;
  Stop stopped_by = Stop::none;
};

// Calls `found` for every test within the bounds, in an order that is always the same, one call at
// a time; where it returns false the search ends. Limits::max_states plays no part.
HEADWAY_API SynthesisResult synthesize(const SynthesisRequest& request,
                                       const std::function<bool(const Test&)>& found,
                                       const Limits& limits = {});

}  // namespace headway::api
