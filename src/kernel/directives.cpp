#include "kernel/directives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "base/text/names.hpp"
#include "base/text/suggestion.hpp"
#include "kernel/directive_text.hpp"

namespace headway::kernel {
namespace {

constexpr std::uint32_t kMaxSize = 0x7fffffff;
constexpr std::uint32_t kMaxSubgroup = 64;

constexpr const char* kProperties[] = {"assertion", "race",      "divergence", "bounds",
                                       "null",      "alignment", "freed",      "uninitialized",
                                       "constant",  "division",  "termination"};
constexpr const char* kOutcomes[] = {"safe",     "error",   "verified",
                                     "violated", "unknown", "unsupported"};

const std::vector<std::string>& directive_words() {
  static const std::vector<std::string> words = {"kernel", "main",   "grid",   "block",  "subgroup",
                                                 "shared", "arg",    "buffer", "assume", "verify",
                                                 "expect", "groups", "spec"};
  return words;
}

std::string list_of(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

template <class Named>
void add_named(std::vector<Named>& all, std::size_t inherited, Named made) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].name != made.name) continue;
    if (i >= inherited)
      throw Error(made.where, fmt::format("'{}' is given twice", shortened(made.name)));
    all[i] = std::move(made);
    return;
  }
  all.push_back(std::move(made));
}

// Reads the directives of one file, line by line.
class DirectiveParser {
 public:
  void read(DirectiveText& text) {
    while (!text.at_end()) {
      const std::size_t begin = text.at();
      if (text.accept_word("kernel") || text.accept_word("main")) {
        begin_launch(text, begin);
      } else if (text.starts_with("-")) {
        read_flag(text);
      } else {
        read_part(text, begin);
      }
    }
  }

  Directives finish() {
    if (directives_.launches.empty() && any_) directives_.launches.push_back(defaults_);
    return std::move(directives_);
  }

 private:
  LaunchDirective& current() {
    return directives_.launches.empty() ? defaults_ : directives_.launches.back();
  }

  void begin_launch(DirectiveText& text, std::size_t begin) {
    if (directives_.launches.size() == kMaxLaunches) {
      text.refuse_at(begin, fmt::format("more than {} launches", kMaxLaunches));
    }
    const bool host = text.last_word() == "main";
    std::string kernel = host ? "" : text.kernel_name();
    if (!host && kernel.empty()) text.fail("expected the name of a kernel");
    LaunchDirective launch = defaults_;
    launch.kernel = std::move(kernel);
    launch.host_program = host;
    launch.where = text.place(begin);
    directives_.launches.push_back(std::move(launch));
    inherited_arguments_ = defaults_.arguments.size();
    inherited_buffers_ = defaults_.buffers.size();
    inherited_models_ = defaults_.models.size();
    given_.clear();
  }

  void read_flag(DirectiveText& text) {
    directives_.flags.push_back(text.until_blank());
    // Those whose argument may stand apart.
    for (const char* flag : {"-I", "-D", "-U", "-include", "-isystem"}) {
      if (directives_.flags.back() != flag) continue;
      const std::size_t begin = text.at();
      directives_.flags.push_back(text.until_blank());
      if (directives_.flags.back().empty()) text.fail_at(begin, "expected what the flag is given");
    }
  }

  void once(DirectiveText& text, std::size_t begin, const std::string& word) {
    if (std::find(given_.begin(), given_.end(), word) != given_.end()) {
      text.refuse_at(begin, fmt::format("{} is given twice", word));
    }
    given_.push_back(word);
  }

