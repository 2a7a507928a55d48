#include "engine/targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/text/suggestion.hpp"
#include "lang/idiom/flow.hpp"
#include "lang/idiom/source.hpp"
#include "models/library.hpp"
#include "models/yaml/node.hpp"

namespace headway::engine {
namespace {

constexpr std::array<const char*, 10> kTargetFields = {
    "name",     "summary", "subgroups", "votes",   "workgroup",
    "subgroup", "thread",  "size",      "barrier", "source"};
constexpr std::array<const char*, 6> kNeeded = {"name",     "subgroups", "workgroup",
                                                "subgroup", "thread",    "source"};
constexpr int kLargestSubgroup = 128;

class TargetReader {
 public:
  TargetReader(std::string_view content, const std::string& file)
      : content_(content), file_(file) {}

  Target run() {
    models::yaml::Document document;
    try {
      document = models::yaml::read(std::string(content_));
    } catch (const models::yaml::Malformed& error) {
      fail(error.mark(), std::string("not YAML: ") + error.what());
    }
    const models::yaml::Node& root = document.root;
    if (!root.is_map() || document.second) {
      fail(root.mark, "expected one target: 'name: ...', 'subgroups: ...' and so on");
    }
    const std::vector<std::string> fields(kTargetFields.begin(), kTargetFields.end());
    std::set<std::string> seen;
    for (const models::yaml::Entry& entry : root.entries) {
      const std::string& key = entry.key.text;
      if (std::find(fields.begin(), fields.end(), key) == fields.end()) {
        fail(entry.key.mark, fmt::format("unknown field '{}'; expected one of {}{}", key, listed(),
                                         did_you_mean(key, fields)));
      }
      if (!seen.insert(key).second) fail(entry.key.mark, fmt::format("'{}' is given twice", key));
      if (!entry.value.is_scalar() || entry.value.text.empty()) {
        fail(entry.value.is_null() ? entry.key.mark : entry.value.mark,
             fmt::format("expected one value of '{}'", key));
      }
      take(key, entry.value);
    }
    for (const char* needed : kNeeded) {
      if (!seen.contains(needed)) {
        fail(root.mark, fmt::format("the target has no '{}'; expected '{}: ...'", needed, needed));
      }
    }
    target_.model =
        fmt::format("workgroup={},subgroup={},thread={}", levels_[0], levels_[1], levels_[2]);
    return target_;
  }

 private:
  static std::string listed() {
    std::string all;
    for (const char* field : kTargetFields) all += (all.empty() ? "" : ", ") + std::string(field);
    return all;
  }

  void take(const std::string& key, const models::yaml::Node& value) {
    if (key == "name") target_.name = value.text;
    if (key == "summary") target_.summary = value.text;
    if (key == "barrier") target_.barrier = value.text;
    if (key == "source") target_.source = value.text;
    if (key == "votes") {
      if (value.text != "uniform" && value.text != "anywhere") {
        fail(value.mark, fmt::format("expected uniform or anywhere, found '{}'{}", value.text,
                                     did_you_mean(value.text, {"uniform", "anywhere"})));
      }
      target_.uniform_votes = value.text == "uniform";
    }
    if (key == "size") {
      const bool digits =
          value.text.size() <= 3 && value.text.find_first_not_of("0123456789") == std::string::npos;
      target_.size = digits ? std::stoi(value.text) : 0;
      if (target_.size < 1 || target_.size > kLargestSubgroup) {
        fail(value.mark,
             fmt::format("expected the threads of a subgroup, 1 to {}", kLargestSubgroup));
      }
    }
    try {
      if (key == "subgroups") target_.reading = lang::subgroup_reading_named(value.text);
      for (const Level level : kLevels) {
        if (key != to_string(level)) continue;
        levels_[static_cast<std::size_t>(level)] = value.text;
        library_.named(value.text);
      }
    } catch (const Error& error) {
      fail(value.mark, error.what());
    }
  }

  [[noreturn]] void fail(models::yaml::Mark mark, const std::string& message) const {
    if (mark.line < 0) throw Error({file_, 0, 0}, message);
    std::size_t begin = 0;
    for (int line = 0; line < mark.line; ++line) {
      const std::size_t end = content_.find('\n', begin);
      if (end == std::string_view::npos) break;
      begin = end + 1;
    }
    const std::size_t offset =
        std::min(content_.size(), begin + static_cast<std::size_t>(std::max(mark.column, 0)));
    throw error_at(file_, content_, offset, message);
  }

  const std::string_view content_;
  const std::string& file_;
  const models::Library library_;
  Target target_;
  std::array<std::string, 3> levels_;
};

// The first vote that not all threads come to in one round of everything around it; nothing where
// there is none.
std::optional<lang::SourceLine> divergent_vote(const lang::idiom::Code& code) {
  for (const lang::idiom::ThreadCode& thread : code.threads) {
    const lang::idiom::Flow flow(thread, lang::idiom::Flow::Counts::all);
    const std::vector<int> none(thread.loops.size(), 0);
    for (std::size_t i = 0; i < thread.instructions.size(); ++i) {
      const lang::idiom::Instruction& in = thread.instructions[i];
      if (in.kind != lang::idiom::Instruction::Kind::meet) continue;
      const int block = flow.block(static_cast<int>(i));
      const bool always = block == 0 || flow.must_come(0, none, {block, none});
      if (!always || !flow.around(block).empty()) return thread.sources[in.source];
    }
  }
  return std::nullopt;
}

}  // namespace

Target read_target(std::string_view content, const std::string& file) {
  return TargetReader(content, file).run();
}

std::vector<Target> targets() {
  std::vector<Target> result;
  for (const TargetFile& file : embedded_targets()) {
    result.push_back(read_target(file.content, std::string(file.name)));
  }
  return result;
}

lang::Test on_target(lang::Test test, const Target& target) {
  test.source = test.source->in_reading(target.reading);
  const std::shared_ptr<const lang::idiom::Code> code = lang::idiom::find_code(test);
  const int threads = code->topology.subgroup_threads();
  if (target.size > 0 && threads > target.size) {
    throw lang::Undecided(fmt::format("unsupported: subgroups of {} threads; {} has {}", threads,
                                      target.name, target.size));
  }
  const auto vote = target.uniform_votes ? divergent_vote(*code) : std::nullopt;
  if (vote) {
    throw lang::Undecided(
        fmt::format("unsupported: line {}, {}: nobody says who takes part on {} where "
                    "not all threads of the subgroup come by",
                    vote->line, vote->text, target.name));
  }
  return test;
}

}  // namespace headway::engine
