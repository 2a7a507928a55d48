#include "report/memory_order.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

namespace headway::report {
namespace {

using Json = nlohmann::ordered_json;

std::string direction_text(const MemoryOrder& order, const std::string& allows,
                           const std::string& forbids,
                           const std::optional<consistency::DistinguishingTest>& test) {
  if (test && test->by_progress) {
    return fmt::format("{} lets this wait for ever, and {} does not:\n\n{}", allows, forbids,
                       test->text);
  }
  if (test) {
    return fmt::format("{} allows what is forbidden by {}:\n\n{}", allows, forbids, test->text);
  }
  return fmt::format(
      "{} allows nothing that {} forbids, in any test of {} of up to {} statements{}\n", allows,
      forbids, order.language, order.found.statements,
      order.found.cut.empty() ? "" : ", as far as they were decided");
}

Json direction_json(const std::optional<consistency::DistinguishingTest>& test) {
  if (!test) return {};
  return {
      {"statements", test->statements}, {"by_progress", test->by_progress}, {"test", test->text}};
}

}  // namespace

std::string memory_order_text(const MemoryOrder& order) {
  return direction_text(order, order.first, order.second, order.found.only_first) + "\n" +
         direction_text(order, order.second, order.first, order.found.only_second);
}

std::string memory_order_json(const MemoryOrder& order) {
  const consistency::Distinguished& found = order.found;
  const Json json = {{"first", order.first},
                     {"second", order.second},
                     {"language", order.language},
                     {"statements", found.statements},
                     {"tests", found.tests},
                     {"only_first", direction_json(found.only_first)},
                     {"only_second", direction_json(found.only_second)},
                     {"cut", found.cut.empty() ? Json() : Json(found.cut)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace headway::report
