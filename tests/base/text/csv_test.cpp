#include "base/text/csv.hpp"

#include <doctest/doctest.h>

#include <random>

#include "support/errors.hpp"

using headway::csv_line;
using headway::parse_csv;
using headway::testing::contains;
using headway::testing::error_of;

using Lines = std::vector<std::vector<std::string>>;

TEST_CASE("base/text/csv: CSV fields are quoted where they need it") {
  CHECK(csv_line({"a", "b c", ""}) == "a,b c,\n");
  CHECK(csv_line({""}) == "\n");
  CHECK(csv_line({"a,b", "say \"no\"", "two\nlines", "return\r"}) ==
        "\"a,b\",\"say \"\"no\"\"\",\"two\nlines\",\"return\r\"\n");
  CHECK(csv_line({"OBE-k(j=1,k=2)"}) == "\"OBE-k(j=1,k=2)\"\n");
}

TEST_CASE("base/text/csv: CSV is read line by line") {
  CHECK(parse_csv("", "f").empty());
  CHECK(parse_csv("a,b\nc,d\n", "f") == Lines{{"a", "b"}, {"c", "d"}});
  CHECK(parse_csv("a,b\r\nc,d", "f") == Lines{{"a", "b"}, {"c", "d"}});
  CHECK(parse_csv("\n,\n", "f") == Lines{{""}, {"", ""}});
  CHECK(parse_csv("\"a,\"\"b\"\"\r\nc\",d", "f") == Lines{{"a,\"b\"\r\nc", "d"}});
  CHECK(parse_csv("\"\"", "f") == Lines{{""}});
  CHECK(parse_csv("\"\"\"\"", "f") == Lines{{"\""}});
  CHECK(parse_csv("a \"b,c\" d", "f") == Lines{{"a b,c d"}});
}

TEST_CASE("base/text/csv: a quote that does not end is shown where it starts") {
  for (const char* text : {"a,b\nc,\"d\n", "a\nx,\"", "a\n\"\",\"b\"\""}) {
    const auto error = error_of([&] { parse_csv(text, "f.csv"); });
    REQUIRE(error);
    CHECK(error->where().file == "f.csv");
    CHECK(error->where().line == 2);
    CHECK(error->where().column == (text[2] == '"' ? 4 : 3));
    CHECK(contains(error->what(), "a quote that does not end"));
  }
}

TEST_CASE("base/text/csv: what is written as CSV is read back") {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    Lines lines;
    std::string text;
    for (unsigned count = random() % 4; count > 0; --count) {
      std::vector<std::string> fields(1 + random() % 4);
      for (std::string& field : fields) {
        for (unsigned length = random() % 5; length > 0; --length) {
          field += std::string_view("a,\"\r\n \xc3")[random() % 7];
        }
      }
      text += csv_line(fields);
      lines.push_back(std::move(fields));
    }
    REQUIRE(parse_csv(text, "f") == lines);
  }
}
