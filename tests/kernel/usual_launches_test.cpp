// What the host's side of a CUDA file says of its launches: sizes, and what arguments are.
#include "kernel/llvm/usual_launches.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernel/clang/compile.hpp"
#include "kernel/test/kernel_tests.hpp"
#include "support/compiler.hpp"
#include "support/files.hpp"

using namespace headway::kernel;

namespace {

std::map<std::string, UsualLaunch> launches_in(const std::string& text) {
  const headway::testing::TemporaryFolder folder;
  const ReadKernels read = read_kernels(folder.write("k.cu", text), Side::device, {},
                                        headway::testing::shared_compiler());
  std::map<std::string, UsualLaunch> result;
  for (const Function& function : read.module->functions) {
    result.emplace(function.name, function.usual);
  }
  return result;
}

// A loop of the host's, and the values that its counter has in a launch.
struct HostLoop {
  bool has_sign = true, tests_last = false;
  int first = 0, limit = 0, step = 0;
  const char* compares = "";

  template <class Number>
  bool goes_on(Number counter) const {
    const Number end = static_cast<Number>(limit);
    const std::string op = compares;
    if (op == "<") return counter < end;
    if (op == "<=") return counter <= end;
    if (op == ">") return counter > end;
    if (op == ">=") return counter >= end;
    return counter != end;
  }

  // Nothing for loops that do not end soon.
  template <class Number>
  std::optional<std::set<int>> values() const {
    std::set<int> result;
    Number counter = static_cast<Number>(first);
    if (!tests_last && !goes_on(counter)) return result;
    for (int round = 0; round < 100; ++round) {
      result.insert(static_cast<int>(counter));
      counter = static_cast<Number>(counter + static_cast<Number>(step));
      if (!goes_on(counter)) return result;
    }
    return std::nullopt;
  }

  std::string text(const std::string& kernel) const {
    const std::string type = has_sign ? "int" : "unsigned";
    const std::string condition = fmt::format("i {} ({}){}", compares, type, limit);
    const std::string launch = fmt::format("{}<<<1, 32>>>(i);", kernel);
    return tests_last
               ? fmt::format("void f_{}() {{ {} i = {}; do {{ {} i += {}; }} while ({}); }}\n",
                             kernel, type, first, launch, step, condition)
               : fmt::format("void f_{}() {{ for ({} i = {}; {}; i += {}) {} }}\n", kernel, type,
                             first, condition, step, launch);
  }
};

std::vector<HostLoop> all_loops() {
  std::vector<HostLoop> result;
  for (const bool has_sign : {true, false}) {
    for (const bool tests_last : {true, false}) {
      for (const int first : {-3, 0, 7}) {
        for (const int limit : {0, 5}) {
          for (const int step : {1, 3, -1, -2}) {
            for (const char* compares : {"<", "<=", ">", ">=", "!="}) {
              result.push_back({has_sign, tests_last, first, limit, step, compares});
            }
          }
        }
      }
    }
  }
  return result;
}

}  // namespace

TEST_CASE("kernel/usual_launches: a counter of the host's is in the range that is said of it") {
  std::vector<HostLoop> loops;
  std::string text;
  for (const HostLoop& loop : all_loops()) {
    const auto values = loop.has_sign ? loop.values<int>() : loop.values<unsigned>();
    if (!values) continue;
    const std::string kernel = fmt::format("k{}", loops.size());
    text += fmt::format("__global__ void {}(int t) {{}}\n", kernel) + loop.text(kernel);
    loops.push_back(loop);
  }
  REQUIRE(loops.size() > 100);
  const auto launches = launches_in(text);
  std::size_t known = 0, exact = 0;
  for (std::size_t k = 0; k < loops.size(); ++k) {
    const HostLoop& loop = loops[k];
    const std::set<int> values = *(loop.has_sign ? loop.values<int>() : loop.values<unsigned>());
    const UsualLaunch& launch = launches.at(fmt::format("k{}", k));
    const auto range = launch.arguments.find("t");
    if (range == launch.arguments.end() || values.empty()) continue;
    INFO(loop.text("k"));
    ++known;
    CHECK(range->second.first <= *values.begin());
    CHECK(range->second.second >= *values.rbegin());
    exact += range->second.first == *values.begin() && range->second.second == *values.rbegin();
  }
  MESSAGE(loops.size(), " loops, of which ", known, " are known, ", exact, " to their ends");
  CHECK(known > loops.size() / 2);
  CHECK(exact > known / 2);
}

