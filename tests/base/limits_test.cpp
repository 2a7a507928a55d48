#include "base/limits.hpp"

#include <doctest/doctest.h>

using namespace headway;

TEST_CASE("base/limits: a wish to stop comes before a deadline") {
  using Clock = StopSigns::Clock;
  const std::atomic<bool> stop{true};
  const std::atomic<bool> go_on{false};
  const auto past = Clock::now() - std::chrono::seconds(1);
  const auto future = Clock::now() + std::chrono::hours(1);
  CHECK(StopSigns().seen() == Limit::none);
  CHECK(StopSigns(&go_on, future).seen() == Limit::none);
  CHECK(StopSigns(&go_on, past).seen() == Limit::time);
  CHECK(StopSigns(nullptr, past).seen() == Limit::time);
  CHECK(StopSigns(&stop, past).seen() == Limit::interrupt);
}

TEST_CASE("base/limits: a budget was exceeded even if all was given back") {
  MemoryBudget budget(100);
  budget.take(60);
  budget.take(40);
  CHECK_FALSE(budget.exceeded());
  budget.give_back(50);
  budget.take(51);
  budget.give_back(101);
  CHECK(budget.exceeded());
  CHECK(budget.peak() == 101);
}

TEST_CASE("base/limits: the machine has memory to give") {
  CHECK(available_memory() > std::size_t{1} << 20);
}
