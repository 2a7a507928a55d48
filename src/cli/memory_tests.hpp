// Files of tests whose memory is asked about: litmus tests in the format of herd, programs of the
// idiom language, and kernels.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "cli/kernels.hpp"
#include "consistency/cat/model.hpp"
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
  // A program of the idiom language, of a family all members, or the kernels of a file; none: a
  // test in herd's format.
  std::vector<lang::Test> members = {};
  bool of_kernels = false;

  bool in_herds_format() const { return members.empty(); }
};

// Of a family the members with so many threads; of kernels launches of workgroups of one thread
// where nobody says how many. Throws headway::Error for what is no such test.
MemoryTest read_memory_test(const std::filesystem::path& file, const lang::Languages& languages,
                            const std::optional<lang::Sizes>& sizes,
                            const KernelArguments& kernels);
// Its programs, which a model is asked about; a test in herd's format has a language itself. What
// was taken for granted of kernels is told. In `errors` why there is none of some kernel.
std::vector<consistency::Program> programs_of(const MemoryTest& test,
                                              const consistency::cat::Model& model,
                                              std::vector<Error>& errors);
// The name of the memory model that is asked about it where nobody says.
std::string memory_of(const MemoryTest& test);

// A signal, and so many seconds from now on; 0: any.
StopSigns signs_within(double seconds);

// The progress models of these names; none where nothing is named. Throws headway::Error for one
// that is no function of who has started and ended.
std::vector<models::ModelPtr> memory_progress(models::Library& library,
                                              const std::vector<std::string>& names);

}  // namespace headway::cli
