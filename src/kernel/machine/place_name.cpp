#include "kernel/machine/place_name.hpp"

#include <fmt/format.h>

namespace headway::kernel {
namespace {

// By its type, where the source says that.
std::optional<std::string> typed_name(const ObjectInfo& info, const Module& module,
                                      const std::string& name, std::uint64_t at, int bytes) {
  if (info.type == kNone) return std::nullopt;
  const auto count = static_cast<std::uint64_t>(bytes);
  if (info.has_elements) return pointee_name(module.types, info.type, name, at, count);
  const auto part = part_name(module.types, info.type, at, count);
  if (!part) return std::nullopt;
  return name + *part;
}

bool has_members(const Module& module, std::uint32_t type) {
  while (module.types[type].element) type = *module.types[type].element;
  return !module.types[type].members.empty();
}

}  // namespace

std::optional<std::string> member_name(const ObjectInfo& info, const Module& module,
                                       std::uint64_t at, int bytes) {
  if (info.type == kNone || !has_members(module, info.type)) return std::nullopt;
  return typed_name(info, module, info.name, at, bytes);
}

std::string place_name(const Launch& launch, Instance object, std::uint64_t at, int bytes) {
  const ObjectInfo& info = launch.objects[object];
  const auto size = static_cast<std::uint64_t>(bytes);
  std::string name = info.name;
  const bool many = info.space == Space::workgroup && volume(launch.grid) > 1;
  if (many) name = fmt::format("{}@{}", name, info.workgroup);
  if (!info.growing && info.bytes == size) return name;
  if (const auto typed = typed_name(info, *launch.module, name, at, bytes)) return *typed;
  // Numbers of elements would be those of structures.
  const bool counts = info.type == kNone || !has_members(*launch.module, info.type);
  if (counts && at % size == 0) return fmt::format("{}[{}]", name, at / size);
  return fmt::format("{}+{}", name, at);
}

std::optional<std::string_view> memory_of(std::string_view name) {
  const std::size_t index = name.find('[');
  if (index == std::string_view::npos) return {};
  return name.substr(0, index);
}

}  // namespace headway::kernel
