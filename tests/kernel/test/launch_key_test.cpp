// What tells launches of kernels apart: each thing that they are made of.
#include "kernel/test/launch_key.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <set>

#include "kernel/test/kernel_tests.hpp"
#include "support/compiler.hpp"
#include "support/files.hpp"

using namespace headway;
using namespace headway::kernel;

namespace {

struct Whole {
  Module module;
  LaunchSpec spec;

  Function& function() { return module.functions.front(); }
  Instruction& instruction() { return function().blocks.front().code.front(); }
  std::string key() const { return launch_key(module, module.functions.front(), spec); }
};

// Something in every list.
Whole whole() {
  Whole result;
  Object object;
  object.bytes = 4;
  result.module.objects = {object};
  Function function;
  function.parameters.resize(1);
  function.parameters.front().name = "n";
  function.arguments = {0};
  function.values.resize(2);
  function.blocks.resize(1);
  function.blocks.front().code.resize(2);
  function.locals = {object};
  result.module.functions = {function};
  result.spec.arguments["n"];
  result.spec.buffers["b"].values = {Number::of(1), Number::of(2)};
  return result;
}

}  // namespace

TEST_CASE("kernel/test/launch_key: everything that decides what a launch does is in its key") {
  using Change = std::function<void(Whole&)>;
  const std::vector<Change> changes = {
      [](Whole& w) { w.module.volatile_is_atomic = false; },
      [](Whole& w) { w.module.atomics_by_space = true; },
      [](Whole& w) { w.module.causality = true; },
      [](Whole& w) { w.module.is_shader = true; },
      [](Whole& w) { w.module.objects.clear(); },
      [](Whole& w) { w.module.objects[0].space = Space::constant; },
      [](Whole& w) { w.module.objects[0].bytes = 8; },
      [](Whole& w) { w.module.objects[0].align = 8; },
      [](Whole& w) { w.module.objects[0].is_function = true; },
      [](Whole& w) { w.module.objects[0].launch_sized = true; },
      [](Whole& w) { w.module.objects[0].read_only = true; },
      [](Whole& w) {
        w.module.objects[0].initial = {0, 0, 0, 0};
      },
      [](Whole& w) {
        w.module.objects[0].initial = {0, 0, 0, 1};
      },
      [](Whole& w) {
        w.module.objects[0].pointers = {{0, 0, 4}};
      },
      [](Whole& w) { w.function().parameters[0].name = "m"; },
      [](Whole& w) { w.function().parameters[0].type = Type::integer(32); },
      [](Whole& w) { w.function().parameters[0].by_value = 4; },
      [](Whole& w) { w.function().parameters[0].space = Space::workgroup; },
      [](Whole& w) { w.function().parameters[0].element_bytes = 4; },
      [](Whole& w) { w.function().parameters[0].bytes = 4; },
      [](Whole& w) { w.function().parameters[0].length_of = 0; },
      [](Whole& w) { w.function().parameters[0].length_from = 1; },
      [](Whole& w) { w.function().parameters[0].length_stride = 2; },
      [](Whole& w) { w.function().parameters[0].align = 2; },
      [](Whole& w) { w.function().arguments[0] = 1; },
      [](Whole& w) { w.function().values[1].kind = Value::Kind::undefined; },
      [](Whole& w) { w.function().values[1].type = Type::real(32); },
      [](Whole& w) { w.function().values[1].bits = 1; },
      [](Whole& w) { w.function().values[1].object = 0; },
      [](Whole& w) { w.function().blocks.emplace_back(); },
      [](Whole& w) { w.function().blocks[0].loops = {0}; },
      [](Whole& w) { w.function().blocks[0].code.pop_back(); },
      [](Whole& w) { w.function().locals[0].bytes = 8; },
      [](Whole& w) { w.function().returns = Type::integer(32); },
      [](Whole& w) { w.function().group_size[2] = 1; },
      [](Whole& w) { w.function().unsupported = "a thing"; },
      [](Whole& w) { w.instruction().op = Op::load; },
      [](Whole& w) { w.instruction().result = 1; },
      [](Whole& w) { w.instruction().operands = {1}; },
      [](Whole& w) { w.instruction().type = Type::integer(32); },
      [](Whole& w) { w.instruction().is_volatile = true; },
      [](Whole& w) { w.instruction().saturates = true; },
      [](Whole& w) { w.instruction().align = 4; },
      [](Whole& w) { w.instruction().align_from = 4; },
      [](Whole& w) { w.instruction().partial = true; },
      [](Whole& w) { w.instruction().late = true; },
      [](Whole& w) { w.instruction().order = Order::relaxed; },
      [](Whole& w) { w.instruction().scope = Scope::workgroup; },
      [](Whole& w) { w.instruction().otherwise = Order::relaxed; },
      [](Whole& w) { w.instruction().otherwise = Order::acquire; },
      [](Whole& w) { w.instruction().compare = Compare::olt; },
      [](Whole& w) { w.instruction().compare = Compare::ogt; },
      [](Whole& w) { w.instruction().subgroup = Subgroup::shuffle_up; },
      [](Whole& w) { w.instruction().cluster = 4; },
      [](Whole& w) { w.instruction().dimension = 1; },
      [](Whole& w) { w.instruction().memory = 1; },
      [](Whole& w) { w.instruction().bytes = 4; },
      [](Whole& w) { w.instruction().targets = {0}; },
      [](Whole& w) { w.instruction().cases = {0}; },
      [](Whole& w) { w.instruction().name = "f"; },
      [](Whole& w) {
        w.spec.grid = Size3{1, 1, 2};
      },
      [](Whole& w) {
        w.spec.block = Size3{1, 1, 2};
      },
      [](Whole& w) { w.spec.started = {0}; },
      [](Whole& w) { w.spec.subgroup = 0; },
      [](Whole& w) { w.spec.subgroup = 32; },
      [](Whole& w) { w.spec.workgroup_bytes = 4; },
      [](Whole& w) { w.spec.arguments["m"]; },
      [](Whole& w) { w.spec.arguments["n"].unknown = true; },
      [](Whole& w) { w.spec.arguments["n"].value = 1; },
      [](Whole& w) { w.spec.arguments["n"].integer = 1; },
      [](Whole& w) {
        w.spec.arguments["n"].range = {0, 3};
      },
      [](Whole& w) {
        w.spec.arguments["n"].range = {0, 4};
      },
      [](Whole& w) { w.spec.buffers["b"].elements = 2; },
      [](Whole& w) { w.spec.buffers["b"].content = BufferSpec::Content::values; },
      [](Whole& w) { w.spec.buffers["b"].values = {Number::of(1)}; },
      [](Whole& w) {
        w.spec.buffers["b"].values = {Number::of(1), Number{true, 2, 2.5}};
      },
      [](Whole& w) {
        w.spec.buffers["b"].range = {0, 3};
      },
      [](Whole& w) {
        w.spec.assumptions.push_back({"n > 1", {}});
      },
  };
  std::set<std::string> keys = {whole().key()};
  for (std::size_t c = 0; c < changes.size(); ++c) {
    CAPTURE(c);
    Whole changed = whole();
    changes[c](changed);
    CHECK(keys.insert(changed.key()).second);
  }
}

