// Memory orders of C (ISO C11, 7.17.3), as tags and as choices.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "consistency/litmus/frame.hpp"

namespace headway::consistency::litmus {

// What an order is of.
enum class Use { load, store, update, failure, fence };

// The orders of one thread.
class COrders {
 public:
  COrders(Builder& builder, int thread) : builder_(&builder), thread_(thread) {}

  // "memory_order_release", which stands at the cursor, as a tag.
  std::string here(Cursor& cursor, Use use);
  std::string behind_comma(Cursor& cursor, Use use);
  // Of a call without one, by its name at `begin`, in front of whose ")" the cursor stands.
  std::string of_call(Cursor& cursor, Use use, std::size_t begin, const std::string& name);
  // Of what reads an atomic location by its pointer, text[begin, end).
  void of_pointer_read(const std::string& pointer, std::size_t begin, std::size_t end);
  // Of "*pointer =", text[begin, value), with the value up to `end`.
  void of_pointer_write(const std::string& pointer, std::size_t begin, std::size_t value,
                        std::size_t end);

 private:
  struct Place {
    std::size_t begin, end;
    std::string text;  // with the order for "{}"
  };
  void choose(Use use, std::string_view tag, std::initializer_list<Place> places);

  Builder* builder_;
  int thread_;
};

}  // namespace headway::consistency::litmus
