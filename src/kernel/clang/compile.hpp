// From kernel files to LLVM bitcode: the distribution's clang 19 runs as a child, with our own
// headers, and optimizes nothing, so that no loop, load or error is deleted. Takes clang's time and
// 0.1 s at most. Can be used by several threads at a time.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/clang/headers.hpp"

namespace headway::kernel {

enum class SourceKind { cuda, opencl, llvm_text, llvm_bitcode, ptx, spirv, glsl, hlsl, wgsl };
enum class Side { device, host };

// By the ending of its name: .cu, .cuh; .cl, .clh, .ocl; .ll; .bc; .ptx; .spv, .spvasm; .comp,
// .glsl; .hlsl, .compute; .wgsl.
std::optional<SourceKind> source_kind(const std::filesystem::path& file);
constexpr bool is_shader(SourceKind kind) { return kind >= SourceKind::spirv; }

// Where in bitcode our own headers stand. Their functions have no debug information; macros and
// declarations have.
inline constexpr std::string_view kHeaderPlace = "/headway";

struct CompileOptions {
  std::vector<std::string> flags;          // a user's: -D, -I, -std, -include and so on
  std::filesystem::path compile_commands;  // a JSON compilation database or its folder; or empty
  std::chrono::milliseconds limit{120'000};
  // Of all that is asked for.
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
  const std::atomic<bool>* interrupted = nullptr;
  // Of SPIR-V's constants, by their SpecId, and of WGSL's overrides, by their names or ids.
  std::map<std::string, double> specialization = {};
  // The size of workgroups that is asked for, where one is: SPIR-V may leave it to constants, too.
  std::optional<std::array<std::uint32_t, 3>> group_size = {};
  // Fences of CUDA synchronize by C++'s rules alone, and not in PTX's order of them, too.
  bool fences_of_cpp = false;
  // In place of what the file holds, at its place.
  std::optional<std::string> text = {};
  std::optional<SourceKind> language = {};  // whatever the name of a file ends in
  // Equal files become equal modules, byte by byte: not where our headers are taken as clang has
  // read them before, as what it says of unused names is another then.
  bool repeatable = false;

  // For a compiler that starts now.
  std::chrono::milliseconds time_left() const;
};

// What the options say, or else the name.
std::optional<SourceKind> source_kind(const std::filesystem::path& file,
                                      const CompileOptions& options);
// Whether a file is text, which may hold directives.
bool is_text(const std::filesystem::path& file, const CompileOptions& options);

class Compiler {
 public:
  // `program` is the clang to run. Without one it is what HEADWAY_CLANG names in the environment,
  // or else clang-19, or a clang of that version, in PATH. `keeps`: our headers stay in the user's
  // cache, as clang has read them, for who compiles next.
  explicit Compiler(std::string program = {}, bool keeps = false);

  // The module of one side of a file, as bitcode or assembly; .ll and .bc files have no host side.
  // Throws headway::Error with clang's own message at its place, for a clang that is missing
  // with the package that has it; lang::Undecided when the time is over, or after an interruption.
  std::string compile(const std::filesystem::path& file, Side side,
                      const CompileOptions& options = {});

  // Whether a text of CUDA includes in <> what is not among our headers.
  bool may_lack_headers(const std::string& text);

  // Both sides of a CUDA file, compiled side by side: device, host.
  std::pair<std::string, std::string> compile_both(const std::filesystem::path& file,
                                                   const CompileOptions& options = {});

 private:
  struct Job;
  const std::string& program();
  const HeaderFolder& headers();
  std::string run(const Job& job, const CompileOptions& options);
  bool is_kept_badly(const Job& job, const std::string& complaint);
  void include_ours(Job& job, const std::string& header, bool plain, const CompileOptions& options);
  bool precompile(const Job& job, const std::filesystem::path& output,
                  const CompileOptions& options);
  std::filesystem::path kept_precompiled(const Job& job, const CompileOptions& options);
  std::filesystem::path own_precompiled(const Job& job, const CompileOptions& options);
  std::string compile_llvm(const std::filesystem::path& file, const std::string& content,
                           const CompileOptions& options);
  std::vector<std::string> common_flags();

  std::mutex mutex_;
  std::string program_;
  const bool keeps_;
  std::unique_ptr<HeaderFolder> headers_;
  std::atomic<int> outputs_ = 0;
  // Our headers as clang has read them, by what it was told.
  struct Precompiled {
    int uses = 0;
    std::filesystem::path file;  // empty where there is none
  };
  std::map<std::vector<std::string>, Precompiled> precompiled_;
};

}  // namespace headway::kernel
