// Files of tests whose memory is asked about: litmus tests in the format of herd, and programs of
// the idiom language.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "cli/kernels.hpp"
#include "consistency/program.hpp"
#include "lang/language.hpp"
#include "languages/languages.hpp"
#include "models/library.hpp"
#include "models/model.hpp"

namespace headway::cli {

// The tests that paths lead to, whatever these hold.
Found find_memory_tests(const std::vector<std::string>& paths);
// Whether a file, or standard input ("-"), holds one in herd's format.
bool is_memory_test(const std::filesystem::path& file);
// Takes out of files, or standard input ("-"), those that hold such a test.
std::vector<std::filesystem::path> take_memory_tests(std::vector<std::filesystem::path>& files);

struct MemoryTest {
  std::string file, text;
  // A program of the idiom language, of a family all members; none: a test in herd's format.
  std::vector<lang::Test> members = {};

  bool in_herds_format() const { return members.empty(); }
};

// Of a family the members with so many threads. Throws headway::Error for what is no such test.
MemoryTest read_memory_test(const std::filesystem::path& file,
                            const lang::Languages& languages = lang::standard_languages(),
                            const std::optional<lang::Sizes>& sizes = {});
// Its programs in a language of litmus tests, which a test in herd's format has itself.
std::vector<consistency::Program> programs_of(const MemoryTest& test, const std::string& language);
// The name of the memory model that is asked about it where nobody says.
std::string memory_of(const MemoryTest& test);

// A signal, and so many seconds from now on; 0: any.
StopSigns signs_within(double seconds);

// The progress models of these names; none where nothing is named. Throws headway::Error for one
// that is no function of who has started and ended.
std::vector<models::ModelPtr> memory_progress(models::Library& library,
                                              const std::vector<std::string>& names);

}  // namespace headway::cli
