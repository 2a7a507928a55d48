#include "lang/axb/families.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lang/axb/source.hpp"

namespace headway::lang::axb {
namespace {

std::uint8_t byte(int number) { return static_cast<std::uint8_t>(number); }

// Builds a test instruction by instruction.
class Builder {
 public:
  Builder(std::string name, std::vector<std::string> comment) {
    test_.name = std::move(name);
    for (std::string& line : comment) test_.comment.push_back(" " + std::move(line));
  }

  int location(const std::string& name, int initial = 0) {
    code_.locations.push_back({name, byte(initial)});
    return static_cast<int>(code_.locations.size()) - 1;
  }
  // name0, name1, ...; the first of them is returned.
  int locations(const std::string& name, int count) {
    const int first = static_cast<int>(code_.locations.size());
    for (int i = 0; i < count; ++i) location(name + std::to_string(i));
    return first;
  }

  void thread() { code_.threads.emplace_back(); }
  // These go into the thread begun last.
  void store(int location, int value) { add({byte(location), 0, next(), true, byte(value)}); }
  // Reads until there is something else than `value`.
  void wait_while(int location, int value) { add({byte(location), byte(value), here(), false, 0}); }
  // Takes a lock, which is free when it is 0.
  void lock(int location) { add({byte(location), 1, here(), true, 1}); }
  void unlock(int location) { store(location, 0); }

  // What is expected of all six standard models: of these pass, of the others fail.
  Test expecting(const std::vector<std::string>& passing) {
    for (const bool passes : {true, false}) {
      for (const char* model : {"unfair", "HSA", "OBE", "HSA+OBE", "LOBE", "fair"}) {
        const bool listed = std::find(passing.begin(), passing.end(), model) != passing.end();
        if (listed == passes) test_.expectations.push_back({model, std::nullopt, passes, {}, {}});
      }
    }
    test_.source = std::make_shared<const AxbSource>(std::move(code_));
    return std::move(test_);
  }

 private:
  std::uint8_t here() const { return byte(code_.threads.back().length()); }
  std::uint8_t next() const { return byte(code_.threads.back().length() + 1); }
  void add(const Instruction& instruction) {
    code_.threads.back().instructions.push_back(instruction);
  }

