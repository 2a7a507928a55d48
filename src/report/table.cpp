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

constexpr std::size_t kBetween = 2;     // columns
constexpr std::size_t kNarrowest = 12;  // a column that gives way

// Makes the widest columns narrower until all fit into `room`, as far as they may.
void narrow(std::vector<std::size_t>& width, std::size_t room) {
  std::size_t needed = 0;
  for (const std::size_t column : width) needed += column + kBetween;
  for (needed -= std::min(needed, kBetween); needed > room; --needed) {
    const auto widest = std::max_element(width.begin(), width.end());
    if (widest == width.end() || *widest <= kNarrowest) return;
    --*widest;
  }
}

// A text as lines of at most `width` places: between words, or inside of one that is longer.
std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::size_t taken = 0, blank = std::string::npos;  // places, and the line's last blank
  for (const char c : text) {
    if (taken == width && places({c}) == 1) {
      std::string& line = lines.back();
      std::string rest;
      if (c != ' ' && blank != std::string::npos) {
        rest = line.substr(blank + 1);
        line.resize(blank);
      }
      taken = places(rest);
      blank = std::string::npos;
      lines.push_back(std::move(rest));
      if (c == ' ') continue;
    }
    if (c == ' ') blank = lines.back().size();
    lines.back() += c;
    taken += places({c});
  }
  return lines;
}

}  // namespace

std::string paint(const std::string& text, Color color, Style style) {
  if (!style.color || color == Color::none || text.empty()) return text;
  return escape(color) + text + "\033[0m";
}

std::string folded(const std::string& text, std::size_t width) {
  constexpr std::size_t further = 4;
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    if (places(line) <= width) {
      result += line;
    } else {
      const std::size_t indent = std::min(line.find_first_not_of(' '), width / 2) + further;
      const std::vector<std::string> first = wrapped(line, width);
      result += first.front();
      const std::size_t taken = first.front().size();
      std::size_t rest = line.find_first_not_of(' ', taken);
      if (rest == std::string::npos) rest = line.size();
      for (const std::string& more : wrapped(line.substr(rest), width - indent)) {
        result += '\n' + std::string(indent, ' ') + more;
      }
    }
    if (end < text.size()) result += '\n';
  }
  return result;
}

std::string TextTable::to_string(Style style) const {
  std::vector<std::size_t> width;
  for (const auto& row : rows_) {
    width.resize(std::max(width.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], places(row[c].text));
  }
  if (style.width > 0) narrow(width, style.width);
  std::string text;
  for (const auto& row : rows_) {
    std::vector<std::vector<std::string>> cells;
    std::size_t lines = 1;
    for (std::size_t c = 0; c < row.size(); ++c) {
      cells.push_back(wrapped(row[c].text, width[c]));
      lines = std::max(lines, cells.back().size());
    }
    for (std::size_t line = 0; line < lines; ++line) {
      for (std::size_t c = 0; c < row.size(); ++c) {
        const std::string part = line < cells[c].size() ? cells[c][line] : "";
        text += paint(part, row[c].color, style);
        if (c + 1 < row.size()) text.append(width[c] - places(part) + kBetween, ' ');
      }
      text.erase(text.find_last_not_of(' ') + 1);
      text += '\n';
    }
  }
  return text;
}

std::string TextTable::to_csv() const {
  std::string text;
  for (const auto& row : rows_) {
    std::vector<std::string> fields;
    fields.reserve(row.size());
    for (const Cell& cell : row) fields.push_back(cell.text);
    text += csv_line(fields);
  }
  return text;
}

}  // namespace headway::report
