// The calls of host programs.
#include <fmt/format.h>

#include <algorithm>

#include "kernel/ir/arithmetic.hpp"
#include "kernel/machine/host.hpp"
#include "kernel/machine/runner.hpp"

namespace headway::kernel {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;

bool is_any(const std::string& name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// What does nothing that this machine could tell, and gives success.
bool does_nothing(const std::string& name) {
  return is_any(name, {"printf",
                       "fprintf",
                       "puts",
                       "putchar",
                       "fputs",
                       "fputc",
                       "fflush",
                       "fclose",
                       "perror",
                       "__cxa_atexit",
                       "srand",
                       "srandom",
                       "srand48",
                       "cudaGetLastError",
                       "cudaPeekAtLastError",
                       "cudaSetDevice",
                       "cudaSetDeviceFlags",
                       "cudaDeviceSetCacheConfig",
                       "cudaFuncSetCacheConfig",
                       "cudaDeviceSetSharedMemConfig",
                       "cudaDeviceSetLimit",
                       "cudaThreadSetLimit",
                       "cudaMemPrefetchAsync",
                       "cudaMemAdvise",
                       "cudaFuncSetAttribute",
                       "cudaProfilerStart",
                       "cudaProfilerStop",
                       "cudaEventDestroy",
                       "cudaDeviceEnablePeerAccess",
                       "cudaFuncSetSharedMemConfig"});
}

bool has_assumption(const Function& function) {
  return std::any_of(function.blocks.begin(), function.blocks.end(), [](const Block& block) {
    return std::any_of(block.code.begin(), block.code.end(), [](const Instruction& i) {
      return i.op == Op::claim && (i.claim == Claim::assumption || i.claim == Claim::precondition);
    });
  });
}

}  // namespace

// A new object that host code has made.
Instance Machine::Runner::allocate(std::string name, Space space, std::uint64_t bytes, Fill fill) {
  HostWorld& world = *machine_.host_;
  ObjectInfo info;
  info.name = std::move(name);
  info.space = space;
  info.bytes = bytes;
  info.fill = fill;
  world.launch->objects.push_back(std::move(info));
  state_->memory.add(bytes);
  return static_cast<Instance>(world.launch->objects.size() - 1);
}

std::uint32_t Machine::Runner::choose(std::uint32_t alternatives) {
  if (alternatives <= 1) return 0;
  if (script_at_ == script_->choices.size()) script_->choices.push_back({0, alternatives});
  return script_->choices[script_at_++].taken;
}

void Machine::Runner::copy_memory(const Cell& to_pointer, const Cell& from_pointer,
                                  std::uint64_t bytes) {
  if (bytes == 0) return;
  Instruction made;
  made.op = Op::copy;
  transfer(made, to_pointer, from_pointer, bytes);
}

// cudaMemcpy and its like: the kind has to fit what the pointers go to.
void Machine::Runner::device_copy(const Cell& to, const Cell& from, std::uint64_t bytes,
                                  const Cell& kind_cell) {
  const HostWorld& world = *machine_.host_;
  const std::uint64_t kind = concrete(kind_cell, 32, "the kind of a copy");
  const auto on_device = [&](const Cell& pointer) -> std::optional<bool> {
    if (!pointer.is_pointer()) return {};
    if (world.managed.contains(pointer.object)) return {};
    return launch_.objects[pointer.object].space != Space::host;
  };
  const auto fits = [&](const Cell& pointer, bool wants_device, std::string_view what) {
    const auto is = on_device(pointer);
    if (kind < 4 && is && *is != wants_device) {
      fail(FaultKind::bounds,
           fmt::format("a copy of the wrong direction: its {} '{}' is memory of the {}", what,
                       launch_.objects[pointer.object].name, *is ? "device" : "host"));
    }
  };
  fits(to, kind == 1 || kind == 3, "target");
  fits(from, kind == 2 || kind == 3, "source");
  copies_ = true;
  copy_memory(to, from, bytes);
  copies_ = false;
}

Instance Machine::Runner::device_variable(const Cell& symbol) {
  const HostWorld& world = *machine_.host_;
  if (symbol.kind == Cell::Kind::pointer) {
    const std::string& shadow = launch_.objects[symbol.object].symbol;
    for (const Module::Binding& binding : world.host->variables) {
      if (binding.host != shadow) continue;
      for (std::size_t i = 0; i < world.device->objects.size(); ++i) {
        if (world.device->objects[i].symbol == binding.device) return world.device_variables[i];
      }
    }
  }
  fail(FaultKind::unsupported, "a symbol that is no variable of the device");
}

Cell Machine::Runner::call(const Instruction& i) {
  HostWorld& world = *machine_.host_;
  const std::string& name = i.name;
  for (const Function& function : world.host->functions) {
    if (function.symbol == name) return call_function(function, i);
  }
  const auto operand = [&](std::size_t k) { return reg(i.operands.at(k)); };
  const auto number = [&](std::size_t k, std::string_view what) {
    return concrete(operand(k), bits(i.operands[k]), what);
  };
  const auto success = Cell::of(0);
  const auto require = [&](std::size_t count) {
    if (i.operands.size() < count)
      fail(FaultKind::unsupported, fmt::format("this call of '{}'", name));
  };
  const auto store_pointer = [&](const Cell& where, const Cell& value) {
    const Address to = address(where);
    check(to, 8, true);
    write(to.object, to.at, 8, value);
  };
  const auto store_integer = [&](const Cell& where, int bytes, const Cell& value) {
    const Address to = address(where);
    check(to, static_cast<unsigned>(bytes), true);
    write(to.object, to.at, bytes, value);
  };
  const auto size = [&](std::size_t k) {
    const std::uint64_t bytes = number(k, "the size of an allocation");
    if (bytes > kMostBytes) fail(FaultKind::limit, "an allocation above 4 GiB");
    return bytes;
  };
  const auto wait_for_all = [&] { world.streams.all_done(); };
  // As wide as an object, in the order of a stream.
  const auto touch_all = [&](std::size_t k, Instance object) {
    run_task(stream_of(operand(k)),
             [&] { note(object, 0, launch_.objects[object].bytes, i, true); });
  };
  if (does_nothing(name)) return success;
  if (const auto ordered = order(i)) return *ordered;

  // Memory of the host.
  if (is_any(name, {"malloc", "_Znwm", "_Znam"})) {
    require(1);
    const Instance made = allocate(fmt::format("memory of line {}", i.place.line), Space::host,
                                   size(0), Fill::nothing);
    world.heap.insert(made);
    return Cell::pointer(made, 0);
  }
  if (name == "calloc") {
    require(2);
    const Instance made = allocate(fmt::format("memory of line {}", i.place.line), Space::host,
                                   size(0) * number(1, "the size of an allocation"), Fill::zero);
    world.heap.insert(made);
    return Cell::pointer(made, 0);
  }
  if (is_any(name, {"free", "cudaFree", "cudaFreeAsync", "cudaFreeHost", "_ZdlPv", "_ZdaPv",
                    "_ZdlPvm", "_ZdaPvm"})) {
    require(1);
    const Cell pointer = operand(0);
    if (pointer.is_bits() && pointer.bits == 0) return success;
    if (pointer.kind == Cell::Kind::undefined || pointer.kind == Cell::Kind::term) {
      fail(FaultKind::uninitialized, "memory is freed by a pointer that was never set");
    }
    if (pointer.kind != Cell::Kind::pointer || pointer.bits != 0 ||
        pointer.object >= world.launch->objects.size()) {
      fail(FaultKind::freed, "memory is freed by a pointer that is not to its start");
    }
    ObjectInfo& info = world.launch->objects[pointer.object];
    if (info.freed) fail(FaultKind::freed, fmt::format("'{}' is freed twice", info.name));
    if (!world.heap.contains(pointer.object)) {
      fail(FaultKind::freed, fmt::format("'{}' is freed, which was not allocated", info.name));
    }
    const bool is_device = name == "cudaFree" || name == "cudaFreeAsync";
    const bool was_device = info.space != Space::host || world.managed.contains(pointer.object);
    if (is_device != was_device && name != "cudaFreeHost") {
      fail(FaultKind::freed, fmt::format("'{}' is freed on the wrong side", info.name));
    }
    if (name == "cudaFreeAsync") {
      require(2);
      touch_all(1, pointer.object);
    } else if (is_device) {
      wait_for_all();
    }
    info.freed = true;
    world.heap.erase(pointer.object);
    return success;
  }
  if (name == "realloc") {
    require(2);
    const Cell old = operand(0);
    const std::uint64_t bytes = size(1);
    const Instance made =
        allocate(fmt::format("memory of line {}", i.place.line), Space::host, bytes, Fill::nothing);
    world.heap.insert(made);
    if (old.is_bits() && old.bits == 0) return Cell::pointer(made, 0);
    if (old.kind != Cell::Kind::pointer || old.bits != 0 || !world.heap.contains(old.object) ||
        launch_.objects[old.object].space != Space::host || world.managed.contains(old.object)) {
      fail(FaultKind::freed, "memory is made anew by a pointer that malloc did not give");
    }
    copy_memory(Cell::pointer(made, 0), old, std::min(bytes, launch_.objects[old.object].bytes));
    world.launch->objects[old.object].freed = true;
    world.heap.erase(old.object);
    return Cell::pointer(made, 0);
  }
  if (is_any(name, {"memcpy", "memmove"})) {
    require(3);
    copy_memory(operand(0), operand(1), number(2, "the size of a copy"));
    return operand(0);
  }
  if (name == "memset") {
    require(3);
    const std::uint64_t bytes = number(2, "the size of a fill");
    fill_memory(i, operand(0), operand(1), bytes);
    return operand(0);
  }
  if (is_any(name, {"rand", "random"})) {
    return drawn(name, i.type.bits, 0x7fffffff);
  }
  if (is_any(name, {"time", "clock", "drand48", "getchar", "fgetc", "feof", "strtol", "strtoul",
                    "strtod", "atoi", "atol", "atof"})) {
    return drawn(name, i.type.bits, smt::mask_of(i.type.bits));
  }
  if (is_any(name, {"exit", "_Exit"})) throw Exited();
  if (name == "abort") fail(FaultKind::assertion, "the program is aborted");
  if (is_any(name, {"cudaGetErrorString", "cudaGetErrorName", "strerror"})) {
    auto [entry, is_new] = world.strings.try_emplace(name, kNone);
    if (is_new) {
      entry->second = allocate(name, Space::host, 8, Fill::zero);
      world.launch->objects[entry->second].read_only = true;
    }
    return Cell::pointer(entry->second, 0);
  }

  // Memory of the device.
  if (is_any(name, {"cudaMalloc", "cudaMallocAsync", "cudaMallocManaged", "cudaMallocHost",
                    "cudaHostAlloc"})) {
    require(2);
    const bool is_host = name == "cudaMallocHost" || name == "cudaHostAlloc";
    const Instance made = allocate(fmt::format("device memory of line {}", i.place.line),
                                   is_host ? Space::host : Space::global, size(1), Fill::nothing);
    if (name == "cudaMallocManaged" || is_host) world.managed.insert(made);
    world.launch->objects[made].shared_with_device = is_host;
    world.heap.insert(made);
    store_pointer(operand(0), Cell::pointer(made, 0));
    if (name == "cudaMallocAsync") {
      require(3);
      touch_all(2, made);
    }
    return success;
  }
  if (is_any(name, {"cudaHostRegister", "cudaHostUnregister"})) {
    require(1);
    const Cell pointer = operand(0);
    if (!pointer.is_pointer()) fail(FaultKind::unsupported, fmt::format("this call of '{}'", name));
    if (name == "cudaHostRegister") {
      world.registered.insert(pointer.object);
    } else {
      world.registered.erase(pointer.object);
    }
    return success;
  }
  if (is_any(name, {"cudaMemcpy", "cudaMemcpyAsync"})) {
    const bool is_async = name == "cudaMemcpyAsync";
    require(is_async ? 5 : 4);
    const std::uint64_t stream = is_async ? stream_of(operand(4)) : 0;
    const std::uint64_t bytes = number(2, "the size of a copy");
    run_task(stream, [&] { device_copy(operand(0), operand(1), bytes, operand(3)); });
    // The host waits for its own memory to be filled, unless that is pinned.
    const Cell to = operand(0);
    const bool fills = to.is_pointer() && launch_.objects[to.object].space == Space::host &&
                       !world.managed.contains(to.object) && !world.registered.contains(to.object);
    if (!is_async || fills) world.streams.done(world.streams.before(stream));
    return success;
  }
  if (is_any(name, {"cudaMemset", "cudaMemsetAsync"})) {
    require(3);
    const Cell pointer = operand(0);
    if (pointer.is_pointer() && launch_.objects[pointer.object].space == Space::host &&
        !world.managed.contains(pointer.object)) {
      fail(FaultKind::bounds, "cudaMemset of memory of the host");
    }
    const bool is_async = name == "cudaMemsetAsync";
    require(is_async ? 4 : 3);
    const Cell value = simplified(terms_.extract(term(operand(1), 32), 0, 8));
    const std::uint64_t bytes = number(2, "the size of a fill");
    run_task(is_async ? stream_of(operand(3)) : 0, [&] { fill_memory(i, pointer, value, bytes); });
    return success;
  }
  if (name == "cudaMemcpy2D") {
    require(7);
    const std::uint64_t to_pitch = number(1, "a pitch"), from_pitch = number(3, "a pitch");
    const std::uint64_t width = number(4, "the size of a copy");
    if (width > to_pitch || width > from_pitch)
      fail(FaultKind::bounds, "a copy of rows that are longer than a pitch");
    const std::uint64_t rows = number(5, "the size of a copy");
    run_task(0, [&] {
      for (std::uint64_t row = 0; row < rows; ++row) {
        device_copy(moved(operand(0), Cell::of(row * to_pitch)),
                    moved(operand(2), Cell::of(row * from_pitch)), width, operand(6));
      }
    });
    world.streams.done(world.streams.before(0));
    return success;
  }
  if (name == "cudaHostGetDevicePointer") {
    require(2);
    const Cell pointer = operand(1);
    if (pointer.kind != Cell::Kind::pointer ||
        !launch_.objects[pointer.object].shared_with_device) {
      fail(FaultKind::unsupported, "a device's pointer to memory that the host does not share");
    }
    store_pointer(operand(0), pointer);
    return success;
  }
  if (is_any(name, {"cudaMemcpyToSymbol", "cudaMemcpyFromSymbol", "cudaMemcpyToSymbolAsync",
                    "cudaMemcpyFromSymbolAsync"})) {
    require(5);
    const bool to = name.starts_with("cudaMemcpyTo");
    const bool is_async = name.ends_with("Async");
    if (is_async) require(6);
    const std::uint64_t stream = is_async ? stream_of(operand(5)) : 0;
    const Instance variable = device_variable(operand(to ? 0 : 1));
    const Cell place = Cell::pointer(variable, number(3, "the offset of a copy"));
    // The host may write what the device may not.
    ObjectInfo& info = world.launch->objects[variable];
    const Space space = info.space;
    const bool read_only = info.read_only;
    info.space = Space::global;
    info.read_only = false;
    const std::uint64_t bytes = number(2, "the size of a copy");
    run_task(stream, [&] { copy_memory(to ? place : operand(0), to ? operand(1) : place, bytes); });
    world.launch->objects[variable].space = space;
    world.launch->objects[variable].read_only = read_only;
    const Cell target = operand(0);
    const bool pinned = target.is_pointer() && (world.managed.contains(target.object) ||
                                                world.registered.contains(target.object));
    if (!is_async || (!to && !pinned)) world.streams.done(world.streams.before(stream));
    return success;
  }
  if (name == "cudaGetSymbolAddress") {
    require(2);
    store_pointer(operand(0), Cell::pointer(device_variable(operand(1)), 0));
    return success;
  }
  if (is_any(name, {"cudaDeviceSynchronize", "cudaThreadSynchronize", "cudaDeviceReset",
                    "cudaThreadExit"})) {
    wait_for_all();
    return success;
  }
  if (is_any(name, {"cudaStreamCreate", "cudaStreamCreateWithFlags", "cudaStreamCreateWithPriority",
                    "cudaEventCreate", "cudaEventCreateWithFlags"})) {
    require(1);
    store_integer(operand(0), 8, Cell::of(0x10000 + ++world.handles));
    if (name.starts_with("cudaStreamCreateWith") && number(1, "the flags of a stream") % 2 != 0) {
      world.streams.add_non_blocking(0x10000 + world.handles);
    }
    return success;
  }
  if (name == "cudaStreamDestroy") return success;
  if (name == "cudaEventElapsedTime") {
    require(1);
    store_integer(operand(0), 4, drawn("elapsed", 32, smt::mask_of(32)));
    return success;
  }
  if (is_any(name, {"cudaGetDeviceCount", "cudaGetDevice"})) {
    require(1);
    store_integer(operand(0), 4, Cell::of(name == "cudaGetDevice" ? 0U : 1U));
    return success;
  }

  // Launches.
  if (name == "__cudaPushCallConfiguration") {
    require(6);
    HostWorld::Configuration made;
    made.grid = size_of(operand(0), operand(1));
    made.block = size_of(operand(2), operand(3));
    made.shared = number(4, "the size of workgroup memory");
    made.stream = operand(5);
    world.configurations.push_back(made);
    return success;
  }
  if (name == "__cudaPopCallConfiguration") {
    require(4);
    if (world.configurations.empty()) fail(FaultKind::unsupported, "a launch without sizes");
    const HostWorld::Configuration made = world.configurations.back();
    world.configurations.pop_back();
    const auto store_size = [&](const Cell& where, const Size3& sizes) {
      for (std::size_t d = 0; d < 3; ++d)
        store_integer(moved(where, Cell::of(4 * d)), 4, Cell::of(sizes[d]));
    };
    store_size(operand(0), made.grid);
    store_size(operand(1), made.block);
    store_integer(operand(2), 8, Cell::of(made.shared));
    store_pointer(operand(3), made.stream);
    return success;
  }
  if (name == "cudaLaunchKernel" || name == "cudaLaunchCooperativeKernel") {
    require(8);
    HostWorld::Configuration made;
    made.grid = size_of(operand(1), operand(2));
    made.block = size_of(operand(3), operand(4));
    made.shared = number(6, "the size of workgroup memory");
    made.stream = operand(7);
    run_kernel(operand(0), made, operand(5));
    return success;
  }
  fail(FaultKind::unsupported, fmt::format("a call of '{}', of which nothing is known", name));
}

// Sizes come packed: x and y in 64 bits, and z.
Size3 Machine::Runner::size_of(const Cell& xy_cell, const Cell& z_cell) {
  const std::uint64_t xy = concrete(xy_cell, 64, "the size of a launch");
  const std::uint64_t z = concrete(z_cell, 32, "the size of a launch");
  return {static_cast<std::uint32_t>(xy), static_cast<std::uint32_t>(xy >> 32),
          static_cast<std::uint32_t>(z)};
}

void Machine::Runner::run_kernel(const Cell& stub, const HostWorld::Configuration& made,
                                 const Cell& arguments) {
  HostWorld& world = *machine_.host_;
  const Function* function = nullptr;
  if (stub.kind == Cell::Kind::pointer) {
    const std::string& symbol = launch_.objects[stub.object].symbol;
    for (const Module::Binding& binding : world.host->kernels) {
      if (binding.host != symbol) continue;
      for (const Function& kernel : world.device->functions) {
        if (kernel.symbol == binding.device) function = &kernel;
      }
    }
  }
  if (function == nullptr) fail(FaultKind::unsupported, "a launch of a kernel that is not known");
  const std::vector<Refusal> why = refusals(*function, false);
  const auto fail_in_kernel = [&](FaultKind kind, std::string detail, Place place, Place other,
                                  bool possible) {
    Fault fault{kind, -1, 0, -1, 0, detail, possible};
    world.in_kernel = std::make_unique<HostFault>(HostFault{fault, function->name, place, other});
    fail(kind, std::move(detail), possible);
  };
  if (!why.empty())
    fail_in_kernel(FaultKind::unsupported, why.front().reason, why.front().place, {}, false);
  if (world.result->kernels.empty() || world.result->kernels.back() != function->name) {
    auto& names = world.result->kernels;
    if (std::find(names.begin(), names.end(), function->name) == names.end())
      names.push_back(function->name);
  }
  const Streams::Handle stream = stream_of(made.stream);
  if (volume(made.grid) == 0 || volume(made.block) == 0 || volume(made.block) > 1024) {
    fail(FaultKind::bounds,
         fmt::format("a launch of {} workgroups of {} threads; expected 1 to 1024 threads",
                     volume(made.grid), volume(made.block)));
  }
  if (volume(made.grid) * volume(made.block) > 65536)
    fail(FaultKind::limit, "a launch of more than 65536 threads");
  Launch launch;
  launch.module = world.device;
  launch.function = function;
  launch.grid = made.grid;
  launch.block = made.block;
  launch.workgroup_bytes = made.shared;
  launch.objects = world.launch->objects;
  launch.memory = state_->memory;
  launch.variables = world.device_variables;
  for (std::size_t p = 0; p < function->parameters.size(); ++p) {
    const Parameter& parameter = function->parameters[p];
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
  std::vector<std::uint32_t> spins;
  for (int round = 0; round < 16; ++round) {
    const Code code(*world.device, *function, spins);
    MachineOptions options = world.options->machine;
    options.path = state_->path;
    options.stop = world.options->explore.stop;
    options.unknowns = state_->unknowns;
    const auto footprint = std::make_shared<Footprint>();
    const Beside beside{world.streams.beside(stream), footprint.get(), has_assumption(*function)};
    options.beside = &beside;
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
    for (const FoundFault& fault : found.faults) {
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
      fail_in_kernel(FaultKind::limit, "a launch with too many states", function->place, {}, false);
    }
    if (found.has_cycle) {
      const bool simple = state_->path.empty() && world.options->ends != nullptr;
      const std::optional<std::string> not_under =
          simple ? world.options->ends(*world.device, launch, spins) : std::nullopt;
      if (!not_under) {
        fail_in_kernel(FaultKind::limit,
                       "threads wait for each other, which is too much to decide here",
                       function->place, {}, false);
      }
      if (!not_under->empty()) {
        fail_in_kernel(FaultKind::loop,
                       "threads wait for each other, and need not end under " + *not_under,
                       function->place, {}, false);
      }
    }
    if (found.ends.empty()) {  // every way is excluded by an assumption
      world.excluded = true;
      throw Exited();
    }
    if (found.ends.size() > 1) ++world.outcomes;
    const MachineState& end = found.ends[choose(static_cast<std::uint32_t>(found.ends.size()))];
    Memory memory = end.memory;
    memory.truncate(state_->memory.objects());
    state_->memory = std::move(memory);
    if (state_->path != end.path) ++world.assumptions;
    state_->path = end.path;
    state_->unknowns = end.unknowns;
    world.streams.add(stream, footprint);
    return;
  }
  fail(FaultKind::limit, "a kernel with too many loops that wait by plain loads");
}

}  // namespace headway::kernel
