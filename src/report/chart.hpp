// Bar charts as SVG, and a page for them: no scripts, nothing from elsewhere.
#pragma once

#include <string>
#include <vector>

namespace headway::report {

struct Bar {
  std::string label;
  std::vector<double> parts;  // one a name of the chart, none negative
  std::string note;           // behind the bar
};

// Horizontal bars of parts one behind the other, all on one scale, with a legend of `names`. Parts
// show their numbers on hover, and where they are wide enough with them.
std::string bar_chart(const std::string& title, const std::vector<std::string>& names,
                      const std::vector<Bar>& bars);

// A page of its own with `body`, which is HTML.
std::string chart_page(const std::string& title, const std::string& body);

// Its style, for other pages.
std::string chart_style();

}  // namespace headway::report
