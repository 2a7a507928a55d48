#include "report/properties.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text/csv.hpp"
#include "report/table.hpp"

namespace headway::report {

std::string property_table(const std::vector<PropertyRow>& rows) {
  // Where a file has several kernels, each row says of which one it is.
  const bool several =
      std::adjacent_find(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        return a.file == b.file && a.kernel != b.kernel;
      }) != rows.end();
  const auto columns = [&](const PropertyRow& row) {
    std::vector<std::string> result{row.file, row.property, row.verdict};
    if (several) result.insert(result.begin() + 1, row.kernel);
    return result;
  };
  TextTable table;
  const auto add = [&](const PropertyRow& row, const std::string& why) {
    std::vector<Cell> cells;
    for (const std::string& text : columns(row)) cells.push_back({text, Color::none});
    cells.push_back({why, Color::none});
    table.add_row(std::move(cells));
  };
  const PropertyRow head{"file", "kernel", "property", "verdict", 0, "where and why"};
  add(head, head.detail);
  for (const PropertyRow& row : rows) {
    std::string why;
    if (row.line > 0) {
      why = several ? fmt::format("line {}: ", row.line)
                    : fmt::format("{}, line {}: ", row.kernel, row.line);
    }
    add(row, why + row.detail);
  }
  return table.to_string({false, kLongestLine});
}

std::string property_csv(const std::vector<PropertyRow>& rows) {
  std::string text = "file,kernel,property,verdict,line,detail,assumed\n";
  for (const PropertyRow& row : rows) {
    text += csv_line({row.file, row.kernel, row.property, row.verdict,
                      row.line > 0 ? std::to_string(row.line) : "", row.detail,
                      fmt::format("{}", fmt::join(row.premises, "; "))});
  }
  return text;
}

std::string property_json(const std::vector<PropertyRow>& rows) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const PropertyRow& row : rows) {
    all.push_back({{"file", row.file},
                   {"kernel", row.kernel},
                   {"property", row.property},
                   {"verdict", row.verdict},
                   {"line", row.line},
                   {"detail", row.detail}});
    if (!row.premises.empty()) all.back()["premises"] = row.premises;
  }
  // Names of files may be no UTF-8.
  return all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace headway::report
