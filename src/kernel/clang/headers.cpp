#include "kernel/clang/headers.hpp"

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <utility>

#include "base/error.hpp"

namespace headway::kernel {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHeaderFolder = "headway-headers-";
constexpr std::string_view kHeaderSources = "src/kernel/headers/";

// Headers that programs include by habit, and the header of ours that has what they want; most is
// there without being asked for.
struct Habit {
  const char* name;
  const char* content;
};
// What libcu++ has of the standard library is what there is of that.
#define HEADWAY_OF_STD "namespace cuda {\nnamespace std {\nusing namespace ::std;\n}\n}\n"
constexpr Habit kHabits[] = {
    {"cuda.h", ""},
    {"cuda_runtime.h", ""},
    {"cuda_device_runtime_api.h", ""},
    {"device_launch_parameters.h", ""},
    {"device_types.h", ""},
    {"device_atomic_functions.h", ""},
    {"device_double_functions.h", ""},
    {"driver_types.h", ""},
    {"driver_functions.h", ""},
    {"builtin_types.h", ""},
    {"host_defines.h", ""},
    {"host_config.h", ""},
    {"common_functions.h", ""},
    {"crt/device_functions.h", ""},
    {"crt/host_defines.h", ""},
    {"crt/math_functions.h", ""},
    {"vector_functions.h", ""},
    {"math_constants.h", ""},
    {"sm_11_atomic_functions.h", ""},
    {"sm_12_atomic_functions.h", ""},
    {"sm_13_double_functions.h", ""},
    {"sm_20_atomic_functions.h", ""},
    {"sm_20_intrinsics.h", ""},
    {"sm_30_intrinsics.h", ""},
    {"sm_32_atomic_functions.h", ""},
    {"sm_32_intrinsics.h", ""},
    {"sm_35_atomic_functions.h", ""},
    {"sm_35_intrinsics.h", ""},
    {"sm_60_atomic_functions.h", ""},
    {"sm_61_intrinsics.h", ""},
    {"sm_atomic_functions.h", ""},
    {"cuda_profiler_api.h", ""},
    {"cuda_vectors.h", "#include \"helper_math.h\"\n"},
    {"cutil_math.h", "#include \"helper_math.h\"\n"},
    {"cutil.h", "#include \"helper_cuda.h\"\n"},
    {"cutil_inline.h", "#include \"helper_cuda.h\"\n"},
    {"cutil_inline_runtime.h", "#include \"helper_cuda.h\"\n"},
    {"helper_functions.h", "#include \"helper_cuda.h\"\n"},
    {"helper_string.h", "#include \"helper_cuda.h\"\n"},
    {"helper_timer.h", "#include \"helper_cuda.h\"\n"},
    {"cuda_texture_types.h", "#include \"textures.h\"\n"},
    {"cuda_surface_types.h", "#include \"textures.h\"\n"},
    {"texture_types.h", "#include \"textures.h\"\n"},
    {"surface_types.h", "#include \"textures.h\"\n"},
    {"texture_fetch_functions.h", "#include \"textures.h\"\n"},
    {"texture_indirect_functions.h", "#include \"textures.h\"\n"},
    {"surface_functions.h", "#include \"textures.h\"\n"},
    {"curand_mtgp32_kernel.h", "#include \"curand_kernel.h\"\n"},
    {"cooperative_groups/reduce.h", "#include \"../cooperative_groups.h\"\n"},
    {"cooperative_groups/scan.h", "#include \"../cooperative_groups.h\"\n"},
    {"cooperative_groups/memcpy_async.h", "#include \"../cooperative_groups.h\"\n"},
    {"cuda_pipeline_primitives.h", "#include \"cuda_pipeline.h\"\n"},
    {"cuda/std/barrier", "#include \"../barrier\"\n"},
    {"cuda/std/latch", "#include \"../latch\"\n"},
    {"cuda/std/semaphore", "#include \"../semaphore\"\n"},
    {"cuda/std/utility",
     "#include \"../../utility\"\nnamespace cuda {\nnamespace std {\nusing ::std::forward;\n"
     "using ::std::move;\nusing ::std::pair;\n}\n}\n"},
    {"cuda/std/atomic", "#include \"../atomic\"\n"},
    {"cuda/std/algorithm", "#include \"../../algorithm\"\n" HEADWAY_OF_STD},
    {"cuda/std/array", "#include \"../../array\"\n" HEADWAY_OF_STD},
    {"cuda/std/cassert", "#include \"../../assert.h\"\n" HEADWAY_OF_STD},
    {"cuda/std/climits", "#include \"../../limits\"\n" HEADWAY_OF_STD},
    {"cuda/std/cmath", "#include \"../../math_functions.h\"\n" HEADWAY_OF_STD},
    {"cuda/std/complex", "#include \"../../complex\"\n" HEADWAY_OF_STD},
    {"cuda/std/cstddef", "#include \"../../stdint.h\"\n" HEADWAY_OF_STD},
    {"cuda/std/cstdint", "#include \"../../stdint.h\"\n" HEADWAY_OF_STD},
    {"cuda/std/functional", "#include \"../../functional\"\n" HEADWAY_OF_STD},
    {"cuda/std/initializer_list", "#include \"../../vector\"\n" HEADWAY_OF_STD},
    {"cuda/std/iterator", "#include \"../../algorithm\"\n" HEADWAY_OF_STD},
    {"cuda/std/limits", "#include \"../../limits\"\n" HEADWAY_OF_STD},
    {"cuda/std/numeric", "#include \"../../algorithm\"\n" HEADWAY_OF_STD},
    {"cuda/std/tuple", "#include \"../../utility\"\n" HEADWAY_OF_STD},
    {"cuda/std/type_traits", "#include \"../../utility\"\n" HEADWAY_OF_STD},
    {"cstdarg", "#include \"stdarg.h\"\nnamespace std {\nusing ::va_list;\n}\n"},
    {"stdarg.h",
     "#pragma once\ntypedef __builtin_va_list va_list;\n"
     "#define va_start(list, last) __builtin_va_start(list, last)\n"
     "#define va_arg(list, type) __builtin_va_arg(list, type)\n"
     "#define va_copy(to, from) __builtin_va_copy(to, from)\n"
     "#define va_end(list) __builtin_va_end(list)\n"},
    {"stdio.h", ""},
    {"stdlib.h", ""},
    {"string.h", ""},
    {"strings.h", ""},
    {"memory.h", ""},
    {"malloc.h", ""},
    {"math.h", ""},
    {"time.h", ""},
    {"sys/time.h", ""},
    {"sys/types.h", ""},
    {"unistd.h", ""},
    {"ctype.h", ""},
    {"errno.h", ""},
    {"cerrno", ""},
    {"cinttypes", ""},
    {"sys/stat.h", ""},
    {"stddef.h", ""},
    {"stdbool.h", ""},
    {"limits.h", ""},
    {"float.h", ""},
    {"inttypes.h", ""},
    {"cstdio", ""},
    {"cstdlib", ""},
    {"cstring", ""},
    {"cmath", ""},
    {"ctime", ""},
    {"cctype", ""},
    {"cstddef", ""},
    {"cstdint", ""},
    {"climits", ""},
    {"cfloat", ""},
    {"cassert", "#include \"assert.h\"\n"},
    {"new", ""},
    {"type_traits", "#include \"utility\"\n"},
    {"tuple", "#include \"utility\"\n"},
    {"iterator", "#include \"algorithm\"\n"},
    {"numeric", "#include \"algorithm\"\n"},
    {"initializer_list", "#include \"vector\"\n"},
    {"iomanip", "#include \"iostream\"\n"},
    {"ostream", "#include \"iostream\"\n"},
    {"istream", "#include \"iostream\"\n"},
    {"unordered_map", "#include \"map\"\n"},
    {"unordered_set", "#include \"map\"\n"},
    {"set", "#include \"map\"\n"},
    {"deque", "#include \"stack\"\n"},
    {"queue", "#include \"stack\"\n"},
    {"exception", "#include \"stdexcept\"\n"},
    {"iostream.h", "#include \"iostream\"\nusing namespace std;\n"},
};

void put_file(const fs::path& path, std::string_view content) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  if (!file) throw Error(path.string() + " cannot be written");
}

}  // namespace

