#include "support/random_kernels.hpp"

#include <fmt/format.h>

#include <map>
#include <vector>

#include "kernel/ir/arithmetic.hpp"
#include "kernel/ir/builder.hpp"

namespace headway::tests {

using kernel::BlockId;
using kernel::Builder;
using kernel::Instruction;
using kernel::Op;
using kernel::Type;
using kernel::ValueId;

namespace {

class RandomKernel {
 public:
  RandomKernel(std::mt19937& random, const RandomKernelOptions& options)
      : random_(random), options_(options) {}

  kernel::Module make() {
    kernel::Module module;
    module.path = "random";
    kernel::Object array;
    array.name = "s";
    array.space = kernel::Space::workgroup;
    array.bytes = 4096;
    module.objects.push_back(array);
    kernel::Function f;
    f.name = "k";
    for (const char* name : {"a", "b", "c"}) {
      kernel::Parameter buffer;
      buffer.name = name;
      buffer.type = Type::pointer();
      buffer.element_bytes = 4;
      f.parameters.push_back(std::move(buffer));
    }
    kernel::Parameter number;
    number.name = "n";
    number.type = Type::integer(32);
    f.parameters.push_back(std::move(number));
    module.functions.push_back(std::move(f));
    kernel::Function& function = module.functions.back();
    Builder b(function);
    builder_ = &b;
    for (std::uint64_t p = 0; p < 3; ++p) {
      function.arguments.push_back(b.argument(Type::pointer(), p, function.parameters[p].name));
    }
    places_ = {function.arguments[0], function.arguments[1], b.address(0), b.address(0)};
    data_ = function.arguments[2];
    const ValueId n = b.argument(Type::integer(32), 3, "n");
    function.arguments.push_back(n);
    b.at(b.block());
    using kernel::Builtin;
    const auto linear = [&](Builtin id, Builtin size) {
      return b.binary(Op::add, b.binary(Op::mul, builtin(id, 1), builtin(size, 0)), builtin(id, 0));
    };
    const auto volume = [&](Builtin size) {
      return b.binary(Op::mul, builtin(size, 0), builtin(size, 1));
    };
    thread_ = linear(Builtin::thread_id, Builtin::group_size);
    size_ = volume(Builtin::group_size);
    const ValueId group = linear(Builtin::group_id, Builtin::groups);
    id_ = b.binary(Op::add, b.binary(Op::mul, group, size_), thread_);
    all_ = b.binary(Op::mul, volume(Builtin::groups), size_);
    n_ = n;
    scope_ = {thread_,
              thread_,
              group,
              size_,
              n,
              id_,
              id_,
              builtin(Builtin::thread_id, 0),
              builtin(Builtin::thread_id, 1)};
    statements(options_.statements, 2);
    Instruction end;
    end.op = Op::ret;
    b.emit(std::move(end));
    return module;
  }

 private:
  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }

  ValueId builtin(kernel::Builtin which, int dimension) {
    Instruction i;
    i.dimension = static_cast<std::uint8_t>(dimension);
    i.op = Op::builtin;
    i.builtin = which;
    i.type = Type::integer(32);
    i.result = builder_->forward(i.type);
    return builder_->emit(std::move(i));
  }

  ValueId expression(int depth) {
    Builder& b = *builder_;
    if (depth == 0 || below(3) == 0) {
      if (below(4) == 0) return b.integer(32, static_cast<std::uint64_t>(below(5)));
      return scope_[static_cast<std::size_t>(below(static_cast<int>(scope_.size())))];
    }
    const ValueId x = expression(depth - 1);
    switch (below(11)) {
      case 0:
      case 1:
      case 2:
        return b.binary(Op::add, x, expression(depth - 1));
      case 3:
        return b.binary(Op::sub, x, expression(depth - 1));
      case 4:
      case 5:
        return b.binary(Op::mul, x, b.integer(32, static_cast<std::uint64_t>(1 + below(6))));
      case 6:
        return b.binary(Op::urem, x, b.integer(32, static_cast<std::uint64_t>(1 + below(6))));
      case 7:
        return b.binary(Op::udiv, x, b.integer(32, static_cast<std::uint64_t>(1 + below(5))));
      case 8:
        return b.binary(Op::bit_xor, x, b.integer(32, static_cast<std::uint64_t>(below(4))));
      case 9:
        return b.load(at(data_, x, 4), Type::integer(32));
      default:
        return b.select(condition(), x, expression(depth - 1));
    }
  }

  ValueId condition() {
    constexpr Op ops[] = {Op::eq, Op::ne, Op::ult, Op::ule, Op::slt, Op::sge};
    const ValueId x = expression(1);
    ValueId y = expression(1);
    while (builder_->known(x) && builder_->known(y)) y = scope_[0];
    return builder_->binary(ops[below(6)], x, y);
  }

