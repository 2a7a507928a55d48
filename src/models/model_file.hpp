// Reads a progress model from a YAML file (docs/reference/model-files.md). The file gives F either
// as a function of the history (`fair`) or by its updates (`initial`, `on_step`, `on_terminate`),
// or names a model for each level of a launch (`scopes`).
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/topology.hpp"
#include "models/expression.hpp"
#include "models/model.hpp"

namespace headway::models {

inline constexpr std::size_t kMaxModelBytes = std::size_t{1} << 20;
inline constexpr int kMaxParameter = 1000;  // parameters lie in -kMaxParameter .. kMaxParameter

// A model file with its parameters still open.
struct ModelFile {
  // An expression and the place where it starts.
  struct Text {
    std::string text;
    SourcePosition where;
    bool exact = false;  // whether columns of `text` are columns of the line at `where`
  };

  std::string name;
  std::string summary;
  Expression::Parameters parameters;  // with their defaults
  bool event_form = false;
  Text fair;                            // history form
  Text initial, on_step, on_terminate;  // event form
  std::map<Level, Text> scopes;         // scoped form: models by name or path
  std::string content;                  // the whole file, to show lines of
};

// Throws headway::Error for what is wrong, with its place in `file`.
ModelFile parse_model_file(std::string_view content, const std::string& file);

// The model with `chosen` parameters in place of their defaults; its name then says them all:
// "OBE-k(k=3)". Throws headway::Error for a parameter that the file does not have, for an
// expression that is wrong, and for a model that gives F a terminated thread after some history
// of at most four threads (the message shows the history). Not of a file with `scopes`, whose
// models the library knows (models/library.hpp).
ModelPtr instantiate(const ModelFile& file, const Expression::Parameters& chosen = {});

// Throws headway::Error with `message` at a text of a model file.
[[noreturn]] void fail_at(const ModelFile& file, const ModelFile::Text& text,
                          const std::string& message);

}  // namespace headway::models
