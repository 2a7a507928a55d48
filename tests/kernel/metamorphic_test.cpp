// What does not change what a kernel does must not change what is said of it: other names, a
// function for its code, a struct around its arguments, unions, other languages, another entry
// point beside it, a branch that is never taken, ids in another order. A base kernel more is a
// line.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <functional>
#include <regex>
#include <sstream>

#include "base/file.hpp"
#include "base/parallel.hpp"
#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/shaders.hpp"

using headway::testing::contains;
using headway::testing::TemporaryFolder;

namespace {

// In a text LID, GID and N are a thread, a workgroup and the threads of one; SYNC is a barrier for
// all memory, ADD(p) an atomic addition of 1, IN, OUT and ONE buffers of numbers, TILE memory of
// the workgroup.
struct Base {
  const char* name;
  const char* code;
  const char* verify;  // what `verify` says
  const char* check;   // and what `check` says
};

const Base kBases[] = {
    {"copy", "OUT[GID * N + LID] = IN[GID * N + LID] + LID;", "race,verified", "pass"},
    {"turn", "TILE[LID] = LID; SYNC; OUT[GID * N + LID] = TILE[N - 1 - LID];", "race,verified",
     "pass"},
    {"unordered", "TILE[LID] = LID; OUT[GID * N + LID] = TILE[N - 1 - LID];", "race,violated",
     "error"},
    {"one", "OUT[LID] = GID;", "race,violated", "error"},
    {"meet", "if (LID < 2) { SYNC; } OUT[GID * N + LID] = 1;", "divergence,violated", "error"},
    {"count", "ADD(ONE); OUT[GID * N + LID] = 1;", "race,verified", "pass"},
    {"mixed", "ADD(ONE); ONE[0] = 1;", "race,violated", "error"},
    {"rounds",
     "for (int i = 0; i < 3; i++) { TILE[LID] = i; SYNC; OUT[GID * N + LID] = "
     "TILE[(LID + 1) % N]; SYNC; }",
     "race,verified", "pass"},
    {"rounds_open",
     "for (int i = 0; i < 3; i++) { TILE[LID] = i; SYNC; OUT[GID * N + LID] = "
     "TILE[(LID + 1) % N]; }",
     "race,violated", "error"},
    {"wait", "if (GID == 0 && LID == 0) { WAIT(ONE); }", "race,verified", "fail"},
};

std::string with_word(std::string text, const std::string& word, const std::string& by) {
  return std::regex_replace(text, std::regex("\\b" + word + "\\b"), by);
}

// How one language writes a kernel.
using Writer = std::function<std::string(const Base&)>;
struct Variant {
  const char* name;
  const char* file;
  const char* head;
  Writer write;
};

constexpr const char* kCudaHead =
    "#include <cuda/atomic>\n#define LID ((int)threadIdx.x)\n#define GID "
    "((int)blockIdx.x)\n#define N 4\n"
    "#define SYNC __syncthreads()\n#define ADD(p) atomicAdd(p, 1)\n"
    "#define WAIT(p) while (cuda::atomic_ref<int, cuda::thread_scope_device>(*p).load() == 0) {}\n"
    "#define TILED __shared__ int TILE[N];\n";
constexpr const char* kOpenClHead =
    "#define LID ((int)get_local_id(0))\n#define GID ((int)get_group_id(0))\n#define N 4\n"
    "#define SYNC barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)\n"
    "#define ADD(p) atomic_inc(p)\n#define WAIT(p) while (atomic_or(p, 0) == 0) {}\n";
constexpr const char* kGlslHead =
    "#version 450\nlayout(local_size_x = 4) in;\n#define LID int(gl_LocalInvocationID.x)\n"
    "#define GID int(gl_WorkGroupID.x)\n#define N 4\n"
    "#define SYNC memoryBarrier(); barrier(); memoryBarrier()\n"
    "#define ADD(p) atomicAdd(p[0], 1)\n#define WAIT(p) while (atomicOr(p[0], 0) == 0) {}\n"
    "layout(binding = 0) buffer I { int IN[]; };\nlayout(binding = 1) buffer O { int OUT[]; };\n"
    "layout(binding = 2) buffer S { int ONE[]; };\nshared int TILE[N];\n";
constexpr const char* kHlslHead =
    "#define LID ((int)lid.x)\n#define GID ((int)gid.x)\n#define N 4\n"
    "#define SYNC AllMemoryBarrierWithGroupSync()\n"
    "#define ADD(p) { int old; InterlockedAdd(p[0], 1, old); }\n"
    "RWStructuredBuffer<int> IN;\nRWStructuredBuffer<int> OUT;\nRWStructuredBuffer<int> ONE;\n"
    "groupshared int TILE[N];\n"
    "#define WAIT(p) { int old; do { InterlockedOr(p[0], 0, old); } while (old == 0); }\n";

std::string cuda(const std::string& name, const std::string& code,
                 const std::string& parameters = "int* IN, int* OUT, int* ONE") {
  return fmt::format("__global__ void {}({}) {{ TILED {} }}\n", name, parameters, code);
}

std::vector<Variant> variants() {
  const auto plain = [](const Base& b) { return cuda(b.name, b.code); };
  return {
      {"CUDA", "a.cu", kCudaHead, plain},
      {"other names", "a.cu", kCudaHead,
       [](const Base& b) {
         std::string text = cuda(b.name, b.code);
         text = with_word(with_word(text, "OUT", "first"), "IN", "threadIdx_");
         return with_word(with_word(text, "ONE", "a1"), "i", "OUT");
       }},
      {"a function", "a.cu", kCudaHead,
       [](const Base& b) {
         return fmt::format(
                    "__device__ void of_{}(int* IN, int* OUT, int* ONE, int* TILE) {{ {} }}\n",
                    b.name, b.code) +
                cuda(b.name, fmt::format("of_{}(IN, OUT, ONE, TILE);", b.name));
       }},
      {"a struct", "a.cu", kCudaHead,
       [](const Base& b) {
         return fmt::format(
                    "struct Of_{0} {{ int* in; int* out; int n; int* one; }};\n"
                    "__device__ void of_{0}(const Of_{0}& of, int* TILE) {{ int* IN = of.in; int* "
                    "OUT "
                    "= of.out; int* ONE = of.one; {1} }}\n",
                    b.name, b.code) +
                cuda(b.name,
                     fmt::format("Of_{0} of = {{IN, OUT, n, ONE}}; of_{0}(of, TILE);", b.name),
                     "int* IN, int* OUT, int n, int* ONE");
       }},
      {"unions", "a.cu", kCudaHead,
       [](const Base& b) {
         const std::string start =
             "union { unsigned u; int i; } me; me.u = threadIdx.x; const int lid = me.i; ";
         return cuda(b.name, start + with_word(b.code, "LID", "lid"));
       }},
      {"two entry points", "a.cu", kCudaHead,
       [](const Base& b) {
         return cuda(b.name, b.code) + cuda(fmt::format("{}_too", b.name), "OUT[0] = LID;");
       }},
      {"a branch that is never taken", "a.cu", kCudaHead,
       [](const Base& b) {
         return cuda(b.name,
                     fmt::format("if (LID >= N) {{ OUT[0] = LID; ONE[0] = LID; }} {}", b.code));
       }},
      {"ids in another order", "a.cu", kCudaHead,
       [](const Base& b) { return cuda(b.name, with_word(b.code, "LID", "(N - 1 - LID)")); }},
      {"OpenCL", "a.cl", kOpenClHead,
       [](const Base& b) {
         return fmt::format(
             "kernel void {}(global int* IN, global int* OUT, global int* ONE) {{ local int "
             "TILE[N]; {} }}\n",
             b.name, b.code);
       }},
      {"HLSL", "a.hlsl", kHlslHead,
       [](const Base& b) {
         return fmt::format(
             "[numthreads(N, 1, 1)]\nvoid {}(uint3 lid : SV_GroupThreadID, uint3 gid : "
             "SV_GroupID) {{ {} }}\n",
             b.name, b.code);
       }},
  };
}

// The lines of a CSV that are of a kernel.
std::string csv_lines_of(const std::string& csv, const std::string& kernel) {
  std::string result, line;
  std::istringstream in(csv);
  while (std::getline(in, line)) {
    if (line.starts_with(kernel + ",") || contains(line, "," + kernel + ",")) result += line + "\n";
  }
  return result;
}

struct BothAnswers {
  headway::testing::CommandResult verify, check;
};

BothAnswers both_answers(const std::string& file) {
  // One variant calls it by another name, and of a shader the block around it has one.
  const std::string text = headway::read_file(file);
  const std::string one = contains(text, "buffer S {") ? "S=1"
                          : contains(text, "ONE")      ? "ONE=1"
                                                       : "a1=1";
  return {headway::testing::headway({"verify", "--block", "4", "--grid", "2", "--format", "csv",
                                     "--jobs", "1", "--buffer", one, file}),
          headway::testing::check(
              {"--grid", "2", "--format", "csv", "-m", "OBE", "-f", "weak", "--jobs", "1", file})};
}

}  // namespace

