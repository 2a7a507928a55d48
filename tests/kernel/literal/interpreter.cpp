#include "kernel/literal/interpreter.hpp"

#include <algorithm>
#include <bitset>
#include <optional>
#include <stdexcept>

namespace headway::testing {
namespace {

using namespace kernel;

constexpr std::size_t kMostEvents = 128;
using Events = std::bitset<kMostEvents>;

// A number, or an address; `object` is an index into State::objects.
struct Item {
  std::uint64_t bits = 0;
  int object = -1;
  bool defined = true;
  friend bool operator==(const Item&, const Item&) = default;
};

struct MemoryObject {
  std::vector<std::uint8_t> bytes;
  std::vector<bool> written;
  bool shared = true;                           // between threads
  std::map<std::uint64_t, Item> pointers = {};  // that were stored, by where
  friend bool operator==(const MemoryObject&, const MemoryObject&) = default;
};

enum class Standing { runs, waits, ended };

struct ThreadState {
  Standing standing = Standing::runs;
  BlockId block = 0, from = kNone;
  std::size_t index = 0;
  std::vector<Item> values;
  int last = -1;  // its last event
};

// What has happened, in its order.
struct Event {
  enum class Kind { access, fence, arrival, passing };
  Kind kind = Kind::access;
  int thread = 0;
  int object = 0;
  std::uint64_t at = 0;
  int bytes = 0;
  bool reads = false, writes = false, is_atomic = false;
  Order order = Order::relaxed;
  Scope scope = Scope::system;
  int reads_from = -1;                  // of an atomic read: the event that wrote what it reads
  std::vector<std::uint8_t> was, made;  // of a write
  Events before;                        // those that happen before it
  // Those that come before it in every execution with these values, by program order, barriers and
  // atomic accesses of one place, however relaxed: what PTX's order of fences cannot turn around.
  Events earlier;
};

struct State {
  std::vector<ThreadState> threads;
  std::vector<MemoryObject> objects;
};

struct Wrong {
  std::string what;
};

class Interpreter {
 public:
  Interpreter(const Module& module, const Function& function, const LiteralLaunch& launch)
      : module_(module), function_(function), launch_(launch) {}

  LiteralResult run() {
    State state;
    const int threads = volume(launch_.grid) * group_threads();
    for (const Parameter& parameter : function_.parameters) {
      const auto buffer = launch_.buffers.find(parameter.name);
      if (buffer == launch_.buffers.end()) {
        arguments_.push_back({launch_.integers.at(parameter.name), -1, true});
        continue;
      }
      arguments_.push_back({0, static_cast<int>(state.objects.size()), true});
      buffers_[parameter.name] = static_cast<int>(state.objects.size());
      state.objects.push_back({buffer->second, std::vector<bool>(buffer->second.size(), true)});
    }
    for (ObjectId id = 0; id < module_.objects.size(); ++id) {
      const Object& object = module_.objects[id];
      const int copies = object.space == Space::workgroup ? volume(launch_.grid) : 1;
      for (int copy = 0; copy < copies; ++copy) {
        placed_[{id, copy}] = static_cast<int>(state.objects.size());
        MemoryObject made;
        made.bytes = object.initial.value_or(std::vector<std::uint8_t>(object.bytes));
        made.bytes.resize(object.bytes);
        made.written.resize(object.bytes, object.space != Space::workgroup);
        state.objects.push_back(std::move(made));
      }
    }
    for (ObjectId local = 0; local < function_.locals.size(); ++local) {
      const Object& object = function_.locals[local];
      const bool of_groups = object.space == Space::workgroup;
      for (int copy = 0; copy < (of_groups ? volume(launch_.grid) : threads); ++copy) {
        placed_[{kFirstLocal + local, copy}] = static_cast<int>(state.objects.size());
        state.objects.push_back(
            {std::vector<std::uint8_t>(object.bytes), std::vector<bool>(object.bytes), of_groups});
      }
    }
    state.threads.resize(static_cast<std::size_t>(threads));
    for (ThreadState& thread : state.threads) thread.values.resize(function_.values.size());
    try {
      for (int t = 0; t < threads; ++t) go_on(state, t);
      settle(state);
      explore(state, -1);
    } catch (const Wrong& wrong) {
      result_.faults.insert(wrong.what);
    }
    return result_;
  }

