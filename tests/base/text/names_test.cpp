#include "base/text/names.hpp"

#include <doctest/doctest.h>

using headway::distinct_names;
using headway::safe_name;
using Names = std::vector<std::string>;

TEST_CASE("base/text/names: only plain characters are left in a file name, and no dot in front") {
  CHECK(safe_name("spin-mutex_3", "-_") == "spin-mutex_3");
  CHECK(safe_name("../a b\n\"c\"", "-_.") == "_.._a_b__c_");
  CHECK(safe_name("a.b", "") == "a_b");
  CHECK(safe_name(".hidden", ".") == "_.hidden");
  CHECK(safe_name("\xc3\xa4", "").size() == 2);
  CHECK(safe_name(std::string(1000, 'x'), "").size() == 100);
  CHECK(safe_name("", "").empty());
}

TEST_CASE("base/text/names: equal names get numbers that no other name has") {
  CHECK(distinct_names({"a", "b"}) == Names{"a", "b"});
  CHECK(distinct_names({"a", "a", "a"}) == Names{"a", "a-2", "a-3"});
  CHECK(distinct_names({"a", "a", "a-2", "a"}) == Names{"a", "a-3", "a-2", "a-4"});
  CHECK(distinct_names({"a-2", "a-2", "a", "a"}) == Names{"a-2", "a-2-2", "a", "a-3"});
  CHECK(distinct_names({}).empty());
}

TEST_CASE("base/text/names: what is long is quoted by its beginning") {
  using headway::shortened;
  CHECK(shortened("abc", 3) == "abc");
  CHECK(shortened("abcd", 3) == "abc...");
  CHECK(shortened(std::string(1000, 'x')).size() == 43);
}

TEST_CASE("base/text/names: what is printable stays and what terminals obey is spelled out") {
  using headway::printable;
  CHECK(printable("a b-\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80") ==
        "a b-\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
  CHECK(printable("\x1b[31m") == "\\x1b[31m");
  CHECK(printable("a\nb\tc") == "a\\x0ab\\x09c");
  CHECK(printable("a\nb\tc", "\n\t") == "a\nb\tc");
  CHECK(printable("\x7f") == "\\x7f");
  CHECK(printable("\xc2\x9b"
                  "31m") == "\\xc2\\x9b31m");             // a control character of ISO 6429
  CHECK(printable("\xff\xc3") == "\\xff\\xc3");           // no UTF-8, and cut short
  CHECK(printable("\xc0\xaf") == "\\xc0\\xaf");           // written too long
  CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");  // a surrogate
}
