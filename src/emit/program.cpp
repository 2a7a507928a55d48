#include "emit/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace headway::emit {

std::vector<std::string> program_usage(const std::string& command, const std::string& unit) {
  return {fmt::format("Here {}. Compile and run, 20 times for at most 5 seconds each:", unit),
          "",
          "  " + command,
          "  ./litmus 20 5",
          "",
          "Exit status: 0 when all runs terminate, 1 when one does not (it is the last), 2 when",
          "something else goes wrong, 3 when the driver ends a run. No limit when SECONDS is 0."};
}

std::string program_constants(const Kernel& kernel) {
  std::string text = kernel.groups ? "constexpr unsigned kWorkgroups = GROUPS * INSTANCES;\n"
                                     "constexpr unsigned kThreads = kWorkgroups * WORKGROUP_SIZE;\n"
                                   : "constexpr unsigned kWorkgroups = THREADS * INSTANCES;\n";
  text += fmt::format("constexpr unsigned kInitial[LOCATIONS] = {{{}}};\n",
                      fmt::join(kernel.initial, ", "));
  return text + "\nusing Seconds = std::chrono::duration<double>;\n";
}

std::string program_main(const Kernel& kernel) {
  std::string name;
  for (const char c : kernel.name) name += c == '"' ? "\\\"" : std::string(1, c);
  std::string text = R"(
int test(long runs, Seconds limit) {
  std::printf("test: %s\n", kTest);
  describe();
  std::printf("runs: %ld\n", runs);
  std::fflush(stdout);
  for (long r = 1; r <= runs; ++r) {
    reset();
    const auto start = std::chrono::steady_clock::now();
    const bool terminated = run(limit);
    const Seconds time = std::chrono::steady_clock::now() - start;
    if (terminated) {
      std::printf("run %ld: terminated in %.6f s\n", r, time.count());
    } else {
      std::printf("run %ld: did not terminate within %g s\n", r, limit.count());
    }
    std::fflush(stdout);
    if (!terminated) std::_Exit(1);  // nothing else ends threads that spin
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const long runs = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 20;
  const double seconds = argc > 2 ? std::strtod(argv[2], nullptr) : 5;
  return test(runs, Seconds(seconds > 0 ? seconds : 1e6));
}
)";
  text.replace(text.find("kTest"), 5, '"' + name + '"');
  return text;
}

}  // namespace headway::emit
