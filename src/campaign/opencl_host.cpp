// The only user of OpenCL.
#include "campaign/hosts.hpp"

#ifdef HEADWAY_OPENCL
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/shared_library.hpp"
#include "campaign/host_runs.hpp"

namespace headway::campaign {
namespace {

// The loader of OpenCL is loaded when it is first asked, so that headway runs without it.
// clang-format off
#define HEADWAY_OPENCL_FUNCTIONS(F) \
  F(BuildProgram) F(CreateBuffer) F(CreateCommandQueue) F(CreateContext) F(CreateKernel) \
  F(CreateProgramWithSource) F(EnqueueNDRangeKernel) F(EnqueueReadBuffer) \
  F(EnqueueWriteBuffer) F(Finish) F(GetDeviceIDs) F(GetDeviceInfo) F(GetPlatformIDs) \
  F(GetPlatformInfo) F(GetProgramBuildInfo) F(SetKernelArg)
// clang-format on

// `opencl().BuildProgram` is clBuildProgram.
struct OpenCL {
// NOLINTNEXTLINE(bugprone-macro-parentheses): what it declares has this name
#define HEADWAY_OPENCL_MEMBER(name) decltype(&cl##name) name = nullptr;
  HEADWAY_OPENCL_FUNCTIONS(HEADWAY_OPENCL_MEMBER)
#undef HEADWAY_OPENCL_MEMBER
};

OpenCL load_opencl() {
  const SharedLibrary library(
      {"libOpenCL.so.1"},
      "OpenCL needs libOpenCL.so.1, which was not found (Debian: ocl-icd-libopencl1)");
  const auto find = [&](const char* name) {
    void* found = library.find(name);
    if (found == nullptr) throw Error(fmt::format("libOpenCL.so.1 has no {}", name));
    return found;
  };
  OpenCL result;
#define HEADWAY_OPENCL_LOAD(name) \
  result.name = reinterpret_cast<decltype(result.name)>(find("cl" #name));
  HEADWAY_OPENCL_FUNCTIONS(HEADWAY_OPENCL_LOAD)
#undef HEADWAY_OPENCL_LOAD
  return result;
}

const OpenCL& opencl() {
  static const OpenCL loaded = load_opencl();
  return loaded;
}

void check(cl_int status, const char* call) {
  if (status == CL_SUCCESS) return;
  throw Error(fmt::format("OpenCL: {} failed with error {}", call, status));
}

// The same for calls that tell of kernels whose launch had succeeded.
void check_run(cl_int status, const char* call) {
  if (status == CL_SUCCESS) return;
  throw DeviceLost(fmt::format("OpenCL: {} failed with error {}", call, status));
}

// A string that `get(size, value, size_returned)` tells.
template <class Get>
std::string text_of(const Get& get) {
  std::size_t size = 0;
  if (get(0, nullptr, &size) != CL_SUCCESS) return "";
  std::string text(size, '\0');
  if (get(size, text.data(), nullptr) != CL_SUCCESS) return "";
  return text.substr(0, text.find('\0'));
}

std::string device_text(cl_device_id device, cl_device_info what) {
  return text_of([&](std::size_t size, void* value, std::size_t* returned) {
    return opencl().GetDeviceInfo(device, what, size, value, returned);
  });
}

std::vector<cl_device_id> find_devices() {
  cl_uint count = 0;
  // Without a driver the loader says so by an error of its own.
  if (opencl().GetPlatformIDs(0, nullptr, &count) != CL_SUCCESS) return {};
  std::vector<cl_platform_id> platforms(count);
  check(opencl().GetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");
  std::vector<cl_device_id> devices;
  for (cl_platform_id platform : platforms) {
    if (opencl().GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS)
      continue;
    std::vector<cl_device_id> its(count);
    check(opencl().GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, its.data(), nullptr),
          "clGetDeviceIDs");
    devices.insert(devices.end(), its.begin(), its.end());
  }
  return devices;
}

HostDevice describe(cl_device_id device) {
  cl_platform_id platform = nullptr;
  cl_device_type type = 0;
  check(opencl().GetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof(cl_platform_id), &platform,
                               nullptr),
        "clGetDeviceInfo");
  check(opencl().GetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr),
        "clGetDeviceInfo");
  const std::string name = text_of([&](std::size_t size, void* value, std::size_t* returned) {
    return opencl().GetPlatformInfo(platform, CL_PLATFORM_NAME, size, value, returned);
  });
  return {device_text(device, CL_DEVICE_NAME), name + " " + device_text(device, CL_DRIVER_VERSION),
          (type & CL_DEVICE_TYPE_GPU) != 0   ? "GPU"
          : (type & CL_DEVICE_TYPE_CPU) != 0 ? "CPU"
                                             : "other"};
}

// The newest OpenCL C that the device has: kernels look at memory by atomic loads from 2.0 on.
std::string language(cl_device_id device) {
  const std::string version = device_text(device, CL_DEVICE_VERSION);  // "OpenCL 3.0 ..."
  return version.starts_with("OpenCL 3.")   ? "-cl-std=CL3.0"
         : version.starts_with("OpenCL 2.") ? "-cl-std=CL2.0"
                                            : "-cl-std=CL1.2";
}

// Whether the device can be asked for subgroups of so many threads.
bool can_require(cl_device_id device, int size) {
  const std::string extensions = " " + device_text(device, CL_DEVICE_EXTENSIONS) + " ";
  if (extensions.find(" cl_intel_required_subgroup_size ") == std::string::npos) return false;
  constexpr cl_device_info sizes_info = 0x4108;  // CL_DEVICE_SUB_GROUP_SIZES_INTEL
  std::size_t bytes = 0;
  if (opencl().GetDeviceInfo(device, sizes_info, 0, nullptr, &bytes) != CL_SUCCESS) return false;
  std::vector<std::size_t> sizes(bytes / sizeof(std::size_t));
  if (opencl().GetDeviceInfo(device, sizes_info, bytes, sizes.data(), nullptr) != CL_SUCCESS)
    return false;
  return std::find(sizes.begin(), sizes.end(), static_cast<std::size_t>(size)) != sizes.end();
}

cl_kernel build(cl_context context, cl_device_id device, const HostJob& job) {
  std::string options = language(device);
  if (job.subgroups.size > 0 && can_require(device, job.subgroups.size)) {
    options += " -DREQUIRED_SUBGROUPS";
  }
  cl_int status = CL_SUCCESS;
  const char* text = job.kernel.c_str();
  cl_program program = opencl().CreateProgramWithSource(context, 1, &text, nullptr, &status);
  check(status, "clCreateProgramWithSource");
  if (opencl().BuildProgram(program, 1, &device, options.c_str(), nullptr, nullptr) != CL_SUCCESS) {
    throw Error("OpenCL: the kernel cannot be compiled\n" +
                text_of([&](std::size_t size, void* value, std::size_t* returned) {
                  return opencl().GetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size,
                                                      value, returned);
                }));
  }
  cl_kernel kernel = opencl().CreateKernel(program, "litmus", &status);
  check(status, "clCreateKernel");
  return kernel;
}

}  // namespace

