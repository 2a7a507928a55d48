// The tests and models that a command line names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "lang/test.hpp"
#include "models/library.hpp"
#include "suite/suite.hpp"
#include "synth/synthesize.hpp"

namespace headway::cli {

using suite::find_tests;

// "4", "2..6" or "2-6" as numbers of threads, or several of these with commas between them. Throws
// headway::Error.
lang::Sizes parse_sizes(const std::string& text);

// "2x4", "2x2x4": workgroups, subgroups of each where there are any, and threads. Throws
// headway::Error.
Topology parse_launch(const std::string& text);

// Refuses a folder that holds tests already, because they would become part of the suite. Throws
// headway::Error.
void require_no_tests(const std::filesystem::path& folder);

// Refuses to write a file into a folder that is not there: a name was mistyped, more likely than
// not. Throws headway::Error.
void require_folder_of(const std::string& file);

// The models that `--model` options name; the standard ones when there are none.
std::vector<models::ModelPtr> find_models(models::Library& library,
                                          const std::vector<std::string>& names);

// "auto", "explicit" or "sat".
synth::EngineKind engine_kind(const std::string& name);

// "OBE:strong" as a filter on synthesized tests; "OBE" is both readings, as it is where a test
// says what it expects. Throws headway::Error.
std::vector<synth::Filter> parse_filters(models::Library& library,
                                         const std::vector<std::string>& readings, bool passes);

// The path of the running headway, to start it again.
std::string own_path();

}  // namespace headway::cli
