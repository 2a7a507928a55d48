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
    f.parameters.push_back({"a", Type::pointer(), 0, kernel::Space::global, 4});
    f.parameters.push_back({"n", Type::integer(32), 0, kernel::Space::global, 0});
    module.functions.push_back(std::move(f));
    kernel::Function& function = module.functions.back();
    Builder b(function);
    builder_ = &b;
    a_ = b.argument(Type::pointer(), 0, "a");
    const ValueId n = b.argument(Type::integer(32), 1, "n");
    function.arguments = {a_, n};
    s_ = b.address(0);
    b.at(b.block());
    scope_ = {builtin(kernel::Builtin::thread_id), builtin(kernel::Builtin::thread_id),
              builtin(kernel::Builtin::group_id), builtin(kernel::Builtin::group_size), n};
    scope_.push_back(b.binary(Op::add, b.binary(Op::mul, scope_[2], scope_[3]), scope_[0]));
    scope_.push_back(scope_.back());
    statements(options_.statements, 2);
    Instruction end;
    end.op = Op::ret;
    b.emit(std::move(end));
    return module;
  }

 private:
  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }

  ValueId builtin(kernel::Builtin which) {
    Instruction i;
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
    switch (below(10)) {
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

  void access() {
    Builder& b = *builder_;
    line();
    const ValueId index = expression(2);
    const ValueId bytes = b.binary(Op::mul, b.resize(index, 64, below(2) == 0), b.integer(64, 4));
    const ValueId at = b.offset(below(2) == 0 ? a_ : s_, bytes);
    switch (below(5)) {
      case 0:
      case 1:
      case 2:
        b.store(at, below(3) == 0 ? b.integer(32, 7) : expression(1));
        break;
      case 3:
        b.load(at, Type::integer(32));
        break;
      default: {
        Instruction i;
        i.op = Op::atomic_update;
        i.update = kernel::Update::add;
        i.type = Type::integer(32);
        i.operands = {at, b.integer(32, 1)};
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

  // for (i = start; i < bound; i += step), or doubling; and sometimes a way out in the middle.
  void loop(int depth) {
    Builder& b = *builder_;
    line();
    const ValueId start = expression(1);
    const ValueId bound = below(2) == 0 ? scope_[4] : expression(1);
    const int kind = below(6);
    const ValueId step =
        kind < 3 ? b.integer(32, static_cast<std::uint64_t>(1 + below(4))) : scope_[3];
    const BlockId before = b.here();
    const BlockId head = b.block(), body = b.block(), exit = b.block();
    b.jump(head);
    b.at(head);
    const ValueId i = b.forward(Type::integer(32), "i");
    const ValueId more = b.binary(below(2) == 0 ? Op::ult : Op::slt, i, bound);
    b.branch(more, body, exit);
    b.at(body);
    const std::size_t scope = scope_.size();
    scope_.push_back(i);
    scope_.push_back(i);
    statements(1 + below(3), depth - 1);
    if (below(4) == 0) {
      const BlockId rest = b.block();
      b.branch(condition(), exit, rest);
      b.at(rest);
      if (below(2) == 0) statements(1, depth - 1);
    }
    scope_.resize(scope);
    const ValueId next =
        kind == 5 ? b.binary(Op::mul, b.binary(Op::add, i, b.integer(32, 1)), b.integer(32, 2))
                  : b.binary(Op::add, i, step);
    const BlockId latch = b.here();
    b.jump(head);
    b.phi(head, i, {{before, start}, {latch, next}});
    b.at(exit);
  }

  std::mt19937& random_;
  const RandomKernelOptions& options_;
  Builder* builder_ = nullptr;
  ValueId a_ = 0, s_ = 0;
  std::vector<ValueId> scope_;
  int line_ = 0;
};

struct Event {
  bool write = false, atomic = false, known = false;
  bool of_group = false;
  std::uint64_t offset = 0, value = 0;
  int epoch[2] = {0, 0};  // barriers so far that order the workgroup's memory, global memory
};

struct Run {
  std::vector<Event> events;
  std::vector<const Instruction*> barriers;
  bool ended = false;
};

Run run(const kernel::Module& module, std::uint64_t thread, std::uint64_t group,
        std::uint64_t threads, std::uint64_t groups, std::uint64_t argument) {
  const kernel::Function& f = module.functions[0];
  Run result;
  std::map<ValueId, std::optional<std::uint64_t>> values;
  std::map<ValueId, bool> of_group;
  int epoch[2] = {0, 0};
  const auto get = [&](ValueId id) -> std::optional<std::uint64_t> {
    const kernel::Value& v = f.value(id);
    switch (v.kind) {
      case kernel::Value::Kind::constant:
        return v.bits;
      case kernel::Value::Kind::address:
        return v.bits;
      case kernel::Value::Kind::argument:
        return v.bits == 0 ? 0 : argument;
      default:
        return values[id];
    }
  };
  const auto in_group = [&](ValueId id) {
    const kernel::Value& v = f.value(id);
    return v.kind == kernel::Value::Kind::address || of_group[id];
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
          values[i.result] = i.builtin == kernel::Builtin::thread_id    ? thread
                             : i.builtin == kernel::Builtin::group_id   ? group
                             : i.builtin == kernel::Builtin::group_size ? threads
                                                                        : groups;
          break;
        case Op::offset:
          values[i.result] = *get(i.operands[0]) + *get(i.operands[1]);
          of_group[i.result] = in_group(i.operands[0]);
          break;
        case Op::select:
          values[i.result] = get(i.operands[*get(i.operands[0]) != 0 ? 1 : 2]);
          break;
        case Op::zext:
          values[i.result] = get(i.operands[0]);
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
          e.of_group = in_group(i.operands[0]);
          e.offset = *get(i.operands[0]);
          if (i.op == Op::store) {
            e.known = true;
            e.value = *get(i.operands[1]);
          }
          e.epoch[0] = epoch[0];
          e.epoch[1] = epoch[1];
          result.events.push_back(e);
          if (i.result != kernel::kNone) values[i.result] = 0;
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

Enumerated enumerate(const kernel::Module& module, std::uint32_t threads, std::uint32_t groups,
                     std::uint64_t argument) {
  Enumerated result;
  std::vector<Run> runs;
  for (std::uint32_t t = 0; t < threads * groups; ++t) {
    runs.push_back(run(module, t % threads, t / threads, threads, groups, argument));
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
          if (e.of_group != o.of_group) continue;
          if (e.of_group && !same_group) continue;
          const std::size_t memory = e.of_group ? 0 : 1;
          if (same_group && e.epoch[memory] != o.epoch[memory]) continue;
          const std::uint64_t apart = e.offset - o.offset;
          if (apart >= 4 && apart <= ~std::uint64_t{0} - 3) continue;
          if (e.write && o.write && e.known && o.known && apart == 0 && e.value == o.value) {
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
