// A program of C++20 threads. Its atomics are sequentially consistent.
#include <fmt/format.h>
#include <fmt/ranges.h>

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

// The same where threads are in groups.
constexpr Dialect cpp_in_groups() {
  Dialect dialect = kCpp;
  dialect.cell = "t.memory[{}]";
  dialect.group_cell = "t.group_memory[{}]";
  dialect.weak_compare = "weak_compare_exchange({}, {}, {})";
  dialect.weak_compare_helper =
      R"(bool weak_compare_exchange(std::atomic<unsigned>& word, unsigned expected, unsigned value) {
  return word.compare_exchange_weak(expected, value);
}
)";
  dialect.id = "t.{}";
  dialect.parameters = "[[maybe_unused]] const Thread& t";
  dialect.arguments = "t";
  dialect.parameter = "int {}";
  dialect.function_void = "void {}({}) {{";
  dialect.function_value = "int {}({}) {{";
  dialect.temporary = "[[maybe_unused]] const int {} = {};";
  dialect.array = "[[maybe_unused]] int {}[{}] = {{}};";
  dialect.cases_begin = "{} {{";
  dialect.case_label = "case {}:";
  dialect.default_label = "default:";
  dialect.case_separator = " ";
  dialect.workgroup_barrier = "barriers[{}][t.group]->arrive_and_wait();";
  dialect.subgroup_barrier = "barriers[{}][t.subgroup]->arrive_and_wait();";
  dialect.grid_barrier = "barriers[{}][t.instance]->arrive_and_wait();";
  dialect.operations = {
      R"(int subgroup_all(const Thread& t, bool e) {
  return meetings[t.subgroup]->meet(t.lane, e, [](const Brought* all) {
    return std::all_of(all, all + SUBGROUP_SIZE,
                       [](const Brought& one) { return !one.there || one.value != 0; });
  });
}
)",
      R"(int subgroup_any(const Thread& t, bool e) {
  return meetings[t.subgroup]->meet(t.lane, e, [](const Brought* all) {
    return std::any_of(all, all + SUBGROUP_SIZE,
                       [](const Brought& one) { return one.there && one.value != 0; });
  });
}
)",
      R"(int subgroup_ballot(const Thread& t, bool e) {
  return meetings[t.subgroup]->meet(t.lane, e, [](const Brought* all) {
    int bits = 0;
    for (unsigned l = 0; l < SUBGROUP_SIZE; ++l) {
      if (all[l].there && all[l].value != 0) bits |= 1 << l;
    }
    return bits;
  });
}
)",
      R"(int subgroup_broadcast(const Thread& t, int value, int lane) {
  return meetings[t.subgroup]->meet(t.lane, value,
                                    [=](const Brought* all) { return all[lane].value; });
}
)",
      R"(int subgroup_shuffle(const Thread& t, int value, int lane) {
  return meetings[t.subgroup]->meet(t.lane, value,
                                    [=](const Brought* all) { return all[lane].value; });
}
)",
      R"(int subgroup_elect(const Thread& t) {
  return meetings[t.subgroup]->meet(t.lane, 0, [&](const Brought* all) {
    return std::none_of(all, all + t.lane, [](const Brought& one) { return one.there; });
  });
}
)"};
  return dialect;
}

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

constexpr std::string_view kCppThread = R"(
struct Thread {
  std::atomic<unsigned>* memory;        // of the instance
  std::atomic<unsigned>* group_memory;  // of the workgroup
  unsigned group, subgroup, instance;   // in the launch
  int tid, gid, lid, sid, lane;         // in the instance
};

// By barrier of the program, one a group. None is another's: threads of a group that wait at two
// of them wait for ever.
)";

// Threads of the host have no subgroups, and no two of them need to run at a time: those of one
// wait for each other, as the program has it.
constexpr std::string_view kCppMeeting = R"(
struct Brought {  // to an operation of a subgroup
  bool there = false;
  int value = 0;
};

