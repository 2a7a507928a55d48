// What `headway verify` prints, and keeps from one run to the next.
#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "base/file.hpp"
#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using headway::testing::CommandResult;
using headway::testing::contains;
using headway::testing::TemporaryFolder;

namespace {

constexpr const char* kRight =
    "#include \"size.h\"\n"
    "__global__ void right(int* a) { a[blockIdx.x * SIZE + threadIdx.x] = threadIdx.x; }\n";
constexpr const char* kOther = "__global__ void other(int* a) { a[0] = threadIdx.x; }\n";

CommandResult verify(const TemporaryFolder& folder, std::vector<std::string> more = {}) {
  std::vector<std::string> words = {
      "verify", folder.path().string(), "--block", "8", "--grid", "2", "--format", "json"};
  words.insert(words.end(), more.begin(), more.end());
  return headway::testing::headway(words);
}

// By kernel: the verdict about races and the time that the proof took.
std::map<std::string, std::pair<std::string, double>> races(const CommandResult& result) {
  std::map<std::string, std::pair<std::string, double>> all;
  for (const auto& report : nlohmann::json::parse(result.out)) {
    all[report["kernel"]] = {report["findings"][0]["verdict"], report["seconds"]};
  }
  return all;
}

}  // namespace

TEST_CASE("cli/verify: --keep proves only what has changed, and nothing from a damaged file") {
  const TemporaryFolder folder;
  folder.write("size.h", "#define SIZE blockDim.x\n");
  folder.write("right.cu", kRight);
  folder.write("other.cu", kOther);
  const CommandResult first = verify(folder, {"--keep"});
  CHECK(first.status == 1);
  const auto made = races(first);
  CHECK(made.at("right").first == "verified");
  CHECK(made.at("other").first == "violated");

  const CommandResult again = verify(folder, {"--keep"});
  CHECK(again.out == first.out);  // with the times
  CHECK(again.err.empty());
  CHECK(races(verify(folder)).at("right").second != made.at("right").second);

  // Another option is another question; what it keeps takes the place of what was kept.
  CHECK(races(verify(folder, {"--keep", "--timeout", "29"})) != made);

  // A macro in a header leaves no trace in the file, but in the code.
  verify(folder, {"--keep"});
  folder.write("size.h", "#define SIZE 1\n");
  const auto changed = races(verify(folder, {"--keep"}));
  CHECK(changed.at("right").first == "violated");

  const std::string file = (folder.path() / "verify.json").string();
  std::string text = headway::read_file(file);
  text.replace(text.find("violated"), 8, "verified");
  folder.write("verify.json", text);
  const CommandResult damaged = verify(folder, {"--keep"});
  CHECK(contains(damaged.err, "damaged; everything is proved anew"));
  CHECK(races(damaged).at("right").first == "violated");

  headway::testing::check_refused(verify(folder, {"--keep", "--rules"}), "--keep goes");
}

TEST_CASE("cli/verify: --keep asks anew where a model of the same name is another one") {
  const TemporaryFolder folder;
  folder.write("wait.cu",
               "__global__ void wait_for(int* flag) {\n"
               "  if (blockIdx.x == 0) atomicExch(flag, 1);\n"
               "  else while (atomicAdd(flag, 0) == 0);\n"
               "}\n");
  const auto termination = [&](const std::string& fair) {
    folder.write("mine.yaml", "name: mine\nfair: " + fair + "\n");
    const CommandResult result =
        headway::testing::headway({"verify", (folder.path() / "wait.cu").string(), "--block", "1",
                                   "--grid", "2", "--keep", "--buffer", "flag=1:zero", "-m",
                                   (folder.path() / "mine.yaml").string(), "--format", "csv"});
    return result.out;
  };
  const std::string fair = termination("alive");
  CHECK(termination("alive") == fair);
  CHECK(termination("'{}'") != fair);
  CHECK(termination("alive") == fair);
}

