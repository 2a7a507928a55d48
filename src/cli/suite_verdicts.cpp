// headway suite verdicts: the verdict matrix of a suite, kept beside it.
#include <fmt/format.h>

#include "base/bits/sha256.hpp"
#include "base/text/key.hpp"
#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "cli/shard.hpp"
#include "cli/suite.hpp"
#include "models/scoped.hpp"
#include "report/suite.hpp"
#include "suite/verdict_store.hpp"

namespace headway::cli {
namespace {

struct VerdictsArguments : SuiteArguments {
  using SuiteArguments::SuiteArguments;
  bool keep = false;
  std::string shard;
};

// What decides the verdicts of a suite, all parts of which have this in common.
std::string identity_of(const suite::Suite& suite, const std::vector<models::ModelPtr>& models,
                        std::size_t max_states) {
  Key key;
  key.numbers(max_states);
  key.list(suite.tests,
           [&](const lang::Test& test) { key.texts(test.name, lang::program_key(test)); });
  key.list(models, [&](const models::ModelPtr& model) { key.texts(models::rule_key(*model)); });
  return sha256(key.text());
}

// Decides a part and prints it, whole or not at all.
Outcome verdicts_of_part(SuiteRun& run, suite::Suite suite,
                         const std::vector<models::ModelPtr>& models,
                         const VerdictsArguments& arguments) {
  const Shard shard = parse_shard(arguments.shard);
  const std::string identity = identity_of(suite, models, arguments.max_states);
  std::vector<std::size_t> own;
  const auto [from, to] = shard.range(suite.tests.size());
  for (std::size_t test = from; test < to; ++test) own.push_back(test);
  suite = suite::select(std::move(suite), own);
  const suite::VerdictMatrix matrix = run.decide(suite, models);
  if (SuiteRun::stop()) return run.finish();
  std::string lines;
  report::suite_verdict_csv(suite, matrix, [&](const std::string& line) { lines += line; });
  print(shard_text(shard, "verdicts", identity, lines));
  return run.finish();
}

Outcome verdicts(const VerdictsArguments& arguments) {
  SuiteRun run(arguments);
  const auto models = find_models(run.library(), arguments.models);
  suite::Suite suite = run.load(arguments.path);
  if (run.nothing_read(suite)) return run.finish();
  if (!arguments.shard.empty()) {
    if (arguments.format != "csv" || arguments.keep) {
      throw Error("--shard goes with --format csv and without --keep");
    }
    return verdicts_of_part(run, std::move(suite), models, arguments);
  }
  const bool keep = arguments.keep || std::filesystem::exists(suite::verdict_path(suite.path));
  const suite::VerdictMatrix matrix = run.decide(suite, models, keep);
  if (arguments.format == "csv") {
    report::suite_verdict_csv(suite, matrix, print);
  } else if (arguments.format == "json") {
    report::suite_verdict_json(suite, matrix, print);
  } else {
    print(report::suite_verdict_table(suite, matrix).to_string(output_style()));
  }
  return run.finish();
}

}  // namespace

void add_suite_verdicts(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<VerdictsArguments>(context);
  CLI::App* command = app.add_subcommand("verdicts", "The verdicts of every test");
  add_suite_path(*command, arguments->path);
  add_models_option(*command, arguments->models);
  add_format_option(*command, arguments->format);
  add_suite_limits(*command, arguments->jobs, arguments->max_states);
  command->add_flag("--keep", arguments->keep,
                    "Keep the verdicts beside the suite for the next run");
  command->add_option("--shard", arguments->shard,
                      "I/N: only the I-th of N parts, as CSV, joined by 'headway merge'");
  command->footer(
      "With --keep the verdicts are kept in verdicts.json in the folder, or in\n"
      "FILE.verdicts.json beside a file, and from then on brought up to date. Every command of "
      "'headway suite' uses them, for unchanged tests and models only.\n"
      "Example:\n"
      "  headway suite verdicts litmus/ --format csv");
  command->callback([arguments, &context] { context.outcome = verdicts(*arguments); });
}

}  // namespace headway::cli
