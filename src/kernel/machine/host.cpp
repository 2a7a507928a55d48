#include "kernel/machine/host.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

namespace headway::kernel {
namespace {

using namespace std::string_view_literals;
constexpr std::string_view kProgramName = "./program\0"sv;

ObjectInfo host_variable(const Object& object, bool on_device) {
  ObjectInfo info;
  info.name = object.name;
  info.symbol = object.symbol;
  info.space = on_device ? object.space : Space::host;
  info.bytes = object.bytes;
  info.read_only = object.read_only;
  info.fill = object.initial ? Fill::bytes : Fill::zero;
  if (object.initial) {
    info.initial = std::make_shared<const std::vector<std::uint8_t>>(*object.initial);
  }
  return info;
}

std::vector<Instance> add_variables(Launch& launch, const Module& module, bool on_device) {
  std::vector<Instance> result;
  for (const Object& object : module.objects) {
    const bool has_none = on_device && object.space == Space::workgroup;
    result.push_back(has_none ? kNone : add_object(launch, host_variable(object, on_device)));
  }
  for (std::size_t m = 0; m < module.objects.size(); ++m) {
    if (result[m] != kNone) write_pointers(launch.memory, module.objects[m], result[m], result);
  }
  return result;
}

// To the host a managed variable is the one of the device.
void share_managed(HostWorld& world) {
  for (const Module::Binding& binding : world.host->variables) {
    if (!binding.managed) continue;
    for (std::size_t h = 0; h < world.host->objects.size(); ++h) {
      if (world.host->objects[h].symbol != binding.host) continue;
      for (std::size_t d = 0; d < world.device->objects.size(); ++d) {
        if (world.device->objects[d].symbol != binding.device) continue;
        world.launch->variables[h] = world.device_variables[d];
        world.managed.insert(world.device_variables[d]);
      }
    }
  }
}

// A certain fault says more than a possible one, and the first of each kind is enough.
void add_fault(HostResult& result, HostFault fault) {
  if (fault.fault.kind == FaultKind::excluded) return;
  if (fault.fault.kind == FaultKind::unsupported || fault.fault.kind == FaultKind::limit) {
    if (!result.obstacle) result.obstacle = std::move(fault);
    return;
  }
  for (HostFault& known : result.faults) {
    if (known.fault.kind != fault.fault.kind) continue;
    if (known.fault.possible && !fault.fault.possible) known = std::move(fault);
    return;
  }
  result.faults.push_back(std::move(fault));
}

HostResult run_program(const Module& host, const Module& device, const HostOptions& options,
                       std::size_t most_failures) {
  HostResult result;
  const auto main = std::find_if(host.functions.begin(), host.functions.end(),
                                 [](const Function& f) { return f.name == "main"; });
  const auto obstacle = [&](const Refusal& why) {
    result.obstacle =
        HostFault{{FaultKind::unsupported, -1, 0, -1, 0, why.reason, false}, "main", why.place, {}};
  };
  if (main == host.functions.end()) {
    obstacle({{}, "a program without a function main"});
    return result;
  }
  const std::vector<Refusal> why = refusals(*main, true);
  if (!why.empty()) {
    obstacle(why.front());
    return result;
  }
  smt::Context terms;
  const std::unique_ptr<smt::Solver> solver = smt::make_solver(terms, smt::Engine::z3);
  const Code code(host, *main, {}, Code::Kind::host);
  Recurrence recurrence(terms, solver.get(), options.machine.query);
  Script script;
  std::vector<KnownLaunch> launches;
  bool any_leak = false;
  if (!main->parameters.empty()) result.premises.emplace_back("main without arguments");
  do {
    Launch launch;
    launch.module = &host;
    launch.function = &*main;
    HostWorld world;
    world.host = &host;
    world.device = &device;
    world.options = &options;
    world.result = &result;
    world.launch = &launch;
    world.recurrence = &recurrence;
    // The last choice is another one than in the run before.
    std::erase_if(launches,
                  [&](const KnownLaunch& known) { return known.choices >= script.choices.size(); });
    world.known_launches = &launches;
    world.most_failures = most_failures;
    recurrence.begin(script.choices.size());
    launch.variables = add_variables(launch, host, false);
    world.device_variables = add_variables(launch, device, true);
    world.default_per_thread = std::ranges::any_of(device.objects, [](const Object& object) {
      return object.symbol.find("__headway_default_stream_per_thread") != std::string::npos;
    });
    share_managed(world);
    for (const Parameter& parameter : main->parameters) {
      if (!parameter.type.is_pointer()) {
        launch.arguments.push_back(Cell::of(1));  // argc
        continue;
      }
      // argv: the name of the program, and a null pointer.
      ObjectInfo name, arguments;
      name.name = "the name of the program";
      arguments.name = parameter.name;
      name.space = arguments.space = Space::host;
      name.bytes = kProgramName.size();
      name.fill = Fill::bytes;
      name.initial = std::make_shared<const std::vector<std::uint8_t>>(kProgramName.begin(),
                                                                       kProgramName.end());
      arguments.bytes = 16;
      arguments.fill = Fill::zero;
      const Instance text = add_object(launch, std::move(name));
      const Instance made = add_object(launch, std::move(arguments));
      launch.memory.write(made, 0, 8, Cell::pointer(text, 0));
      launch.arguments.push_back(Cell::pointer(made, 0));
    }
    launch.expand();
    for (ObjectInfo& info : launch.objects) {
      if (info.thread < 0) continue;
      info.space = Space::host;  // to kernels, the variables of main are memory of the host
      info.thread = -1;
    }
    ObjectInfo ended;
    ended.name = "a variable of an ended launch";
    ended.freed = true;
    world.ended = add_object(launch, std::move(ended));
    MachineOptions machine_options = options.machine;
    machine_options.races = false;  // of one thread
    machine_options.stop = options.explore.stop;
    Machine machine(code, launch, terms, solver.get(), machine_options);
    machine.run_as_host(&world);
    const MachineState state = machine.initial(script);
    result.approximated = result.approximated || machine.approximated();
    ++result.paths;
    const bool excluded =
        world.excluded || (state.fault && state.fault->kind == FaultKind::excluded);
    if (!world.known) {
      recurrence.end(excluded, state.path,
                     {script.choices.size(), state.unknowns, world.assumptions, world.outcomes});
    }
    result.any_end = result.any_end || !excluded;
    if (world.waits_for_host && !state.fault) {
      add_fault(result, std::move(*world.waits_for_host));
    } else if (state.fault) {
      HostFault fault{*state.fault, "main", {}, {}};
      if (world.in_kernel) {
        fault = *world.in_kernel;
      } else {
        fault.place = code.instruction(state.fault->instruction).place;
      }
      if (world.unseen) {
        fault.fault.detail += fmt::format("; line {}, which nobody has asked for, failed: {}",
                                          world.unseen->line, world.unseen->what);
      }
      add_fault(result, std::move(fault));
    } else if (world.unseen && !excluded && !world.known) {
      Fault fault{FaultKind::bounds, 0, 0, -1, 0, world.unseen->what, false};
      fault.detail += "; the launch fails, and nobody asks for the error";
      add_fault(result, {fault, "main", {world.unseen->file, world.unseen->line, 0}, {}});
    } else if (!any_leak && !world.known && !world.failed) {
      any_leak = !world.heap.empty();
      for (const auto& [left, by] : world.heap) {
        result.warnings.push_back(fmt::format("{} is never freed", launch.objects[left].name));
      }
    }
    if (result.limit == Limit::none) result.limit = options.explore.stop.seen();
    if (result.limit == Limit::none && result.paths >= options.max_paths)
      result.limit = Limit::states;
    if (result.limit != Limit::none) return result;
    const bool certain = std::any_of(result.faults.begin(), result.faults.end(),
                                     [](const HostFault& f) { return !f.fault.possible; });
    if (certain && !options.explore.all_faults) return result;
  } while (script.advance());
  if (!main->parameters.empty() && result.kernels.empty() && !device.functions.empty() &&
      result.faults.empty() && !result.obstacle) {
    result.obstacle =
        HostFault{{FaultKind::limit, -1, 0, -1, 0,
                   "the program is run without arguments, and launches no kernel", false},
                  "main",
                  main->place,
                  {}};
  }
  if (!result.any_end && result.faults.empty() && !result.obstacle) {
    result.obstacle =
        HostFault{{FaultKind::limit, -1, 0, -1, 0,
                   "what is assumed holds in no run, so that nothing is shown", false},
                  "main",
                  main->place,
                  {}};
  }
  // What is not run to its end may launch more.
  for (const Function& kernel : device.functions) {
    if (result.obstacle) break;
    if (std::find(result.kernels.begin(), result.kernels.end(), kernel.name) ==
        result.kernels.end()) {
      result.warnings.push_back(
          fmt::format("the kernel '{}' is not launched, and not looked at", kernel.name));
    }
  }
  result.complete = !result.obstacle;
  if (const auto endless = result.complete ? recurrence.endless() : std::nullopt) {
    const Place place = code.instruction(endless->instruction).place;
    Fault fault{FaultKind::loop, 0, endless->instruction, -1, 0, {}, result.approximated};
    fault.detail = endless->certain ? "a loop that goes on whatever is put in"
                                    : "a loop that is not shown to end for some input";
    if (endless->certain) {
      add_fault(result, {fault, "main", place, {}});
    } else {
      result.open_loop = HostFault{fault, "main", place, {}};
    }
  }
  return result;
}

}  // namespace

void write_pointers(Memory& memory, const Object& object, Instance at,
                    const std::vector<Instance>& variables) {
  if (!object.initial) return;
  for (const Object::Pointer& pointer : object.pointers) {
    const Instance to = variables[pointer.object];
    if (to != kNone) memory.write(at, pointer.at, 8, Cell::pointer(to, pointer.offset));
  }
}

// Runs are as many as calls where one of them fails, and double with each call where all may. So
// first it is one, then any number, as long as these are not many more runs.
HostResult run_host_program(const Module& host, const Module& device, const HostOptions& options) {
  HostResult one = run_program(host, device, options, 1);
  if (!one.complete || !one.faults.empty() || !one.one_fails) return one;
  HostOptions more = options;
  more.max_paths = std::min(options.max_paths, 4 * one.paths + 64);
  HostResult any = run_program(host, device, more, std::numeric_limits<std::size_t>::max());
  return any.complete || !any.faults.empty() ? any : one;
}

}  // namespace headway::kernel
