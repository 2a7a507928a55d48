// Tables as text: columns padded with spaces, two apart, the last one not padded. Where lines have
// a width, the widest columns give way, and their cells take several lines.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace headway::report {

enum class Color { none, green, red, yellow, dim, bold };

// Whether escape sequences may be written, and how many places a line has; 0: any number.
struct Style {
  bool color = false;
  std::size_t width = 0;
};

// The longest line for people, where nobody says how long lines are.
inline constexpr std::size_t kLongestLine = 200;

std::string paint(const std::string& text, Color color, Style style);

// A text with no line of more places: what is longer goes on in the next line, further in, as a
// rule with a new word.
std::string folded(const std::string& text, std::size_t width = kLongestLine);

struct Cell {
  std::string text;
  Color color = Color::none;
};

class TextTable {
 public:
  void add_row(std::vector<Cell> cells) { rows_.push_back(std::move(cells)); }
  std::string to_string(Style style) const;
  const std::vector<std::vector<Cell>>& rows() const { return rows_; }
  // The same rows as comma-separated values.
  std::string to_csv() const;

 private:
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace headway::report
