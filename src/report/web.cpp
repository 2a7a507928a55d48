#include "report/web.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "campaign/results.hpp"
#include "emit/emit.hpp"
#include "emit/lower.hpp"
#include "languages/languages.hpp"

namespace headway::report {
namespace {

using models::Reading;
using Json = nlohmann::ordered_json;

// Texts as lists of numbers of lines: shaders have most of their lines in common.
class Lines {
 public:
  Json add(const std::string& text) {
    Json numbers = Json::array();
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string line = text.substr(at, end - at);
      const auto [entry, is_new] = numbers_.try_emplace(line, lines_.size());
      if (is_new) lines_.push_back(line);
      numbers.push_back(entry->second);
      at = end + 1;
    }
    return numbers;
  }
  const Json& all() const { return lines_; }

 private:
  std::unordered_map<std::string, std::size_t> numbers_;
  Json lines_ = Json::array();
};

// What never terminates, whatever the device: how fast it spins tells how long a step takes.
lang::Test endless_spin() {
  return lang::parse("locations x;\nthread 0 { while (Exch(x, 0) == 0); }\n", {});
}

std::string shader(const lang::Test& test, emit::Mapping mapping) {
  // The page says how many instances.
  return emit::emit(emit::lower(test, mapping, 1), emit::Target::webgpu);
}

Json readings_json(const suite::SuiteOrder& order) {
  Json readings = Json::array();
  for (const Reading& reading : order.readings()) {
    Json above = Json::array(), equal = Json::array();
    for (std::size_t r = 0; r < order.readings().size(); ++r) {
      const Reading& other = order.readings()[r];
      if (order.below(reading, other)) above.push_back(r);
      if (order.equal(reading, other)) equal.push_back(r);
    }
    readings.push_back({{"name", order.name(reading)}, {"above", above}, {"equal", equal}});
  }
  return readings;
}

// Whether each reading guarantees that a test terminates: "p", "f", or "?" where it is not known.
std::string verdict_letters(const WebSuite& page, std::size_t test) {
  std::string letters;
  for (const Reading& reading : page.order.readings()) {
    letters += "pf?"[static_cast<std::size_t>(page.matrix.verdict(test, reading))];
  }
  return letters;
}

std::string document(const WebSuite& page) {
  Lines lines;
  const std::vector<campaign::TestIdentity> identities = campaign::identify(page.suite);
  Json mappings = Json::array();
  for (const emit::Mapping mapping : emit::kMappings) mappings.push_back(to_string(mapping));
  Json tests = Json::array();
  for (std::size_t t = 0; t < identities.size(); ++t) {
    const lang::Test& test = page.suite.tests[t];
    Json shaders = Json::array();
    for (const emit::Mapping mapping : emit::kMappings) {
      shaders.push_back(lines.add(shader(test, mapping)));
    }
    const emit::Kernel kernel = emit::lower(test, emit::Mapping::plain, 1);
    Json initial = Json::array();
    for (const std::uint32_t word : kernel.initial) initial.push_back(word);
    tests.push_back({{"name", identities[t].name},
                     {"program", identities[t].program},
                     {"threads", test.thread_count()},
                     {"groups", emit::launch_of(test, emit::Mapping::plain, 1).groups},
                     {"initial", std::move(initial)},
                     {"verdicts", verdict_letters(page, t)},
                     {"shaders", std::move(shaders)}});
    if (kernel.groups && kernel.groups->needs_subgroups()) {
      tests.back()["subgroups"] = {{"size", kernel.groups->topology.subgroup_threads()},
                                   {"count", kernel.groups->topology.subgroups()},
                                   {"fill", kernel.groups->fill_subgroups()}};
    }
  }
  Json spin = lines.add(shader(endless_spin(), emit::Mapping::plain));
  const Json root = {{"title", page.title},
                     {"version", page.version},
                     {"path", page.suite.path},
                     {"programs", campaign::suite_hash(identities)},
                     {"mappings", std::move(mappings)},
                     {"readings", readings_json(page.order)},
                     {"most_workgroups", emit::kMaxWorkgroups},
                     {"most_iterations", campaign::kMaxIterations},
                     {"spin", std::move(spin)},
                     {"tests", std::move(tests)},
                     {"lines", lines.all()}};
  return root.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::vector<WebFile> web_files(const WebSuite& suite) {
  std::vector<WebFile> files;
  for (const auto& [name, content] : embedded_web_page()) {
    files.push_back({std::filesystem::path(name).filename().string(), std::string(content)});
  }
  files.push_back({"suite.json", document(suite)});
  return files;
}

}  // namespace headway::report
