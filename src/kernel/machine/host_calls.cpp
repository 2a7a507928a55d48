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
                       "cudaSetDevice",
                       "cudaSetDeviceFlags",
                       "cudaDeviceSetCacheConfig",
                       "cudaFuncSetCacheConfig",
                       "cudaDeviceSetSharedMemConfig",
                       "cudaDeviceSetLimit",
                       "cudaThreadSetLimit",
                       "cudaMemPrefetchAsync",
                       "cudaMemAdvise",
                       "cudaProfilerStart",
                       "cudaProfilerStop",
                       "cudaDeviceEnablePeerAccess",
                       "cudaFuncSetSharedMemConfig"});
}

// Functions that give memory back, and whose memory that is.
struct Release {
  std::string_view name;
  Allocator of;
};
constexpr Release kReleases[] = {
    {"free", Allocator::c},
    {"_ZdlPv", Allocator::single_new},
    {"_ZdlPvm", Allocator::single_new},
    {"_ZdaPv", Allocator::array_new},
    {"_ZdaPvm", Allocator::array_new},
    {"cudaFree", Allocator::device},
    {"cudaFreeAsync", Allocator::device},
    {"cudaFreeHost", Allocator::pinned},
};

std::string_view to_string(Allocator of) {
  switch (of) {
    case Allocator::c:
      return "malloc";
    case Allocator::single_new:
      return "new";
    case Allocator::array_new:
      return "new[]";
    case Allocator::device:
      return "cudaMalloc";
    case Allocator::in_stream:
      return "cudaMallocAsync";
    case Allocator::pinned:
      return "cudaMallocHost";
  }
  return "";
}

std::string_view giving_back_to(Allocator of) {
  switch (of) {
    case Allocator::c:
      return "free";
    case Allocator::single_new:
      return "delete";
    case Allocator::array_new:
      return "delete[]";
    case Allocator::device:
    case Allocator::in_stream:
      return "cudaFree";
    case Allocator::pinned:
      return "cudaFreeHost";
  }
  return "";
}

}  // namespace