  Test test_;
  Code code_;
};

const std::vector<std::string> kStartedSuffices = {"OBE", "HSA+OBE", "LOBE", "fair"};

Test spin_mutex(const FamilyOptions& options) {
  Builder builder(
      fmt::format("spin-mutex-{}", options.threads),
      {"Every thread takes one lock by spinning on an exchange, and releases it. Who holds",
       "the lock has started, so it takes a model that lets started threads go on."});
  const int mutex = builder.location("m");
  for (int t = 0; t < options.threads; ++t) {
    builder.thread();
    builder.lock(mutex);
    builder.unlock(mutex);
  }
  return builder.expecting(kStartedSuffices);
}

Test two_level_mutex(const FamilyOptions& options) {
  Builder builder(
      fmt::format("two-level-mutex-{}-{}", options.threads, options.groups),
      {"A lock for each group of threads and one for all: a thread takes the lock of its group,",
       "then the other, and releases both. Threads with neighbouring ids form a group."});
  const int all = builder.location("all");
  const int group = builder.locations("group", options.groups);
  for (int t = 0; t < options.threads; ++t) {
    const int own = group + t * options.groups / options.threads;
    builder.thread();
    builder.lock(own);
    builder.lock(all);
    builder.unlock(all);
    builder.unlock(own);
  }
  return builder.expecting(kStartedSuffices);
}

// Flag i says that thread `from` + i * `step` has had its turn.
Test chain(const FamilyOptions& options, bool increasing) {
  const int threads = options.threads;
  Builder builder(
      fmt::format("{}-chain-{}", increasing ? "increasing" : "decreasing", threads),
      increasing
          ? std::vector<std::string>{"Every thread but the first waits for the one below it, as",
                                     "blocks do in a chained scan. The lowest thread alive never",
                                     "waits; that OBE ever starts it is not sure."}
          : std::vector<std::string>{"Every thread but the last waits for the one above it. That a",
                                     "higher thread starts is what only the fair model promises."});
  const int flag = builder.locations("f", threads - 1);
  for (int t = 0; t < threads; ++t) {
    const int before = increasing ? t - 1 : t;  // index of the flag that the thread waits for
    const int own = increasing ? t : t - 1;     // and of the one that it raises
    builder.thread();
    if (before >= 0 && before < threads - 1) builder.wait_while(flag + before, 0);
    if (own >= 0 && own < threads - 1) builder.store(flag + own, 1);
  }
  return increasing ? builder.expecting({"HSA", "HSA+OBE", "LOBE", "fair"})
                    : builder.expecting({"fair"});
}

Test token_ring(const FamilyOptions& options) {
  const int threads = options.threads;
  Builder builder(
      fmt::format("token-ring-{}", threads),
      {"A token goes round once. Thread 0 has it first and waits for it to come back; every",
       "other thread waits for it and passes it on to the next. All threads have to start."});
  const int token = builder.locations("t", threads);
  for (int t = 0; t < threads; ++t) {
    const int following = token + (t + 1) % threads;
    builder.thread();
    if (t == 0) builder.store(following, 1);
    builder.wait_while(token + t, 0);
    builder.store(token + t, 0);
    if (t > 0) builder.store(following, 1);
  }
  return builder.expecting({"fair"});
}

Test philosophers(const FamilyOptions& options, bool greedy) {
  const int threads = options.threads;
  Builder builder(
      fmt::format("{}philosophers-{}", greedy ? "greedy-" : "", threads),
      greedy
          ? std::vector<std::string>{"Philosophers round a table take the left fork, then the "
                                     "right one, eat, and put both",
                                     "down. When each has taken the left one, all wait for ever, "
                                     "under every model."}
          : std::vector<std::string>{"Philosophers round a table take two forks, the one with "
                                     "the lower number first, eat, and",
                                     "put both down. So they never all wait for each other: who "
                                     "waits waits for one who has",
                                     "started."});
  const int fork = builder.locations("fork", threads);
  for (int t = 0; t < threads; ++t) {
    const int left = fork + t;
    const int right = fork + (t + 1) % threads;
    const bool left_first = greedy || left < right;
    builder.thread();
    builder.lock(left_first ? left : right);
    builder.lock(left_first ? right : left);
    builder.unlock(left_first ? right : left);
    builder.unlock(left_first ? left : right);
  }
  return builder.expecting(greedy ? std::vector<std::string>{} : kStartedSuffices);
}

Test flag_barrier(const FamilyOptions& options) {
  const int threads = options.threads;
  Builder builder(
      fmt::format("flag-barrier-{}", threads),
      {"A barrier: every thread raises its flag and waits for the flags of all others. So",
       "all threads have to start."});
  const int flag = builder.locations("f", threads);
  for (int t = 0; t < threads; ++t) {
    builder.thread();
    builder.store(flag + t, 1);
    for (int other = 1; other < threads; ++other) {
      builder.wait_while(flag + (t + other) % threads, 0);
    }
  }
  return builder.expecting({"fair"});
}

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {"spin-mutex", "every thread takes and releases one lock", 2, spin_mutex},
      {"two-level-mutex", "a lock for each group of threads, and one for all", 2, two_level_mutex},
      {"increasing-chain", "every thread waits for the one below it", 2,
       [](const FamilyOptions& options) { return chain(options, true); }},
      {"decreasing-chain", "every thread waits for the one above it", 2,
       [](const FamilyOptions& options) { return chain(options, false); }},
      {"token-ring", "a token goes round once, from thread to thread", 2, token_ring},
      {"philosophers", "every thread takes two forks, the lower one first", 2,
       [](const FamilyOptions& options) { return philosophers(options, false); }},
      {"greedy-philosophers", "every thread takes two forks, the left one first: deadlock", 2,
       [](const FamilyOptions& options) { return philosophers(options, true); }},
      {"flag-barrier", "every thread raises a flag and waits for all flags", 2, flag_barrier},
  };
  return all;
}

Test make_family(const std::string& name, const FamilyOptions& options) {
  const auto family = std::find_if(families().begin(), families().end(),
                                   [&](const Family& other) { return other.name == name; });
  if (family == families().end()) {
    std::string names;
    for (const Family& other : families()) names += (names.empty() ? "" : ", ") + other.name;
    throw Error(fmt::format("unknown family '{}'; expected {}", name, names));
  }
  if (options.threads < family->fewest_threads || options.threads > kMaxThreads) {
    throw Error(fmt::format("{} has {} to {} threads; {} were asked for", name,
                            family->fewest_threads, kMaxThreads, options.threads));
  }
  if (options.groups < 1 || options.groups > options.threads) {
    throw Error(fmt::format("expected 1 to {} groups, as there are {} threads; found {}",
                            options.threads, options.threads, options.groups));
  }
  return family->make(options);
}

}  // namespace headway::lang::axb
