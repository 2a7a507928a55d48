// Tables as text: columns padded with spaces, two apart, the last one not padded.
#pragma once

#include <string>
#include <vector>

namespace headway::report {

enum class Color { none, green, red, yellow, dim, bold };

// Whether escape sequences may be written.
struct Style {
  bool color = false;
};

std::string paint(const std::string& text, Color color, Style style);

struct Cell {
  std::string text;
  Color color = Color::none;
};

class TextTable {
 public:
  void add_row(std::vector<Cell> cells) { rows_.push_back(std::move(cells)); }
  std::string to_string(Style style) const;
  // The same rows as comma-separated values.
  std::string to_csv() const;

 private:
  std::vector<std::vector<Cell>> rows_;
};

// One line of comma-separated values (RFC 4180), fields quoted where they need it.
std::string csv_line(const std::vector<std::string>& fields);

// The fields of the lines of a CSV text, quotes resolved; the last line may lack its newline.
// Throws headway::Error with the place in `file` for a quote that does not end.
std::vector<std::vector<std::string>> parse_csv(const std::string& text, const std::string& file);

}  // namespace headway::report
