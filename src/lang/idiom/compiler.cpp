#include <fmt/format.h>

#include <algorithm>

#include "base/text/key.hpp"
#include "lang/expectation.hpp"
#include "lang/idiom/code.hpp"
#include "lang/idiom/limits.hpp"
#include "lang/idiom/thread_compiler.hpp"

namespace headway::lang::idiom {
namespace {

using ExpressionKind = Expression::Kind;

void declare_variables(const Syntax& syntax, const Constants& constants, Code& code) {
  for (const Variable& variable : syntax.variables) {
    SharedVariable& shared = code.variables.emplace_back();
    shared.name = variable.name;
    std::tie(shared.low, shared.high) = constants.range(variable.range);
    shared.is_array = variable.size.has_value();
    shared.wraps = variable.range.wraps;
    shared.per_workgroup = variable.per_workgroup;
    if (shared.per_workgroup) shared.instances = code.topology.workgroups();
    shared.first_cell = static_cast<int>(code.initial.size());
    int row = 1;
    if (shared.is_array) {
      std::tie(shared.size, row) = constants.sizes(variable, kMaxCells);
    }
    if (variable.columns) shared.columns = row;
    if (shared.first_cell + shared.size * shared.instances > kMaxCells) {
      syntax.fail(variable.offset, fmt::format("more than {} shared cells", kMaxCells));
    }
    if (variable.listed && static_cast<int>(variable.initial.size()) != shared.size) {
      syntax.fail(variable.offset,
                  fmt::format("{} has {} elements, and {} values are listed", variable.name,
                              shared.size, variable.initial.size()));
    }
    if (variable.initial.empty() && (shared.low > 0 || shared.high < 0)) {
      syntax.fail(variable.offset,
                  fmt::format("{} holds {} to {} and so cannot start at 0; expected '{} = ...'",
                              variable.name, shared.low, shared.high, variable.name));
    }
    for (int i = 0; i < shared.size * shared.instances; ++i) {
      const int at = i % shared.size;
      const Element element{at / row, shared.columns > 0 ? at % row : 0};
      const std::size_t which = variable.listed ? static_cast<std::size_t>(at) : 0;
      code.initial.push_back(variable.initial.empty()
                                 ? 0
                                 : constants.bounded(variable.initial[which],
                                                     "the initial value of " + variable.name,
                                                     shared.low, shared.high, element));
      code.variable_of.push_back(static_cast<int>(code.variables.size()) - 1);
    }
  }
}

// The block of each thread.
std::vector<const Block*> assign_blocks(const Syntax& syntax, const Constants& constants, int n) {
  const int threads = constants.topology().threads();
  std::vector<const Block*> blocks(static_cast<std::size_t>(threads), nullptr);
  for (const Block& block : syntax.blocks) {
    std::int64_t first = 0, last = threads - 1;
    if (!block.all) {
      first = constants.value(block.first);
      last = constants.value(block.last);
      if (first <= last && (first < 0 || last >= threads)) {
        syntax.fail(block.offset, fmt::format("this block is for thread {}, where N = {}; expected "
                                              "threads from 0 to {}",
                                              first < 0 ? first : last, n, threads - 1));
      }
    }
    for (std::int64_t t = first; t <= last; ++t) {
      if (blocks[t] != nullptr) {
        syntax.fail(block.offset, fmt::format("thread {} has two programs where N = {}", t, n));
      }
      blocks[t] = &block;
    }
  }
  for (int t = 0; t < threads; ++t) {
    if (blocks[t] == nullptr) {
      syntax.fail(syntax.blocks.front().offset,
                  fmt::format("thread {} has no program where N = {}", t, n));
    }
  }
  return blocks;
}

// In lockstep one stream of instructions serves a whole subgroup.
void check_lockstep(const Syntax& syntax, const Topology& topology,
                    const std::vector<const Block*>& blocks) {
  for (int t = 0; t < topology.threads(); ++t) {
    const int leader = t - t % topology.subgroup_threads();
    if (blocks[t] == blocks[leader]) continue;
    syntax.fail(blocks[t]->offset,
                fmt::format("a second program for the subgroup of threads {} to {}, which runs in "
                            "lockstep; expected one for all of them, with 'if (lane == 0)' in it",
                            leader, leader + topology.subgroup_threads() - 1));
  }
}

bool depends_on_n(const Expression& e) {
  return e.kind == ExpressionKind::thread_count || e.kind == ExpressionKind::constant ||
         std::any_of(e.operands.begin(), e.operands.end(), depends_on_n);
}

}  // namespace

int thread_count(const Syntax& syntax) {
  if (syntax.launch) return Constants(syntax, 1).topology().threads();
  int count = 0;
  for (const Block& block : syntax.blocks) {
    if (block.all || depends_on_n(block.first) || depends_on_n(block.last)) {
      syntax.fail(
          block.offset,
          "how many threads there are is said nowhere; expected 'N = 2..4;' in front of the "
          "declarations");
    }
    const Constants constants(syntax, 1);
    count =
        std::max(count, constants.bounded(block.last, "the last thread", 0, kMaxThreads - 1) + 1);
  }
  return count;
}

Code compile(const Syntax& syntax, int n) {
  const Constants constants(syntax, n);
  Code code;
  code.topology = constants.topology();
  code.barriers = syntax.barriers;
  code.operations = syntax.operations;
  declare_variables(syntax, constants, code);
  code.lockstep = syntax.lockstep;
  code.reading = syntax.reading;
  const std::vector<const Block*> blocks = assign_blocks(syntax, constants, n);
  if (code.lockstep) check_lockstep(syntax, code.topology, blocks);
  int id = 0;
  for (const Block* block : blocks) {
    code.threads.push_back(compile_thread(syntax, constants, code, *block, id++));
  }
  if (syntax.final) code.final = compile_final(syntax, constants, code, *syntax.final);
  code.source = syntax.text;
  code.sized = !syntax.sizes.empty();
  code.n = n;
  if (code.sized) {
    code.source.replace(syntax.sizes_begin, syntax.sizes_end - syntax.sizes_begin,
                        std::to_string(n));
  }
  return code;
}

Expected expected(const Syntax& syntax, int n) {
  const Constants constants(syntax, n);
  Expected result;
  for (const ExpectationBlock& block : syntax.expectations) {
    if (block.condition && constants.value(*block.condition) == 0) continue;
    result.error = result.error || block.error;
    for (const Expectation& expectation : block.expectations) {
      for (const Expectation& other : result.expectations) {
        if (!overlap(expectation, other)) continue;
        throw Error(
            expectation.where,
            fmt::format("a second expectation for model '{}' where N = {}", expectation.model, n),
            expectation.source_line);
      }
      result.expectations.push_back(expectation);
    }
  }
  if (result.error && !result.expectations.empty()) {
    throw Error(result.expectations.front().where,
                fmt::format("an error is expected where N = {}, so no verdict can be", n),
                result.expectations.front().source_line);
  }
  return result;
}

namespace {

template <class Is>
bool any_instruction(const Code& code, const Is& is) {
  return std::any_of(code.threads.begin(), code.threads.end(), [&](const ThreadCode& thread) {
    return std::any_of(thread.instructions.begin(), thread.instructions.end(), is);
  });
}

bool chooses(const Instruction& in) {
  return in.kind == Instruction::Kind::choice ||
         (in.kind == Instruction::Kind::access && in.access == AccessKind::weak_cas);
}

}  // namespace

bool Code::waits() const {
  return awaits() || any_instruction(*this, [](const Instruction& in) {
           return in.kind == Instruction::Kind::wait || in.kind == Instruction::Kind::gather;
         });
}

bool Code::awaits() const {
  return any_instruction(*this,
                         [](const Instruction& in) { return in.kind == Instruction::Kind::await; });
}

bool Code::chooses() const { return any_instruction(*this, idiom::chooses); }

bool Code::chooses_fairly() const {
  return any_instruction(*this, [](const Instruction& in) { return in.fair; });
}

bool Code::assumes() const {
  return any_instruction(
      *this, [](const Instruction& in) { return in.kind == Instruction::Kind::assumption; });
}

int Code::accesses() const {
  const auto accesses = [](const Instruction& in) {
    return in.kind == Instruction::Kind::access || in.kind == Instruction::Kind::await;
  };
  int count = 0;
  for (const ThreadCode& thread : threads) {
    count += static_cast<int>(
        std::count_if(thread.instructions.begin(), thread.instructions.end(), accesses));
  }
  return count;
}

std::string Code::cell_name(int cell) const {
  const SharedVariable& variable = variables[variable_of[cell]];
  const int place = cell - variable.first_cell;
  std::string name = variable.name;
  if (variable.instances > 1) name += fmt::format("@{}", place / variable.size);
  const int element = place % variable.size;
  if (!variable.is_array) return name;
  if (variable.columns == 0) return fmt::format("{}[{}]", name, element);
  return fmt::format("{}[{}][{}]", name, element / variable.columns, element % variable.columns);
}

// All fields of everything, each list with its length, so that the code can be read off. What is
// left out follows from the rest, or is there for people: names, lines, live registers. Keys up to
// 0.2.0 began with "idiom " and left more out: two programs could have one.
namespace {

bool says_orders(const Code& code) {
  return std::any_of(code.threads.begin(), code.threads.end(), [](const ThreadCode& thread) {
    return std::any_of(
        thread.instructions.begin(), thread.instructions.end(),
        [](const Instruction& in) { return in.is_fence || !(in.strength == Strength{}); });
  });
}

}  // namespace

std::string code_key(const Code& code) {
  Key key;
  key.numbers(code.topology.workgroups(), code.topology.subgroups(),
              code.topology.subgroup_threads(), code.lockstep);
  // Where the text says how threads run the key is that of the releases in front of readings.
  if (code.reading) key.numbers(*code.reading);
  key.list(code.barriers, [&](const Barrier& b) { key.numbers(b.scope, b.counts_ended); });
  key.list(code.operations, [&](SubgroupOperation operation) { key.numbers(operation); });
  key.list(code.variables, [&](const SharedVariable& v) {
    key.numbers(v.low, v.high, v.wraps, v.per_workgroup, v.size, v.instances, v.first_cell);
  });
  key.list(code.initial, [&](int value) { key.numbers(value); });
  // Programs that say nothing of orders have the keys that they had before there were any.
  const bool strong = says_orders(code);
  const auto put = [&](const ThreadCode& thread) {
    key.list(thread.registers,
             [&](const RegisterRange& r) { key.numbers(r.low, r.high, r.wraps); });
    key.list(thread.nodes,
             [&](const Node& n) { key.numbers(n.kind, n.op, n.a, n.b, n.c, n.number, n.count); });
    key.list(thread.instructions, [&](const Instruction& i) {
      key.numbers(i.kind, i.access, i.value, i.second, i.index, i.variable, i.barrier, i.operation,
                  i.from, i.target, i.low, i.count, i.fair);
      if (code.reading) key.numbers(i.fixed);
      if (strong) key.numbers(i.strength.order, i.strength.scope, i.is_fence);
    });
    if (!code.reading) return;
    key.list(thread.loops, [&](const LoopRange& l) { key.numbers(l.head, l.next, l.end); });
  };
  key.list(code.threads, put);
  put(code.final);
  return "idiom-2 " + key.text();
}

}  // namespace headway::lang::idiom
