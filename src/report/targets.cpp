#include "report/targets.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text/csv.hpp"

namespace headway::report {
namespace {

Cell ends_cell(const std::string& ends) {
  if (ends == "ends") return {ends, Color::green};
  const bool bad = ends == "may hang" || ends == "goes wrong";
  return {ends, bad ? Color::red : Color::yellow};
}

}  // namespace

std::string target_table(const std::vector<TargetRow>& rows, bool several, Style style) {
  TextTable table;
  std::vector<Cell> heading;
  if (several) heading.push_back({"test", Color::dim});
  for (const char* name : {"target", "subgroups", "promised", "there it"}) {
    heading.push_back({name, Color::dim});
  }
  table.add_row(std::move(heading));
  for (const TargetRow& row : rows) {
    std::vector<Cell> cells;
    if (several) cells.push_back({row.test, Color::none});
    cells.push_back({row.target, Color::none});
    cells.push_back({row.reading, Color::none});
    cells.push_back({row.model, Color::none});
    cells.push_back(ends_cell(row.ends));
    table.add_row(std::move(cells));
  }
  return table.to_string(style);
}

std::string target_csv(const std::vector<TargetRow>& rows) {
  std::string text = csv_line({"test", "target", "subgroup_reading", "model", "outcome"});
  for (const TargetRow& row : rows) {
    text += csv_line({row.test, row.target, row.reading, row.model, row.ends});
  }
  return text;
}

std::string target_json(const std::vector<TargetRow>& rows) {
  using Json = nlohmann::ordered_json;
  Json array = Json::array();
  for (const TargetRow& row : rows) {
    Json object = {{"test", row.test},     {"file", row.file},
                   {"target", row.target}, {"subgroup_reading", row.reading},
                   {"model", row.model},   {"outcome", row.ends}};
    if (!row.why.empty()) object["why"] = row.why;
    array.push_back(std::move(object));
  }
  return array.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace headway::report
