// The emitted code, given to the compilers of its languages, those of them that are there. Tests
// with names that mean something elsewhere are among it.
#include <doctest/doctest.h>

#include <algorithm>

#include "base/file.hpp"
#include "emit/emit.hpp"
#include "emit/lower.hpp"
#include "languages/languages.hpp"
#include "suite/suite.hpp"
#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using headway::read_file;
using headway::emit::emit;
using headway::emit::Mapping;
using headway::emit::Target;
using headway::lang::Test;
using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::error_of;
using headway::testing::run_program;
using headway::testing::source_dir;
using headway::testing::TemporaryFolder;

namespace {

// Locations that are keywords, types or reserved in one of the languages.
constexpr const char* kNames = R"(
locations int, switch, vec3, buffer, _x, a__b, y_, group, base, memory, finished = 1, thread_0;
thread 0 { int = 1; vec3 = 1; L: if (Exch(finished, 0) == 1) goto L; y_ = 1; thread_0 = 1; }
thread 1 { while (Load(switch) == 1); buffer = 0; _x = 1; a__b = 1; group = 1; }
thread 2 { base = 1; memory = 1; AXB(base, 1, 3, false, 0); }
)";

std::vector<Test> some_tests() {
  std::vector<Test> tests;
  for (const char* name :
       {"litmus/spin-mutex", "litmus/chain-3", "litmus/strong-only", "litmus/idioms/mcs-lock",
        "tests/data/programs/operations", "litmus/scoped/leader-barrier",
        "tests/data/groups/plain-code", "tests/data/groups/subgroups",
        "tests/data/groups/operations", "tests/data/groups/operations-apart"}) {
    std::vector<headway::Error> errors;
    auto suite = headway::suite::load_suite((source_dir() / name).string() + ".litmus", errors);
    REQUIRE(errors.empty());
    tests.push_back(std::move(suite.tests.front()));
  }
  const auto error =
      headway::testing::error_of([&] { tests.push_back(headway::lang::parse(kNames, "names")); });
  CAPTURE(error ? error->diagnostic() : "");
  REQUIRE_FALSE(error);
  tests.back().name = "a \"name\" /* of */ %s\n \\n // \\";
  return tests;
}

bool there(const std::string& program) {
  const bool found = run_program({"sh", "-c", "command -v " + program}, {}).status == 0;
  if (!found) MESSAGE("skipped: no " << program);
  return found;
}

// Compiles each of some_tests() under one of some mappings, by turns: what a mapping adds is the
// same for all tests. `command` makes a command of two paths, of the source and of what to write.
// Of `every` tests the last one.
template <class Command>
void compile_all(Target target, const Command& command,
                 const std::vector<Mapping>& mappings = {Mapping::round_robin, Mapping::hybrid},
                 std::size_t every = 1) {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  std::size_t turn = 0;
  const std::vector<Test> tests = some_tests();
  for (const Test& test : tests) {
    if (static_cast<std::size_t>(&tests.back() - &test) % every != 0) continue;
    const auto kernel = headway::emit::lower(test, mappings[turn % mappings.size()], 4);
    // tests/emit/groups_test.cpp says which kernels a target refuses.
    if (error_of([&] { emit(kernel, target); })) continue;
    ++turn;
    const std::string text = emit(kernel, target);
    const std::string source = folder.write("litmus" + extension(target), text).string();
    const CommandResult result = run_program(command(source, out), {});
    CAPTURE(text);
    CAPTURE(result.out);
    CAPTURE(result.err);
    CHECK(result.status == 0);
  }
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("emit/compilers: C++") {
  compile_all(Target::cpp, [](const std::string& source, const std::string&) {
    return Words{HEADWAY_CXX, "-std=c++20", "-fsyntax-only", "-Wall",
                 "-Wextra",   "-Wpedantic", "-Werror",       source};
  });
}

TEST_CASE("emit/compilers: GLSL is valid SPIR-V") {
  if (!there("glslangValidator") || !there("spirv-val")) return;
  compile_all(Target::vulkan, [](const std::string& source, const std::string& out) {
    return Words{"sh", "-c",
                 // Subgroups came with 1.1.
                 "env=vulkan1.0; grep -q shader_subgroup " + source + " && env=vulkan1.1; " +
                     "glslangValidator -V --target-env $env " + source + " -o " + out +
                     " && spirv-val --target-env $env " + out};
  });
}

TEST_CASE("emit/compilers: the shader in AmberScript is valid SPIR-V") {
  if (!there("glslangValidator") || !there("spirv-val")) return;
  compile_all(Target::amber, [](const std::string& source, const std::string& out) {
    return Words{"sh", "-c",
                 "sed '1,/^SHADER/d; /^END$/,$d' " + source + " > " + source +
                     ".comp && glslangValidator -V " + source + ".comp -o " + out +
                     " && spirv-val " + out};
  });
}

TEST_CASE("emit/compilers: OpenCL C") {
  if (!there("clang")) return;
  compile_all(Target::opencl, [](const std::string& source, const std::string&) {
    const bool subgroups = contains(read_file(source), "cl_khr_subgroups");
    const std::string standard = subgroups ? "CL2.0" : "CL1.2";
    return Words{"clang",
                 "-target",
                 "spir64",
                 "-x",
                 "cl",
                 "-cl-std=" + standard,
                 "-Xclang",
                 "-finclude-default-header",
                 "-Wall",
                 "-Wextra",
                 "-Wno-unused-parameter",
                 "-Werror",
                 "-fsyntax-only",
                 source};
  });
}

TEST_CASE("emit/compilers: CUDA") {
  if (!there("nvcc")) return;
  compile_all(
      Target::cuda,
      [](const std::string& source, const std::string& out) {
        return Words{"nvcc",          "-std=c++17", "-Werror", "all-warnings", "-Xcompiler",
                     "-Wall,-Wextra", "-c",         source,    "-o",           out};
      },
      {Mapping::hybrid}, 3);  // nvcc is slow
}

TEST_CASE("emit/compilers: what is like C is formatted") {
  if (!there("clang-format")) return;
  for (const Target target : {Target::cpp, Target::cuda, Target::opencl, Target::metal}) {
    for (const Mapping mapping : headway::emit::kMappings) {
      std::vector<Test> tests = some_tests();
      tests.resize(3);  // long names make long lines
      for (const Test& test : tests) {
        headway::testing::CommandOptions options;
        options.input = emit(headway::emit::lower(test, mapping, 4), target);
        const CommandResult result =
            run_program({"clang-format", "--style={BasedOnStyle: Google, ColumnLimit: 100}",
                         "--assume-filename=litmus.cpp"},
                        options);
        CHECK(result.out == options.input);
      }
    }
  }
}
