#include "report/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "report/template.hpp"

namespace headway::report {
namespace {

constexpr int kLabels = 210, kBars = 460, kNotes = 150;  // widths
constexpr int kRow = 24, kTop = 30;

std::string bar_label(double value) {
  return value == static_cast<long>(value) ? fmt::format("{:.0f}", value)
                                           : fmt::format("{:.1f}", value);
}

}  // namespace

std::string bar_chart(const std::string& title, const std::vector<std::string>& names,
                      const std::vector<Bar>& bars) {
  double most = 1;
  for (const Bar& bar : bars) {
    most = std::max(most, std::accumulate(bar.parts.begin(), bar.parts.end(), 0.0));
  }
  const int height = kTop + kRow * static_cast<int>(bars.size()) + 8;
  std::string text = fmt::format(
      "<svg class=\"chart\" role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {} {}\" width=\"{}\">\n",
      in_html(title), kLabels + kBars + kNotes, height, kLabels + kBars + kNotes);
  int at = kLabels;
  for (std::size_t n = 0; n < names.size(); ++n) {
    text += fmt::format(
        "<rect class=\"part{}\" x=\"{}\" y=\"6\" width=\"12\" height=\"12\"/>"
        "<text x=\"{}\" y=\"16\">{}</text>\n",
        n, at, at + 17, in_html(names[n]));
    at += 36 + 7 * static_cast<int>(names[n].size());
  }
  for (std::size_t b = 0; b < bars.size(); ++b) {
    const int y = kTop + kRow * static_cast<int>(b);
    text += fmt::format("<text class=\"label\" x=\"{}\" y=\"{}\">{}</text>\n", kLabels - 8, y + 15,
                        in_html(bars[b].label));
    double x = kLabels;
    for (std::size_t p = 0; p < bars[b].parts.size(); ++p) {
      const double width = bars[b].parts[p] / most * kBars;
      if (width <= 0) continue;
      const std::string value = bar_label(bars[b].parts[p]);
      text += fmt::format(
          "<rect class=\"part{}\" x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"18\"><title>{}: "
          "{}</title></rect>\n",
          p, x, y + 2, width, in_html(names[p]), value);
      if (width > 9.0 * static_cast<double>(value.size())) {
        text += fmt::format("<text class=\"value\" x=\"{:.1f}\" y=\"{}\">{}</text>\n",
                            x + width / 2, y + 15, value);
      }
      x += width;
    }
    text += fmt::format("<text x=\"{:.1f}\" y=\"{}\">{}</text>\n", x + 6, y + 15,
                        in_html(bars[b].note));
  }
  return text + "</svg>\n";
}

std::string chart_style() {
  return R"(.chart { display: block; max-width: 100%; height: auto; margin: 0.6rem 0 1.4rem; }
.chart text { font: 12px system-ui, "DejaVu Sans", sans-serif; fill: currentColor; }
.chart .label { text-anchor: end; }
.chart .value { text-anchor: middle; fill: #fff; }
.chart .part0 { fill: #3a5bc7; }
.chart .part1 { fill: #a1500a; }
.chart .part2 { fill: #0d7a70; }
.chart .part3 { fill: #b3344a; }
.chart .part4 { fill: #7a3fb0; }
)";
}

std::string chart_page(const std::string& title, const std::string& body) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n<title>{0}</title>\n<style>\n"
      "body {{ font: 15px/1.5 system-ui, \"DejaVu Sans\", sans-serif; max-width: 60rem; "
      "margin: 1.5rem auto; padding: 0 1rem; }}\n"
      "table {{ border-collapse: collapse; }}\n"
      "th, td {{ border: 1px solid #8886; padding: 0.2rem 0.6rem; text-align: left; }}\n"
      "{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n{2}</body>\n</html>\n",
      in_html(title), chart_style(), body);
}

}  // namespace headway::report
