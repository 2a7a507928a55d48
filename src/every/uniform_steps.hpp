// The steps of a uniform family, of threads that are counted: each by the step function, with
// numbers.
#pragma once

#include "every/counted_graph.hpp"

namespace headway::every {

class UniformSteps : public CountedSteps {
 public:
  // `family` must outlive this.
  explicit UniformSteps(const Uniform& family) : family_(family) {}

  CountedPlace place(int kind, CountedPlace::Stage stage,
                     const lang::idiom::ThreadState& local) const;
  // Of whom the rest does not matter.
  static CountedPlace ended();

  CountedPlace fresh(int kind) const override;
  CountedMemory initial() const override;
  std::vector<Effect> effects(const std::vector<std::pair<const CountedPlace*, Count>>& places,
                              std::size_t mover, const CountedMemory& memory) const override;
  CountedPlace after(CountedPlace place, const std::vector<int>& /*changed*/) const override {
    return place;
  }

 private:
  const lang::idiom::ThreadCode& program(int kind) const {
    return family_.code.threads[family_.thread_of[kind]];
  }

  const Uniform& family_;
};

}  // namespace headway::every