 private:
  static int volume(const std::array<std::uint32_t, 3>& of) {
    return static_cast<int>(of[0] * of[1] * of[2]);
  }
  int group_threads() const { return volume(launch_.block); }
  int group(int thread) const { return thread / group_threads(); }

  // ---- Values

  Item value(const State& state, int thread, ValueId id) const {
    const Value& of = function_.values[id];
    switch (of.kind) {
      case Value::Kind::constant:
        return {of.bits, -1, true};
      case Value::Kind::undefined:
        return {0, -1, false};
      case Value::Kind::argument:
        return arguments_[of.bits];
      case Value::Kind::address: {
        const Object& object = module_.object(function_, of.object);
        int copy = 0;
        if (object.space == Space::workgroup) copy = group(thread);
        if (object.space == Space::local) copy = thread;
        return {of.bits, placed_.at({of.object, copy}), true};
      }
      case Value::Kind::instruction:
        break;
    }
    return state.threads[static_cast<std::size_t>(thread)].values[id];
  }

  static std::uint64_t cut(std::uint64_t bits, int width) {
    return width >= 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
  }
  static __int128 as_signed(std::uint64_t bits, int width) {
    __int128 result = cut(bits, width);
    if (result >> (width - 1) & 1) result -= static_cast<__int128>(1) << width;
    return result;
  }

  static std::uint64_t computed(Op op, int width, std::uint64_t a, std::uint64_t b) {
    const __int128 sa = as_signed(a, width);
    const __int128 sb = as_signed(b, width);
    const unsigned __int128 ua = cut(a, width);
    const unsigned __int128 ub = cut(b, width);
    const auto low = [&](auto wide) { return cut(static_cast<std::uint64_t>(wide), width); };
    const auto divisor = [&] {
      if (ub == 0 ||
          (sa < 0 && as_signed(a, width) == as_signed(std::uint64_t{1} << (width - 1), width) &&
           sb == -1 && (op == Op::sdiv || op == Op::srem))) {
        throw Wrong{"division"};
      }
    };
    const auto shift = [&] {
      if (ub >= static_cast<unsigned>(width)) throw std::runtime_error("a shift beyond the width");
    };
    switch (op) {
      case Op::add:
        return low(ua + ub);
      case Op::sub:
        return low(ua - ub);
      case Op::mul:
        return low(ua * ub);
      case Op::udiv:
        divisor();
        return low(ua / ub);
      case Op::urem:
        divisor();
        return low(ua % ub);
      case Op::sdiv:
        divisor();
        return low(sa / sb);
      case Op::srem:
        divisor();
        return low(sa % sb);
      case Op::shl:
        shift();
        return low(ua << ub);
      case Op::lshr:
        shift();
        return low(ua >> ub);
      case Op::ashr:
        shift();
        return low(sa >> static_cast<int>(ub));
      case Op::bit_and:
        return low(ua & ub);
      case Op::bit_or:
        return low(ua | ub);
      case Op::bit_xor:
        return low(ua ^ ub);
      case Op::eq:
        return ua == ub;
      case Op::ne:
        return ua != ub;
      case Op::ult:
        return ua < ub;
      case Op::ule:
        return ua <= ub;
      case Op::ugt:
        return ua > ub;
      case Op::uge:
        return ua >= ub;
      case Op::slt:
        return sa < sb;
      case Op::sle:
        return sa <= sb;
      case Op::sgt:
        return sa > sb;
      case Op::sge:
        return sa >= sb;
      default:
        throw std::runtime_error("operation " + std::to_string(static_cast<int>(op)));
    }
  }

