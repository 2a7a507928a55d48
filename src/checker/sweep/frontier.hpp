// The states that an exploration by heights still has to visit, kept by height and, within one,
// in buckets. States of one layer share a bucket, so that buckets can be explored apart.
//
// States arrive in any order and often more than once; a bucket is cleared of repetitions when it
// has grown to twice what was left the last time. So it takes memory in proportion to its states,
// arriving takes constant time on average, and all of it works on memory that fits the caches.
#pragma once

#include <cassert>
#include <iterator>
#include <memory>
#include <mutex>
#include <vector>

#include "base/limits.hpp"
#include "checker/sweep/packed_state.hpp"

namespace headway::checker {

// States with their sleep sets: threads whose steps need not be sent on from there. A state that
// arrives by several ways sleeps where all of them say so.
template <class State>
struct SleepingStates {
  StateSet<State> states;
  std::vector<ThreadSet> asleep;  // by number

  void clear(std::size_t expected) {
    states.clear(expected);
    asleep.clear();
  }
  // The number of `state`.
  std::uint32_t add(const State& state, ThreadSet sleeping) {
    const std::uint32_t number = states.find_or_add(state);
    if (number == asleep.size()) {
      asleep.push_back(sleeping);
    } else {
      asleep[number] &= sleeping;
    }
    return number;
  }
  std::size_t bytes() const { return states.bytes() + asleep.capacity() * sizeof(ThreadSet); }
};

template <class State>
class Frontier {
 public:
  static constexpr std::size_t kChunk =  // states, half a kilobyte or a few
      std::max<std::size_t>(4, 512 / (sizeof(State) + sizeof(ThreadSet)));
  static constexpr std::size_t kBucket = 4096;  // states, if all goes well

  struct Chunk {
    std::uint32_t size = 0;
    ThreadSet asleep[kChunk];
    State states[kChunk];

    void add(const State& state, ThreadSet sleeping) {
      assert(size < kChunk);
      asleep[size] = sleeping;
      states[size++] = state;
    }
  };
  using Chunks = std::vector<std::unique_ptr<Chunk>>;

 private:
  // With its place in the heap and, as vectors grow, up to three in a vector.
  static constexpr std::size_t kChunkCost = sizeof(Chunk) + 16 + 3 * sizeof(void*);

  struct Bucket {
    std::mutex mutex;
    Chunks chunks;
    std::size_t clear_at = kBucket / kChunk;  // chunks
  };
  struct Level {
    explicit Level(std::size_t bits)
        : buckets(std::size_t{1} << bits),
          shift(bits / 3),
          upper((std::size_t{1} << (bits - shift)) - 1),
          lower((std::size_t{1} << shift) - 1) {}
    std::vector<Bucket> buckets;
    std::size_t shift, upper, lower;  // how a hash makes the number of a bucket
  };

 public:
  // What one core needs to add states: a chunk of its own for every bucket. Not shared.
  class Sender {
   public:
    explicit Sender(Frontier& frontier) : frontier_(frontier), open_(frontier.levels_.size()) {}

    // The way to one height, good until that height is closed.
    class Lane {
     public:
      // `layer_hash` is the same for all states of a layer. Buckets that lie next to each other
      // get layers with equal upper halves of it, so that these are explored one soon after the
      // other.
      void send(std::uint64_t layer_hash, const State& state, ThreadSet asleep) {
        const std::size_t b =
            (layer_hash >> 32 & level_->upper) << level_->shift | (layer_hash & level_->lower);
        Chunk* chunk = chunks_[b].get();
        if (chunk == nullptr) chunk = (chunks_[b] = sender_->take()).get();
        chunk->add(state, asleep);
        if (chunk->size == kChunk) sender_->add(level_->buckets[b], std::move(chunks_[b]));
      }

     private:
      friend class Sender;
      Sender* sender_ = nullptr;
      Level* level_ = nullptr;
      std::unique_ptr<Chunk>* chunks_ = nullptr;  // by bucket
    };
    // `height` is open.
    Lane lane(std::size_t height) {
      assert(frontier_.is_open(height));
      Lane lane;
      lane.sender_ = this;
      lane.level_ = frontier_.levels_[height].get();
      Chunks& chunks = open_[height];
      if (chunks.empty()) {
        chunks.resize(lane.level_->buckets.size());
        frontier_.budget_.take(chunks.size() * sizeof(chunks[0]));
      }
      lane.chunks_ = chunks.data();
      return lane;
    }

    // Moves the states of a bucket into `to`, repetitions left out. No core may send to this
    // height any more; `senders` are those of all cores.
    template <class Senders>
    void receive(std::size_t height, std::size_t b, const Senders& senders,
                 SleepingStates<State>& to) {
      Chunks chunks;
      frontier_.collect(height, b, senders, chunks);
      empty(chunks, to);
    }
    // Forgets what belongs to a height.
    void close(std::size_t height) {
      frontier_.budget_.give_back(open_[height].size() * sizeof(open_[height][0]));
      open_[height] = Chunks();
    }

