// headway check-proof: checks that a synthesis missed nothing.
#include <filesystem>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "cli/app.hpp"
#include "cli/console.hpp"
#include "synth/sat/proof_check.hpp"

namespace headway::cli {
namespace {

Outcome check_proof(const std::string& folder) {
  if (!std::filesystem::exists(std::filesystem::path(folder) / "proof.json")) {
    throw Error({folder, 0, 0},
                "there is no proof.json in this folder; expected what 'headway synth --proof' "
                "wrote");
  }
  const Interrupt interrupt;
  Progress progress("shapes", 0);
  synth::sat::ProofCheckOptions options;
  options.stop = &interrupt.flag();
  options.shape_done = [&](const synth::Shape&) { progress.advance(); };
  const synth::sat::ProofReport report = synth::sat::check_proof(folder, options);
  if (report.stopped) {
    complain("interrupted: the proof was not checked to its end");
    return Outcome().interrupted();
  }
  if (!report.accepted) {
    complain(report.problem);
    print("rejected\n");
    return Outcome().unmet();
  }
  print("accepted\n" + report.to_string() + "\n");
  return {};
}

}  // namespace

void add_check_proof(CLI::App& app, Context& context) {
  auto folder = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("check-proof", "Check that a synthesis missed no litmus test");
  command->add_option("DIR", *folder, "What 'headway synth --proof DIR' wrote")
      ->required()
      ->check(CLI::ExistingDirectory);
  command->footer(
      "Exit status 1 when the proof is rejected.\n"
      "Example:\n"
      "  headway synth -k 3 --proof proof/\n"
      "  headway check-proof proof/");
  command->callback([folder, &context] { context.outcome = check_proof(*folder); });
}

}  // namespace headway::cli
