#include "kernel/literal/interpreter.hpp"

#include <algorithm>
#include <deque>
#include <stdexcept>

#include "kernel/literal/arithmetic.hpp"
#include "kernel/literal/history.hpp"
#include "kernel/literal/subgroup.hpp"
#include "kernel/literal/worlds.hpp"

namespace headway::testing {
namespace {

using namespace kernel;
using literal::Alive;
using literal::cut;
using literal::Event;
using literal::InEach;
using literal::kWorlds;

// A number, or an address; `object` is an index into State::objects. With `worlds`, a number of
// Worlds, it is not the same in all of them.
struct Item {
  std::uint64_t bits = 0;
  int object = -1;
  int worlds = -1;
  friend bool operator==(const Item&, const Item&) = default;
};

struct MemoryObject {
  std::vector<int> bytes;  // from kUnsetByte on: so many more is a number of Worlds
  bool shared = true;      // between threads
  bool constant = false;
  bool outlives = false;                        // the launch
  std::map<std::uint64_t, Item> pointers = {};  // that were stored, by where
  friend bool operator==(const MemoryObject&, const MemoryObject&) = default;
};

enum class Standing { runs, waits, ended };

struct ThreadState {
  Standing standing = Standing::runs;
  BlockId block = 0, from = kNone;
  std::size_t index = 0;
  std::uint64_t mask = 0;  // of those that it waits for in its subgroup
  std::vector<Item> values;
};

struct State {
  std::vector<ThreadState> threads;
  std::vector<MemoryObject> objects;
  Alive alive = Alive().set();

  ThreadState& of(int thread) { return threads[static_cast<std::size_t>(thread)]; }
  const ThreadState& of(int thread) const { return threads[static_cast<std::size_t>(thread)]; }
};

struct Wrong {
  std::string what;
};

class Interpreter {
 public:
  Interpreter(const Module& module, const Function& function, const LiteralLaunch& launch)
      : module_(module),
        function_(function),
        launch_(launch),
        history_(group_threads(), launch.subgroup, module.causality, threads()) {}

  LiteralResult run() {
    State state;
    for (const Parameter& parameter : function_.parameters) {
      const auto buffer = launch_.buffers.find(parameter.name);
      if (buffer == launch_.buffers.end()) {
        arguments_.push_back({launch_.integers.at(parameter.name)});
        continue;
      }
      arguments_.push_back({0, static_cast<int>(state.objects.size())});
      buffers_[parameter.name] = static_cast<int>(state.objects.size());
      state.objects.push_back({{buffer->second.begin(), buffer->second.end()}});
      state.objects.back().outlives = true;
    }
    for (ObjectId id = 0; id < module_.objects.size(); ++id) {
      const Object& object = module_.objects[id];
      const bool of_groups = object.space == Space::workgroup;
      for (int copy = 0; copy < (of_groups ? groups() : 1); ++copy) {
        place(state, id, object, copy);
        if (of_groups) continue;
        MemoryObject& made = state.objects.back();
        made.constant = object.space == Space::constant || object.read_only;
        made.shared = made.outlives = !made.constant;
        std::fill(made.bytes.begin(), made.bytes.end(), 0);
        if (object.initial)
          std::copy(object.initial->begin(), object.initial->end(), made.bytes.begin());
      }
    }
    for (ObjectId local = 0; local < function_.locals.size(); ++local) {
      const Object& object = function_.locals[local];
      const bool of_groups = object.space == Space::workgroup;
      for (int copy = 0; copy < (of_groups ? groups() : threads()); ++copy) {
        place(state, kFirstLocal + local, object, copy);
        state.objects.back().shared = of_groups;
      }
    }
    fresh_ = state.objects;
    state.threads.resize(static_cast<std::size_t>(threads()));
    for (ThreadState& thread : state.threads) thread.values.resize(function_.values.size());
    try {
      go_on(state, everyone());
      settle(state);
      explore(state, -1);
    } catch (const Wrong& wrong) {
      finish(wrong.what);
    }
    return result_;
  }

