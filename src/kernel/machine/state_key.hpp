// Gives states of a machine numbers, equal ones for equal states: threads and pages are numbered
// first, and a state is the numbers of its parts.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "kernel/machine/machine.hpp"

namespace headway::kernel {

struct VectorHash {
  std::size_t operator()(const std::vector<std::uint64_t>& key) const {
    std::size_t result = key.size();
    for (const std::uint64_t word : key) result = mixed(result, word);
    return result;
  }
};

template <typename T>
class Numbers {
 public:
  std::uint32_t of(const std::shared_ptr<const T>& value) {
    if (!value) return 0;
    auto& same = numbers_[value->hash()];
    for (const std::uint32_t number : same) {
      if (all_[number - 1] == value || *all_[number - 1] == *value) return number;
    }
    all_.push_back(value);
    same.push_back(static_cast<std::uint32_t>(all_.size()));
    return same.back();
  }
  const std::shared_ptr<const T>& at(std::uint32_t number) const { return all_[number - 1]; }
  std::size_t size() const { return all_.size(); }

 private:
  std::vector<std::shared_ptr<const T>> all_;
  std::unordered_map<std::size_t, std::vector<std::uint32_t>> numbers_;
};

// What all threads share: memory, and what is known of unknown data. The state's pages are those of
// `pages` afterwards.
void append_shared(std::vector<std::uint64_t>& key, MachineState& state, Numbers<Page>& pages);

class StateKeys {
 public:
  // The state is normalized on the way, and shares its parts with equal ones afterwards.
  std::vector<std::uint64_t> key(MachineState& state);

 private:
  Numbers<ThreadState> locals_;
  Numbers<Page> pages_;
  std::unordered_map<std::vector<std::uint64_t>, std::uint32_t, VectorHash> orders_;
};

}  // namespace headway::kernel
