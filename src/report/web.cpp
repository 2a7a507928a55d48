#include "report/web.hpp"

#include <fmt/format.h>

#include <algorithm>
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

// What the page counts results by: for each reading its conformance tests, the readings that are
// strictly above it, and the first of those that are equal to it.
Json readings_json(const WebSuite& page) {
  const std::vector<Reading>& all = page.order.readings();
  Json readings = Json::array();
  for (const Reading& reading : all) {
    Json tests = Json::array(), above = Json::array();
    for (std::size_t t = 0; t < page.suite.tests.size(); ++t) {
      if (page.matrix.verdict(t, reading) == checker::Verdict::pass) tests.push_back(t);
    }
    for (std::size_t r = 0; r < all.size(); ++r) {
      if (page.order.below(reading, all[r])) above.push_back(r);
    }
    const auto equal = std::find_if(all.begin(), all.end(), [&](const Reading& other) {
      return page.order.equal(reading, other);
    });
    readings.push_back({{"name", page.order.name(reading)},
                        {"tests", std::move(tests)},
                        {"above", std::move(above)},
                        {"equal_to", equal - all.begin()}});
  }
  return readings;
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
                     {"readings", readings_json(page)},
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