   private:
    friend class Frontier;

    std::unique_ptr<Chunk> take() {
      if (free_.empty()) {
        frontier_.budget_.take(kChunkCost);
        return std::make_unique<Chunk>();
      }
      std::unique_ptr<Chunk> chunk = std::move(free_.back());
      free_.pop_back();
      chunk->size = 0;
      return chunk;
    }

    void empty(Chunks& chunks, SleepingStates<State>& to) {
      std::size_t arrived = 0;
      for (const auto& chunk : chunks) arrived += chunk->size;
      to.clear(arrived);
      for (auto& chunk : chunks) {
        for (std::size_t i = 0; i < chunk->size; ++i) to.add(chunk->states[i], chunk->asleep[i]);
        free_.push_back(std::move(chunk));
      }
      chunks.clear();
    }

    [[gnu::noinline]] void add(typename Frontier::Bucket& bucket, std::unique_ptr<Chunk> chunk) {
      const std::lock_guard lock(bucket.mutex);
      bucket.chunks.push_back(std::move(chunk));
      if (bucket.chunks.size() < bucket.clear_at) return;
      empty(bucket.chunks, scratch_);
      for (std::uint32_t number = 0; number < scratch_.states.size(); ++number) {
        if (bucket.chunks.empty() || bucket.chunks.back()->size == kChunk) {
          bucket.chunks.push_back(take());
        }
        bucket.chunks.back()->add(scratch_.states[number], scratch_.asleep[number]);
      }
      bucket.clear_at = std::max(bucket.chunks.size() * 2, kBucket / kChunk);
    }

    Frontier& frontier_;
    std::vector<Chunks> open_;  // by height, by bucket
    Chunks free_;
    SleepingStates<State> scratch_;
  };

  Frontier(std::size_t heights, MemoryBudget& budget) : budget_(budget), levels_(heights) {}

  // Makes a height ready for about `expected` states, unless it is. Not while cores send, as all
  // that follows.
  void open(std::size_t height, std::size_t expected) {
    if (levels_[height] == nullptr) make(height, bits_for(expected));
  }
  // Gives an open height more buckets when it was opened for far fewer states than `expected`.
  // `senders` are those of all cores, `layer_hash` a function of a state.
  template <class Senders, class Hash>
  void widen(std::size_t height, std::size_t expected, const Senders& senders,
             const Hash& layer_hash) {
    const std::size_t bits = bits_for(expected);
    if (bits < 3 || buckets(height) >= std::size_t{1} << (bits - 2)) return;
    Chunks chunks;
    for (std::size_t b = 0; b < buckets(height); ++b) collect(height, b, senders, chunks);
    for (auto* sender : senders) sender->close(height);
    close(height);
    make(height, bits);
    auto lane = senders.front()->lane(height);
    for (auto& chunk : chunks) {
      for (std::size_t i = 0; i < chunk->size; ++i) {
        lane.send(layer_hash(chunk->states[i]), chunk->states[i], chunk->asleep[i]);
      }
      senders.front()->free_.push_back(std::move(chunk));
    }
  }
  bool is_open(std::size_t height) const { return levels_[height] != nullptr; }
  std::size_t buckets(std::size_t height) const { return levels_[height]->buckets.size(); }
  // Forgets a height, which is open.
  void close(std::size_t height) {
    budget_.give_back(buckets(height) * sizeof(Bucket));
    levels_[height] = nullptr;
  }

 private:
  static constexpr std::size_t kMostBits = 13;

  static std::size_t bits_for(std::size_t expected) {
    std::size_t bits = 0;
    while (bits < kMostBits && (kBucket << bits) < expected) ++bits;
    return bits;
  }

  void make(std::size_t height, std::size_t bits) {
    levels_[height] = std::make_unique<Level>(bits);
    budget_.take(buckets(height) * sizeof(Bucket));
  }

  // Moves the chunks of a bucket behind those in `to`.
  template <class Senders>
  void collect(std::size_t height, std::size_t b, const Senders& senders, Chunks& to) {
    Chunks& own = levels_[height]->buckets[b].chunks;
    std::move(own.begin(), own.end(), std::back_inserter(to));
    own = Chunks();
    for (const auto& sender : senders) {
      Chunks& chunks = sender->open_[height];
      if (!chunks.empty() && chunks[b] != nullptr) to.push_back(std::move(chunks[b]));
    }
  }

  MemoryBudget& budget_;
  std::vector<std::unique_ptr<Level>> levels_;  // by height
};

}  // namespace headway::checker
