// A suite: many tests, from a folder, from a file of documents or from one file. Every test of it
// has a name that no other has.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "lang/test.hpp"
#include "languages/languages.hpp"

namespace headway::suite {

// Whether a file that a search comes across is a test: what ends in .litmus is meant to be one, of
// what ends in .txt that which begins as tests do.
bool is_test_file(const std::filesystem::path& path);

// The test files that `paths` name, in order: a file stands for itself, a folder for the files in
// it and below it that end in .litmus or .txt, sorted, and "-" for standard input. What cannot be
// found becomes an Error in `errors`, and the others are still returned.
std::vector<std::filesystem::path> find_tests(const std::vector<std::string>& paths,
                                              std::vector<Error>& errors);

// Reads a test; its name becomes its file's stem unless it declares one. Of a family of the idiom
// language it is the member with so many `threads`. Throws headway::Error, also for a family when
// `threads` are not given.
lang::Test load_test(const std::filesystem::path& path, const std::optional<int>& threads = {},
                     const lang::Languages& languages = lang::standard_languages());

// The tests of a file: one, or the members of a family.
std::vector<lang::Test> load_tests(const std::filesystem::path& path,
                                   const std::optional<lang::Sizes>& sizes = {},
                                   const lang::Languages& languages = lang::standard_languages());

struct Suite {
  std::string path;               // as it was named
  std::vector<lang::Test> tests;  // in the order of their files and of the documents in them
  std::vector<std::string> files;
  std::vector<std::uint32_t> file_of;  // of each test, in `files`

  // A test whose name an earlier one has: the later one is called NAME-2, NAME-3, ... instead.
  struct Renamed {
    std::size_t test;
    std::string declared;
  };
  std::vector<Renamed> renamed;

  const std::string& file(std::size_t test) const { return files[file_of[test]]; }
};

// Gives names of their own to tests whose name is taken.
void make_names_unique(Suite& suite);

// The tests that `path` names, as in find_tests(); in addition a file that ends in .jsonl, .json,
// .yaml or .yml is a stream of documents (suite/documents.hpp), and so is standard input when it
// begins like one. A file or document that cannot be read becomes an Error in `errors`, and the
// others are still returned. `progress` is advanced by one a test.
Suite load_suite(const std::string& path, std::vector<Error>& errors, Progress* progress = nullptr,
                 const lang::Languages& languages = lang::standard_languages());

// The tests with these indices, which increase.
Suite select(Suite suite, const std::vector<std::size_t>& tests);

}  // namespace headway::suite
