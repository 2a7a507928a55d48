#include "kernel/ir/source_type.hpp"

#include <fmt/format.h>

namespace headway::kernel {

std::optional<std::string> part_name(const std::vector<SourceType>& types, std::uint32_t type,
                                     std::uint64_t at, std::uint64_t bytes) {
  const SourceType& whole = types[type];
  if (whole.element) {
    const std::uint64_t stride = types[*whole.element].bytes;
    if (stride == 0 || (whole.count > 0 && at >= whole.bytes)) return std::nullopt;
    const auto part = part_name(types, *whole.element, at % stride, bytes);
    if (!part) return std::nullopt;
    if (whole.dimensions == 0) return fmt::format("[{}]{}", at / stride, *part);
    std::string texel;
    std::uint64_t rest = at / stride;
    for (int d = 0; d < whole.dimensions; ++d, rest /= whole.count) {
      texel += fmt::format("{}{}", d > 0 ? ", " : "", rest % whole.count);
    }
    return fmt::format("({}){}", texel, *part);
  }
  for (const SourceType::Member& member : whole.members) {
    if (at < member.at) continue;
    const auto part = part_name(types, member.type, at - member.at, bytes);
    if (part) return member.name.empty() ? *part : "." + member.name + *part;
  }
  if (!whole.members.empty() || at != 0 || bytes != whole.bytes) return std::nullopt;
  return std::string();
}

std::optional<std::string> pointee_name(const std::vector<SourceType>& types, std::uint32_t type,
                                        const std::string& pointer, std::uint64_t at,
                                        std::uint64_t bytes) {
  const std::uint64_t stride = types[type].bytes;
  if (stride == 0) return std::nullopt;
  const auto part = part_name(types, type, at % stride, bytes);
  if (!part) return std::nullopt;
  if (types[type].dimensions > 0) return pointer + *part;
  if (at < stride && part->starts_with('.')) return pointer + "->" + part->substr(1);
  return fmt::format("{}[{}]{}", pointer, at / stride, *part);
}

}  // namespace headway::kernel
