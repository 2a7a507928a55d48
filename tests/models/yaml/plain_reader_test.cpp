// The reader of the browser against yaml-cpp: on what it takes the two agree to the last detail,
// and it takes whatever model files are written in.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "base/file.hpp"
#include "models/model_file.hpp"
#include "models/yaml/node.hpp"
#include "support/files.hpp"

namespace yaml = headway::models::yaml;

namespace {

std::string written(const yaml::Node& node) {
  std::string text = std::to_string(static_cast<int>(node.kind)) + "'" + node.text + "'";
  // Where nothing stands is said in no message.
  if (!node.is_null()) {
    text += "@" + std::to_string(node.mark.line) + ":" + std::to_string(node.mark.column);
  }
  for (const auto& [key, value] : node.entries) {
    text += "(" + written(key) + "=" + written(value) + ")";
  }
  return text;
}

// Whether the plain reader takes a text; then yaml-cpp must read the same.
bool agrees(const std::string& text) {
  yaml::Document plain;
  try {
    plain = yaml::read_plain(text);
  } catch (const yaml::Malformed&) {
    return false;
  }
  CAPTURE(text);
  yaml::Document whole;
  try {
    whole = yaml::read(text);
  } catch (const yaml::Malformed& error) {
    // Of a second document it is enough that it is there: the file is refused.
    const std::string why = error.what();
    CAPTURE(why);
    CHECK(plain.second.has_value());
    return true;
  }
  CHECK(written(plain.root) == written(whole.root));
  CHECK(plain.second.has_value() == whole.second.has_value());
  return true;
}

}  // namespace

TEST_CASE("models/yaml/plain_reader: all model files are read, and as yaml-cpp reads them") {
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(headway::testing::source_dir() / "models")) {
    if (entry.path().extension() != ".yaml") continue;
    CAPTURE(entry.path());
    CHECK(agrees(headway::read_file(entry.path())));
    ++files;
  }
  CHECK(files >= 30);
}

TEST_CASE("models/yaml/plain_reader: the ways in which model files may be written") {
  for (const char* text : {"name: m\nfair: alive\n",
                           "# comment\nname: m # too\n\nfair: started & alive  # comment\n",
                           "---\nname: 7\nfair: alive\n...\n",
                           "\xef\xbb\xbfname: m\r\nfair: alive\r\n",
                           "name: m\nfair: (started\n  | lowest(alive))\n  & alive\n",
                           "name: m\nfair:\n  alive\n",
                           "name: m\nfair: |\n  started\n  & alive\n",
                           "name: m\nfair: >-\n  started\n  & alive\n",
                           "name: m\nfair: >\n  started\n  & alive\n",
                           "name: 'it''s'\nfair: \"alive\"\n",
                           "name: m\ninitial: {}\non_step: {0, 2}\non_terminate: F\n",
                           "name: m\nparams: {k: 2, low: -1000}\nfair: alive",
                           "name: m\nparams:\n  k: 1\n  _x: 0\n",
                           "name: m\nparams:\n  k: 1\nfair: {k - 1, 17, k+1}\n",
                           "{name: m, fair: alive}",
                           "name: m\nfair:\n  {1,\n   3}\n",
                           "name: m\nfair: ~\n",
                           "name:\nfair: null\n",
                           "",
                           "words\n",
                           "name: CUDA\nscopes: {workgroup: parallel, thread: ../x.yaml}\n",
                           "\"name\": m\n",
                           "name: m\nfair: alive\n---\nname: n\n",
                           "a: b\n\n\n",
                           "a: x:y\n",
                           "a: x#y\n",
                           "a: - b\n"}) {
    CAPTURE(text);
    const bool is_dash = std::string(text) == "a: - b\n";
    CHECK(agrees(text) == !is_dash);
  }
}

TEST_CASE("models/yaml/plain_reader: what is not read is refused") {
  for (const char* text :
       {"a: &b c\n", "a: *b\n", "a: !!str b\n", "- a\n", "a: [b]\n", "? a\n: b\n", "a: b\n  c: d\n",
        "a: b: c\n", "a: {b\n", "a: {0} & b\n", "a: \"\\x26\"\n", "a: 'b\n",
        "%YAML 1.2\n---\na: b\n", "a\n b: c\n", "  a: b\nc: d\n", "a: |2\n  b\n", "a: b\n c\nd\n",
        "@a: b\n", "a: `b`\n"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(yaml::read_plain(text), yaml::Malformed);
  }
}

TEST_CASE("models/yaml/plain_reader: it agrees on random texts") {
  const std::vector<std::string> pieces = {
      "a",  "name",  "fair",   ":",  ": ",   " ",    "  ",     "\n",
      "\n", "\n  ",  "\n    ", "{",  "}",    ", ",   ",",      "'",
      "\"", "#",     " #",     "|",  ">",    "-",    "- ",     "[",
      "]",  "---\n", "...\n",  "0",  "~",    "null", "&",      "(x | y)",
      "''", "\n\n",  "\r\n",   "? ", "b: c", "x\ny", "a: b\n", "a:\n  b: c\n"};
  std::mt19937 random(20);
  std::size_t taken = 0;
  for (int i = 0; i < 60'000; ++i) {
    std::string text = i % 3 == 0 ? "" : "a: ";
    const std::size_t length = 1 + random() % 9;
    for (std::size_t k = 0; k < length; ++k) text += pieces[random() % pieces.size()];
    if (agrees(text)) ++taken;
  }
  CHECK(taken > 2'000);
}
