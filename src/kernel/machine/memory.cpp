#include "kernel/machine/memory.hpp"

#include <algorithm>

namespace headway::kernel {
namespace {

bool entry_before(const Page::Entry& entry, std::uint64_t at) { return entry.at < at; }

}  // namespace

std::size_t Page::hash() const {
  std::size_t result = entries.size();
  for (const Entry& entry : entries) {
    result = mixed(mixed(result, std::uint64_t{entry.at} << 8 | entry.bytes), entry.cell);
  }
  return result;
}

void Memory::clear(Instance object) {
  for (PagePtr& page : objects_[object]) page = nullptr;
}

// Its first page begins with an entry of no bytes then.
bool Memory::is_dead(Instance object) const {
  const std::vector<PagePtr>& pages = objects_[object];
  return !pages.empty() && pages[0] && !pages[0]->entries.empty() &&
         pages[0]->entries[0].bytes == 0;
}

void Memory::set_dead(Instance object, bool dead) {
  if (is_dead(object) == dead || objects_[object].empty()) return;
  std::vector<Page::Entry>& entries = writable(object, 0).entries;
  entries.clear();
  if (dead) entries.push_back({0, 0, Cell::undefined()});
}

void Memory::end_launch(const Memory& before, Instance gone) {
  objects_.resize(before.objects());
  for (Instance object = 0; object < objects_.size(); ++object) {
    const std::vector<PagePtr>& old = before.pages(object);
    for (std::size_t page = 0; page < objects_[object].size(); ++page) {
      const PagePtr& now = objects_[object][page];
      if (!now || (page < old.size() && now == old[page])) continue;
      const auto is_gone = [&](const Page::Entry& entry) {
        return entry.cell.is_pointer() && entry.cell.object >= objects_.size();
      };
      if (std::ranges::none_of(now->entries, is_gone)) continue;
      for (Page::Entry& entry : writable(object, page).entries) {
        if (is_gone(entry)) entry.cell.object = gone;
      }
    }
  }
}

std::size_t Memory::hash() const {
  std::size_t result = objects_.size();
  for (const std::vector<PagePtr>& object : objects_) {
    for (const PagePtr& page : object) result = mixed(result, page ? page->hash() : 0);
  }
  return result;
}

bool operator==(const Memory& a, const Memory& b) {
  const auto same_page = [](const Memory::PagePtr& x, const Memory::PagePtr& y) {
    return x == y || (x && y && *x == *y);
  };
  return std::ranges::equal(a.objects_, b.objects_, [&](const auto& x, const auto& y) {
    return std::ranges::equal(x, y, same_page);
  });
}

Page& Memory::writable(Instance object, std::size_t page) {
  std::vector<PagePtr>& pages = objects_[object];
  if (page >= pages.size()) pages.resize(page + 1);  // of an object that grows
  PagePtr& held = pages[page];
  if (!held) {
    held = std::make_shared<Page>();
  } else if (held.use_count() > 1) {
    held = std::make_shared<Page>(*held);
  }
  return const_cast<Page&>(*held);  // nobody else has it
}

const Cell* Memory::exact(Instance object, std::uint64_t at, int bytes) const {
  const std::vector<PagePtr>& pages = objects_[object];
  const std::uint64_t page = at / kPage;
  if (page >= pages.size() || !pages[page]) return nullptr;
  const std::vector<Page::Entry>& entries = pages[page]->entries;
  const auto found = std::lower_bound(entries.begin(), entries.end(), at % kPage, entry_before);
  if (found == entries.end() || found->at != at % kPage || found->bytes != bytes) return nullptr;
  return &found->cell;
}

std::vector<Memory::Piece> Memory::pieces(Instance object, std::uint64_t at,
                                          std::uint64_t bytes) const {
  std::vector<Piece> result;
  if (bytes == 0) return result;
  const std::vector<PagePtr>& pages = objects_[object];
  // An entry lies in the page that it begins in, and is of 8 bytes at most.
  const std::uint64_t first = (at < 8 ? 0 : at - 8) / kPage;
  const std::uint64_t last = std::min<std::uint64_t>((at + bytes - 1) / kPage + 1, pages.size());
  for (std::uint64_t page = first; page < last; ++page) {
    if (!pages[page]) continue;
    const std::vector<Page::Entry>& entries = pages[page]->entries;
    const std::uint64_t base = page * kPage;
    const std::uint64_t from = at < base + 8 ? 0 : at - base - 8;
    for (auto i = std::lower_bound(entries.begin(), entries.end(), from, entry_before);
         i != entries.end() && base + i->at < at + bytes; ++i) {
      if (base + i->at + i->bytes > at) result.push_back({base + i->at, i->bytes, i->cell});
    }
  }
  return result;
}

void Memory::erase(Instance object, std::uint64_t at, std::uint64_t bytes) {
  for (const Piece& piece : pieces(object, at, bytes)) {
    std::vector<Page::Entry>& entries = writable(object, piece.at / kPage).entries;
    const auto found =
        std::lower_bound(entries.begin(), entries.end(), piece.at % kPage, entry_before);
    entries.erase(found);
  }
}

void Memory::write(Instance object, std::uint64_t at, int bytes, const Cell& cell) {
  const Cell* same = exact(object, at, bytes);
  if (same != nullptr && *same == cell) return;
  if (same == nullptr) erase(object, at, static_cast<std::uint64_t>(bytes));
  std::vector<Page::Entry>& entries = writable(object, at / kPage).entries;
  const auto place = std::lower_bound(entries.begin(), entries.end(), at % kPage, entry_before);
  if (same != nullptr) {
    place->cell = cell;
  } else {
    entries.insert(
        place, {static_cast<std::uint16_t>(at % kPage), static_cast<std::uint8_t>(bytes), cell});
  }
}

}  // namespace headway::kernel
