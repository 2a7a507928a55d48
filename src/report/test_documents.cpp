#include "report/test_documents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lang/canonical.hpp"
#include "lang/parser.hpp"
#include "lang/printer.hpp"

namespace headway::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kIndent = "  ";

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<lang::Test> read_json_lines(std::string_view text, const std::string& file) {
  std::vector<lang::Test> tests;
  int number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    if (line.empty()) continue;
    try {
      tests.push_back(lang::parse(Json::parse(line).at("litmus").get<std::string>(), file));
    } catch (const Json::exception&) {
      throw Error({file, number, 0}, "expected a JSON object with a field \"litmus\"");
    } catch (const Error& error) {
      throw Error({file, number, 0}, error.diagnostic());
    }
  }
  return tests;
}

// Only what yaml_document() writes: the litmus text is what is indented behind "litmus: |".
std::vector<lang::Test> read_yaml(std::string_view text, const std::string& file) {
  std::vector<lang::Test> tests;
  const std::vector<std::string_view> lines = lines_of(text);
  for (std::size_t l = 0; l < lines.size(); ++l) {
    if (lines[l] != "litmus: |") continue;
    const int start = static_cast<int>(l) + 1;
    std::string litmus;
    while (l + 1 < lines.size() && (lines[l + 1].empty() || lines[l + 1].starts_with(kIndent))) {
      ++l;
      litmus += std::string(lines[l].substr(std::min(kIndent.size(), lines[l].size()))) + "\n";
    }
    try {
      tests.push_back(lang::parse(litmus, file));
    } catch (const Error& error) {
      throw Error({file, start, 0}, error.diagnostic());
    }
  }
  if (tests.empty()) throw Error({file, 1, 0}, "expected documents with a field 'litmus: |'");
  return tests;
}

std::string identity_text(const lang::Test& test) {
  return fmt::format("{:016x}", lang::identity(test));
}

}  // namespace

std::string json_line(const lang::Test& test) {
  const Json object = {{"test", test.name},
                       {"threads", test.thread_count()},
                       {"instructions", test.instruction_count()},
                       {"identity", identity_text(test)},
                       {"litmus", lang::print(test)}};
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string yaml_document(const lang::Test& test) {
  std::string text =
      fmt::format("---\ntest: {}\nthreads: {}\ninstructions: {}\nidentity: \"{}\"\nlitmus: |\n",
                  test.name, test.thread_count(), test.instruction_count(), identity_text(test));
  const std::string litmus = lang::print(test);
  for (const std::string_view line : lines_of(litmus)) {
    text += line.empty() ? "\n" : std::string(kIndent) + std::string(line) + "\n";
  }
  return text;
}

std::vector<lang::Test> read_documents(std::string_view text, const std::string& file) {
  if (text.empty()) return {};
  return text.starts_with('{') ? read_json_lines(text, file) : read_yaml(text, file);
}

}  // namespace headway::report
