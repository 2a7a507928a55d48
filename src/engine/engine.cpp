#include "engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <new>
#include <optional>

#include "base/text/names.hpp"
#include "base/text/several_errors.hpp"
#include "checker/explain.hpp"
#include "checker/labelled_graph.hpp"
#include "engine/arguments.hpp"
#include "engine/decider.hpp"
#include "engine/request.hpp"
#include "every/decide.hpp"
#include "languages/languages.hpp"
#include "report/every.hpp"
#include "report/explanation.hpp"
#include "report/exploration.hpp"
#include "report/lts.hpp"
#include "report/model_order.hpp"
#include "report/residency.hpp"
#include "report/shown_test.hpp"
#include "report/wrong_run.hpp"

namespace headway::engine {
namespace {

using Json = nlohmann::ordered_json;

// That a page is given.
constexpr std::size_t kMostShownStates = 5'000;
constexpr std::size_t kMostShownSteps = 2'000;

class Command {
 public:
  Command(const Request& request, const std::atomic<bool>* stop)
      : request_(request), stop_(stop), library_(request.library()) {}

  Answer run() {
    if (request_.command == "check") check();
    if (request_.command == "explain") explain();
    if (request_.command == "lts") lts();
    if (request_.command == "residency") residency();
    if (request_.command == "compare") compare();
    if (request_.command == "models") list_models();
    if (request_.command == "show") show();
    return std::move(answer_);
  }

 private:
  std::vector<lang::Test> tests() const {
    const std::optional<lang::Sizes> sizes = parse_given_sizes(request_.threads);
    return named(lang::parse_all(request_.text, request_.file, sizes));
  }

  lang::Test one_test() const {
    const std::optional<int> size = request_.one_size();
    if (!size) {
      std::vector<lang::Test> only;
      only.push_back(lang::parse(request_.text, request_.file));
      return named(std::move(only)).front();
    }
    return named(lang::parse_all(request_.text, request_.file, lang::Sizes(*size, *size))).front();
  }

  // A test without a name is called as its file, and by its size, as suite::load_tests() has it.
  std::vector<lang::Test> named(std::vector<lang::Test> tests) const {
    const std::string stem = request_.file == "<stdin>"
                                 ? "stdin"
                                 : printable(std::filesystem::path(request_.file).stem().string());
    for (lang::Test& test : tests) {
      if (!test.name.empty()) continue;
      test.name = stem;
      if (test.source->sized()) test.name += "-" + std::to_string(test.source->size());
    }
    return tests;
  }

  models::ModelPtr one_model() {
    if (request_.models.size() != 1) throw Error("request: expected one model in 'models'");
    return library_.find(request_.models.front());
  }

  void check() {
    if (request_.threads == "any") return check_every();
    const auto which = request_.models.empty() ? Models::Which::usual : Models::Which::named;
    Decider decider(library_, {which, find_models(library_, request_.models), {}},
                    request_.fairness, true);
    checker::Checker checker;
    std::vector<report::CheckedTest> checked;
    std::vector<Error> bad;
    try {
      for (const lang::Test& test : tests()) {
        Decision decision = decider.decide(test, request_.file, checker,
                                           request_.options(checker::kHighestMaxStates, stop_));
        tell(decision);
        bad.insert(bad.end(), decision.bad.begin(), decision.bad.end());
        if (decision.checked) checked.push_back(std::move(*decision.checked));
      }
    } catch (const Error& error) {
      bad = each_of(error);
    }
    for (const Error& error : bad) refuse(error);
    answer_.output(report::verdict_json(checked, decider.columns(checked), bad));
  }

  // For every number of threads, by proofs that were checked.
  void check_every() {
    every::EveryOptions options;
    options.stop = stop_;
    std::vector<every::FamilyAnswer> families;
    try {
      families.push_back(every::decide_every(request_.text, request_.file,
                                             every_readings(request_.models, request_.fairness),
                                             options));
    } catch (const Error& error) {
      for (const Error& each : each_of(error)) refuse(each);
      answer_.output(report::every_json({}));
      return;
    }
    every::FamilyAnswer& family = families.front();
    if (family.name.empty()) family.name = std::filesystem::path(request_.file).stem().string();
    if (family.wrong) {
      answer_.message("wrong", fmt::format("{} goes wrong: {}", family.name,
                                           report::wrong_run_summary(*family.wrong)));
      answer_.wrong();
    }
    const bool open = std::any_of(family.answers.begin(), family.answers.end(),
                                  [](const every::Answer& answer) { return answer.open(); });
    if (open) {
      answer_.status(stop_ != nullptr && stop_->load() ? 130 : 3);
      if (family.refusal) answer_.message("limit", *family.refusal);
      for (const Error& reason : family.reasons) answer_.message("limit", reason);
    }
    answer_.output(report::every_json(families));
  }

  void tell(const Decision& decision) {
    if (decision.checked) {
      const report::CheckedTest& test = *decision.checked;
      if (test.wrong && !test.error_expected) {
        answer_.message("wrong", fmt::format("{} goes wrong: {}", test.name,
                                             report::wrong_run_summary(*test.wrong)));
        answer_.wrong();
      }
      if (!test.result.complete) {
        answer_.status(test.result.stopped_by == Limit::interrupt ? 130 : 3);
        answer_.message("limit",
                        fmt::format("{}: stopped at {} states by the limit of {}", test.name,
                                    test.result.states, report::to_string(test.result.stopped_by)));
      }
    }
    if (!decision.undecided.empty()) answer_.message("limit", decision.undecided);
    for (const std::string& note : decision.notes) answer_.message("note", note);
    for (const Error& error : decision.unmet) {
      answer_.message("unmet", error);
      answer_.status(1);
    }
    for (const Error& warning : decision.warnings) answer_.message("warning", warning);
    if (!decision.remark.empty()) answer_.message("remark", decision.remark);
  }

