// headway synth: all litmus tests within bounds, or the minimal ones.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>

#include "base/bits/hash.hpp"
#include "base/parallel.hpp"
#include "cli/app.hpp"
#include "cli/console.hpp"
#include "cli/inputs.hpp"
#include "cli/mistakes.hpp"
#include "cli/options.hpp"
#include "cli/placements.hpp"
#include "cli/shard.hpp"
#include "cli/synth_output.hpp"
#include "lang/axb/source.hpp"
#include "synth/sat/proof.hpp"
#include "synth/synthesize.hpp"

namespace headway::cli {
namespace {

struct SynthArguments {
  int threads = 2;
  std::string instructions;
  int locations = 2;
  int values = 2;
  PlacementArguments placement;
  std::vector<std::string> distinguishes;  // two models, or none
  std::string symmetric = "none";
  std::string engine = "auto";
  std::vector<std::string> minimal;
  std::vector<std::string> require;
  std::vector<std::string> pass;
  std::size_t max_lts_states = 0;  // 0: any number
  std::size_t max_actions = 0;
  std::vector<std::string> fail;
  bool count = false;
  std::string out = "-";
  int jobs = 0;
  std::string checkpoint;
  std::string proof;
  std::string shard;
  std::size_t limit = 0;
};

// Two numbers with dots between them, as in "2..5".
std::optional<std::pair<int, int>> two_numbers(const std::string& text) {
  constexpr std::string_view separator = "..";
  const std::size_t at = text.find(separator);
  if (at == std::string::npos) return std::nullopt;
  std::pair<int, int> result;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, result.first);
  const char* const second_from = text.data() + at + separator.size();
  const auto second = std::from_chars(second_from, end, result.second);
  const bool whole = first.ec == std::errc() && first.ptr == text.data() + at &&
                     second.ec == std::errc() && second.ptr == end;
  if (!whole) return std::nullopt;
  return result;
}

std::vector<synth::Bounds> parse_bounds(const SynthArguments& arguments) {
  std::pair<int, int> range;
  const std::string& text = arguments.instructions;
  if (const auto both = two_numbers(text)) {
    range = *both;
  } else {
    const auto read = std::from_chars(text.data(), text.data() + text.size(), range.first);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) {
      throw Error(
          fmt::format("--instructions: expected a number or a range like 2..5, found '{}'", text));
    }
    range.second = range.first;
  }
  if (range.first > range.second) {
    throw Error(
        fmt::format("--instructions: {} is an empty range; expected the smaller number "
                    "first",
                    text));
  }
  std::vector<synth::Bounds> result;
  const auto add = [&](int instructions, std::vector<synth::Bounds>& to) {
    for (const synth::Bounds& bounds :
         placed({arguments.threads, instructions, arguments.locations, arguments.values},
                arguments.placement)) {
      synth::validate(bounds);
      to.push_back(bounds);
    }
  };
  std::vector<synth::Bounds> largest;  // seen to be in range before all are listed
  add(range.second, largest);
  for (int instructions = range.first; instructions <= range.second; ++instructions) {
    // Of a range those sizes count in which each thread can have an instruction.
    const bool fits = std::any_of(largest.begin(), largest.end(), [&](const auto& bounds) {
      return bounds.threads <= instructions;
    });
    if (fits) add(instructions, result);
  }
  if (result.empty()) {
    throw Error(fmt::format("no placement of {} workgroups has as few threads as {} instructions",
                            arguments.placement.groups, text));
  }
  return result;
}

// The launch with the most levels, for which models are combined.
Topology widest(const std::vector<synth::Bounds>& all) {
  const auto levels = [](const synth::Bounds& bounds) {
    const Topology launch = bounds.topology();
    return std::count_if(kLevels.begin(), kLevels.end(),
                         [&](Level level) { return launch.has(level); });
  };
  return std::max_element(all.begin(), all.end(),
                          [&](const auto& a, const auto& b) { return levels(a) < levels(b); })
      ->topology();
}

// Whether two models say the same at each level that some placement has.
void require_asked(const synth::Request& request) {
  if (request.distinguished.empty()) return;
  const models::Model& a = *request.distinguished.front();
  const models::Model& b = *request.distinguished.back();
  const auto rule = [](const models::Model* model) {
    return model == nullptr ? std::string("alive") : model->definition();
  };
  for (const synth::Bounds& bounds : request.bounds) {
    const Topology launch = bounds.topology();
    for (const Level level : kLevels) {
      if (launch.has(level) && rule(a.at(level)) != rule(b.at(level))) return;
    }
  }
  throw Error(
      fmt::format("{} and {} say the same at each level of {}; expected a placement that "
                  "asks where they differ",
                  a.name(), b.name(), request.bounds.front().topology().to_string()));
}