  // What an instruction without effects gives.
  Item pure(const State& state, int thread, const Instruction& i) const {
    const auto of = [&](std::size_t n) { return value(state, thread, i.operands[n]); };
    const auto width = [&](std::size_t n) {
      return int{function_.values[i.operands[n]].type.bits};
    };
    switch (i.op) {
      case Op::select: {
        const Item which = of(0);
        if (!which.defined) throw Wrong{"uninitialized"};
        return which.bits != 0 ? of(1) : of(2);
      }
      case Op::offset: {
        Item to = of(0);
        const Item by = of(1);
        if (!by.defined) throw Wrong{"uninitialized"};
        to.bits += by.bits;
        return to;
      }
      case Op::trunc:
      case Op::zext:
        return {cut(of(0).bits, i.type.bits), -1, of(0).defined};
      case Op::sext:
        return {cut(static_cast<std::uint64_t>(as_signed(of(0).bits, width(0))), i.type.bits), -1,
                of(0).defined};
      case Op::builtin:
        return {builtin(i.builtin, i.dimension, thread), -1, true};
      default: {
        const Item a = of(0);
        const Item b = of(1);
        if (!a.defined || !b.defined) return {0, -1, false};
        if (a.object >= 0 || b.object >= 0)
          throw std::runtime_error("arithmetic of addresses, operation " +
                                   std::to_string(static_cast<int>(i.op)));
        return {computed(i.op, width(0), a.bits, b.bits), -1, true};
      }
    }
  }

  std::uint64_t builtin(Builtin what, int dimension, int thread) const {
    const auto part = [&](const std::array<std::uint32_t, 3>& of, int linear) {
      const auto at = static_cast<std::uint32_t>(linear);
      if (dimension == 0) return at % of[0];
      if (dimension == 1) return at / of[0] % of[1];
      return at / of[0] / of[1];
    };
    switch (what) {
      case Builtin::thread_id:
        return part(launch_.block, thread % group_threads());
      case Builtin::group_id:
        return part(launch_.grid, group(thread));
      case Builtin::group_size:
        return launch_.block[static_cast<std::size_t>(dimension)];
      case Builtin::groups:
        return launch_.grid[static_cast<std::size_t>(dimension)];
      default:
        throw std::runtime_error("a built-in value that is not known");
    }
  }

  // ---- Events

  bool includes(Scope scope, int a, int b) const {
    switch (scope) {
      case Scope::thread:
        return a == b;
      case Scope::subgroup:
        return group(a) == group(b) &&
               a % group_threads() / launch_.subgroup == b % group_threads() / launch_.subgroup;
      case Scope::workgroup:
        return group(a) == group(b);
      default:
        return true;
    }
  }

  static bool releases(Order order) { return order == Order::release || acquires_too(order); }
  static bool acquires(Order order) { return order == Order::acquire || acquires_too(order); }
  static bool acquires_too(Order order) {
    return order == Order::acquire_release || order == Order::seq_cst;
  }

  static bool is_sequential_fence(const Event& event) {
    return event.kind == Event::Kind::fence && event.order == Order::seq_cst;
  }

  // What releases to an atomic read: the head of a release sequence, or a fence in front of it;
  // with the scope that both have.
  struct Release {
    int event;
    Scope scope;
  };
  std::vector<Release> released_to(int read) const {
    std::vector<Release> result;
    int write = events_[static_cast<std::size_t>(read)].reads_from;
    while (write >= 0) {
      const Event& w = events_[static_cast<std::size_t>(write)];
      if (!w.is_atomic) break;
      if (releases(w.order)) result.push_back({write, w.scope});
      for (int f = 0; f < write; ++f) {
        const Event& fence = events_[static_cast<std::size_t>(f)];
        if (fence.kind == Event::Kind::fence && fence.thread == w.thread && releases(fence.order)) {
          result.push_back({f, std::min(fence.scope, w.scope)});
        }
      }
      if (!w.reads) break;  // a store begins a sequence, an update goes on with one
      write = w.reads_from;
    }
    return result;
  }

  void come_behind(Event& after, int before) const {
    after.earlier |= events_[static_cast<std::size_t>(before)].earlier;
    after.earlier.set(static_cast<std::size_t>(before));
  }

  void follow(Event& after, int before) const {
    after.before |= events_[static_cast<std::size_t>(before)].before;
    after.before.set(static_cast<std::size_t>(before));
    come_behind(after, before);
  }

  void acquire(Event& by, int read, Scope scope) const {
    for (const Release& release : released_to(read)) {
      const int from = events_[static_cast<std::size_t>(release.event)].thread;
      if (includes(release.scope, from, by.thread) && includes(scope, by.thread, from)) {
        follow(by, release.event);
      }
    }
  }

