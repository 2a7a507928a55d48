#include "suite/verdict_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "base/bits/hash.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/parallel.hpp"
#include "models/scoped.hpp"

namespace headway::suite {
namespace fs = std::filesystem;

namespace {

using checker::Verdict;
using SortedJson = nlohmann::json;  // ordered_json takes quadratic time for many keys

constexpr std::size_t kMaxStoreBytes = std::size_t{4} << 30;
constexpr std::size_t kFirstSlice = 64;  // tests
constexpr std::chrono::milliseconds kShortSlice{500};
constexpr std::chrono::seconds kKeepEvery{2};
constexpr std::string_view kLetters = "pf?e";  // in the order of Verdict

std::string hexadecimal(const std::string& bytes) {
  std::string text;
  for (const char byte : bytes) fmt::format_to(std::back_inserter(text), "{:02x}", byte & 0xff);
  return text;
}

// The other way round; nothing for what is no such text.
std::string bytes_of(const std::string& text) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  const bool valid = text.size() % 2 == 0 && std::all_of(text.begin(), text.end(), [](char c) {
                       return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
                     });
  std::string bytes;
  for (std::size_t i = 0; valid && i < text.size(); i += 2) {
    bytes.push_back(static_cast<char>(digit(text[i]) * 16 + digit(text[i + 1])));
  }
  return bytes;
}

Verdict verdict_of(char letter) { return static_cast<Verdict>(kLetters.find(letter)); }

// The checksum tells what was damaged or edited by hand from what headway wrote.
std::uint64_t checksum(std::uint64_t so_far, const std::string& key, const std::string& letters) {
  return mix(so_far ^ stable_hash(key) ^ mix(stable_hash(letters)));
}

}  // namespace

fs::path verdict_path(const std::string& suite_path) {
  if (suite_path == "-") return {};
  if (fs::is_directory(suite_path)) return fs::path(suite_path) / "verdicts.json";
  return suite_path + ".verdicts.json";
}

VerdictStore::VerdictStore(const fs::path& path) : path_(path) {
  if (path.empty() || !fs::exists(path)) return;
  try {
    read(read_file(path, kMaxStoreBytes));
  } catch (const SortedJson::exception&) {
    columns_.clear(), verdicts_.clear();
    notes_.push_back(fmt::format("{}: damaged; everything is decided anew", path.string()));
  } catch (const Error& error) {
    columns_.clear(), verdicts_.clear();
    notes_.push_back(fmt::format("{}; everything is decided anew", error.diagnostic()));
  }
}

void VerdictStore::read(const std::string& content) {
  const SortedJson root = SortedJson::parse(content);
  const auto fail = [&](const std::string& why) { throw Error({path_.string(), 0, 0}, why); };
  if (root.at("headway") != HEADWAY_VERSION) fail("of another version of headway");
  std::uint64_t sum = 0;
  for (const SortedJson& column : root.at("models")) {
    columns_.push_back({column.at("model"), column.at("rule")});
    sum = checksum(sum, columns_.back().model, columns_.back().rule);
  }
  for (const auto& [key, value] : root.at("verdicts").items()) {
    const auto letters = value.get<std::string>();
    if (letters.size() > 2 * columns_.size() ||
        letters.find_first_not_of(kLetters) != std::string::npos) {
      fail("damaged");
    }
    sum = checksum(sum, key, letters);
    verdicts_.emplace(bytes_of(key), letters);
  }
  if (root.at("checksum") != fmt::format("{:016x}", sum)) fail("damaged or edited");
  changed_ = false;
}

void VerdictStore::write(const fs::path& path) const {
  NewFile file(path);
  std::uint64_t sum = 0;
  std::string text = "{\n" + fmt::format("\"headway\": \"{}\",\n\"models\": [", HEADWAY_VERSION);
  const char* separator = "\n";
  for (const Column& column : columns_) {
    text += separator + SortedJson{{"model", column.model}, {"rule", column.rule}}.dump();
    separator = ",\n";
    sum = checksum(sum, column.model, column.rule);
  }
  text += "\n],\n\"verdicts\": {";
  separator = "\n";
  // Sorted, so that a file that is kept under version control changes where verdicts do.
  std::vector<std::pair<std::string, const std::string*>> lines;
  for (const auto& [key, letters] : verdicts_) lines.emplace_back(hexadecimal(key), &letters);
  std::sort(lines.begin(), lines.end());
  for (const auto& [key, letters] : lines) {
    text += fmt::format("{}\"{}\": \"{}\"", separator, key, *letters);
    separator = ",\n";
    sum = checksum(sum, key, *letters);
    if (text.size() < std::size_t{1} << 20) continue;
    file.write(text);
    text.clear();
  }
  file.write(text + fmt::format("\n}},\n\"checksum\": \"{:016x}\"\n}}\n", sum));
  file.commit();
}

