// A text of YAML as a tree, whoever reads it: yaml-cpp natively, plain_reader.cpp in the browser.
// The two agree on every text that the second one takes (tests/models/yaml).
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace headway::models::yaml {

// From 0; -1 where nothing is there to point at.
struct Mark {
  int line = -1;
  int column = -1;
};

struct Entry;

struct Node {
  enum class Kind { null, scalar, sequence, map };

  Kind kind = Kind::null;
  Mark mark;  // where it starts, with its quote or bracket
  std::string text;
  std::vector<Entry> entries;  // of a map, in order

  bool is_null() const { return kind == Kind::null; }
  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_map() const { return kind == Kind::map; }
};

struct Entry {
  Node key, value;
};

struct Document {
  Node root;
  std::optional<Mark> second;  // where another document starts
};

class Malformed : public std::runtime_error {
 public:
  Malformed(Mark mark, const std::string& message) : std::runtime_error(message), mark_(mark) {}
  const Mark& mark() const { return mark_; }

 private:
  Mark mark_;
};

// All of YAML, by yaml-cpp; in the browser the same as read_plain(). Throws Malformed.
Document read(const std::string& content);

// The YAML that model files are written in: a mapping of scalars and mappings, in blocks or in
// braces, plain, quoted or folded, with comments. Throws Malformed for the rest, which includes
// anchors, tags, sequences and keys that are no scalars. Linear in the text.
Document read_plain(const std::string& content);

}  // namespace headway::models::yaml