synth::Request parse_request(const SynthArguments& arguments, models::Library& library) {
  synth::Request request;
  request.bounds = parse_bounds(arguments);
  request.requirements.effective_stores = !arguments.require.empty();
  request.max_lts_states = arguments.max_lts_states;
  request.max_actions = arguments.max_actions;
  request.filters = parse_filters(library, arguments.pass, true);
  for (synth::Filter& filter : parse_filters(library, arguments.fail, false)) {
    request.filters.push_back(std::move(filter));
  }
  if (!arguments.minimal.empty()) {
    const bool default_models = arguments.minimal.front() == "all";
    const auto names = default_models ? std::vector<std::string>{} : arguments.minimal;
    const Topology launch = widest(request.bounds);
    request.minimal_for = find_models(library, names, launch);
  }
  for (const std::string& name : arguments.distinguishes) {
    request.distinguished.push_back(library.find(name));
  }
  require_asked(request);
  request.symmetric = arguments.symmetric == "all"      ? synth::Symmetric::all
                      : arguments.symmetric == "thread" ? synth::Symmetric::thread
                                                        : synth::Symmetric::none;
  for (const synth::Bounds& bounds : request.bounds) {
    require_no_ids(request.minimal_for, bounds.topology(), request.symmetric);
    require_no_ids(request.distinguished, bounds.topology(), request.symmetric);
    for (const synth::Filter& filter : request.filters) {
      require_no_ids({filter.model}, bounds.topology(), request.symmetric);
    }
  }
  if (!arguments.shard.empty()) {
    const Shard shard = parse_shard(arguments.shard);
    request.shard = shard.index - 1;
    request.shards = shard.count;
  }
  return request;
}

// What was asked for that a proof cannot record.
std::vector<std::string> beside_a_proof(const SynthArguments& arguments, std::size_t sizes) {
  const std::vector<std::pair<std::string, bool>> all = {
      {"--minimal", !arguments.minimal.empty()},
      {"--pass", !arguments.pass.empty()},
      {"--fail", !arguments.fail.empty()},
      {"--distinguishes", !arguments.distinguishes.empty()},
      {"--symmetric", arguments.symmetric != "none"},
      {"--max-lts-states", arguments.max_lts_states > 0},
      {"--max-actions", arguments.max_actions > 0},
      {"--lockstep", arguments.placement.lockstep},
      {"--shard", !arguments.shard.empty()},
      {"--limit", arguments.limit > 0},
      {"--checkpoint", !arguments.checkpoint.empty()},
      {"--engine explicit", arguments.engine == "explicit"},
      {"--groups with several placements", sizes > 1 && arguments.placement.groups > 0},
      {"range of --instructions", sizes > 1 && two_numbers(arguments.instructions).has_value()}};
  std::vector<std::string> given;
  for (const auto& [name, is_given] : all) {
    if (is_given) given.push_back(name);
  }
  return given;
}

// Runs the SAT engine once more over whole shapes, with everything on record.
Outcome prove(const SynthArguments& arguments) {
  const std::vector<synth::Bounds> bounds = parse_bounds(arguments);
  const std::vector<std::string> beside = beside_a_proof(arguments, bounds.size());
  if (!beside.empty()) {
    throw Error(
        fmt::format("--proof records a complete search of one size by the SAT engine; expected no "
                    "{} beside it",
                    listed(beside)));
  }
  const Interrupt interrupt(Interrupt::Patience::without_limit);
  Progress progress("shapes", synth::shapes(bounds.front()).size());
  synth::sat::ProofOptions options;
  options.stop = &interrupt.flag();
  options.shape_done = [&](const synth::Shape&) { progress.advance(); };
  synth::Requirements requirements;
  requirements.effective_stores = !arguments.require.empty();
  const synth::sat::ProofSummary summary =
      synth::sat::write_proof(bounds.front(), requirements, arguments.proof, options);
  if (!summary.complete) {
    complain("interrupted: the proof is not complete");
    return Outcome().interrupted();
  }
  std::uint64_t tests = 0, clauses = 0, rejections = 0;
  for (const auto& shape : summary.shapes) {
    tests += shape.tests, clauses += shape.clauses, rejections += shape.rejections;
  }
  if (arguments.count) print(fmt::format("{}\n", tests));
  complain(
      fmt::format("proof of {} tests written to {}: {} shape{}, {} clauses, {} of them rejections",
                  tests, arguments.proof, summary.shapes.size(),
                  summary.shapes.size() == 1 ? "" : "s", clauses, rejections));
  return {};
}

