// The command line: one function a command, each in its own file, and what they share.
#pragma once

#include <CLI/CLI.hpp>

namespace headway::cli {

// Exit statuses, the same for every command.
enum Exit : int {
  kFine = 0,
  kUnmet = 1,         // an expectation or a row of a table was not met; a program goes wrong
  kBadInput = 2,      // usage or input
  kLimit = 3,         // a limit stopped a decision
  kInterrupted = 130  // Ctrl-C; what was decided by then is printed
};

// Runs headway and returns its exit status.
int run(int argc, char** argv);

// Each adds a command to `app`, which writes its exit status to `status` when it is chosen.
void add_check(CLI::App& app, int& status);
void add_explain(CLI::App& app, int& status);
void add_family(CLI::App& app, int& status);
void add_lts(CLI::App& app, int& status);
void add_models(CLI::App& app, int& status);
void add_synth(CLI::App& app, int& status);
void add_merge(CLI::App& app, int& status);
void add_report(CLI::App& app, int& status);
void add_conform(CLI::App& app, int& status);
void add_web(CLI::App& app, int& status);
void add_check_proof(CLI::App& app, int& status);
void add_distinguish(CLI::App& app, int& status);
void add_suite(CLI::App& app, int& status);
void add_reduce(CLI::App& app, int& status);
void add_export(CLI::App& app, int& status);
void add_run(CLI::App& app, int& status);
void add_devices(CLI::App& app, int& status);
void add_host(CLI::App& app);  // started by run and devices
void add_residency(CLI::App& app, int& status);

}  // namespace headway::cli
