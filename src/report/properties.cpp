#include "report/properties.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text/csv.hpp"

namespace headway::report {

std::string property_table(const std::vector<PropertyRow>& rows) {
  std::size_t widths[3] = {4, 8, 7};
  for (const PropertyRow& row : rows) {
    widths[0] = std::max(widths[0], row.file.size());
    widths[1] = std::max(widths[1], row.property.size());
    widths[2] = std::max(widths[2], row.verdict.size());
  }
  const auto line = [&](const std::string& file, const std::string& property,
                        const std::string& verdict, const std::string& detail) {
    std::string text = fmt::format("{:<{}}  {:<{}}  {:<{}}  {}", file, widths[0], property,
                                   widths[1], verdict, widths[2], detail);
    text.resize(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };
  std::string text = line("file", "property", "verdict", "where and why");
  for (const PropertyRow& row : rows) {
    std::string why = row.line > 0 ? fmt::format("{}, line {}: ", row.kernel, row.line) : "";
    why += row.detail;
    text += line(row.file, row.property, row.verdict, why);
  }
  return text;
}

std::string property_csv(const std::vector<PropertyRow>& rows) {
  std::string text = "file,kernel,property,verdict,line,detail\n";
  for (const PropertyRow& row : rows) {
    text += csv_line({row.file, row.kernel, row.property, row.verdict,
                      row.line > 0 ? std::to_string(row.line) : "", row.detail});
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
  }
  // Names of files may be no UTF-8.
  return all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace headway::report
