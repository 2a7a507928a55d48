// Functions of host programs that call themselves: each call is a launch of its own of one thread,
// on the memory of the program.
#include <fmt/format.h>

#include "kernel/machine/host.hpp"
#include "kernel/machine/runner.hpp"

namespace headway::kernel {

namespace {

constexpr int kMostCalls = 200;  // at a time; each takes some of the stack of ours

}  // namespace

Cell Machine::Runner::call_function(const Function& function, const Instruction& i) {
  HostWorld& world = *machine_.host_;
  const std::vector<Refusal> why = refusals(function, true);
  if (!why.empty()) fail(FaultKind::unsupported, why.front().reason);
  if (i.operands.size() != function.parameters.size())
    fail(FaultKind::unsupported, fmt::format("this call of '{}'", function.name));
  if (world.depth == kMostCalls)
    fail(FaultKind::limit,
         fmt::format("more than {} calls of '{}' at a time", kMostCalls, function.name));
  if (machine_.options_.stop.seen() != Limit::none) fail(FaultKind::limit, "stopped");

  std::unique_ptr<Code>& code = world.functions[&function];
  if (!code)
    code = std::make_unique<Code>(*world.host, function, std::vector<std::uint32_t>{},
                                  Code::Kind::host);
  Launch launch;
  launch.module = world.host;
  launch.function = &function;
  launch.variables = launch_.variables;
  for (const ValueId operand : i.operands) launch.arguments.push_back(reg(operand));
  Launch* const caller = world.launch;
  launch.objects = std::move(caller->objects);
  launch.memory = std::move(state_->memory);
  launch.expand();
  const auto [first, count] = launch.own(0);
  for (Instance own = first; own < first + count; ++own) {
    launch.objects[own].space = Space::host;
    launch.objects[own].thread = -1;
  }
  MachineOptions options = machine_.options_;
  options.path = state_->path;
  options.unknowns = state_->unknowns;
  Machine machine(*code, launch, terms_, machine_.solver_, options);
  machine.run_as_host(&world);
  world.launch = &launch;
  ++world.depth;
  MachineState end = machine.runner_->initial(*script_, script_at_);
  --world.depth;
  world.launch = caller;
  script_at_ = machine.runner_->script_at_;
  machine_.approximated_ = machine_.approximated_ || machine.approximated();
  // Whoever still points to its variables finds them gone.
  for (Instance own = first; own < first + count; ++own) launch.objects[own].freed = true;
  caller->objects = std::move(launch.objects);
  state_->memory = std::move(end.memory);
  state_->path = std::move(end.path);
  state_->unknowns = end.unknowns;
  if (end.fault) {
    if (!world.in_kernel) {
      const Place place = code->instruction(end.fault->instruction).place;
      world.in_kernel = std::make_unique<HostFault>(HostFault{*end.fault, "main", place, {}});
    }
    fail(end.fault->kind, end.fault->detail, end.fault->possible);
  }
  if (end.threads.front()->status != Status::ended) throw Exited();
  return machine.runner_->returned_;
}

}  // namespace headway::kernel
