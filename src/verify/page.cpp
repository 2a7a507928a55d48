#include "verify/page.hpp"

#include <fmt/format.h>

#include <set>
#include <sstream>

namespace headway::verify {

namespace {

std::string escaped(const std::string& text) {
  std::string result;
  for (const char ch : text) {
    switch (ch) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += ch;
    }
  }
  return result;
}

constexpr const char* kHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>headway verify</title>
<style>
body { font: 15px/1.45 sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; }
table { border-collapse: collapse; margin: 0.5em 0; }
td, th { padding: 0.15em 0.8em 0.15em 0; text-align: left; vertical-align: top; }
pre { background: #f6f6f6; padding: 0.5em; overflow-x: auto; }
.verified { color: #1a7f37; } .violated { color: #b42318; font-weight: bold; }
.conditional, .possible, .unknown, .unsupported { color: #9a6700; }
mark { background: #ffe7a3; }
.sides td { border-left: 3px solid #ccc; padding-left: 0.6em; min-width: 20em; }
</style>
</head>
<body>
<h1>headway verify</h1>
)";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string line_at(const std::vector<std::string>& lines, int line) {
  const bool there = line > 0 && static_cast<std::size_t>(line) <= lines.size();
  return there ? escaped(lines[static_cast<std::size_t>(line) - 1]) : std::string();
}

}  // namespace

std::string to_html(const std::vector<Report>& reports,
                    const std::map<std::string, std::string>& sources) {
  std::string page = kHead;
  page += "<table>\n<tr><th>file</th><th>kernel</th><th>answer</th></tr>\n";
  for (std::size_t k = 0; k < reports.size(); ++k) {
    const Report& r = reports[k];
    const std::string worst(name_of(r.worst()));
    page += fmt::format(
        "<tr><td>{}</td><td><a href=\"#k{}\">{}</a></td><td class=\"{}\">{}</td></tr>\n",
        escaped(r.file), k, escaped(r.kernel), worst, worst);
  }
  page += "</table>\n";
  for (std::size_t k = 0; k < reports.size(); ++k) {
    const Report& r = reports[k];
    const auto source = sources.find(r.file);
    const std::vector<std::string> lines =
        source == sources.end() ? std::vector<std::string>() : lines_of(source->second);
    page += fmt::format("<h2 id=\"k{}\">{} in {}</h2>\n<p>{}</p>\n", k, escaped(r.kernel),
                        escaped(r.file), escaped(r.covers));
    std::set<int> marked;
    page += "<table>\n";
    for (const Finding& f : r.findings) {
      const std::string verdict(name_of(f.verdict));
      page += fmt::format("<tr><td>{}</td><td class=\"{}\">{}</td><td>{}</td><td>{}</td></tr>\n",
                          name_of(f.property), verdict, escaped(status_of(f)),
                          f.line > 0 ? fmt::format("line {}", f.line) : "", escaped(f.detail));
      if (f.line > 0) marked.insert(f.line);
    }
    page += "</table>\n";
    for (const Finding& f : r.findings) {
      if (f.sides.empty()) continue;
      page += fmt::format("<h3>{}</h3>\n<table class=\"sides\"><tr>", name_of(f.property));
      for (const Side& side : f.sides) {
        if (side.line > 0) marked.insert(side.line);
        page += fmt::format(
            "<td><b>{}</b><br>{}{}<pre>{}</pre></td>", escaped(side.thread), escaped(side.act),
            side.line > 0 ? fmt::format(" at line {}", side.line) : "", line_at(lines, side.line));
      }
      page += "</tr></table>\n";
    }
    for (const std::string& what : r.assumed) {
      page += fmt::format("<p>assumed: {}</p>\n", escaped(what));
    }
    for (const std::string& what : r.premises) {
      page += fmt::format("<p>taken for granted: {}</p>\n", escaped(what));
    }
    for (const std::string& what : r.may_go_on) {
      page += fmt::format("<p>not known to end: {}</p>\n", escaped(what));
    }
    if (lines.empty()) continue;
    page += "<pre>";
    for (std::size_t l = 0; l < lines.size(); ++l) {
      const bool is_marked = marked.contains(static_cast<int>(l) + 1);
      page += fmt::format("{:>4}  {}{}{}\n", l + 1, is_marked ? "<mark>" : "", escaped(lines[l]),
                          is_marked ? "</mark>" : "");
    }
    page += "</pre>\n";
  }
  return page + "</body>\n</html>\n";
}

}  // namespace headway::verify
