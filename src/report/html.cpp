#include "report/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "lang/axb/source.hpp"
#include "languages/languages.hpp"
#include "models/automaton.hpp"
#include "models/hasse.hpp"
#include "report/explanation.hpp"
#include "report/page.hpp"
#include "report/recorded_system.hpp"
#include "report/template.hpp"
#include "report/wrong_run.hpp"

namespace headway::report {
namespace {

using models::Fairness;
using models::Reading;
using Json = nlohmann::ordered_json;
using Numbers = std::vector<std::size_t>;

constexpr std::size_t kMaxPageLocals = 5'000;  // local states of a program

// Of programs that the page does not explore, whose witnesses come with it.
constexpr std::size_t kMaxRunStates = 20'000;
constexpr std::size_t kMaxRunSteps = 300;  // of a witness
constexpr std::size_t kMaxSystemStates = 500;
constexpr std::size_t kMaxAllSystems = 20'000;  // states of the systems of a report

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

// An array of JSON that grows by values, as text: large suites have millions of them.
class Column {
 public:
  void add(std::size_t number) { add_text(fmt::format_int(number).str()); }
  void add(const Numbers& numbers) { add_text(list(numbers)); }
  void add(const std::vector<Numbers>& lists) {
    std::string text;
    for (const Numbers& numbers : lists) text += (text.empty() ? "" : ",") + list(numbers);
    add_text("[" + text + "]");
  }
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
    const std::string tests = tests_text();  // fills the tables
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
    put("automata", json_text(automata_json()));
    put("idioms", json_text(idioms_json()));
    put("devices", json_text(devices_json()));
    put("outcomes", json_text(outcomes_.things()));
    put("texts", json_text(texts_.things()));
    put("instructions", json_text(instructions_.things()));
    put("locations", json_text(locations_.things()));
    put("shapes", json_text(shapes_json()));
    put("programs", json_text(programs_));
    put("runs", json_text(runs_.things()));
    put("graphs", json_text(graphs_.things()));
    put("systems", json_text(systems_.things()));
    put("tables", json_text(tables_));
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

  // By number of threads and model; null for one that is too large, or that looks at instructions.
  Json automata_json() const {
    Json object = Json::object();
    for (const int threads : threads_) {
      if (threads > kMaxPageThreads) continue;
      Json& of_threads = object[std::to_string(threads)];
      for (const models::ModelPtr& model : models_) {
        if (model->looks_at_instructions()) {
          of_threads.push_back(nullptr);
          continue;
        }
        const models::Automaton automaton = models::tabulate(*model, threads);
        if (automaton.nodes.size() > kMaxPageNodes) {
          of_threads.push_back(nullptr);
          continue;
        }
        Json entry = {{"fair", Json::array()}, {"next", automaton.next}};
        for (const auto& node : automaton.nodes) entry["fair"].push_back(node.fair.bits());
        if (model->looks_at_started()) {
          entry["started"] = Json::array();
          for (const auto& node : automaton.nodes) {
            entry["started"].push_back(node.history.started.bits());
          }
        }
        of_threads.push_back(entry);
      }
    }
    return object;
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
        "\"locations\":{},\n\"code\":{},\n\"lines\":{}}}",
        name_.text(), identity_.text(), file_.text(), signature_.text(), idiom_.text(),
        locations_of_.text(), code_.text(), lines_.text());
  }

  void add_test(std::size_t t) {
    const lang::Test& test = page_.suite.tests[t];
    const std::string& written = page_.sources[t];
    const lang::axb::Code* code = lang::axb::find_code(test);
    if (code == nullptr) return add_program(t);
    const bool as_written = !written.empty() && !lang::axb::is_published(written);
    lang::Test anew = test;
    anew.name.clear();  // the page shows it anyway, and a file may be called what no test may
    const std::string text = as_written ? written : lang::print(anew);
    const lang::Test printed = as_written ? test : lang::parse(text, {});
    const auto& threads = lang::axb::find_code(printed)->threads;

    add_facts(t);
    const lang::Test* idiom = page_.idioms.recognize(test);
    if (idiom == nullptr) {
      idiom_.add_none();
    } else {
      idiom_.add(static_cast<std::size_t>(idiom - page_.idioms.all().data()));
    }
    std::vector<std::pair<std::size_t, int>> locations;
    for (const lang::axb::Location& location : code->locations) {
      locations.emplace_back(texts_.number(location.name), location.initial);
    }
    locations_of_.add(locations_.number(locations));
    std::vector<Numbers> instructions;
    for (const lang::axb::Thread& thread : threads) {
      Numbers& numbers = instructions.emplace_back();
      for (std::size_t i = 0; i < thread.instructions.size(); ++i) {
        const lang::axb::Instruction& in = thread.instructions[i];
        numbers.push_back(
            instructions_.number({in.location, in.check_value, in.jump, in.exchanges,
                                  in.exchange_value, texts_.number(thread.sources[i].text)}));
        numbers.push_back(static_cast<std::size_t>(thread.sources[i].line));
      }
    }
    code_.add(instructions);
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
  }

