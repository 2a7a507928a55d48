// headway distinguish: a smallest test that tells models apart.
#include "synth/distinguish.hpp"

#include <fmt/format.h>

#include "base/parallel.hpp"
#include "base/text/csv.hpp"
#include "cli/app.hpp"
#include "cli/console.hpp"
#include "cli/inputs.hpp"
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
  std::string engine = "auto";
  std::string format = "table";
  int jobs = 0;
};

std::string named(const synth::Bounds& bounds, const lang::Test& test) {
  return fmt::format("{}t_{}i_{:016x}", bounds.threads, bounds.instructions, lang::identity(test));
}

void expect(lang::Test& test, const std::vector<synth::Filter>& filters) {
  for (const bool passes : {true, false}) {
    for (const synth::Filter& filter : filters) {
      if (filter.passes != passes) continue;
      test.expectations.push_back({filter.model->name(), filter.fairness, passes, {}, {}});
    }
  }
}

std::string limits(const synth::Maxima& maxima) {
  return fmt::format("{} threads, {} instructions, {} locations and {} values", maxima.threads,
                     maxima.instructions, maxima.locations, maxima.values);
}

int one(const DistinguishArguments& arguments, const synth::RunOptions& options) {
  models::Library library;
  std::vector<synth::Filter> filters;
  for (const std::string& reading : arguments.pass) {
    filters.push_back(parse_filter(library, reading, true));
  }
  for (const std::string& reading : arguments.fail) {
    filters.push_back(parse_filter(library, reading, false));
  }
  synth::Distinguished result =
      synth::distinguish(filters, arguments.maxima, options, arguments.any);
  if (!result.complete) {
    complain(arguments.any ? "interrupted: none found so far"
                           : fmt::format("interrupted: none with fewer than {} instructions",
                                         result.bounds.instructions));
    return kInterrupted;
  }
  if (!result.test) {
    complain(
        fmt::format("no litmus test within {} tells these models apart", limits(arguments.maxima)));
    return kUnmet;
  }
  lang::Test test = lang::axb::make_test(std::move(*result.test));
  test.name = named(result.bounds, test);
  expect(test, filters);
  print(lang::print(test));
  return kFine;
}

int all(const DistinguishArguments& arguments, const synth::RunOptions& options) {
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
      fields[4] = entry.ruled_out
                      ? fmt::format("none up to {} threads of any size", arguments.maxima.threads)
                      : "none found";
    }
    text += csv_line(fields);
    std::vector<report::Cell> row;
    for (const std::string& field : fields) row.push_back({field, report::Color::none});
    rows.add_row(std::move(row));
  }
  print(csv ? text : rows.to_string(output_style()));
  if (table.complete) return kFine;
  complain("interrupted: 'none found' is not certain");
  return kInterrupted;
}

int distinguish(const DistinguishArguments& arguments) {
  if (arguments.all && arguments.any) throw Error("expected --all or --any, not both");
  if (!arguments.all && (arguments.pass.empty() || arguments.fail.empty())) {
    throw Error(
        "expected at least one --pass MODEL:FAIRNESS and one --fail MODEL:FAIRNESS, or "
        "--all");
  }
  for (const synth::Bounds& bounds : synth::sizes(arguments.maxima)) validate(bounds);
  const Interrupt interrupt;
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
  command
      ->add_option("--pass", arguments->pass,
                   "The test passes under MODEL:weak or MODEL:strong; may be repeated")
      ->allow_extra_args(false);
  command
      ->add_option("--fail", arguments->fail,
                   "The test fails under MODEL:weak or MODEL:strong; may be repeated")
      ->allow_extra_args(false);
  command->add_flag("--any", arguments->any,
                    "Not always a smallest test, but found sooner where smaller sizes are long to "
                    "rule out");
  command->add_flag("--all", arguments->all, "A test for every ordered pair of readings");
  command->add_option("-m,--model", arguments->models, "With --all: these models [all six]")
      ->allow_extra_args(false);
  command->add_option("--max-threads", arguments->maxima.threads, "Threads at most")
      ->check(CLI::Range(2, synth::kMaxSynthInstructions))
      ->capture_default_str();
  command->add_option("--max-instructions", arguments->maxima.instructions, "Instructions at most")
      ->check(CLI::Range(2, synth::kMaxSynthInstructions))
      ->capture_default_str();
  command->add_option("--locations", arguments->maxima.locations, "Locations at most")
      ->check(CLI::Range(1, synth::kMaxSynthLocations))
      ->capture_default_str();
  command->add_option("--values", arguments->maxima.values, "Values of a location")
      ->check(CLI::Range(2, synth::kMaxSynthValues))
      ->capture_default_str();
  command->add_option("--engine", arguments->engine, "auto, explicit or sat")
      ->check(CLI::IsMember({"auto", "explicit", "sat"}))
      ->capture_default_str();
  command->add_option("--format", arguments->format, "With --all: table or csv")
      ->check(CLI::IsMember({"table", "csv"}))
      ->capture_default_str();
  command->add_option("-j,--jobs", arguments->jobs, "Cores to use [all]")
      ->check(CLI::Range(1, 1024));
  command->footer(
      "Exit status 1 when there is no such test within the maxima.\n"
      "Example: a smallest test that needs strong fairness and occupancy\n"
      "  headway distinguish --pass OBE:strong --fail HSA:strong --fail fair:weak");
  command->callback([arguments, &context] { context.status = distinguish(*arguments); });
}

}  // namespace headway::cli
