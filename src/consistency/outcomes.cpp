#include "consistency/outcomes.hpp"

#include <fmt/format.h>

#include <functional>
#include <set>

namespace headway::consistency {
namespace {

// What final states are asked about: registers of threads, and locations.
struct Observed {
  std::set<std::pair<int, int>> registers;
  std::set<int> locations;

  void add(const Proposition& of) {
    if (of.kind == Proposition::Kind::compares_register) registers.emplace(of.thread, of.which);
    if (of.kind == Proposition::Kind::compares_location) locations.insert(of.which);
    for (const Proposition& operand : of.operands) add(operand);
  }
};

struct FinalState {
  std::vector<const Trace*> traces;
  std::vector<Number> memory;
};

bool is_true(const Proposition& of, const FinalState& state) {
  const auto compares = [&](Number value) { return (value == of.value) != of.differs; };
  switch (of.kind) {
    case Proposition::Kind::truth:
      return true;
    case Proposition::Kind::both:
      return is_true(of.operands[0], state) && is_true(of.operands[1], state);
    case Proposition::Kind::either:
      return is_true(of.operands[0], state) || is_true(of.operands[1], state);
    case Proposition::Kind::negation:
      return !is_true(of.operands[0], state);
    case Proposition::Kind::compares_register:
      return compares(state.traces[static_cast<std::size_t>(of.thread)]
                          ->registers[static_cast<std::size_t>(of.which)]);
    case Proposition::Kind::compares_location:
      return compares(state.memory[static_cast<std::size_t>(of.which)]);
  }
  return false;
}

class Search {
 public:
  Search(const Program& program, const cat::Model& model, const OutcomeOptions& options)
      : program_(program), until_broken_(options.until_broken), graphs_(program, model, options) {
    observed_.add(program.condition);
    for (std::size_t l = 0; program.final && l < program.locations.size(); ++l) {
      observed_.locations.insert(static_cast<int>(l));
    }
  }

  Outcomes run() {
    std::vector<const Trace*> chosen;
    choose(chosen, true);
    result_.candidates = graphs_.candidates();
    result_.cut = graphs_.cut();
    return std::move(result_);
  }

 private:
  // A trace for each thread. What begins as an execution that is allowed can go on until each
  // thread has ended, waits for ever or has gone wrong: whatever goes wrong or is flagged is seen
  // there.
  void choose(std::vector<const Trace*>& chosen, bool all_end) {
    if (is_over() || graphs_.stop()) return;
    const std::size_t thread = chosen.size();
    if (thread == program_.threads.size()) {
      return graphs_.of(chosen, [&](const Execution& execution, const cat::Evaluation& evaluation,
                                    const Relation& reads_from, const Relation& coherence) {
        decides_ = is_flagged_ = false;
        fault_ = nullptr;
        if (all_end) {
          allowed(execution, evaluation, coherence);
        } else {
          stuck(execution, evaluation);
        }
        const auto keep = [&](bool is_so, std::optional<Witness>& witness) {
          if (is_so && !witness) witness = witness_of(execution, reads_from, coherence);
        };
        keep(decides_, result_.decisive);
        keep(is_flagged_, result_.flag);
        keep(fault_ != nullptr, result_.error);
        if (fault_ != nullptr && result_.fault.empty()) {
          result_.fault = fmt::format("line {}, {}: {}", fault_->line, fault_->text, fault_->fault);
        }
        return !is_over();
      });
    }
    const Traces& of = graphs_.traces()[thread];
    for (const auto* traces : {&of.traces, &of.waiting, &of.wrong}) {
      for (const Trace& trace : *traces) {
        chosen.push_back(&trace);
        choose(chosen, all_end && traces == &of.traces);
        chosen.pop_back();
      }
    }
  }

  // Of an execution in which not all threads end.
  void stuck(const Execution& execution, const cat::Evaluation& evaluation) {
    for (std::size_t t = 0; t < program_.threads.size(); ++t) {
      if (execution.trace(t).error != nullptr) fault_ = execution.trace(t).error;
    }
    for (const std::string& flag : evaluation.flags()) {
      is_flagged_ = true;
      ++result_.flagged[flag];
    }
  }

