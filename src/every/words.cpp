#include "every/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace headway::every {
namespace {

using Lines = std::vector<std::string>;
using Claim = Certificate::Claim;

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t;{") - first + 1);
}

std::string at_line(const lang::SourceLine& line) {
  if (line.line == 0) return "the end of the program";
  return fmt::format("line {}, {}", line.line, trimmed(line.text));
}

template <class Values>
std::string values(const Values& numbers) {
  return fmt::format("{}", fmt::join(numbers, ", "));
}

std::string count_of(std::size_t number, const std::string& noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

// The lines of places, each once, in the order of the text.
Lines distinct(const std::vector<lang::SourceLine>& lines) {
  std::map<int, std::string> texts;
  for (const lang::SourceLine& line : lines) texts.emplace(line.line, at_line(line));
  Lines result;
  for (const auto& [number, text] : texts) result.push_back(text);
  return result;
}

void add(Lines& words, const std::string& heading, const Lines& items) {
  words.push_back(heading);
  for (const std::string& item : items) words.push_back("  " + item);
}

// What models promise ---------------------------------------------------------------------------

std::string promised(Promise promise) {
  switch (promise) {
    case Promise::unfair:
      return "unfair promises nothing";
    case Promise::hsa:
      return "HSA promises steps to the lowest thread alive";
    case Promise::obe:
      return "OBE promises steps to all threads that have started";
    case Promise::hsa_obe:
      return "HSA+OBE promises steps to all threads that have started, and to the lowest alive";
    case Promise::lobe:
      return "LOBE promises steps to all threads up to the highest that has started";
    case Promise::fair:
      break;
  }
  return "fair promises steps to everybody";
}

// Threads in a row ------------------------------------------------------------------------------

void tell_roles(const Certificate& c, const PositionSpace& space, Lines& words) {
  const PositionSets& sets = c.row->sets;
  const auto& variables = space.family().variables;
  const std::string position = sets.drawn ? "the number that it draws first" : "its id";
  words.push_back(fmt::format("Threads stand in a row: the position of a thread is {}.", position));
  std::string baton;
  for (std::size_t v = 0; v < variables.size(); ++v) {
    if (sets.roles[v] == Role::baton) baton = variables[v].name;
  }
  for (std::size_t v = 0; v < variables.size(); ++v) {
    const std::string& name = variables[v].name;
    const auto number = static_cast<int>(v);
    const auto all = [&](const PositionSets::ByOwner& by_owner) {
      std::set<std::int64_t> both;
      for (const bool first : {true, false}) {
        const auto found = by_owner.find({number, first});
        if (found != by_owner.end()) both.insert(found->second.begin(), found->second.end());
      }
      return values(both);
    };
    switch (sets.roles[v]) {
      case Role::draw:
        words.push_back(fmt::format("  {}: positions are drawn from it, and nothing else", name));
        break;
      case Role::owned:
        words.push_back(fmt::format(
            "  {}[p]: written by the thread at p alone; it is one of {}, and of {} when that "
            "thread has ended",
            name, all(sets.seen), all(sets.last)));
        break;
      case Role::baton:
        words.push_back(fmt::format(
            "  {}: passed from p to p + 1, once, by who has read p there; it is how many have",
            name));
        break;
      case Role::guarded:
        words.push_back(fmt::format("  {}: used by who holds {} alone", name, baton));
        break;
      case Role::any:
        if (const std::string seen = all(sets.seen); !seen.empty()) {
          words.push_back(fmt::format("  {}: written by anybody; it is one of {}", name, seen));
        } else {
          words.push_back(fmt::format("  {}: may hold whatever its range allows", name));
        }
        break;
    }
  }
}

void tell_row(const Certificate& c, const Family& family, Lines& words) {
  const PositionSpace space(family);
  tell_roles(c, space, words);
  const std::vector<PositionPlace>& places = c.row->places;
  words.push_back(
      fmt::format("{} say where a thread may stand, for every N and every position; "
                  "nothing goes wrong at them.",
                  count_of(places.size(), "place")));
  if (c.claim == Claim::safe) return;
  if (c.row->below_ended) {
    words.push_back(fmt::format(
        "{}. So the lowest thread alive{} takes steps for ever, if anybody does, and all below it "
        "have ended. It reads what they have left:",
        promised(c.reading.promise), c.row->sets.drawn ? " that has drawn" : ""));
  } else {
    words.push_back("Any thread ends by itself, whatever it reads from others:");
  }
  for (std::size_t r = 0; r < c.rounds.size(); ++r) {
    const Round& round = c.rounds[r];
    std::map<std::uint32_t, std::vector<lang::SourceLine>> by_rank;
    for (std::size_t p = 0; p < places.size(); ++p) {
      if (!places[p].ended) by_rank[round.ranks[p]].push_back(space.line(places[p]));
    }
    for (const auto& [rank, measure] : round.measures) {
      const auto& code = space.program(places.front().block).code;
      words.push_back(fmt::format("  between {}: {} {}, and no step there makes it {}",
                                  values(distinct(by_rank[rank])), code.registers[measure.reg].name,
                                  measure.falls ? "falls" : "grows",
                                  measure.falls ? "grow" : "fall"));
    }
    if (r + 1 < c.rounds.size()) continue;
    words.push_back(r == 0 ? "  each step leads to a place of a smaller rank, and none back"
                           : "  and each other step leads to a place of a smaller rank");
  }
}

// Counted threads -------------------------------------------------------------------------------

using Stage = CountedPlace::Stage;

std::string who(const CountingSpace& space, const CountedPlace& place) {
  if (place.stage == Stage::ended) return "who has ended";
  if (place.stage == Stage::fresh) return "who has not started";
  return "who stands at " + at_line(space.line(place));
}

void tell_counters(const Certificate& c, const CountingSpace& space, Lines& words) {
  const CountedGraph& graph = *c.counted;
  for (int counter = 0; counter < space.counters(); ++counter) {
    std::map<int, std::set<std::string>> by_share;
    for (const CountedPlace& place : graph.places) {
      if (place.shares[counter] != 0) by_share[place.shares[counter]].insert(who(space, place));
    }
    std::set<std::string> forms;
    for (const CountedNode& node : graph.nodes) {
      const CountedCounter& at = node.memory.counters[counter];
      std::string form = at.by_n == 0 ? "" : fmt::format("{} N + ", at.by_n);
      if (at.constant != 0) form += fmt::format("{} + ", at.constant);
      forms.insert(form);
    }
    const std::string& name = space.counter_name(counter);
    Lines sums;
    for (const std::string& form : forms) sums.push_back(form + "the shares of all threads");
    words.push_back(fmt::format("{} is {}:", name, fmt::join(sums, ", or ")));
    for (const auto& [share, whose] : by_share) {
      words.push_back(fmt::format("  {} of {}", share, fmt::join(whose, "; of ")));
    }
  }
}

void tell_counted(const Certificate& c, const Family& family, Lines& words) {
  const CountingSpace space(family, c.counted->largest_number);
  tell_counters(c, space, words);
  words.push_back(fmt::format(
      "{} cover every N: what is in memory, and how many threads stand where, up to {}. Nothing "
      "goes wrong at them.",
      count_of(c.counted->nodes.size(), "case"),
      *std::max_element(c.counted->caps.begin(), c.counted->caps.end())));
  if (c.claim == Claim::safe) return;
  words.push_back(promised(c.reading.promise) + ".");
  words.push_back(
      "For ever, nobody starts or ends, and each step that leads on is taken finitely often.");
  for (const Round& round : c.rounds) {
    std::set<std::string> owing;
    for (const auto& [node, place] : round.owed) {
      owing.insert(who(space, c.counted->places[place]));
    }
    if (owing.empty()) continue;
    add(words, "What is left stops while one of these owes a step that it does not take:",
        Lines(owing.begin(), owing.end()));
  }
  words.push_back("Then no step is left.");
}

// Capped counters -------------------------------------------------------------------------------

void tell_caps(const Certificate& c, const Family& family, Lines& words) {
  const Uniform& uniform = *family.uniform;
  const auto place_words = [&](int p) {
    const CountedPlace& place = c.counted->places[p];
    const auto& code = uniform.code.threads[uniform.thread_of[place.kind]];
    int at = place.at;
    while (code.instructions[at].source < 0 &&
           at + 1 < static_cast<int>(code.instructions.size())) {
      ++at;
    }
    const int source = code.instructions[at].source;
    return uniform.name(place.kind) + " at " +
           at_line(source < 0 ? lang::SourceLine() : code.sources[source]);
  };
  std::size_t counted = 0;
  for (std::size_t p = 0; p < c.counted->places.size(); ++p) {
    counted += uniform.is_crowd(c.counted->places[p].kind) && c.counted->caps[p] > 0;
  }
  words.push_back(fmt::format(
      "{} cover every N: what is in memory, where each special stands, and how many of the crowd "
      "stand at {} that {} counted. Nothing goes wrong at them.",
      count_of(c.counted->nodes.size(), "case"), count_of(counted, "place"),
      counted == 1 ? "is" : "are"));
  if (c.claim == Claim::safe) return;
  words.push_back(promised(c.reading.promise) + ".");
  words.push_back(
      "For ever, nobody starts or ends, and each step that leads on is taken finitely often.");
  for (const Round& round : c.rounds) {
    std::set<std::string> owing;
    for (const auto& [node, place] : round.owed) owing.insert(place_words(place));
    if (owing.empty()) continue;
    add(words, "What is left stops while one of these owes a step that it does not take:",
        Lines(owing.begin(), owing.end()));
  }
  if (c.reading.fairness == Fairness::strong && keeps_started(c.reading.promise)) {
    words.push_back(
        "Read strongly, the promise is kept wherever the execution comes again and again: there it "
        "takes each step that is owed.");
  }
  words.push_back("Then no step is left.");
}

// Runs ------------------------------------------------------------------------------------------

void tell_run(const Certificate& c, const Family& family, Lines& words) {
  const std::string threads = fmt::format(
      "Of {}",
      count_of(static_cast<std::size_t>(c.n) * static_cast<std::size_t>(family.group), "thread"));
  if (c.claim == Claim::error) {
    words.push_back(fmt::format("{} these take steps: {}. The last of them goes wrong.", threads,
                                values(c.stem)));
  } else {
    words.push_back(fmt::format("{} these take steps: {}; then for ever: {}.", threads,
                                values(c.stem), values(c.cycle)));
    words.push_back(promised(c.reading.promise) + ", and it keeps that promise.");
  }
  switch (c.newcomer) {
    case Certificate::Newcomer::none:
      words.push_back("It says nothing of more threads.");
      break;
    case Certificate::Newcomer::idle:
      words.push_back(
          "More threads need not start: these do the same, and nobody else is owed "
          "a step.");
      break;
    case Certificate::Newcomer::restoring:
      words.push_back(
          "More threads can come first, one by one, and end, and leave memory as it "
          "was.");
      break;
  }
}

}  // namespace

std::vector<std::string> in_words(const Certificate& certificate, const std::string& file) {
  const Family family = read_family(certificate.program, file);
  Lines words;
  if (certificate.claim == Claim::fail || certificate.claim == Claim::error) {
    tell_run(certificate, family, words);
  } else if (certificate.row) {
    tell_row(certificate, family, words);
  } else if (certificate.counted->symbolic) {
    tell_counted(certificate, family, words);
  } else {
    tell_caps(certificate, family, words);
  }
  return words;
}

}  // namespace headway::every
