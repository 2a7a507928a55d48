// Launches of kernels under memory models: what programs of the idiom language say that are written
// for the same.
#include "kernel/litmus/translate.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "consistency/idiom/translate.hpp"
#include "consistency/models.hpp"
#include "consistency/outcomes.hpp"
#include "consistency/progress.hpp"
#include "kernel/test/kernel_tests.hpp"
#include "languages/languages.hpp"
#include "models/library.hpp"
#include "support/command.hpp"
#include "support/compiler.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using namespace headway;
using headway::testing::contains;
using headway::testing::TemporaryFolder;
using Json = nlohmann::json;

namespace {

std::vector<lang::Test> kernels_of(const std::string& text, const std::string& name) {
  kernel::Compiler& compiler = headway::testing::shared_compiler();
  const TemporaryFolder folder;
  kernel::KernelOptions options;
  options.of_memory = true;
  return kernel::read_kernel_tests(folder.write(name, text), options, compiler);
}

// "error", the flag, or "fine"; and whether it ends, if that is asked: "passes", "fails".
std::string said(const consistency::Program& program, const std::string& memory, bool ends) {
  const consistency::cat::Model model = consistency::find_model(memory);
  const consistency::Outcomes found = consistency::outcomes(program, model);
  CHECK(found.cut.empty());
  std::string result = found.error             ? "error"
                       : found.flagged.empty() ? "fine"
                                               : found.flagged.begin()->first;
  if (!ends || found.error) return result;
  models::Library library;
  for (const char* progress : {"fair", "OBE"}) {
    const consistency::Termination of =
        consistency::termination(program, model, {library.find(progress)}, {});
    CHECK(of.cut.empty());
    result += of.verdicts.front() == consistency::Termination::Verdict::pass ? " passes" : " fails";
  }
  return result;
}

std::string said_of_kernel(const lang::Test& test, const std::string& language,
                           const std::string& memory, bool ends) {
  std::vector<std::string> notes;
  return said(kernel::memory_program(test, "a.cu", language, notes), memory, ends);
}

testing::CommandResult asked_here(const std::vector<std::string>& arguments) {
  return testing::headway(arguments, testing::in(testing::source_dir()));
}

// How CUDA C++ and the idiom language write an order and a scope.
struct Written {
  std::string scope, order, idiom;
};

}  // namespace

TEST_CASE("kernel/litmus: accesses and fences mean what they mean in programs of idioms") {
  const std::vector<Written> stores = {{"device", "relaxed", "relaxed"},
                                       {"device", "release", "release"},
                                       {"block", "release", "release, workgroup"},
                                       {"system", "release", "release, system"}};
  const std::vector<Written> loads = {{"device", "relaxed", "relaxed"},
                                      {"device", "acquire", "acquire"},
                                      {"block", "acquire", "acquire, workgroup"}};
  const std::vector<Written> fences = {{"", "", ""},
                                       {"device", "acq_rel", "acq_rel"},
                                       {"device", "seq_cst", "seq_cst"},
                                       {"block", "acq_rel", "acq_rel, workgroup"}};
  const auto reference = [](const Written& of, const char* name) {
    return fmt::format("cuda::atomic_ref<int, cuda::thread_scope_{}>({}[0])", of.scope, name);
  };
  std::string source = "#include <cuda/atomic>\n#include <cassert>\n";
  std::vector<std::string> idioms;
  for (const Written& put : stores) {
    for (const Written& get : loads) {
      for (const Written& between : fences) {
        const std::string fence = between.scope.empty()
                                      ? ""
                                      : fmt::format(
                                            "cuda::atomic_thread_fence(cuda::memory_order_{}, "
                                            "cuda::thread_scope_{});",
                                            between.order, between.scope);
        const std::string idiom_fence =
            between.scope.empty() ? "" : fmt::format("fence({});", between.idiom);
        // Message passing with plain data, and a thread that waits; store buffering.
        source += fmt::format(
            "__global__ void k{}(int* x, int* y) {{\n"
            "  if (blockIdx.x == 0) {{ x[0] = 1; {} {}.store(1, cuda::memory_order_{}); return; "
            "}}\n"
            "  while ({}.load(cuda::memory_order_{}) == 0) {{}}\n"
            "  {} assert(x[0] == 1);\n}}\n",
            idioms.size(), fence, reference(put, "y"), put.order, reference(get, "y"), get.order,
            fence);
        idioms.push_back(fmt::format(
            "shared bool x, y;\nthread 0 {{ store(x, 1, plain); {0} store(y, 1, {1}); }}\n"
            "thread 1 {{ while (load(y, {2}) == 0); {0} bool b = load(x, plain); assert(b); }}\n",
            idiom_fence, put.idiom, get.idiom));
        source += fmt::format(
            "__global__ void k{}(int* x, int* y) {{\n"
            "  int* mine = blockIdx.x == 0 ? x : y; int* other = blockIdx.x == 0 ? y : x;\n"
            "  {}.store(1, cuda::memory_order_{}); {}\n"
            "  while ({}.load(cuda::memory_order_{}) == 0) {{}}\n}}\n",
            idioms.size(), reference(put, "mine"), put.order, fence, reference(get, "other"),
            get.order);
        idioms.push_back(
            fmt::format("shared bool x, y;\n"
                        "thread 0 {{ store(x, 1, {1}); {0} while (load(y, {2}) == 0); }}\n"
                        "thread 1 {{ store(y, 1, {1}); {0} while (load(x, {2}) == 0); }}\n",
                        idiom_fence, put.idiom, get.idiom));
      }
    }
  }
  const std::vector<lang::Test> kernels = kernels_of(source, "a.cu");
  REQUIRE(kernels.size() == idioms.size());
  std::map<std::string, int> answers;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    for (const char* model : {"ptx6", "ptx"}) {
      const lang::Test idiom = lang::parse(idioms[k], "f.litmus");
      const std::string expected =
          said(consistency::idiom::translate(idiom, "f.litmus", "PTX"), model, true);
      CAPTURE(idioms[k]);
      CAPTURE(model);
      CHECK(said_of_kernel(kernels[k], "PTX", model, true) == expected);
      ++answers[expected];
    }
  }
  CHECK(answers["race fails fails"] == 0);
  CHECK(answers["fine passes fails"] > 10);
  CHECK(answers["error"] + answers["race passes fails"] > 10);
}

