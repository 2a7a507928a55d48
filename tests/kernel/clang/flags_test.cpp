// Flags for the compiler of kernels.
#include "kernel/clang/flags.hpp"

#include <doctest/doctest.h>

#include "support/errors.hpp"
#include "support/files.hpp"

using headway::kernel::flags_for;
using headway::kernel::shell_words;
using headway::kernel::take_macros;
using headway::kernel::usable_flags;
using headway::testing::complaint_of;
using headway::testing::contains;
using headway::testing::TemporaryFolder;
using Words = std::vector<std::string>;

TEST_CASE("kernel/clang/flags: what to write and how to optimize is not the user's to say") {
  CHECK(usable_flags({"-DN=1", "-O3", "-c", "-o", "file", "-g", "-I", "folder", "-x", "cuda",
                      "-ofile", "-include", "a.h", "-MD", "-MF", "deps", "-ffast-math"}) ==
        Words{"-DN=1", "-I", "folder", "-include", "a.h"});
}

TEST_CASE("kernel/clang/flags: macros are for what the user has written") {
  Words flags = {"-DT=float", "-D", "N", "-DF(x)=x+1", "-DCUDA_X", "-D__X=1", "-I", "folder"};
  CHECK(take_macros(flags) == "#define T float\n#define N 1\n#define F(x) x+1\n");
  CHECK(flags == Words{"-DCUDA_X", "-D__X=1", "-I", "folder"});
  Words undone = {"-DT=2", "-UT"};
  CHECK(take_macros(undone).empty());
  CHECK(undone == Words{"-DT=2", "-UT"});
}

TEST_CASE("kernel/clang/flags: commands are taken apart as a shell does it") {
  CHECK(shell_words("a  b\tc") == Words{"a", "b", "c"});
  CHECK(shell_words(R"(-DA='x y' "-DB=\"q\"" \"c\  '')") ==
        Words{"-DA=x y", "-DB=\"q\"", "\"c ", ""});
  CHECK(shell_words("") == Words{});
  CHECK(shell_words("'open") == Words{"open"});
  CHECK(shell_words("a\\") == Words{"a\\"});
}

TEST_CASE("kernel/clang/flags: the entry of a compilation database") {
  const TemporaryFolder folder;
  const std::string here = folder.path().string();
  const auto json = folder.write(
      "compile_commands.json",
      R"([{"directory": "/else", "file": "b.cu", "command": "nvcc -DB b.cu"},
          {"directory": ")" +
          here +
          R"(", "file": "src/../a.cu", "arguments": ["nvcc", "-Iinclude", "-isystem", "/abs",
            "-D", "X=1", "-UY", "--std=c++17", "-gencode", "arch=compute_80,code=sm_80",
            "-Xcompiler", "-fPIC", "-rdc=true", "-O2", "-o", "a.o", "-c", "src/../a.cu",
            "-include", "no-such.h"]}])");
  const Words expected = {"-I", here + "/include", "-isystem", "/abs",     "-D", "X=1", "-U",
                          "Y",  "-std=c++17",      "-include", "no-such.h"};
  CHECK(flags_for(json, folder.path() / "a.cu") == expected);
  CHECK(flags_for(folder.path(), folder.path() / "a.cu") == expected);
  CHECK(flags_for(json, "/else/b.cu") == Words{"-D", "B"});
  CHECK(contains(complaint_of([&] { flags_for(json, "/else/c.cu"); }),
                 "has no command for /else/c.cu"));
}

TEST_CASE("kernel/clang/flags: a database that is none") {
  const TemporaryFolder folder;
  const auto complaint = [&](const std::string& text) {
    const auto json = folder.write("c.json", text);
    return complaint_of([&] { flags_for(json, "/a.cu"); });
  };
  CHECK(contains(complaint("["), "is not JSON"));
  CHECK(contains(complaint("{}"), "expected a list of compile commands"));
  CHECK(contains(complaint("[1]"), "expected objects"));
  CHECK(contains(complaint(R"([{"file": "/a.cu", "arguments": 3}])"), "is not a list"));
  CHECK(contains(complaint(R"([{"file": "/a.cu", "arguments": [3]}])"), "are not strings"));
  CHECK(contains(complaint(R"([{"file": 3}])"), "has no command"));
}
