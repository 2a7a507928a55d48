// Headers that stay between runs.
#include "kernel/clang/kept_headers.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <future>
#include <string>
#include <vector>

#include "kernel/clang/compile.hpp"
#include "kernel/ir/ir.hpp"
#include "kernel/llvm/reader.hpp"
#include "support/files.hpp"

using headway::kernel::Compiler;
using headway::kernel::kept_headers;
using headway::kernel::Side;
using headway::testing::TemporaryFolder;

namespace {

namespace fs = std::filesystem;

// What HEADWAY_CACHE names, until its end.
class CacheAt {
 public:
  explicit CacheAt(const std::string& place) {
    if (const char* before = std::getenv(kVariable)) before_ = before;
    ::setenv(kVariable, place.c_str(), 1);
  }
  ~CacheAt() {
    if (before_) {
      ::setenv(kVariable, before_->c_str(), 1);
    } else {
      ::unsetenv(kVariable);
    }
  }
  CacheAt(const CacheAt&) = delete;
  CacheAt& operator=(const CacheAt&) = delete;

 private:
  static constexpr const char* kVariable = "HEADWAY_CACHE";
  std::optional<std::string> before_;
};

constexpr const char* kKernel =
    "__global__ void k(int* a) { __syncthreads(); a[threadIdx.x] = __ldg(a); }\n";

std::string read_by(Compiler& compiler, const fs::path& file) {
  const auto module = headway::kernel::llvm::read_module(
      compiler.compile(file, Side::device), file, {std::string(headway::kernel::kHeaderPlace)});
  std::string text;
  for (const auto& function : module.functions) text += headway::kernel::print(module, function);
  return text;
}

// As the next run of headway compiles it.
std::string read_anew(const fs::path& file) {
  Compiler compiler({}, true);
  return read_by(compiler, file);
}

std::vector<fs::path> all_of(const fs::path& folder, const std::string& ending) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ending) found.push_back(entry.path());
  }
  return found;
}

std::string clang() {
  const char* named = std::getenv("HEADWAY_CLANG");
  return named != nullptr ? named : "clang-19";
}

}  // namespace

TEST_CASE("kernel/clang/kept_headers: the third run finds what clang has read, and says the same") {
  const TemporaryFolder cache, folder;
  const CacheAt at(cache.path().string());
  const fs::path file = folder.write("a.cu", kKernel);
  Compiler apart;
  const std::string text = read_by(apart, file);
  CHECK(read_anew(file) == text);
  CHECK(all_of(cache.path(), ".pch").empty());
  CHECK(read_anew(file) == text);
  REQUIRE(all_of(cache.path(), ".pch").size() == 1);
  const auto made = fs::last_write_time(all_of(cache.path(), ".pch").front());
  CHECK(read_anew(file) == text);
  REQUIRE(all_of(cache.path(), ".pch").size() == 1);
  CHECK(fs::last_write_time(all_of(cache.path(), ".pch").front()) == made);
  CHECK(all_of(cache.path(), ".new").empty());
}

TEST_CASE("kernel/clang/kept_headers: what is damaged is made anew") {
  const TemporaryFolder cache, folder;
  const CacheAt at(cache.path().string());
  const fs::path file = folder.write("a.cu", kKernel);
  const std::string text = read_anew(file);
  CHECK(read_anew(file) == text);
  REQUIRE(all_of(cache.path(), ".pch").size() == 1);
  std::ofstream(all_of(cache.path(), ".pch").front()) << "no header";
  CHECK(read_anew(file) == text);
  CHECK(all_of(cache.path(), ".pch").empty());
  CHECK(read_anew(file) == text);
  CHECK(all_of(cache.path(), ".pch").size() == 1);
  // An error of the file is one all the same.
  CHECK_THROWS_WITH(read_anew(folder.write("b.cu", "__global__ void k() { x; }\n")),
                    doctest::Contains("undeclared identifier 'x'"));
}

TEST_CASE("kernel/clang/kept_headers: runs at once make one folder") {
  const TemporaryFolder cache, folder;
  const CacheAt at(cache.path().string());
  const fs::path file = folder.write("a.cu", kKernel);
  std::vector<std::future<std::string>> runs;
  for (int i = 0; i < 4; ++i) {
    runs.push_back(std::async(std::launch::async, [&] { return read_anew(file); }));
  }
  const std::string first = runs.front().get();
  CHECK(std::ranges::all_of(runs.begin() + 1, runs.end(),
                            [&](auto& run) { return run.get() == first; }));
  CHECK(std::distance(fs::directory_iterator(cache.path()), fs::directory_iterator()) == 1);
}

TEST_CASE("kernel/clang/kept_headers: where none can be kept, a run has its own") {
  const TemporaryFolder cache, folder;
  const fs::path file = folder.write("a.cu", kKernel);
  const fs::path no_folder = folder.write("full", "");
  for (const std::string& place : {std::string(), (no_folder / "in").string()}) {
    const CacheAt at(place);
    CHECK(kept_headers(clang()).empty());
    CHECK(!read_anew(file).empty());
  }
  const CacheAt at(cache.path().string());
  const fs::path kept = kept_headers(clang());
  REQUIRE(!kept.empty());
  CHECK(kept_headers(clang()) == kept);
  // Whoever may write there could make others read anything.
  ::chmod(kept.c_str(), 0777);
  CHECK(kept_headers(clang()).empty());
  CHECK(!read_anew(file).empty());
  CHECK(kept_headers("no-such-clang").empty());
}

TEST_CASE("kernel/clang/kept_headers: those of versions long ago are removed, and nothing else") {
  const TemporaryFolder cache;
  const CacheAt at(cache.path().string());
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(24 * 31);
  for (const char* name : {"0123456789abcdef", "0123456789abcdeg", "mine"}) {
    fs::create_directory(cache.path() / name);
    fs::last_write_time(cache.path() / name, long_ago);
  }
  fs::create_directory(cache.path() / "fedcba9876543210");
  CHECK(!kept_headers(clang()).empty());
  CHECK(!fs::exists(cache.path() / "0123456789abcdef"));
  CHECK(fs::exists(cache.path() / "0123456789abcdeg"));
  CHECK(fs::exists(cache.path() / "mine"));
  CHECK(fs::exists(cache.path() / "fedcba9876543210"));
}