TEST_CASE("kernel/usual_launches: sizes of the grid follow from what is passed, or are not known") {
  struct Row {
    const char* type;
    const char* grid;
    const char* says;
  };
  const std::vector<Row> rows = {
      {"int", "n / 192", "(n / 192)"},
      {"int", "(n + 255) / 256", "((n + 255) / 256)"},
      {"int", "n * 3 - 1", "((n * 3) + -1)"},
      {"int", "n >> 2", "(n >> 2)"},
      {"unsigned", "n / 3", "((n & 4294967295) / 3)"},
      {"unsigned", "(n + 255) / 256", "(((n + 255) & 4294967295) >> 8)"},
      {"int", "n", "n"},
      // What wraps around as no signed number does, what is wider, and what nobody passes.
      {"unsigned", "n + 1", ""},
      {"size_t", "(n + 255) / 256", ""},
      {"int", "(int)ceil(n / 256.0)", ""},
      {"int", "m / 256", ""},
      {"int", "n / m", ""},
  };
  std::string text;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    text += fmt::format(
        "__global__ void k{0}({1} n, int* a) {{}}\n"
        "void f{0}({1} n, int m, int* a) {{ k{0}<<<dim3({2}, 3), 32>>>(n, a); }}\n",
        k, rows[k].type, rows[k].grid);
  }
  const auto launches = launches_in(text);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    INFO(std::string(rows[k].type), " ", std::string(rows[k].grid));
    const UsualLaunch& launch = launches.at(fmt::format("k{}", k));
    CHECK(launch.grid_of[0] == std::string(rows[k].says));
    CHECK_FALSE(launch.grid[0].has_value());
    CHECK(launch.grid[1] == 3U);
    CHECK(launch.grid[2] == 1U);
  }
}

TEST_CASE("kernel/usual_launches: what is said of arguments holds in all launches of a kernel") {
  const std::string kernel = "__global__ void k(int n, int m, int* a) {}\n";
  const auto one = launches_in(kernel + "void f(int* a) { k<<<1, 32>>>(4, -7, a); }\n").at("k");
  CHECK(one.arguments.at("n") == std::pair<std::int64_t, std::int64_t>{4, 4});
  CHECK(one.arguments.at("m") == std::pair<std::int64_t, std::int64_t>{-7, -7});
  const auto two = launches_in(kernel +
                               "void f(int* a, int m) { k<<<m / 2, 32>>>(4, m, a); }\n"
                               "void g(int* a, int m) { k<<<m / 4, 32>>>(9, m, a); }\n")
                       .at("k");
  CHECK(two.arguments.at("n") == std::pair<std::int64_t, std::int64_t>{4, 9});
  CHECK_FALSE(two.arguments.contains("m"));
  CHECK(two.grid_of[0].empty());
  CHECK_FALSE(two.has_others);
  // Those of other sizes are others, and one whose size is not known may be of this one.
  const auto sizes = launches_in(kernel +
                                 "void f(int* a, int t) { k<<<8, 32>>>(4, 1, a);\n"
                                 "  k<<<8, 64>>>(9, 1, a); k<<<9, 32>>>(9, 1, a);\n"
                                 "  k<<<t, t>>>(5, 2, a); }\n")
                         .at("k");
  CHECK(sizes.arguments.at("n") == std::pair<std::int64_t, std::int64_t>{4, 5});
  CHECK(sizes.arguments.at("m") == std::pair<std::int64_t, std::int64_t>{1, 2});
  CHECK(sizes.has_others);
  // Structures are passed in several words: nobody counts them.
  const auto pair = launches_in(
                        "struct P { int x, y, z; };\n"
                        "__global__ void k(P p, int n, int* a) { *a = p.x; }\n"
                        "void f(int* a, P p) { k<<<1, 32>>>(p, 5, a); }\n")
                        .at("k");
  CHECK(pair.block.has_value());
  CHECK(pair.arguments.empty());
}

