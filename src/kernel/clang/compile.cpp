#include "kernel/clang/compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <fstream>
#include <future>
#include <sstream>
#include <utility>

#include "base/bits/hash.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/process.hpp"
#include "base/text/key.hpp"
#include "base/text/several_errors.hpp"
#include "kernel/clang/flags.hpp"
#include "kernel/clang/foreign.hpp"
#include "kernel/clang/header_parts.hpp"
#include "kernel/clang/host_parts.hpp"
#include "kernel/clang/kept_headers.hpp"
#include "kernel/compiler_process.hpp"

namespace headway::kernel {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

bool is_clang_19(const std::string& program) {
  if (program.empty()) return false;
  const Finished version = run_process({program, "--version"}, 30s);
  return version.status == 0 && version.output.find("clang version 19.") != std::string::npos;
}

std::string find_clang() {
  if (std::string named = named_program("HEADWAY_CLANG"); !named.empty()) return named;
  for (const char* name : {"clang-19", "/usr/lib/llvm-19/bin/clang"}) {
    if (std::string found = find_program(name); !found.empty()) return found;
  }
  for (const char* name : {"clang", "clang++"}) {
    if (std::string found = find_program(name); is_clang_19(found)) return found;
  }
  throw Error(
      "kernels are compiled with clang 19, which is not here (Debian: clang-19); "
      "HEADWAY_CLANG can name it");
}

// Of one line of clang's: "file:line:column: kind: text".
struct Message {
  SourcePosition where;
  std::string kind;  // "error", "fatal error", "note"; empty when the line is no message
  std::string text;
};

std::optional<int> number_of(std::string_view text) {
  int value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Message message_of(const std::string& line) {
  for (const char* kind : {"error", "fatal error", "note"}) {
    Message message;
    // Of no place, as of a flag.
    if (const std::string start = fmt::format("{}: ", kind); line.starts_with(start)) {
      message.kind = kind;
      message.text = line.substr(start.size());
      return message;
    }
    const std::string mark = fmt::format(": {}: ", kind);
    const std::size_t at = line.find(mark);
    if (at == std::string::npos) continue;
    message.where.file = line.substr(0, at);
    message.kind = kind;
    message.text = line.substr(at + mark.size());
    // From the right, as names of files may have colons.
    for (int* part : {&message.where.column, &message.where.line}) {
      std::string& file = message.where.file;
      const std::size_t colon = file.rfind(':');
      if (colon == std::string::npos) break;
      const auto number = number_of(std::string_view(file).substr(colon + 1));
      if (!number) break;
      *part = *number;
      file.erase(colon);
    }
    return message;
  }
  return {};
}

std::string line_of_file(const SourcePosition& where) {
  if (where.line == 0) return {};
  std::istringstream text;
  try {
    text.str(read_file(where.file));
  } catch (const Error&) {
    return {};
  }
  std::string line;
  for (int i = 0; i < where.line; ++i) {
    if (!std::getline(text, line)) return {};
  }
  return line;
}

// What to do about a message of clang; empty where it says so itself.
std::string advice_on(const std::string& message) {
  if (message.starts_with("reference to __global__ function") &&
      message.find(" in __global__ function") != std::string::npos) {
    return "; kernels that launch kernels (dynamic parallelism) are not read";
  }
  const std::size_t end = message.find("' file not found");
  if (!message.starts_with("'") || end == std::string::npos) return {};
  const std::string name = message.substr(1, end - 1);
  // Headers of C++ itself have no dot.
  bool is_library = name.find('.') == std::string::npos;
  for (const char* library : {"cub/", "thrust/", "cutlass/", "cute/", "nvtx3/", "mma.h"}) {
    is_library = is_library || name.starts_with(library);
  }
  if (is_library) {
    return "; headway brings headers of CUDA's language and runtime, and few others; expected a "
           "kernel in a file without this one, or what `nvcc -ptx -lineinfo` makes of this file";
  }
  return "; -I FOLDER says where it is";
}

// What clang complains of, as our own errors at their places. An error inside of our headers is
// shown where the user's code led there.
[[noreturn]] void fail(const std::string& complaint, int status, const fs::path& file,
                       const fs::path& headers) {
  const std::string ours = headers.string();
  std::vector<Message> found;
  const bool more = complaint.find("too many errors emitted") != std::string::npos;
  std::istringstream lines(complaint);
  for (std::string line; std::getline(lines, line);) {
    const Message message = message_of(line);
    if (message.kind.empty()) continue;
    const bool is_end = message.text.starts_with("too many errors emitted");
    if (message.kind != "note" && !is_end) found.push_back(message);
    if (!found.empty() && found.back().where.file.starts_with(ours) &&
        !message.where.file.starts_with(ours)) {
      found.back().where = message.where;
    }
  }
  constexpr int by_signal = 128;  // as of Process::status()
  const int signal = status - by_signal;
  const bool is_ended =
      signal == SIGTERM || signal == SIGHUP || signal == SIGINT || signal == SIGKILL;
  if (found.empty() && is_ended) {
    throw Error({file.string(), 0, 0},
                fmt::format("clang 19 was ended from outside (signal {}{})", signal,
                            signal == SIGKILL ? ", as where memory is short" : ""));
  }
  if (found.empty() && status > by_signal) {
    throw Error({file.string(), 0, 0},
                fmt::format("clang 19 crashed on it (signal {}), as it does on code that is nested "
                            "thousands deep; less of that, or a larger stack for it (ulimit -s "
                            "unlimited), may help",
                            signal));
  }
  if (found.empty()) {
    throw Error(fmt::format("{}: clang failed with status {}{}{}", file.string(), status,
                            complaint.empty() ? "" : ": ", complaint));
  }
  std::vector<Error> errors;
  errors.reserve(found.size());
  for (Message& message : found) {
    std::string text = message.text + advice_on(message.text);
    if (text.find("frontend command failed") != std::string::npos) {
      const auto kind = source_kind(file);
      const bool module = kind == SourceKind::llvm_text || kind == SourceKind::llvm_bitcode;
      throw Error(fmt::format("{}: {}", file.string(),
                              module ? "no valid module of LLVM 19" : "clang 19 crashes on it"));
    }
    if (more && &message == &found.back()) text += " (and more)";
    if (message.where.line == 0) {
      errors.emplace_back(fmt::format("{}: clang: {}", file.string(), text));
    } else if (message.where.file.starts_with(ours)) {
      message.where.file = std::string(kHeaderPlace) + message.where.file.substr(ours.size());
      errors.emplace_back(message.where, text);
    } else {
      errors.emplace_back(message.where, text, line_of_file(message.where));
    }
  }
  throw SeveralErrors(std::move(errors));
}

bool begins(const std::vector<std::string>& flags, std::string_view beginning) {
  return std::any_of(flags.begin(), flags.end(),
                     [&](const std::string& flag) { return flag.starts_with(beginning); });
}

// Whether all alignments of a text are numbers, and one stands behind __shared__.
bool aligns_shared(std::string_view text) {
  bool any = false;
  constexpr std::string_view word = "alignas", blank = " \t\n", shared = "__shared__";
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at)) {
    const std::size_t before = text.find_last_not_of(blank, at == 0 ? 0 : at - 1);
    any = any || (before != std::string_view::npos && text.substr(0, before + 1).ends_with(shared));
    at = text.find_first_not_of(" (", at + word.size());
    if (at == std::string_view::npos || text[at] < '0' || text[at] > '9') return false;
  }
  return any;
}