// Where the threads of a subgroup meet for its operations. Those that have ended take no part.
class Meeting {
 public:
  // Waits for the others, and gives what `result` makes of what all of them have brought.
  template <class Result>
  int meet(int lane, int value, const Result& result) {
    brought_[lane] = {true, value};
    barrier_.arrive_and_wait();
    const int found = result(brought_);
    barrier_.arrive_and_wait();  // nobody brings anything new before all have looked
    brought_[lane].there = false;
    return found;
  }
  void leave() { barrier_.arrive_and_drop(); }

 private:
  Brought brought_[SUBGROUP_SIZE];
  std::barrier<> barrier_{SUBGROUP_SIZE};
};

std::vector<std::unique_ptr<Meeting>> meetings;  // by subgroup of the launch
)";

constexpr std::string_view kCppGroupsHost = R"(
std::mutex mutex;
std::condition_variable one_finished;
unsigned finished = 0;  // threads

// Starts all threads in order. Returns whether they finish within `limit`.
bool run(Seconds limit) {
  std::vector<std::thread> threads;
  try {
    for (unsigned index = 0; index < kThreads; ++index) {
      threads.emplace_back([index] {
        thread(index);
        const std::lock_guard<std::mutex> lock(mutex);
        ++finished;
        one_finished.notify_one();
      });
    }
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "thread %zu of %u: %s\n", threads.size() + 1, kThreads, error.what());
    std::_Exit(2);
  }
  {
    std::unique_lock<std::mutex> lock(mutex);
    const auto done = [] { return finished == kThreads; };
    if (!one_finished.wait_for(lock, limit, done)) {
      for (std::thread& thread : threads) thread.detach();
      return false;
    }
  }
  for (std::thread& thread : threads) thread.join();
)";

constexpr std::string_view kCppFinal = R"(  for (unsigned m = 0; m < INSTANCES; ++m) {
    unsigned memory[LOCATIONS];
    for (unsigned i = 0; i < LOCATIONS; ++i) memory[i] = all_memory[m * LOCATIONS + i];
    if (final_holds(memory)) continue;
    std::fprintf(stderr, "the final condition does not hold\n");
    std::_Exit(2);
  }
)";

// Of a barrier, the groups in the launch and the threads of each.
std::pair<std::string_view, std::string_view> groups_of(BarrierUse::Scope scope) {
  switch (scope) {
    case BarrierUse::Scope::subgroup:
      return {"kWorkgroups * (WORKGROUP_SIZE / SUBGROUP_SIZE)", "SUBGROUP_SIZE"};
    case BarrierUse::Scope::workgroup:
      return {"kWorkgroups", "WORKGROUP_SIZE"};
    case BarrierUse::Scope::grid:
      break;
  }
  return {"INSTANCES", "GROUPS * WORKGROUP_SIZE"};
}

std::string_view group_id_of(BarrierUse::Scope scope) {
  return scope == BarrierUse::Scope::subgroup    ? "subgroup"
         : scope == BarrierUse::Scope::workgroup ? "group"
                                                 : "instance";
}

// What a thread does, the end of which the barriers learn that count it.
std::string thread_function(const Kernel& kernel) {
  const Groups& groups = *kernel.groups;
  std::string text = R"(
void thread(unsigned index) {
  const unsigned group = index / WORKGROUP_SIZE;
)";
  text += find_place(kernel, kCpp);
  text += "  const unsigned lid = index % WORKGROUP_SIZE;\n  Thread t = {};\n";
  text += "  t.memory = all_memory + instance * LOCATIONS;\n";
  if (!groups.locations.empty()) {
    text += "  t.group_memory = all_group_memory + group * GROUP_LOCATIONS;\n";
  }
  text += R"(  t.group = group;
  t.subgroup = group * (WORKGROUP_SIZE / SUBGROUP_SIZE) + lid / SUBGROUP_SIZE;
  t.instance = instance;
  t.tid = int(group_id * WORKGROUP_SIZE + lid);
  t.gid = int(group_id);
  t.lid = int(lid);
  t.sid = int(lid / SUBGROUP_SIZE);
  t.lane = int(lid % SUBGROUP_SIZE);
)";
  text += kernel.body->call_blocks(kernel, cpp_in_groups());
  for (std::size_t b = 0; b < groups.barriers.size(); ++b) {
    const BarrierUse& barrier = groups.barriers[b];
    if (!barrier.counts_ended || barrier.places == 0) continue;
    text +=
        fmt::format("  barriers[{}][t.{}]->arrive_and_drop();\n", b, group_id_of(barrier.scope));
  }
  if (groups.operates()) text += "  meetings[t.subgroup]->leave();\n";
  return text + "}\n";
}