  void refuse(const Error& error) {
    answer_.message("error", error);
    answer_.status(2);
  }

  void explain() {
    const models::ModelPtr model = one_model();
    const lang::Test test = one_test();
    const auto program = lang::make_program(test);
    const checker::Explanation explanation =
        checker::explain(*program, *model, request_.one_fairness(),
                         request_.options(checker::kDefaultMaxStates, stop_));
    answer_.output(report::explanation_json(
        {test.name, request_.file, *program, *model, request_.one_fairness(), explanation}));
    if (explanation.verdict == checker::Verdict::error && !test.expects_error) answer_.wrong();
    if (explanation.verdict == checker::Verdict::unknown) stopped();
  }

  void stopped() {
    const bool asked = stop_ != nullptr && stop_->load();
    answer_.status(asked ? 130 : 3);
    answer_.message("limit", asked ? "stopped" : "stopped by a limit");
  }

  void lts() {
    const models::ModelPtr model = request_.models.empty() ? nullptr : one_model();
    const lang::Test test = one_test();
    const auto program = lang::make_program(test);
    const auto graph = checker::step_view(*program, model.get(), request_.one_fairness(),
                                          request_.options(1'000'000, stop_));
    if (!graph) return stopped();
    answer_.output(report::lts_json(*graph, *program));
  }

  // What a page shows, with the texts that it names by number. Files of models are known by the
  // names that they give.
  void show() {
    for (const auto& [path, content] : request_.files) library_.find(path);
    const models::ModelPtr model = one_model();
    const lang::Test test = one_test();
    const auto program = lang::make_program(test);
    std::map<std::string, std::size_t> numbers;
    Json texts = Json::array();
    const auto number = [&](const std::string& text) {
      const auto [entry, is_new] = numbers.try_emplace(text, numbers.size());
      if (is_new) texts.push_back(text);
      return entry->second;
    };
    const report::ShownLimits limits = {request_.options(checker::kDefaultMaxStates, stop_),
                                        kMostShownSteps, kMostShownStates};
    report::Shown shown =
        report::show_test(*program, *model, request_.one_fairness(), limits, number);
    const Json answer = {
        {"verdict", to_string(shown.verdict)}, {"explored", shown.explored},
        {"run", std::move(shown.run)},         {"reasons", std::move(shown.reasons)},
        {"graph", std::move(shown.graph)},     {"reading", std::move(shown.reading)},
        {"path", std::move(shown.path)},       {"texts", std::move(texts)}};
    answer_.output(answer.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
    if (shown.verdict == checker::Verdict::unknown) stopped();
  }

  void residency() {
    const std::vector<lang::Test> all = tests();
    std::string name = all.front().name;
    const std::string size = fmt::format("-{}", all.front().source->size());
    if (all.front().source->sized() && name.ends_with(size)) name.resize(name.size() - size.size());
    report::ResidencyReport report{name, {}};
    checker::Checker checker;
    for (const lang::Test& test : all) {
      const auto program = lang::make_program(test);
      report.sizes.push_back(checker::find_residency(
          checker, *program, checker::residency_ladder(library_, program->topology()),
          request_.options(checker::kHighestMaxStates, stop_)));
      const checker::CheckResult& result = report.sizes.back().result;
      if (result.error) {
        answer_.wrong();
        answer_.message("wrong", test.name + " goes wrong");
      } else if (!result.complete) {
        stopped();
      }
    }
    answer_.output(report::residency_json(report));
  }

  void compare() {
    const auto models = find_models(library_, request_.models);
    const Topology launch = request_.launch.empty() ? Topology(request_.one_size().value_or(3))
                                                    : parse_launch(request_.launch);
    if (!models::ModelOrder::in_limits(models, launch.threads(), false)) {
      throw Error(fmt::format("a launch of {} threads; expected at most {}", launch.threads(),
                              models::kMaxOrderThreads));
    }
    const models::Scope scope =
        request_.histories == "all" ? models::Scope::all : models::Scope::recurring;
    const bool may_block = models::ModelOrder::in_limits(models, launch.threads(), true);
    const models::ModelOrder order(models, launch, scope, may_block);
    answer_.output(report::order_json({order, scope, may_block, false, {}}));
  }

  // With the files of `request.files` behind the others, each of which must be a model.
  void list_models() {
    for (const auto& [path, content] : request_.files) library_.find(path);
    Json list = Json::array();
    for (const models::ModelFile& file : library_.files()) {
      const models::ModelPtr model = library_.named(file.name);
      list.push_back({{"name", file.name},
                      {"definition", model->definition()},
                      {"summary", model->summary()},
                      {"file", file.content}});
    }
    answer_.output(list.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  }

  const Request& request_;
  const std::atomic<bool>* stop_;
  models::Library library_;
  Answer answer_;
};

}  // namespace

std::string answer(std::string_view text, const std::atomic<bool>* stop) {
  Answer refused;
  try {
    const Request request = Request::parse(text);
    return Command(request, stop).run().text();
  } catch (const lang::Undecided& why) {
    refused.message("limit", why.what());
    refused.status(3);
  } catch (const Error& error) {
    for (const Error& each : each_of(error)) refused.message("error", each);
    refused.status(2);
  } catch (const std::bad_alloc&) {
    refused.message("limit", "there is no more memory");
    refused.status(3);
  }
  return refused.text();
}

}  // namespace headway::engine
