#include "suite/suite.hpp"

#include <algorithm>
#include <fstream>

#include "base/file.hpp"
#include "base/text/names.hpp"
#include "base/text/scanner.hpp"
#include "base/text/several_errors.hpp"
#include "lang/axb/source.hpp"
#include "suite/documents.hpp"

namespace headway::suite {
namespace fs = std::filesystem;

namespace {

// Streams of documents may be larger than what a person writes.
constexpr std::size_t kMaxDocumentBytes = std::size_t{4} << 30;

bool is_document_file(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".jsonl" || extension == ".json" || extension == ".yaml" ||
         extension == ".yml";
}

std::string file_name(const fs::path& path) { return path == "-" ? "<stdin>" : path.string(); }

// Tests without a name are called after their file, those of a family by their size as well.
void name_after(const fs::path& path, std::vector<lang::Test>& tests) {
  const std::string stem = path == "-" ? "stdin" : printable(path.stem().string());
  for (lang::Test& test : tests) {
    if (!test.name.empty()) continue;
    test.name = stem;
    if (test.source->sized()) test.name += "-" + std::to_string(test.source->size());
  }
}

std::vector<lang::Test> parse_tests(const std::string& text, const fs::path& path,
                                    const std::optional<lang::Sizes>& sizes,
                                    const lang::Languages& languages) {
  std::vector<lang::Test> tests = lang::parse_all(text, file_name(path), sizes, languages);
  name_after(path, tests);
  return tests;
}

}  // namespace

bool is_test_file(const fs::path& path) {
  if (path.extension() == ".litmus") return true;
  std::error_code none;
  if (path.extension() != ".txt" || !fs::is_regular_file(path, none)) return false;
  std::ifstream file(path);
  std::string start(4096, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  try {
    const Token first = Scanner(start, path.string()).peek();
    return lang::axb::is_published(start) || first.is("litmus") || first.is("locations") ||
           first.is("idiom");
  } catch (const Error&) {
    return false;
  }
}

void make_names_unique(Suite& suite) {
  std::vector<std::string> names;
  for (const lang::Test& test : suite.tests) names.push_back(test.name);
  names = distinct_names(std::move(names));
  for (std::size_t t = 0; t < names.size(); ++t) {
    if (names[t] == suite.tests[t].name) continue;
    suite.renamed.push_back({t, suite.tests[t].name});
    suite.tests[t].name = std::move(names[t]);
  }
}

std::vector<fs::path> find_tests(const std::vector<std::string>& paths,
                                 std::vector<Error>& errors) {
  std::vector<fs::path> tests;
  for (const std::string& path : paths) {
    try {
      std::error_code none;  // whoever reads it says why
      if (path != "-" && fs::is_directory(path, none)) {
        std::vector<Error> unreadable;
        std::vector<fs::path> found = files_below(path, unreadable);
        std::erase_if(found, [](const fs::path& file) { return !is_test_file(file); });
        errors.insert(errors.end(), unreadable.begin(), unreadable.end());
        if (found.empty() && unreadable.empty()) {
          throw Error({path, 0, 0},
                      "no tests in this folder; expected files that end in .litmus "
                      "or .txt");
        }
        tests.insert(tests.end(), found.begin(), found.end());
      } else {
        tests.emplace_back(path);
      }
    } catch (const fs::filesystem_error& error) {
      errors.emplace_back(SourcePosition{path, 0, 0}, error.code().message());
    } catch (const Error& error) {
      errors.push_back(error);
    }
  }
  return tests;
}

lang::Test load_test(const fs::path& path, const std::optional<int>& threads,
                     const lang::Languages& languages) {
  const std::string text = read_file(path);
  if (threads) {
    return parse_tests(text, path, lang::Sizes{*threads, *threads}, languages).front();
  }
  std::vector<lang::Test> tests = {lang::parse(text, file_name(path), languages)};
  name_after(path, tests);
  return std::move(tests.front());
}

std::vector<lang::Test> load_tests(const fs::path& path, const std::optional<lang::Sizes>& sizes,
                                   const lang::Languages& languages) {
  return parse_tests(read_file(path), path, sizes, languages);
}

namespace {

void append(std::vector<Error>& errors, const Error& error) {
  for (Error& each : each_of(error)) errors.push_back(std::move(each));
}

}  // namespace

Suite load_suite(const std::string& path, std::vector<Error>& errors, Progress* progress,
                 const lang::Languages& languages) {
  Suite suite;
  suite.path = path;
  const bool standard_input = path == "-";
  const auto add = [&](std::vector<lang::Test> tests, const std::string& file) {
    suite.files.push_back(file);
    suite.file_of.resize(suite.file_of.size() + tests.size(),
                         static_cast<std::uint32_t>(suite.files.size() - 1));
    std::move(tests.begin(), tests.end(), std::back_inserter(suite.tests));
  };
  if (standard_input || (is_document_file(path) && !fs::is_directory(path))) {
    try {
      const std::string text = read_file(path, kMaxDocumentBytes);
      const std::string file = standard_input ? "<stdin>" : path;
      const bool documents = !standard_input || text.empty() || text.starts_with('{') ||
                             text.starts_with("---") || text.starts_with(kShardMark);
      if (documents) {
        add(read_documents(text, file, errors, progress, languages), file);
      } else {
        add(parse_tests(text, path, {}, languages), file);
      }
    } catch (const Error& error) {
      append(errors, error);
    }
  } else {
    for (const fs::path& file : find_tests({path}, errors)) {
      try {
        add(load_tests(file, {}, languages), file.string());
      } catch (const Error& error) {
        append(errors, error);
      }
      if (progress != nullptr) progress->advance();
    }
  }
  for (std::size_t t = 0; t < suite.tests.size(); ++t) {
    if (suite.tests[t].name.empty()) suite.tests[t].name = "test-" + std::to_string(t + 1);
  }
  make_names_unique(suite);
  return suite;
}

Suite select(Suite suite, const std::vector<std::size_t>& tests) {
  for (std::size_t kept = 0; kept < tests.size(); ++kept) {
    if (tests[kept] != kept) suite.tests[kept] = std::move(suite.tests[tests[kept]]);
    suite.file_of[kept] = suite.file_of[tests[kept]];
  }
  suite.tests.resize(tests.size());
  suite.file_of.resize(tests.size());
  suite.renamed.clear();
  return suite;
}

}  // namespace headway::suite
