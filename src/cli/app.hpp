// The command line: one function a command, each in its own file, and what they share.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/outcome.hpp"
#include "languages/languages.hpp"

namespace headway::cli {

// Runs headway and returns its exit status. Tests may be written in these languages.
int run(int argc, char** argv, const lang::Languages& languages);

// What a command is given besides its arguments, and the outcome that it leaves.
struct Context {
  const lang::Languages& languages;
  Outcome outcome = {};
};

// What the arguments of a command begin with that reads tests.
struct TestArguments {
  explicit TestArguments(const Context& context) : languages(context.languages) {}

  const lang::Languages& languages;
};

// Each adds a command to `app`, which writes its outcome to `context` when it is chosen.
void add_check(CLI::App& app, Context& context);
void add_explain(CLI::App& app, Context& context);
void add_family(CLI::App& app, Context& context);
void add_lts(CLI::App& app, Context& context);
void add_models(CLI::App& app, Context& context);
void add_targets(CLI::App& app, Context& context);
void add_synth(CLI::App& app, Context& context);
void add_merge(CLI::App& app, Context& context);
void add_report(CLI::App& app, Context& context);
void add_conform(CLI::App& app, Context& context);
void add_web(CLI::App& app, Context& context);
void add_check_proof(CLI::App& app, Context& context);
void add_check_certificate(CLI::App& app, Context& context);
void add_distinguish(CLI::App& app, Context& context);
void add_suite(CLI::App& app, Context& context);
void add_reduce(CLI::App& app, Context& context);
void add_repair(CLI::App& app, Context& context);
void add_export(CLI::App& app, Context& context);
void add_run(CLI::App& app, Context& context);
void add_devices(CLI::App& app, Context& context);
void add_host(CLI::App& app);  // started by run and devices
void add_import(CLI::App& app, Context& context);
void add_residency(CLI::App& app, Context& context);
// What shells ask for after TAB: `words` are those behind "complete", the last one unfinished. A
// line a candidate, with a tab and what it is; ":files" where a file is wanted.
std::string completions(const CLI::App& app, const std::vector<std::string>& words);
// Writes a page of the manual for every command that help lists: headway.1, headway-check.1, ...
void write_manual(const CLI::App& app, const std::string& folder);
// Where kernels can be read.
void add_verify(CLI::App& app, Context& context);
void add_slice(CLI::App& app, Context& context);

}  // namespace headway::cli
