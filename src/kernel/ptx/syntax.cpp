#include "kernel/ptx/syntax.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <utility>

namespace headway::kernel::ptx {

std::string Statement::instruction() const { return fmt::format("{}", fmt::join(words, ".")); }

std::optional<Type> type_named(std::string_view word) {
  static constexpr std::array<std::pair<std::string_view, Type>, 17> table = {
      {{"pred", Type::integer(1)},
       {"b8", Type::integer(8)},
       {"b16", Type::integer(16)},
       {"b32", Type::integer(32)},
       {"b64", Type::integer(64)},
       {"u8", Type::integer(8)},
       {"u16", Type::integer(16)},
       {"u32", Type::integer(32)},
       {"u64", Type::integer(64)},
       {"s8", Type::integer(8)},
       {"s16", Type::integer(16)},
       {"s32", Type::integer(32)},
       {"s64", Type::integer(64)},
       {"f16", Type::real(16)},
       {"f16x2", Type::integer(32)},
       {"f32", Type::real(32)},
       {"f64", Type::real(64)}}};
  for (const auto& [name, type] : table) {
    if (name == word) return type;
  }
  return {};
}

}  // namespace headway::kernel::ptx
