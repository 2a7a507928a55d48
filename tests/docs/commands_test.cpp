// The manual is executed. In README.md, the pages of docs/ and those of litmus/, a fenced block
//
//   ```console
//   $ headway check litmus/a.litmus  # exit 1
//   what it writes to standard output and standard error
//   ```
//
// holds commands and what they write, together. Each is run by `sh -c` in the root of the sources,
// with the headway just built first in PATH. A line of three dots stands for any lines. A command
// that ends in a backslash goes on in the next line. `# exit N` is the exit status, 0 when it is
// not said. A block that opens with ```console notest is not run.
//
// With HEADWAY_UPDATE_GOLDEN=1 what commands write is put into the pages instead of compared,
// except where it has a line of three dots.
//
// Links are followed, to headings too. A path below docs/ that sources or messages name is a page,
// and a text in quotes behind it one of its headings.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <set>
#include <sstream>

#include "base/file.hpp"
#include "support/command.hpp"
#include "support/files.hpp"

#ifdef HEADWAY_KERNELS
#include "support/shaders.hpp"
#endif

namespace fs = std::filesystem;
using headway::testing::source_dir;
using Lines = std::vector<std::string>;

namespace {

Lines split(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string join(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// The pages of a folder and of those in it, sorted.
std::vector<fs::path> pages_below(const std::string& folder) {
  std::vector<fs::path> result;
  for (const auto& entry : fs::recursive_directory_iterator(source_dir() / folder)) {
    if (entry.path().extension() == ".md") result.push_back(entry.path());
  }
  std::sort(result.begin(), result.end());
  return result;
}

// Pages whose commands are run. A folder of the manual that holds none is an error.
std::vector<fs::path> pages() {
  std::vector<fs::path> result;
  for (const char* page :
       {"README.md", "CONTRIBUTING.md", "litmus/README.md", "litmus/suite/README.md"}) {
    if (fs::exists(source_dir() / page)) result.push_back(source_dir() / page);
  }
  for (const std::string folder : {"docs/start", "docs/reference", "docs/internals"}) {
    CAPTURE(folder);
    CHECK_FALSE(pages_below(folder).empty());
  }
  for (const fs::path& page : pages_below("docs")) result.push_back(page);
  return result;
}

// All pages there are, those without commands among them.
std::vector<fs::path> linked_pages() {
  std::vector<fs::path> result = pages_below("docs");
  for (const char* folder : {"litmus", "bench"}) {
    for (const fs::path& page : pages_below(folder)) result.push_back(page);
  }
  for (const char* page : {"README.md", "CONTRIBUTING.md", "CHANGELOG.md"}) {
    result.push_back(source_dir() / page);
  }
  return result;
}

// The opening or closing line of a fenced block.
bool is_fence(const std::string& line) {
  const std::size_t at = line.find_first_not_of(' ');
  return at != std::string::npos && line.compare(at, 3, "```") == 0;
}

struct Command {
  std::size_t line;  // of the page, from 0
  std::string text;
  int status = 0;
  std::size_t begin = 0;  // lines of the page that hold the expected output
  std::size_t end = 0;
};

std::vector<Command> commands_of(const Lines& page) {
  std::vector<Command> commands;
  for (std::size_t l = 0; l < page.size(); ++l) {
    if (!is_fence(page[l])) continue;
    const std::size_t info = page[l].find_first_not_of(" `");
    const bool runs = info != std::string::npos && page[l].substr(info) == "console";
    Command* command = nullptr;
    for (++l; l < page.size() && !is_fence(page[l]); ++l) {
      if (!runs) continue;
      if (page[l].starts_with("$ ")) {
        commands.push_back({l, page[l].substr(2)});
        command = &commands.back();
        while (command->text.ends_with('\\') && l + 1 < page.size()) {
          command->text.pop_back();
          command->text += page[++l];
        }
        constexpr std::string_view status = " # exit ";
        const std::size_t said = command->text.rfind(status);
        if (said != std::string::npos) {
          command->status = std::stoi(command->text.substr(said + status.size()));
        }
        command->begin = command->end = l + 1;
      } else if (command != nullptr) {
        command->end = l + 1;
      }
    }
  }
  return commands;
}

bool is_gap(const std::string& line) { return line == "..."; }

// Whether `actual` is `expected`, in which gaps stand for any lines.
bool matches(const Lines& expected, const Lines& actual) {
  // matched[a]: the expected lines so far can stand for the first `a` actual lines.
  std::vector<bool> matched(actual.size() + 1, false);
  matched[0] = true;
  for (const std::string& line : expected) {
    std::vector<bool> next(matched.size(), false);
    for (std::size_t a = 0; a < matched.size(); ++a) {
      if (is_gap(line)) {
        next[a] = matched[a] || (a > 0 && next[a - 1]);
      } else if (a > 0) {
        next[a] = matched[a - 1] && actual[a - 1] == line;
      }
    }
    matched = next;
  }
  return matched.back();
}

headway::testing::CommandResult run(const Command& command) {
  headway::testing::CommandOptions options;
  options.folder = source_dir();
  options.merge = true;
  options.environment["NO_COLOR"] = "1";
  const char* path = std::getenv("PATH");
  options.environment["PATH"] = headway::testing::headway_binary().parent_path().string() + ":" +
                                (path != nullptr ? path : "/usr/bin:/bin");
  return headway::testing::run_program({"sh", "-c", command.text}, options);
}

// Of shaders in WGSL only where they are read.
bool is_left_out(const Command& command) {
#ifdef HEADWAY_KERNELS
  if (command.text.find(".wgsl") == std::string::npos) return false;
  if (headway::testing::compiles_wgsl()) return false;
  MESSAGE("WGSL is left out: " << command.text);
  return true;
#else
  static_cast<void>(command);
  return false;
#endif
}

// Runs the commands of a page; true when it was changed to hold what they write.
bool run_page(Lines& page) {
  std::vector<Command> commands = commands_of(page);
  bool changed = false;
  // From the last to the first, so that new lines do not move what is still to come.
  for (auto command = commands.rbegin(); command != commands.rend(); ++command) {
    if (is_left_out(*command)) continue;
    const auto result = run(*command);
    const Lines actual = split(result.out);
    const Lines expected(page.begin() + static_cast<std::ptrdiff_t>(command->begin),
                         page.begin() + static_cast<std::ptrdiff_t>(command->end));
    const std::size_t line = command->line + 1;
    CAPTURE(line);
    CAPTURE(command->text);
    CHECK(result.status == command->status);
    if (matches(expected, actual)) continue;
    if (headway::testing::updating_golden() &&
        std::none_of(expected.begin(), expected.end(), is_gap)) {
      const auto at = page.erase(page.begin() + static_cast<std::ptrdiff_t>(command->begin),
                                 page.begin() + static_cast<std::ptrdiff_t>(command->end));
      page.insert(at, actual.begin(), actual.end());
      changed = true;
      continue;
    }
    const std::string expected_output = join(expected);
    CHECK(result.out == expected_output);
  }
  return changed;
}

// `line` without what stands between backquotes.
std::string without_code(const std::string& line) {
  std::string text;
  bool code = false;
  for (char c : line) {
    if (c == '`') code = !code;
    if (!code && c != '`') text += c;
  }
  return text;
}

// The targets of links and images in a page: [text](target) and, at the start of a line,
// [name]: target.
Lines links_of(const Lines& page) {
  Lines targets;
  bool fenced = false;
  for (const std::string& line : page) {
    if (is_fence(line)) fenced = !fenced;
    if (fenced || is_fence(line)) continue;
    const std::string text = without_code(line);
    for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
      targets.push_back(text.substr(at + 2, text.find_first_of(") ", at) - at - 2));
    }
    const std::size_t name_end = text.find("]: ");
    if (text.starts_with('[') && name_end != std::string::npos) {
      targets.push_back(text.substr(name_end + 3));
    }
  }
  return targets;
}

// Not a place in the page itself and not "https:".
bool is_relative(const std::string& target) {
  const auto scheme_end = std::find_if_not(target.begin(), target.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '+' || c == '.' || c == '-';
  });
  return !target.starts_with('#') && (scheme_end == target.end() || *scheme_end != ':');
}

Lines headings_of(const Lines& page) {
  Lines headings;
  bool fenced = false;
  for (const std::string& line : page) {
    if (is_fence(line)) fenced = !fenced;
    const std::size_t level = line.find_first_not_of('#');
    if (fenced || level == 0 || level == std::string::npos || line[level] != ' ') continue;
    headings.push_back(line.substr(level + 1));
  }
  return headings;
}

// The names that links give to headings, as GitHub makes them; the second of two equal ones ends
// in "-1".
std::set<std::string> anchors_of(const Lines& page) {
  std::set<std::string> anchors;
  for (const std::string& heading : headings_of(page)) {
    std::string anchor;
    for (const char c : heading) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == ' ') anchor += '-';
      if (std::isalnum(byte) != 0 || byte >= 0x80 || c == '-' || c == '_') {
        anchor += static_cast<char>(std::tolower(byte));
      }
    }
    std::string name = anchor;
    for (int n = 1; !anchors.insert(name).second; ++n) name = fmt::format("{}-{}", anchor, n);
  }
  return anchors;
}