TEST_CASE("kernel/usual_launches: nothing is known where there may be launches that are not seen") {
  // Each body launches its kernel with n = 256, and once more.
  const std::vector<std::string> bodies = {
      "int n = 2; void* all[] = {&p, &n}; cudaLaunchKernel((const void*)@, dim3(1), dim3(256), "
      "all);",
      "void (*f)(int*, int) = @; f<<<1, 256>>>(p, 2);",
      "table[#]<<<1, 256>>>(p, 2);",
      "go(@, p, argc);",
      "if (argc > 1) other<<<1, 256>>>(p, 3); else @<<<1, 256>>>(p, 2);",
      "if (argc > 1) @<<<1, 256>>>(p, 300); else @<<<1, 256>>>(p, argc);",
      "@<<<1, 256>>>(p, argc > 1 ? ask() : 2);",
      "@<<<1, 256>>>(p, (other<<<1, 256>>>(p, 1), ask()));",
  };
  std::string text =
      "template <class F, class... A> void go(F* f, A... a) { f<<<1, 256>>>(a...); }\n"
      "int ask();\n__global__ void other(int* p, int n) {}\n";
  std::string table, functions;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const std::string name = fmt::format("k{}", k);
    text += fmt::format("__global__ void {}(int* p, int n) {{}}\n", name);
    table += name + ", ";
    std::string body = bodies[k];
    const auto replace = [&body](const std::string& from, const std::string& to) {
      for (std::size_t at; (at = body.find(from)) != std::string::npos;) {
        body.replace(at, from.size(), to);
      }
    };
    replace("#", std::to_string(k));
    replace("@", name);
    functions +=
        fmt::format("void f{}(int* p, int argc) {{ {}<<<1, 256>>>(p, 256); {} }}\n", k, name, body);
  }
  const bool in_table = true;
  const auto seen = [&](bool with_table) {
    return launches_in(text +
                       (with_table ? "void (*table[])(int*, int) = {" + table + "};\n"
                                   : "extern void (*table[])(int*, int);\n") +
                       functions);
  };
  for (const auto& each : seen(!in_table)) {
    const std::string& name = each.first;
    const UsualLaunch& launch = each.second;
    if (name == "other" || name == "k2") continue;
    CAPTURE(name);
    CHECK(launch.block.has_value());
    // What is seen of both branches holds, where all launches are seen.
    const auto n = launch.arguments.find("n");
    if (name == "k4") {
      REQUIRE(n != launch.arguments.end());
      CHECK(n->second == std::pair<std::int64_t, std::int64_t>{2, 256});
    } else {
      CHECK(n == launch.arguments.end());
    }
  }
  for (const auto& each : seen(in_table)) {
    const std::string& name = each.first;
    const UsualLaunch& launch = each.second;
    if (name == "other") continue;
    CAPTURE(name);
    CHECK(launch.arguments.empty());
  }
}

TEST_CASE(
    "kernel/usual_launches: the machine and the command line that a program runs with are open") {
  const std::vector<std::string> numbers = {
      "int n = 256, c; while ((c = getopt(argc, argv, \"n:\")) != -1) if (c == 'n') n = "
      "atoi(optarg);",
      "int n; cudaGetDeviceCount(&n);",
      "int n; cudaGetDevice(&n);",
      "cudaDeviceProp q; cudaGetDeviceProperties(&q, 0); int n = q.multiProcessorCount;",
      "int n; cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, 0);",
      "int n; cudaDeviceCanAccessPeer(&n, 0, 1);",
      "int n, b; cudaOccupancyMaxPotentialBlockSize(&b, &n, K);",
      "int n; cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, K, 256, 0);",
      "cudaFuncAttributes q; cudaFuncGetAttributes(&q, K); int n = q.maxThreadsPerBlock;",
      "int n = omp_get_thread_num();",
      "int n = omp_get_max_threads();",
      "int n = checkCmdLineFlag(argc, (const char**)argv, \"n\") ? 2 : 256;",
      "int n = findCudaDevice(argc, (const char**)argv);",
      "std::string s; std::cin >> s; int n = (int)s.size();",
      "std::string s; std::getline(std::cin, s); int n = atoi(s.c_str());",
      "int n = argc;",
      "int n = atoi(argv[1]);",
      "int n = rand();",
      "int n = getenv(\"N\") ? atoi(getenv(\"N\")) : 256;",
      "int n; scanf(\"%d\", &n);",
  };
  std::string text =
      "#include <getopt.h>\n#include <helper_cuda.h>\n#include <iostream>\n#include <omp.h>\n"
      "#include <stdio.h>\n#include <stdlib.h>\n#include <string>\n";
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    std::string number = numbers[k];
    const std::string name = fmt::format("k{}", k);
    if (const auto at = number.find('K'); at != std::string::npos) number.replace(at, 1, name);
    text += fmt::format(
        "__global__ void {0}(int* p, int n) {{}}\n"
        "void f{1}(int* p, int argc, char** argv) {{ {2} {0}<<<1, 256>>>(p, n); }}\n",
        name, k, number);
  }
  const auto launches = launches_in(text);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    CAPTURE(numbers[k]);
    const UsualLaunch& launch = launches.at(fmt::format("k{}", k));
    CHECK(launch.block.has_value());
    const auto n = launch.arguments.find("n");
    const bool is_one = n != launch.arguments.end() && n->second.first == n->second.second;
    CHECK_FALSE(is_one);
  }
}
