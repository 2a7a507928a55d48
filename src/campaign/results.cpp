#include "campaign/results.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>

#include "base/bits/hash.hpp"
#include "base/file.hpp"

namespace headway::campaign {
namespace {

using Json = nlohmann::ordered_json;

// A file begins with kStart and the number of its format, and ends with kEnd, its checksum and
// kClose. The checksum is about every byte before kEnd, so that the browser computes it as easily.
constexpr std::string_view kStart = "{\n\"headway results\": ";
constexpr std::string_view kEnd = ",\n\"checksum\": \"";
constexpr std::string_view kClose = "\"\n}\n";
constexpr std::size_t kDigits = 16;
constexpr int kFormat = 1;
constexpr double kMaxMilliseconds = 1e12;  // thirty years

constexpr std::string_view kMappings[] = {"plain", "round-robin", "chunked", "hybrid"};
constexpr std::string_view kTargets[] = {"cpp",    "cuda",  "opencl", "vulkan",
                                         "webgpu", "amber", "metal"};

constexpr std::pair<RunOutcome, std::string_view> kOutcomes[] = {
    {RunOutcome::terminated, "terminated"},
    {RunOutcome::timed_out, "timed out"},
    {RunOutcome::device_lost, "device lost"},
    {RunOutcome::crashed, "crashed"},
    {RunOutcome::error, "error"}};

std::string digits(std::uint64_t number) { return fmt::format("{:016x}", number); }

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// To the microsecond, and as a whole number where it is one.
Json milliseconds(double number) {
  const double rounded = std::round(number * 1000) / 1000;
  const auto whole = static_cast<std::int64_t>(rounded);
  return static_cast<double>(whole) == rounded ? Json(whole) : Json(rounded);
}

// What a file holds, with its place in messages.
class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  Results read(const std::string& text) {
    if (!is_results(text)) fail("not a results file; expected what headway run or a page wrote");
    const std::size_t end = text.rfind(kEnd);
    if (end == std::string::npos || text.size() != end + kEnd.size() + kDigits + kClose.size() ||
        !text.ends_with(kClose)) {
      fail("truncated: expected a checksum at its end");
    }
    const std::string_view content(text.data(), end);
    if (text.substr(end + kEnd.size(), kDigits) != digits(stable_hash(content))) {
      fail("damaged or edited: its checksum is that of another content");
    }
    try {
      return results(Json::parse(text));
    } catch (const Json::exception& error) {
      fail(fmt::format("not as headway writes results: {}", error.what()));
    }
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw Error({file_, 0, 0}, what); }
  void require(bool holds, const std::string& what) const {
    if (!holds) fail("not as headway writes results: " + what);
  }

  template <std::size_t N>
  static bool among(const std::string_view (&words)[N], const std::string& word) {
    return std::find(std::begin(words), std::end(words), word) != std::end(words);
  }

