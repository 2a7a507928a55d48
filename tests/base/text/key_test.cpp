#include "base/text/key.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <set>
#include <vector>

using headway::Key;

namespace {

// A number, a list of texts, a text, a list of numbers, and what they are in a key.
struct Parts {
  std::int64_t number = 0;
  std::vector<std::string> texts;
  std::string text;
  std::vector<int> numbers;

  std::string key() const {
    Key key;
    key.numbers(number).list(texts).texts(text);
    key.list(numbers, [&](int each) { key.numbers(each); });
    return key.text();
  }
  friend bool operator==(const Parts&, const Parts&) = default;
};

// Reads a key from its front.
class Reader {
 public:
  explicit Reader(std::string text) : text_(std::move(text)) {}

  std::int64_t number() {
    std::size_t used = 0;
    const std::int64_t result = std::stoll(text_.substr(at_), &used);
    at_ += used;
    REQUIRE(text_.at(at_) == ' ');
    ++at_;
    return result;
  }
  std::string text() {
    const auto size = static_cast<std::size_t>(number());
    REQUIRE(at_ + size <= text_.size());
    at_ += size;
    return text_.substr(at_ - size, size);
  }
  bool ended() const { return at_ == text_.size(); }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

Parts read(const std::string& key) {
  Reader reader(key);
  Parts parts;
  parts.number = reader.number();
  for (auto left = reader.number(); left > 0; --left) parts.texts.push_back(reader.text());
  parts.text = reader.text();
  for (auto left = reader.number(); left > 0; --left) {
    parts.numbers.push_back(static_cast<int>(reader.number()));
  }
  CHECK(reader.ended());
  return parts;
}

}  // namespace

// What can be read back was written by nothing else.
TEST_CASE("base/text/key: the parts of a key can be read off, whatever is in them") {
  std::mt19937 random(43);
  const std::vector<std::string> pieces = {"",    " ", "1",   "1 ", "0 ",
                                           "2 a", "-", "a,b", "\n", "x|y"};
  for (int round = 0; round < 20'000; ++round) {
    Parts parts;
    const auto text = [&] {
      std::string result;
      for (auto left = random() % 3; left > 0; --left) result += pieces[random() % pieces.size()];
      return result;
    };
    parts.number = static_cast<std::int64_t>(random()) - (std::int64_t{1} << 31);
    for (auto left = random() % 3; left > 0; --left) parts.texts.push_back(text());
    parts.text = text();
    for (auto left = random() % 3; left > 0; --left) {
      parts.numbers.push_back(static_cast<int>(random() % 5) - 2);
    }
    if (!(read(parts.key()) == parts)) FAIL(parts.key());
  }
}

TEST_CASE("base/text/key: what runs into each other in a text with separators stays apart") {
  CHECK(Key().list(std::vector<std::string>{"a,b"}).text() !=
        Key().list(std::vector<std::string>{"a", "b"}).text());
  CHECK(Key().texts("a", "b c").text() != Key().texts("a b", "c").text());
  CHECK(Key().texts("1 2").text() != Key().texts("1").numbers(2).text());
  CHECK(Key().numbers(1, 12).text() != Key().numbers(11, 2).text());
  CHECK(Key().texts("").text() != Key().text());
}
