// Where synthesized tests go: a folder of litmus files, a file of documents, or standard output.
#pragma once

#include <optional>
#include <string>
#include <unordered_set>

#include "base/file.hpp"
#include "lang/test.hpp"

namespace headway::cli {

class SynthOutput {
 public:
  // `out` is "-", a name that ends in .jsonl, .yaml or .yml, or a folder, which must not hold tests
  // but for those of an earlier run that this one `goes_on` with. Throws headway::Error when it
  // cannot be written.
  // Of a part of a run `part` is the first line, shard_heading(); else it is empty.
  explicit SynthOutput(const std::string& out, bool goes_on = false, std::string part = {});

  void add(const lang::Test& test);
  // Gives a file its name; when the tests are not all there, that name with ".partial" behind it.
  // Returns the name. A folder or standard output has what it has.
  std::string finish(bool complete);

 private:
  enum class Form { folder, json_lines, yaml };
  void write(const std::string& text);

  std::string out_;
  std::string part_;
  Form form_ = Form::json_lines;
  std::optional<NewFile> file_;
  std::unordered_set<std::string> names_;  // of the files in a folder
};

}  // namespace headway::cli
