// headway distinguish: a smallest test that tells models apart.
#include "synth/distinguish.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.hpp"
#include "base/text/csv.hpp"
#include "cli/app.hpp"
#include "cli/console.hpp"
#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "cli/placements.hpp"
#include "lang/axb/printer.hpp"
#include "lang/axb/source.hpp"

namespace headway::cli {
namespace {

struct DistinguishArguments {
  std::vector<std::string> pass;
  std::vector<std::string> fail;
  std::vector<std::string> models;
  bool all = false;
  bool any = false;
  synth::Maxima maxima;
  PlacementArguments placement;
  std::string engine = "auto";
  std::string format = "table";
  int jobs = 0;
};

void expect(lang::Test& test, const std::vector<synth::Filter>& filters) {
  for (const bool passes : {true, false}) {
    for (const synth::Filter& filter : filters) {
      if (filter.passes != passes) continue;
      // Both readings of a model follow each other, and are said at once.
      const bool other = !test.expectations.empty() &&
                         filter.fairness == models::Fairness::strong &&
                         test.expectations.back().passes == passes &&
                         test.expectations.back().model == filter.model->name() &&
                         test.expectations.back().fairness == models::Fairness::weak;
      if (other) {
        test.expectations.back().fairness.reset();
      } else {
        test.expectations.push_back({filter.model->name(), filter.fairness, passes, {}, {}});
      }
    }
  }
}

std::string placements_text(const synth::Maxima& maxima) {
  std::vector<std::string> launches;
  launches.reserve(maxima.placements.size());
  for (const Topology& launch : maxima.placements) launches.push_back(launch.placement());
  return fmt::format("placement {}{}", fmt::join(launches, ", "),
                     maxima.lockstep ? " in lockstep" : "");
}

std::string launches_text(const synth::Maxima& maxima) {
  return maxima.placements.empty() ? fmt::format("of up to {} threads", maxima.threads)
                                   : "with " + placements_text(maxima);
}

std::string limits(const synth::Maxima& maxima) {
  return fmt::format("{}, {} instructions, {} locations and {} values",
                     maxima.placements.empty() ? fmt::format("{} threads", maxima.threads)
                                               : placements_text(maxima),
                     maxima.instructions, maxima.locations, maxima.values);
}

// Whether no test of any size can do it, on any launch.
bool is_ruled_out(const std::vector<synth::Filter>& filters, const synth::Maxima& maxima) {
  const std::vector<Topology> launches = synth::launches(maxima);
  return std::all_of(launches.begin(), launches.end(), [&](const Topology& launch) {
    return synth::ruled_out_by_order(filters, launch, maxima.barriers.any());
  });
}

Outcome one(const DistinguishArguments& arguments, const synth::RunOptions& options) {
  models::Library library;
  find_models(library, arguments.models);  // files whose models --pass and --fail may name
  std::vector<synth::Filter> filters = parse_filters(library, arguments.pass, true);
  for (synth::Filter& filter : parse_filters(library, arguments.fail, false)) {
    filters.push_back(std::move(filter));
  }
  synth::Distinguished result =
      synth::distinguish(filters, arguments.maxima, options, arguments.any);
  if (!result.complete) {
    complain(arguments.any ? "interrupted: none found so far"
                           : fmt::format("interrupted: none with fewer than {} instructions",
                                         result.bounds.instructions));
    return Outcome().interrupted();
  }
  if (!result.test) {
    complain(is_ruled_out(filters, arguments.maxima)
                 ? fmt::format("no litmus test {} tells these models apart, of whatever size: what "
                               "passes under the one passes under the other",
                               launches_text(arguments.maxima))
                 : fmt::format("no litmus test within {} tells these models apart",
                               limits(arguments.maxima)));
    return Outcome().unmet();
  }
  lang::Test test = lang::axb::make_test(std::move(*result.test));
  test.name = name_of(result.bounds, test);
  expect(test, filters);
  std::vector<std::string> files;
  for (const auto* readings : {&arguments.pass, &arguments.fail}) {
    for (std::string model : *readings) {
      for (const std::string& fairness : {std::string(":weak"), std::string(":strong")}) {
        if (model.ends_with(fairness)) model.resize(model.size() - fairness.size());
      }
      const bool is_file =
          model.find('/') != std::string::npos || model.find(".y") != std::string::npos;
      const bool known = std::find(files.begin(), files.end(), model) != files.end();
      if (is_file && !known) files.push_back(model);
    }
  }
  if (!files.empty()) {
    test.comment.push_back(" Models of files: check with --model " +
                           fmt::format("{}", fmt::join(files, " --model ")));
  }
  print(lang::print(test));
  return {};
}

Outcome all(const DistinguishArguments& arguments, const synth::RunOptions& options) {
  models::Library library;
  const auto models = find_models(library, arguments.models);
  const synth::PairTable table = synth::distinguish_all(models, arguments.maxima, options);
  const bool csv = arguments.format == "csv";
  report::TextTable rows;
  rows.add_row({{"passes", report::Color::dim},
                {"fails", report::Color::dim},
                {"instructions", report::Color::dim},
                {"threads", report::Color::dim},
                {"smallest test", report::Color::dim}});
  std::string text = csv_line({"passes", "fails", "instructions", "threads", "litmus"});
  for (const auto& entry : table.entries) {
    const auto name = [&](const models::Reading& reading) {
      return models[reading.model]->name() + ":" + to_string(reading.fairness);
    };
    std::vector<std::string> fields = {name(entry.passes), name(entry.fails), "", "", ""};
    if (entry.test) {
      fields[2] = std::to_string(entry.test->instruction_count());
      fields[3] = std::to_string(entry.test->thread_count());
      std::string program;
      for (const lang::axb::Thread& thread : entry.test->threads) {
        if (!program.empty()) program += " || ";
        for (int i = 0; i < thread.length(); ++i) {
          program +=
              fmt::format("{}{}", i > 0 ? " " : "",
                          print_statement(*entry.test, thread.instructions[i], i, thread.length()));
        }
      }
      fields[4] = program;
    } else {
      const bool placed = !arguments.maxima.placements.empty();
      fields[4] = !entry.ruled_out ? "none found"
                  : placed
                      ? "none of any size"
                      : fmt::format("none up to {} threads of any size", arguments.maxima.threads);
    }
    text += csv_line(fields);
    std::vector<report::Cell> row;
    row.reserve(fields.size());
    for (const std::string& field : fields) row.push_back({field, report::Color::none});
    rows.add_row(std::move(row));
  }
  print(csv ? text : rows.to_string(output_style()));
  if (table.complete) return {};
  complain("interrupted: 'none found' is not certain");
  return Outcome().interrupted();
}

Outcome distinguish(DistinguishArguments arguments) {
  if (arguments.all && arguments.any) throw Error("expected --all or --any, not both");
  if (!arguments.all && (arguments.pass.empty() || arguments.fail.empty())) {
    throw Error(
        "expected at least one --pass MODEL and one --fail MODEL, such as OBE or OBE:strong, or "
        "--all");
  }
  arguments.maxima.placements = parse_placements(arguments.placement);
  arguments.maxima.barriers = parse_barriers(arguments.placement);
  arguments.maxima.lockstep = arguments.placement.lockstep;
  if (arguments.any && arguments.maxima.lockstep) {
    throw Error("tests in lockstep are enumerated by size; expected no --any beside --lockstep");
  }
  for (const synth::Bounds& bounds : synth::sizes(arguments.maxima)) validate(bounds);
  if (synth::sizes(arguments.maxima).empty()) {
    throw Error(fmt::format("no placement has as few threads as {} instructions",
                            arguments.maxima.instructions));
  }
  const Interrupt interrupt(Interrupt::Patience::without_limit);
  synth::RunOptions options;
  options.engine = engine_kind(arguments.engine);
  options.jobs = cores_for(arguments.jobs);
  options.stop = &interrupt.flag();
  Progress progress("searches", 0);
  options.progress = &progress;
  return arguments.all ? all(arguments, options) : one(arguments, options);
}

}  // namespace

void add_distinguish(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<DistinguishArguments>();
  CLI::App* command =
      app.add_subcommand("distinguish", "Find a smallest litmus test that tells models apart");
  add_readings_option(*command, "--pass", arguments->pass,
                      "The test passes under MODEL, MODEL:weak or MODEL:strong; may be repeated");
  add_readings_option(*command, "--fail", arguments->fail,
                      "The test fails under MODEL, MODEL:weak or MODEL:strong; may be repeated");
  command->add_flag("--any", arguments->any,
                    "Not always a smallest test, but found sooner where smaller sizes are long to "
                    "rule out");
  command->add_flag("--all", arguments->all, "A test for every ordered pair of readings");
  add_models_option(
      *command, arguments->models,
      "With --all: these models [all six]; else files whose models --pass and --fail name");
  CLI::Option* const threads =
      add_number_option(*command, "--max-threads", arguments->maxima.threads, 2,
                        synth::kMaxSynthInstructions, "Threads at most");
  add_placement_options(*command, arguments->placement, threads);
  add_number_option(*command, "--max-instructions", arguments->maxima.instructions, 2,
                    synth::kMaxSynthInstructions, "Instructions at most");
  add_number_option(*command, "--locations", arguments->maxima.locations, 1,
                    synth::kMaxSynthLocations, "Locations at most");
  add_number_option(*command, "--values", arguments->maxima.values, 2, synth::kMaxSynthValues,
                    "Values of a location");
  add_engine_option(*command, arguments->engine);
  add_format_option(*command, arguments->format, {"table", "csv"}, "With --all: table or csv");
  add_jobs_option(*command, arguments->jobs);
  command->footer(
      "Exit status 1 when there is no such test within the maxima.\n"
      "Example: a smallest test that needs strong fairness and occupancy\n"
      "  headway distinguish --pass OBE:strong --fail HSA:strong --fail fair:weak");
  command->callback([arguments, &context] { context.outcome = distinguish(*arguments); });
}

}  // namespace headway::cli
