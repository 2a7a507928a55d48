// Gives states of a machine numbers, equal ones for equal states: threads and pages are numbered
// first, and a state is the numbers of its parts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "kernel/machine/machine.hpp"
#include "kernel/machine/symmetry.hpp"

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
    // Most parts of a state are those of the state before it.
    const std::uint32_t last = value->number;
    if (last > 0 && last <= all_.size() && all_[last - 1] == value) return last;
    auto& same = numbers_[value->hash()];
    for (const std::uint32_t number : same) {
      if (all_[number - 1] == value || *all_[number - 1] == *value) return number;
    }
    all_.push_back(value);
    same.push_back(static_cast<std::uint32_t>(all_.size()));
    value->number = same.back();
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
  // Without `symmetry` all threads stay where they are.
  explicit StateKeys(std::optional<Symmetry> symmetry) : symmetry_(std::move(symmetry)) {}

  // The state is normalized on the way, and shares its parts with equal ones afterwards. `from` is
  // which thread has come to each place, and nothing where all have stayed.
  std::vector<std::uint64_t> key(MachineState& state, std::vector<int>& from);

 private:
  std::optional<Symmetry> symmetry_;
  Numbers<ThreadState> locals_;
  Numbers<Page> pages_;
  std::unordered_map<std::vector<std::uint64_t>, std::uint32_t, VectorHash> orders_;
};

}  // namespace headway::kernel
