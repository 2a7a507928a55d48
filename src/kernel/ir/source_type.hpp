// What the source calls parts of memory: members of structures, and elements of arrays. For people
// alone; no answer depends on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headway::kernel {

// A scalar has neither members nor elements.
struct SourceType {
  struct Member {
    std::string name;  // empty: what it has itself counts as here, as of an anonymous union
    std::uint64_t at = 0;
    std::uint32_t type = 0;
  };
  std::uint64_t bytes = 0;
  std::vector<Member> members;
  // Of an array: its elements, and how many there are; 0: as many as there is room for.
  std::optional<std::uint32_t> element;
  std::uint64_t count = 0;
  int dimensions = 0;  // of an image, whose elements are texels: `count` of them in each; 0: none
};

// What stands behind the name of a variable of a type for the scalar of so many bytes at `at`:
// ".lock.owner", "[2][3]", "(3, 0).x", or nothing for a scalar itself. None where none lies there.
std::optional<std::string> part_name(const std::vector<SourceType>& types, std::uint32_t type,
                                     std::uint64_t at, std::uint64_t bytes);

// The same of a pointer to such a type: "q->head", "q[2].head", "q[2]".
std::optional<std::string> pointee_name(const std::vector<SourceType>& types, std::uint32_t type,
                                        const std::string& pointer, std::uint64_t at,
                                        std::uint64_t bytes);

}  // namespace headway::kernel