  Results results(const Json& root) {
    const auto format = root.at("headway results").get<int>();
    if (format != kFormat) {
      fail(fmt::format("results in format {}; this headway reads format {}", format, kFormat));
    }
    Results results;
    results.version = root.at("version");
    results.started = root.at("started");
    const Json& device = root.at("device");
    results.device = {device.at("name"), device.at("driver"), device.at("target"),
                      device.at("details")};
    require(!results.device.name.empty(), "the device has no name");
    require(among(kTargets, results.device.target), "no target " + results.device.target);
    results.suite = root.at("suite").at("path");
    results.mappings = root.at("mappings").get<std::vector<std::string>>();
    require(!results.mappings.empty(), "no mapping");
    results.instances = number(root.at("instances"), kMaxInstances, "instances");
    results.iterations = number(root.at("iterations"), kMaxIterations, "iterations");
    results.timeout = root.at("timeout_ms");
    require(results.timeout > 0 && results.timeout <= kMaxMilliseconds, "no such time limit");
    results.written = root.value("written", std::string());
    std::unordered_map<std::string, std::size_t> mappings, tests;
    for (const std::string& mapping : results.mappings) {
      require(among(kMappings, mapping), "no mapping " + mapping);
      require(mappings.emplace(mapping, mappings.size()).second, "two mappings " + mapping);
    }
    for (const Json& test : root.at("tests")) {
      results.tests.push_back({test.at("name"), test.at("program")});
      const std::string& name = results.tests.back().name;
      require(tests.emplace(name, tests.size()).second, "two tests " + name);
    }
    require(root.at("suite").at("programs") == suite_hash(results.tests),
            "its suite has other programs than its tests");

    std::set<std::pair<std::size_t, std::size_t>> known;
    for (const Json& entry : root.at("results")) {
      const std::string test = entry.at("test"), mapping = entry.at("mapping");
      require(tests.contains(test), "results of no test, " + test);
      require(mappings.contains(mapping), "results under no mapping, " + mapping);
      TestRuns runs{tests.at(test), mappings.at(mapping), {}};
      require(known.emplace(runs.test, runs.mapping).second, "two results of " + test);
      for (const Json& run : entry.at("runs")) runs.runs.push_back(this->run(run));
      require(!runs.runs.empty(), "no run of " + test);
      require(runs.runs.size() <= static_cast<std::size_t>(results.iterations),
              "more runs than iterations of " + test);
      results.runs.push_back(std::move(runs));
    }
    require(root.at("complete") == results.complete(), "it says otherwise whether it is complete");
    return results;
  }

  int number(const Json& json, int most, const std::string& what) const {
    const auto value = json.get<std::int64_t>();
    require(value >= 1 && value <= most, fmt::format("{} {}; expected 1 to {}", value, what, most));
    return static_cast<int>(value);
  }

  Run run(const Json& json) const {
    const std::string name = json.at("outcome");
    const auto* found = std::find_if(std::begin(kOutcomes), std::end(kOutcomes),
                                     [&](const auto& entry) { return entry.second == name; });
    require(found != std::end(kOutcomes), "no outcome is called " + name);
    const double time = json.at("ms");
    require(time >= 0 && time <= kMaxMilliseconds, "no such time");
    return {found->first, time, json.value("message", std::string())};
  }

  std::string file_;
};

}  // namespace

std::string to_string(RunOutcome outcome) {
  return std::string(kOutcomes[static_cast<std::size_t>(outcome)].second);
}

std::string program_hash(const lang::Test& test) { return digits(lang::identity(test)); }

std::string suite_hash(const std::vector<TestIdentity>& tests) {
  std::vector<std::string> programs;
  programs.reserve(tests.size());
  for (const TestIdentity& test : tests) programs.push_back(test.program);
  std::sort(programs.begin(), programs.end());
  return digits(stable_hash(fmt::format("{}", fmt::join(programs, " "))));
}

std::vector<TestIdentity> identify(const suite::Suite& suite) {
  std::vector<TestIdentity> tests;
  tests.reserve(suite.tests.size());
  for (const lang::Test& test : suite.tests) tests.push_back({test.name, program_hash(test)});
  return tests;
}

std::string utc_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now);
  const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(now - seconds);
  return fmt::format("{:%FT%T}.{:03}Z", fmt::gmtime(static_cast<std::time_t>(seconds.count())),
                     rest.count());
}

