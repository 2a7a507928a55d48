#include "suite/annotate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>
#include <utility>

#include "base/text/names.hpp"

namespace headway::suite {
namespace {

using checker::Verdict;
using models::Reading;

std::string counted(int count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// What a signature says of each model, as briefly as an expectation can.
std::vector<lang::Expectation> expectations(const Signature& signature,
                                            const std::vector<models::ModelPtr>& models) {
  std::vector<lang::Expectation> result;
  for (const bool passes : {true, false}) {
    const Verdict wanted = passes ? Verdict::pass : Verdict::fail;
    for (std::size_t m = 0; m < models.size(); ++m) {
      const checker::ModelVerdict& verdict = signature[m];
      if (verdict.weak == wanted && verdict.strong == wanted) {
        result.push_back({models[m]->name(), std::nullopt, passes, {}, {}});
        continue;
      }
      for (const models::Fairness fairness : models::kFairnesses) {
        if (verdict.of(fairness) != wanted) continue;
        result.push_back({models[m]->name(), fairness, passes, {}, {}});
      }
    }
  }
  return result;
}

// "3t", or "2+1t" of threads in two workgroups, "1.2+1t" where the first has two subgroups, "1x3t"
// of one workgroup.
std::string threads_in_name(const lang::Test& test) {
  const Topology launch = test.source->launch();
  if (launch.is_flat() || launch.threads() != test.thread_count()) {
    return fmt::format("{}t", test.thread_count());
  }
  std::string text = launch.placement();
  std::replace(text.begin(), text.end(), '|', '+');
  std::replace(text.begin(), text.end(), ',', '.');
  return (launch.groups(Level::workgroup) == 1 ? "1x" : "") + text + "t";
}

// A reading for the name of a file: "hsa.weak", "wg-obe_t-hsa.strong".
std::string reading_in_name(std::string name) {
  for (const auto& [level, brief] : {std::pair("workgroup=", "wg-"), std::pair("subgroup=", "sg-"),
                                     std::pair("thread=", "t-")}) {
    const std::size_t at = name.find(level);
    if (at != std::string::npos) name.replace(at, std::string_view(level).size(), brief);
  }
  name = safe_name(name, "+-:");
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) {
    return static_cast<char>(c == ':' ? '.' : std::tolower(c));
  });
  return name;
}

// Readings of several levels make long names.
constexpr std::size_t kMostNamed = 2;

// "3 threads", "3 threads in 2 workgroups of 2|1 threads"
std::string threads_in_words(const lang::Test& test) {
  const Topology launch = test.source->launch();
  const std::string text = counted(test.thread_count(), "thread");
  return launch.is_flat() ? text : text + " in " + launch.to_string();
}

// How the lines of an annotation begin.
constexpr std::string_view kSize = " Size: ";
constexpr std::string_view kClass = " Distinguishing test of ";
constexpr std::string_view kNoClass = " Conformance test of none of these models.";
constexpr std::string_view kUndecided = " Not decided under every model.";
constexpr std::string_view kPublished = " Published attribution: ";
constexpr std::string_view kIdiom = " Idiom: ";

bool is_annotation(const std::string& line) {
  constexpr std::string_view starts[] = {kSize, kClass, kNoClass, kUndecided, kPublished, kIdiom};
  return std::any_of(std::begin(starts), std::end(starts),
                     [&](std::string_view start) { return line.starts_with(start); });
}

}  // namespace

Annotator::Annotator(std::span<const lang::Test> tests, const VerdictMatrix& matrix,
                     const SuiteOrder& order)
    : tests_(tests), matrix_(matrix), order_(order), classification_(classify(matrix, order)) {}

lang::Test Annotator::annotated(std::size_t index) const {
  lang::Test test = tests_[index];
  const Signature& signature = matrix_.verdicts(index);
  test.expectations = expectations(signature, matrix_.models());
  std::erase_if(test.comment, is_annotation);
  test.comment.push_back(fmt::format("{}{}, {}.", kSize, threads_in_words(test),
                                     counted(test.instruction_count(), "instruction")));
  if (!is_decided(signature)) {
    test.comment.emplace_back(kUndecided);
  } else {
    const std::vector<bool>& distinguishes =
        classification_.distinguishes[matrix_.signature_of(index)];
    std::string readings;
    for (std::size_t r = 0; r < distinguishes.size(); ++r) {
      if (!distinguishes[r]) continue;
      readings += (readings.empty() ? "" : ", ") + order_.name(order_.readings()[r]);
    }
    test.comment.push_back(readings.empty() ? std::string(kNoClass)
                                            : fmt::format("{}{}.", kClass, readings));
    if (PublishedAttribution::applies(matrix_.models())) {
      const auto place = PublishedAttribution(matrix_.models()).place(signature);
      const char* model = place.model ? PublishedAttribution::kModels[*place.model] : "no model";
      test.comment.push_back(
          fmt::format("{}{} test of {}.", kPublished, to_string(place.kind), model));
    }
  }
  if (const lang::Test* idiom = idioms_.recognize(test)) {
    test.comment.push_back(fmt::format("{}{}.", kIdiom, idiom->name));
  }
  return test;
}

// Equal readings are named once.
std::string Annotator::weakest(std::size_t index) const {
  const Signature& signature = matrix_.verdicts(index);
  if (!is_decided(signature)) return "undecided";
  const std::vector<Reading>& readings = order_.readings();
  const std::vector<bool>& distinguishes =
      classification_.distinguishes[matrix_.signature_of(index)];
  const bool of_levels = !tests_[index].source->launch().is_flat();
  std::string text;
  std::vector<Reading> named;
  for (std::size_t r = 0; r < readings.size(); ++r) {
    const bool equal = std::any_of(named.begin(), named.end(), [&](const Reading& other) {
      return order_.equal(other, readings[r]);
    });
    if (!distinguishes[r] || equal) continue;
    named.push_back(readings[r]);
    if (of_levels && named.size() > kMostNamed) continue;
    text += (text.empty() ? "" : "_") + reading_in_name(order_.name(readings[r]));
  }
  if (of_levels && named.size() > kMostNamed) text += "_and_others";
  return text.empty() ? "no-model" : text;
}

std::string Annotator::title(std::size_t index) const {
  const lang::Test& test = tests_[index];
  const lang::Test* idiom = idioms_.recognize(test);
  return fmt::format("{}_{}i-{}", threads_in_name(test), test.instruction_count(),
                     idiom != nullptr ? idiom->name : weakest(index));
}

std::vector<std::string> Annotator::names() const {
  std::vector<std::string> titles;
  std::map<std::string, std::size_t> tests_of, seen;
  for (std::size_t t = 0; t < tests_.size(); ++t) {
    titles.push_back(title(t));
    ++tests_of[titles.back()];
  }
  std::vector<std::string> names;
  for (std::size_t t = 0; t < tests_.size(); ++t) {
    names.push_back(titles[t]);
    if (idioms_.recognize(tests_[t]) != nullptr) continue;
    const std::size_t digits = std::max<std::size_t>(2, std::to_string(tests_of[titles[t]]).size());
    names.back() += fmt::format("-{:0{}}", ++seen[titles[t]], digits);
  }
  return distinct_names(std::move(names));  // a suite may hold an idiom twice
}

}  // namespace headway::suite