  void read_part(DirectiveText& text, std::size_t begin) {
    any_ = true;
    LaunchDirective& launch = current();
    if (launch.where.line == 0) launch.where = text.place(begin);
    const std::string word = text.word("-");
    if (word == "groups") {
      once(text, begin, "grid");
      launch.grid = read_extent(text);
    } else if (word == "spec") {
      do {
        const std::size_t at = text.at();
        if (!directives_.specialization.insert(read_specialization(text)).second) {
          text.refuse_at(at, "a specialization constant that is given twice");
        }
      } while (text.accept(','));
    } else if (word == "grid" || word == "block") {
      once(text, begin, word);
      (word == "grid" ? launch.grid : launch.block) = read_extent(text);
    } else if (word == "subgroup") {
      once(text, begin, word);
      launch.subgroup =
          static_cast<std::uint32_t>(text.integer("the size of a subgroup", 1, kMaxSubgroup));
    } else if (word == "shared") {
      once(text, begin, word);
      launch.shared = text.integer("a number of bytes", 0, kMaxSize);
    } else if (word == "arg") {
      do add_named(launch.arguments, inherited_arguments_, read_argument(text));
      while (text.accept(','));
    } else if (word == "buffer") {
      do add_named(launch.buffers, inherited_buffers_, read_buffer(text));
      while (text.accept(','));
    } else if (word == "assume") {
      Assumption assumption = {{}, text.place(text.at())};
      assumption.text = text.rest();
      if (assumption.text.empty()) text.fail("expected a condition");
      launch.assumptions.push_back(std::move(assumption));
    } else if (word == "verify") {
      read_verify_directive(text, launch.verify);
    } else if (word == "expect") {
      do read_expectation(text, launch);
      while (text.accept(','));
    } else {
      const std::vector<std::string>& words = directive_words();
      text.refuse_at(
          begin, word.empty()
                     ? fmt::format("expected one of {}", list_of(words))
                     : fmt::format("unknown directive '{}'; expected one of {}{}", shortened(word),
                                   list_of(words), did_you_mean(word, words)));
    }
  }

  void read_model(DirectiveText& text, LaunchDirective& launch, bool passes) {
    const std::size_t begin = text.at();
    lang::Expectation expectation;
    expectation.passes = passes;
    expectation.where = text.place(begin);
    expectation.source_line = text.line();
    expectation.model = text.word("+-.(=)");
    if (expectation.model.empty()) text.fail("expected the name of a model");
    if (text.accept(':')) {
      if (text.accept_word("weak")) {
        expectation.fairness = lang::Fairness::weak;
      } else if (text.accept_word("strong")) {
        expectation.fairness = lang::Fairness::strong;
      } else {
        text.fail("expected weak or strong");
      }
    }
    for (std::size_t i = 0; i < launch.models.size(); ++i) {
      if (!lang::overlap(launch.models[i], expectation)) continue;
      if (i >= inherited_models_) {
        text.refuse_at(begin, fmt::format("a second expectation for the model '{}'",
                                          shortened(expectation.model)));
      }
      launch.models.erase(launch.models.begin() + static_cast<std::ptrdiff_t>(i));
      --inherited_models_;
      --i;
    }
    if (launch.models.size() == lang::kMaxExpectations)
      text.refuse_at(begin, "too many expectations");
    launch.models.push_back(std::move(expectation));
  }

  void read_expectation(DirectiveText& text, LaunchDirective& launch) {
    const std::size_t begin = text.at();
    const std::string word = text.word("");
    if (word == "pass" || word == "fail") {
      read_model(text, launch, word == "pass");
      return;
    }
    const auto found = std::find(std::begin(kOutcomes), std::end(kOutcomes), word);
    if (found == std::end(kOutcomes)) {
      std::vector<std::string> words(std::begin(kOutcomes), std::end(kOutcomes));
      words.insert(words.begin(), {"pass", "fail"});
      // "expect race" is "expect error race".
      if (const auto property = property_of(word)) {
        add_outcome(text, launch, begin, ExpectedOutcome::Outcome::error, property);
        return;
      }
      text.fail_at(begin,
                   fmt::format("expected one of {}{}", list_of(words), did_you_mean(word, words)));
    }
    const auto outcome = static_cast<ExpectedOutcome::Outcome>(found - std::begin(kOutcomes));
    std::optional<Property> property;
    if (outcome == ExpectedOutcome::Outcome::error ||
        outcome == ExpectedOutcome::Outcome::violated) {
      for (const char* name : kProperties) {
        if (!property && text.accept_word(name)) property = property_of(name);
      }
      if (!property) require_directive(text);
    }
    add_outcome(text, launch, begin, outcome, property);
  }

  void add_outcome(DirectiveText& text, LaunchDirective& launch, std::size_t begin,
                   ExpectedOutcome::Outcome outcome, std::optional<Property> property) {
    if (launch.outcomes.size() == lang::kMaxExpectations)
      text.refuse_at(begin, "too many expectations");
    launch.outcomes.push_back({outcome, property, text.place(begin), std::string(text.line())});
  }