// The column of `model`, emptied when it is about another model of the same name.
std::size_t VerdictStore::column_of(const models::Model& model) {
  const Column wanted{model.name(), models::rule_key(model)};
  const auto found = std::find_if(columns_.begin(), columns_.end(), [&](const Column& column) {
    return column.model == wanted.model;
  });
  const auto column = static_cast<std::size_t>(found - columns_.begin());
  if (found == columns_.end()) {
    columns_.push_back(wanted);
    changed_ = true;
  } else if (*found != wanted) {
    *found = wanted;
    changed_ = true;
    for (auto& [key, letters] : verdicts_) {
      if (2 * column < letters.size()) letters.replace(2 * column, 2, "??");
    }
    notes_.push_back(fmt::format("{}: {} has changed; its verdicts are decided anew",
                                 path_.string(), wanted.model));
  }
  return column;
}

// Whoever writes the file at the end says what is wrong with it.
void VerdictStore::keep_so_far(const fs::path& path) {
  const auto now = std::chrono::steady_clock::now();
  if (path.empty() || now - kept_ < kKeepEvery) return;
  try {
    write(path);
  } catch (const Error&) {
  }
  kept_ = now;
}

VerdictMatrix VerdictStore::decide(std::span<const lang::Test> tests,
                                   const std::vector<models::ModelPtr>& models,
                                   const DecideOptions& options) {
  const std::size_t stored = verdicts_.size();
  std::vector<std::size_t> columns;
  columns.reserve(models.size());
  for (const auto& model : models) columns.push_back(column_of(*model));
  const auto known = [&](const std::string& letters, std::size_t m) {
    const std::size_t at = 2 * columns[m];
    return at + 1 < letters.size() && letters[at] != '?' && letters[at + 1] != '?';
  };

  // What is to be decided: tests with the same models missing together, each program once.
  std::vector<std::string> keys(tests.size());
  parallel_for(tests.size(), [&](std::size_t t) { keys[t] = lang::program_key(tests[t]); });
  std::map<std::vector<bool>, std::vector<std::size_t>> missing;
  std::unordered_set<std::string_view> asked;
  std::size_t unseen = 0;
  for (std::size_t t = 0; t < tests.size(); ++t) {
    if (!asked.insert(keys[t]).second) continue;
    const auto entry = verdicts_.find(keys[t]);
    if (entry == verdicts_.end()) ++unseen;
    std::vector<bool> lacks(models.size(), true);
    for (std::size_t m = 0; m < models.size() && entry != verdicts_.end(); ++m) {
      lacks[m] = !known(entry->second, m);
    }
    if (std::find(lacks.begin(), lacks.end(), true) != lacks.end()) missing[lacks].push_back(t);
  }
  decided_ = 0;
  for (const auto& [lacks, which] : missing) {
    std::vector<models::ModelPtr> wanted;
    std::vector<std::size_t> targets;
    for (std::size_t m = 0; m < models.size(); ++m) {
      if (lacks[m]) wanted.push_back(models[m]), targets.push_back(columns[m]);
    }
    // Slice by slice, so that a run that is killed loses seconds.
    std::size_t slice = options.keep.empty() ? which.size() : kFirstSlice;
    for (std::size_t first = 0; first < which.size();) {
      const auto start = std::chrono::steady_clock::now();
      const auto some = std::span(which).subspan(first, std::min(slice, which.size() - first));
      const VerdictMatrix part = decide_some(tests, some, wanted, options);
      for (std::size_t w = 0; w < some.size(); ++w) {
        std::string& letters = verdicts_[keys[some[w]]];
        if (letters.size() < 2 * columns_.size()) letters.resize(2 * columns_.size(), '?');
        const std::string text = to_string(part.verdicts(w));
        for (std::size_t c = 0; c < targets.size(); ++c) {
          letters.replace(2 * targets[c], 2, text, 2 * c, 2);
        }
      }
      first += some.size();
      decided_ += some.size();
      if (std::chrono::steady_clock::now() - start < kShortSlice) slice *= 2;
      if (first < which.size()) keep_so_far(options.keep);
    }
  }
  if (stored > 0 && unseen > 0) {
    notes_.push_back(fmt::format("{}: {} of {} tests are new or have changed and were decided",
                                 path_.string(), unseen, asked.size()));
  }

  VerdictMatrix matrix(models);
  Signature signature(models.size());
  for (const std::string& key : keys) {
    const std::string& letters = verdicts_[key];
    for (std::size_t m = 0; m < models.size(); ++m) {
      const std::size_t at = 2 * columns[m];
      const bool there = at + 1 < letters.size();
      signature[m].weak = there ? verdict_of(letters[at]) : Verdict::unknown;
      signature[m].strong = there ? verdict_of(letters[at + 1]) : Verdict::unknown;
    }
    matrix.add(signature);
  }
  // Programs that are no longer in the suite are forgotten.
  const std::size_t forgotten =
      std::erase_if(verdicts_, [&](const auto& entry) { return !asked.contains(entry.first); });
  changed_ = changed_ || decided_ > 0 || forgotten > 0;
  return matrix;
}

}  // namespace headway::suite
