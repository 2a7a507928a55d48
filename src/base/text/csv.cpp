#include "base/text/csv.hpp"

#include "base/error.hpp"

namespace headway {

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

}  // namespace headway