// Whether a text of OpenCL C uses what version 2.0 has brought.
bool wants_opencl_2(const std::string& text) {
  return has_word(
      text, {"memory_order", "memory_scope", "atomic_int", "atomic_uint", "atomic_flag",
             "atomic_load", "atomic_store", "atomic_fetch_", "atomic_long", "atomic_ulong",
             "atomic_float", "atomic_work_item_fence", "work_group_", "sub_group_", "generic "});
}

void add(std::vector<std::string>& command, const std::vector<std::string>& words) {
  command.insert(command.end(), words.begin(), words.end());
}

// What clang is told of each language; `headers` is the folder of ours.
std::vector<std::string> cuda_words(const fs::path& headers) {
  return {"-x",
          "cuda",
          "--target=x86_64-unknown-linux-gnu",
          "-Xclang",
          "-target-sdk-version=12.0",
          "-nocudainc",
          "-nocudalib",
          "-nostdinc++",
          "-fno-builtin-printf",
          "-fno-threadsafe-statics",
          "-fno-strict-float-cast-overflow",  // what is beyond an integer is not folded to poison
          "-Wno-register",
          "-Wno-c++11-narrowing",
          "-I",
          headers / "cuda"};
}

std::vector<std::string> opencl_words(const fs::path& headers, const std::string& triple) {
  // A function that is just `inline` has its definition elsewhere in C99, and kernels rely on it.
  return {"-x",
          "cl",
          "--target=" + triple,
          "-cl-no-stdinc",
          "-fgnu89-inline",
          "-I",
          headers / "opencl"};
}

