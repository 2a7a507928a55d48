#include "cli/app.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>

#include "base/error.hpp"
#include "cli/console.hpp"
#include "cli/mistakes.hpp"
#include "lang/test.hpp"

namespace headway::cli {
namespace {

constexpr const char* kDescription =
    "headway decides whether small concurrent programs are guaranteed to terminate under the\n"
    "progress models of GPUs, and shows why not.";

constexpr const char* kFooter =
    "Exit status: 0 fine; 1 an expectation was not met or a test goes wrong; 2 bad usage or\n"
    "input; 3 a limit stopped a decision; 128 + N signal N ended it (Ctrl-C: 130).\n"
    "'headway help COMMAND' explains a command and shows an example.";

// "-O2", as for compilers.
bool is_optimization(const std::string& word) {
  return word.starts_with("-O") && word.size() <= 3 &&
         word.find_first_not_of("0123gszO", 1) == std::string::npos;
}

// "help check" is "check --help", "version" is "--version"; flags as compilers write them.
Words without_aliases(Words words) {
  if (words.empty()) return words;
  if (words.front() == "version" && words.size() == 1) return {"--version"};
  if (words.front() == "help") {
    words.erase(words.begin());
    if (words.empty() || words.back() != "--help") words.push_back("--help");
  }
  for (std::string& word : words) {
    if (word == "--") break;  // paths follow
    if (word.starts_with("-std=") || word == "-include") word.insert(0, "-");
    if (is_optimization(word)) word.insert(0, "--compiler-flag=");
  }
  return words;
}

// What an option of several values takes is one each time it is named: what stands behind is a
// path. But for files of devices, which shells write for *.csv.
void take_one_value_each(CLI::App& command) {
  for (CLI::Option* option : command.get_options([](const CLI::Option*) { return true; })) {
    if (!option->get_positional() && !option->check_lname("devices"))
      option->allow_extra_args(false);
  }
  for (CLI::App* below : command.get_subcommands([](CLI::App*) { return true; }))
    take_one_value_each(*below);
}

Outcome parse_and_run(int argc, char** argv, const lang::Languages& languages) {
  CLI::App app{kDescription, "headway"};
  app.set_version_flag("--version", "headway " HEADWAY_VERSION);
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.footer(kFooter);
  app.require_subcommand(1);
  Context context{languages};
  add_check(app, context);
  add_explain(app, context);
  add_lts(app, context);
  add_residency(app, context);
#ifdef HEADWAY_KERNELS
  add_verify(app, context);
  add_slice(app, context);
#endif
  add_models(app, context);
  add_targets(app, context);
  add_family(app, context);
  add_synth(app, context);
  add_merge(app, context);
  add_report(app, context);
  add_conform(app, context);
  add_web(app, context);
  add_reduce(app, context);
  add_repair(app, context);
  add_distinguish(app, context);
  add_suite(app, context);
  add_export(app, context);
  add_run(app, context);
  add_import(app, context);
  add_devices(app, context);
  add_host(app);
  add_check_proof(app, context);
  add_check_certificate(app, context);
  take_one_value_each(app);
  const Words words = without_aliases(Words(argv + 1, argv + argc));
  // Asked by shells and when headway is packaged; no commands for people.
  if (!words.empty() && words.front() == "complete") {
    const auto from = std::find(words.begin(), words.end(), "--");
    print(completions(app, Words(from == words.end() ? from : from + 1, words.end())));
    return {};
  }
  if (words.size() == 2 && words.front() == "manual") {
    write_manual(app, words.back());
    return {};
  }
  std::string wrong = wrong_command(app, words);
  if (wrong.empty()) {
    try {
      app.parse(Words(words.rbegin(), words.rend()));  // CLI11 takes them from the end
    } catch (const CLI::Success& success) {            // --help, --version
      app.exit(success);
      return {};
    } catch (const CLI::ParseError& error) {
      wrong = wrong_usage(app, words, error);
    }
  }
  if (!wrong.empty()) {
    std::cerr << "headway: " << wrong << "\n" << where_to_read(app, words) << "\n";
    return Outcome().bad_input();
  }
  return context.outcome;
}

}  // namespace

int run(int argc, char** argv, const lang::Languages& languages) {
  Outcome outcome;
  outcome.guard([&] { outcome = parse_and_run(argc, argv, languages); });
  if (Interrupt::flag()) outcome.interrupted();
  if (!flush_output()) {
    std::perror("headway: cannot write the output");
    return Outcome().bad_input().status();  // over all else, which cannot be read now
  }
  return outcome.status();
}

}  // namespace headway::cli
