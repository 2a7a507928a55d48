// The tests and models that a command line names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "engine/arguments.hpp"
#include "lang/test.hpp"
#include "models/library.hpp"
#include "suite/suite.hpp"
#include "synth/synthesize.hpp"

namespace headway::cli {

using engine::find_models;
using engine::parse_given_sizes;
using engine::parse_launch;
using engine::parse_placement;
using engine::parse_sizes;
using suite::find_tests;

// Refuses a folder that holds tests already, because they would become part of the suite. Throws
// headway::Error.
void require_no_tests(const std::filesystem::path& folder);

// Refuses to write a file into a folder that is not there: a name was mistyped, more likely than
// not. Throws headway::Error.
void require_folder_of(const std::string& file);

// Refuses a name that ends as those of files do, where a folder is to be made: one of `files`, with
// their dots. Throws headway::Error that says what is `expected`.
void require_folder_name(const std::string& folder, const std::vector<std::string>& files,
                         const std::string& expected);

// "auto", "explicit" or "sat".
synth::EngineKind engine_kind(const std::string& name);

// "OBE:strong" as a filter on synthesized tests; "OBE" is both readings, as it is where a test
// says what it expects. Throws headway::Error.
std::vector<synth::Filter> parse_filters(models::Library& library,
                                         const std::vector<std::string>& readings, bool passes);

// The path of the running headway, to start it again.
std::string own_path();

}  // namespace headway::cli
