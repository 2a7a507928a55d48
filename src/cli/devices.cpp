// headway devices: what tests can be run on.
#include "campaign/devices.hpp"

#include <fmt/format.h>

#include "cli/app.hpp"
#include "cli/console.hpp"
#include "cli/inputs.hpp"

namespace headway::cli {
namespace {

int devices(const std::string& format) {
  report::TextTable table;
  table.add_row({{"target"}, {"kind"}, {"device"}, {"driver"}});
  std::vector<std::string> notes;
  for (const emit::Target target : campaign::kRunTargets) {
    const campaign::FoundDevices found = campaign::find_devices(target, own_path());
    for (const campaign::FoundDevice& device : found.devices) {
      table.add_row(
          {{to_string(target)}, {device.kind}, {device.device.name}, {device.device.driver}});
    }
    if (!found.problem.empty()) notes.push_back(to_string(target) + ": " + found.problem);
  }
  print(format == "csv" ? table.to_csv() : table.to_string(output_style()));
  for (const std::string& note : notes) complain(note);
  return kFine;
}

}  // namespace

void add_devices(CLI::App& app, int& status) {
  auto format = std::make_shared<std::string>("table");
  CLI::App* command = app.add_subcommand("devices", "List the devices that 'headway run' can use");
  command->add_option("--format", *format, "table or csv")
      ->check(CLI::IsMember({"table", "csv"}))
      ->capture_default_str();
  command->footer(
      "What a target lacks to be used is said on standard error.\n"
      "Example:\n"
      "  headway devices");
  command->callback([format, &status] { status = devices(*format); });
}

}  // namespace headway::cli