  ValueId at(ValueId place, ValueId index, std::uint64_t stride) {
    Builder& b = *builder_;
    const ValueId wide = b.resize(index, 64, below(2) == 0);
    return b.offset(place, b.binary(Op::mul, wide, b.integer(64, stride)));
  }

  // As people write them, or any.
  ValueId index() {
    Builder& b = *builder_;
    const auto some = [&](int bound) {
      return b.integer(32, static_cast<std::uint64_t>(below(bound)));
    };
    const ValueId last = counters_.empty() ? thread_ : counters_.back();
    switch (below(14)) {
      case 0:
        return id_;
      case 1:
        return thread_;
      case 2: {  // a row for each thread
        const ValueId row = below(2) == 0 ? id_ : thread_;
        const ValueId column = counters_.empty() ? some(4) : last;
        return b.binary(Op::add, b.binary(Op::mul, row, some(5)), column);
      }
      case 3:
        return last;
      case 4:  // a column for each thread
        return b.binary(Op::add, b.binary(Op::mul, last, below(2) == 0 ? size_ : all_), thread_);
      case 5:
        return b.binary(Op::add, thread_, last);
      case 6:
        return b.binary(Op::sub, b.binary(Op::sub, size_, some(2)), thread_);
      case 7:
        return b.binary(Op::add, id_, all_);
      default:
        return expression(2);
    }
  }

  void access() {
    Builder& b = *builder_;
    line();
    constexpr int widths[] = {8, 16, 32, 32, 32, 32, 32, 64};
    const Type type = Type::integer(widths[below(8)]);
    const std::uint64_t strides[] = {4, 4, 4, 4, 8, 2};
    const ValueId to = at(places_[static_cast<std::size_t>(below(4))], index(), strides[below(6)]);
    switch (below(5)) {
      case 0:
      case 1:
      case 2:
        b.store(to, b.resize(below(3) == 0 ? b.integer(32, 7) : expression(1), type.bits, false));
        break;
      case 3:
        b.load(to, type);
        break;
      default: {
        Instruction i;
        i.op = Op::atomic_update;
        i.update = kernel::Update::add;
        i.type = type.bits < 32 ? Type::integer(32) : type;
        i.operands = {to, b.integer(i.type.bits, 1)};
        i.result = b.forward(i.type);
        b.emit(std::move(i));
      }
    }
  }

  void line() { builder_->at(kernel::Place{0, ++line_, 1}); }

  void barrier() {
    line();
    Instruction i;
    i.op = Op::barrier;
    i.scope = kernel::Scope::workgroup;
    i.memory = below(4) == 0 ? static_cast<std::uint8_t>(1 + below(2)) : 3;
    builder_->emit(std::move(i));
  }

  void statements(int count, int depth) {
    for (int k = 0; k < count; ++k) {
      const int which = below(10);
      if (which < 5 || depth == 0) {
        access();
      } else if (which < 7) {
        barrier();
      } else if (below(12) == 0) {
        early_return();
      } else if (which < 8 || !options_.loops) {
        branch(depth);
      } else {
        loop(depth);
      }
    }
  }

  void branch(int depth) {
    Builder& b = *builder_;
    const ValueId c = condition();
    const BlockId then = b.block(), other = b.block(), join = b.block();
    b.branch(c, then, other);
    const std::size_t scope = scope_.size();
    b.at(then);
    statements(1 + below(2), depth - 1);
    scope_.resize(scope);
    b.jump(join);
    b.at(other);
    if (below(2) == 0) statements(1, depth - 1);
    scope_.resize(scope);
    b.jump(join);
    b.at(join);
  }

  void early_return() {
    Builder& b = *builder_;
    const ValueId c = condition();
    const BlockId gone = b.block(), rest = b.block();
    b.branch(c, gone, rest);
    b.at(gone);
    Instruction end;
    end.op = Op::ret;
    b.emit(std::move(end));
    b.at(rest);
  }

  ValueId next(ValueId i, int kind) {
    Builder& b = *builder_;
    switch (kind) {
      case 0:
      case 1:
      case 2:
        return b.binary(Op::add, i, b.integer(32, static_cast<std::uint64_t>(1 + below(4))));
      case 3:
        return b.binary(Op::add, i, size_);
      case 4:
        return b.binary(Op::add, i, all_);
      case 5:
        return b.binary(Op::mul, b.binary(Op::add, i, b.integer(32, 1)), b.integer(32, 2));
      case 6:
        return b.binary(Op::shl, i, b.integer(32, 1));
      default:
        return b.binary(Op::lshr, i, b.integer(32, 1));
    }
  }