  void add(State& state, Event event) {
    const int number = static_cast<int>(events_.size());
    if (number >= static_cast<int>(kMostEvents)) throw std::runtime_error("too many events");
    ThreadState& thread = state.threads[static_cast<std::size_t>(event.thread)];
    if (thread.last >= 0) follow(event, thread.last);
    events_.push_back(event);
    Event& added = events_.back();
    for (int e = 0; e < number && added.kind == Event::Kind::access && added.is_atomic; ++e) {
      const Event& old = events_[static_cast<std::size_t>(e)];
      if (old.kind == Event::Kind::access && old.is_atomic && old.object == added.object &&
          old.at == added.at && (old.writes || added.writes)) {
        come_behind(added, e);
      }
    }
    for (int e = 0; e < number && module_.fence_order; ++e) {
      const Event old = events_[static_cast<std::size_t>(e)];
      if (is_sequential_fence(old) && is_sequential_fence(added) &&
          added.earlier[static_cast<std::size_t>(e)] &&
          includes(old.scope, old.thread, added.thread) &&
          includes(added.scope, added.thread, old.thread)) {
        follow(added, e);
      }
    }
    if (added.kind == Event::Kind::fence && acquires(added.order)) {
      for (int r = 0; r < number; ++r) {
        const Event read = events_[static_cast<std::size_t>(r)];
        if (read.thread != added.thread || !read.is_atomic || !read.reads) continue;
        acquire(added, r, std::min(read.scope, added.scope));
      }
    }
    if (added.kind == Event::Kind::access && added.is_atomic && added.reads &&
        acquires(added.order)) {
      acquire(added, number, added.scope);
    }
    thread.last = number;
  }

  // An access races with an earlier one of another thread that does not happen before it.
  void look_for_races() const {
    const Event& made = events_.back();
    for (std::size_t e = 0; e + 1 < events_.size(); ++e) {
      const Event& old = events_[e];
      if (old.kind != Event::Kind::access || old.thread == made.thread) continue;
      if (old.object != made.object || old.at + static_cast<unsigned>(old.bytes) <= made.at ||
          made.at + static_cast<unsigned>(made.bytes) <= old.at) {
        continue;
      }
      if ((!old.writes && !made.writes) || made.before[e]) continue;
      if (old.is_atomic && made.is_atomic && includes(old.scope, old.thread, made.thread) &&
          includes(made.scope, made.thread, old.thread)) {
        continue;
      }
      if (old.writes && made.writes && !old.is_atomic && !made.is_atomic) {
        bool same = true;  // writes of the same value, byte by byte
        for (std::uint64_t at = std::max(old.at, made.at);
             at < std::min(old.at + old.made.size(), made.at + made.made.size()); ++at) {
          same = same && old.made[at - old.at] == made.made[at - made.at];
        }
        if (same) continue;
      }
      throw Wrong{"race"};
    }
  }

  // ---- Steps

  static bool is_access(Op op) { return op >= Op::load && op <= Op::atomic_compare; }

  // Whether the next instruction of a thread is an access of memory that others may see.
  bool stands_at_access(const State& state, int thread) const {
    const ThreadState& of = state.threads[static_cast<std::size_t>(thread)];
    const Instruction& i = function_.blocks[of.block].code[of.index];
    if (!is_access(i.op)) return false;
    const Item to = value(state, thread, i.operands[0]);
    return to.object < 0 || state.objects[static_cast<std::size_t>(to.object)].shared;
  }