// Searches size by size until one has a test that tells the two models apart.
synth::RunResult smallest_first(const synth::Request& request, const synth::RunOptions& options,
                                const std::function<void(const synth::Batch&)>& deliver) {
  synth::RunResult result;
  synth::Request size = request;
  for (std::size_t at = 0; at < request.bounds.size() && result.tests == 0 && result.complete;) {
    size.bounds.clear();
    const int instructions = request.bounds[at].instructions;
    for (; at < request.bounds.size() && request.bounds[at].instructions == instructions; ++at) {
      size.bounds.push_back(request.bounds[at]);
    }
    result = synth::synthesize(size, options, deliver);
  }
  return result;
}

std::string within(const SynthArguments& arguments, const synth::Request& request) {
  std::vector<std::string> launches;
  for (const synth::Bounds& bounds : request.bounds) {
    const Topology launch = bounds.topology();
    std::string text = launch.is_flat() ? launch.to_string() : "placement " + launch.placement();
    if (!bounds.lanes.empty() && !launch.is_flat()) text += " in lockstep";
    const bool known = std::find(launches.begin(), launches.end(), text) != launches.end();
    if (!known) launches.push_back(std::move(text));
  }
  return fmt::format("{}, {} instructions, {} locations and {} values", fmt::join(launches, ", "),
                     arguments.instructions, arguments.locations, arguments.values);
}

// The first line of a part; nothing of a whole run.
std::string part_heading(const SynthArguments& arguments, const synth::Request& request) {
  if (arguments.shard.empty()) return {};
  synth::Request whole = request;
  whole.shard = 0;
  return shard_heading(
      parse_shard(arguments.shard), "tests",
      fmt::format("{:016x}", stable_hash(fmt::format("{} {}", whole.key(), arguments.limit))));
}

Outcome synthesize(const SynthArguments& arguments) {
  if (!arguments.proof.empty()) return prove(arguments);
  models::Library library;
  const synth::Request request = parse_request(arguments, library);
  const bool by_size = !request.distinguished.empty();
  if (by_size && !arguments.checkpoint.empty()) {
    throw Error("--distinguishes goes size by size; expected no --checkpoint beside it");
  }
  const bool one_size = request.bounds.front().instructions == request.bounds.back().instructions;
  if (by_size && !arguments.shard.empty() && !one_size) {
    throw Error(
        "--distinguishes stops at the first size that has tests, which another part may not have "
        "come to; expected one number of --instructions beside --shard");
  }
  const Interrupt interrupt(Interrupt::Patience::without_limit);
  Progress progress("cubes", synth::cube_count(request, arguments.count));
  synth::RunOptions options;
  options.engine = engine_kind(arguments.engine);
  options.jobs = cores_for(arguments.jobs);
  options.count_only = arguments.count;
  if (arguments.limit > 0) options.limit = arguments.limit;
  options.checkpoint = arguments.checkpoint;
  options.stop = &interrupt.flag();
  options.progress = &progress;
  std::optional<SynthOutput> output;
  if (!arguments.count) {
    const bool goes_on =
        !arguments.checkpoint.empty() && std::filesystem::exists(arguments.checkpoint);
    output.emplace(arguments.out, goes_on, part_heading(arguments, request));
  }

  const auto deliver = [&](const synth::Batch& batch) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      lang::Test test =
          lang::axb::make_test(synth::to_code(*batch.bounds, *batch.shape, batch.code(i)));
      test.name = name_of(*batch.bounds, test);
      output->add(test);
    }
  };
  const synth::RunResult result = by_size ? smallest_first(request, options, deliver)
                                          : synth::synthesize(request, options, deliver);
  const bool limited = arguments.limit > 0 && result.tests == arguments.limit;
  if (arguments.count) print(fmt::format("{}\n", result.tests));
  std::string where;
  if (output) where = output->finish(result.complete || limited);
  if (result.complete || limited) {
    if (by_size && result.tests == 0) {
      complain(fmt::format("no litmus test within {} tells {} and {} apart",
                           within(arguments, request), request.distinguished.front()->name(),
                           request.distinguished.back()->name()));
      return Outcome().unmet();
    }
    if (output && arguments.out != "-") {
      complain(fmt::format("{} tests written to {}", result.tests, where));
    }
    return {};
  }
  complain(fmt::format("interrupted: {} tests{}{}", result.tests,
                       output && arguments.out != "-" ? " written to " + where : "",
                       arguments.checkpoint.empty() ? ""
                                                    : "; the same command goes on from the "
                                                      "checkpoint"));
  return Outcome().interrupted();
}

}  // namespace

