// What the emitted code does, held against lang::axb::AxbProgram: random tests in every language,
// made C++ by a few definitions and replacements, compiled as one program, and run a workgroup
// after the other, each for a limited number of accesses to memory.
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "emit/emit.hpp"
#include "emit/lower.hpp"
#include "lang/axb/program.hpp"
#include "support/axb.hpp"
#include "support/command.hpp"
#include "support/files.hpp"
#include "support/random_tests.hpp"

using headway::emit::emit;
using headway::emit::Kernel;
using headway::emit::Mapping;
using headway::emit::Place;
using headway::emit::Target;
using headway::lang::Test;
using headway::lang::axb::AxbProgram;

namespace {

constexpr int kAccesses = 100;  // of a workgroup
constexpr int kInstances = 3;

// Memory after all workgroups have run in order, and how many came to their ends.
std::string expected(const Test& test, const Kernel& kernel) {
  const AxbProgram program(headway::testing::axb_code(test));
  const auto words = static_cast<std::size_t>(program.words());
  std::vector<std::vector<headway::lang::Word>> states(kernel.launch.instances);
  for (auto& state : states) {
    state.resize(words);
    program.initial(state.data());
  }
  int finished = 0;
  for (int g = 0; g < kernel.launch.workgroups(); ++g) {
    const Place place = kernel.launch.place(g);
    auto& state = states[place.instance];
    const auto ended = [&] { return program.terminated(state.data()).contains(place.group); };
    for (int a = 0; a < kAccesses && !ended(); ++a) {
      std::vector<headway::lang::Word> next(words);
      program.step(state.data(), place.group, next.data());
      state = next;
    }
    if (ended()) ++finished;
  }
  std::ostringstream text;
  text << finished << ":";
  for (const auto& state : states) {
    for (std::size_t l = 0; l < headway::testing::axb_code(test).locations.size(); ++l) {
      text << " " << program.value(state.data(), static_cast<int>(l));
    }
  }
  return text.str();
}

// What the languages have and C++ has not.
constexpr const char* kPrelude = R"(
#include <chrono>
#include <cstdio>
#include <vector>

using uint = unsigned;
struct Stop {};
static int accesses_left;
static unsigned current_group;
static void access() {
  if (accesses_left-- == 0) throw Stop();
}

struct Cell {  // C++ and Metal
  unsigned value;
  unsigned load() { return access(), value; }
  void store(unsigned next) { access(), value = next; }
  unsigned exchange(unsigned next) { return access(), std::exchange(value, next); }
};
using atomic_uint = Cell;
enum Order { memory_order_relaxed };
unsigned atomic_load_explicit(Cell* cell, Order) { return cell->load(); }
void atomic_store_explicit(Cell* cell, unsigned next, Order) { cell->store(next); }
unsigned atomic_exchange_explicit(Cell* cell, unsigned next, Order) { return cell->exchange(next); }
void atomic_fetch_add_explicit(Cell* cell, unsigned more, Order) { cell->value += more; }
#define kernel
#define device
#define constant const

// OpenCL
#define __kernel
#define __global
#define CLK_GLOBAL_MEM_FENCE 0
void mem_fence(int) {}
unsigned get_group_id(int) { return current_group; }
unsigned atomic_or(volatile unsigned* at, unsigned bits) {
  access();
  const unsigned old = *at;
  *at = old | bits;
  return old;
}
unsigned atomic_xchg(volatile unsigned* at, unsigned next) {
  access();
  const unsigned old = *at;
  *at = next;
  return old;
}
void atomic_inc(volatile unsigned* at) { *at = *at + 1; }

// CUDA, GLSL and WGSL
#define __device__
#define __global__
struct { unsigned x; } blockIdx, gl_WorkGroupID;
void __threadfence() {}
void memoryBarrierBuffer() {}
unsigned atomicOr(unsigned* at, unsigned bits) { return atomic_or(at, bits); }
unsigned atomicExch(unsigned* at, unsigned next) { return atomic_xchg(at, next); }
unsigned atomicExchange(unsigned* at, unsigned next) { return atomic_xchg(at, next); }
unsigned atomicLoad(unsigned* at) { return atomic_or(at, 0); }
unsigned load(unsigned* at) { return atomic_or(at, 0); }
unsigned read_word(volatile unsigned& at) { return atomic_or(&at, 0); }
constexpr int gl_ScopeDevice = 1;
unsigned atomicLoad(unsigned& at, int, int, int) { return atomic_or(&at, 0); }
void atomicStore(unsigned* at, unsigned next) { atomic_xchg(at, next); }
void atomicAdd(unsigned* at, unsigned more) { *at += more; }
unsigned atomicOr(unsigned& at, unsigned bits) { return atomic_or(&at, bits); }
unsigned atomicExchange(unsigned& at, unsigned next) { return atomic_xchg(&at, next); }
void atomicAdd(unsigned& at, unsigned more) { at += more; }
unsigned select(unsigned otherwise, unsigned then, bool condition) {
  return condition ? then : otherwise;
}

// Runs all workgroups in order and prints what they leave.
template <class Run>
void run_all(unsigned workgroups, std::vector<unsigned> memory, const Run& run) {
  unsigned finished = 0;
  for (current_group = 0; current_group < workgroups; ++current_group) {
    blockIdx.x = gl_WorkGroupID.x = current_group;
    accesses_left = ACCESSES;
    try {
      run(memory.data(), &finished);
    } catch (Stop) {
    }
  }
  std::printf("%u:", finished);
  for (const unsigned word : memory) std::printf(" %u", word);
  std::printf("\n");
}
)";