constexpr const char* kIntrinsicsHeader = "cuda/nvvm.h";

bool has_unseen_text(const std::string& text, const std::vector<std::string>& flags) {
  return text.find("##") != std::string::npos || text.find("#include \"") != std::string::npos ||
         begins(flags, "-include") || begins(flags, "-imacros") || begins(flags, "-D");
}

}  // namespace

std::optional<SourceKind> source_kind(const fs::path& file) {
  const std::string ending = file.extension().string();
  if (ending == ".cu" || ending == ".cuh") return SourceKind::cuda;
  if (ending == ".cl" || ending == ".clh" || ending == ".ocl") return SourceKind::opencl;
  if (ending == ".ll") return SourceKind::llvm_text;
  if (ending == ".bc") return SourceKind::llvm_bitcode;
  if (ending == ".ptx") return SourceKind::ptx;
  if (ending == ".spv" || ending == ".spvasm") return SourceKind::spirv;
  if (ending == ".comp" || ending == ".glsl") return SourceKind::glsl;
  if (ending == ".hlsl" || ending == ".compute") return SourceKind::hlsl;  // .compute: Unity's
  if (ending == ".wgsl") return SourceKind::wgsl;
  return std::nullopt;
}

std::optional<SourceKind> source_kind(const fs::path& file, const CompileOptions& options) {
  return options.language ? options.language : source_kind(file);
}

bool is_text(const fs::path& file, const CompileOptions& options) {
  const auto kind = source_kind(file, options);
  if (kind == SourceKind::llvm_bitcode) return false;
  return kind != SourceKind::spirv || read_file(file).find('\0') == std::string::npos;
}

std::chrono::milliseconds CompileOptions::time_left() const {
  if (!deadline) return limit;
  const auto left = *deadline - std::chrono::steady_clock::now();
  return std::clamp(std::chrono::ceil<std::chrono::milliseconds>(left), 0ms, limit);
}

struct Compiler::Job {
  std::vector<std::string> command;
  fs::path file;                         // as messages name it
  fs::path input;                        // what clang reads
  fs::path ours = {}, precompiled = {};  // our header in front, and where it is as clang read it
};

Compiler::Compiler(std::string program, bool keeps) : program_(std::move(program)), keeps_(keeps) {}

const std::string& Compiler::program() {
  const std::lock_guard lock(mutex_);
  if (program_.empty()) program_ = find_clang();
  return program_;
}

const HeaderFolder& Compiler::headers() {
  const std::string& clang = program();
  const std::lock_guard lock(mutex_);
  if (!headers_) {
    headers_ = std::make_unique<HeaderFolder>(keeps_ ? kept_headers(clang) : fs::path());
  }
  return *headers_;
}