TEST_CASE("kernel/litmus: a launch under sc has the verdicts of the checker") {
  const TemporaryFolder folder;
  const auto file =
      folder.write("a.cu",
                   "__device__ int word, turn, served; __device__ volatile int flag[2];\n"
                   "__global__ void lock() {\n"
                   "  while (atomicCAS(&word, 0, 1) != 0) {}\n  atomicExch(&word, 0);\n}\n"
                   "__global__ void ticket() {\n  int mine = atomicAdd(&turn, 1);\n"
                   "  while (*(volatile int*)&served != mine) {}\n  atomicAdd(&served, 1);\n}\n"
                   "__global__ void two_way() {\n  int me = blockIdx.x;\n  flag[me] = 1;\n"
                   "  while (flag[1 - me] == 0) {}\n}\n"
                   "__global__ void up() {\n  if (blockIdx.x == 0) flag[0] = 1;\n"
                   "  else while (flag[0] == 0) {}\n}\n"
                   "__global__ void down() {\n  if (blockIdx.x == 1) flag[0] = 1;\n"
                   "  else while (flag[0] == 0) {}\n}\n"
                   "__global__ void nobody() { if (blockIdx.x == 1) while (flag[0] == 0) {} }\n");
  const auto rows = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"check", file.string(), "--block",
                                          "1",     "--format",    "json"};
    for (const char* model : {"HSA", "OBE", "LOBE", "fair", "unfair"}) {
      arguments.insert(arguments.end(), {"-m", model});
    }
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Json::parse(headway::testing::headway(arguments).out);
  };
  using Verdicts = std::map<std::pair<std::string, std::string>, std::string>;
  const auto verdicts = [](const Json& tests, const char* list) {
    Verdicts result;
    for (const Json& test : tests) {
      for (const Json& one : test.at(list)) {
        result[{test.at("test"), one.at("model")}] = one.at("verdict");
      }
    }
    return result;
  };
  const Verdicts by_checker = verdicts(rows({"--fairness", "weak"}), "verdicts");
  const Verdicts by_graphs = verdicts(rows({"--memory", "sc"}), "progress");
  CHECK(by_checker.size() == 30);
  CHECK(by_checker == by_graphs);
}

TEST_CASE("kernel/litmus: on the command line kernels are asked by their own orders and scopes") {
  const testing::CommandResult ranks =
      asked_here({"check", "examples/memory/ranks.cu", "--memory", "sc", "--memory", "ptx6", "-m",
                  "fair", "--format", "json"});
  const Json rows = Json::parse(ranks.out);
  REQUIRE(rows.size() == 2);
  CHECK(rows.at(0).at("progress").at(0).at("verdict") == "pass");
  CHECK(rows.at(1).at("progress").at(0).at("verdict") == "fail");
  CHECK(!contains(ranks.err, "in one order"));
  const testing::CommandResult why =
      asked_here({"explain", "examples/memory/ranks.cu", "--memory", "ptx6", "-m", "fair"});
  CHECK(contains(why.out, "line 5  end[mine] = 0;"));
  CHECK(contains(why.out, "waits for ever"));
  const testing::CommandResult refused = asked_here({"repair", "examples/memory/ranks.cu"});
  CHECK(refused.status == 2);
  CHECK(contains(refused.err, "orders and scopes of kernels are not repaired"));
}