  // for (i = start; i < bound; i += step), doubling or halving; another variable may go along,
  // there may be a way out in the middle, and the question may come behind the first round.
  void loop(int depth) {
    Builder& b = *builder_;
    line();
    const int kind = below(8);
    const ValueId start = below(3) == 0 ? (kind == 3 ? thread_ : id_) : expression(1);
    const ValueId bound = below(2) == 0 ? n_ : expression(1);
    const ValueId other = expression(1);
    const int other_kind = below(8);
    const bool first = below(4) != 0;  // whether it is asked before the first round
    const BlockId before = b.here();
    const BlockId head = b.block(), body = b.block(), exit = b.block();
    b.jump(head);
    b.at(head);
    const ValueId i = b.forward(Type::integer(32), "i");
    const ValueId j = b.forward(Type::integer(32), "j");
    const auto more = [&](ValueId counter) {
      return kind == 7 ? b.binary(below(4) == 0 ? Op::ne : Op::ugt, counter, b.integer(32, 0))
                       : b.binary(below(2) == 0 ? Op::ult : Op::slt, counter, bound);
    };
    if (first) {
      b.branch(more(i), body, exit);
    } else {
      b.jump(body);
    }
    b.at(body);
    const std::size_t scope = scope_.size();
    scope_.insert(scope_.end(), {i, i, j});
    counters_.insert(counters_.end(), {j, i});
    statements(1 + below(3), depth - 1);
    if (below(4) == 0) {
      const BlockId rest = b.block();
      b.branch(condition(), exit, rest);
      b.at(rest);
      if (below(2) == 0) statements(1, depth - 1);
    }
    scope_.resize(scope);
    counters_.resize(counters_.size() - 2);
    const ValueId i_next = next(i, kind), j_next = next(j, other_kind);
    const ValueId again = first ? 0 : more(i_next);
    const BlockId latch = b.here();
    if (first) {
      b.jump(head);
    } else {
      b.branch(again, head, exit);
    }
    b.phi(head, i, {{before, start}, {latch, i_next}});
    b.phi(head, j, {{before, other}, {latch, j_next}});
    b.at(exit);
  }

  std::mt19937& random_;
  const RandomKernelOptions& options_;
  Builder* builder_ = nullptr;
  std::vector<ValueId> places_;
  ValueId data_ = 0, thread_ = 0, size_ = 0, id_ = 0, all_ = 0, n_ = 0;
  std::vector<ValueId> scope_, counters_;
  int line_ = 0;
};

struct Event {
  bool write = false, atomic = false, known = false;
  int place = 0;  // 0: the workgroup's array, else the parameter before
  std::uint64_t offset = 0, value = 0, bytes = 4;
  int epoch[2] = {0, 0};  // barriers so far that order the workgroup's memory, global memory
};

struct Run {
  std::vector<Event> events;
  std::vector<const Instruction*> barriers;
  bool ended = false;
};

Run run(const kernel::Module& module, std::uint32_t thread, std::uint32_t group,
        const SmallLaunch& launch) {
  const kernel::Function& f = module.functions[0];
  Run result;
  std::map<ValueId, std::optional<std::uint64_t>> values;
  std::map<ValueId, int> places;
  int epoch[2] = {0, 0};
  const auto get = [&](ValueId id) -> std::optional<std::uint64_t> {
    const kernel::Value& v = f.value(id);
    switch (v.kind) {
      case kernel::Value::Kind::constant:
        return v.bits;
      case kernel::Value::Kind::address:
        return v.bits;
      case kernel::Value::Kind::argument:
        return v.type.is_pointer() ? 0 : launch.argument;
      default:
        return values[id];
    }
  };
  const auto place_of = [&](ValueId id) {
    const kernel::Value& v = f.value(id);
    if (v.kind == kernel::Value::Kind::address) return 0;
    return v.kind == kernel::Value::Kind::argument ? static_cast<int>(v.bits) + 1 : places[id];
  };
  const auto builtin = [&](const Instruction& i) {
    const bool x = i.dimension == 0;
    switch (i.builtin) {
      case kernel::Builtin::thread_id:
        return x ? thread % launch.block[0] : thread / launch.block[0];
      case kernel::Builtin::group_id:
        return x ? group % launch.grid[0] : group / launch.grid[0];
      case kernel::Builtin::group_size:
        return launch.block[x ? 0 : 1];
      default:
        return launch.grid[x ? 0 : 1];
    }
  };
  BlockId at = 0, from = 0;
  for (int steps = 0; steps < 4000;) {
    std::vector<std::pair<ValueId, std::optional<std::uint64_t>>> phis;
    BlockId next = kernel::kNone;
    for (const Instruction& i : f.blocks[at].code) {
      ++steps;
      if (i.op == Op::phi) {
        for (std::size_t k = 0; k < i.targets.size(); ++k) {
          if (i.targets[k] == from) phis.emplace_back(i.result, get(i.operands[k]));
        }
        continue;
      }
      for (const auto& [id, value] : phis) values[id] = value;
      phis.clear();
      switch (i.op) {
        case Op::builtin:
          values[i.result] = builtin(i);
          break;
        case Op::offset:
          values[i.result] = *get(i.operands[0]) + *get(i.operands[1]);
          places[i.result] = place_of(i.operands[0]);
          break;
        case Op::select:
          values[i.result] = get(i.operands[*get(i.operands[0]) != 0 ? 1 : 2]);
          break;
        case Op::zext:
          values[i.result] = get(i.operands[0]);
          break;
        case Op::trunc:
          values[i.result] = kernel::low_bits(*get(i.operands[0]), i.type.bits);
          break;
        case Op::sext:
          values[i.result] = static_cast<std::uint64_t>(
              kernel::sign_extended(*get(i.operands[0]), f.value(i.operands[0]).type.bits));
          break;
        case Op::load:
        case Op::store:
        case Op::atomic_update: {
          Event e;
          e.write = i.op != Op::load;
          e.atomic = i.op == Op::atomic_update;
          e.place = place_of(i.operands[0]);
          e.offset = *get(i.operands[0]);
          e.bytes = static_cast<std::uint64_t>(i.type.bytes());
          if (i.op == Op::store) {
            e.known = true;
            e.value = *get(i.operands[1]);
          }
          e.epoch[0] = epoch[0];
          e.epoch[1] = epoch[1];
          result.events.push_back(e);
          if (i.result == kernel::kNone) break;
          values[i.result] = 0;
          if (e.place == 3) {
            std::uint64_t word = 0;
            for (unsigned k = 4; k-- > 0;)
              word = word << 8 | byte_of_data(launch.data, e.offset + k);
            values[i.result] = word;
          }
          break;
        }
        case Op::barrier:
          result.barriers.push_back(&i);
          if ((i.memory & 1) != 0) ++epoch[0];
          if ((i.memory & 2) != 0) ++epoch[1];
          break;
        case Op::jump:
          next = i.targets[0];
          break;
        case Op::branch:
          next = i.targets[*get(i.operands[0]) != 0 ? 0 : 1];
          break;
        case Op::ret:
          result.ended = true;
          return result;
        default: {
          const auto bits = static_cast<int>(f.value(i.operands[0]).type.bits);
          values[i.result] =
              kernel::integer_result(i.op, bits, *get(i.operands[0]), *get(i.operands[1]));
        }
      }
    }
    from = at;
    at = next;
  }
  return result;
}

}  // namespace