  void access(State& state, int thread) {
    ThreadState& of = state.threads[static_cast<std::size_t>(thread)];
    const Instruction& i = function_.blocks[of.block].code[of.index++];
    const Item to = value(state, thread, i.operands[0]);
    if (!to.defined) throw Wrong{"uninitialized"};
    if (to.object < 0) throw Wrong{"null"};
    MemoryObject& object = state.objects[static_cast<std::size_t>(to.object)];
    const int bytes = (i.type.bits + 7) / 8;
    if (to.bits > object.bytes.size() ||
        static_cast<unsigned>(bytes) > object.bytes.size() - to.bits) {
      throw Wrong{"bounds"};
    }
    const auto place = static_cast<std::ptrdiff_t>(to.bits);
    Item old;
    for (int b = 0; b < bytes; ++b) {
      old.bits |= std::uint64_t{object.bytes[to.bits + static_cast<unsigned>(b)]} << (8 * b);
      old.defined = old.defined && object.written[to.bits + static_cast<unsigned>(b)];
    }
    Event event;
    event.thread = thread;
    event.object = to.object;
    event.at = to.bits;
    event.bytes = bytes;
    event.is_atomic = i.op >= Op::atomic_load || (i.is_volatile && module_.volatile_is_atomic);
    event.reads = i.op != Op::store && i.op != Op::atomic_store;
    event.writes = i.op != Op::load && i.op != Op::atomic_load;
    event.order = i.op >= Op::atomic_load ? i.order : Order::relaxed;
    event.scope = i.op >= Op::atomic_load ? i.scope : Scope::system;
    std::uint64_t next = 0;
    if (i.op == Op::store || i.op == Op::atomic_store) {
      const Item given = value(state, thread, i.operands[1]);
      if (given.object >= 0 && object.shared) throw std::runtime_error("a store of a pointer");
      if (given.object >= 0) object.pointers[to.bits] = given;
      if (!given.defined) throw std::runtime_error("a store of nothing");
      next = given.bits;
    } else if (i.op == Op::atomic_update) {
      if (!old.defined) throw Wrong{"uninitialized"};
      next = update(i.update, i.type.bits, old.bits, value(state, thread, i.operands[1]).bits);
    } else if (i.op == Op::atomic_compare) {
      if (!old.defined) throw Wrong{"uninitialized"};
      const bool equal = old.bits == value(state, thread, i.operands[1]).bits;
      next = equal ? value(state, thread, i.operands[2]).bits : old.bits;
      event.writes = equal;
      if (!equal && i.otherwise) event.order = *i.otherwise;
    }
    if (object.shared && event.reads && event.is_atomic) {
      for (int e = static_cast<int>(events_.size()) - 1; e >= 0 && event.reads_from < 0; --e) {
        const Event& w = events_[static_cast<std::size_t>(e)];
        if (w.writes && w.object == event.object && w.at == event.at) event.reads_from = e;
      }
    }
    if (event.writes) {
      event.was.assign(object.bytes.begin() + place, object.bytes.begin() + place + bytes);
      for (int b = 0; b < bytes; ++b) {
        event.made.push_back(static_cast<std::uint8_t>(next >> (8 * b)));
        object.bytes[to.bits + static_cast<unsigned>(b)] = event.made.back();
        object.written[to.bits + static_cast<unsigned>(b)] = true;
      }
    }
    if (i.type.is_pointer() && event.reads) old = object.pointers.at(to.bits);
    if (i.result != kNone) of.values[i.result] = old;
    if (object.shared) {
      add(state, std::move(event));
      look_for_races();
    }
  }

  static std::uint64_t update(Update what, int width, std::uint64_t old, std::uint64_t by) {
    switch (what) {
      case Update::exchange:
        return by;
      case Update::add:
        return cut(old + by, width);
      case Update::sub:
        return cut(old - by, width);
      case Update::bit_and:
        return old & by;
      case Update::bit_or:
        return old | by;
      case Update::bit_xor:
        return old ^ by;
      case Update::smin:
        return as_signed(by, width) < as_signed(old, width) ? by : old;
      case Update::smax:
        return as_signed(by, width) > as_signed(old, width) ? by : old;
      case Update::umin:
        return std::min(old, by);
      case Update::umax:
        return std::max(old, by);
      case Update::wrap_inc:
        return old >= by ? 0 : old + 1;
      case Update::wrap_dec:
        return old == 0 || old > by ? by : old - 1;
      default:
        throw std::runtime_error("an update that is not known");
    }
  }

  // Of an array's initial values, into memory of the thread's own.
  void copy(State& state, int thread, const Instruction& i) const {
    const Item to = value(state, thread, i.operands[0]);
    const Item from = value(state, thread, i.operands[1]);
    const std::uint64_t bytes = value(state, thread, i.operands[2]).bits;
    MemoryObject& into = state.objects.at(static_cast<std::size_t>(to.object));
    const MemoryObject& source = state.objects.at(static_cast<std::size_t>(from.object));
    if (into.shared) throw std::runtime_error("a copy into memory that others may see");
    for (std::uint64_t b = 0; b < bytes; ++b) {
      into.bytes.at(to.bits + b) = source.bytes.at(from.bits + b);
      into.written[to.bits + b] = source.written[from.bits + b];
    }
  }