TEST_CASE("cli/verify: a table says when nobody looked at the ends of arrays") {
  const TemporaryFolder folder;
  folder.write("behind.cu",
               "__global__ void behind() { __shared__ int s[8]; s[threadIdx.x + 1] = 1; }\n");
  const std::string file = (folder.path() / "behind.cu").string();
  const std::vector<std::string> words = {"verify", file, "--block", "8", "--grid", "2"};
  const CommandResult without = headway::testing::headway(words);
  CHECK(without.status == 0);
  CHECK(contains(without.out, "ends of arrays are not looked at without --bounds"));
  std::vector<std::string> with = words;
  with.emplace_back("--bounds");
  const CommandResult looked = headway::testing::headway(with);
  CHECK(looked.status != 0);
  CHECK_FALSE(contains(looked.out, "ends of arrays"));
}

TEST_CASE("cli/verify: what hangs under a model does so for check, and loops are named that may") {
  const std::string folder = (headway::testing::source_dir() / "litmus" / "kernels").string();
  int violated = 0;
  for (const char* file : {"ticket-lock-broken.cu", "ticket-lock.cu", "spin-lock.cu",
                           "chained-scan-drawn.cu", "grid-barrier.cl"}) {
    const std::string path = folder + "/" + file;
    const CommandResult check = headway::testing::headway(
        {"check", path, "-m", "OBE", "-m", "HSA", "-m", "fair", "-f", "weak", "--format", "csv"});
    for (const std::string model : {"OBE", "HSA", "fair"}) {
      const CommandResult made =
          headway::testing::headway({"verify", path, "-m", model, "--format", "csv"});
      INFO(file, " under ", model, "\n", check.out, made.out);
      const bool fails = contains(check.out, "," + model + ",weak,fail\n");
      CHECK(contains(check.out, "," + model + ",weak,pass\n") != fails);
      CHECK(contains(made.out, "need not end under " + model) == fails);
      violated += fails ? 1 : 0;
    }
  }
  CHECK(violated > 3);
  const CommandResult table =
      headway::testing::headway({"verify", folder + "/spin-lock.cu", "--format", "table"});
  CHECK(contains(table.out, "termination  unknown   line 6: nothing is known to grow or shrink"));
  CHECK(table.status == 3);
  CHECK(contains(table.out, "it waits for memory that others write, at line 6"));
}

TEST_CASE("cli/verify: engines and missing conditions are options") {
  const TemporaryFolder folder;
  folder.write("tail.cu",
               "__global__ void tail(int* a, int n) {\n"
               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  if (i >= n) return;\n"
               "  __syncthreads();\n"
               "  a[i] = i;\n"
               "}\n");
  const CommandResult one = verify(folder, {"--suggest", "--schedule", "sbase,houdini+lu2"});
  CHECK(one.status == 1);
  CHECK(contains(one.out, "verified if n % blockDim.x == 0"));
  CHECK_FALSE(contains(verify(folder).out, "verified if"));
  CHECK(verify(folder, {"--schedule", "lu2"}).status == 2);
}

TEST_CASE("cli/verify: what is violated is the exit status, whatever else is open") {
  const TemporaryFolder folder;
  folder.write(
      "some.cu",
      "__global__ void wrong(int* a) { a[0] = threadIdx.x; }\n"
      "__global__ void open(int* a) { asm(\"vadd.s32.s32.s32 %0, %0, %0;\" : \"+r\"(*a)); }\n");
  const CommandResult both =
      headway::testing::headway({"verify", folder.path().string(), "--block", "8", "--grid", "2"});
  CHECK(both.status == 1);
  CHECK(contains(both.out, "  wrong   race         violated     line 1: "));
  CHECK(
      contains(both.out, "  open    race         unsupported  line 2: 'vadd.s32.s32.s32' is not"));
  CHECK(verify(folder, {"--kernel", "open"}).status == 3);
}

TEST_CASE("cli/verify: a kernel that is not there may have been meant to be another one") {
  const TemporaryFolder folder;
  folder.write("other.cu", kOther);
  const CommandResult result = verify(folder, {"--kernel", "othr"});
  CHECK(result.status == 2);
  CHECK(contains(result.err, "no kernel 'othr' in what was read; did you mean 'other'?"));
}