TEST_CASE("kernel/metamorphic: what does not change a kernel does not change its verdicts") {
  const bool shaders = headway::testing::compiles_shaders();
  const TemporaryFolder folder;
  std::vector<std::pair<std::string, std::string>> names;  // of a variant and a kernel, "" for all
  std::vector<std::string> files;
  const std::vector<Variant> all = variants();
  for (const Variant& variant : all) {
    if (std::string(variant.file).ends_with(".hlsl") && !shaders) continue;
    std::string text = variant.head;
    for (const Base& base : kBases) text += variant.write(base);
    names.emplace_back(variant.name, "");
    files.push_back(folder.write(fmt::format("{}{}", files.size(), variant.file), text).string());
  }
  // GLSL has one entry point a file.
  for (const Base& base : kBases) {
    if (!shaders) break;
    names.emplace_back("GLSL", base.name);
    files.push_back(folder
                        .write(fmt::format("{}.comp", base.name),
                               fmt::format("{}void main() {{ {} }}\n", kGlslHead, base.code))
                        .string());
  }
  std::vector<BothAnswers> said(files.size());
  headway::parallel_for(files.size(), [&](std::size_t f) { said[f] = both_answers(files[f]); });
  for (std::size_t f = 0; f < files.size(); ++f) {
    const std::string& kernel = names[f].second;
    INFO(names[f].first, ": ", said[f].verify.err, said[f].check.err);
    for (const Base& base : kBases) {
      if (!kernel.empty() && kernel != base.name) continue;
      const std::string proved =
          kernel.empty() ? csv_lines_of(said[f].verify.out, base.name) : said[f].verify.out;
      const std::string decided =
          kernel.empty() ? csv_lines_of(said[f].check.out, base.name) : said[f].check.out;
      INFO(std::string(base.name), ": ", proved, decided);
      CHECK(contains(proved, base.verify));
      CHECK(contains(decided, fmt::format("OBE,weak,{}\n", base.check)));
    }
  }
}
