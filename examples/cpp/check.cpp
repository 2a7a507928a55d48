// Which models does a test need? Reads a file, or the text of a spin lock, and says what it found.
#include <headway/headway.hpp>
#include <iostream>

namespace hw = headway::api;

constexpr const char* kMutex = R"(litmus spin-mutex
locations m;
thread 0 { while (Exch(m, 1) == 1); m = 0; }
thread 1 { while (Exch(m, 1) == 1); m = 0; }
expect { pass OBE; fail HSA; }
)";

int main(int argc, char** argv) {
  try {
    bool met = true;
    for (const hw::Test& test : argc > 1 ? hw::read(argv[1]) : hw::parse(kMutex)) {
      const hw::CheckResult result = hw::check(test);
      std::cout << result.test << ": " << result.states << " states\n";
      for (const hw::ModelVerdict& verdict : result.verdicts) {
        std::cout << "  " << verdict.model << ": " << to_string(verdict.weak) << " weakly, "
                  << to_string(verdict.strong) << " strongly\n";
      }
      for (const std::string& unmet : result.unmet) std::cout << "  " << unmet << "\n";
      met = met && result.met;
    }
    return met ? 0 : 1;
  } catch (const hw::Error& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
