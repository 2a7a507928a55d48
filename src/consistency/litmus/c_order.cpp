#include "consistency/litmus/c_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace headway::consistency::litmus {
namespace {

struct COrder {
  std::string name, tag;
  // What it orders: what comes behind, what comes before, all that is sequentially consistent.
  std::vector<int> strength;
};

const std::vector<COrder>& c_orders() {
  static const std::vector<COrder> known = {
      {"memory_order_relaxed", "RLX", {0, 0, 0}},     {"memory_order_consume", "CON", {1, 0, 0}},
      {"memory_order_acquire", "ACQ", {1, 0, 0}},     {"memory_order_release", "REL", {0, 1, 0}},
      {"memory_order_acq_rel", "ACQ_REL", {1, 1, 0}}, {"memory_order_seq_cst", "SC", {1, 1, 1}}};
  return known;
}

// Whether it could stand there. Nobody chooses consume: compilers take it for acquire.
bool may_have(Use use, const COrder& order) {
  if (order.tag == "CON") return false;
  const bool acquires = order.strength[0] != 0, releases = order.strength[1] != 0;
  switch (use) {
    case Use::load:
    case Use::failure:
      return !releases || order.tag == "SC";
    case Use::store:
      return !acquires || order.tag == "SC";
    case Use::update:
    case Use::fence:
      return true;
  }
  return true;
}

std::string what(Use use) {
  return use == Use::failure ? "order of failure" : use == Use::fence ? "fence" : "order";
}

}  // namespace

void COrders::choose(Use use, std::string_view tag, std::initializer_list<Place> places) {
  Choice choice;
  choice.thread = thread_;
  choice.what = what(use);
  for (const Place& place : places) choice.edits.push_back({place.begin, place.end});
  for (const COrder& order : c_orders()) {
    if (!may_have(use, order)) continue;
    if (order.tag == tag) choice.written = choice.options.size();
    const bool is_none = use == Use::fence && order.tag == "RLX";
    const std::string name = order.name.substr(std::string_view("memory_order_").size());
    choice.options.push_back({is_none ? std::string() : name, order.strength});
    auto edit = choice.edits.begin();
    for (const Place& place : places) {
      (edit++)->texts.push_back(fmt::format(fmt::runtime(place.text), order.name));
    }
  }
  if (choice.written) builder_->choice(std::move(choice));
}

std::string COrders::here(Cursor& cursor, Use use) {
  const std::size_t offset = cursor.offset();
  const std::string name = cursor.word("a memory order");
  const auto known = std::find_if(c_orders().begin(), c_orders().end(),
                                  [&](const COrder& order) { return order.name == name; });
  if (known == c_orders().end()) {
    cursor.fail_at(offset, fmt::format("expected a memory order, found '{}'", name));
  }
  choose(use, known->tag, {{offset, offset + name.size(), "{}"}});
  return known->tag;
}

std::string COrders::behind_comma(Cursor& cursor, Use use) {
  cursor.require(",");
  return here(cursor, use);
}

std::string COrders::of_call(Cursor& cursor, Use use, std::size_t begin, const std::string& name) {
  const std::size_t behind = begin + name.size(), end = cursor.offset();
  choose(use, "SC", {{behind, behind, "_explicit"}, {end, end, ", {}"}});
  return "SC";
}

void COrders::of_pointer_read(const std::string& pointer, std::size_t begin, std::size_t end) {
  choose(Use::load, "SC", {{begin, end, "atomic_load_explicit(" + pointer + ", {})"}});
}

void COrders::of_pointer_write(const std::string& pointer, std::size_t begin, std::size_t value,
                               std::size_t end) {
  choose(Use::store, "SC",
         {{begin, value, "atomic_store_explicit(" + pointer + ", "}, {end, end, ", {})"}});
}

}  // namespace headway::consistency::litmus
