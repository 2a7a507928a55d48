#include "consistency/distinguish/distinguish.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "base/parallel.hpp"
#include "consistency/litmus/parse.hpp"
#include "consistency/outcomes.hpp"
#include "consistency/progress.hpp"

namespace headway::consistency {
namespace {

constexpr std::size_t kBatch = 4096;  // tests that cores share

using Verdict = Termination::Verdict;

// What a model says of one test.
struct Said {
  std::map<std::string, std::size_t> states;
  Verdict ends = Verdict::pass;
  std::string cut;
};

// "0:r0=0; x=1;" as its parts.
std::vector<std::string> parts_of(const std::string& state) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = state.find(';'); end != std::string::npos; end = state.find(';', begin)) {
    parts.push_back(state.substr(begin, end - begin));
    begin = std::min(end + 2, state.size());
  }
  return parts;
}

// As few parts of a state as no other state has all of.
std::string telling_part(const std::string& state,
                         const std::map<std::string, std::size_t>& others) {
  std::vector<std::string> parts = parts_of(state);
  const auto tells = [&](const std::vector<std::string>& some) {
    return std::none_of(others.begin(), others.end(), [&](const auto& other) {
      const std::vector<std::string> has = parts_of(other.first);
      return std::all_of(some.begin(), some.end(), [&](const std::string& part) {
        return std::find(has.begin(), has.end(), part) != has.end();
      });
    });
  };
  for (std::size_t p = parts.size(); p-- > 0;) {
    std::vector<std::string> fewer = parts;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(p));
    if (!fewer.empty() && tells(fewer)) parts = std::move(fewer);
  }
  return fmt::format("{};", fmt::join(parts, "; "));
}

class DistinguishSearch {
 public:
  explicit DistinguishSearch(const DistinguishQuestion& question) : question_(question) {}

  Distinguished run() {
    for (int size = 1; size <= question_.most_statements && !is_over(); ++size) {
      size_ = size;
      for_each_test(question_.space, size, [&](const TestCode& code) {
        batch_.push_back(code);
        if (batch_.size() == kBatch) ask_batch();
        return !is_over();
      });
      ask_batch();
      if (!is_over()) result_.statements = size;
    }
    if (result_.only_first && result_.only_second) result_.statements = size_;
    if (question_.signs.seen() != Limit::none && result_.cut.empty()) {
      result_.cut = question_.signs.seen() == Limit::time ? "the time is over" : "interrupted";
    }
    return std::move(result_);
  }

 private:
  bool is_over() const {
    return (result_.only_first && result_.only_second) || question_.signs.seen() != Limit::none;
  }

  // Of each direction the first test of the batch, whichever core finds it.
  void ask_batch() {
    struct Found {
      std::optional<DistinguishingTest> first, second;
      std::string cut;
    };
    std::vector<Found> found(batch_.size());
    parallel_for(batch_.size(), [&](std::size_t b) {
      if (question_.signs.seen() != Limit::none) return;
      for (int p = 0; p < placements(question_.space.language); ++p) {
        ask(batch_[b], p, found[b].first, found[b].second, found[b].cut);
      }
    });
    for (Found& of : found) {
      if (!of.cut.empty() && result_.cut.empty()) result_.cut = of.cut;
      if (of.first && !result_.only_first) result_.only_first = std::move(of.first);
      if (of.second && !result_.only_second) result_.only_second = std::move(of.second);
    }
    result_.tests += batch_.size();
    batch_.clear();
  }

  Said said(const Program& program, const cat::Model& model) const {
    OutcomeOptions options;
    options.signs = question_.signs;
    Outcomes found = outcomes(program, model, options);
    Said result{std::move(found.states), Verdict::pass, std::move(found.cut)};
    if (question_.progress != nullptr) {
      const Termination ends = termination(program, model, {question_.progress}, options);
      result.ends = ends.verdicts.front();
      if (!ends.cut.empty()) result.cut = ends.cut;
    }
    return result;
  }

  void ask(const TestCode& code, int placement, std::optional<DistinguishingTest>& only_first,
           std::optional<DistinguishingTest>& only_second, std::string& cut) const {
    const Program program =
        litmus::parse("test", test_text(question_.space, code, placement, "test", {}));
    const Said first = said(program, *question_.first);
    const Said second = said(program, *question_.second);
    const auto compare = [&](const Said& one, const Said& other, const cat::Model& allows,
                             const cat::Model& forbids, std::optional<DistinguishingTest>& result) {
      if (result) return;
      const std::string name = fmt::format("{}-not-{}", allows.name(), forbids.name());
      const auto write = [&](const std::string& state, bool by_progress) {
        result = DistinguishingTest{test_text(question_.space, code, placement, name, state), size_,
                                    by_progress};
      };
      if (other.cut.empty()) {
        for (const auto& state : one.states) {
          if (other.states.contains(state.first)) continue;
          return write(telling_part(state.first, other.states), false);
        }
      }
      if (one.ends == Verdict::fail && other.ends == Verdict::pass) return write({}, true);
    };
    compare(first, second, *question_.first, *question_.second, only_first);
    compare(second, first, *question_.second, *question_.first, only_second);
    if (!first.cut.empty()) cut = first.cut;
    if (!second.cut.empty()) cut = second.cut;
  }

  const DistinguishQuestion& question_;
  int size_ = 0;
  std::vector<TestCode> batch_;
  Distinguished result_;
};

}  // namespace

Distinguished distinguish(const DistinguishQuestion& question) {
  return DistinguishSearch(question).run();
}

}  // namespace headway::consistency