  // A program of another language: its step tables, where it has some and the page may explore it.
  void add_program(std::size_t t) {
    const lang::Test& test = page_.suite.tests[t];
    add_facts(t);
    idiom_.add_none();
    locations_of_.add(locations_.number({}));
    code_.add(std::vector<Numbers>(static_cast<std::size_t>(test.thread_count())));
    Numbers lines;
    for (const std::string& line : lines_of(lang::print(test)))
      lines.push_back(texts_.number(line));
    lines_.add(lines);

    Json& entry = programs_[std::to_string(t)];
    entry = {{"accesses", test.instruction_count()},
             {"size", test.source->size()},
             {"memory", Json::array()},
             {"threads", nullptr}};
    const auto program = lang::make_program(test);
    for (const lang::VariableText& variable : program->variable_texts()) {
      entry["memory"].push_back({variable.name, variable.is_array, variable.low, variable.initial});
    }
    add_launch(*program, test.thread_count(), entry);
    add_wrong_run(t, *program, entry);
    const auto tables =
        test.thread_count() > kMaxPageThreads ? std::nullopt : program->step_tables();
    const auto texts = tables ? program->local_texts() : std::nullopt;
    std::size_t locals = 0;
    for (std::size_t i = 0; texts && i < tables->threads.size(); ++i) {
      locals += tables->threads[i].locals.size();
    }
    if (!texts || locals > kMaxPageLocals) return add_runs(t, *program, entry);
    entry["threads"] = Json::array();
    for (std::size_t i = 0; i < tables->threads.size(); ++i) {
      entry["threads"].push_back(table_number(tables->threads[i], texts->at(i)));
    }
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

  // How a program goes wrong, which is the same under all models.
  void add_wrong_run(std::size_t t, const lang::Program& program, Json& entry) {
    const suite::Signature& verdicts = matrix_.signatures()[matrix_.signature_of(t)];
    const bool wrong = std::any_of(verdicts.begin(), verdicts.end(), [](const auto& verdict) {
      return verdict.weak == checker::Verdict::error || verdict.strong == checker::Verdict::error;
    });
    if (!wrong) return;
    checker::CheckOptions options;
    options.max_states = kMaxRunStates;
    const auto result = checker::Checker().check(program, std::span(models_).first(1), options);
    if (!result.error || result.error->steps.empty()) return;
    if (result.error->steps.size() > kMaxRunSteps) return;
    const checker::WrongRun run = checker::wrong_run(program, *result.error);
    Json steps = Json::array();
    for (const checker::WrongRun::Step& step : run.steps) {
      Json row = {step.thread, step.text.line};
      for (const std::string& said :
           {step.text.statement, step.text.effect, step.memory, std::string()}) {
        row.push_back(texts_.number(said));
      }
      steps.push_back(std::move(row));
    }
    const std::size_t number = runs_.number({{"leaf", run.leaf},
                                             {"stem", run.steps.size()},
                                             {"smallest", true},
                                             {"wrong", true},
                                             {"steps", std::move(steps)},
                                             {"groups", Json::array()},
                                             {"summary", wrong_run_summary(run)}});
    for (std::size_t r = 0; r < readings_.size(); ++r) {
      entry["runs"][std::to_string(r)] = number;
    }
  }

  // The witnesses of a program that the page does not explore, and its transition systems where
  // they are small, by reading.
  void add_runs(std::size_t t, const lang::Program& program, Json& entry) {
    if (!entry.contains("runs")) entry["runs"] = Json::object();
    const suite::Signature& verdicts = matrix_.signatures()[matrix_.signature_of(t)];
    for (std::size_t r = 0; r < readings_.size(); ++r) {
      const auto [m, fairness] = readings_[r];
      const checker::Verdict verdict = verdicts[m].of(fairness);
      if (verdict == checker::Verdict::pass) add_system(program, r, {}, {}, entry);
      if (verdict != checker::Verdict::fail) continue;
      const auto explanation =
          checker::explain(program, *models_[m], fairness, {.max_states = kMaxRunStates});
      if (explanation.verdict != checker::Verdict::fail) continue;
      const checker::Lasso& lasso = explanation.witness->lasso;
      if (lasso.stem.size() + lasso.cycle.size() > kMaxRunSteps) continue;
      const Explained explained{
          page_.suite.tests[t].name, {}, program, *models_[m], fairness, explanation};
      entry["runs"][std::to_string(r)] = runs_.number(run_json(explained));
      std::vector<lang::Step> steps = lasso.stem;
      steps.insert(steps.end(), lasso.cycle.begin(), lasso.cycle.end());
      add_system(program, r, explanation.replay.moments, steps, entry);
    }
  }

  void add_system(const lang::Program& program, std::size_t reading,
                  std::span<const checker::Moment> moments, std::span<const lang::Step> steps,
                  Json& entry) {
    if (system_states_ >= kMaxAllSystems) return;
    const auto [m, fairness] = readings_[reading];
    auto system = record_system(program, *models_[m], fairness, kMaxSystemStates, moments, steps,
                                [&](const std::string& text) { return texts_.number(text); });
    if (!system || (!moments.empty() && !system->path)) return;
    system_states_ += system->graph["states"].size();
    system->reading["graph"] = graphs_.number(system->graph);
    if (system->path) system->reading["path"] = *system->path;
    entry["systems"][std::to_string(reading)] = systems_.number(system->reading);
  }

  // Steps are a thread, a line, and what explanations say of them.
  Json run_json(const Explained& explained) {
    const lang::Program& program = explained.program;
    const checker::Witness& witness = *explained.explanation.witness;
    std::vector<lang::Step> all = witness.lasso.stem;
    all.insert(all.end(), witness.lasso.cycle.begin(), witness.lasso.cycle.end());
    Json steps = Json::array();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const checker::Moment& before = explained.explanation.replay.moments[i];
      const checker::Moment& after = explained.explanation.replay.moments[i + 1];
      const lang::StepText text = program.describe_step(before.state.data(), all[i]);
      Json step = {all[i].thread, text.line};
      for (const std::string& said :
           {text.statement, text.effect, program.describe_memory(after.state.data()),
            before.fair(program.topology()).to_string(program.topology())}) {
        step.push_back(texts_.number(said));
      }
      steps.push_back(std::move(step));
    }
    const FailureWords words = failure_words(explained);
    return {{"leaf", program.topology().leaf_name()},
            {"stem", witness.lasso.stem.size()},
            {"smallest", witness.smallest},
            {"steps", std::move(steps)},
            {"groups", words.groups},
            {"summary", words.summary}};
  }

