#include "suite/duplicates.hpp"

#include <string>
#include <unordered_map>

#include "base/parallel.hpp"
#include "checker/behaviour.hpp"

namespace headway::suite {
namespace {

// The groups of equal keys.
Groups group(std::vector<std::string> keys) {
  Groups groups;
  std::unordered_map<std::string, std::uint32_t> number;
  for (std::string& key : keys) {
    const auto next = static_cast<std::uint32_t>(number.size());
    groups.group_of.push_back(number.try_emplace(std::move(key), next).first->second);
  }
  groups.count = number.size();
  return groups;
}

std::vector<std::string> program_keys(std::span<const lang::Test> tests) {
  std::vector<std::string> keys(tests.size());
  parallel_for(tests.size(), [&](std::size_t t) { keys[t] = lang::program_key(tests[t]); });
  return keys;
}

// Numbers as bytes, seven bits each and the eighth for "more follows".
std::string packed(const checker::Behaviour& numbers) {
  std::string bytes;
  for (std::uint32_t number : numbers) {
    for (; number > 0x7f; number >>= 7) bytes.push_back(static_cast<char>(number | 0x80));
    bytes.push_back(static_cast<char>(number));
  }
  return bytes;
}

}  // namespace

std::vector<std::size_t> Groups::representatives() const {
  std::vector<std::size_t> first;
  for (std::size_t t = 0; t < group_of.size(); ++t) {
    if (group_of[t] == first.size()) first.push_back(t);
  }
  return first;
}

Groups same_programs(std::span<const lang::Test> tests) { return group(program_keys(tests)); }

Groups same_behaviours(std::span<const lang::Test> tests, const BehaviourOptions& options) {
  std::vector<std::string> keys(tests.size());
  PerCore<checker::BehaviourFinder> finders;
  parallel_for(tests.size(), [&](std::size_t t) {
    const checker::CheckOptions check{options.max_states, options.stop};
    std::optional<checker::Behaviour> behaviour;
    if (options.stop == nullptr || !*options.stop) {
      behaviour = finders.local().find(*lang::make_program(tests[t]), check);
    }
    // A behaviour never begins with a zero: its first number is that of the threads.
    keys[t] = behaviour ? packed(*behaviour) : '\0' + lang::program_key(tests[t]);
    if (options.progress != nullptr) options.progress->advance();
  });
  return group(std::move(keys));
}

}  // namespace headway::suite
