// Reads a progress model from a YAML file (docs/model-files.md). The file gives F either as a
// function of the history (`fair`) or by its updates (`initial`, `on_step`, `on_terminate`).
#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"
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
  std::string content;                  // the whole file, to show lines of
};

// Throws headway::Error for what is wrong, with its place in `file`.
ModelFile parse_model_file(std::string_view content, const std::string& file);

// The model with `chosen` parameters in place of their defaults; its name then says them all:
// "OBE-k(k=3)". Throws headway::Error for a parameter that the file does not have, for an
// expression that is wrong, and for a model that gives F a terminated thread after some history
// of at most four threads (the message shows the history).
ModelPtr instantiate(const ModelFile& file, const Expression::Parameters& chosen = {});

}  // namespace headway::models