// A page that a text names, perhaps with a heading in quotes behind a comma.
struct Mention {
  std::string page;
  std::string heading;
};

std::vector<Mention> mentions_in(const std::string& text) {
  const std::string begin = "docs/", end = ".md";
  std::vector<Mention> mentions;
  for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
    // A part of a longer path is none of ours.
    const char before = at == 0 ? ' ' : text[at - 1];
    if (std::isalnum(static_cast<unsigned char>(before)) != 0 || before == '/') continue;
    const auto stop = std::find_if_not(
        text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), [](unsigned char c) {
          return std::isalnum(c) != 0 || c == '/' || c == '-' || c == '_' || c == '.';
        });
    std::string page(text.begin() + static_cast<std::ptrdiff_t>(at), stop);
    const std::size_t name_end = page.rfind(end);
    if (name_end == std::string::npos) continue;
    page.resize(name_end + end.size());
    Mention mention{page, {}};
    for (const std::string quote : {"\"", "\\\""}) {
      const std::size_t quoted = at + page.size();
      if (text.compare(quoted, 2 + quote.size(), ", " + quote) != 0) continue;
      const std::size_t from = quoted + 2 + quote.size();
      mention.heading = text.substr(from, text.find(quote, from) - from);
      // The end of a piece of a string that goes on in the next line.
      if (mention.heading.find('\n') != std::string::npos) mention.heading.clear();
    }
    mentions.push_back(mention);
  }
  return mentions;
}