// Nothing is optimized, and what must not be deleted is said to be defined: signed overflow, loops
// without an end. Products and sums are not fused, as devices need not do so.
std::vector<std::string> Compiler::common_flags() {
  return {program(), "-c", "-emit-llvm", "-O0", "-Xclang", "-disable-O0-optnone", "-g",
          "-fno-discard-value-names",
          // Says where variables begin that nobody sets; kernel/llvm/unset reads it.
          "-ftrivial-auto-var-init=pattern", "-fno-finite-loops", "-fwrapv", "-ffp-contract=off",
          "-fno-strict-aliasing", "-fno-crash-diagnostics", "-fno-color-diagnostics",
          "-fno-caret-diagnostics", "-ferror-limit=5", "-ftemplate-backtrace-limit=3", "-w",
          "-nostdinc",
          fmt::format("-fdebug-prefix-map={}={}", headers().path().string(), kHeaderPlace)};
}

// Whether it is what was kept, and not the file, that clang does not take.
bool Compiler::is_kept_badly(const Job& job, const std::string& complaint) {
  return headers().is_kept() && !job.precompiled.empty() &&
         complaint.find(job.precompiled.filename().string()) != std::string::npos;
}

std::string Compiler::run(const Job& job, const CompileOptions& options) {
  const fs::path output = headers().scratch() / fmt::format("{}.bc", outputs_++);
  std::vector<std::string> command = job.command;
  // A name that begins with a dash is a file, too.
  const bool dash = job.input.string().starts_with('-');
  add(command, {"-o", output, dash ? fs::path(".") / job.input : job.input});
  const auto run_it = [&] {
    return run_compiler(command, "clang", job.file, options.time_left(), options.interrupted);
  };
  Finished finished = run_it();
  if (finished.status != 0 && is_kept_badly(job, finished.complaint)) {
    std::error_code gone;
    fs::remove(job.precompiled, gone);
    const auto at = std::ranges::find(command, job.precompiled.string());
    command.insert(command.erase(at - 3, at + 1), {"-include", job.ours.string()});
    finished = run_it();
  }
  if (finished.status != 0) {
    fail(finished.complaint, finished.status, job.file, headers().path());
  }
  std::string bitcode = read_file(output);
  std::error_code ignored;
  fs::remove(output, ignored);
  return bitcode;
}

// Reading our headers takes clang longer than most kernels. From the third file on that is compiled
// alike they are read once for all: where `plain` says that nothing which is yet to be added to the
// command changes what they mean.
void Compiler::include_ours(Job& job, const std::string& header, bool plain,
                            const CompileOptions& options) {
  job.ours = headers().path() / header;
  if (plain) {
    job.precompiled =
        headers().is_kept() ? kept_precompiled(job, options) : own_precompiled(job, options);
  }
  if (job.precompiled.empty()) {
    add(job.command, {"-include", job.ours});
  } else {
    add(job.command, {"-Xclang", "-include-pch", "-Xclang", job.precompiled});
  }
}

bool Compiler::precompile(const Job& job, const fs::path& output, const CompileOptions& options) {
  std::vector<std::string> command = job.command;
  std::erase_if(command,
                [](const std::string& word) { return word == "-c" || word == "-emit-llvm"; });
  add(command,
      {"-fsyntax-only", "-Xclang", "-emit-pch", "-Xclang", "-o", "-Xclang", output, job.ours});
  return run_compiler(command, "clang", job.file, options.time_left(), options.interrupted)
             .status == 0;
}

// Beside the headers, where the next run finds it. Who comes first leaves a note alone, as to make
// it takes the time of two compilations.
fs::path Compiler::kept_precompiled(const Job& job, const CompileOptions& options) {
  const std::string words = Key().texts(job.ours.string()).list(job.command).text();
  const fs::path named = headers().path() / fmt::format("{:016x}", stable_hash(words));
  const fs::path seen = named.string() + ".seen";
  fs::path kept = named.string() + ".pch";
  std::error_code problem;
  if (fs::exists(kept, problem)) return kept;
  if (!fs::exists(seen, problem)) {
    std::ofstream(seen).put('\n');
    return {};
  }
  constexpr std::ptrdiff_t most = 64;  // files of 2 MB
  const fs::directory_iterator all(headers().path(), problem);
  if (std::count_if(begin(all), end(all),
                    [](const auto& entry) { return entry.path().extension() == ".pch"; }) >= most) {
    return {};
  }
  const fs::path output = fmt::format("{}.{}.{}.new", named.string(), ::getpid(), outputs_++);
  if (!precompile(job, output, options)) return {};
  fs::rename(output, kept, problem);
  return problem ? fs::path() : kept;
}

