// What the fuzz target of directives is seeded with, and cuts and changes of it, without a fuzzer.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "base/file.hpp"
#include "fuzz/directive_properties.hpp"
#include "support/files.hpp"

namespace fs = std::filesystem;

TEST_CASE("fuzz/directive_corpus: directives hold their properties, cut off and changed too") {
  std::mt19937 random(1);
  int files = 0;
  for (const char* folder : {"tests/fuzz/corpus/directives", "litmus/kernels", "litmus/shaders"}) {
    for (const auto& entry :
         fs::recursive_directory_iterator(headway::testing::source_dir() / folder)) {
      if (!entry.is_regular_file()) continue;
      CAPTURE(entry.path().string());
      const std::string text = headway::read_file(entry.path());
      CHECK_NOTHROW(headway::fuzz::check_directives(text));
      ++files;
      if (text.empty()) continue;
      for (int i = 0; i < 300; ++i) {
        std::string changed = text.substr(0, random() % std::min<std::size_t>(text.size(), 600));
        if (!changed.empty()) {
          changed[random() % changed.size()] = "0,:={}().-x \n\0\xff"[random() % 15];
        }
        CAPTURE(changed);
        CHECK_NOTHROW(headway::fuzz::check_directives(changed));
      }
    }
  }
  CHECK(files > 3);
}