// The sources, tests and scripts that may speak of pages; what they are written in does not matter.
std::vector<fs::path> speaking_files() {
  std::vector<fs::path> result = {source_dir() / "CMakeLists.txt", source_dir() / "CITATION.cff",
                                  source_dir() / "site/build.mjs"};
  for (const char* folder : {"bench", "cmake", "docs", "examples", "include", "litmus", "models",
                             "python", "scripts", "site/src", "src", "tests"}) {
    for (const auto& entry : fs::recursive_directory_iterator(source_dir() / folder)) {
      static const std::set<std::string> kinds = {"",      ".cpp", ".hpp", ".h",     ".py", ".js",
                                                  ".html", ".txt", ".md",  ".cmake", ".cu", ".cl"};
      if (entry.is_regular_file() && kinds.contains(entry.path().extension())) {
        result.push_back(entry.path());
      }
    }
  }
  return result;
}

}  // namespace

TEST_CASE("docs/commands: gaps stand for any lines and nothing else does") {
  CHECK(matches({}, {}));
  CHECK(matches({"a", "b"}, {"a", "b"}));
  CHECK(matches({"a", "...", "c"}, {"a", "c"}));
  CHECK(matches({"a", "...", "c"}, {"a", "b", "c", "b", "c"}));
  CHECK(matches({"..."}, {}));
  CHECK(matches({"...", "b", "..."}, {"a", "b", "c"}));
  CHECK_FALSE(matches({}, {"a"}));
  CHECK_FALSE(matches({"a"}, {}));
  CHECK_FALSE(matches({"a", "..."}, {"b"}));
  CHECK_FALSE(matches({"...", "c"}, {"a", "b"}));
  CHECK_FALSE(matches({"a..."}, {"ab"}));
}

