// What the fuzz target of inline assembly is seeded with, and cuts and changes of it, without a
// fuzzer.
#include <doctest/doctest.h>

#include <random>
#include <string>

#include "base/file.hpp"
#include "fuzz/ptx_properties.hpp"
#include "support/files.hpp"

namespace fs = std::filesystem;

TEST_CASE("fuzz/ptx_corpus: assembly holds its properties, cut off and changed too") {
  std::mt19937 random(1);
  int files = 0;
  int read = 0;
  for (const auto& entry :
       fs::directory_iterator(headway::testing::source_dir() / "tests/fuzz/corpus/ptx")) {
    CAPTURE(entry.path().string());
    const std::string text = headway::read_file(entry.path());
    CHECK(headway::fuzz::check_ptx(text));
    ++files;
    for (int i = 0; i < 2000; ++i) {
      std::string changed = text.substr(0, i % 2 == 0 ? text.size() : random() % text.size());
      for (int k = 0; k < 1 + i % 3 && !changed.empty(); ++k) {
        changed[random() % changed.size()] = "0135%pr,;:[]{}()|!@.-+ \n\0\xff"[random() % 26];
      }
      CAPTURE(changed);
      CHECK_NOTHROW(read += headway::fuzz::check_ptx(changed) ? 1 : 0);
    }
  }
  CHECK(files == 5);
  CHECK(read > 20);
}
