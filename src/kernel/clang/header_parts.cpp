#include "kernel/clang/header_parts.hpp"

#include <algorithm>

namespace headway::kernel {
namespace {

struct HeaderPart {
  const char* name;
  std::vector<const char*> words;
};

const std::vector<HeaderPart>& opencl_parts() {
  static const std::vector<HeaderPart> parts = {
      {"DOUBLE", {"double", "fp64"}},
      {"HALF", {"half", "fp16"}},
      {"IMAGES", {"image", "sampler"}},
      {"CONVERT", {"_sat", "_rt"}},
      {"SUBGROUPS", {"sub_group", "work_group_"}},
      {"MATH", {"sin",   "cos",  "tan",  "pi",   "cbrt", "erf",   "exp",    "log",
                "gamma", "pow",  "root", "fmod", "rem",  "fract", "frexp",  "modf",
                "hypot", "next", "mag",  "fdim", "nan",  "ldexp", "native", "half_"}},
      {"VLOAD", {"vload", "vstore"}},
      {"INTEGER",
       {"hadd", "_sat", "abs", "rotate", "clz", "ctz", "popcount", "mul_hi", "mad", "mul24",
        "upsample"}},
      {"GEOMETRY", {"cross", "dot", "distance", "length", "normalize"}},
      {"RELATIONAL", {"is", "any", "all", "select", "signbit"}},
      {"SHUFFLES", {"shuffle"}}};
  return parts;
}

const std::vector<HeaderPart>& cuda_parts() {
  static const std::vector<HeaderPart> parts = {
      {"TEXTURES", {"tex", "surf", "cudaArray", "cudaChannel", "cudaExtent"}},
      {"SIMD", {"__v"}},
      {"CALLS", {"Peer",           "cudaPointer",    "cudaGraph",
                 "MemPool",        "Capture",        "2DAsync",
                 "cudaIpc",        "cudaLaunchK",    "cudaLaunchConf",
                 "cudaLaunchAttr", "HostRegister",   "HostGetFlags",
                 "cudaMemAttach",  "StreamGet",      "PCIBusId",
                 "WithFlags",      "Interprocess",   "cudaOccupancyDefault",
                 "ValidDevices",   "cuInit",         "CUdevice",
                 "CUresult",       "CUstream",       "CUcontext",
                 "CUmodule",       "cudaFunction_t", "FromPool"}}};
  return parts;
}

std::vector<std::string> wanted(const std::vector<HeaderPart>& parts, const std::string& text,
                                bool all) {
  std::vector<std::string> result;
  for (const HeaderPart& part : parts) {
    if (all || has_word(text, part.words)) {
      result.push_back(std::string("-D__HEADWAY_") + part.name);
    }
  }
  return result;
}

}  // namespace

bool has_word(const std::string& text, const std::vector<const char*>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return text.find(word) != std::string::npos; });
}

std::vector<std::string> cuda_parts_for(const std::string& text, bool all) {
  return wanted(cuda_parts(), text, all);
}

std::vector<std::string> opencl_parts_for(const std::string& text, bool all) {
  return wanted(opencl_parts(), text, all);
}

}  // namespace headway::kernel