std::vector<HostDevice> opencl_devices() {
  std::vector<HostDevice> devices;
  for (cl_device_id device : find_devices()) devices.push_back(describe(device));
  return devices;
}

void run_opencl(const HostJob& job, const HostEvents& events) {
  const std::vector<cl_device_id> devices = find_devices();
  if (job.device >= devices.size()) throw Error("OpenCL: there is no such device any more");
  cl_device_id device = devices[job.device];
  cl_int status = CL_SUCCESS;
  cl_context context = opencl().CreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  check(status, "clCreateContext");
  cl_command_queue queue = opencl().CreateCommandQueue(context, device, 0, &status);
  check(status, "clCreateCommandQueue");
  cl_kernel kernel = build(context, device, job);
  const std::size_t bytes = job.memory.size() * sizeof(cl_uint);
  cl_mem memory = opencl().CreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &status);
  check(status, "clCreateBuffer");
  cl_mem finished =
      opencl().CreateBuffer(context, CL_MEM_READ_WRITE, sizeof(cl_uint), nullptr, &status);
  check(status, "clCreateBuffer");
  check(opencl().SetKernelArg(kernel, 0, sizeof(cl_mem), &memory), "clSetKernelArg");
  check(opencl().SetKernelArg(kernel, 1, sizeof(cl_mem), &finished), "clSetKernelArg");

  events.ready(describe(device));
  const auto size = static_cast<std::size_t>(job.workgroup_size);
  const std::size_t all = static_cast<std::size_t>(job.workgroups) * size;
  // The threads that finish in one launch.
  const auto launch = [&](cl_uint count) {
    const auto write = [&](cl_mem buffer, std::size_t size, const void* from) {
      check(opencl().EnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, size, from, 0, nullptr, nullptr),
            "clEnqueueWriteBuffer");
    };
    write(memory, bytes, job.memory.data());
    write(finished, sizeof count, &count);
    check(
        opencl().EnqueueNDRangeKernel(queue, kernel, 1, nullptr, &all, &size, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
    check_run(opencl().Finish(queue), "clFinish");
    check_run(opencl().EnqueueReadBuffer(queue, finished, CL_TRUE, 0, sizeof count, &count, 0,
                                         nullptr, nullptr),
              "clEnqueueReadBuffer");
    return count;
  };
  make_runs(job, events, launch);
}

}  // namespace headway::campaign

#else

namespace headway::campaign {
namespace {

[[noreturn]] void refuse() {
  throw Error("this headway was built without OpenCL (Debian: opencl-c-headers)");
}

}  // namespace

std::vector<HostDevice> opencl_devices() { refuse(); }
void run_opencl(const HostJob&, const HostEvents&) { refuse(); }

}  // namespace headway::campaign

#endif