synth::EngineKind engine_kind(const std::string& name) {
  if (name == "sat") return synth::EngineKind::sat;
  return name == "explicit" ? synth::EngineKind::explicit_search : synth::EngineKind::automatic;
}

std::vector<synth::Filter> parse_filters(models::Library& library,
                                         const std::vector<std::string>& readings, bool passes) {
  std::vector<synth::Filter> filters;
  for (const std::string& reading : readings) {
    const std::size_t colon = reading.rfind(':');
    const std::string fairness = colon == std::string::npos ? "" : reading.substr(colon + 1);
    const bool one = fairness == "weak" || fairness == "strong";
    const models::ModelPtr model = library.find(one ? reading.substr(0, colon) : reading);
    for (const models::Fairness each : models::kFairnesses) {
      if (!one || to_string(each) == fairness) filters.push_back({model, each, passes});
    }
  }
  return filters;
}

void add_synth(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<SynthArguments>();
  CLI::App* command =
      app.add_subcommand("synth", "Find every litmus test within bounds, or the minimal ones");
  CLI::Option* const threads =
      command->add_option("-n,--threads", arguments->threads, "Number of threads")
          ->capture_default_str();
  command
      ->add_option("-k,--instructions", arguments->instructions,
                   "Instructions in total, or a range like 2..5")
      ->required();
  add_placement_options(*command, arguments->placement, threads);
  command
      ->add_option("--symmetric", arguments->symmetric,
                   "Of tests that differ in the order of threads in their group (thread), or also "
                   "of groups (all), keep one")
      ->check(one_of({"none", "thread", "all"}))
      ->capture_default_str();
  command->add_option("--locations", arguments->locations, "Locations at most")
      ->capture_default_str();
  command->add_option("--values", arguments->values, "Values of a location")->capture_default_str();
  add_engine_option(*command, arguments->engine);
  command
      ->add_option("--minimal", arguments->minimal,
                   "Keep only tests that are minimal for these models, named as with -m of other "
                   "commands: --minimal=HSA,OBE [all six, at each level]")
      ->expected(0, -1)
      ->default_str("all");
  command
      ->add_option("--require", arguments->require,
                   "effective-stores: every exchange changes memory in some state")
      ->check(one_of({"effective-stores"}));
  const auto count = CLI::Range(std::size_t{1}, checker::kHighestMaxStates);
  command
      ->add_option("--max-lts-states", arguments->max_lts_states,
                   "Keep only tests whose transition system has at most so many states")
      ->check(count);
  command
      ->add_option("--max-actions", arguments->max_actions,
                   "Keep only tests whose transition system has at most so many transitions")
      ->check(count);
  add_readings_option(
      *command, "--pass", arguments->pass,
      "Keep only tests that pass under MODEL, MODEL:weak or MODEL:strong; may be repeated");
  add_readings_option(
      *command, "--fail", arguments->fail,
      "Keep only tests that fail under MODEL, MODEL:weak or MODEL:strong; may be repeated");
  command
      ->add_option("--distinguishes", arguments->distinguishes,
                   "The smallest tests to which these two models give different verdicts")
      ->expected(2)
      ->type_name("MODEL MODEL");
  command->add_flag("--count", arguments->count, "Print only how many there are");
  add_out_option(*command, arguments->out,
                 "A folder for litmus files, a file that ends in .jsonl or .yaml, or - for JSON "
                 "lines on standard output");
  add_jobs_option(*command, arguments->jobs);
  command->add_option("--checkpoint", arguments->checkpoint,
                      "A file to keep finished work in; the same command goes on from it");
  command->add_option("--proof", arguments->proof,
                      "A folder to write a proof to that nothing was missed, instead of the tests; "
                      "see 'headway check-proof'");
  command->add_option("--shard", arguments->shard,
                      "I/N: only the I-th of N parts, joined by 'headway merge'");
  command->add_option("--limit", arguments->limit, "Stop after so many tests")
      ->check(CLI::Range(std::size_t{1}, ~std::size_t{0} / 2));
  command->footer(
      "Example: the minimal tests of two threads and three instructions\n"
      "  headway synth --threads 2 --instructions 3 --minimal --out minimal/");
  command->callback([arguments, command, &context] {
    if (command->count("--minimal") > 0 && arguments->minimal.empty()) arguments->minimal = {"all"};
    context.outcome = synthesize(*arguments);
  });
}

}  // namespace headway::cli