fs::path Compiler::own_precompiled(const Job& job, const CompileOptions& options) {
  constexpr int enough = 3;  // as it takes the time of two
  {
    const std::lock_guard lock(mutex_);
    Precompiled& ours = precompiled_[job.command];
    if (++ours.uses != enough) return ours.file;
  }
  const fs::path output = headers().scratch() / fmt::format("{}.pch", outputs_++);
  if (!precompile(job, output, options)) return {};
  const std::lock_guard lock(mutex_);
  return precompiled_[job.command].file = output;
}

std::string Compiler::compile(const fs::path& file, Side side, const CompileOptions& options) {
  const auto kind = source_kind(file, options);
  if (!kind) {
    throw Error(file.string() + ": expected a kernel file: .cu, .cl, .ll or .bc");
  }
  if (is_shader(*kind)) throw Error(file.string() + ": a shader, which clang does not compile");
  if (*kind == SourceKind::ptx) throw Error(file.string() + ": PTX, which clang does not compile");
  if (side == Side::host && *kind != SourceKind::cuda) {
    throw Error(file.string() + ": only CUDA files have a host program");
  }
  const std::string text = options.text ? *options.text : read_file(file);  // better errors
  if (*kind == SourceKind::llvm_text || *kind == SourceKind::llvm_bitcode) {
    return compile_llvm(file, text, options);
  }
  std::optional<MemoryFile> typed;
  if (file == kStandardInput || options.text) {
    std::string name;
    for (const char c : file.string())
      name += c == '"' || c == '\\' ? fmt::format("\\{}", c) : std::string(1, c);
    typed.emplace(fmt::format("# 1 \"{}\"\n{}", name, text));
  }

  std::vector<std::string> flags = usable_flags(options.flags);
  if (!options.compile_commands.empty()) {
    std::vector<std::string> more = flags_for(options.compile_commands, file);
    flags.insert(flags.begin(), more.begin(), more.end());
  }
  const bool all_parts = has_unseen_text(text, flags);
  const bool is_plain = flags.empty() && !options.repeatable;
  std::optional<MemoryFile> macros;
  if (const std::string taken = take_macros(flags); !taken.empty()) macros.emplace(taken);
  Job job = {common_flags(), file, typed ? fs::path(typed->name()) : file};
  const auto add_users = [&](Job& to) {
    if (macros) add(to.command, {"-include", macros->name()});
    // Beside which its headers are.
    if (typed) {
      const fs::path folder = file.parent_path();
      add(to.command, {"-iquote", folder.empty() ? "." : folder.string()});
    }
    add(to.command, flags);
  };
  if (*kind == SourceKind::cuda) {
    add(job.command, cuda_words(headers().path()));
    add(job.command, cuda_parts_for(text, all_parts));
    // Operators on vectors that a file does not define are meant to be those of the toolkit's
    // samples, whether it includes them or not.
    if (text.find("operator") == std::string::npos &&
        has_word(text, {"float2", "float3", "float4", "int2", "int3", "int4", "double2"})) {
      add(job.command, {"-D__HEADWAY_OPERATORS"});
    }
    if (aligns_shared(text)) add(job.command, {"-D__HEADWAY_ALIGNAS"});
    if (text.find("catch") == std::string::npos && text.find("throw") == std::string::npos) {
      add(job.command, {"-fno-exceptions"});
    }
    if (side == Side::device) {
      add(job.command, {"--cuda-device-only"});
      if (!begins(flags, "--cuda-gpu-arch=") && !begins(flags, "--offload-arch=")) {
        add(job.command, {"--cuda-gpu-arch=sm_70"});
      }
    } else {
      // Clang ties kernels to their stubs, and variables to their shadows, only with a device
      // binary to embed.
      add(job.command,
          {"--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", "/dev/null"});
    }
    include_ours(job, "cuda/headway_cuda.h", is_plain, options);
    add_users(job);
    return run(job, options);
  }

  add(job.command, opencl_words(headers().path(), "spir64"));
  add(job.command, opencl_parts_for(text, all_parts || text.find("#include") != std::string::npos));
  const auto compile_as = [&](const char* standard) {
    Job as = job;
    if (standard != nullptr) add(as.command, {standard});
    include_ours(as, "opencl/headway_opencl.h", is_plain, options);
    add_users(as);
    return run(as, options);
  };
  if (begins(flags, "-cl-std=")) return compile_as(nullptr);
  // As OpenCL has it, 1.2 unless said otherwise; but a file that is plainly of 2.0 says so, and
  // one that does not compile may be.
  std::array<const char*, 2> standards = {"-cl-std=CL1.2", "-cl-std=CL2.0"};
  if (wants_opencl_2(text)) std::swap(standards[0], standards[1]);
  try {
    return compile_as(standards[0]);
  } catch (const Error& first) {
    try {
      return compile_as(standards[1]);
    } catch (const Error&) {
      throw first;
    }
  }
}

