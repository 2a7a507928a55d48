// Kernels as commands take them: on standard input, and by names that say nothing of the language.
#ifdef HEADWAY_KERNELS
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "base/file.hpp"
#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using headway::read_file;
using headway::testing::CommandOptions;
using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::in;
using headway::testing::input;
using headway::testing::source_dir;
using headway::testing::TemporaryFolder;

namespace {

using Json = nlohmann::json;
using Arguments = std::vector<std::string>;

CommandResult run(const Arguments& arguments, const CommandOptions& options = {}) {
  return headway::testing::headway(arguments, options);
}

std::filesystem::path kernel_path(const std::string& name) {
  return source_dir() / "litmus/kernels" / name;
}

// Replaces all of a text.
std::string with(std::string text, const std::string& part, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += by.size()) {
    text.replace(at, part.size(), by);
  }
  return text;
}

}  // namespace

TEST_CASE("cli/kernels: a kernel on standard input is the same as in a file") {
  const std::filesystem::path path = kernel_path("spin-wait.cu");
  const std::string text = read_file(path);
  for (const Arguments& command :
       {Arguments{"check"}, Arguments{"check", "--format", "csv"}, Arguments{"explain"},
        Arguments{"verify", "--format", "csv"}, Arguments{"lts", "--labels", "instruction"},
        Arguments{"residency"}}) {
    CAPTURE(command.front());
    Arguments of_file = command, of_input = command;
    of_file.push_back(path.string());
    of_input.insert(of_input.end(), {"-x", "cu", "-"});
    const CommandResult file = run(of_file);
    const CommandResult typed = run(of_input, input(text));
    CHECK(typed.status == file.status);
    CHECK_FALSE(typed.out.empty());
    CHECK(with(typed.out, "<stdin>", path.string()) == file.out);
    CHECK(with(typed.err, "<stdin>", path.string()) == file.err);
  }
  const CommandResult slice = run({"slice", "-x", "cuda", "-"}, input(text));
  CHECK(slice.status == 0);
  CHECK(with(slice.out, "<stdin>", "spin-wait.cu") == run({"slice", path.string()}).out);
  const CommandResult page =
      run({"report", "-x", "cu", "-", "-o", "-", "--engine", "none"}, input(text));
  CHECK(page.status == 0);
  CHECK(contains(page.out, "follow"));
}

TEST_CASE("cli/kernels: standard input in every language") {
  const auto check = [](const char* language, const std::filesystem::path& file) {
    CAPTURE(language);
    const CommandResult typed = run({"check", "-x", language, "-"}, input(read_file(file)));
    const CommandResult read = run({"check", file.string()});
    CHECK(typed.status == read.status);
    const std::string stem = file.stem().string();
    CHECK(with(typed.out, "stdin", stem) == with(read.out, file.string(), "<" + stem + ">"));
  };
  check("cl", kernel_path("chained-scan.cl"));
  check("comp", source_dir() / "tests/data/shaders/features.comp");
  check("spv", source_dir() / "tests/data/shaders/spin-lock-naga.spv");
  check("ptx", source_dir() / "tests/data/ptx/flag.ptx");
  check("spvasm", source_dir() / "tests/data/shaders/spin-lock-tint.spvasm");
}

TEST_CASE("cli/kernels: messages about standard input name it and show its lines") {
  const CommandResult wrong =
      run({"check", "-x", "cu", "-"}, input("__global__ void k(int* a) {\n  *a = b;\n}\n"));
  CHECK(wrong.status == 2);
  CHECK(contains(wrong.err, "<stdin>:2:8: use of undeclared identifier 'b'"));
  CHECK(contains(wrong.err, "*a = b;"));
  const CommandResult shader =
      run({"check", "-x", "comp", "-"}, input("#version 450\nvoid main() {\n  x = 1;\n}\n"));
  CHECK(shader.status == 2);
  CHECK(contains(shader.err, "<stdin>:3: "));
  const CommandResult unmet =
      run({"check", "-x", "cu", "-"},
          input("// headway: expect error\n__global__ void k(int* a) { atomicAdd(a, 1); }\n"));
  CHECK(unmet.status == 1);
  CHECK(contains(unmet.err, "<stdin>"));
}

