// What kernels, copies and the host do beside each other.
#include <fmt/format.h>

#include "kernel/machine/host.hpp"
#include "kernel/machine/runner.hpp"

namespace headway::kernel {

// Notes an access for what runs beside this later, and holds it against what does now. One that
// meets what was noted is the first one that does: up to there both sides have run as they would
// have by themselves, so that it takes place beside any execution of the other side.
void Machine::Runner::note_beside(const Beside& beside, Instance object, std::uint64_t at,
                                  std::uint64_t bytes, const Instruction& i, bool writes,
                                  std::uint64_t changed) {
  const ObjectInfo& info = launch_.objects[object];
  if (info.thread >= 0 || info.space == Space::workgroup) return;
  if (info.space == Space::host && !info.shared_with_device &&
      !(machine_.host_ != nullptr && machine_.host_->registered.contains(object))) {
    return;  // copied at once
  }
  using Kind = Footprint::Kind;
  const bool is_atomic = kernel::is_atomic(*launch_.module, i);
  const Kind kind = is_atomic ? Kind::atomic : writes ? Kind::writes : Kind::reads;
  const bool is_certain = terms_.is_true(guard_) && !beside.assumes;
  for (const FootprintPtr& other : beside.others) {
    auto met = other->meets(object, at, bytes, kind);
    if (!met) continue;
    // Writes of the same value do not race, by default.
    bool may_be_same =
        writes && met->kind == Kind::writes && !is_atomic && !machine_.options_.count_benign;
    for (std::uint64_t byte = 0; may_be_same && byte < bytes && byte < 64; ++byte) {
      if ((changed >> byte & 1) == 0) continue;
      const auto there = other->meets(object, at + byte, 1, kind);
      if (!there || !there->sure) continue;
      met = there;
      may_be_same = false;
    }
    if (together_ > 0) throw Apart();
    if (is_atomic && met->kind == Kind::atomic) {
      fail(FaultKind::unsupported, "atomic accesses of one place by kernels in two streams");
    }
    if (!is_certain || !met->sure || may_be_same) {
      fail(FaultKind::unsupported,
           fmt::format("kernels or copies in two streams at a time that may access '{}' in "
                       "either order",
                       info.name));
    }
    const auto what = [](Kind of) {
      return of == Kind::reads ? "a read" : of == Kind::writes ? "a write" : "an atomic access";
    };
    fail(FaultKind::race,
         fmt::format("{} of '{}' at byte {} beside {} of line {} that nothing orders with it",
                     what(kind), info.name, at, what(met->kind), met->line));
  }
  if (beside.own != nullptr) {
    const bool sure = is_certain && state_->path == machine_.options_.path;
    beside.own->add(object, at, bytes, kind, sure || machine_.host_ != nullptr,
                    code_.instruction(number_).place.line);
  }
}

Streams::Handle Machine::Runner::stream_of(const Cell& cell) {
  if (!cell.is_bits()) fail(FaultKind::uninitialized, "a stream that was never made");
  constexpr Streams::Handle per_thread = 2;  // cudaStreamPerThread
  if (cell.bits == 0 && machine_.host_->default_per_thread) return per_thread;
  if (cell.bits > per_thread && !machine_.host_->made_streams.contains(cell.bits)) {
    fail(FaultKind::freed, "a stream that was destroyed");
  }
  return cell.bits;
}

Streams::Handle Machine::Runner::event_of(const Cell& cell) {
  if (!cell.is_bits()) fail(FaultKind::uninitialized, "an event that was never made");
  if (!machine_.host_->made_events.contains(cell.bits)) {
    fail(FaultKind::freed, "an event that was destroyed, or was never made");
  }
  return cell.bits;
}

// Something that a stream does, here and now.
void Machine::Runner::run_task(Streams::Handle stream, const std::function<void()>& act) {
  HostWorld& world = *machine_.host_;
  const auto made = std::make_shared<Footprint>();
  const Beside beside{world.streams.beside(stream), made.get()};
  beside_ = &beside;
  copies_ = true;
  act();
  copies_ = false;
  beside_ = nullptr;
  world.streams.add(stream, made);
}

// A copy, and for how much of it the host waits (CUDA Runtime API, "API synchronization behavior"):
// until its own memory is filled, unless the copy is asynchronous and the memory pinned; until its
// memory has been read, which of memory that is not pinned may be before the device's is written;
// not at all between two places of the device.
void Machine::Runner::run_copy(Streams::Handle stream, bool is_async, const Cell& to,
                               const Cell& from, const std::function<void()>& act) {
  HostWorld& world = *machine_.host_;
  const auto is_host = [&](const Cell& cell) {
    return cell.is_pointer() && launch_.objects[cell.object].space == Space::host;
  };
  const auto is_pinned = [&](const Cell& cell) {
    return launch_.objects[cell.object].shared_with_device ||
           world.registered.contains(cell.object);
  };
  // Of managed memory nothing is said: the host waits as for its own.
  const auto is_managed = [&](const Cell& cell) {
    return cell.is_pointer() && !is_host(cell) && world.managed.contains(cell.object);
  };
  const bool is_staged = is_host(from) && !is_pinned(from) && !is_host(to) && !is_managed(to);
  if (is_staged && !is_async) world.streams.done(world.streams.before(stream));
  run_task(stream, act);
  const bool fills = is_host(to) && (!is_async || !is_pinned(to));
  const bool reads = is_host(from) && !is_staged;
  const bool waits = fills || (!is_async && (reads || is_managed(to) || is_managed(from)));
  if (waits) world.streams.done(world.streams.before(stream));
}

// An access of the host to memory that the device reaches, too.
void Machine::Runner::check_beside(const Address& to, std::uint64_t bytes, bool writes) {
  const ObjectInfo& info = launch_.objects[to.object];
  constexpr const char* together =
      "the host and a kernel that synchronize by '{}' while the kernel runs";
  if (machine_.host_->waits_for_host) {
    fail(FaultKind::unsupported, fmt::format(together, info.name));
  }
  const auto kind = writes ? Footprint::Kind::writes : Footprint::Kind::reads;
  const bool is_atomic = kernel::is_atomic(*launch_.module, code_.instruction(number_));
  for (const FootprintPtr& other : machine_.host_->streams.pending()) {
    const auto met = to.moving ? other->meets(to.object, 0, info.bytes, kind)
                               : other->meets(to.object, to.at, bytes, kind);
    if (!met) continue;
    if (is_atomic && met->kind == Footprint::Kind::atomic) {
      fail(FaultKind::unsupported, fmt::format(together, info.name));
    }
    if (!met->sure || to.moving) {
      fail(FaultKind::unsupported,
           fmt::format("an access of the host to '{}' that a kernel may access at the time",
                       info.name));
    }
    fail(FaultKind::race,
         fmt::format("an access of the host to '{}' while what line {} does may not be over",
                     info.name, met->line));
  }
}

// That nothing which runs may access an object that is freed by a call that waits for nobody. Of
// cudaFree that is so for memory of cudaMallocAsync alone (CUDA Programming Guide, "Stream Ordered
// Memory Allocator").
void Machine::Runner::require_idle(Instance object, const char* what) {
  const ObjectInfo& info = launch_.objects[object];
  for (const FootprintPtr& other : machine_.host_->streams.pending()) {
    const auto met = other->meets(object, 0, info.bytes, Footprint::Kind::writes);
    if (!met) continue;
    if (!met->sure) {
      fail(FaultKind::unsupported,
           fmt::format("'{}' is {} while a kernel or a copy may access it", info.name, what));
    }
    fail(FaultKind::freed, fmt::format("'{}' is {} while what line {} does may not be over",
                                       info.name, what, met->line));
  }
}

// Whether all of `tasks` are done: the device's choice, unless the host knows.
bool Machine::Runner::is_done(const Streams::Tasks& tasks) {
  if (!tasks.empty() && choose(2) != 0) return false;
  machine_.host_->streams.done(tasks);
  return true;
}

// Calls that order things, and nothing else; nothing where it is another one.
std::optional<Cell> Machine::Runner::order(const Instruction& i) {
  HostWorld& world = *machine_.host_;
  const std::string& name = i.name;
  const auto operand = [&](std::size_t k) {
    if (i.operands.size() <= k)
      fail(FaultKind::unsupported, fmt::format("this call of '{}'", name));
    return reg(i.operands[k]);
  };
  const auto stream = [&](std::size_t k) { return stream_of(operand(k)); };
  const auto event = [&](std::size_t k) { return event_of(operand(k)); };
  const auto waits_for = [&](Streams::Handle of) {
    if (world.streams.is_unclear(of)) {
      fail(FaultKind::unsupported, "waiting for the default stream beside others");
    }
    return world.streams.before(of);
  };
  const Cell success = Cell::of(0), not_ready = Cell::of(600);
  if (name == "cudaDeviceSynchronize" || name == "cudaThreadSynchronize") {
    world.streams.all_done();
  } else if (name == "cudaStreamSynchronize") {
    world.streams.done(waits_for(stream(0)));
  } else if (name == "cudaEventSynchronize") {
    world.streams.done(world.streams.recorded(event(0)));
  } else if (name == "cudaStreamQuery") {
    return is_done(waits_for(stream(0))) ? success : not_ready;
  } else if (name == "cudaEventQuery") {
    return is_done(world.streams.recorded(event(0))) ? success : not_ready;
  } else if (name == "cudaEventRecord") {
    world.streams.record(event(0), stream(1));
  } else if (name == "cudaStreamWaitEvent") {
    world.streams.wait(stream(0), event(1));
  } else {
    return {};
  }
  return success;
}

}  // namespace headway::kernel
