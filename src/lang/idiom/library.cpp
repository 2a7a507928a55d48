#include "lang/idiom/library.hpp"

#include <algorithm>
#include <cctype>

#include "base/text/scanner.hpp"
#include "lang/idiom/source.hpp"

namespace headway::lang::idiom {
namespace {

// The first sentence of the comment, in lower case.
std::string summary_of(std::string_view content) {
  const Scanner scanner(content, {});
  std::string text;
  for (const std::string& line : scanner.leading_comment()) {
    text += text.empty() && line.starts_with(' ') ? line.substr(1) : line;
  }
  text.resize(std::min(text.find(". "), text.size()));
  if (text.ends_with('.')) text.pop_back();
  if (!text.empty()) {
    text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
  }
  return text;
}

}  // namespace

const std::vector<LibraryIdiom>& library() {
  static const std::vector<LibraryIdiom> all = [] {
    std::vector<LibraryIdiom> idioms;
    for (const LibraryFile& file : library_files()) {
      std::string_view stem = file.name.substr(file.name.rfind('/') + 1);
      stem = stem.substr(0, stem.rfind('.'));
      idioms.push_back({std::string(stem), summary_of(file.content), file.content});
    }
    return idioms;
  }();
  return all;
}

Test member(const LibraryIdiom& idiom, int threads) {
  Scanner scanner(idiom.content, idiom.name);
  return language().parse(scanner, idiom.content, idiom.name, Sizes{threads, threads}).front();
}

}  // namespace headway::lang::idiom
