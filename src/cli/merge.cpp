// headway merge: joins the parts of a run that was made in shards.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "cli/app.hpp"
#include "cli/console.hpp"
#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "cli/shard.hpp"
#include "cli/synth_output.hpp"
#include "lang/axb/source.hpp"
#include "suite/documents.hpp"
#include "synth/space/bounds.hpp"

namespace headway::cli {
namespace {

struct MergeArguments : TestArguments {
  using TestArguments::TestArguments;
  std::vector<std::string> parts;
  std::string out = "-";
};

// A test with what it is sorted by.
struct Placed {
  int threads;
  int instructions;
  std::vector<std::vector<int>> sizes;  // of groups, where some test is placed
  std::vector<int> lanes;               // by thread
  bool is_placed;
  synth::Shape shape;
  synth::Instructions code;
  lang::Test test;
};

Placed place(lang::Test test) {
  const lang::axb::Code& code = lang::axb::placed_code_of(test, "merge is");
  Placed placed{test.thread_count(),
                test.instruction_count(),
                code.topology().sizes(),
                {},
                code.placement.has_value() || code.in_lockstep(),
                {},
                {},
                {}};
  for (const lang::axb::Thread& thread : code.threads) {
    placed.lanes.push_back(thread.lanes);
    placed.shape.push_back(thread.length());
    placed.code.insert(placed.code.end(), thread.instructions.begin(), thread.instructions.end());
  }
  placed.test = std::move(test);
  return placed;
}

bool before(const Placed& a, const Placed& b) {
  const auto size = [](const Placed& test) {
    return std::tuple(test.sizes.empty() ? test.threads : 0, test.instructions, test.sizes,
                      test.lanes);
  };
  const auto size_a = size(a), size_b = size(b);
  if (size_a != size_b) return size_a < size_b;
  return synth::comes_before(a.shape, a.code, b.shape, b.code);
}

// Parts of verdicts, of tests or kernels.
Outcome merge_shards(const MergeArguments& arguments) {
  const std::string text = joined_shards(arguments.parts);
  if (arguments.out == "-") {
    print(text);
  } else {
    require_folder_of(arguments.out);
    write_file(arguments.out, text);
  }
  return {};
}

Outcome merge(const MergeArguments& arguments) {
  if (std::any_of(arguments.parts.begin(), arguments.parts.end(), is_shard)) {
    if (!is_shard_of_tests(arguments.parts.front())) return merge_shards(arguments);
    require_all_parts(arguments.parts);
  }
  std::vector<Placed> tests;
  for (const std::string& part : arguments.parts) {
    std::vector<Error> errors;
    if (std::filesystem::is_directory(part)) {
      for (const auto& path : find_tests({part}, errors))
        tests.push_back(place(suite::load_test(path, {}, arguments.languages)));
    } else {
      const std::string text = read_file(part, ~std::size_t{0});
      for (lang::Test& test :
           suite::read_documents(text, part, errors, nullptr, arguments.languages)) {
        tests.push_back(place(std::move(test)));
      }
      if (!errors.empty()) throw errors.front();
    }
  }
  // In the order of synth: flat tests by size, placed ones placement by placement of each size.
  if (std::none_of(tests.begin(), tests.end(), [](const Placed& test) { return test.is_placed; })) {
    for (Placed& test : tests) test.sizes.clear();
  }
  // Of copies the first one stays. What synthesis finds starts with zeros in memory, others may
  // not.
  const auto precedes = [](const Placed& a, const Placed& b) {
    if (before(a, b) || before(b, a)) return before(a, b);
    return lang::program_key(a.test) < lang::program_key(b.test);
  };
  std::stable_sort(tests.begin(), tests.end(), precedes);
  const auto same = [&](const Placed& a, const Placed& b) { return !precedes(a, b); };
  tests.erase(std::unique(tests.begin(), tests.end(), same), tests.end());
  SynthOutput output(arguments.out);
  for (const Placed& placed : tests) output.add(placed.test);
  output.finish(true);
  if (arguments.out != "-") {
    complain(fmt::format("{} test{} written to {}", tests.size(), tests.size() == 1 ? "" : "s",
                         arguments.out));
  }
  return {};
}

}  // namespace

void add_merge(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<MergeArguments>(context);
  CLI::App* command =
      app.add_subcommand("merge", "Join the parts of a run that was made in shards");
  command
      ->add_option("PART", arguments->parts,
                   "What synth, suite verdicts or verify wrote with --shard")
      ->required()
      ->check(CLI::ExistingPath);
  add_out_option(
      *command, arguments->out,
      "Of tests, as for synth: a folder, a .jsonl or .yaml file, or -; of verdicts a file or -");
  command->footer(
      "Example:\n"
      "  headway synth -k 3 --shard 1/2 --out a.jsonl\n"
      "  headway synth -k 3 --shard 2/2 --out b.jsonl\n"
      "  headway merge a.jsonl b.jsonl --out all.jsonl");
  command->callback([arguments, &context] { context.outcome = merge(*arguments); });
}

}  // namespace headway::cli