 private:
  static int volume(const std::array<std::uint32_t, 3>& of) {
    return static_cast<int>(of[0] * of[1] * of[2]);
  }
  int group_threads() const { return volume(launch_.block); }
  int groups() const { return volume(launch_.grid); }
  int threads() const { return groups() * group_threads(); }
  int group(int thread) const { return thread / group_threads(); }
  int lane(int thread) const { return thread % group_threads() % launch_.subgroup; }
  std::vector<int> everyone() const {
    std::vector<int> result;
    for (int t = 0; t < threads(); ++t) result.push_back(t);
    return result;
  }

  // Of what nobody has set. All that the launch sizes is one object of each workgroup.
  void place(State& state, ObjectId id, const Object& object, int copy) {
    if (object.launch_sized) {
      const auto [one, is_new] =
          launch_sized_.emplace(copy, static_cast<int>(state.objects.size()));
      placed_[{id, copy}] = one->second;
      if (!is_new) return;
    } else {
      placed_[{id, copy}] = static_cast<int>(state.objects.size());
    }
    MemoryObject made;
    const std::uint64_t bytes = object.launch_sized ? launch_.workgroup_bytes : object.bytes;
    for (std::uint64_t at = 0; at < bytes; ++at) {
      InEach byte = literal::Worlds::drawn(state.objects.size(), at / 4);
      for (std::uint64_t& value : byte) value = value >> (8 * (at % 4)) & 0xff;
      made.bytes.push_back(kUnsetByte + worlds_.number(byte, false));
    }
    state.objects.push_back(std::move(made));
  }

  // ---- Values

  std::uint64_t bits(const Item& item, std::size_t world) const {
    return item.worlds < 0 ? item.bits : worlds_.of(item.worlds)[world];
  }
  bool is_absent(const Item& item) const {
    return item.worlds >= 0 && worlds_.is_absent(item.worlds);
  }
  // What is so in each of the worlds that are left.
  Item item(const State& state, const InEach& values, bool absent) {
    const std::size_t first = state.alive._Find_first();
    for (std::size_t w = first; w < kWorlds; ++w) {
      if (state.alive[w] && values[w] != values[first]) {
        return {0, -1, worlds_.number(values, absent)};
      }
    }
    return {values[first]};
  }
  // `of` gives a number for a world.
  template <class From, class Of>
  Item in_each(const State& state, const From& from, Of of) {
    bool absent = false;
    bool differs = false;
    for (const Item& one : from) {
      differs = differs || one.worlds >= 0;
      absent = absent || is_absent(one);
    }
    if (!differs) return {of(std::size_t{0})};
    InEach values{};
    for (std::size_t w = 0; w < kWorlds; ++w) {
      if (state.alive[w]) values[w] = of(w);
    }
    return item(state, values, absent);
  }
  // A number that something hangs on.
  std::uint64_t required(const State& state, const Item& on) {
    const Item now = in_each(state, std::array{on}, [&](std::size_t w) { return bits(on, w); });
    if (now.worlds >= 0) throw Wrong{is_absent(now) ? "divergence" : "uninitialized"};
    return now.bits;
  }

  Item value(const State& state, int thread, ValueId id) {
    const Value& of = function_.values[id];
    switch (of.kind) {
      case Value::Kind::constant:
        return {of.bits};
      case Value::Kind::undefined: {
        InEach any =
            literal::Worlds::drawn(std::uint64_t{1} << 20 | id, static_cast<std::uint64_t>(thread));
        for (std::uint64_t& one : any) one = cut(one, of.type.bits);
        return item(state, any, false);
      }
      case Value::Kind::argument:
        return arguments_[of.bits];
      case Value::Kind::address: {
        const Object& object = module_.object(function_, of.object);
        int copy = 0;
        if (object.space == Space::workgroup) copy = group(thread);
        if (object.space == Space::local) copy = thread;
        return {of.bits, placed_.at({of.object, copy})};
      }
      case Value::Kind::instruction:
        break;
    }
    return state.of(thread).values[id];
  }