// Clang reads and verifies it, as LLVM trusts what it reads: what would bring it down brings down
// a child.
std::string Compiler::compile_llvm(const fs::path& file, const std::string& content,
                                   const CompileOptions& options) {
  std::optional<MemoryFile> typed;
  if (file == kStandardInput) typed.emplace(content);
  Job job = {{program(), "-x", "ir", "-emit-llvm", "-Xclang", "-disable-llvm-passes",
              "-fverify-intermediate-code", "-w", "-fno-discard-value-names",
              "-fno-crash-diagnostics", "-fno-color-diagnostics"},
             file,
             typed ? fs::path(typed->name()) : file};
  const std::size_t common = job.command.size();
  add(job.command, {"-S"});
  std::string assembly = run(job, options);
  const auto module = foreign_module(assembly);
  if (!module) return assembly;
  if (module->header.empty()) return module->text;

  const fs::path folder = headers().path();
  const fs::path text = headers().scratch() / fmt::format("{}.ll", outputs_++);
  const fs::path linked = headers().scratch() / fmt::format("{}.linked.bc", outputs_++);
  const fs::path header = folder / module->header;
  Job builtins = {common_flags(), header, header};
  if (module->header == kIntrinsicsHeader) {
    add(builtins.command, cuda_words(folder));
    add(builtins.command, {"--cuda-device-only", "--cuda-gpu-arch=sm_70", "-fno-exceptions"});
  } else {
    add(builtins.command, opencl_words(folder, module->triple));
    add(builtins.command, opencl_parts_for(module->text, false));
    add(builtins.command, module->flags);
  }
  write_file(text, module->text);
  write_file(linked, run(builtins, options));
  job.command.resize(common);
  add(job.command, {"-c", "--target=" + module->triple, "-Xclang", "-mlink-builtin-bitcode",
                    "-Xclang", linked.string()});
  job.file = job.input = text;
  std::string bitcode = run(job, options);
  std::error_code ignored;
  for (const fs::path& used : {text, linked}) fs::remove(used, ignored);
  return bitcode;
}

bool Compiler::may_lack_headers(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::string_view name = included_library(line);
    if (name.empty()) continue;
    name = name.substr(1, name.size() - 2);
    if (!fs::exists(headers().path() / "cuda" / name)) return true;
  }
  return false;
}

std::pair<std::string, std::string> Compiler::compile_both(const fs::path& file,
                                                           const CompileOptions& options) {
  auto host = std::async(std::launch::async, [&] { return compile(file, Side::host, options); });
  std::string device = compile(file, Side::device, options);
  return {std::move(device), host.get()};
}

}  // namespace headway::kernel