  void enter(State& state, int thread, BlockId to) const {
    ThreadState& of = state.threads[static_cast<std::size_t>(thread)];
    of.from = of.block;
    of.block = to;
    of.index = 0;
    std::map<ValueId, Item> phis;
    for (const Instruction& i : function_.blocks[to].code) {
      if (i.op != Op::phi) break;
      const auto way = std::find(i.targets.begin(), i.targets.end(), of.from) - i.targets.begin();
      phis[i.result] = value(state, thread, i.operands[static_cast<std::size_t>(way)]);
      ++of.index;
    }
    for (const auto& [id, item] : phis) of.values[id] = item;
  }

  // Up to the next access that others may see, a barrier at which others are missing, or the end.
  void go_on(State& state, int thread) {
    ThreadState& of = state.threads[static_cast<std::size_t>(thread)];
    for (int steps = 0; of.standing == Standing::runs && !stands_at_access(state, thread);) {
      if (++steps > 10'000) throw Wrong{"termination"};
      const Instruction& i = function_.blocks[of.block].code[of.index];
      if (is_access(i.op)) {
        access(state, thread);
        continue;
      }
      ++of.index;
      switch (i.op) {
        case Op::begin_lifetime:
        case Op::end_lifetime:
          break;
        case Op::copy:
          copy(state, thread, i);
          break;
        case Op::fence: {
          Event event;
          event.kind = Event::Kind::fence;
          event.thread = thread;
          event.order = i.order;
          event.scope = i.scope;
          add(state, event);
          break;
        }
        case Op::barrier:
        case Op::barrier_reduce: {
          if (i.scope != Scope::workgroup) throw std::runtime_error("a barrier of another scope");
          --of.index;
          of.standing = Standing::waits;
          Event event;
          event.kind = Event::Kind::arrival;
          event.thread = thread;
          add(state, event);
          break;
        }
        case Op::claim: {
          const Item holds = value(state, thread, i.operands[0]);
          if (!holds.defined) throw Wrong{"uninitialized"};
          if (holds.bits == 0) {
            throw Wrong{i.claim == Claim::assertion ? "assertion"
                        : i.claim == Claim::within  ? "bounds"
                                                    : "excluded"};
          }
          break;
        }
        case Op::jump:
          enter(state, thread, i.targets[0]);
          break;
        case Op::branch: {
          const Item way = value(state, thread, i.operands[0]);
          if (!way.defined) throw Wrong{"uninitialized"};
          enter(state, thread, i.targets[way.bits != 0 ? 0 : 1]);
          break;
        }
        case Op::choose: {
          const Item way = value(state, thread, i.operands[0]);
          if (!way.defined) throw Wrong{"uninitialized"};
          const auto found = std::find(i.cases.begin(), i.cases.end(), way.bits);
          const auto nth = static_cast<std::size_t>(found - i.cases.begin());
          enter(state, thread, i.targets[found == i.cases.end() ? 0 : nth + 1]);
          break;
        }
        case Op::ret:
          of.standing = Standing::ended;
          break;
        case Op::trap:
          throw Wrong{"assertion"};
        default:
          of.values[i.result] = pure(state, thread, i);
      }
    }
  }

  // Lets go all workgroups whose threads have all arrived, as long as there are any.
  void settle(State& state) {
    for (bool changes = true; changes;) {
      changes = false;
      for (int g = 0; g < volume(launch_.grid); ++g) {
        const int first = g * group_threads();
        int arrived = 0;
        const Instruction* at = nullptr;
        bool together = true;
        for (int t = first; t < first + group_threads(); ++t) {
          const ThreadState& of = state.threads[static_cast<std::size_t>(t)];
          if (of.standing != Standing::waits) continue;
          ++arrived;
          const Instruction& i = function_.blocks[of.block].code[of.index];
          together = together && (at == nullptr || at == &i);
          at = &i;
        }
        if (arrived == 0) continue;
        // Threads at different barriers, and threads that have ended while others wait.
        bool ended = false;
        for (int t = first; t < first + group_threads(); ++t) {
          ended = ended || state.threads[static_cast<std::size_t>(t)].standing == Standing::ended;
        }
        if (arrived < group_threads()) continue;
        if (!together) throw Wrong{"divergence"};
        release(state, first, *at);
        changes = true;
      }
    }
  }

  void release(State& state, int first, const Instruction& barrier) {
    Events all, earlier;
    std::uint64_t count = 0;
    for (int t = first; t < first + group_threads(); ++t) {
      const ThreadState& of = state.threads[static_cast<std::size_t>(t)];
      all |= events_[static_cast<std::size_t>(of.last)].before;
      all.set(static_cast<std::size_t>(of.last));
      earlier |= events_[static_cast<std::size_t>(of.last)].earlier;
      earlier.set(static_cast<std::size_t>(of.last));
      if (barrier.op == Op::barrier_reduce) {
        count += value(state, t, barrier.operands[0]).bits != 0 ? 1 : 0;
      }
    }
    for (int t = first; t < first + group_threads(); ++t) {
      ThreadState& of = state.threads[static_cast<std::size_t>(t)];
      of.standing = Standing::runs;
      ++of.index;
      if (barrier.op == Op::barrier_reduce) {
        const auto threads = static_cast<std::uint64_t>(group_threads());
        std::uint64_t given = count;
        if (barrier.subgroup == Subgroup::all) given = count == threads ? 1 : 0;
        if (barrier.subgroup == Subgroup::any) given = count > 0 ? 1 : 0;
        of.values[barrier.result] = {given, -1, true};
      }
      Event event;
      event.kind = Event::Kind::passing;
      event.thread = t;
      event.before = all;
      event.earlier = earlier;
      add(state, event);
    }
    for (int t = first; t < first + group_threads(); ++t) go_on(state, t);
  }

  static bool is_again(const ThreadState& a, const ThreadState& b) {
    return a.standing == Standing::runs && a.block == b.block && a.index == b.index &&
           a.from == b.from && a.values == b.values;
  }

  // `idle` has just done what changes nothing, and would do so again.
  void explore(const State& state, int idle) {
    if (++steps_ > launch_.max_steps) result_.complete = false;
    if (!result_.complete) return;
    bool moved = false;
    for (std::size_t t = 0; t < state.threads.size(); ++t) {
      if (state.threads[t].standing != Standing::runs) continue;
      moved = true;
      if (static_cast<int>(events_.size()) >= launch_.max_events) {
        result_.cut = true;
        return finish("");
      }
      if (static_cast<int>(t) == idle) continue;
      const std::size_t before = events_.size();
      State next = state;
      try {
        access(next, static_cast<int>(t));
        go_on(next, static_cast<int>(t));
        settle(next);
        const bool repeats =
            is_again(next.threads[t], state.threads[t]) && next.objects == state.objects;
        explore(next, repeats ? static_cast<int>(t) : -1);
      } catch (const Wrong& wrong) {
        finish(wrong.what);
      }
      events_.resize(before);
    }
    if (moved) return;
    for (const ThreadState& thread : state.threads) {
      if (thread.standing == Standing::waits) return finish("divergence");
    }
    std::string end;
    for (const auto& [name, object] : buffers_) {
      const auto& bytes = state.objects[static_cast<std::size_t>(object)].bytes;
      end.insert(end.end(), bytes.begin(), bytes.end());
    }
    result_.ends.insert(std::move(end));
    finish("");
  }

  void finish(const std::string& fault) {
    if (!fault.empty() && fault != "excluded") result_.faults.insert(fault);
    if (++executions_ >= launch_.max_executions) result_.complete = false;
  }

  const Module& module_;
  const Function& function_;
  const LiteralLaunch& launch_;
  std::vector<Item> arguments_;
  std::map<std::string, int> buffers_;
  std::map<std::pair<ObjectId, int>, int> placed_;
  LiteralResult result_;
  std::vector<Event> events_;  // of the execution at hand
  std::size_t executions_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace

LiteralResult run_literally(const Module& module, const Function& function,
                            const LiteralLaunch& launch) {
  return Interpreter(module, function, launch).run();
}

}  // namespace headway::testing