std::string print_results(const Results& results) {
  const Device& device = results.device;
  std::string text = fmt::format("{}{}", kStart, kFormat);
  const auto put = [&](const char* name, const Json& value) {
    text += fmt::format(",\n\"{}\": {}", name, text_of(value));
  };
  // A line an element.
  const auto put_list = [&](const char* name, std::size_t count, const auto& element) {
    text += fmt::format(",\n\"{}\": [", name);
    for (std::size_t i = 0; i < count; ++i) {
      text += (i > 0 ? ",\n" : "\n") + text_of(element(i));
    }
    text += "\n]";
  };
  put("version", results.version);
  put("started", results.started);
  put("device", {{"name", device.name},
                 {"driver", device.driver},
                 {"target", device.target},
                 {"details", device.details}});
  put("suite", {{"path", results.suite}, {"programs", suite_hash(results.tests)}});
  put("mappings", results.mappings);
  put("instances", results.instances);
  put("iterations", results.iterations);
  put("timeout_ms", milliseconds(results.timeout));
  if (!results.written.empty()) put("written", results.written);
  put("complete", results.complete());
  put_list("tests", results.tests.size(), [&](std::size_t i) {
    return Json{{"name", results.tests[i].name}, {"program", results.tests[i].program}};
  });
  put_list("results", results.runs.size(), [&](std::size_t i) {
    const TestRuns& entry = results.runs[i];
    Json runs = Json::array();
    for (const Run& run : entry.runs) {
      Json object = {{"outcome", to_string(run.outcome)}, {"ms", milliseconds(run.milliseconds)}};
      if (!run.message.empty()) object["message"] = run.message;
      runs.push_back(std::move(object));
    }
    return Json{{"test", results.tests[entry.test].name},
                {"mapping", results.mappings[entry.mapping]},
                {"runs", std::move(runs)}};
  });
  const std::string checksum = digits(stable_hash(text));
  return text.append(kEnd).append(checksum).append(kClose);
}

void write_results(const std::string& path, const Results& results) {
  write_file(path, print_results(results));
}

bool is_results(std::string_view text) { return text.starts_with(kStart); }

Results parse_results(const std::string& text, const std::string& file) {
  return Reader(file).read(text);
}

Results read_results(const std::string& path) {
  return parse_results(read_file(path, kMaxResultBytes), path == "-" ? "<stdin>" : path);
}

std::optional<std::string> difference(const Results& there, const Results& wanted) {
  if (there.tests != wanted.tests) return "the suite has other tests there than here";
  // What a campaign is about, in words.
  const auto traits = [](const Results& results) {
    return std::vector<std::pair<const char*, std::string>>{
        {"target", results.device.target},
        {"device", results.device.name},
        {"driver", results.device.driver},
        {"mapping", fmt::format("{}", fmt::join(results.mappings, ", "))},
        {"number of instances", fmt::format("{}", results.instances)},
        {"number of iterations", fmt::format("{}", results.iterations)},
        {"time limit in milliseconds", fmt::format("{}", results.timeout)},
        {"way of writing programs", results.written.empty() ? "not said" : results.written}};
  };
  const auto a = traits(there), b = traits(wanted);
  const auto differing = std::mismatch(a.begin(), a.end(), b.begin());
  if (differing.first == a.end()) return std::nullopt;
  const auto& [what, value] = *differing.first;
  return fmt::format("the {} is {} there and {} here", what, value, differing.second->second);
}

std::vector<std::size_t> locate(const Results& results, const suite::Suite& suite,
                                const std::string& file) {
  std::unordered_multimap<std::string, std::size_t> tests;
  for (std::size_t t = suite.tests.size(); t-- > 0;) {
    tests.emplace(program_hash(suite.tests[t]), t);
  }
  std::vector<std::size_t> indices;
  for (const TestIdentity& test : results.tests) {
    const auto [begin, end] = tests.equal_range(test.program);
    if (begin == end) {
      throw Error({file, 0, 0}, fmt::format("results of another suite than {}: the program of {} "
                                            "is not in it",
                                            suite.path, test.name));
    }
    // Of several copies the one of this name, or else the first.
    std::size_t found = begin->second;
    bool same_name = false, same_program = true;
    for (auto it = begin; it != end && !same_name; ++it) {
      same_name = suite.tests[it->second].name == test.name;
      same_program = same_program && lang::program_key(suite.tests[it->second]) ==
                                         lang::program_key(suite.tests[begin->second]);
      found = same_name ? it->second : std::min(found, it->second);
    }
    if (!same_name && !same_program) {
      throw Error({file, 0, 0},
                  fmt::format("several programs of {} have the hash of {}", suite.path, test.name));
    }
    indices.push_back(found);
  }
  return indices;
}

}  // namespace headway::campaign
