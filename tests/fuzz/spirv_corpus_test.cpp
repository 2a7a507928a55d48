// What the fuzz target of SPIR-V is seeded with, and cuts and changes of it, without a fuzzer.
#include <doctest/doctest.h>

#ifdef HEADWAY_SPIRV
#include <filesystem>
#include <random>

#include "base/file.hpp"
#include "fuzz/spirv_properties.hpp"
#include "support/files.hpp"
#endif

TEST_CASE("fuzz/spirv_corpus: modules hold their properties, cut off and changed too") {
#ifdef HEADWAY_SPIRV
  std::mt19937 random(1);
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(headway::testing::source_dir() /
                                                               "tests/fuzz/corpus/spirv")) {
    CAPTURE(entry.path().string());
    const std::string bytes = headway::read_file(entry.path());
    CHECK_NOTHROW(headway::fuzz::check_spirv(bytes));
    ++files;
    for (int i = 0; i < 150; ++i) {
      std::string changed = bytes;
      if (i % 3 == 0) changed.resize(random() % bytes.size());
      // A word becomes another one that is there: ids and operands that are not what they should
      // be.
      for (int k = 0; k < 2 && changed.size() > 24; ++k) {
        const std::size_t to = 20 + random() % (changed.size() - 24) / 4 * 4;
        const std::size_t from = 20 + random() % (changed.size() - 24) / 4 * 4;
        changed.replace(to, 4, changed.substr(from, 4));
      }
      CHECK_NOTHROW(headway::fuzz::check_spirv(changed));
    }
  }
  CHECK(files > 3);
#endif
}
