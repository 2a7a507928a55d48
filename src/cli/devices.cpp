// headway devices: what tests can be run on.
#include "campaign/devices.hpp"

#include <fmt/format.h>

#include "cli/app.hpp"
#include "cli/console.hpp"
#include "cli/inputs.hpp"
#include "cli/options.hpp"

namespace headway::cli {
namespace {

Outcome devices(const std::string& format) {
  std::vector<campaign::FoundDevices> all;
  for (const emit::Target target : campaign::kRunTargets) {
    all.push_back(campaign::find_devices(target, own_path()));
  }
  report::TextTable table;
  table.add_row({{"target"}, {"kind"}, {"device"}, {"driver"}});
  for (const campaign::FoundDevices& found : all) {
    for (const campaign::FoundDevice& device : found.devices) {
      table.add_row(
          {{to_string(found.target)}, {device.kind}, {device.device.name}, {device.device.driver}});
    }
  }
  print(format == "json"  ? campaign::print_devices(all)
        : format == "csv" ? table.to_csv()
                          : table.to_string(output_style()));
  for (const campaign::FoundDevices& found : all) {
    if (!found.problem.empty()) complain(to_string(found.target) + ": " + found.problem);
  }
  return {};
}

}  // namespace

void add_devices(CLI::App& app, Context& context) {
  auto format = std::make_shared<std::string>("table");
  CLI::App* command = app.add_subcommand("devices", "List the devices that 'headway run' can use");
  add_format_option(*command, *format);
  command->footer(
      "What a target lacks to be used is said on standard error.\n"
      "Example:\n"
      "  headway devices");
  command->callback([format, &context] { context.outcome = devices(*format); });
}

}  // namespace headway::cli
