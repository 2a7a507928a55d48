#include "lang/lane_texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace headway::lang {

std::string lanes_text(ThreadSet lanes) {
  std::string text = lanes.size() == 1 ? "lane" : "lanes";
  for (const int lane : lanes) text += fmt::format(" {}", lane);
  return text;
}

std::string by_lane(bool named, ThreadSet lanes, const std::function<std::string(int)>& says) {
  std::vector<std::pair<std::string, ThreadSet>> parts;
  for (const int lane : lanes) {
    const std::string text = says(lane);
    if (text.empty()) continue;
    const auto known =
        std::find_if(parts.begin(), parts.end(), [&](const auto& p) { return p.first == text; });
    ThreadSet& with_it =
        known != parts.end() ? known->second : parts.emplace_back(text, ThreadSet()).second;
    with_it |= ThreadSet::single(lane);
  }
  std::string all;
  for (const auto& [text, with_it] : parts) {
    if (!all.empty()) all += "; ";
    if (named) all += lanes_text(with_it) + ": ";
    all += text;
  }
  return all;
}

}  // namespace headway::lang
