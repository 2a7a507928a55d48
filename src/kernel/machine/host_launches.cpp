// Launches of host programs, those that fail, and errors of the runtime.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "kernel/ir/arithmetic.hpp"
#include "kernel/ir/premises.hpp"
#include "kernel/machine/host.hpp"
#include "kernel/machine/lockstep.hpp"
#include "kernel/machine/one_order.hpp"
#include "kernel/machine/runner.hpp"

namespace headway::kernel {
namespace {

// Limits of every device (CUDA C++ Programming Guide, technical specifications).
constexpr Size3 kMostThreads = {1024, 1024, 64}, kMostGroups = {0x7fffffff, 65535, 65535};
constexpr std::uint64_t kMostOfBlock = 1024;
// Bytes of workgroup memory: without asking for more, of compute capability 7.0, of any device.
constexpr std::uint64_t kPlainShared = 48 << 10, kMostShared = 96 << 10, kMostAnywhere = 227 << 10;

constexpr std::uint64_t kInvalidValue = 1, kInvalidConfiguration = 9, kCooperativeTooLarge = 720,
                        kMostError = 999;

bool has_assumption(const Function& function) {
  return std::any_of(function.blocks.begin(), function.blocks.end(), [](const Block& block) {
    return std::any_of(block.code.begin(), block.code.end(), [](const Instruction& i) {
      return i.op == Op::claim && (i.claim == Claim::assumption || i.claim == Claim::precondition);
    });
  });
}

std::string text_of(const Size3& size) {
  return fmt::format("{} x {} x {}", size[0], size[1], size[2]);
}

// Workgroup memory that a kernel has in any launch.
std::uint64_t static_bytes(const Module& module, const Function& function) {
  std::set<ObjectId> used;
  for (const Value& value : function.values) {
    if (value.kind == Value::Kind::address) used.insert(value.object);
  }
  std::uint64_t result = 0;
  for (const ObjectId id : used) {
    const Object& object = module.object(function, id);
    if (object.space == Space::workgroup && !object.launch_sized) result += object.bytes;
  }
  return result;
}

}  // namespace

// Whether a call that may fail does: either is looked at.
bool Machine::Runner::fails() {
  if (choose(2) == 0) return false;
  machine_.host_->failed = true;
  ++machine_.host_->failures;
  return true;
}

void Machine::Runner::take_for_granted(const std::string& phrase) {
  std::vector<std::string>& all = machine_.host_->result->premises;
  if (std::find(all.begin(), all.end(), phrase) == all.end()) all.push_back(phrase);
}

// The error that a call of the runtime gives where the program asks whether it failed: then it has
// done nothing else, unless it waits. Calls that make memory, that launch kernels, and that tell
// how far something is fail in their own way.
std::optional<Cell> Machine::Runner::failure_of_call(const Instruction& call) {
  constexpr std::string_view apart[] = {"cudaMalloc",      "cudaHostAlloc", "cudaStreamQuery",
                                        "cudaEventQuery",  "cudaLaunch",    "cudaGetErrorString",
                                        "cudaGetErrorName"};
  const bool is_of_runtime =
      call.name == "headway_result" || (call.name.starts_with("cuda") && call.type.bits == 32);
  if (!is_of_runtime || std::any_of(std::begin(apart), std::end(apart), [&](std::string_view name) {
        return call.name.starts_with(name);
      })) {
    return {};
  }
  HostWorld& world = *machine_.host_;
  if (!is_used(call.result)) {
    take_for_granted("calls that nobody asks succeed, but for launches");
    return {};
  }
  const bool asks = call.name == "cudaGetLastError" || call.name == "cudaPeekAtLastError";
  // Without a kernel nothing goes wrong but in calls, which have said so.
  if (asks && (!world.launched || world.last_error != Cell::of(0))) return {};
  if (world.failures >= world.most_failures) {
    world.result->one_fails = true;
    take_for_granted(
        "of the calls that are asked, at most one fails in a run, but for those that make memory "
        "or launch kernels");
    return {};
  }
  if (!fails()) return {};
  const Cell error = drawn("an error", 32, kMostError);
  assume(terms_.nonzero(error.term()));
  if (call.name != "cudaGetLastError") world.last_error = error;
  if (asks) world.unseen.reset();
  return error;
}

bool Machine::Runner::is_used(ValueId value) const {
  if (value == kNone) return false;
  return std::any_of(function_.blocks.begin(), function_.blocks.end(), [&](const Block& block) {
    return std::any_of(block.code.begin(), block.code.end(), [&](const Instruction& i) {
      return std::find(i.operands.begin(), i.operands.end(), value) != i.operands.end();
    });
  });
}

// Whether what comes first of all that the program does with a pointer is to compare it with null.
bool Machine::Runner::is_asked_for_null(const Instruction& call) const {
  const auto is_null = [&](ValueId id) {
    const Value& value = function_.values[id];
    return value.kind == Value::Kind::constant && value.bits == 0;
  };
  for (const Block& block : function_.blocks) {
    for (const Instruction& i : block.code) {
      if (std::find(i.operands.begin(), i.operands.end(), call.result) == i.operands.end()) {
        continue;
      }
      return (i.op == Op::eq || i.op == Op::ne) &&
             (is_null(i.operands[0]) || is_null(i.operands[1]));
    }
  }
  return false;
}

// All that the program has made on the device is gone, and its variables begin anew.
void Machine::Runner::reset_device() {
  HostWorld& world = *machine_.host_;
  for (auto made = world.heap.begin(); made != world.heap.end();) {
    if (made->second != Allocator::device && made->second != Allocator::in_stream &&
        made->second != Allocator::pinned) {
      ++made;
      continue;
    }
    world.launch->objects[made->first].freed = true;
    made = world.heap.erase(made);
  }
  world.streams = {};
  world.made_streams.clear();
  world.made_events.clear();
  world.registered.clear();
  world.most_dynamic.clear();
  const std::vector<Object>& objects = world.device->objects;
  for (std::size_t o = 0; o < objects.size(); ++o) {
    if (world.device_variables[o] == kNone) continue;
    state_->memory.clear(world.device_variables[o]);
    write_pointers(state_->memory, objects[o], world.device_variables[o], world.device_variables);
  }
}

// Sizes come packed: x and y in 64 bits, and z.
Size3 Machine::Runner::size_of(const Cell& xy_cell, const Cell& z_cell) {
  const std::uint64_t xy = concrete(xy_cell, 64, "the size of a launch");
  const std::uint64_t z = concrete(z_cell, 32, "the size of a launch");
  return {static_cast<std::uint32_t>(xy), static_cast<std::uint32_t>(xy >> 32),
          static_cast<std::uint32_t>(z)};
}

const Function& Machine::Runner::kernel_of(const Cell& stub) {
  const HostWorld& world = *machine_.host_;
  if (stub.kind == Cell::Kind::pointer) {
    const std::string& symbol = launch_.objects[stub.object].symbol;
    for (const Module::Binding& binding : world.host->kernels) {
      if (binding.host != symbol) continue;
      for (const Function& kernel : world.device->functions) {
        if (kernel.symbol == binding.device) return kernel;
      }
    }
  }
  fail(FaultKind::unsupported, "a launch of a kernel that is not known");
}

// Calls that launch kernels, that are about launches, or that ask for errors; nothing where it is
// another one.
std::optional<Cell> Machine::Runner::launch_call(const Instruction& i) {
  HostWorld& world = *machine_.host_;
  const std::string& name = i.name;
  const auto operand = [&](std::size_t k) {
    if (i.operands.size() <= k)
      fail(FaultKind::unsupported, fmt::format("this call of '{}'", name));
    return reg(i.operands[k]);
  };
  const auto number = [&](std::size_t k, std::string_view what) {
    const Cell cell = operand(k);
    return concrete(cell, bits(i.operands[k]), what);
  };
  const auto store = [&](const Cell& where, int bytes, const Cell& value) {
    const Address to = address(where);
    check(to, static_cast<unsigned>(bytes), true);
    write(to.object, to.at, bytes, value);
  };
  const Cell success = Cell::of(0);
  if (name == "cudaGetLastError" || name == "cudaPeekAtLastError") {
    const Cell error = world.last_error;
    world.unseen.reset();
    if (name == "cudaGetLastError") world.last_error = success;
    return error;
  }
  if (name == "headway_set_dynamic_memory") {
    const Function& kernel = kernel_of(operand(0));
    const std::uint64_t bytes = number(1, "the size of workgroup memory");
    const std::uint64_t all = bytes + static_bytes(*world.device, kernel);
    if (all > kMostAnywhere) {
      world.last_error = Cell::of(kInvalidValue);
      return world.last_error;
    }
    take_for_granted(kDevice);
    if (all > kMostShared) {
      fail(FaultKind::unsupported, "more workgroup memory than compute capability 7.0 has");
    }
    world.most_dynamic[kernel.symbol] = bytes;
    return success;
  }
  if (name == "headway_blocks_that_fit") {
    take_for_granted(kDevice);
    world.fitted.insert(kernel_of(operand(0)).symbol);
    return Cell::of(kDeviceRoom);
  }
  if (name == "headway_tells_device") {
    take_for_granted(kDevice);
    return success;
  }
  if (name == "headway_result") return success;
  if (name == "headway_static_memory") {
    return Cell::of(static_bytes(*world.device, kernel_of(operand(0))));
  }
  if (name == "headway_most_threads") {
    const std::uint32_t most = kernel_of(operand(0)).most_threads;
    return Cell::of(most > 0 ? most : kMostOfBlock);
  }
  if (name == "__cudaPushCallConfiguration") {
    HostWorld::Configuration made;
    made.grid = size_of(operand(0), operand(1));
    made.block = size_of(operand(2), operand(3));
    made.shared = number(4, "the size of workgroup memory");
    made.stream = operand(5);
    made.place = i.place;
    world.configurations.push_back(made);
    return success;
  }
  if (name == "__cudaPopCallConfiguration") {
    if (world.configurations.empty()) fail(FaultKind::unsupported, "a launch without sizes");
    const HostWorld::Configuration made = world.configurations.back();
    world.configurations.pop_back();
    world.launch_place = made.place;
    const auto store_size = [&](const Cell& where, const Size3& sizes) {
      for (std::size_t d = 0; d < 3; ++d) {
        store(moved(where, Cell::of(4 * d)), 4, Cell::of(sizes[d]));
      }
    };
    store_size(operand(0), made.grid);
    store_size(operand(1), made.block);
    store(operand(2), 8, Cell::of(made.shared));
    store(operand(3), 8, made.stream);
    return success;
  }
  if (name == "cudaLaunchKernel" || name == "cudaLaunchCooperativeKernel") {
    HostWorld::Configuration made;
    made.grid = size_of(operand(1), operand(2));
    made.block = size_of(operand(3), operand(4));
    made.shared = number(6, "the size of workgroup memory");
    made.stream = operand(7);
    made.place = world.launch_place.value_or(i.place);
    world.launch_place.reset();
    return launch_kernel(i, kernel_of(operand(0)), made, name != "cudaLaunchKernel");
  }
  return {};
}

// What the call gives: a launch that fails runs nothing.
Cell Machine::Runner::launch_kernel(const Instruction& i, const Function& function,
                                    const HostWorld::Configuration& made, bool cooperative) {
  HostWorld& world = *machine_.host_;
  std::vector<std::string>& names = world.result->kernels;
  if (std::find(names.begin(), names.end(), function.name) == names.end()) {
    names.push_back(function.name);
  }
  const std::optional<Failure> failure = failure_of(function, made, cooperative);
  if (!failure) {
    world.launched = true;
    run_kernel(function, made, reg(i.operands[5]), cooperative);
    return Cell::of(0);
  }
  world.failed = true;
  world.last_error = failure->second;
  if (!is_used(i.result) && !world.unseen) {
    world.unseen = {made.place.file, made.place.line, failure->first};
  }
  return failure->second;
}

// Why a launch fails, whatever else the program does.
std::optional<Machine::Runner::Failure> Machine::Runner::failure_of(
    const Function& function, const HostWorld::Configuration& made, bool cooperative) {
  const HostWorld& world = *machine_.host_;
  const auto exceeds = [](const Size3& size, const Size3& most) {
    for (std::size_t d = 0; d < 3; ++d) {
      if (size[d] == 0 || size[d] > most[d]) return true;
    }
    return false;
  };
  const Cell invalid = Cell::of(kInvalidConfiguration);
  // Which error it is hangs on the version.
  const auto some_error = [&] {
    const Cell error = drawn("an error", 32, kMostError);
    assume(terms_.nonzero(error.term()));
    return error;
  };
  if (exceeds(made.block, kMostThreads) || volume(made.block) > kMostOfBlock) {
    return Failure{
        fmt::format("a launch of '{}' with workgroups of {} threads; expected 1 to {}, "
                    "and at most {} in all",
                    function.name, text_of(made.block), text_of(kMostThreads), kMostOfBlock),
        invalid};
  }
  if (exceeds(made.grid, kMostGroups)) {
    return Failure{fmt::format("a launch of '{}' with {} workgroups; expected 1 to {}",
                               function.name, text_of(made.grid), text_of(kMostGroups)),
                   invalid};
  }
  if (function.most_threads > 0 && volume(made.block) > function.most_threads) {
    return Failure{fmt::format("a launch of '{}' with workgroups of {} threads, which its "
                               "__launch_bounds__ of {} excludes",
                               function.name, volume(made.block), function.most_threads),
                   some_error()};
  }
  const auto raised = world.most_dynamic.find(function.symbol);
  const std::uint64_t fixed = static_bytes(*world.device, function);
  const std::uint64_t most = raised == world.most_dynamic.end()
                                 ? kPlainShared
                                 : std::max(kPlainShared, fixed + raised->second);
  if (fixed + made.shared > most) {
    return Failure{
        fmt::format(
            "a launch of '{}' with {} bytes of workgroup memory; expected at most {}{}",
            function.name, fixed + made.shared, most,
            raised == world.most_dynamic.end() ? ", unless cudaFuncSetAttribute() says more" : ""),
        some_error()};
  }
  const std::uint64_t groups = volume(made.grid);
  if (cooperative && groups > kDeviceRoom) {
    take_for_granted(kDevice);
    // The program may count on a device that is larger, unless it has asked.
    if (world.fitted.contains(function.symbol) || fails()) {
      return Failure{
          fmt::format("a cooperative launch of '{}', which needs {} blocks at once, {} fit",
                      function.name, groups, kDeviceRoom),
          Cell::of(kCooperativeTooLarge)};
    }
  }
  return {};
}

void Machine::Runner::run_kernel(const Function& function, const HostWorld::Configuration& made,
                                 const Cell& arguments, bool cooperative) {
  HostWorld& world = *machine_.host_;
  const Streams::Handle stream = stream_of(made.stream);
  if (volume(made.grid) * volume(made.block) > 65536)
    fail(FaultKind::limit, "a launch of more than 65536 threads");
  Launch launch;
  launch.module = world.device;
  launch.function = &function;
  launch.grid = made.grid;
  launch.block = made.block;
  launch.workgroup_bytes = made.shared;
  launch.cooperative = cooperative;
  launch.fitted = world.fitted.contains(function.symbol) && volume(made.grid) <= kDeviceRoom;
  launch.objects = world.launch->objects;
  launch.memory = state_->memory;
  launch.variables = world.device_variables;
  for (std::size_t p = 0; p < function.parameters.size(); ++p) {
    const Parameter& parameter = function.parameters[p];
    const Address at = address(moved(arguments, Cell::of(8 * p)));
    const Cell pointer = read(at.object, at.at, 8);
    if (parameter.by_value > 0) {
      launch.arguments.push_back(pointer);
      continue;
    }
    const Address from = address(pointer);
    Cell value = read(from.object, from.at, parameter.type.bytes());
    if (value.is_bits()) value.bits = low_bits(value.bits, parameter.type.bits);
    launch.arguments.push_back(value);
  }
  launch.expand();
  for (const std::string& phrase :
       premises(*world.device, function, static_cast<std::uint32_t>(launch.subgroup))) {
    if (phrase != kCooperative) take_for_granted(phrase);  // that is known here
  }
  // Runs that make the same choices before it share what it does.
  const std::size_t number = world.launches++;
  if (number == world.known_launches->size()) {
    std::optional<KnownLaunch> found = explore_kernel(launch, made, stream);
    if (!found) return;
    world.known_launches->push_back(std::move(*found));
  }
  const KnownLaunch& known = (*world.known_launches)[number];
  machine_.approximated_ = machine_.approximated_ || known.approximated;
  if (known.ends.size() > 1) ++world.outcomes;
  const MachineState& end = known.ends[choose(static_cast<std::uint32_t>(known.ends.size()))];
  state_->memory = end.memory;
  if (state_->path != end.path) ++world.assumptions;
  state_->path = end.path;
  state_->unknowns = end.unknowns;
  world.streams.add(stream, known.footprint);
}

// What it may leave behind; nothing where it waits for the host. Ends the run where something goes
// wrong.
std::optional<KnownLaunch> Machine::Runner::explore_kernel(const Launch& launch,
                                                           const HostWorld::Configuration& made,
                                                           Streams::Handle stream) {
  HostWorld& world = *machine_.host_;
  const Function& function = *launch.function;
  const auto fail_in_kernel = [&](FaultKind kind, std::string detail, Place place, Place other,
                                  bool possible) {
    Fault fault{kind, -1, 0, -1, 0, detail, possible};
    world.in_kernel =
        std::make_unique<HostFault>(HostFault{fault, function.name, place, other, made.place});
    fail(kind, std::move(detail), possible);
  };
  const std::vector<Refusal> why = refusals(function, false);
  if (!why.empty())
    fail_in_kernel(FaultKind::unsupported, why.front().reason, why.front().place, {}, false);
  std::vector<std::uint32_t> spins;
  for (int round = 0; round < 16; ++round) {
    const Code code(*world.device, function, spins);
    MachineOptions options = world.options->machine;
    options.path = state_->path;
    options.stop = world.options->explore.stop;
    options.unknowns = state_->unknowns;
    const auto footprint = std::make_shared<Footprint>();
    const Beside beside{world.streams.beside(stream), footprint.get(), has_assumption(function)};
    options.beside = &beside;
    options.results = true;
    if (!is_in_one_order(launch, code)) {
      take_for_granted("atomic accesses in one order for all threads");
    }
    Machine machine(code, launch, terms_, machine_.solver_, options);
    ExploreOptions explore_options = world.options->explore;
    explore_options.keep_ends = true;
    const Exploration found = explore(machine, explore_options);
    world.result->states += found.states;
    machine_.approximated_ = machine_.approximated_ || machine.approximated();
    if (!found.spins.empty()) {
      spins.insert(spins.end(), found.spins.begin(), found.spins.end());
      std::sort(spins.begin(), spins.end());
      spins.erase(std::unique(spins.begin(), spins.end()), spins.end());
      continue;
    }
    const auto place = [&](std::uint32_t instruction) {
      return code.instruction(instruction).place;
    };
    // A loop that waits for what the host may write is over when it does.
    const auto is_for_host = [&](FaultKind kind, const std::string& detail, Place where) {
      const auto of_both = [&](Instance object) {
        return world.managed.contains(object) || world.registered.contains(object) ||
               world.launch->objects[object].shared_with_device;
      };
      if (kind != FaultKind::loop || std::ranges::none_of(footprint->atomic(), of_both))
        return false;
      world.waits_for_host = std::make_unique<HostFault>(
          HostFault{{kind, -1, 0, -1, 0, detail, false}, function.name, where, {}, made.place});
      return true;
    };
    for (const FoundFault& fault : found.faults) {
      if (is_for_host(fault.fault.kind, fault.fault.detail, place(fault.fault.instruction))) {
        return {};
      }
      const bool two = fault.fault.other_thread >= 0;
      fail_in_kernel(fault.fault.kind, fault.fault.detail, place(fault.fault.instruction),
                     two ? place(fault.fault.other_instruction) : Place(), fault.fault.possible);
    }
    if (found.obstacle) {
      fail_in_kernel(found.obstacle->kind, found.obstacle->detail,
                     place(found.obstacle->instruction), {}, false);
    }
    if (!found.complete) {
      world.result->limit = found.limit;
      fail_in_kernel(FaultKind::limit, "a launch with too many states", function.place, {}, false);
    }
    for (const Standoff& standoff : found.standoffs) {
      const std::optional<SubgroupWait> wait = subgroup_wait(machine, standoff);
      if (!wait) continue;
      std::string text = fmt::format("line {} of {}: {}", place(wait->loop).line, function.name,
                                     wait_text(code, *wait));
      std::vector<std::string>& all = world.result->warnings;
      if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(std::move(text));
      break;
    }
    if (found.has_cycle) {
      const bool simple = state_->path.empty() && world.options->ends != nullptr;
      const std::optional<NotEnding> not_ending =
          simple ? world.options->ends(*world.device, launch, spins, made.place) : std::nullopt;
      if (!not_ending) {
        fail_in_kernel(FaultKind::limit,
                       "threads wait for each other, which is too much to decide here",
                       function.place, {}, false);
      }
      if (!not_ending->why.empty()) {
        Place loop = function.place;
        if (not_ending->line > 0) loop.line = not_ending->line;
        if (is_for_host(FaultKind::loop, not_ending->why, loop)) return {};
        fail_in_kernel(FaultKind::loop, not_ending->why, loop, {}, false);
      }
    }
    if (found.ends.empty()) {  // every way is excluded by an assumption
      world.excluded = true;
      throw Exited();
    }
    // What the ends left behind; those that differ in variables of the kernel alone are one.
    std::vector<MachineState> ends;
    std::unordered_multimap<std::size_t, std::size_t> known;  // places there, by hashes of memory
    for (const MachineState& end : found.ends) {
      MachineState left;
      left.memory = end.memory;
      left.memory.end_launch(state_->memory, world.ended);
      left.path = end.path;
      left.unknowns = end.unknowns;
      const auto is_same = [&](const auto& entry) {
        const MachineState& other = ends[entry.second];
        return other.memory == left.memory && other.path == left.path &&
               other.unknowns == left.unknowns;
      };
      const std::size_t hash = left.memory.hash();
      const auto [first, last] = known.equal_range(hash);
      if (std::any_of(first, last, is_same)) continue;
      known.emplace(hash, ends.size());
      ends.push_back(std::move(left));
    }
    return KnownLaunch{script_at_, std::move(ends), footprint, machine_.approximated_};
  }
  fail(FaultKind::limit, "a kernel with too many loops that wait by plain loads");
}

}  // namespace headway::kernel