  // What an instruction without effects gives.
  Item pure(State& state, int thread, const Instruction& i) {
    std::array<Item, 3> of;
    for (std::size_t n = 0; n < i.operands.size(); ++n) {
      of.at(n) = value(state, thread, i.operands[n]);
    }
    const auto width = [&](std::size_t n) {
      return int{function_.values[i.operands[n]].type.bits};
    };
    switch (i.op) {
      case Op::select: {
        if (of[0].worlds < 0) return of[of[0].bits != 0 ? 1 : 2];
        if (of[1].object >= 0 || of[2].object >= 0) throw std::runtime_error("any of two pointers");
        return in_each(state, of,
                       [&](std::size_t w) { return bits(of[bits(of[0], w) != 0 ? 1 : 2], w); });
      }
      case Op::offset: {
        Item to =
            in_each(state, of, [&](std::size_t w) { return bits(of[0], w) + bits(of[1], w); });
        to.object = of[0].object;
        return to;
      }
      case Op::bitcast:
        return of[0];
      case Op::trunc:
      case Op::zext:
        return in_each(state, of, [&](std::size_t w) { return cut(bits(of[0], w), i.type.bits); });
      case Op::sext:
        return in_each(state, of, [&](std::size_t w) {
          const __int128 wide = literal::as_signed(bits(of[0], w), width(0));
          return cut(static_cast<std::uint64_t>(wide), i.type.bits);
        });
      case Op::builtin:
        return {builtin(i.builtin, i.dimension, thread)};
      default: {
        if (of.at(0).object >= 0 || of.at(1).object >= 0) {
          throw std::runtime_error("arithmetic of addresses, operation " +
                                   std::to_string(static_cast<int>(i.op)));
        }
        const auto result = [&](std::size_t w) {
          return literal::computed(i.op, width(0), bits(of[0], w), bits(of[1], w));
        };
        Alive divided;
        for (std::size_t w = 0; w < kWorlds; ++w) divided[w] = state.alive[w] && result(w);
        if (divided != state.alive) result_.faults.insert("division");
        if (divided.none()) throw Wrong{"division"};
        state.alive = divided;
        return in_each(state, of, [&](std::size_t w) { return *result(w); });
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
      case Builtin::subgroup_size:
        return static_cast<std::uint64_t>(launch_.subgroup);
      default:
        throw std::runtime_error("a built-in value that is not known");
    }
  }

  // ---- Memory

  Item read(const State& state, const MemoryObject& object, std::uint64_t at, Type type) {
    std::array<Item, 8> bytes;
    for (std::size_t b = 0; b < static_cast<std::size_t>(type.bytes()); ++b) {
      const int byte = object.bytes[at + b];
      if (byte < kUnsetByte) bytes[b].bits = static_cast<std::uint64_t>(byte);
      if (byte >= kUnsetByte) bytes[b].worlds = byte - kUnsetByte;
    }
    return in_each(state, bytes, [&](std::size_t w) {
      std::uint64_t whole = 0;
      for (std::size_t b = 0; b < bytes.size(); ++b) whole |= bits(bytes[b], w) << (8 * b);
      return cut(whole, type.bits);
    });
  }

  int byte_of(const State& state, const Item& from, int b) {
    const Item byte = in_each(state, std::array{from},
                              [&](std::size_t w) { return bits(from, w) >> (8 * b) & 0xff; });
    return byte.worlds < 0 ? static_cast<int>(byte.bits) : kUnsetByte + byte.worlds;
  }

  static bool is_access(Op op) { return op >= Op::load && op <= Op::atomic_compare; }

  // Whether the next instruction of a thread is an access of memory that others may see.
  bool stands_at_access(const State& state, int thread) {
    const ThreadState& of = state.of(thread);
    const Instruction& i = function_.blocks[of.block].code[of.index];
    if (!is_access(i.op)) return false;
    const Item to = value(state, thread, i.operands[0]);
    return to.object < 0 || state.objects[static_cast<std::size_t>(to.object)].shared;
  }

  void access(State& state, int thread) {
    ThreadState& of = state.of(thread);
    const Instruction& i = function_.blocks[of.block].code[of.index++];
    const Item to = value(state, thread, i.operands[0]);
    const std::uint64_t at = required(state, to);
    if (to.object < 0) throw Wrong{"null"};
    MemoryObject& object = state.objects[static_cast<std::size_t>(to.object)];
    const int bytes = i.type.bytes();
    if (object.constant && i.op != Op::load && i.op != Op::atomic_load) throw Wrong{"constant"};
    if (at > object.bytes.size() || static_cast<unsigned>(bytes) > object.bytes.size() - at) {
      throw Wrong{"bounds"};
    }
    const bool is_atomic = i.op >= Op::atomic_load;
    if (at % (is_atomic ? static_cast<unsigned>(bytes) : i.align) != 0) throw Wrong{"alignment"};
    Event event;
    event.thread = thread;
    event.object = to.object;
    event.at = at;
    event.bytes = bytes;
    event.is_atomic = is_atomic || (i.is_volatile && module_.volatile_is_atomic);
    event.reads = i.op != Op::store && i.op != Op::atomic_store;
    event.writes = i.op != Op::load && i.op != Op::atomic_load;
    event.order = is_atomic ? i.order : Order::relaxed;
    event.scope = is_atomic ? i.scope : Scope::system;
    Item old;
    if (event.reads && i.type.is_pointer()) old = object.pointers.at(at);
    if (event.reads && !i.type.is_pointer()) old = read(state, object, at, i.type);
    Item next;
    if (i.op == Op::store || i.op == Op::atomic_store) {
      next = value(state, thread, i.operands[1]);
      if (next.object >= 0 && object.shared) throw std::runtime_error("a store of a pointer");
      if (next.object >= 0) object.pointers[at] = next;
    } else if (i.op == Op::atomic_update) {
      const Item by = value(state, thread, i.operands[1]);
      next = in_each(state, std::array{old, by}, [&](std::size_t w) {
        return literal::updated(i.update, i.type.bits, bits(old, w), bits(by, w));
      });
    } else if (i.op == Op::atomic_compare) {
      const Item wanted = value(state, thread, i.operands[1]);
      const Item equal = in_each(state, std::array{old, wanted}, [&](std::size_t w) {
        return std::uint64_t{bits(old, w) == bits(wanted, w)};
      });
      event.writes = required(state, equal) != 0;
      if (event.writes) next = value(state, thread, i.operands[2]);
      if (!event.writes && i.otherwise) event.order = *i.otherwise;
    }
    if (event.writes) {
      const Item now =
          in_each(state, std::array{next}, [&](std::size_t w) { return bits(next, w); });
      // A lane that took no part gave it nothing to hand on.
      if (object.shared && is_absent(now)) throw Wrong{"divergence"};
      if (launch_.results && object.outlives && now.worlds >= 0) throw Wrong{"uninitialized"};
      for (int b = 0; b < bytes; ++b) {
        object.bytes[at + static_cast<unsigned>(b)] = event.made[static_cast<std::size_t>(b)] =
            byte_of(state, next, b);
      }
    }
    if (i.result != kNone) of.values[i.result] = old;
    if (object.shared) {
      history_.add(event);
      if (history_.races()) throw Wrong{"race"};
    }
  }

  // Of an array's initial values, into memory of the thread's own.
  void copy(State& state, int thread, const Instruction& i) {
    const Item to = value(state, thread, i.operands[0]);
    const Item from = value(state, thread, i.operands[1]);
    const std::uint64_t bytes = required(state, value(state, thread, i.operands[2]));
    MemoryObject& into = state.objects.at(static_cast<std::size_t>(to.object));
    if (into.shared) throw std::runtime_error("a copy into memory that others may see");
    for (std::uint64_t b = 0; b < bytes; ++b) {
      into.bytes.at(to.bits + b) =
          i.op == Op::fill
              ? static_cast<int>(from.bits & 0xff)
              : state.objects.at(static_cast<std::size_t>(from.object)).bytes.at(from.bits + b);
    }
  }

  // ---- Steps

  void enter(State& state, int thread, BlockId to) {
    ThreadState& of = state.of(thread);
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

  void go_on(State& state, const std::vector<int>& threads) {
    for (const int t : threads) go_on(state, t);
  }

  // Up to the next access that others may see, a place at which others are missing, or the end.
  void go_on(State& state, int thread) {
    ThreadState& of = state.of(thread);
    for (int steps = 0; of.standing == Standing::runs && !stands_at_access(state, thread);) {
      if (++steps > 10'000) throw Wrong{"termination"};
      const Instruction& i = function_.blocks[of.block].code[of.index];
      if (is_access(i.op)) {
        access(state, thread);
        continue;
      }
      const auto operand = [&] { return required(state, value(state, thread, i.operands[0])); };
      ++of.index;
      switch (i.op) {
        case Op::begin_lifetime: {
          const auto object = static_cast<std::size_t>(value(state, thread, i.operands[0]).object);
          state.objects[object] = fresh_[object];
          break;
        }
        case Op::end_lifetime:
          break;
        case Op::copy:
        case Op::fill:
          copy(state, thread, i);
          break;
        case Op::fence: {
          Event event;
          event.kind = Event::Kind::fence;
          event.thread = thread;
          event.order = i.order;
          event.scope = i.scope;
          history_.add(event);
          break;
        }
        case Op::barrier:
        case Op::barrier_reduce:
        case Op::subgroup:
          --of.index;
          wait(state, thread, i);
          break;
        case Op::claim:
          if (i.claim != Claim::shown && operand() == 0) {
            throw Wrong{i.claim == Claim::assertion ? "assertion"
                        : i.claim == Claim::within  ? "bounds"
                                                    : "excluded"};
          }
          break;
        case Op::jump:
          enter(state, thread, i.targets[0]);
          break;
        case Op::branch:
          enter(state, thread, i.targets[operand() != 0 ? 0 : 1]);
          break;
        case Op::choose: {
          const auto found = std::find(i.cases.begin(), i.cases.end(), operand());
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

  // ---- Threads that wait for each other

  const Instruction& next_of(const ThreadState& of) const {
    return function_.blocks[of.block].code[of.index];
  }
  static bool is_of_subgroup(const Instruction& i) {
    return i.op == Op::subgroup || i.scope == Scope::subgroup;
  }

  // A thread that comes to a barrier, or to an operation of its subgroup.
  void wait(State& state, int thread, const Instruction& i) {
    ThreadState& of = state.of(thread);
    of.standing = Standing::waits;
    of.mask = ~std::uint64_t{0};
    if (!is_of_subgroup(i)) {
      if (i.scope != Scope::workgroup) throw std::runtime_error("a barrier of another scope");
      return;
    }
    if (i.partial) throw std::runtime_error("an operation of those that are there");
    const std::size_t before = i.op == Op::barrier ? 0 : literal::operands_before_mask(i.subgroup);
    if (i.operands.size() > before) {
      of.mask = required(state, value(state, thread, i.operands[before]));
    }
    of.mask = cut(of.mask, launch_.subgroup);
    if ((of.mask >> lane(thread) & 1) == 0) throw Wrong{"divergence"};
  }

  // Who has to be there for a thread that waits: its workgroup, or those of its subgroup that its
  // mask names and that have not ended.
  std::vector<int> needed(const State& state, int thread) const {
    std::vector<int> result;
    const int first = group(thread) * group_threads();
    const bool of_subgroup = is_of_subgroup(next_of(state.of(thread)));
    for (int t = first; t < first + group_threads(); ++t) {
      const bool together = (t - first) / launch_.subgroup == (thread - first) / launch_.subgroup;
      const bool named = together && (state.of(thread).mask >> lane(t) & 1) != 0 &&
                         state.of(t).standing != Standing::ended;
      if (!of_subgroup || named) result.push_back(t);
    }
    return result;
  }

  // With the same mask, at the same place or, in CUDA and with a mask, at one like it.
  bool is_with(const ThreadState& a, const ThreadState& b) const {
    if (a.standing != Standing::waits || b.standing != Standing::waits || a.mask != b.mask) {
      return false;
    }
    if (a.block == b.block && a.index == b.index) return true;
    const Instruction& one = next_of(a);
    const Instruction& other = next_of(b);
    if (module_.language() != Language::cuda || one.op != other.op) return false;
    if (one.op == Op::barrier) {
      return one.scope == Scope::subgroup && other.scope == Scope::subgroup;
    }
    if (one.op != Op::subgroup || one.subgroup != other.subgroup) return false;
    const std::size_t count = literal::operands_before_mask(one.subgroup);
    const auto has_mask = [&](const Instruction& i) { return i.operands.size() > count; };
    const auto type = [&](const Instruction& i) { return function_.values[i.operands[0]].type; };
    return has_mask(one) && has_mask(other) && (count == 0 || type(one) == type(other)) &&
           one.kind == other.kind && one.cluster == other.cluster;
  }

  // Lets those go on who are all there, as long as there are any. Those who will never be are
  // stuck.
  void settle(State& state) {
    for (bool changes = true; changes;) {
      changes = false;
      for (int t = 0; t < threads() && !changes; ++t) {
        if (state.of(t).standing != Standing::waits) continue;
        const std::vector<int> all = needed(state, t);
        changes = std::all_of(all.begin(), all.end(),
                              [&](int u) { return is_with(state.of(t), state.of(u)); });
        if (changes) release(state, all);
      }
    }
    std::vector<bool> may_go_on;
    for (const ThreadState& of : state.threads) may_go_on.push_back(of.standing == Standing::runs);
    for (bool changes = true; changes;) {
      changes = false;
      for (int t = 0; t < threads(); ++t) {
        if (may_go_on[static_cast<std::size_t>(t)] || state.of(t).standing != Standing::waits)
          continue;
        const std::vector<int> all = needed(state, t);
        const bool may = std::all_of(all.begin(), all.end(), [&](int u) {
          return is_with(state.of(t), state.of(u)) || may_go_on[static_cast<std::size_t>(u)];
        });
        if (may) may_go_on[static_cast<std::size_t>(t)] = changes = true;
      }
    }
    for (int t = 0; t < threads(); ++t) {
      if (state.of(t).standing == Standing::waits && !may_go_on[static_cast<std::size_t>(t)]) {
        throw Wrong{"divergence"};
      }
    }
  }

  void release(State& state, const std::vector<int>& all) {
    const Instruction& i = next_of(state.of(all.front()));
    std::vector<Item> given;
    if (i.op == Op::subgroup) {
      for (const int t : all) given.push_back(subgroup_result(state, t, all));
    }
    if (i.op == Op::barrier_reduce) given.assign(all.size(), reduced(state, all, i));
    if (i.op != Op::subgroup) history_.meet(all);
    std::vector<ValueId> results;
    for (const int t : all) results.push_back(next_of(state.of(t)).result);
    for (std::size_t k = 0; k < all.size(); ++k) {
      ThreadState& of = state.of(all[k]);
      of.standing = Standing::runs;
      ++of.index;
      if (!given.empty() && results[k] != kNone) of.values[results[k]] = given[k];
    }
    go_on(state, all);
  }

  Item reduced(const State& state, const std::vector<int>& all, const Instruction& i) {
    std::vector<Item> from;
    for (const int t : all) from.push_back(value(state, t, i.operands[0]));
    return in_each(state, from, [&](std::size_t w) -> std::uint64_t {
      std::uint64_t count = 0;
      for (const Item& one : from) count += bits(one, w) != 0 ? 1 : 0;
      if (i.subgroup == Subgroup::all) return count == all.size();
      if (i.subgroup == Subgroup::any) return count > 0;
      if (i.subgroup == Subgroup::count) return count;
      throw std::runtime_error("a reduction of a workgroup that is not known");
    });
  }

  Item subgroup_result(const State& state, int thread, const std::vector<int>& all) {
    const Instruction& i = next_of(state.of(thread));
    const std::size_t count = literal::operands_before_mask(i.subgroup);
    std::vector<Item> from;
    for (const int t : all) {
      const Instruction& of = next_of(state.of(t));
      for (std::size_t n = 0; n < count; ++n) from.push_back(value(state, t, of.operands[n]));
    }
    const int width = function_.values[i.operands[0]].type.bits;
    const auto in = [&](std::size_t w) {
      literal::Taking taking;
      for (std::size_t k = 0; k < all.size(); ++k) {
        for (std::size_t n = 0; n < count; ++n) {
          taking[lane(all[k])][n] = bits(from[k * count + n], w);
        }
      }
      return literal::given_to(lane(thread), i, width, launch_.subgroup, taking);
    };
    const std::size_t first = state.alive._Find_first();
    if (in(first)) return in_each(state, from, [&](std::size_t w) { return *in(w); });
    InEach any = literal::Worlds::drawn(std::uint64_t{1} << 21 | i.result,
                                        static_cast<std::uint64_t>(thread));
    for (std::uint64_t& one : any) one = cut(one, i.type.bits);
    return item(state, any, true);
  }

  static bool is_again(const ThreadState& a, const ThreadState& b) {
    return a.standing == Standing::runs && a.block == b.block && a.index == b.index &&
           a.from == b.from && a.values == b.values;
  }

  // `idle` has just done what changes nothing, and would do so again.
  void explore(const State& state, int idle, std::size_t depth = 0) {
    if (++steps_ > launch_.max_steps) result_.complete = false;
    if (!result_.complete) return;
    bool moved = false;
    for (int t = 0; t < threads(); ++t) {
      if (state.of(t).standing != Standing::runs) continue;
      moved = true;
      if (history_.size() >= launch_.max_events) {
        result_.cut = true;
        return finish("");
      }
      if (t == idle) continue;
      const int before = history_.size();
      if (depth == ahead_.size()) ahead_.emplace_back();
      State& next = ahead_[depth];
      next = state;
      try {
        access(next, t);
        go_on(next, t);
        settle(next);
        const bool repeats = is_again(next.of(t), state.of(t)) && next.objects == state.objects;
        result_.repeats = result_.repeats || repeats;
        explore(next, repeats ? t : -1, depth + 1);
      } catch (const Wrong& wrong) {
        finish(wrong.what);
      }
      history_.back_to(before);
    }
    if (moved) return;
    std::vector<int> end;
    for (const auto& [name, object] : buffers_) {
      for (const int byte : state.objects[static_cast<std::size_t>(object)].bytes) {
        end.push_back(std::min(byte, kUnsetByte));
      }
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
  literal::History history_;  // of the execution at hand
  literal::Worlds worlds_;
  std::vector<Item> arguments_;
  std::map<std::string, int> buffers_;
  std::map<std::pair<ObjectId, int>, int> placed_;
  std::map<int, int> launch_sized_;  // by workgroup
  std::vector<MemoryObject> fresh_;
  std::deque<State> ahead_;  // by depth, so that memory is used again
  LiteralResult result_;
  std::size_t executions_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace

LiteralResult run_literally(const Module& module, const Function& function,
                            const LiteralLaunch& launch) {
  return Interpreter(module, function, launch).run();
}

}  // namespace headway::testing
