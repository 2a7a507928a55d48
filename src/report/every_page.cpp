#include "report/every_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/every.hpp"
#include "report/template.hpp"

namespace headway::report {
namespace {

using every::Answer;
using every::FamilyAnswer;

// What an answer says of N threads: "pass", "fail", "error", or "?" where it says nothing.
const char* said_of(const Answer& answer, int n) {
  const bool on = answer.kind == Answer::Kind::fail_from || answer.kind == Answer::Kind::error_from;
  switch (answer.kind) {
    case Answer::Kind::pass:
      return "pass";
    case Answer::Kind::unknown:
      return n <= answer.passes_to ? "pass" : "?";
    default:
      break;
  }
  if (n < answer.n) return "pass";
  if (n > answer.n && !on) return "?";
  const bool fails = answer.kind == Answer::Kind::fail_from || answer.kind == Answer::Kind::fail_at;
  return fails ? "fail" : "error";
}

std::string class_of(std::string_view said) {
  return said == "pass" ? "pass" : said == "?" ? "open" : "fail";
}

// What an answer says of all N.
std::string class_of(const Answer& answer) {
  if (answer.kind == Answer::Kind::pass) return "pass";
  return answer.kind == Answer::Kind::unknown ? "open" : "fail";
}

std::string reading_of(const Answer& answer) {
  return fmt::format("{} {}", every::to_string(answer.reading.promise),
                     models::to_string(answer.reading.fairness));
}

// A row a family, a column a reading.
std::string answers_matrix(const std::vector<FamilyAnswer>& families) {
  if (families.empty()) return {};
  std::string models, fairnesses;
  const std::vector<Answer>& answers = families.front().answers;
  for (std::size_t a = 0, next = 0; a < answers.size(); a = next) {
    const every::Promise promise = answers[a].reading.promise;
    for (; next < answers.size() && answers[next].reading.promise == promise; ++next) {
      fairnesses += fmt::format("<th scope=\"col\">{}</th>",
                                models::to_string(answers[next].reading.fairness));
    }
    models += fmt::format("<th scope=\"colgroup\" colspan=\"{}\">{}</th>", next - a,
                          every::to_string(promise));
  }
  std::string text = fmt::format(
      "<tr><th scope=\"col\" rowspan=\"2\">family</th>{}<th scope=\"col\" rowspan=\"2\">errors"
      "</th></tr>\n<tr>{}</tr>\n",
      models, fairnesses);
  for (std::size_t f = 0; f < families.size(); ++f) {
    const FamilyAnswer& family = families[f];
    text += fmt::format("<tr><th scope=\"row\"><a href=\"#family-{}\">{}</a></th>", f + 1,
                        in_html(family.name));
    for (const Answer& answer : family.answers) {
      text += fmt::format("<td class=\"{}\">{}</td>", class_of(answer), answer.to_string());
    }
    text += fmt::format("<td class=\"{}\">{}</td></tr>\n",
                        family.wrong  ? "fail"
                        : family.safe ? "pass"
                                      : "open",
                        in_html(every_safety(family)));
  }
  return text;
}

// A row a reading, a column an N, up to where something changes; the last is all N beyond.
std::string sizes_table(const FamilyAnswer& family) {
  int last = family.smallest;
  for (const Answer& answer : family.answers) {
    const bool is_unknown = answer.kind == Answer::Kind::unknown;
    last = std::max({last, answer.n, is_unknown ? answer.passes_to : 0});
  }
  std::string text = "<tr><th scope=\"col\">reading</th><th scope=\"col\">answer</th>";
  for (int n = family.smallest; n <= last; ++n) {
    text += fmt::format("<th scope=\"col\">N = {}</th>", n);
  }
  text += fmt::format("<th scope=\"col\">N &gt; {}</th></tr>\n", last);
  for (const Answer& answer : family.answers) {
    text += fmt::format("<tr><th scope=\"row\">{}</th><td class=\"answer\">{}</td>",
                        reading_of(answer), answer.to_string());
    for (int n = family.smallest; n <= last + 1; ++n) {
      const char* said = said_of(answer, n);
      text += fmt::format("<td class=\"{}\">{}</td>", class_of(said), said);
    }
    text += "</tr>\n";
  }
  return text;
}

std::string folded(const std::string& summary, const std::string& text) {
  return fmt::format("<details><summary>{}</summary>\n<pre>{}</pre></details>\n", in_html(summary),
                     in_html(text));
}

// What answers rest on; once where several rest on the same.
std::string proofs(const FamilyAnswer& family) {
  struct Proof {
    std::vector<std::string> readings;
    std::string answer, words;
  };
  std::vector<Proof> all;
  for (const Answer& answer : family.answers) {
    const Proof proof{
        {}, answer.to_string(), fmt::format("{}\n", fmt::join(every_words(answer, family), "\n"))};
    auto same = std::find_if(all.begin(), all.end(), [&](const Proof& each) {
      return each.answer == proof.answer && each.words == proof.words;
    });
    if (same == all.end()) same = all.insert(all.end(), proof);
    same->readings.push_back(reading_of(answer));
  }
  std::string text;
  for (const Proof& proof : all) {
    text += folded(fmt::format("Why: {} under {}", proof.answer, fmt::join(proof.readings, ", ")),
                   proof.words);
  }
  return text;
}

std::string family_sections(const std::vector<FamilyAnswer>& families) {
  std::string text;
  for (std::size_t f = 0; f < families.size(); ++f) {
    const FamilyAnswer& family = families[f];
    text += fmt::format(
        "<section id=\"family-{}\">\n<h2>{}</h2>\n<p>{}: every N from {} on; {}.</p>\n"
        "<div class=\"wide\"><table class=\"sizes\">\n{}</table></div>\n{}{}</section>\n",
        f + 1, in_html(family.name), in_html(family.file), family.smallest,
        in_html(every_safety(family)), sizes_table(family), proofs(family),
        folded("The text of the family", family.text));
  }
  return text;
}

}  // namespace

std::string every_html(const EveryPage& page) {
  std::string problems;
  for (const std::string& problem : page.problems) {
    problems += fmt::format("<p class=\"problems\">{}</p>\n", in_html(problem));
  }
  const std::size_t count = page.families.size();
  std::map<std::string_view, std::string> parts = {
      {"title", in_html(page.title)},
      {"version", in_html(page.version)},
      {"families", fmt::format("{} famil{}", count, count == 1 ? "y" : "ies")},
      {"problems", problems},
      {"matrix", answers_matrix(page.families)},
      {"sections", family_sections(page.families)}};
  std::string_view frame;
  for (const auto& [name, content] : embedded_every_page()) {
    if (name.ends_with(".html")) frame = content;
    if (name.ends_with(".css")) parts["style"] += content;
  }
  return fill(frame, parts);
}

}  // namespace headway::report
