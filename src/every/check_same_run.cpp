// Checks that a run of n threads is one of more, too, where programs mention N: the same steps with
// N as a symbol, of which each comparison has one outcome for all N from n on.
#include "every/objection.hpp"
#include "every/parametric.hpp"
#include "every/symbolic_machine.hpp"

namespace headway::every {
namespace {

class SymbolicRun {
 public:
  SymbolicRun(const Parametric& family, int n) : family_(family), n_(n) {
    const Linear symbol = Linear::symbol(0);
    world_ = {symbol, {}, {symbol + -n}};
    for (const ParametricVariable& variable : family.variables) {
      for (const InN& value : variable.initial) {
        const Linear low = value.at(symbol) - variable.range.low.at(symbol);
        const Linear high = variable.range.high.at(symbol) - value.at(symbol);
        require(implies(world_.facts, low) && implies(world_.facts, high),
                "what is in {} at first depends on N", variable.name);
      }
    }
  }

  void step(int thread) {
    Thread& t = at(thread);
    require(!t.ended, "thread {} cannot step", thread);
    world_.id = Linear::number(thread);
    const SymbolicMachine machine(family_.variables, *t.program);
    const int variable = machine.variable(t.local);
    Linear old;
    std::pair<int, std::int64_t> cell{variable, 0};
    if (variable >= 0) {
      const auto indices = machine.index(t.local, world_);
      require(indices.size() == 1 && indices[0].within && indices[0].value.is_number(),
              "an index of thread {} depends on N", thread);
      cell.second = indices[0].value.constant;
      old = content(cell);
    }
    auto outcomes = machine.step(t.local, old, world_);
    require(outcomes.size() == 1 && outcomes[0].end != StepEnd::fails,
            "what thread {} does depends on N", thread);
    t.local = outcomes[0].local;
    t.ended = outcomes[0].end == StepEnd::ends;
    if (outcomes[0].written) cells_[cell] = *outcomes[0].written;
  }

  // What tells states apart, of those that are the same for no N.
  std::vector<std::int64_t> state() {
    std::vector<std::int64_t> state;
    for (const auto& [cell, value] : cells_) {
      state.insert(state.end(), {cell.first, cell.second, value.constant, value.factor(0)});
    }
    for (const auto& [id, thread] : threads_) {
      state.insert(state.end(), {id, thread.local.at, thread.ended});
      for (const Linear& value : thread.local.registers) {
        state.insert(state.end(), {value.constant, value.factor(0)});
      }
    }
    return state;
  }

 private:
  struct Thread {
    std::unique_ptr<ParametricProgram> program;
    SymbolicLocal local;
    bool ended = false;
  };

  const Linear& content(std::pair<int, std::int64_t> cell) {
    const auto [entry, is_new] = cells_.emplace(cell, Linear());
    if (is_new) {
      const ParametricVariable& variable = family_.variables[cell.first];
      const bool each = variable.initial.size() > 1;
      require(!each || cell.second < static_cast<std::int64_t>(variable.initial.size()),
              "what is in {} at first is not listed", variable.name);
      entry->second =
          variable.initial[each ? static_cast<std::size_t>(cell.second) : 0].at(world_.n);
    }
    return entry->second;
  }

  Thread& at(int id) {
    const auto [entry, is_new] = threads_.try_emplace(id);
    if (!is_new) return entry->second;
    const lang::idiom::Block* found = nullptr;
    for (const auto& block : family_.syntax.blocks) {
      if (has(block, id)) found = &block;
    }
    require(found != nullptr, "thread {} has another program for other N", id);
    Thread& thread = entry->second;
    thread.program = std::make_unique<ParametricProgram>(program_of(family_, *found, id));
    world_.id = Linear::number(id);
    const auto starts = SymbolicMachine(family_.variables, *thread.program).start(world_);
    require(starts.size() == 1, "how thread {} begins depends on N", id);
    thread.local = starts[0].local;
    return thread;
  }

  // Whether the block is that of the thread for every N from n on.
  bool has(const lang::idiom::Block& block, int id) const {
    if (block.all) return true;
    const InN first = in_n(family_.syntax, block.first), last = in_n(family_.syntax, block.last);
    return first.fixed() && first.constant <= id && last.by_n >= 0 &&
           last.constant + last.by_n * n_ >= id;
  }

  const Parametric& family_;
  const int n_;
  SymbolicWorld world_;
  std::map<int, Thread> threads_;
  std::map<std::pair<int, std::int64_t>, Linear> cells_;
};

}  // namespace

void check_same_run_of_more(const Certificate& certificate, const Family& family) {
  const Parametric parametric = read_parametric(family);
  SymbolicRun run(parametric, certificate.n);
  for (const int thread : certificate.stem) run.step(thread);
  // Who comes into view in the cycle makes a difference; the stem has a round of it.
  const auto begin = run.state();
  for (const int thread : certificate.cycle) run.step(thread);
  require(run.state() == begin, "the cycle does not come back for other N");
}

}  // namespace headway::every
