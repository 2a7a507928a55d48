// What the fuzz targets are seeded with, and what they once found, without a fuzzer.
#include <doctest/doctest.h>

#include "base/file.hpp"
#include "fuzz/memory_properties.hpp"
#include "fuzz/properties.hpp"
#include "support/files.hpp"

namespace fs = std::filesystem;
using headway::testing::source_dir;

namespace {

// Gives every file below `folder` to `check`, and returns how many there are.
template <class Check>
int replay(const std::string& folder, Check check) {
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(source_dir() / folder)) {
    if (!entry.is_regular_file()) continue;
    CAPTURE(entry.path().string());
    CHECK_NOTHROW(check(headway::read_file(entry.path())));
    ++files;
  }
  return files;
}

}  // namespace

TEST_CASE("fuzz/corpus: the parser holds its properties on its corpus") {
  CHECK(replay("tests/fuzz/corpus/parser", headway::fuzz::check_parser) > 0);
  CHECK(replay("litmus", headway::fuzz::check_parser) > 0);
}

TEST_CASE("fuzz/corpus: model files hold their properties on their corpus") {
  CHECK(replay("tests/fuzz/corpus/model", headway::fuzz::check_model) > 0);
  CHECK(replay("models", headway::fuzz::check_model) > 0);
}

// Each reader meets what was written for the other one.
TEST_CASE("fuzz/corpus: every file is refused or read by either") {
  CHECK(replay("tests/fuzz/corpus/model", headway::fuzz::check_parser) > 0);
  CHECK(replay("tests/fuzz/corpus/parser", headway::fuzz::check_model) > 0);
}

TEST_CASE("fuzz/corpus: memory models and their tests hold their properties on their corpus") {
  CHECK(replay("tests/fuzz/corpus/memory", headway::fuzz::check_memory) > 0);
  CHECK(replay("models/memory", headway::fuzz::check_memory) > 0);
  CHECK(replay("tests/fuzz/corpus/parser", headway::fuzz::check_memory) > 0);
}
