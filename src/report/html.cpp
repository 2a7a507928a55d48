#include "report/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "lang/axb/source.hpp"
#include "languages/languages.hpp"
#include "models/hasse.hpp"
#include "report/page.hpp"
#include "report/shown_test.hpp"
#include "report/template.hpp"

namespace headway::report {
namespace {

using models::Fairness;
using models::Reading;
using Json = nlohmann::ordered_json;
using Numbers = std::vector<std::size_t>;

// What is in the file of tests that the page has no engine for: in all, and of each of them.
constexpr std::size_t kMostRecordedBytes = 2'000'000;
constexpr std::size_t kMostRecordedWork = 5'000'000;  // states that are explored for it
constexpr std::size_t kMostRunStates = 20'000;
constexpr std::size_t kMostRunSteps = 300;
constexpr std::size_t kMostSystemStates = 500;

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      group = group << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      text += at + i <= bytes.size() ? digits[group >> (18 - 6 * i) & 63] : '=';
    }
  }
  return text;
}

std::string json_text(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

// Numbers things in the order in which they first come.
template <class Thing>
class Table {
 public:
  std::size_t number(const Thing& thing) {
    const auto [entry, is_new] = numbers_.try_emplace(thing, things_.size());
    if (is_new) things_.push_back(thing);
    return entry->second;
  }
  const std::vector<Thing>& things() const { return things_; }

 private:
  std::map<Thing, std::size_t> numbers_;
  std::vector<Thing> things_;
};

// JSON by number, each once, as the text that the document has of it.
class Pool {
 public:
  std::size_t number(const Json& json) {
    const std::size_t number = texts_.number(json_text(json));
    if (number == count_) {
      bytes_ += texts_.things().back().size();
      ++count_;
    }
    return number;
  }
  std::size_t bytes() const { return bytes_; }
  std::string text() const { return fmt::format("[{}]", fmt::join(texts_.things(), ",\n")); }

 private:
  Table<std::string> texts_;
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
};

// An array of JSON that grows by values, as text: large suites have millions of them.
class Column {
 public:
  void add(std::size_t number) { add_text(fmt::format_int(number).str()); }
  void add(const Numbers& numbers) { add_text(list(numbers)); }
  void add(const std::string& string) { add_text(json_text(string)); }
  void add_none() { add_text("-1"); }
  std::string text() const { return "[" + text_ + "]"; }

 private:
  static std::string list(const Numbers& numbers) {
    return fmt::format("[{}]", fmt::join(numbers, ","));
  }
  void add_text(std::string_view text) {
    if (!text_.empty()) text_ += ',';
    text_ += text;
  }

  std::string text_;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else if (c != '\r') {
      lines.back() += c;
    }
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

// The document that the page reads; src/report/page/data.js is its reader.
class Document {
 public:
  explicit Document(const Page& page)
      : page_(page), matrix_(page.verdicts), models_(page.verdicts.models()) {
    for (const lang::Test& test : page.suite.tests) threads_.insert(test.thread_count());
    if (threads_.empty()) threads_.insert(2);
    for (const int threads : threads_) {
      if (threads > models::kMaxOrderThreads) continue;
      orders_.try_emplace(threads, models_, threads, models::Scope::recurring);
    }
    for (std::size_t m = 0; m < models_.size(); ++m) {
      silent_.push_back(is_silent(m));
      for (const Fairness fairness : models::kFairnesses) {
        if (fairness == Fairness::weak || !silent_[m]) readings_.push_back({m, fairness});
      }
    }
  }

  std::string text() {
    const std::string tests = tests_text();  // these two fill the tables
    record();
    std::string text = "{";
    const auto put = [&](const char* name, const std::string& value) {
      text += fmt::format("{}\"{}\":{}", text.size() > 1 ? ",\n" : "", name, value);
    };
    put("title", json_text(page_.title));
    put("version", json_text(page_.version));
    put("problems", json_text(page_.problems));
    put("models", json_text(models_json()));
    put("readings", json_text(readings_json()));
    put("signatures", json_text(signatures_json()));
    put("orders", json_text(orders_json()));
    put("files", json_text(page_.model_files));
    put("idioms", json_text(idioms_json()));
    put("devices", json_text(devices_json()));
    put("outcomes", json_text(outcomes_.things()));
    put("texts", json_text(texts_.things()));
    put("shapes", json_text(shapes_json()));
    put("programs", json_text(programs_));
    put("shown", json_text(shown_of_));
    put("views", shown_.text());
    put("runs", runs_.text());
    put("graphs", graphs_.text());
    put("tests", tests);
    return text + "}";
  }

 private:
  // Whether weak and strong are one reading of a model for every test here.
  bool is_silent(std::size_t model) const {
    const Reading weak{model, Fairness::weak}, strong{model, Fairness::strong};
    return std::all_of(orders_.begin(), orders_.end(),
                       [&](const auto& order) { return order.second.equal(weak, strong); }) &&
           std::all_of(matrix_.signatures().begin(), matrix_.signatures().end(),
                       [&](const auto& all) { return all[model].weak == all[model].strong; });
  }

  // The column of a reading.
  std::size_t column(Reading reading) const {
    if (silent_[reading.model]) reading.fairness = Fairness::weak;
    return static_cast<std::size_t>(std::find(readings_.begin(), readings_.end(), reading) -
                                    readings_.begin());
  }

  Json models_json() const {
    Json array = Json::array();
    for (std::size_t m = 0; m < models_.size(); ++m) {
      array.push_back({{"name", models_[m]->name()},
                       {"summary", models_[m]->summary()},
                       {"definition", models_[m]->definition()},
                       {"silent", bool{silent_[m]}}});
    }
    return array;
  }

  Json readings_json() const {
    Json array = Json::array();
    for (const Reading& reading : readings_) {
      array.push_back({reading.model, static_cast<int>(reading.fairness)});
    }
    return array;
  }

  // A letter a reading.
  Json signatures_json() const {
    Json array = Json::array();
    for (const suite::Signature& signature : matrix_.signatures()) {
      const std::string all = suite::to_string(signature);
      std::string text;
      for (const Reading& reading : readings_) {
        text += all[2 * reading.model + (reading.fairness == Fairness::weak ? 0 : 1)];
      }
      array.push_back(text);
    }
    return array;
  }

  // By number of threads.
  Json orders_json() const {
    Json object = Json::object();
    for (const auto& [threads, order] : orders_) {
      object[std::to_string(threads)] = order_json(order);
    }
    return object;
  }

  // By launch, of those for which the orders above are not the right ones.
  Json shapes_json() const {
    Json object = Json::object();
    for (const auto& [launch, order] : shapes_) object[launch] = order_json(order);
    return object;
  }

  // Nodes that list their readings, lower ones first; edges upwards.
  Json order_json(const models::ModelOrder& order) const {
    const models::Hasse hasse = models::hasse_diagram(order);
    Json nodes = Json::array();
    for (const std::vector<Reading>& node : hasse.nodes) {
      std::set<std::size_t> columns;
      for (const Reading& reading : node) columns.insert(column(reading));
      nodes.push_back(columns);
    }
    return {{"nodes", nodes}, {"edges", hasse.edges}};
  }

  Json idioms_json() const {
    Json array = Json::array();
    for (const lang::Test& idiom : page_.idioms.all()) array.push_back(idiom.name);
    return array;
  }

  // Tables of one device are one entry; a result names its table by its list of placements.
  Json devices_json() {
    Json array = Json::array();
    std::map<std::string, std::size_t> known;
    for (const DeviceTable& table : page_.devices) {
      const auto [entry, is_new] = known.try_emplace(table.device, array.size());
      if (is_new) {
        array.push_back(
            {{"name", table.device}, {"placements", Json::array()}, {"results", Json::object()}});
      }
      Json& device = array[entry->second];
      const std::size_t number = device["placements"].size();
      device["placements"].push_back(table.placements);
      for (const auto& [test, outcomes] : table.outcomes) {
        Json result = {number};
        for (const std::string& outcome : outcomes) result.push_back(outcomes_.number(outcome));
        device["results"][std::to_string(test)] = std::move(result);
      }
    }
    return array;
  }

  std::string tests_text() {
    for (std::size_t t = 0; t < page_.suite.tests.size(); ++t) add_test(t);
    return fmt::format(
        "{{\"name\":{},\n\"identity\":{},\n\"file\":{},\n\"signature\":{},\n\"idiom\":{},\n"
        "\"threads\":{},\n\"instructions\":{},\n\"lines\":{}}}",
        name_.text(), identity_.text(), file_.text(), signature_.text(), idiom_.text(),
        count_.text(), instructions_.text(), lines_.text());
  }

  // An AXB test, with the lines of the file that it stands in, where these are in the litmus
  // format.
  void add_test(std::size_t t) {
    const lang::Test& test = page_.suite.tests[t];
    add_facts(t);
    if (lang::axb::find_code(test) == nullptr) return add_program(t);
    const lang::Test* idiom = page_.idioms.recognize(test);
    if (idiom == nullptr) {
      idiom_.add_none();
    } else {
      idiom_.add(static_cast<std::size_t>(idiom - page_.idioms.all().data()));
    }
    add_lines(axb_text(t));
  }

  std::string axb_text(std::size_t t) const {
    const std::string& written = page_.sources[t];
    if (!written.empty() && !lang::axb::is_published(written)) return written;
    lang::Test anew = page_.suite.tests[t];
    anew.name.clear();  // the page shows it anyway, and a file may be called what no test may
    return lang::print(anew);
  }

  void add_lines(const std::string& text) {
    Numbers lines;
    for (const std::string& line : lines_of(text)) lines.push_back(texts_.number(line));
    lines_.add(lines);
  }

  void add_facts(std::size_t t) {
    const lang::Test& test = page_.suite.tests[t];
    name_.add(test.name);
    identity_.add(fmt::format("{:016x}", lang::identity(test)));
    file_.add(texts_.number(page_.suite.file(t)));
    signature_.add(matrix_.signature_of(t));
    count_.add(static_cast<std::size_t>(test.thread_count()));
    instructions_.add(static_cast<std::size_t>(test.instruction_count()));
  }

  // A program of another language: the launch, and of a member of a family its size.
  void add_program(std::size_t t) {
    const lang::Test& test = page_.suite.tests[t];
    idiom_.add_none();
    add_lines(lang::print(test));
    Json& entry = programs_[std::to_string(t)];
    entry = {{"size", test.source->size()}};
    if (!engine_reads(test)) entry["foreign"] = true;
    add_launch(*lang::make_program(test), test.thread_count(), entry);
  }

  // Whether src/engine/wasm has the language of a test.
  static bool engine_reads(const lang::Test& test) {
    return test.source->language() == "AXB" || test.source->language() == "idiom";
  }

  // The launch of a program whose readings are ordered in another way than those of so many threads
  // that never wait.
  void add_launch(const lang::Program& program, int threads, Json& entry) {
    const bool may_block = program.may_block();
    if (program.topology() == Topology(threads) && !may_block) return;
    const std::string launch =
        program.topology().to_string() + (may_block ? ", which may wait" : "");
    entry["launch"] = launch;
    if (!models::ModelOrder::in_limits(models_, program.threads(), may_block)) return;
    shapes_.try_emplace(launch, models_, program.topology(), models::Scope::recurring, may_block);
  }

  // What is shown of the tests that the page cannot ask its engine about, the smallest first and as
  // many as there is room for.
  void record() {
    std::vector<std::size_t> tests;
    for (std::size_t t = 0; t < page_.suite.tests.size(); ++t) {
      if (page_.engine.empty() || !engine_reads(page_.suite.tests[t])) tests.push_back(t);
    }
    const auto size = [&](std::size_t t) {
      const lang::Test& test = page_.suite.tests[t];
      return std::pair(test.thread_count() * test.instruction_count(), test.thread_count());
    };
    std::stable_sort(tests.begin(), tests.end(),
                     [&](std::size_t a, std::size_t b) { return size(a) < size(b); });
    for (const std::size_t t : tests) {
      if (bytes() > kMostRecordedBytes || explored_ > kMostRecordedWork) return;
      record(t);
    }
  }

  std::size_t bytes() const {
    return runs_.bytes() + graphs_.bytes() + shown_.bytes() + text_bytes_;
  }

  void record(std::size_t t) {
    const lang::Test& test = page_.suite.tests[t];
    const lang::Test as_shown =
        lang::axb::find_code(test) == nullptr ? test : lang::parse(axb_text(t), {});
    const auto program = lang::make_program(as_shown);
    const ShownLimits limits = {{.max_states = kMostRunStates}, kMostRunSteps, kMostSystemStates};
    const NumberText number = [&](const std::string& text) {
      const std::size_t before = texts_.things().size();
      const std::size_t number = texts_.number(text);
      if (number == before) text_bytes_ += text.size() + 3;
      return number;
    };
    Json& numbers = shown_of_[std::to_string(t)];
    numbers = Json::array();
    for (const auto& [m, fairness] : readings_) {
      Shown shown = show_test(*program, *models_[m], fairness, limits, number);
      explored_ += shown.explored;
      Json json = {{"verdict", to_string(shown.verdict)}};
      if (!shown.run.is_null()) json["run"] = runs_.number(shown.run);
      if (!shown.reasons.is_null()) json["reasons"] = std::move(shown.reasons);
      if (!shown.graph.is_null()) {
        json["graph"] = graphs_.number(shown.graph);
        json["reading"] = std::move(shown.reading);
      }
      if (!shown.path.is_null()) json["path"] = std::move(shown.path);
      numbers.push_back(shown_.number(json));
    }
  }

  const Page& page_;
  const suite::VerdictMatrix& matrix_;
  const std::vector<models::ModelPtr>& models_;
  std::set<int> threads_;
  std::map<int, models::ModelOrder> orders_;
  std::map<std::string, models::ModelOrder> shapes_;
  std::vector<bool> silent_;
  std::vector<Reading> readings_;
  Table<std::string> texts_;        // lines, statements, names of files and locations
  Table<std::string> outcomes_;     // of devices
  Json programs_ = Json::object();  // those of other languages than AXB, by test
  Json shown_of_ = Json::object();  // by test, what is shown of it under each reading
  Pool shown_, runs_, graphs_;
  std::size_t text_bytes_ = 0;  // of what is shown
  std::size_t explored_ = 0;
  Column name_, identity_, file_, signature_, idiom_, count_, instructions_, lines_;
};

}  // namespace

std::string html_report(const Page& page) {
  std::map<std::string_view, std::string> parts = {{"title", in_html(page.title)},
                                                   {"version", in_html(page.version)},
                                                   {"data", in_script(Document(page).text())},
                                                   {"engine", base64(page.engine)}};
  std::string_view frame;
  for (const auto& [name, content] : embedded_page()) {
    if (name.ends_with(".html")) {
      frame = content;
    } else if (name.ends_with(".min.js")) {
      parts["library"] = content;
    } else if (name.ends_with(".js")) {
      parts["script"].append(content).append("\n");
    } else if (name.ends_with(".css")) {
      parts["style"].append(content);
    } else {
      parts["notice"] = content;
    }
  }
  return fill(frame, parts);
}

}  // namespace headway::report
