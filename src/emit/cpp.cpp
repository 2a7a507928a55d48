// A program of C++20 threads. Its atomics are sequentially consistent.
#include <fmt/format.h>

#include "emit/emit.hpp"
#include "emit/program.hpp"

namespace headway::emit {
namespace {

constexpr Dialect kCpp = {
    .number = "{}",
    .constant = "constexpr unsigned {} = {};",
    .value = "const unsigned {} = {};",
    .condition = "const bool {} = {};",
    .pc = "unsigned pc = 0;",
    .loop = "while (true) {",
    .choice = "switch ({}) {{",
    .case_begin = "case {}:",
    .case_end = "  break;",
    .default_begin = "default:",
    .default_end = "",
    .select = "{} ? {} : {}",
    .cell = "memory[{}]",
    .load = "{}.load()",
    .load_rmw = "{}.fetch_or(0)",
    .exchange = "{}.exchange({})",
    .store = "{}.store({});",
    .fence = "",
    .watch = "",
    .finish = "",
    .function = "void thread_{}(std::atomic<unsigned>* memory) {{",
    .call = "thread_{}(own);",
    .signed_number = "{}",
    .to_word = "unsigned({})",
    .to_signed = "int({})",
    .remainder = "{} % {}",
    .shift_count = "{}",
    .reg = "[[maybe_unused]] int {} = 0;",
    .unless = "if (!({})) {}",
    .violated = "violated();",
    .add = "{}.fetch_add({})",
    .subtract = "{}.fetch_sub({})",
    .minimum = "fetch_min({}, {})",
    .maximum = "fetch_max({}, {})",
    .bit_and = "{}.fetch_and({})",
    .bit_or = "{}.fetch_or({})",
    .bit_xor = "{}.fetch_xor({})",
    .compare_exchange = "compare_exchange({}, {}, {})",
    .minimum_helper = R"(unsigned fetch_min(std::atomic<unsigned>& word, unsigned value) {
  unsigned found = word.load();
  while (!word.compare_exchange_weak(found, value < found ? value : found)) {
  }
  return found;
}
)",
    .maximum_helper = R"(unsigned fetch_max(std::atomic<unsigned>& word, unsigned value) {
  unsigned found = word.load();
  while (!word.compare_exchange_weak(found, value > found ? value : found)) {
  }
  return found;
}
)",
    .compare_exchange_helper =
        R"(unsigned compare_exchange(std::atomic<unsigned>& word, unsigned expected, unsigned value) {
  word.compare_exchange_strong(expected, value);
  return expected;
}
)",
    .violated_helper = R"([[noreturn]] void violated() {
  std::fprintf(stderr, "an assertion does not hold\n");
  std::_Exit(2);
}
)",
};

constexpr std::string_view kCppHost = R"(
std::atomic<unsigned> all_memory[INSTANCES * LOCATIONS];
std::mutex mutex;
std::condition_variable one_finished;
unsigned finished = 0;  // workgroups

void reset() {
  for (unsigned i = 0; i < INSTANCES * LOCATIONS; ++i) all_memory[i] = kInitial[i % LOCATIONS];
  finished = 0;
}

// Starts all workgroups in order. Returns whether they finish within `limit`.
bool run(Seconds limit) {
  std::vector<std::thread> threads;
  try {
    for (unsigned group = 0; group < kWorkgroups; ++group) {
      threads.emplace_back([group] {
        workgroup(group, all_memory);
        const std::lock_guard<std::mutex> lock(mutex);
        ++finished;
        one_finished.notify_one();
      });
    }
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "thread %zu of %u: %s\n", threads.size() + 1, kWorkgroups, error.what());
    std::_Exit(2);
  }
  {
    std::unique_lock<std::mutex> lock(mutex);
    const auto done = [] { return finished == kWorkgroups; };
    if (!one_finished.wait_for(lock, limit, done)) {
      for (std::thread& thread : threads) thread.detach();
      return false;
    }
  }
  for (std::thread& thread : threads) thread.join();
  return true;
}

void describe() {}
)";

}  // namespace

std::string emit_cpp(const Kernel& kernel) {
  std::string text = comment(
      kernel, "//",
      program_usage("g++ -std=c++20 -O2 -pthread FILE -o litmus", "a workgroup is a thread"));
  text += R"(
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace {

)";
  text += fmt::format("constexpr unsigned INSTANCES = {};\n", kernel.launch.instances);
  text += constants(kernel, kCpp);
  text += program_constants(kernel) + "\n";
  text += functions(kernel, kCpp);
  text += R"(
void workgroup(unsigned group, std::atomic<unsigned>* memory) {
)";
  text += find_place(kernel, kCpp);
  text += "  std::atomic<unsigned>* own = memory + instance * LOCATIONS;\n";
  text += call_thread(kernel, kCpp) + "}\n";
  text += kCppHost;
  return text + program_main(kernel);
}

}  // namespace headway::emit
