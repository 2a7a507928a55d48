#include "report/residency.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text/csv.hpp"

namespace headway::report {
namespace {

using checker::Needed;
using checker::Residency;
using checker::Verdict;
using models::Fairness;
using Json = nlohmann::ordered_json;

// A number, or why there is none.
Cell resident(const Needed& needed) {
  switch (needed.verdict) {
    case Verdict::pass:
      return {std::to_string(needed.resident), Color::none};
    case Verdict::fail:
      return {"never", Color::red};
    case Verdict::error:
      return {"error", Color::red};
    case Verdict::unknown:
      break;
  }
  return {"unknown", Color::yellow};
}

// What is counted.
std::string unit(const ResidencyReport& report) {
  const bool groups =
      std::any_of(report.sizes.begin(), report.sizes.end(),
                  [](const Residency& size) { return size.workgroups.has_value(); });
  return groups ? "workgroups" : "threads";
}

}  // namespace

namespace {

// "2..4" or "2, 4, 8"
std::string sizes_text(const std::vector<Residency>& sizes) {
  std::vector<int> numbers;
  numbers.reserve(sizes.size());
  for (const Residency& size : sizes) numbers.push_back(size.all());
  const bool gapless = numbers.back() - numbers.front() + 1 == static_cast<int>(numbers.size());
  if (!gapless) return fmt::format("{}", fmt::join(numbers, ", "));
  return fmt::format("{}..{}", numbers.front(), numbers.back());
}

// Without for which sizes it holds.
std::string rule(const std::vector<Residency>& sizes, Fairness fairness) {
  const auto all = [&](auto holds) {
    return std::all_of(sizes.begin(), sizes.end(),
                       [&](const Residency& size) { return holds(size.of(fairness), size.all()); });
  };
  const auto any = [&](Verdict verdict) {
    return !all([&](const Needed& needed, int) { return needed.verdict != verdict; });
  };
  if (sizes.empty() || any(Verdict::unknown)) return "unknown";
  if (any(Verdict::error)) return "goes wrong";
  if (all([](const Needed& needed, int) { return needed.verdict == Verdict::fail; })) {
    return "is never sure to terminate, however many are resident";
  }
  if (any(Verdict::fail)) return "is sure to terminate for some N only";
  const Needed first = sizes.front().of(fairness);
  const int missing = sizes.front().all() - first.resident;
  if (all([](const Needed& needed, int) { return needed.resident == 0; })) return "needs none";
  if (sizes.size() == 1)
    return fmt::format("needs {} of {}{}", first.resident, sizes.front().all(),
                       sizes.front().workgroups ? " workgroups" : "");
  if (all([](const Needed& needed, int most) { return needed.resident == most; })) {
    return "needs all N";
  }
  if (all([&](const Needed& needed, int) { return needed.resident == first.resident; })) {
    return fmt::format("needs {}", first.resident);
  }
  if (all([&](const Needed& needed, int most) { return most - needed.resident == missing; })) {
    return fmt::format("needs all N but {}", missing);
  }
  // The smallest sizes may be different.
  if (sizes.size() > 2) {
    const std::string rest = rule({sizes.begin() + 1, sizes.end()}, fairness);
    const std::string from = fmt::format("from N = {} on ", sizes[1].all());
    return rest.starts_with("needs") ? from + rest : rest;
  }
  return "follows no simple rule";
}

}  // namespace

std::string residency_trend(const std::vector<Residency>& sizes, Fairness fairness) {
  std::string text = rule(sizes, fairness);
  const bool is_rule =
      text.starts_with("needs") || text.starts_with("from") || text.starts_with("is never");
  if (sizes.size() < 2 || !is_rule) return text;
  return fmt::format("{}, for N = {}", text, sizes_text(sizes));
}

std::string residency_text(const ResidencyReport& report, Style style) {
  TextTable table;
  table.add_row({{unit(report), Color::dim}, {"weak", Color::dim}, {"strong", Color::dim}});
  for (const Residency& size : report.sizes) {
    table.add_row(
        {{std::to_string(size.all()), Color::none}, resident(size.weak), resident(size.strong)});
  }
  TextTable trends;
  for (const Fairness fairness : models::kFairnesses) {
    trends.add_row({{to_string(fairness), Color::dim},
                    {residency_trend(report.sizes, fairness), Color::none}});
  }
  const std::string file = report.file.empty() ? "" : report.file + ": ";
  return paint(file + report.test, Color::bold, style) + "\n" + table.to_string(style) + "\n" +
         trends.to_string(style);
}

std::string residency_csv(const ResidencyReport& report) {
  std::string text = csv_line({"test", unit(report), "fairness", "resident"});
  for (const Residency& size : report.sizes) {
    for (const Fairness fairness : models::kFairnesses) {
      text += csv_line({report.test, std::to_string(size.all()), to_string(fairness),
                        resident(size.of(fairness)).text});
    }
  }
  return text;
}

std::string residency_json(const ResidencyReport& report) {
  Json object;
  if (!report.file.empty()) object["file"] = report.file;
  object["test"] = report.test;
  object["sizes"] = Json::array();
  for (const Residency& size : report.sizes) {
    Json entry = {{"threads", size.threads}, {"states", size.result.states}};
    if (size.workgroups) entry["workgroups"] = *size.workgroups;
    for (const Fairness fairness : models::kFairnesses) {
      const Needed& needed = size.of(fairness);
      if (needed.verdict == Verdict::pass) {
        entry[to_string(fairness)] = needed.resident;
      } else {
        entry[to_string(fairness)] = resident(needed).text;
      }
    }
    object["sizes"].push_back(std::move(entry));
  }
  for (const Fairness fairness : models::kFairnesses) {
    object["trend"][to_string(fairness)] = residency_trend(report.sizes, fairness);
  }
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace headway::report