TEST_CASE("kernel/test/launch_key: names and lines are not in it, but for those of parameters") {
  Whole changed = whole();
  changed.module.path = "other.cu";
  changed.function().name = "other";
  changed.function().values[0].name = "v";
  changed.function().locals[0].name = "l";
  changed.instruction().place.line = 7;
  changed.spec.assumptions.push_back({"n > 1", {"a", 1, 2}});
  Whole same = whole();
  same.spec.assumptions.push_back({"n > 1", {"b", 3, 4}});
  CHECK(changed.key() == same.key());
}

TEST_CASE("kernel/test/launch_key: launches of one kernel with other data are told apart") {
  const testing::TemporaryFolder folder;
  Compiler& compiler = headway::testing::shared_compiler();
  const auto file =
      folder.write("wait.cu",
                   "// headway: kernel wait_for grid 1 block 2 buffer flag={0}\n"
                   "// headway: kernel wait_for grid 1 block 2 buffer flag={1}\n"
                   "__global__ void wait_for(volatile int* flag) { while (flag[0] == 0); }\n");
  const std::vector<lang::Test> tests = read_kernel_tests(file, {}, compiler);
  REQUIRE(tests.size() == 2);
  CHECK(lang::program_key(tests[0]) != lang::program_key(tests[1]));
}