void replace(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

// Takes out what is from `from` to `to`, if it is there.
void cut_out(std::string& text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from);
  if (begin == std::string::npos) return;
  text.erase(begin, text.find(to, begin) + to.size() - begin);
}

// Without the lines that begin with one of `beginnings`.
std::string without_lines(const std::string& text, const std::vector<std::string>& beginnings) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    const bool drop = std::any_of(beginnings.begin(), beginnings.end(),
                                  [&](const std::string& b) { return line.starts_with(b); });
    if (!drop) result += line + "\n";
  }
  return result;
}

struct Translation {
  std::string code;  // C++ for the inside of a namespace
  std::string call;  // of the workgroup, with `memory` and `finished`, pointers to words
};

Translation translate(const Kernel& kernel, Target target) {
  Translation result;
  std::string& text = result.code = emit(kernel, target);
  const auto cut = [&](const std::string& from) { text.erase(text.find(from)); };
  switch (target) {
    case Target::cpp:
      cut("\nstd::atomic<unsigned> all_memory");
      text = without_lines(text, {"#include", "namespace {"});
      replace(text, "std::atomic<unsigned>", "Cell");
      result.call = "workgroup(current_group, (Cell*)memory); ++*finished;";
      break;
    case Target::cuda:
      cut("\nunsigned* all_memory");
      text = without_lines(text, {"#include", "namespace {"});
      cut_out(text, "[[maybe_unused]] __device__ unsigned load", "\n}\n");
      result.call = "litmus(memory, finished);";
      break;
    case Target::opencl:
      cut_out(text, "#if defined(__opencl_c_atomic_scope_device)", "#else\n");
      replace(text, "#define LOAD(word) (word)\n#endif\n", "#define LOAD(word) read_word(word)\n");
      result.call = "litmus(memory, finished);";
      break;
    case Target::metal:
      text = without_lines(text, {"#include", "using namespace"});
      result.call = "litmus((Cell*)memory, (Cell*)finished, current_group);";
      break;
    case Target::webgpu:
      text = without_lines(text, {"@"});
      replace(text, ": u32 =", " =");
      replace(text, "override ", "const ");
      replace(text, "var<private> steps: u32;", "unsigned steps;");
      replace(text, "fn gives_up() -> bool {", "bool gives_up() {");
      replace(text, "if gives_up()", "if (gives_up())");
      replace(text, "if steps == STEP_LIMIT {", "if (steps == STEP_LIMIT) {");
      replace(text, "\nconst ", "\nconst unsigned ");
      replace(text, "const unsigned unsigned", "const unsigned");
      replace(text, "fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>) {",
              "void litmus() {\n  const auto workgroup_id = gl_WorkGroupID;");
      replace(text, "fn ", "void ");
      replace(text, "base: u32", "unsigned base");
      replace(text, "  let ", "  const unsigned ");
      replace(text, "  var ", "  unsigned ");
      replace(text, "  loop {", "  while (true) {");
      replace(text, "switch pc {", "switch (pc) {");
      replace(text, "switch thread_id {", "switch (thread_id) {");
      // A case does not fall through.
      replace(text, "case ", "break; case ");
      replace(text, "default:", "break; default:");
      text = "unsigned* memory;\nunsigned finished, gave_up;\n" + text;
      result.call =
          "N::steps = 0; N::memory = memory; N::finished = *finished;\n"
          "try { litmus(); } catch (Stop) { }\n*finished = N::finished;";
      break;
    case Target::vulkan:
    case Target::amber:
      if (target == Target::amber) {
        text.erase(0, text.find("#version 450"));
        cut("\nEND\n");
      }
      replace(text, "layout(constant_id = 0) ", "");
      text = without_lines(text, {"layout", "#version", "#extension"});
      replace(text, "void main()", "void litmus()");
      text = "unsigned* memory;\nunsigned finished;\n" + text;
      result.call =
          "N::memory = memory; N::finished = *finished;\n"
          "try { litmus(); } catch (Stop) { }\n*finished = N::finished;";
      break;
  }
  return result;
}