fs::path HeaderFolder::place() {
  // Linux keeps this folder in memory. Containers may give it little, and clang's output goes
  // there, too.
  const fs::path memory = "/dev/shm";
  constexpr std::uintmax_t enough = std::uintmax_t{32} << 20;  // bytes
  for (const char* chosen : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"}) {
    if (std::getenv(chosen) != nullptr) return fs::temp_directory_path();
  }
  std::error_code problem;
  const fs::space_info space = fs::space(memory, problem);
  const bool fits =
      !problem && space.available >= enough && ::access(memory.c_str(), W_OK | X_OK) == 0;
  return fits ? memory : fs::temp_directory_path();
}

std::vector<EmbeddedHeader> all_headers() {
  std::vector<EmbeddedHeader> result = embedded_headers();
  for (EmbeddedHeader& header : result) header.name.erase(0, kHeaderSources.size());
  for (const Habit& habit : kHabits) {
    result.push_back({std::string("cuda/") + habit.name, habit.content});
  }
  return result;
}

void write_headers(const fs::path& folder) {
  for (const char* inner :
       {"cuda/cooperative_groups", "cuda/crt", "cuda/cuda/std", "cuda/sys", "opencl"}) {
    fs::create_directories(folder / inner);
  }
  for (const EmbeddedHeader& header : all_headers()) put_file(folder / header.name, header.content);
}

HeaderFolder::HeaderFolder(fs::path kept)
    : kept_(std::move(kept)), scratch_(place(), kHeaderFolder) {
  if (!is_kept()) write_headers(scratch_.path());
}

}  // namespace headway::kernel
