#include "suite/documents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "base/parallel.hpp"
#include "lang/axb/source.hpp"
#include "languages/languages.hpp"

namespace headway::suite {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kIndent = "  ";

// A document of a stream, not parsed yet.
struct Document {
  int line = 0;           // where it starts
  std::string_view text;  // JSON: the line; YAML: the indented lines of its block
};

// `text` without the line that says which part of a run it is.
std::string_view behind_mark(std::string_view text) {
  if (!text.starts_with(kShardMark)) return text;
  text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return text;
}

// Calls `each` with every line of `text`, without its newline, and its number.
template <class Each>
void for_lines(std::string_view text, const Each& each) {
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    each(text.substr(0, end), number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::vector<Document> split_json_lines(std::string_view text) {
  std::vector<Document> documents;
  for_lines(text, [&](std::string_view line, int number) {
    if (!line.empty() && !line.starts_with(kShardMark)) documents.push_back({number, line});
  });
  return documents;
}

// Only what yaml_document() writes: the litmus text is what is indented behind "litmus: |".
std::vector<Document> split_yaml(std::string_view text) {
  std::vector<Document> documents;
  bool inside = false;
  for_lines(text, [&](std::string_view line, int number) {
    if (inside && (line.empty() || line.starts_with(kIndent))) {
      Document& last = documents.back();
      if (last.text.data() == nullptr) last.text = line;
      last.text = {last.text.data(), line.data() + line.size()};
    } else if (inside = line == "litmus: |"; inside) {
      documents.push_back({number, {}});
    }
  });
  return documents;
}

std::string litmus_of_json(std::string_view line, SourcePosition where) {
  try {
    return Json::parse(line).at("litmus").get<std::string>();
  } catch (const Json::exception&) {
    throw Error(std::move(where), "expected a JSON object with a field \"litmus\"");
  }
}

std::string litmus_of_yaml(std::string_view block) {
  std::string litmus;
  for_lines(block, [&](std::string_view line, int) {
    litmus += line.substr(std::min(kIndent.size(), line.size()));
    litmus += '\n';
  });
  return litmus;
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
  for_lines(litmus, [&](std::string_view line, int) {
    if (!line.empty()) text += kIndent;
    text += line;
    text += '\n';
  });
  return text;
}

std::vector<lang::Test> read_documents(std::string_view text, const std::string& file,
                                       std::vector<Error>& errors, Progress* progress,
                                       const lang::Languages& languages) {
  const std::string_view body = behind_mark(text);
  if (body.empty() || body.starts_with(kShardMark)) return {};
  const bool json = body.starts_with('{');
  const std::vector<Document> documents = json ? split_json_lines(text) : split_yaml(text);
  if (documents.empty()) {
    errors.emplace_back(SourcePosition{file, 1, 0},
                        "expected JSON objects, one a line, or YAML documents, with a field "
                        "\"litmus\"");
    return {};
  }
  std::vector<lang::Test> tests(documents.size());
  std::mutex mutex;
  std::map<std::size_t, Error> bad;
  parallel_for(documents.size(), [&](std::size_t d) {
    const SourcePosition where{file, documents[d].line, 0};
    try {
      tests[d] = lang::parse(
          json ? litmus_of_json(documents[d].text, where) : litmus_of_yaml(documents[d].text),
          "litmus", languages);
      // Lines inside a document say nothing, and a stream may have hundreds of thousands of them.
      lang::axb::forget_lines(tests[d]);
    } catch (const Error& error) {
      const bool whole = error.where().file == file;
      const std::lock_guard lock(mutex);
      bad.emplace(d, whole ? error : Error(where, error.diagnostic()));
    }
    if (progress != nullptr) progress->advance();
  });
  std::vector<lang::Test> good;
  if (bad.empty()) return tests;
  for (std::size_t d = 0; d < tests.size(); ++d) {
    if (!bad.contains(d)) good.push_back(std::move(tests[d]));
  }
  for (auto& [document, error] : bad) errors.push_back(std::move(error));
  return good;
}

}  // namespace headway::suite