TEST_CASE("cli/verify: what was decided by all executions says so, in every format") {
  const std::string file =
      (headway::testing::source_dir() / "litmus/kernels/grid-barrier.cu").string();
  const std::string of =
      "by all executions of this launch, with data, out of 4 elements; arrived of 1 element 0 at "
      "first";
  for (const char* format : {"table", "csv", "json", "sarif", "junit", "html"}) {
    const CommandResult made =
        headway::testing::headway({"verify", file, "--format", format, "-m", "fair"});
    CAPTURE(format);
    CHECK(made.status == 0);
    CHECK(contains(made.out, of));
    CHECK(contains(made.out, "under fair, weakly fair, " + of));
  }
  const CommandResult table = headway::testing::headway({"verify", file});
  CHECK(contains(table.out,
                 "executions that end; where it says so, all executions of the launch stated"));
  // Beyond what can be looked at whole it is a proof, which flags are too much for.
  const CommandResult large = headway::testing::headway({"verify", file, "--grid", "64"});
  CHECK(large.status == 3);
  CHECK(contains(large.out, "possible"));
}

TEST_CASE("cli/verify: files say what is asked, the command line adds to it") {
  const TemporaryFolder folder;
  const auto asked = [&](const std::string& directive, std::vector<std::string> more = {}) {
    folder.write("copy.cu", "// headway: kernel copy grid 1 block 4 buffer in=4\n" + directive +
                                "__global__ void copy(const int* in, int* out) {\n"
                                "  out[threadIdx.x] = in[threadIdx.x + 1];\n}\n");
    std::vector<std::string> words = {"verify", (folder.path() / "copy.cu").string(), "--format",
                                      "csv"};
    words.insert(words.end(), more.begin(), more.end());
    return headway::testing::headway(words);
  };
  CHECK(asked("").status == 0);
  const CommandResult bounds = asked("// headway: verify --bounds\n");
  CHECK(bounds.status == 1);
  CHECK(contains(bounds.out, "copy,bounds,violated,4"));
  CHECK(asked("", {"--bounds"}).status == 1);
  // Nobody says how large `out` is.
  const CommandResult partly = asked("// headway: verify --bounds\n", {"--buffer", "in=5"});
  CHECK(partly.status == 3);
  CHECK(contains(partly.out, "copy,bounds,verified but for "));
  CHECK(asked("", {"--bounds", "--buffer", "in=5", "--buffer", "out=4"}).status == 0);
  CHECK(asked("", {"--bounds", "--buffer", "out=3", "--buffer", "in=5"}).status == 1);
  for (const auto& [directive, place] :
       std::map<std::string, std::string>{{"verify -m OBF", "copy.cu:2:23: unknown model 'OBF'"},
                                          {"verify --jobs 2", "copy.cu:2:20: expected one of"}}) {
    const CommandResult wrong = asked("// headway: " + directive + "\n");
    CHECK(wrong.status == 2);
    CHECK(contains(wrong.err, place));
  }
  headway::testing::check_refused(asked("", {"--buffer", "in"}), "--buffer");
}

TEST_CASE("cli/verify: an option takes one value each time, and what stands behind it is a path") {
  const TemporaryFolder folder;
  const std::string other = folder.write("other.cu", kOther).string();
  for (const std::vector<std::string>& option :
       {std::vector<std::string>{"--flag=-DX"}, {"--kernel", "other"}, {"--no-rule", "r7"}}) {
    std::vector<std::string> words = {"verify"};
    words.insert(words.end(), option.begin(), option.end());
    words.push_back(other);
    const CommandResult result = headway::testing::headway(words);
    CHECK(result.status == 1);
    CHECK(contains(result.out, "other.cu"));
  }
}

namespace {

constexpr const char* kTwo =
    "__global__ void right(int* a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n"
    "__global__ void wrong(int* a) { a[0] = threadIdx.x; }\n";

CommandResult held(const char* command, const std::string& text,
                   const std::vector<std::string>& more = {}) {
  const TemporaryFolder folder;
  std::vector<std::string> words = {command, folder.write("two.cu", text).string()};
  words.insert(words.end(), more.begin(), more.end());
  return headway::testing::headway(words);
}

}  // namespace

