#include "kernel/machine/known.hpp"

#include <algorithm>

namespace headway::kernel {

std::uint64_t Known::word(std::uint32_t at) const {
  const auto found =
      std::lower_bound(rest_->begin(), rest_->end(), std::pair(at, std::uint64_t{0}));
  return found == rest_->end() || found->first != at ? 0 : found->second;
}

void Known::insert(std::uint32_t number) {
  if (number < 64) {
    first_ |= std::uint64_t{1} << number;
    return;
  }
  if (contains(number)) return;
  const std::uint32_t at = number / 64;
  const std::uint64_t bit = std::uint64_t{1} << number % 64;
  auto words = rest_ && rest_.use_count() == 1 ? std::const_pointer_cast<Words>(rest_)
                                               : std::make_shared<Words>(rest_ ? *rest_ : Words());
  const auto place =
      std::lower_bound(words->begin(), words->end(), std::pair(at, std::uint64_t{0}));
  if (place != words->end() && place->first == at) {
    place->second |= bit;
  } else {
    words->insert(place, {at, bit});
  }
  rest_ = std::move(words);
}

bool Known::includes(const Known& other) const {
  if ((other.first_ & ~first_) != 0) return false;
  if (!other.rest_ || other.rest_ == rest_) return true;
  if (!rest_) return false;
  return std::all_of(other.rest_->begin(), other.rest_->end(), [&](const auto& theirs) {
    return (theirs.second & ~word(theirs.first)) == 0;
  });
}

void Known::join(const Known& more) {
  first_ |= more.first_;
  if (!more.rest_ || more.rest_ == rest_) return;
  if (!rest_) {
    rest_ = more.rest_;
    return;
  }
  auto joined = std::make_shared<Words>();
  joined->reserve(rest_->size() + more.rest_->size());
  auto a = rest_->begin();
  auto b = more.rest_->begin();
  while (a != rest_->end() || b != more.rest_->end()) {
    if (b == more.rest_->end() || (a != rest_->end() && a->first < b->first)) {
      joined->push_back(*a++);
    } else if (a == rest_->end() || b->first < a->first) {
      joined->push_back(*b++);
    } else {
      joined->emplace_back(a->first, a->second | b->second);
      ++a;
      ++b;
    }
  }
  if (*joined == *more.rest_) {  // so that what many know is kept once
    rest_ = more.rest_;
  } else {
    rest_ = std::move(joined);
  }
}

}  // namespace headway::kernel
