// All execution graphs of a program that a memory model allows: a trace for each thread, a write
// for each read, an order of the writes of each location, and one of the fences that have one.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "consistency/cat/model.hpp"
#include "consistency/execution.hpp"

namespace headway::consistency {

struct GraphOptions {
  TraceLimits traces = {};
  std::size_t candidates = 20'000'000;  // graphs that are tried
  StopSigns signs = {};
};

class Graphs {
 public:
  // Called with each graph that is allowed; false: no more of these traces are asked for.
  using Found = std::function<bool(const Execution&, const cat::Evaluation&, const Relation& rf,
                                   const Relation& co)>;

  Graphs(const Program& program, const cat::Model& model, const GraphOptions& options);

  // What each thread can do, whatever the others do.
  const std::vector<Traces>& traces() const { return traces_; }
  // The graphs of one trace a thread.
  void of(const std::vector<const Trace*>& chosen, const Found& found);

  // Whether a limit was reached or somebody wishes to stop; then cut() says why.
  bool stop();
  // Why there may be more graphs; empty: these were all.
  const std::string& cut() const { return cut_; }
  std::size_t candidates() const { return candidates_; }

 private:
  void find_values();
  bool reads_are_written(const std::vector<const Trace*>& chosen) const;
  bool barriers_are_met(const Execution& execution) const;
  // Each returns false to end the search among these traces.
  bool choose_writes(const Execution& execution, cat::Evaluation& evaluation, Relation& reads_from,
                     std::size_t read);
  bool choose_orders(const Execution& execution, cat::Evaluation& evaluation,
                     const Relation& reads_from, const Relation& coherence, std::size_t location);
  bool choose_next(const Execution& execution, cat::Evaluation& evaluation,
                   const Relation& reads_from, const Relation& coherence, std::size_t location,
                   std::vector<int> rest);
  bool choose_partial(const Execution& execution, cat::Evaluation& evaluation,
                      const Relation& reads_from, const Relation& coherence, std::size_t location);
  bool may_be(const Execution& execution, cat::Evaluation& evaluation, const Relation& reads_from,
              const Relation& coherence);
  bool choose_fences(const Execution& execution, cat::Evaluation& evaluation,
                     const Relation& reads_from, const Relation& coherence);
  const std::vector<Relation>& orders_of(std::size_t count);

  const Program& program_;
  const cat::Model& model_;
  const GraphOptions options_;
  std::vector<Traces> traces_;
  std::map<std::size_t, std::vector<Relation>> orders_;
  const Found* found_ = nullptr;
  std::string cut_;
  std::size_t candidates_ = 0, begun_ = 0;
  std::size_t asked_ = 0;
  bool stopped_ = false;
};

}  // namespace headway::consistency
