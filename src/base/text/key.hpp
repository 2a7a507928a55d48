// Keys of several parts, by which things are kept and compared: equal exactly where their parts
// are, whatever is in these, as each part can be read off from the front. A number ends at its
// space, a text begins with its length, and a list with how many there are.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace headway {

class Key {
 public:
  // Integers, truth values and enumerations.
  template <class... Number>
  requires((std::integral<Number> || std::is_enum_v<Number>)&&...) Key& numbers(Number... all) {
    ((text_ += std::to_string(static_cast<std::int64_t>(all)), text_ += ' '), ...);
    return *this;
  }
  template <class... Text>
  requires(std::convertible_to<Text, std::string_view>&&...) Key& texts(const Text&... all) {
    (add(all), ...);
    return *this;
  }
  // Each of a list, of which `put` writes parts that are of the same kinds for all.
  template <class List, class Put>
  Key& list(const List& all, const Put& put) {
    numbers(all.size());
    for (const auto& each : all) put(each);
    return *this;
  }
  template <class Texts>
  Key& list(const Texts& all) {
    return list(all, [this](std::string_view each) { add(each); });
  }

  const std::string& text() const { return text_; }

 private:
  void add(std::string_view text) {
    numbers(text.size());
    text_ += text;
  }

  std::string text_;
};

}  // namespace headway