  // Behind an error that is not named; a word that is no directive was to name it.
  static void require_directive(const DirectiveText& text) {
    DirectiveText ahead = text;
    const std::string word = ahead.word("-");
    if (word.empty() || word.front() == '-' || std::ranges::count(directive_words(), word) > 0) {
      return;
    }
    const std::vector<std::string> names(std::begin(kProperties), std::end(kProperties));
    text.fail(fmt::format("expected one of {}{}", list_of(names), did_you_mean(word, names)));
  }

  static std::optional<Property> property_of(std::string_view word) {
    const auto found = std::find(std::begin(kProperties), std::end(kProperties), word);
    if (found == std::end(kProperties)) return std::nullopt;
    return static_cast<Property>(found - std::begin(kProperties));
  }

  Directives directives_;
  LaunchDirective defaults_;  // what stands in front of the first launch
  bool any_ = false;
  // What the current launch has from there may be given anew.
  std::size_t inherited_arguments_ = 0;
  std::size_t inherited_buffers_ = 0;
  std::size_t inherited_models_ = 0;
  std::vector<std::string> given_;
};

// The head of a test of GPUVerify, in the first lines of a file: one that says how it ends, and one
// of options.
std::optional<Directives> read_gpuverify_head(std::string_view text, const std::string& file) {
  constexpr int head = 10;
  constexpr std::string_view size_options[] = {
      "--blockDim=", "--gridDim=", "--local_size=", "--num_groups=", "--global_size="};
  std::string_view verdict, option_line;
  int number = 0, options_at = 0;
  for (std::size_t at = 0; at < text.size() && number < head && option_line.empty();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    ++number;
    at = end + 1;
    if (verdict.empty() &&
        (line.starts_with("//pass") || line.starts_with("//xfail") || line.starts_with("//fail"))) {
      verdict = line;
    }
    const std::size_t dashes = std::min(line.find_first_not_of("/ "), line.size());
    const bool sizes = std::any_of(
        std::begin(size_options), std::end(size_options),
        [&](std::string_view name) { return line.find(name) != std::string_view::npos; });
    if (line.starts_with("//") && line.substr(dashes).starts_with("--") &&
        (sizes || (!verdict.empty() && dashes == 2))) {
      option_line = line;
      options_at = static_cast<int>(dashes);
    }
  }
  if (option_line.empty()) return std::nullopt;
  Directives directives;
  directives.of_gpuverify = true;
  LaunchDirective launch;
  launch.where = {file, number, options_at + 1};
  std::optional<Extent> threads;
  // Sizes are "64" or "[8,8]"; others of its options are not for us.
  const auto extent_of = [](std::string_view value) -> std::optional<Extent> {
    if (value.starts_with('[') && value.ends_with(']')) value = value.substr(1, value.size() - 2);
    try {
      return parse_extent(value);
    } catch (const Error&) {
      return std::nullopt;
    }
  };
  DirectiveText options(option_line.substr(static_cast<std::size_t>(options_at)), launch.where,
                        option_line);
  while (!options.at_end()) {
    const std::string option = options.until_blank();
    if (option.starts_with("-D") || option.starts_with("-I") || option.starts_with("-U")) {
      directives.flags.push_back(option);
      continue;
    }
    const std::size_t equal = option.find('=');
    if (equal == std::string::npos) continue;
    const std::string name = option.substr(0, equal);
    const auto extent = extent_of(std::string_view(option).substr(equal + 1));
    if (!extent) continue;
    if (name == "--local_size" || name == "--blockDim") launch.block = extent;
    if (name == "--num_groups" || name == "--gridDim") launch.grid = extent;
    if (name == "--global_size") threads = extent;
    if (name == "--warp-sync" && (*extent)[0] <= kMaxSubgroup) {
      launch.subgroup = (*extent)[0];
      launch.lockstep = true;
    }
  }
  if (threads && launch.block && !launch.grid) {
    Extent grid;
    for (std::size_t i = 0; i < 3; ++i) grid[i] = (*threads)[i] / (*launch.block)[i];
    if (std::all_of(grid.begin(), grid.end(), [](std::uint32_t n) { return n > 0; })) {
      launch.grid = grid;
    }
  }
  const SourcePosition place = {file, 1, 3};
  if (verdict.starts_with("//pass")) {
    launch.outcomes.push_back(
        {ExpectedOutcome::Outcome::verified, std::nullopt, place, std::string(verdict)});
  } else if (verdict.starts_with("//xfail:BOOGIE_ERROR")) {
    launch.outcomes.push_back(
        {ExpectedOutcome::Outcome::violated, std::nullopt, place, std::string(verdict)});
  }
  directives.launches.push_back(std::move(launch));
  return directives;
}

