// The tests and models that a command line names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "lang/test.hpp"
#include "models/library.hpp"
#include "synth/synthesize.hpp"

namespace headway::cli {

// The test files that `paths` name, in order: a file stands for itself, a folder for the files in
// it and below it that end in .litmus or .txt, sorted, and "-" for standard input. What cannot be
// found becomes an Error in `errors`, and the others are still returned.
std::vector<std::filesystem::path> find_tests(const std::vector<std::string>& paths,
                                              std::vector<Error>& errors);

// Reads a test; its name becomes its file's stem unless it declares one. Throws headway::Error.
lang::Test load_test(const std::filesystem::path& path);

// The models that `--model` options name; the standard ones when there are none.
std::vector<models::ModelPtr> find_models(models::Library& library,
                                          const std::vector<std::string>& names);

// "auto", "explicit" or "sat".
synth::EngineKind engine_kind(const std::string& name);

// "OBE:strong" as a filter on synthesized tests. Throws headway::Error.
synth::Filter parse_filter(models::Library& library, const std::string& reading, bool passes);

}  // namespace headway::cli
