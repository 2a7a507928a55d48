#include "engine/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text/scanner.hpp"

namespace headway::engine {

lang::Sizes parse_sizes(const std::string& text) {
  Scanner scanner(text, "--threads");
  lang::Sizes sizes;
  do {
    const int fewest = scanner.integer("number of threads", 1, kMaxThreads);
    const bool range = scanner.accept("..") || scanner.accept("-");
    sizes.add(fewest, range ? scanner.integer("number of threads", fewest, kMaxThreads) : fewest);
  } while (scanner.accept(","));
  if (scanner.peek().kind != Token::Kind::end) {
    scanner.fail(scanner.peek(), "expected numbers of threads or ranges such as 2..6 or 2,4,8");
  }
  return sizes;
}

std::optional<lang::Sizes> parse_given_sizes(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(parse_sizes(text));
}

Topology parse_launch(const std::string& text) {
  if (text.find_first_of("|,") != std::string::npos) return parse_placement(text);
  std::vector<int> sizes;
  for (std::size_t at = 0;;) {
    int size = 0;
    const char* const end = text.data() + text.size();
    const auto [next, error] = std::from_chars(text.data() + at, end, size);
    if (error != std::errc() || size < 1 || size > kMaxThreads) break;
    sizes.push_back(size);
    at = static_cast<std::size_t>(next - text.data());
    if (at == text.size()) {
      int threads = 1;
      for (const int each : sizes) threads *= each;
      if (sizes.size() > 3 || threads > kMaxThreads) break;
      sizes.resize(std::max<std::size_t>(sizes.size(), 2), 1);
      if (sizes.size() == 2) sizes.insert(sizes.begin() + 1, 1);
      return {sizes[0], sizes[1], sizes[2]};
    }
    if (text[at++] != 'x') break;
  }
  throw Error(
      fmt::format("'{}' is no launch; expected workgroups, subgroups of each and threads of "
                  "each, at most {} in all: 2x4 or 2x2x4",
                  text, kMaxThreads));
}

Topology parse_placement(const std::string& text) {
  const bool is_launch = text.find_first_of("|,") == std::string::npos;
  if (is_launch && text.find('x') != std::string::npos) return parse_launch(text);
  const auto fail = [&](const std::string& found) {
    throw Error(
        fmt::format("'{}' is no placement; expected numbers of threads, '|' between "
                    "workgroups and ',' between subgroups of one, such as 2|1 or 2,1|1; "
                    "found {}",
                    text, found));
  };
  std::vector<std::vector<int>> sizes(1);
  int threads = 0;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data();;) {
    int size = 0;
    const auto [next, error] = std::from_chars(at, end, size);
    if (error != std::errc() || size < 1) {
      fail(at == end ? "the end" : fmt::format("'{}'", std::string(at, end)));
    }
    if (size > kMaxThreads || (threads += size) > kMaxThreads) {
      fail(fmt::format("more than {} threads", kMaxThreads));
    }
    sizes.back().push_back(size);
    if (next == end) return Topology::placed(sizes);
    if (*next != ',' && *next != '|') fail(fmt::format("'{}'", std::string(next, end)));
    if (*next == '|') sizes.emplace_back();
    at = next + 1;
  }
}

std::vector<models::ModelPtr> find_models(models::Library& library,
                                          const std::vector<std::string>& names,
                                          const Topology& launch) {
  if (names.empty()) return library.standard(launch);
  std::vector<models::ModelPtr> models;
  for (const std::string& name : names) {
    for (models::ModelPtr& model :
         name == kAll ? library.standard(launch) : library.find_all(name)) {
      const bool known = std::any_of(models.begin(), models.end(), [&](const auto& other) {
        return other->name() == model->name();
      });
      if (!known) models.push_back(std::move(model));
    }
  }
  return models;
}

std::vector<every::Reading> every_readings(const std::vector<std::string>& models,
                                           const std::string& fairness) {
  std::vector<every::Promise> promises(every::kPromises.begin(), every::kPromises.end());
  if (!models.empty()) promises.clear();
  for (const std::string& model : models) {
    const auto promise = every::promise_named(model);
    if (!promise) {
      throw Error(
          fmt::format("'{}' is not decided for every N; expected unfair, HSA, OBE, HSA+OBE, "
                      "LOBE or fair",
                      model));
    }
    promises.push_back(*promise);
  }
  std::vector<every::Reading> readings;
  for (const every::Promise promise : promises) {
    for (const every::Fairness each : models::kFairnesses) {
      const bool wanted = fairness == "both" || fairness == models::to_string(each);
      if (wanted) readings.push_back({promise, each});
    }
  }
  return readings;
}

}  // namespace headway::engine
