#include "cli/app.hpp"

#include <cstdio>
#include <exception>
#include <iostream>

#include "base/error.hpp"
#include "cli/console.hpp"

namespace headway::cli {
namespace {

constexpr const char* kDescription =
    "headway decides whether small concurrent programs are guaranteed to terminate under the\n"
    "progress models of GPUs, and shows why not.";

constexpr const char* kFooter =
    "Exit status: 0 fine; 1 an expectation was not met or a test goes wrong; 2 bad usage or\n"
    "input; 3 a limit stopped a decision; 130 interrupted.\n"
    "'headway COMMAND --help' explains a command and shows an example.";

int parse_and_run(int argc, char** argv) {
  CLI::App app{kDescription, "headway"};
  app.set_version_flag("--version", "headway " HEADWAY_VERSION);
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.footer(kFooter);
  app.require_subcommand(1);
  int status = kFine;
  add_check(app, status);
  add_explain(app, status);
  add_lts(app, status);
  add_residency(app, status);
  add_models(app, status);
  add_family(app, status);
  add_synth(app, status);
  add_merge(app, status);
  add_report(app, status);
  add_conform(app, status);
  add_web(app, status);
  add_reduce(app, status);
  add_distinguish(app, status);
  add_suite(app, status);
  add_export(app, status);
  add_run(app, status);
  add_devices(app, status);
  add_host(app);
  add_check_proof(app, status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    app.exit(success);
    return kFine;
  } catch (const CLI::ParseError& error) {
    std::cerr << "headway: " << error.what() << "\nTry 'headway --help'.\n";
    return kBadInput;
  }
  return status;
}

}  // namespace

int run(int argc, char** argv) {
  int status = kBadInput;
  try {
    status = parse_and_run(argc, argv);
  } catch (const Error& error) {
    complain(error);
  } catch (const std::bad_alloc&) {
    std::cerr << "headway: out of memory\n";
    status = kLimit;
  } catch (const std::exception& error) {
    std::cerr << "headway: " << error.what() << "\n";
  }
  if (!flush_output()) {
    std::perror("headway: cannot write the output");
    return kBadInput;
  }
  return status;
}

}  // namespace headway::cli
