// The memory of a launch: objects of bytes, kept as pages of entries that were written or read.
// Pages are shared between copies until they are written. An entry is as wide as the access that
// made it; other accesses split it into bytes, or join them, as far as their values allow.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernel/machine/value.hpp"

namespace headway::kernel {

// What an object holds where nothing has been written.
enum class Fill : std::uint8_t {
  nothing,  // reading it is an error, as soon as something depends on it
  zero,
  unknown,  // data of the environment's choice, the same whenever it is read
  bytes,    // `initial`
};

// What an object of a launch is. Objects are there for the whole launch, whatever is on them.
struct ObjectInfo {
  std::string name;
  std::string symbol;  // of a variable, in its module
  Space space = Space::global;
  std::uint64_t bytes = 0;
  bool growing = false;  // as large as needed: there is no access out of bounds
  std::uint64_t room = std::uint64_t{1} << 31;  // of one that is growing, in bytes
  // Of one that is growing: how many bytes it has, as the kernel can ask. Then there is.
  std::optional<smt::Term> length;
  bool read_only = false;
  int align = 1;  // its address is a multiple of so many bytes, and nothing else is known of it
  Fill fill = Fill::nothing;
  // Of unknown integers, elements of `unit` bytes: between these, where given.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> range;
  int unit = 4;
  std::shared_ptr<const std::vector<std::uint8_t>> initial;
  int workgroup = -1;  // whose it is; -1: everybody's
  int thread = -1;
  bool freed = false;
  bool shared_with_device = false;  // of the host's memory
  // In the module of the launch: of the whole, or of the elements of what a pointer goes to.
  std::uint32_t type = kNone;
  bool has_elements = false;
};

struct Page {
  struct Entry {
    std::uint16_t at = 0;  // in the page
    std::uint8_t bytes = 0;
    Cell cell;
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  std::vector<Entry> entries;        // by place, none overlap
  mutable std::uint32_t number = 0;  // that it got last (state_key.hpp)

  std::size_t hash() const;
  friend bool operator==(const Page& a, const Page& b) { return a.entries == b.entries; }
};

class Memory {
 public:
  static constexpr std::uint64_t kPage = 256;

  // A page that was never touched is null.
  using PagePtr = std::shared_ptr<const Page>;

  void add(std::uint64_t bytes) { objects_.emplace_back(pages_of(bytes)); }
  std::size_t objects() const { return objects_.size(); }
  const std::vector<PagePtr>& pages(Instance object) const { return objects_[object]; }
  void set_page(Instance object, std::size_t page, PagePtr content) {
    objects_[object][page] = std::move(content);
  }
  void clear(Instance object);
  // A local variable out of its scope: there is nothing in it, and no access may be.
  bool is_dead(Instance object) const;
  void set_dead(Instance object, bool dead);  // once it holds nothing
  // Forgets all objects but those that were there before; what points to the others points to
  // `gone` then.
  void end_launch(const Memory& before, Instance gone);

  // Exactly what an earlier write or fill put there; nothing where that was of another width, or
  // nothing was.
  const Cell* exact(Instance object, std::uint64_t at, int bytes) const;
  // The entries that overlap `bytes` at `at`, with their places in the object.
  struct Piece {
    std::uint64_t at;
    int bytes;
    Cell cell;
  };
  std::vector<Piece> pieces(Instance object, std::uint64_t at, std::uint64_t bytes) const;
  // Forgets what overlaps. What stands out on either side must have been split before.
  void write(Instance object, std::uint64_t at, int bytes, const Cell& cell);
  void erase(Instance object, std::uint64_t at, std::uint64_t bytes);

  // Whether the same was written, and read of what was there at first.
  friend bool operator==(const Memory& a, const Memory& b);
  std::size_t hash() const;

  static std::size_t pages_of(std::uint64_t bytes) { return (bytes + kPage - 1) / kPage; }

 private:
  Page& writable(Instance object, std::size_t page);

  std::vector<std::vector<PagePtr>> objects_;
};

}  // namespace headway::kernel
