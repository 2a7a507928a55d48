#include "emit/emit.hpp"

#include "emit/expressible.hpp"

namespace headway::emit {
namespace {

struct Description {
  const char* name;
  const char* extension;
  std::string (*emit)(const Kernel& kernel);
};

Description describe(Target target) {
  switch (target) {
    case Target::cpp:
      return {"cpp", ".cpp", emit_cpp};
    case Target::cuda:
      return {"cuda", ".cu", emit_cuda};
    case Target::opencl:
      return {"opencl", ".cl", emit_opencl};
    case Target::vulkan:
      return {"vulkan", ".comp", emit_vulkan};
    case Target::amber:
      return {"amber", ".amber", emit_amber};
    case Target::metal:
      return {"metal", ".metal", emit_metal};
    case Target::webgpu:
      break;
  }
  return {"webgpu", ".wgsl", emit_webgpu};
}

}  // namespace

std::string to_string(Target target) { return describe(target).name; }

std::string extension(Target target) { return describe(target).extension; }

std::string emit(const Kernel& kernel, Target target) {
  require_expressible(kernel, target);
  return describe(target).emit(kernel);
}

}  // namespace headway::emit