TEST_CASE("docs/commands: commands are found in console blocks with their output and status") {
  const std::vector<Command> commands =
      commands_of(split("text\n```console\n$ one  # exit 3\nout\n\nput\n$ two \\\n  more\n```\n"
                        "$ not one\n```sh\n$ nor this\n```\n```console notest\n$ nor that\n```\n"
                        "```console\n$ three\n```\n"));
  REQUIRE(commands.size() == 3);
  CHECK(commands[0].status == 3);
  CHECK(commands[0].end - commands[0].begin == 3);
  CHECK(commands[1].text == "two   more");
  CHECK(commands[1].status == 0);
  CHECK(commands[1].begin == commands[1].end);
  CHECK(commands[2].text == "three");
}

TEST_CASE("docs/commands: links are found outside of code and relative ones told apart") {
  const Lines links = links_of(
      split("[a](b.md) ![c](d/e.png), `[no](code)` [f][g]\n[g]: ../h.md#i\n```\n[no](code)\n```\n"
            "[j](#k) [l](https://m.n/o)\n"));
  CHECK(links == Lines{"b.md", "d/e.png", "../h.md#i", "#k", "https://m.n/o"});
  CHECK(is_relative(links[0]));
  CHECK(is_relative(links[2]));
  CHECK_FALSE(is_relative(links[3]));
  CHECK_FALSE(is_relative(links[4]));
}

TEST_CASE("docs/commands: headings are named as links name them") {
  CHECK(anchors_of(split("# A b\n## What `x-y` is, and why\n```\n# no\n```\n#no\n## A b\n")) ==
        std::set<std::string>{"a-b", "what-x-y-is-and-why", "a-b-1"});
}

TEST_CASE("docs/commands: mentions of pages are found with the heading that they name") {
  const std::string page = "docs/" + std::string("a/b-c.md");
  const auto mentions = mentions_in("(" + page + ", \"D e\") x/" + page + " " + page +
                                    ", \\\"F\\\" " + page + ". docs/none");
  REQUIRE(mentions.size() == 3);
  CHECK(mentions[0].page == page);
  CHECK(mentions[0].heading == "D e");
  CHECK(mentions[1].heading == "F");
  CHECK(mentions[2].page == page);
  CHECK(mentions[2].heading == "");
}

TEST_CASE("docs/commands: every documented command writes what its page shows") {
  int read = 0;
  for (const fs::path& path : pages()) {
    CAPTURE(path.string());
    Lines page = split(headway::read_file(path));
    if (run_page(page)) headway::write_file(path, join(page));
    ++read;
  }
  CHECK(read > 0);
}

TEST_CASE("docs/commands: every relative link leads to a file, and to a heading of it") {
  int links = 0;
  for (const fs::path& path : linked_pages()) {
    CAPTURE(path.string());
    const Lines page = split(headway::read_file(path));
    for (const std::string& target : links_of(page)) {
      if (!target.starts_with('#') && !is_relative(target)) continue;
      CAPTURE(target);
      const std::size_t hash = target.find('#');
      const fs::path to = hash == 0 ? path : path.parent_path() / target.substr(0, hash);
      const bool there = fs::exists(to);
      CHECK(there);
      ++links;
      if (!there || hash == std::string::npos || to.extension() != ".md") continue;
      CHECK(anchors_of(split(headway::read_file(to))).contains(target.substr(hash + 1)));
    }
  }
  CHECK(links > 0);
}

TEST_CASE("docs/commands: what sources and messages say of pages is there") {
  std::set<std::string> speaking;  // folders of the first level that do
  for (const fs::path& path : speaking_files()) {
    const std::string text = headway::read_file(path);
    CAPTURE(path.string());
    for (const Mention& mention : mentions_in(text)) {
      CAPTURE(mention.page);
      CAPTURE(mention.heading);
      const fs::path page = source_dir() / mention.page;
      const bool there = fs::exists(page);
      CHECK(there);
      speaking.insert(fs::relative(path, source_dir()).begin()->string());
      if (!there || mention.heading.empty()) continue;
      const Lines headings = headings_of(split(headway::read_file(page)));
      CHECK(std::find(headings.begin(), headings.end(), mention.heading) != headings.end());
    }
  }
  CHECK(speaking.contains("src"));
  CHECK(speaking.contains("scripts"));
  CHECK(speaking.contains("tests"));
}
