#include "report/table.hpp"

#include <algorithm>

#include "base/text/csv.hpp"

namespace headway::report {
namespace {

const char* escape(Color color) {
  switch (color) {
    case Color::green:
      return "\033[32m";
    case Color::red:
      return "\033[31m";
    case Color::yellow:
      return "\033[33m";
    case Color::dim:
      return "\033[2m";
    case Color::bold:
      return "\033[1m";
    case Color::none:
      break;
  }
  return "";
}

// The places a text takes on a line: its characters, when it is UTF-8.
std::size_t places(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

}  // namespace

std::string paint(const std::string& text, Color color, Style style) {
  if (!style.color || color == Color::none || text.empty()) return text;
  return escape(color) + text + "\033[0m";
}

std::string TextTable::to_string(Style style) const {
  std::vector<std::size_t> width;
  for (const auto& row : rows_) {
    width.resize(std::max(width.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], places(row[c].text));
  }
  std::string text;
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      text += paint(row[c].text, row[c].color, style);
      if (c + 1 < row.size()) text.append(width[c] - places(row[c].text) + 2, ' ');
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

std::string TextTable::to_csv() const {
  std::string text;
  for (const auto& row : rows_) {
    std::vector<std::string> fields;
    for (const Cell& cell : row) fields.push_back(cell.text);
    text += csv_line(fields);
  }
  return text;
}

}  // namespace headway::report