constexpr std::string_view kBlanks = " \t";

// Where the text of the directive begins that a line is, if it is one: a comment of C, or of LLVM's
// assembly.
std::optional<std::size_t> directive_of(std::string_view line) {
  constexpr std::string_view mark = "headway:";
  for (const std::string_view comment : {"//", ";"}) {
    const std::size_t begin = line.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos || !line.substr(begin).starts_with(comment)) continue;
    const std::size_t at = line.find_first_not_of(kBlanks, begin + comment.size());
    if (at != std::string_view::npos && line.substr(at).starts_with(mark)) return at + mark.size();
  }
  return {};
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

bool reads_as_directives(std::string_view text) {
  try {
    DirectiveText directives(text, {}, {});
    DirectiveParser().read(directives);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Whether `text`, which stands in front of something, ends with the beginning of a comment: of C,
// of LLVM's assembly, of shells.
bool opens_comment(std::string_view text) {
  const std::size_t last = text.find_last_not_of(kBlanks);
  if (last == std::string_view::npos) return false;
  const std::string_view all = text.substr(0, last + 1);
  // A line within a comment.
  const bool begins = all.find_first_not_of("/*;!# \t") == std::string_view::npos;
  return begins || all.ends_with("//") || all.ends_with("/*");
}

// Of a line that is none, whether it was to be one: behind code, in a comment of another kind,
// without the colon, with another mark in its place, in capitals, with a word mistyped. What people
// write of headway is none.
void refuse_missed(std::string_view line, const std::string& file, int number) {
  constexpr std::string_view name = "headway";
  const std::size_t at = lower(line).find(name);
  if (at == std::string_view::npos) return;
  const std::size_t behind = line.find_first_not_of(kBlanks, at + name.size());
  if (behind == std::string_view::npos) return;
  const bool marked = std::string_view(":;,=").find(line[behind]) != std::string_view::npos;
  const bool first = opens_comment(line.substr(0, at));
  // "headway's"
  if (!marked && (!first || behind == at + name.size())) return;
  std::string_view rest = line.substr(marked ? behind + 1 : behind);
  rest = rest.substr(0, rest.find("*/"));
  while (!rest.empty() && kBlanks.find(rest.front()) != std::string_view::npos) {
    rest.remove_prefix(1);
  }
  while (!rest.empty() && kBlanks.find(rest.back()) != std::string_view::npos) {
    rest.remove_suffix(1);
  }
  if (rest.empty() || rest.front() == '-') return;
  const std::string word(rest.substr(0, rest.find_first_of(" \t,:=")));
  const std::string meant = closest(word, directive_words());
  if (meant.empty()) return;
  const std::string all = meant + std::string(rest.substr(word.size()));
  // What has a mark in a comment is to be one, though not all of it can be read; and nobody begins
  // a sentence so.
  const bool told = first && (marked ? line[behind] != ',' : word == "expect");
  if (!reads_as_directives(all) && !told) return;
  throw Error({file, number, static_cast<int>(at) + 1},
              fmt::format("a directive is a comment of its own; did you mean '// headway: {}'?",
                          shortened(all, 200)),
              line);
}

}  // namespace

std::string to_string(Property property) { return kProperties[static_cast<int>(property)]; }

std::string to_string(ExpectedOutcome::Outcome outcome) {
  return kOutcomes[static_cast<int>(outcome)];
}

Directives parse_directives(std::string_view text, const std::string& file) {
  DirectiveParser parser;
  bool found = false;
  int number = 0;
  // Editors of Windows put a byte order mark in front of text, and clang skips it.
  constexpr std::string_view mark = "\xef\xbb\xbf";
  if (text.starts_with(mark)) text.remove_prefix(mark.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::optional<std::size_t> column = directive_of(line);
    if (!column) {
      refuse_missed(line, file, number);
      continue;
    }
    DirectiveText directive(line.substr(*column), {file, number, static_cast<int>(*column) + 1},
                            line);
    found = true;
    parser.read(directive);
  }
  if (!found) {
    if (auto head = read_gpuverify_head(text, file)) return std::move(*head);
  }
  return parser.finish();
}

}  // namespace headway::kernel
