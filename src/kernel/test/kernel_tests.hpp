// Kernel files as tests: of each kernel a launch, explored as it is read. Everything above sees
// tests like any other.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "consistency/program.hpp"
#include "kernel/clang/compile.hpp"
#include "kernel/directives.hpp"
#include "kernel/test/analysis.hpp"
#include "lang/test.hpp"

namespace headway::kernel {

// A module and its text.
struct ReadKernels {
  std::shared_ptr<const Module> module;
  std::shared_ptr<const SourceText> text;
};

// Of all executions of a launch: they end, without races, barriers that threads miss and assertions
// that fail.
struct ProofOfEnd {
  std::vector<std::string> relies;  // on this, a phrase each
  bool within_bounds = false;       // whether every access is shown to be within what it is to
};

struct KernelOptions {
  CompileOptions compile;
  std::vector<std::string> kernels;  // by name; all where there are none
  LaunchSpec launch;
  AnalysisOptions analysis;
  // Memory models are asked: launches are smaller where nobody says how large they are, and nothing
  // is taken for granted of the order of atomic accesses.
  bool of_memory = false;
  double seconds = 0;  // to read the file and explore a kernel; 0: any
  // Asked of a launch with too many executions to be looked at all, of which none that was waits or
  // goes wrong; nothing where there is no proof in so many seconds. May be empty.
  std::function<std::optional<ProofOfEnd>(const ReadKernels&, const Function&, const LaunchSpec&,
                                          const Launch&, double)>
      proof_of_end;
  // Whether tests are held to what files expect of them, which somebody has to look at then.
  bool held = false;
};

// Whether a file is of kernels, by the end of its name.
bool is_kernel_file(const std::filesystem::path& file);

// Hands each test to `take`, with how many there are, before the next launch is explored, until it
// returns false. Throws headway::Error for what cannot be compiled, a kernel that is not there, and
// a launch that does not fit. What cannot be decided is told by Source::make_program().
using TakeTest = std::function<bool(lang::Test test, std::size_t of)>;
void read_kernel_tests(const std::filesystem::path& file, const KernelOptions& options,
                       Compiler& compiler, const TakeTest& take);
std::vector<lang::Test> read_kernel_tests(const std::filesystem::path& file,
                                          const KernelOptions& options, Compiler& compiler);

// What decides whether the kernel of a test ends, as a program of the idiom language
// (slice/slice.hpp). `test` is of read_kernel_tests(). Throws lang::Undecided where there is none.
std::string slice_text(const lang::Test& test, const ExploreOptions& options);

// The launch of a test as a program whose memory is asked about, in a language of litmus tests
// (litmus/translate.hpp), and the one in which its kernel speaks of memory. `notes` gets what was
// taken for granted. Throws headway::Error with the place of what is not read so.
consistency::Program memory_program(const lang::Test& test, const std::string& file,
                                    const std::string& language, std::vector<std::string>& notes);
std::string memory_language(const lang::Test& test);

// A file without a kernel, and without a template of one: a header, or code of the host alone.
class NoKernel : public Error {
 public:
  explicit NoKernel(const std::filesystem::path& file)
      : Error({file.string(), 0, 0}, "there is no kernel in this file") {}
};

// What the command line and a file say together: what the command line says counts more.
CompileOptions with(const Directives& directives, CompileOptions options);

// That each launch which a file asks for is of a kernel of its own. Throws headway::Error.
void require_kernels(const Directives& directives, const Module& module);

// The buffers, and the arguments that may be their lengths, of which anything is given.
std::set<std::string> sized_buffers(const Directives& directives, const LaunchSpec& launch);

// The module of one side of a file. Buffers not in `sized` are as long as they need to be
// (ir/guards.hpp).
ReadKernels read_kernels(const std::filesystem::path& file, Side side,
                         const CompileOptions& options, Compiler& compiler,
                         const std::set<std::string>& sized = {});

// Both sides of a CUDA program.
struct ReadProgram {
  std::shared_ptr<const Module> host, device;
  std::shared_ptr<const SourceText> text;  // of the device's side
};
ReadProgram read_program(const std::filesystem::path& file, const CompileOptions& options,
                         Compiler& compiler);

}  // namespace headway::kernel
