#include "report/template.hpp"

namespace headway::report {

std::string in_script(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) c == '<' ? text += "\\u003c" : text += c;
  return text;
}

std::string in_html(const std::string& plain) {
  std::string text;
  for (const char c : plain) {
    switch (c) {
      case '&':
        text += "&amp;";
        break;
      case '<':
        text += "&lt;";
        break;
      case '"':
        text += "&quot;";
        break;
      default:
        text += c;
    }
  }
  return text;
}

std::string fill(std::string_view page, const std::map<std::string_view, std::string>& parts) {
  std::string text;
  for (;;) {
    const std::size_t open = page.find("{{");
    if (open == std::string_view::npos) return text.append(page);
    const std::size_t close = page.find("}}", open);
    text.append(page.substr(0, open));
    text.append(parts.at(page.substr(open + 2, close - open - 2)));
    page.remove_prefix(close + 2);
  }
}

}  // namespace headway::report
