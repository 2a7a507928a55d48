// headway host: what `headway run` and `headway devices` start in processes of their own to use
// OpenCL and Vulkan. It speaks as the programs of `headway export` do: lines "runs: 20" and "run 1:
// terminated in 0.000123 s", and their exit statuses.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "base/file.hpp"
#include "campaign/hosts.hpp"
#include "cli/app.hpp"
#include "cli/console.hpp"

namespace headway::cli {
namespace {

// Exit statuses of exported programs, which are not those of the other commands.
constexpr int kRan = 0;
constexpr int kNotRun = 2;
constexpr int kDeviceLost = 3;

struct HostArguments {
  std::string target;
  std::string kernel;
  int instances = 1;
  std::vector<std::uint32_t> initial;
  bool list = false;
  campaign::HostJob job;
};

void describe(const campaign::HostDevice& device) {
  print(fmt::format("device: {}\ndriver: {}\nkind: {}\n", device.name, device.driver, device.kind));
}

void list(const HostArguments& arguments) {
  const auto devices =
      arguments.target == "opencl" ? campaign::opencl_devices() : campaign::vulkan_devices();
  for (const auto& device : devices) describe(device);
}

void run(HostArguments& arguments) {
  campaign::HostJob& job = arguments.job;
  job.kernel = read_file(arguments.kernel);
  for (int i = 0; i < arguments.instances; ++i) {
    job.memory.insert(job.memory.end(), arguments.initial.begin(), arguments.initial.end());
  }
  int done = 0;
  campaign::HostEvents events;
  events.ready = [&](const campaign::HostDevice& device) {
    describe(device);
    print(fmt::format("runs: {}\n", job.runs));
    flush_output();
  };
  events.run = [&](double seconds) {
    print(fmt::format("run {}: terminated in {:.6f} s\n", ++done, seconds));
    flush_output();
  };
  events.cut_short = [&](int unfinished) {
    print(fmt::format("run {}: cut short, {} of {} threads did not finish\n", done + 1, unfinished,
                      job.workgroups * job.workgroup_size));
    flush_output();
  };
  if (arguments.target == "opencl") {
    campaign::run_opencl(job, events);
  } else {
    campaign::run_vulkan(job, events);
  }
}

// Ends the process without a word to the drivers, which may have hung.
[[noreturn]] void host(HostArguments& arguments) {
  int status = kRan;
  try {
    arguments.list ? list(arguments) : run(arguments);
  } catch (const campaign::DeviceLost& error) {
    complain(error);
    status = kDeviceLost;
  } catch (const std::exception& error) {
    complain(error.what());
    status = kNotRun;
  }
  flush_output();
  std::_Exit(status);
}

}  // namespace

void add_host(CLI::App& app) {
  auto arguments = std::make_shared<HostArguments>();
  CLI::App* command = app.add_subcommand("host", "Run one kernel; used by 'headway run'");
  command->group("");  // not in the list of commands
  command->add_option("TARGET", arguments->target, "opencl or vulkan")
      ->check(CLI::IsMember({"opencl", "vulkan"}))
      ->required();
  command->add_flag("--list", arguments->list, "List the devices instead");
  command->add_option("--kernel", arguments->kernel, "A file of OpenCL C, or of SPIR-V");
  command->add_option("--device", arguments->job.device, "Its place in the list of devices");
  command->add_option("--workgroups", arguments->job.workgroups, "Workgroups to launch");
  command->add_option("--workgroup-size", arguments->job.workgroup_size, "Threads of each");
  campaign::HostSubgroups& subgroups = arguments->job.subgroups;
  command->add_option("--subgroup-size", subgroups.size,
                      "Threads of each subgroup that it asks for");
  command->add_flag("--subgroups-fill", subgroups.fill, "They are all of one of the device");
  command->add_flag("--votes", subgroups.votes, "They vote");
  command->add_flag("--shuffles", subgroups.shuffles, "They shuffle");
  command->add_option("--instances", arguments->instances, "Instances of the test");
  command->add_option("--initial", arguments->initial, "The memory of an instance before a run")
      ->delimiter(',');
  command->add_option("--runs", arguments->job.runs, "How often to run it");
  command->callback([arguments] { host(*arguments); });
}

}  // namespace headway::cli
