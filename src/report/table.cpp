#include "report/table.hpp"

#include <algorithm>

#include "base/error.hpp"

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

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    if (f > 0) line += ',';
    if (fields[f].find_first_of(",\"\r\n") == std::string::npos) {
      line += fields[f];
      continue;
    }
    line += '"';
    for (char c : fields[f]) line += c == '"' ? std::string("\"\"") : std::string(1, c);
    line += '"';
  }
  return line + '\n';
}

std::vector<std::vector<std::string>> parse_csv(const std::string& text, const std::string& file) {
  std::vector<std::vector<std::string>> lines;
  for (std::size_t at = 0; at < text.size();) {
    std::vector<std::string> fields(1);
    for (; at < text.size() && text[at] != '\n'; ++at) {
      if (text[at] == ',') {
        fields.emplace_back();
      } else if (text[at] == '"') {
        const std::size_t open = at;
        for (++at;; ++at) {
          if (at >= text.size()) throw error_at(file, text, open, "a quote that does not end");
          if (text[at] != '"') {
            fields.back() += text[at];
          } else if (at + 1 < text.size() && text[at + 1] == '"') {
            fields.back() += text[++at];
          } else {
            break;
          }
        }
      } else if (text[at] != '\r') {
        fields.back() += text[at];
      }
    }
    ++at;
    lines.push_back(std::move(fields));
  }
  return lines;
}

}  // namespace headway::report
