// Strong bisimulation: the coarsest partition of the nodes of a graph with labels on its edges that
// refines a given one and in which nodes of a class reach, by each label, the same classes.
//
// Partition refinement by signatures (Blom and Orzan, 2002): nodes are split by the labels and
// classes that they reach until nothing splits. Each round is linear in the edges, up to sorting a
// node's own; there are as many rounds as it takes to tell the nodes apart, at most one a node and
// mostly some few.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/bits/hash.hpp"
#include "base/limits.hpp"

namespace headway {

// Keeps its memory between graphs. One a core.
class Bisimulation {
 public:
  // `classes` holds a class for each node, and then the class of the result, numbered by their
  // first nodes. `graph(node, edge)` calls edge(label, target) for each edge of a node, labels
  // below 2^32. Returns how many classes there are, nothing when `signs` said to stop.
  template <class Graph>
  std::optional<std::size_t> refine(const Graph& graph, std::vector<std::uint32_t>& classes,
                                    const StopSigns& signs = {}) {
    std::size_t count = renumber(classes);
    refined_.resize(classes.size());
    for (;;) {
      clear();
      for (std::size_t node = 0; node < classes.size(); ++node) {
        signature_.clear();
        graph(static_cast<std::uint32_t>(node), [&](std::uint32_t label, std::uint32_t target) {
          signature_.push_back(std::uint64_t{label} << 32 | classes[target]);
        });
        // The edges of a deterministic graph come in order.
        if (!std::is_sorted(signature_.begin(), signature_.end())) {
          std::sort(signature_.begin(), signature_.end());
        }
        signature_.erase(std::unique(signature_.begin(), signature_.end()), signature_.end());
        signature_.push_back(classes[node]);
        refined_[node] = number_of_signature();
      }
      classes.swap(refined_);
      if (begin_.size() == count) return count;
      count = begin_.size();
      if (signs.seen() != Limit::none) return std::nullopt;
    }
  }

 private:
  static constexpr std::uint32_t kEmpty = ~std::uint32_t{0};

  std::size_t renumber(std::vector<std::uint32_t>& classes) {
    clear();
    for (std::uint32_t& own : classes) {
      signature_.assign(1, own);
      own = number_of_signature();
    }
    return begin_.size();
  }

  void clear() {
    begin_.clear();
    pool_.clear();
    slots_.assign(64, kEmpty);
  }

  std::span<const std::uint64_t> signature(std::size_t number) const {
    const std::size_t end = number + 1 < begin_.size() ? begin_[number + 1] : pool_.size();
    return {pool_.data() + begin_[number], end - begin_[number]};
  }
  static std::size_t hash(std::span<const std::uint64_t> words) {
    return hash_words(words.data(), words.size());
  }

  // Of signature_, which gets the next number when it is new.
  std::uint32_t number_of_signature() {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash(signature_) & mask;
    for (; slots_[slot] != kEmpty; slot = (slot + 1) & mask) {
      const auto known = signature(slots_[slot]);
      if (std::equal(known.begin(), known.end(), signature_.begin(), signature_.end())) {
        return slots_[slot];
      }
    }
    const auto number = static_cast<std::uint32_t>(begin_.size());
    slots_[slot] = number;
    begin_.push_back(pool_.size());
    pool_.insert(pool_.end(), signature_.begin(), signature_.end());
    if (begin_.size() * 2 > slots_.size()) grow();
    return number;
  }

  void grow() {
    slots_.assign(slots_.size() * 2, kEmpty);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t number = 0; number < begin_.size(); ++number) {
      std::size_t slot = hash(signature(number)) & mask;
      while (slots_[slot] != kEmpty) slot = (slot + 1) & mask;
      slots_[slot] = static_cast<std::uint32_t>(number);
    }
  }

  std::vector<std::uint64_t> signature_;  // of the node looked at
  std::vector<std::uint64_t> pool_;       // distinct signatures, one behind the other
  std::vector<std::size_t> begin_;        // of each in pool_
  std::vector<std::uint32_t> slots_;      // a hash table of their numbers, at most half full
  std::vector<std::uint32_t> refined_;
};

}  // namespace headway
