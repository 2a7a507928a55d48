#include "consistency/litmus/choice.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace headway::consistency::litmus {

bool at_most(const Choice::Option& weak, const Choice::Option& strong) {
  for (std::size_t n = 0; n < weak.strength.size(); ++n) {
    if (weak.strength[n] > strong.strength[n]) return false;
  }
  return true;
}

void make_one(std::vector<Choice>& choices, const std::string& what) {
  const auto rest = std::stable_partition(
      choices.begin(), choices.end(), [&](const Choice& choice) { return choice.what != what; });
  if (std::distance(rest, choices.end()) < 2) return;
  Choice one = std::move(*rest);
  one.thread = -1;
  one.line = 0;
  one.instruction = "all that have one";
  for (auto other = std::next(rest); other != choices.end(); ++other) {
    if (other->written != one.written) one.written.reset();
    std::move(other->edits.begin(), other->edits.end(), std::back_inserter(one.edits));
  }
  choices.erase(rest, choices.end());
  choices.push_back(std::move(one));
}

std::string with_options(const std::string& text, const std::vector<Choice>& choices,
                         const std::vector<std::size_t>& options) {
  struct Change {
    const Choice::Edit* edit;
    const std::string* text;
  };
  std::vector<Change> changes;
  for (std::size_t c = 0; c < choices.size(); ++c) {
    if (options[c] == choices[c].written) continue;
    for (const Choice::Edit& edit : choices[c].edits) {
      changes.push_back({&edit, &edit.texts[options[c]]});
    }
  }
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.edit->begin < b.edit->begin; });
  std::string result;
  std::size_t at = 0;
  for (const Change& change : changes) {
    result.append(text, at, change.edit->begin - at);
    result += *change.text;
    at = change.edit->end;
  }
  result.append(text, at, std::string::npos);
  return result;
}

}  // namespace headway::consistency::litmus
