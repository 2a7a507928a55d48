// headway check of litmus tests that ask what memory may do, in the format of herd.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "cli/kernels.hpp"
#include "cli/outcome.hpp"
#include "models/library.hpp"
#include "models/model.hpp"

namespace headway::cli {

struct MemoryArguments {
  Found tests;
  std::vector<std::string> models;  // by name or file; none: that of each test's language
  // Progress models, to ask whether the tests end; none: their conditions are asked about.
  std::vector<models::ModelPtr> progress;
  std::string format;
  int jobs = 0;
  double timeout = 0;  // seconds a test and model; 0: any
};

// The tests that paths lead to, whatever these hold.
Found find_memory_tests(const std::vector<std::string>& paths);
// Whether a file, or standard input ("-"), holds such a test.
bool is_memory_test(const std::filesystem::path& file);
// Takes out of files, or standard input ("-"), those that hold such a test.
std::vector<std::filesystem::path> take_memory_tests(std::vector<std::filesystem::path>& files);

// Such a test and its name in messages. Throws headway::Error for what is none.
struct MemoryTest {
  std::string name, text;
};
MemoryTest read_memory_test(const std::filesystem::path& file);
// A signal, and so many seconds from now on; 0: any.
StopSigns signs_within(double seconds);

// The progress models of these names; none where nothing is named. Throws headway::Error for one
// that is no function of who has started and ended.
std::vector<models::ModelPtr> memory_progress(models::Library& library,
                                              const std::vector<std::string>& names);

Outcome check_memory(const MemoryArguments& arguments);

}  // namespace headway::cli