std::string reset_function(const Kernel& kernel) {
  const Groups& groups = *kernel.groups;
  std::string text = R"(
void reset() {
  for (unsigned i = 0; i < INSTANCES * LOCATIONS; ++i) all_memory[i] = kInitial[i % LOCATIONS];
)";
  if (!groups.locations.empty()) {
    text += R"(  for (unsigned i = 0; i < kWorkgroups * GROUP_LOCATIONS; ++i) {
    all_group_memory[i] = kGroupInitial[i % GROUP_LOCATIONS];
  }
)";
  }
  for (std::size_t b = 0; b < groups.barriers.size(); ++b) {
    if (groups.barriers[b].places == 0) continue;
    const auto [count, size] = groups_of(groups.barriers[b].scope);
    text += fmt::format("  make_barriers(barriers[{}], {}, {});\n", b, count, size);
  }
  if (groups.operates()) {
    text += R"(  meetings.clear();
  for (unsigned s = 0; s < kWorkgroups * (WORKGROUP_SIZE / SUBGROUP_SIZE); ++s) {
    meetings.push_back(std::make_unique<Meeting>());
  }
)";
  }
  return text + "  finished = 0;\n}\n";
}

constexpr std::string_view kCppBarriers = R"(
void make_barriers(std::vector<std::unique_ptr<std::barrier<>>>& all, unsigned groups,
                   unsigned threads) {
  all.clear();
  for (unsigned g = 0; g < groups; ++g) all.push_back(std::make_unique<std::barrier<>>(threads));
}
)";

std::string cpp_of_groups(const Kernel& kernel) {
  const Groups& groups = *kernel.groups;
  const bool has_barriers = !groups.barriers.empty();
  std::string text = comment(
      kernel, "//",
      program_usage("g++ -std=c++20 -O2 -pthread FILE -o litmus", "every thread is one of C++"));
  text +=
      groups.operates() ? "\n#include <algorithm>\n#include <atomic>\n" : "\n#include <atomic>\n";
  if (has_barriers || groups.operates()) text += "#include <barrier>\n";
  text += R"(#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace {

)";
  text += fmt::format("constexpr unsigned INSTANCES = {};\n", kernel.launch.instances);
  text += constants(kernel, kCpp) + program_constants(kernel);
  text += "\nstd::atomic<unsigned> all_memory[INSTANCES * LOCATIONS];\n";
  if (!groups.locations.empty()) {
    text += fmt::format("constexpr unsigned kGroupInitial[GROUP_LOCATIONS] = {{{}}};\n",
                        fmt::join(groups.initial, ", "));
    text += "std::atomic<unsigned> all_group_memory[kWorkgroups * GROUP_LOCATIONS];\n";
  }
  const std::string_view thread = kCppThread;
  text += has_barriers ? thread : thread.substr(0, thread.find("\n// By barrier"));
  if (has_barriers) {
    text += fmt::format("std::vector<std::unique_ptr<std::barrier<>>> barriers[{}];\n",
                        groups.barriers.size());
    text += kCppBarriers;
  }
  if (groups.operates()) text += kCppMeeting;
  text += "\n" + functions(kernel, cpp_in_groups()) + thread_function(kernel);
  if (groups.has_final) text += "\n" + kernel.body->final_holds(kernel);
  std::string host(kCppGroupsHost);
  host.insert(host.find("\n// Starts all"), reset_function(kernel));
  text += host;
  if (groups.has_final) text += kCppFinal;
  return text + "  return true;\n}\n\nvoid describe() {}\n" + program_main(kernel);
}

}  // namespace

std::string emit_cpp(const Kernel& kernel) {
  if (kernel.groups) return cpp_of_groups(kernel);
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