TEST_CASE("cli/kernels: headers of standard input lie where headway runs") {
  const TemporaryFolder folder;
  folder.write("step.h", "#define STEP 2\n");
  auto options = in(folder.path());
  options.input = "#include \"step.h\"\n__global__ void k(int* a) { atomicAdd(a, STEP); }\n";
  CHECK(run({"check", "-x", "cu", "-"}, options).status == 0);
}

TEST_CASE("cli/kernels: -x says the language of a file of any name") {
  const TemporaryFolder folder;
  const auto file = folder.write("k.inc", "__kernel void k(__global int* a) { atomic_inc(a); }\n");
  CHECK(run({"check", file.string()}).status == 2);
  CHECK(run({"check", "-x", "cl", file.string()}).status == 0);
  CHECK(run({"check", "-xcl", file.string()}).status == 0);
  const CommandResult below = run({"check", "-x", "cl", folder.path().string()});
  CHECK(below.status == 2);
  CHECK(contains(below.err, "is a folder; -x goes with files"));
  CHECK(contains(run({"check", "-x", "c", file.string()}).err, "expected cu, "));
}

TEST_CASE("cli/kernels: a kernel in a file of another name is told from a litmus test") {
  const TemporaryFolder folder;
  const std::string text = "#include <cuda_runtime.h>\n" + read_file(kernel_path("spin-wait.cu"));
  for (const char* name : {"k.cpp", "k.txt", "k"}) {
    const std::string file = folder.write(name, text).string();
    for (const Arguments& command : {Arguments{"check", file}, {"explain", file}}) {
      const CommandResult read = run(command);
      CHECK(read.status == 2);
      CHECK(contains(read.err,
                     "this looks like a kernel, as it says '__global__'; expected a name "
                     "that ends in .cu, or -x cu"));
    }
  }
  const std::string pixel = "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() {}\n";
  const CommandResult other = run({"check", folder.write("a.frag", pixel).string()});
  CHECK(other.status == 2);
  CHECK(contains(other.err, "no compute shader"));
  // A litmus test with a mistake is one.
  const std::string test = "// as __global__ would\nlocations m\nthread 0 {}\n";
  CHECK(contains(run({"check", folder.write("a.litmus", test).string()}).err, "expected ';'"));
}

TEST_CASE("cli/kernels: a kernel on standard input without -x is told from a litmus test") {
  const std::string text = read_file(kernel_path("spin-wait.cu"));
  for (const Arguments& command : {Arguments{"check", "-"},
                                   {"explain", "-"},
                                   {"lts", "-"},
                                   {"residency", "-"},
                                   {"report", "-", "-o", "-"}}) {
    const CommandResult typed = run(command, input(text));
    CHECK(typed.status == 2);
    CHECK(contains(typed.err, "<stdin>: expected a litmus test, found '__global__'"));
    CHECK(contains(typed.err, "as -x cu"));
  }
  for (const char* command : {"verify", "slice"}) {
    CHECK(contains(run({command, "-"}, input(text)).err, "<stdin>: expected -x"));
  }
  // A litmus test may speak of kernels.
  CHECK(run({"check", "-"}, input("// __global__\nlocations m;\nthread 0 { m = 1; }\n")).status ==
        0);
}

TEST_CASE("cli/kernels: several kernels are told apart by their files") {
  const std::string wait = kernel_path("spin-wait.cu").string();
  const std::string scan = kernel_path("chained-scan.cu").string();
  const CommandResult slices = run({"slice", wait, scan});
  CHECK(slices.status == 0);
  CHECK(slices.out == "// " + wait + "\n" + run({"slice", wait}).out + "\n// " + scan + "\n" +
                          run({"slice", scan}).out);
  CHECK(contains(run({"slice", wait, scan, "-o", "x.litmus"}).err, "--out goes with one"));
  const CommandResult residency = run({"residency", wait, scan});
  CHECK(residency.status == 0);
  CHECK(contains(residency.out, wait + ": follow\n"));
  CHECK(contains(residency.out, "\n" + scan + ": scan\n"));
  const Json list = Json::parse(run({"residency", wait, scan, "--format", "json"}).out);
  REQUIRE(list.size() == 2);
  CHECK(list[1]["file"] == scan);
  CHECK(contains(run({"residency", wait, scan, "--format", "csv"}).err, "goes with one TEST"));
  const Json systems = Json::parse(run({"lts", wait, wait, "--format", "json"}).out);
  REQUIRE(systems.size() == 2);
  CHECK(systems[0]["file"] == wait);
  const CommandResult dot = run({"lts", wait, wait, "--format", "dot"});
  CHECK(contains(dot.out, "// " + wait + "\ndigraph lts {"));
  CHECK(contains(run({"lts", wait, wait}).err, "--format aut goes with one TEST"));
}

