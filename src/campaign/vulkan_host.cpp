// The only user of Vulkan.
#include "campaign/hosts.hpp"

#ifdef HEADWAY_VULKAN
#define VK_NO_PROTOTYPES
#include <fmt/format.h>
#include <vulkan/vulkan.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/shared_library.hpp"
#include "campaign/host_runs.hpp"

namespace headway::campaign {
namespace {

// The loader of Vulkan is loaded when it is first asked, so that headway runs without it.
// clang-format off
#define HEADWAY_VULKAN_FUNCTIONS(F) \
  F(AllocateCommandBuffers) F(AllocateDescriptorSets) F(AllocateMemory) \
  F(BeginCommandBuffer) F(BindBufferMemory) F(CmdBindDescriptorSets) F(CmdBindPipeline) \
  F(CmdCopyBuffer) F(CmdDispatch) F(CmdFillBuffer) F(CmdPipelineBarrier) F(CmdUpdateBuffer) \
  F(CreateBuffer) F(CreateCommandPool) F(CreateComputePipelines) F(CreateDescriptorPool) \
  F(CreateDescriptorSetLayout) F(CreateDevice) F(CreateFence) F(CreateInstance) \
  F(CreatePipelineLayout) F(CreateShaderModule) F(EndCommandBuffer) \
  F(EnumerateDeviceExtensionProperties) F(EnumeratePhysicalDevices) \
  F(GetBufferMemoryRequirements) F(GetDeviceQueue) F(GetPhysicalDeviceFeatures2) \
  F(GetPhysicalDeviceMemoryProperties) F(GetPhysicalDeviceProperties) \
  F(GetPhysicalDeviceProperties2) F(GetPhysicalDeviceQueueFamilyProperties) F(MapMemory) \
  F(QueueSubmit) F(ResetFences) F(UpdateDescriptorSets) F(WaitForFences)
// clang-format on

// `vulkan().AllocateCommandBuffers` is vkAllocateCommandBuffers.
struct Vulkan {
#define HEADWAY_VULKAN_MEMBER(name) PFN_vk##name name = nullptr;
  HEADWAY_VULKAN_FUNCTIONS(HEADWAY_VULKAN_MEMBER)
#undef HEADWAY_VULKAN_MEMBER
};

Vulkan load_vulkan() {
  const SharedLibrary library(
      {"libvulkan.so.1"}, "Vulkan needs libvulkan.so.1, which was not found (Debian: libvulkan1)");
  const auto find = [&](const char* name) {
    void* found = library.find(name);
    if (found == nullptr) throw Error(fmt::format("libvulkan.so.1 has no {}", name));
    return found;
  };
  Vulkan result;
#define HEADWAY_VULKAN_LOAD(name) \
  result.name = reinterpret_cast<decltype(result.name)>(find("vk" #name));
  HEADWAY_VULKAN_FUNCTIONS(HEADWAY_VULKAN_LOAD)
#undef HEADWAY_VULKAN_LOAD
  return result;
}

const Vulkan& vulkan() {
  static const Vulkan loaded = load_vulkan();
  return loaded;
}

void check(VkResult result, const char* call) {
  if (result == VK_SUCCESS) return;
  const std::string message = fmt::format("Vulkan: {} failed with error {}", call, int{result});
  if (result == VK_ERROR_DEVICE_LOST) throw DeviceLost(message);
  throw Error(message);
}

// No instance when no driver is installed.
std::optional<VkInstance> make_instance() {
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.pApplicationName = "headway";
  application.apiVersion = VK_API_VERSION_1_1;
  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;
  VkInstance instance = VK_NULL_HANDLE;
  const VkResult result = vulkan().CreateInstance(&info, nullptr, &instance);
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER) return std::nullopt;
  check(result, "vkCreateInstance");
  return instance;
}

std::optional<std::uint32_t> compute_family(VkPhysicalDevice device) {
  std::uint32_t count = 0;
  vulkan().GetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vulkan().GetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
  for (std::uint32_t f = 0; f < count; ++f) {
    if ((families[f].queueFlags & VK_QUEUE_COMPUTE_BIT) != 0) return f;
  }
  return std::nullopt;
}

// Those that can compute and know what describe() asks for.
std::vector<VkPhysicalDevice> find_devices(VkInstance instance) {
  std::uint32_t count = 0;
  check(vulkan().EnumeratePhysicalDevices(instance, &count, nullptr), "vkEnumeratePhysicalDevices");
  std::vector<VkPhysicalDevice> devices(count);
  check(vulkan().EnumeratePhysicalDevices(instance, &count, devices.data()),
        "vkEnumeratePhysicalDevices");
  const auto unfit = [](VkPhysicalDevice device) {
    VkPhysicalDeviceProperties properties;
    vulkan().GetPhysicalDeviceProperties(device, &properties);
    return properties.apiVersion < VK_API_VERSION_1_1 || !compute_family(device);
  };
  devices.erase(std::remove_if(devices.begin(), devices.end(), unfit), devices.end());
  return devices;
}

HostDevice describe(VkPhysicalDevice device) {
  VkPhysicalDeviceDriverProperties driver{};
  driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  properties.pNext = &driver;
  vulkan().GetPhysicalDeviceProperties2(device, &properties);
  const VkPhysicalDeviceProperties& its = properties.properties;
  HostDevice result{its.deviceName, fmt::format("{} {}", driver.driverName, driver.driverInfo),
                    "other"};
  // Version 1.1 need not know the structure, and then leaves it empty.
  if (result.driver == " ") result.driver = fmt::format("version {:#x}", its.driverVersion);
  switch (its.deviceType) {
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      result.kind = "CPU";
      break;
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      result.kind = "GPU";
      break;
    default:
      break;
  }
  return result;
}

bool has_extension(VkPhysicalDevice device, const char* name) {
  std::uint32_t count = 0;
  check(vulkan().EnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr),
        "vkEnumerateDeviceExtensionProperties");
  std::vector<VkExtensionProperties> all(count);
  check(vulkan().EnumerateDeviceExtensionProperties(device, nullptr, &count, all.data()),
        "vkEnumerateDeviceExtensionProperties");
  return std::any_of(all.begin(), all.end(), [&](const VkExtensionProperties& extension) {
    return std::strcmp(extension.extensionName, name) == 0;
  });
}

// How a job's subgroups are placed on those of a device.
struct Placement {
  std::uint32_t workgroup_size = 1;  // threads that are launched
  std::uint32_t required = 0;        // size of a subgroup that the device is asked for; 0: none
  bool full = false;                 // it is asked for no smaller ones
  bool controls = false;             // the extension that asks is there
};

// Throws headway::Error when the device has no such subgroups.
Placement place(VkPhysicalDevice device, const HostJob& job) {
  Placement result;
  result.workgroup_size = static_cast<std::uint32_t>(job.workgroup_size);
  const HostSubgroups& wanted = job.subgroups;
  if (wanted.size == 0) return result;
  result.controls = has_extension(device, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
  VkPhysicalDeviceSubgroupSizeControlFeaturesEXT features{};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES_EXT;
  VkPhysicalDeviceFeatures2 all_features{};
  all_features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  all_features.pNext = result.controls ? &features : nullptr;
  vulkan().GetPhysicalDeviceFeatures2(device, &all_features);
  VkPhysicalDeviceSubgroupSizeControlPropertiesEXT sizes{};
  sizes.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES_EXT;
  VkPhysicalDeviceSubgroupProperties its{};
  its.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
  its.pNext = result.controls ? &sizes : nullptr;
  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  properties.pNext = &its;
  vulkan().GetPhysicalDeviceProperties2(device, &properties);

  const auto require = [&](VkSubgroupFeatureFlags feature, const char* what) {
    if ((its.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0 &&
        (its.supportedOperations & feature) == feature) {
      return;
    }
    throw Error(fmt::format("Vulkan: the device has no {} of subgroups in compute shaders", what));
  };
  require(VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT, "ballot");
  if (wanted.votes) require(VK_SUBGROUP_FEATURE_VOTE_BIT, "all and any");
  if (wanted.shuffles) require(VK_SUBGROUP_FEATURE_SHUFFLE_BIT, "shuffle");

  std::uint32_t size = its.subgroupSize;
  const auto fits = static_cast<std::uint32_t>(wanted.size);
  if (features.subgroupSizeControl == VK_TRUE &&
      (sizes.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0) {
    // Sizes are powers of two.
    size = sizes.minSubgroupSize;
    while (size < fits && size < sizes.maxSubgroupSize) size *= 2;
    result.required = size;
  }
  result.full = features.computeFullSubgroups == VK_TRUE;
  if (size < fits || (wanted.fill && size != fits)) {
    throw_misplaced(job, fmt::format("Vulkan: the device has subgroups of {} threads", size));
  }
  result.workgroup_size = result.workgroup_size / fits * size;
  if (result.workgroup_size > properties.properties.limits.maxComputeWorkGroupInvocations) {
    throw Error(
        fmt::format("Vulkan: the device has no workgroups of {} threads, which are {} "
                    "subgroups of it",
                    result.workgroup_size, result.workgroup_size / size));
  }
  return result;
}

// A device with one queue, and what is made on it.
class Session {
 public:
  Session(VkPhysicalDevice physical, const Placement& placement)
      : physical_(physical), placement_(placement) {
    const float priority = 1;
    VkDeviceQueueCreateInfo queue{};
    queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queue.queueFamilyIndex = family_ = compute_family(physical).value();
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    const char* extension = VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME;
    VkPhysicalDeviceSubgroupSizeControlFeaturesEXT features{};
    features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES_EXT;
    features.subgroupSizeControl = placement.required > 0 ? VK_TRUE : VK_FALSE;
    features.computeFullSubgroups = placement.full ? VK_TRUE : VK_FALSE;
    if (placement.controls) {
      info.pNext = &features;
      info.enabledExtensionCount = 1;
      info.ppEnabledExtensionNames = &extension;
    }
    check(vulkan().CreateDevice(physical, &info, nullptr, &device_), "vkCreateDevice");
    vulkan().GetDeviceQueue(device_, family_, 0, &queue_);
  }

  struct Buffer {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    VkDeviceSize size = 0;
  };

  Buffer make_buffer(VkDeviceSize size, VkBufferUsageFlags usage, VkMemoryPropertyFlags wanted) {
    Buffer result;
    result.size = size;
    VkBufferCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    info.size = size;
    info.usage = usage;
    info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
    check(vulkan().CreateBuffer(device_, &info, nullptr, &result.buffer), "vkCreateBuffer");
    VkMemoryRequirements needs;
    vulkan().GetBufferMemoryRequirements(device_, result.buffer, &needs);
    VkPhysicalDeviceMemoryProperties memory;
    vulkan().GetPhysicalDeviceMemoryProperties(physical_, &memory);
    VkMemoryAllocateInfo allocation{};
    allocation.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    allocation.allocationSize = needs.size;
    const auto fits = [&](std::uint32_t type) {
      return (needs.memoryTypeBits >> type & 1) != 0 &&
             (memory.memoryTypes[type].propertyFlags & wanted) == wanted;
    };
    std::uint32_t& type = allocation.memoryTypeIndex;
    while (type < memory.memoryTypeCount && !fits(type)) ++type;
    if (type == memory.memoryTypeCount) throw Error("Vulkan: no memory for a buffer");
    check(vulkan().AllocateMemory(device_, &allocation, nullptr, &result.memory),
          "vkAllocateMemory");
    check(vulkan().BindBufferMemory(device_, result.buffer, result.memory, 0),
          "vkBindBufferMemory");
    return result;
  }

  // A pipeline of the shader, whose bindings 0 and 1 are these buffers.
  void make_pipeline(const std::string& spirv, const Buffer& memory, const Buffer& finished) {
    VkDescriptorSetLayoutBinding bindings[2]{};
    for (std::uint32_t b = 0; b < 2; ++b) {
      bindings[b].binding = b;
      bindings[b].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
      bindings[b].descriptorCount = 1;
      bindings[b].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
    }
    VkDescriptorSetLayoutCreateInfo set_info{};
    set_info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
    set_info.bindingCount = 2;
    set_info.pBindings = bindings;
    VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
    check(vulkan().CreateDescriptorSetLayout(device_, &set_info, nullptr, &set_layout),
          "vkCreateDescriptorSetLayout");
    VkPipelineLayoutCreateInfo layout_info{};
    layout_info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    layout_info.setLayoutCount = 1;
    layout_info.pSetLayouts = &set_layout;
    check(vulkan().CreatePipelineLayout(device_, &layout_info, nullptr, &layout_),
          "vkCreatePipelineLayout");
    make_set(set_layout, memory, finished);

    std::vector<std::uint32_t> code(spirv.size() / sizeof(std::uint32_t));
    std::memcpy(code.data(), spirv.data(), code.size() * sizeof(std::uint32_t));
    VkShaderModuleCreateInfo module_info{};
    module_info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    module_info.codeSize = code.size() * sizeof(std::uint32_t);
    module_info.pCode = code.data();
    VkShaderModule module = VK_NULL_HANDLE;
    check(vulkan().CreateShaderModule(device_, &module_info, nullptr, &module),
          "vkCreateShaderModule");
    VkComputePipelineCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = module;
    info.stage.pName = "main";
    // Constant 1 is the size of a workgroup, where the shader has it.
    const VkSpecializationMapEntry entry{1, 0, sizeof placement_.workgroup_size};
    const VkSpecializationInfo constants{1, &entry, sizeof placement_.workgroup_size,
                                         &placement_.workgroup_size};
    info.stage.pSpecializationInfo = &constants;
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfoEXT size{};
    size.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO_EXT;
    size.requiredSubgroupSize = placement_.required;
    if (placement_.required > 0) info.stage.pNext = &size;
    if (placement_.full) {
      info.stage.flags |= VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT_EXT;
    }
    info.layout = layout_;
    check(vulkan().CreateComputePipelines(device_, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline_),
          "vkCreateComputePipelines");
  }

  // The commands of a run: reset the buffers, launch, copy the count to where we can read it.
  // `count` is what it begins with.
  VkCommandBuffer record(const HostJob& job, const Buffer& memory, const Buffer& finished,
                         const Buffer& readback, std::uint32_t count) {
    VkCommandBuffer commands = VK_NULL_HANDLE;
    VkCommandPoolCreateInfo pool_info{};
    pool_info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    pool_info.queueFamilyIndex = family_;
    VkCommandPool pool = VK_NULL_HANDLE;
    check(vulkan().CreateCommandPool(device_, &pool_info, nullptr, &pool), "vkCreateCommandPool");
    VkCommandBufferAllocateInfo allocation{};
    allocation.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    allocation.commandPool = pool;
    allocation.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    allocation.commandBufferCount = 1;
    check(vulkan().AllocateCommandBuffers(device_, &allocation, &commands),
          "vkAllocateCommandBuffers");
    VkCommandBufferBeginInfo begin{};
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    check(vulkan().BeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    constexpr VkDeviceSize most = 65536;  // that one command may write
    const auto* bytes = reinterpret_cast<const char*>(job.memory.data());
    for (VkDeviceSize at = 0; at < memory.size; at += most) {
      vulkan().CmdUpdateBuffer(commands, memory.buffer, at, std::min(most, memory.size - at),
                               bytes + at);
    }
    vulkan().CmdFillBuffer(commands, finished.buffer, 0, finished.size, count);
    barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
            VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
            VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    vulkan().CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_);
    vulkan().CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set_,
                                   0, nullptr);
    vulkan().CmdDispatch(commands, static_cast<std::uint32_t>(job.workgroups), 1, 1);
    barrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
            VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
    const VkBufferCopy copy{0, 0, finished.size};
    vulkan().CmdCopyBuffer(commands, finished.buffer, readback.buffer, 1, &copy);
    barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
            VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    check(vulkan().EndCommandBuffer(commands), "vkEndCommandBuffer");
    return commands;
  }

  // Executes the commands once.
  void run(VkCommandBuffer commands) {
    if (fence_ == VK_NULL_HANDLE) {
      VkFenceCreateInfo fence{};
      fence.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
      check(vulkan().CreateFence(device_, &fence, nullptr, &fence_), "vkCreateFence");
    }
    VkSubmitInfo submit{};
    submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &commands;
    check(vulkan().ResetFences(device_, 1, &fence_), "vkResetFences");
    check(vulkan().QueueSubmit(queue_, 1, &submit, fence_), "vkQueueSubmit");
    VkResult result = VK_TIMEOUT;
    while (result == VK_TIMEOUT) {
      result = vulkan().WaitForFences(device_, 1, &fence_, VK_TRUE, UINT64_MAX);
    }
    check(result, "vkWaitForFences");
  }

  volatile std::uint32_t* map(const Buffer& buffer) {
    void* at = nullptr;
    check(vulkan().MapMemory(device_, buffer.memory, 0, VK_WHOLE_SIZE, 0, &at), "vkMapMemory");
    return static_cast<std::uint32_t*>(at);
  }

 private:
  void make_set(VkDescriptorSetLayout layout, const Buffer& memory, const Buffer& finished) {
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2};
    VkDescriptorPoolCreateInfo pool_info{};
    pool_info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    pool_info.maxSets = 1;
    pool_info.poolSizeCount = 1;
    pool_info.pPoolSizes = &size;
    VkDescriptorPool pool = VK_NULL_HANDLE;
    check(vulkan().CreateDescriptorPool(device_, &pool_info, nullptr, &pool),
          "vkCreateDescriptorPool");
    VkDescriptorSetAllocateInfo allocation{};
    allocation.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
    allocation.descriptorPool = pool;
    allocation.descriptorSetCount = 1;
    allocation.pSetLayouts = &layout;
    check(vulkan().AllocateDescriptorSets(device_, &allocation, &set_), "vkAllocateDescriptorSets");
    const VkDescriptorBufferInfo buffers[] = {{memory.buffer, 0, VK_WHOLE_SIZE},
                                              {finished.buffer, 0, VK_WHOLE_SIZE}};
    VkWriteDescriptorSet write{};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = set_;
    write.descriptorCount = 2;  // binding 1 follows binding 0
    write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    write.pBufferInfo = buffers;
    vulkan().UpdateDescriptorSets(device_, 1, &write, 0, nullptr);
  }

  static void barrier(VkCommandBuffer commands, VkPipelineStageFlags from, VkAccessFlags written,
                      VkPipelineStageFlags to, VkAccessFlags used) {
    VkMemoryBarrier memory{};
    memory.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    memory.srcAccessMask = written;
    memory.dstAccessMask = used;
    vulkan().CmdPipelineBarrier(commands, from, to, 0, 1, &memory, 0, nullptr, 0, nullptr);
  }

  VkPhysicalDevice physical_;
  Placement placement_;
  std::uint32_t family_ = 0;
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
  VkDescriptorSet set_ = VK_NULL_HANDLE;
  VkFence fence_ = VK_NULL_HANDLE;
};

}  // namespace

std::vector<HostDevice> vulkan_devices() {
  std::vector<HostDevice> devices;
  if (const auto instance = make_instance()) {
    for (VkPhysicalDevice device : find_devices(*instance)) devices.push_back(describe(device));
  }
  return devices;
}

void run_vulkan(const HostJob& job, const HostEvents& events) {
  const auto instance = make_instance();
  const auto devices = instance ? find_devices(*instance) : std::vector<VkPhysicalDevice>{};
  if (job.device >= devices.size()) throw Error("Vulkan: there is no such device any more");
  Session session(devices[job.device], place(devices[job.device], job));
  const VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
  const auto memory = session.make_buffer(job.memory.size() * sizeof(std::uint32_t), storage,
                                          VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
  const auto finished =
      session.make_buffer(sizeof(std::uint32_t), storage, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
  const auto readback = session.make_buffer(
      sizeof(std::uint32_t), VK_BUFFER_USAGE_TRANSFER_DST_BIT,
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  volatile std::uint32_t* count = session.map(readback);
  session.make_pipeline(job.kernel, memory, finished);
  const auto record = [&](std::uint32_t first) {
    return session.record(job, memory, finished, readback, first);
  };
  const VkCommandBuffer commands = record(0);
  // Kernels that need subgroups are asked once whether they have them.
  const VkCommandBuffer probe = job.subgroups.size > 0 ? record(emit::kProbe) : VK_NULL_HANDLE;

  events.ready(describe(devices[job.device]));
  make_runs(job, events, [&](std::uint32_t first) {
    *count = 0;
    session.run(first == 0 ? commands : probe);
    return std::uint32_t{*count};
  });
}

}  // namespace headway::campaign

#else

namespace headway::campaign {
namespace {

[[noreturn]] void refuse() {
  throw Error("this headway was built without Vulkan (Debian: libvulkan-dev)");
}

}  // namespace

std::vector<HostDevice> vulkan_devices() { refuse(); }
void run_vulkan(const HostJob&, const HostEvents&) { refuse(); }

}  // namespace headway::campaign

#endif