TEST_CASE("cli/verify: files are held to what they expect") {
  struct Row {
    std::string expected;  // of the wrong kernel
    int status;
    std::string said;
  };
  const Row rows[] = {
      {"expect violated race", 0, ""},
      {"expect violated", 0, ""},
      {"expect error race", 1, ""},
      {"expect verified", 1, "1:48: expected verified of wrong; race is violated"},
      {"expect violated divergence", 1, "expected violated divergence of wrong; divergence is ver"},
      {"expect violated bounds", 1, "nobody looked at bounds; --bounds asks for it"},
      {"expect violated freed", 1, "expected violated freed of wrong; nobody looked at freed\n"},
      {"expect unsupported, violated race", 1, "expected unsupported of wrong; it is not"},
      {"expect unknown, violated race", 1, "expected unknown of wrong; all is decided"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.expected);
    const CommandResult result =
        held("verify", "// headway: kernel wrong grid 2 block 4 " + row.expected + "\n" + kTwo);
    CHECK(result.status == row.status);
    CHECK(contains(result.err, row.said));
    if (row.said.empty()) CHECK(result.err.empty());
  }
  const std::string assembly =
      "// headway: expect unsupported\n__global__ void open(int* a) { asm(\"vadd.s32.s32.s32 %0, "
      "%0, %0;\" : \"+r\"(*a)); }\n";
  CHECK(held("verify", assembly).status == 0);
  const CommandResult sarif =
      held("verify", std::string("// headway: kernel right expect violated race\n") + kTwo,
           {"--format", "sarif", "--kernel", "right"});
  CHECK(sarif.status == 1);
  CHECK(contains(sarif.out, "\"ruleId\": \"expectation\""));
}

TEST_CASE("cli/verify: what nobody looks at is told, and an error where that is all") {
  const std::string of_right =
      std::string("// headway: kernel right expect verified, safe\n") + kTwo;
  for (const char* command : {"check", "verify"}) {
    CAPTURE(command);
    const CommandResult none = held(command, of_right, {"--kernel", "wrong"});
    CHECK(none.status == 2);
    CHECK(none.out.empty());
    CHECK(contains(none.err,
                   "two.cu:1:13: nothing that this file expects is looked at; the first is of "
                   "kernel right"));
    CHECK(held(command, of_right, {"--kernel", "right"}).status == 0);
  }
  const std::string both = std::string(
                               "// headway: kernel right expect verified\n"
                               "// headway: kernel wrong expect violated\n"
                               "// headway: kernel wrong grid 1 block 1 expect verified\n") +
                           kTwo;
  const CommandResult one = held("verify", both, {"--kernel", "right"});
  CHECK(one.status == 0);
  CHECK(contains(one.err,
                 "two.cu:2: what is expected of this launch (kernel wrong) is not looked at"));
  // Of two launches of a kernel the first counts.
  const CommandResult all = held("verify", both);
  CHECK(all.status == 0);
  CHECK(contains(all.err, "two.cu:3: what is expected of this launch"));
  CHECK_FALSE(contains(all.err, "two.cu:2:"));
  // Not who asks something else.
  CHECK_FALSE(contains(held("slice", of_right, {"--kernel", "wrong"}).err, "nothing that"));
}

TEST_CASE("cli/verify: behind an error there is no table") {
  const CommandResult result = held("verify", "// headway: exepct safe\n");
  CHECK(result.status == 2);
  CHECK(result.out.empty());
}

TEST_CASE("cli/check: host programs are held to what they expect") {
  const std::string program =
      "__global__ void a(int* x) { x[0] = threadIdx.x; }\n"
      "int main() { int* p; cudaMalloc(&p, 4); a<<<1, 2>>>(p); cudaFree(p); }\n";
  CHECK(held("check", "// headway: main expect violated race\n" + program).status == 0);
  CHECK(held("check", "// headway: main expect error race\n" + program).status == 0);
  const CommandResult safe = held("check", "// headway: main expect safe\n" + program);
  CHECK(safe.status == 1);
  CHECK(contains(safe.err, "two.cu:1:25: expected safe of main; race is violated"));
  const CommandResult kernel = held("check", "// headway: kernel a expect error\n" + program);
  CHECK(kernel.status == 2);
  CHECK(contains(kernel.err,
                 "nothing that this file expects is looked at, as its function main is run; the "
                 "first is of kernel a"));
}