TEST_CASE("cli/kernels: what is wrong with one path leaves the others as they are") {
  const std::string wait = kernel_path("spin-wait.cu").string();
  for (const char* command : {"slice", "residency"}) {
    const CommandResult result = run({command, "none.cu", wait});
    CHECK(result.status == 2);
    CHECK(contains(result.err, "none.cu: cannot open"));
    CHECK_FALSE(result.out.empty());
  }
}

TEST_CASE("cli/kernels: an error is told before the next kernel is looked at") {
  const std::string text =
      "__global__ void first(int* a) { *a = threadIdx.x; }\n"
      "__global__ void second(int* a) { atomicAdd(a, 1); }\n";
  auto options = input(text);
  options.merge = true;
  const CommandResult result = run({"check", "-x", "cu", "-"}, options);
  CHECK(result.status == 1);
  const std::size_t told = result.out.find("first goes wrong: ");
  REQUIRE(told != std::string::npos);
  CHECK(told < result.out.find("second"));
  CHECK(result.out.find("first goes wrong: ", told + 1) == std::string::npos);
}

TEST_CASE("cli/kernels: check is held to what cannot be decided") {
  const std::string assembly =
      "__global__ void k(int* a) { asm(\"vadd.s32.s32.s32 %0, %0, %0;\" : \"+r\"(*a)); }\n";
  const std::string plain = "__global__ void k(int* a) { atomicAdd(a, 1); }\n";
  const auto check = [](const std::string& expected, const std::string& text,
                        const Arguments& more = {}) {
    Arguments words = {"check", "-x", "cu", "-"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words, input("// headway: expect " + expected + "\n" + text));
  };
  CHECK(check("unsupported", assembly).status == 0);
  CHECK(run({"check", "-x", "cu", "-"}, input(assembly)).status == 3);
  const CommandResult unknown = check("unknown", assembly);
  CHECK(unknown.status == 1);
  CHECK(contains(unknown.err, "<stdin>:1:20: expected unknown of k; it is unsupported"));
  const std::string waits = "__global__ void k(int* a) { while (atomicAdd(a, 0) == 0); }\n";
  CHECK(check("unknown", waits, {"--max-states", "1"}).status == 0);
  const CommandResult decided = check("unsupported", plain);
  CHECK(decided.status == 1);
  CHECK(contains(decided.err, "<stdin>:1:20: expected unsupported of k; it is decided"));
  // These are of verify.
  CHECK(check("unknown, verified", plain).status == 0);
}

TEST_CASE("cli/kernels: no line for people is longer than 200 places") {
  std::string parameters, stores;
  for (int i = 0; i < 24; ++i) {
    parameters += fmt::format("int* parameter_with_a_long_name_{}, ", i);
    stores += fmt::format("parameter_with_a_long_name_{}[threadIdx.x] = {}; ", i, i);
  }
  const std::string text = "__global__ void k(" + parameters + "int n) {\n" + stores +
                           "\n*parameter_with_a_long_name_0 = threadIdx.x + n;\n}\n";
  for (const char* command : {"check", "explain", "verify", "slice", "residency"}) {
    CAPTURE(command);
    auto options = input(text);
    options.merge = true;
    const std::string out = run({command, "-x", "cu", "-", "--block", "2"}, options).out;
    CHECK_FALSE(out.empty());
    if (command == std::string("check")) CHECK(contains(out, "\n    "));
    std::istringstream lines(out);
    for (std::string line; std::getline(lines, line);) CHECK_MESSAGE(line.size() <= 200, line);
  }
}

#endif