// A new object that host code has made.
Instance Machine::Runner::allocate(std::string name, Space space, std::uint64_t bytes, Fill fill) {
  HostWorld& world = *machine_.host_;
  ObjectInfo info;
  info.name = std::move(name);
  info.space = space;
  info.bytes = bytes;
  // As cudaMalloc and malloc promise.
  info.align = space == Space::host ? 16 : 256;
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
  // "The memory areas may not overlap" (CUDA Runtime API, cudaMemcpy).
  if (to.kind == Cell::Kind::pointer && from.kind == Cell::Kind::pointer &&
      to.object == from.object &&
      std::max(to.bits, from.bits) - std::min(to.bits, from.bits) < bytes) {
    fail(FaultKind::bounds, fmt::format("a copy within '{}' whose source and target overlap",
                                        launch_.objects[to.object].name));
  }
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
  // What orders the host behind the kernel, or asks for something else of the device.
  const bool goes_on = name.find("cuda") < 3 && !name.ends_with("Error") &&
                       !is_any(name, {"cudaGetErrorString", "cudaGetErrorName"});
  if (world.waits_for_host && goes_on) throw Exited();
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
  // As wide as an object, in the order of a stream.
  const auto touch_all = [&](std::size_t k, Instance object) {
    run_task(stream_of(operand(k)),
             [&] { note(object, 0, launch_.objects[object].bytes, i, true); });
  };
  print(i);
  if (const auto error = failure_of_call(i)) {
    // They come back when what was before is over, also where that is what has failed.
    if (name.ends_with("Synchronize")) order(i);
    return *error;
  }
  if (does_nothing(name)) return success;
  if (const auto ordered = order(i)) return *ordered;
  if (const auto launched = launch_call(i)) return *launched;

  // Memory of the host.
  if (is_any(name, {"malloc", "_Znwm", "_Znam"})) {
    require(1);
    if (name == "malloc" && is_asked_for_null(i) && fails()) return Cell::of(0);
    const Instance made = allocate(fmt::format("memory of line {}", i.place.line), Space::host,
                                   size(0), Fill::nothing);
    world.heap.emplace(made, name == "malloc"  ? Allocator::c
                             : name == "_Znwm" ? Allocator::single_new
                                               : Allocator::array_new);
    return Cell::pointer(made, 0);
  }
  if (name == "calloc") {
    require(2);
    if (is_asked_for_null(i) && fails()) return Cell::of(0);
    const Instance made = allocate(fmt::format("memory of line {}", i.place.line), Space::host,
                                   size(0) * number(1, "the size of an allocation"), Fill::zero);
    world.heap.emplace(made, Allocator::c);
    return Cell::pointer(made, 0);
  }
  for (const Release& release : kReleases) {
    if (name != release.name) continue;
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
    const auto made = world.heap.find(pointer.object);
    if (made == world.heap.end()) {
      fail(FaultKind::freed, fmt::format("'{}' is freed, which was not allocated", info.name));
    }
    const bool in_stream = made->second == Allocator::in_stream;
    if (made->second != release.of && !(in_stream && release.of == Allocator::device)) {
      fail(FaultKind::freed, fmt::format("'{}' is given back by {}, and was made by {}", info.name,
                                         giving_back_to(release.of), to_string(made->second)));
    }
    if (name == "cudaFreeAsync") {
      require(2);
      touch_all(1, pointer.object);
    } else if (made->second == Allocator::device) {
      world.streams.all_done();
    } else {
      require_idle(pointer.object, "freed");
    }
    info.freed = true;
    world.heap.erase(made);
    return success;
  }
  if (name == "realloc") {
    require(2);
    const Cell old = operand(0);
    const std::uint64_t bytes = size(1);
    if (is_asked_for_null(i) && fails()) return Cell::of(0);
    const Instance made =
        allocate(fmt::format("memory of line {}", i.place.line), Space::host, bytes, Fill::nothing);
    world.heap.emplace(made, Allocator::c);
    if (old.is_bits() && old.bits == 0) return Cell::pointer(made, 0);
    const auto known =
        old.kind == Cell::Kind::pointer ? world.heap.find(old.object) : world.heap.end();
    if (known == world.heap.end() || old.bits != 0 || known->second != Allocator::c) {
      fail(FaultKind::freed, "memory is made anew by a pointer that malloc did not give");
    }
    copy_memory(Cell::pointer(made, 0), old, std::min(bytes, launch_.objects[old.object].bytes));
    require_idle(old.object, "freed");
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
    if (is_used(i.result) && fails()) {
      constexpr std::uint64_t memory_allocation = 2;
      world.last_error = Cell::of(memory_allocation);
      return world.last_error;
    }
    const bool is_host = name == "cudaMallocHost" || name == "cudaHostAlloc";
    const Instance made = allocate(fmt::format("device memory of line {}", i.place.line),
                                   is_host ? Space::host : Space::global, size(1), Fill::nothing);
    if (name == "cudaMallocManaged" || is_host) world.managed.insert(made);
    world.launch->objects[made].shared_with_device = is_host;
    world.heap.emplace(made, is_host                     ? Allocator::pinned
                             : name == "cudaMallocAsync" ? Allocator::in_stream
                                                         : Allocator::device);
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
      require_idle(pointer.object, "unregistered");
      world.registered.erase(pointer.object);
    }
    return success;
  }
  if (is_any(name, {"cudaMemcpy", "cudaMemcpyAsync"})) {
    const bool is_async = name == "cudaMemcpyAsync";
    require(is_async ? 5 : 4);
    const std::uint64_t stream = stream_of(is_async ? operand(4) : Cell::of(0));
    const std::uint64_t bytes = number(2, "the size of a copy");
    run_copy(stream, is_async, operand(0), operand(1),
             [&] { device_copy(operand(0), operand(1), bytes, operand(3)); });
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
    run_task(stream_of(is_async ? operand(3) : Cell::of(0)),
             [&] { fill_memory(i, pointer, value, bytes); });
    // The host waits for memory that is its own, too.
    if (!is_async && pointer.is_pointer() && world.managed.contains(pointer.object)) {
      world.streams.done(world.streams.before(0));
    }
    return success;
  }
  if (name == "cudaMemcpy2D") {
    require(7);
    const std::uint64_t to_pitch = number(1, "a pitch"), from_pitch = number(3, "a pitch");
    const std::uint64_t width = number(4, "the size of a copy");
    if (width > to_pitch || width > from_pitch)
      fail(FaultKind::bounds, "a copy of rows that are longer than a pitch");
    const std::uint64_t rows = number(5, "the size of a copy");
    run_copy(0, false, operand(0), operand(2), [&] {
      for (std::uint64_t row = 0; row < rows; ++row) {
        device_copy(moved(operand(0), Cell::of(row * to_pitch)),
                    moved(operand(2), Cell::of(row * from_pitch)), width, operand(6));
      }
    });
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
    const std::uint64_t stream = stream_of(is_async ? operand(5) : Cell::of(0));
    const Instance variable = device_variable(operand(to ? 0 : 1));
    const Cell place = Cell::pointer(variable, number(3, "the offset of a copy"));
    // The host may write what the device may not.
    ObjectInfo& info = world.launch->objects[variable];
    const Space space = info.space;
    const bool read_only = info.read_only;
    info.space = Space::global;
    info.read_only = false;
    const std::uint64_t bytes = number(2, "the size of a copy");
    const Cell target = to ? place : operand(0), source = to ? operand(1) : place;
    run_copy(stream, is_async, target, source, [&] { copy_memory(target, source, bytes); });
    world.launch->objects[variable].space = space;
    world.launch->objects[variable].read_only = read_only;
    return success;
  }
  if (name == "cudaGetSymbolAddress") {
    require(2);
    store_pointer(operand(0), Cell::pointer(device_variable(operand(1)), 0));
    return success;
  }
  if (is_any(name, {"cudaDeviceReset", "cudaThreadExit"})) {
    reset_device();
    return success;
  }
  if (is_any(name, {"cudaStreamCreate", "cudaStreamCreateWithFlags", "cudaStreamCreateWithPriority",
                    "cudaEventCreate", "cudaEventCreateWithFlags"})) {
    require(1);
    const Streams::Handle made = 0x10000 + ++world.handles;
    store_integer(operand(0), 8, Cell::of(made));
    (name.starts_with("cudaStream") ? world.made_streams : world.made_events).insert(made);
    if (name.starts_with("cudaStreamCreateWith") && number(1, "the flags of a stream") % 2 != 0) {
      world.streams.add_non_blocking(made);
    }
    return success;
  }
  if (name == "cudaStreamDestroy") {  // what it still has to do is done
    require(1);
    world.made_streams.erase(stream_of(operand(0)));
    return success;
  }
  if (name == "cudaEventDestroy") {
    require(1);
    world.made_events.erase(event_of(operand(0)));
    return success;
  }
  if (name == "cudaEventElapsedTime") {
    require(1);
    store_integer(operand(0), 4, drawn("elapsed", 32, smt::mask_of(32)));
    return success;
  }
  if (is_any(name, {"cudaGetDeviceCount", "cudaGetDevice"})) {
    require(1);
    take_for_granted(kDevice);
    store_integer(operand(0), 4, Cell::of(name == "cudaGetDevice" ? 0U : 1U));
    return success;
  }

  if (name == "__cxa_allocate_exception" && world.failed) {
    const std::string what = fmt::format(
        "what follows an exception that is thrown at line {} where a call fails", i.place.line);
    std::vector<std::string>& skipped = world.result->skipped;
    if (std::find(skipped.begin(), skipped.end(), what) == skipped.end()) skipped.push_back(what);
    throw Exited();
  }
  fail(FaultKind::unsupported, fmt::format("a call of '{}', of which nothing is known", name));
}

}  // namespace headway::kernel