  // Of a location whose last writes are not ordered each may be what is left.
  void allowed(const Execution& execution, const cat::Evaluation& evaluation,
               const Relation& coherence) {
    const std::vector<std::string> flags = evaluation.flags();
    FinalState state;
    for (std::size_t t = 0; t < program_.threads.size(); ++t) {
      state.traces.push_back(&execution.trace(t));
    }
    state.memory.resize(program_.locations.size());
    const std::function<void(std::size_t)> finish = [&](std::size_t location) {
      if (location == state.memory.size()) return note(state, flags);
      std::set<Number> last;
      for (const int write : execution.writes()[location]) {
        if (coherence.from(write) == 0) {
          last.insert(execution.events()[static_cast<std::size_t>(write)].written);
        }
      }
      if (!observed_.locations.contains(static_cast<int>(location)))
        last.erase(std::next(last.begin()), last.end());
      for (const Number value : last) {
        state.memory[location] = value;
        finish(location + 1);
      }
    };
    finish(0);
  }

  void note(const FinalState& state, const std::vector<std::string>& flags) {
    if (!is_true(program_.filter, state)) return;
    if (program_.final) look_at(state.memory);
    const bool is_so = is_true(program_.condition, state);
    (is_so ? result_.positive : result_.negative) += 1;
    decides_ = decides_ || is_so != (program_.quantifier == Program::Quantifier::forall);
    is_flagged_ = is_flagged_ || !flags.empty();
    std::string text;
    for (const auto& [thread, which] : observed_.registers) {
      const Thread& of = program_.threads[static_cast<std::size_t>(thread)];
      text += fmt::format("{}:{}={}; ", thread, of.registers[static_cast<std::size_t>(which)],
                          state.traces[static_cast<std::size_t>(thread)]
                              ->registers[static_cast<std::size_t>(which)]);
    }
    for (const int location : observed_.locations) {
      text += fmt::format("{}={}; ", program_.locations[static_cast<std::size_t>(location)].name,
                          state.memory[static_cast<std::size_t>(location)]);
    }
    if (!text.empty()) text.pop_back();
    ++result_.states[text];
    for (const std::string& flag : flags) ++result_.flagged[flag];
  }

  // What goes wrong in memory as it is left.
  void look_at(const std::vector<Number>& memory) {
    Values values;
    for (const Number value : memory) values.push_back({value});
    const Traces traces = traces_of(*program_.final, program_, values, {}, {});
    if (!traces.wrong.empty()) fault_ = traces.wrong.front().error;
  }

  bool is_over() const {
    const bool is_broken = result_.decisive && program_.quantifier != Program::Quantifier::exists;
    return until_broken_ && (is_broken || result_.flag || result_.error);
  }

  const Program& program_;
  const bool until_broken_;
  Graphs graphs_;
  Observed observed_;
  // Of the execution at hand.
  bool decides_ = false, is_flagged_ = false;
  const Instruction* fault_ = nullptr;
  Outcomes result_;
};

}  // namespace

std::string Outcomes::observation() const {
  if (positive > 0 && negative > 0) return "Sometimes";
  if (!cut.empty()) return "Unknown";  // as others may be otherwise
  return positive == 0 ? "Never" : "Always";
}

bool Outcomes::holds(const Program& program) const {
  switch (program.quantifier) {
    case Program::Quantifier::exists:
      return positive > 0;
    case Program::Quantifier::never:
      return positive == 0;
    case Program::Quantifier::forall:
      return negative == 0;
  }
  return false;
}

bool Outcomes::decides(const Program& program) const {
  return cut.empty() ||
         (program.quantifier == Program::Quantifier::forall ? negative > 0 : positive > 0);
}

Outcomes outcomes(const Program& program, const cat::Model& model, const OutcomeOptions& options) {
  return Search(program, model, options).run();
}

}  // namespace headway::consistency