  // Threads that run the same code share a table.
  std::size_t table_number(const lang::StepTables::Thread& thread,
                           const std::vector<lang::LocalText>& texts) {
    Json locals = Json::array();
    for (std::size_t l = 0; l < texts.size(); ++l) {
      const auto& text = texts[l];
      const lang::StepTables::LocalRow& local = thread.locals[l];
      Json row = {local.variable,
                  text.line,
                  texts_.number(text.statement),
                  texts_.number(text.registers),
                  text.reads ? 1 : 0,
                  text.writes ? 1 : 0};
      for (const auto& outcome : local.outcomes) {
        row.push_back(outcome.next);
        row.push_back(outcome.value);
      }
      locals.push_back(std::move(row));
    }
    Json table = {{"initial", thread.initial}, {"locals", std::move(locals)}};
    const auto [entry, is_new] = table_numbers_.try_emplace(table.dump(), tables_.size());
    if (is_new) tables_.push_back(std::move(table));
    return entry->second;
  }

  const Page& page_;
  const suite::VerdictMatrix& matrix_;
  const std::vector<models::ModelPtr>& models_;
  std::set<int> threads_;
  std::map<int, models::ModelOrder> orders_;
  std::map<std::string, models::ModelOrder> shapes_;
  std::vector<bool> silent_;
  std::vector<Reading> readings_;
  Table<std::string> texts_;     // lines, statements, names of files and locations
  Table<std::string> outcomes_;  // of devices
  Table<std::array<std::size_t, 6>> instructions_;
  Table<std::vector<std::pair<std::size_t, int>>> locations_;
  Json programs_ = Json::object();  // those of other languages than AXB, by test
  Json tables_ = Json::array();     // of threads
  std::map<std::string, std::size_t> table_numbers_;
  Table<Json> runs_;
  Table<Json> graphs_, systems_;  // of programs that the page does not explore
  std::size_t system_states_ = 0;
  Column name_, identity_, file_, signature_, idiom_, locations_of_, code_, lines_;
};

}  // namespace

std::string html_report(const Page& page) {
  std::map<std::string_view, std::string> parts = {{"title", in_html(page.title)},
                                                   {"version", in_html(page.version)},
                                                   {"data", in_script(Document(page).text())}};
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