kernel::Module random_kernel(std::mt19937& random, const RandomKernelOptions& options) {
  return RandomKernel(random, options).make();
}

std::uint8_t byte_of_data(unsigned data, std::uint64_t at) {
  if (at % 4 != 0 || data == 0) return 0;
  return static_cast<std::uint8_t>((at / 4 * 2654435761U * data >> 7) % 4);
}

Enumerated enumerate(const kernel::Module& module, const SmallLaunch& launch) {
  Enumerated result;
  std::vector<Run> runs;
  const std::uint32_t threads = launch.block[0] * launch.block[1];
  for (std::uint32_t t = 0; t < threads * launch.grid[0] * launch.grid[1]; ++t) {
    runs.push_back(run(module, t % threads, t / threads, launch));
    if (!runs.back().ended) {
      result.ended = false;
      return result;
    }
  }
  for (std::uint32_t x = 0; x < runs.size(); ++x) {
    for (std::uint32_t y = x + 1; y < runs.size(); ++y) {
      const bool same_group = x / threads == y / threads;
      if (same_group && runs[x].barriers != runs[y].barriers) {
        result.divergence = true;
        result.what = fmt::format("threads {} and {} come to other barriers", x, y);
      }
    }
  }
  if (result.divergence) return result;
  for (std::uint32_t x = 0; x < runs.size(); ++x) {
    for (std::uint32_t y = x + 1; y < runs.size(); ++y) {
      const bool same_group = x / threads == y / threads;
      for (const Event& e : runs[x].events) {
        for (const Event& o : runs[y].events) {
          if (!e.write && !o.write) continue;
          if (e.atomic && o.atomic) continue;
          if (e.place != o.place) continue;
          if (e.place == 0 && !same_group) continue;
          const std::size_t memory = e.place == 0 ? 0 : 1;
          if (same_group && e.epoch[memory] != o.epoch[memory]) continue;
          if (o.offset - e.offset >= e.bytes && e.offset - o.offset >= o.bytes) continue;
          if (e.known && o.known && e.offset == o.offset && e.bytes == o.bytes &&
              e.value == o.value) {
            continue;
          }
          result.race = true;
          result.what = fmt::format("threads {} and {} at {}", x, y, e.offset);
          return result;
        }
      }
    }
  }
  return result;
}

}  // namespace headway::tests