TEST_CASE("cli/verify: buffers may be as large as arguments and sizes say") {
  const std::string kernel =
      "__global__ void grow(const int* in, int* out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) out[i] = in[4 * i + 3];\n}\n";
  struct Row {
    std::string sizes;
    int status;
    std::string said;
  };
  const Row rows[] = {
      {"in=n*4, out=n", 0, "ends of in (n*4 elements), out (n elements), all arguments"},
      {"in=n*4, out=gridDim.x*blockDim.x", 0, "bounds       verified\n"},
      {"in=n*4-1, out=n", 1, "of 'in', which has"},
      {"in=n*4, out=gridDim.x", 1, "of 'out', which has 16"},
      {"in=n*4", 3, "bounds       verified but for out\n"},
      {"in=4*m", 2, "two.cu:1:52: 'm' is no integer argument of 'grow' and no size of the"},
      {"in=n*", 2, "two.cu:1:52: expected a number, an argument or a size such as gridDim.x"},
      {"in=gridDim.w", 2, "did you mean 'gridDim.x'?"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.sizes);
    const CommandResult sized =
        held("verify", "// headway: kernel grow grid 4 block 8 buffer " + row.sizes +
                           "\n// headway: verify --bounds\n" + kernel);
    CHECK(sized.status == row.status);
    CHECK(contains(sized.out + sized.err, row.said));
  }
  // Also where nobody looks at ends.
  CHECK(contains(held("verify", kernel, {"--buffer", "in=m"}).err, "--buffer in=m: 'm' is no"));
  CHECK(contains(held("check", kernel, {"--buffer", "in=n*4"}).err,
                 "--buffer in=n*4: how large 'in' is follows from n, which nobody gives; expected "
                 "--arg n=NUMBER"));
  CHECK(contains(held("check", kernel, {"--buffer", "in=n", "--arg", "n=-1"}).err,
                 "'in' has -1 elements in this launch; expected 0 to"));
  CHECK(contains(held("check", kernel, {"--buffer", "on=n"}).err,
                 "--buffer on=n: kernel 'grow' has no parameter 'on'; it has in, out, n"));
  CHECK(held("check", kernel, {"--buffer", "in=n*4", "--buffer", "out=n", "--arg", "n=8"}).status ==
        0);
  const CommandResult shorter =
      held("check", kernel, {"--buffer", "in=n*4", "--buffer", "out=n-1", "--arg", "n=8"});
  CHECK(shorter.status == 1);
  CHECK(contains(shorter.out, "at byte 28 of 'out', which has 28"));
  // No elements are none, and not as many as are needed.
  CHECK(held("check", kernel, {"--buffer", "out=n-1", "--arg", "n=1"}).status == 1);
}

TEST_CASE("cli/verify: flags are those of check, written as compilers have them") {
  const TemporaryFolder folder;
  folder.write("help.h", "#define HELP 2\n");
  const std::string file =
      folder
          .write("a.cu",
                 "__global__ void k(int* p) {\n"
                 "  static_assert(N == 4 && HELP == 2 && __cplusplus >= 202002L);\n"
                 "  if (threadIdx.x == 0) p[blockIdx.x] = N;\n}\n")
          .string();
  const std::string help = (folder.path() / "help.h").string();
  for (const char* command : {"check", "verify", "slice", "explain"}) {
    CAPTURE(command);
    for (const std::vector<std::string>& flags :
         {std::vector<std::string>{"-O2", "-DN=4", "-std=c++20", "-include", help},
          {"-D", "N=4", "--std", "c++20", "--include", help},
          {"--flag=-DN=4", "--compiler-flag=-std=c++20", "--flag=-include", "--flag=" + help}}) {
      std::vector<std::string> words = {command, file};
      words.insert(words.end(), flags.begin(), flags.end());
      const CommandResult result = headway::testing::headway(words);
      CHECK_MESSAGE(result.status == 0, result.err);
    }
    CHECK(headway::testing::headway({command, file}).status == 2);
  }
}

TEST_CASE("cli/verify: a path that is not there costs no other its answer") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.cu", "__global__ void k() {}\n").string();
  const CommandResult result =
      headway::testing::headway({"verify", (folder.path() / "none.cu").string(), file});
  CHECK(result.status == 2);
  CHECK(contains(result.err, "none.cu: no such file or folder"));
  CHECK(contains(result.out, "race"));
}