// Ends the macros that a piece of OpenCL defines.
std::string undefinitions(const std::string& code) {
  std::istringstream lines(code);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string directive, name;
    if (words >> directive >> name && directive == "#define") result += "#undef " + name + "\n";
  }
  return result;
}

}  // namespace

TEST_CASE("emit/semantics: every language does what the program does") {
  std::string code = "#define ACCESSES " + std::to_string(kAccesses) + "\n#include <utility>\n";
  code += kPrelude;
  std::string calls;
  std::vector<std::string> wanted;
  std::vector<std::string> what;
  headway::testing::Random random(20);
  int spinning = 0;
  for (int tests = 0; tests < 24;) {
    const Test test = headway::testing::random_test(random);
    if (test.instruction_count() > 40 || headway::testing::axb_code(test).locations.size() > 20)
      continue;
    const Mapping mapping = headway::emit::kMappings[tests++ % 4];
    const Kernel kernel = headway::emit::lower(test, mapping, kInstances);
    const std::string outcome = expected(test, kernel);
    if (!outcome.starts_with(std::to_string(kernel.launch.workgroups()) + ":")) ++spinning;
    for (const Target target : headway::emit::kTargets) {
      const std::string name = "n" + std::to_string(wanted.size());
      Translation translation = translate(kernel, target);
      replace(translation.call, "N::", name + "::");
      code += "\nnamespace " + name + " {\n" + translation.code +
              "void run(unsigned* memory, unsigned* finished) {\n" + translation.call + "\n}\n" +
              undefinitions(translation.code) + "}\n";
      calls += "  run_all(" + std::to_string(kernel.launch.workgroups()) + ", {";
      for (const std::uint32_t word : initial_memory(kernel)) calls += std::to_string(word) + ",";
      calls += "}, " + name + "::run);\n";
      wanted.push_back(outcome);
      what.push_back(test.name + " " + to_string(target) + " " + to_string(mapping));
    }
  }
  CHECK(spinning > 2);
  CHECK(spinning < 22);
  code += "\nint main() {\n" + calls + "}\n";

  const headway::testing::TemporaryFolder folder;
  const std::string source = folder.write("all.cpp", code).string();
  const std::string program = (folder.path() / "all").string();
  const auto compiled = headway::testing::run_program(
      {HEADWAY_CXX, "-std=c++20", "-O0", "-w", source, "-o", program}, {});
  CAPTURE(compiled.err.substr(0, 3000));
  REQUIRE(compiled.status == 0);
  const auto result = headway::testing::run_program({program}, {});
  REQUIRE(result.status == 0);
  std::istringstream lines(result.out);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    std::string line;
    REQUIRE(std::getline(lines, line));
    CAPTURE(what[i]);
    CHECK(line == wanted[i]);
  }
}
