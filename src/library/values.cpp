// The values of the API: tests, models, errors, limits.
#include "base/text/several_errors.hpp"
#include "languages/languages.hpp"
#include "library/access.hpp"
#include "models/library.hpp"
#include "suite/suite.hpp"

namespace headway::api {

std::string version() { return HEADWAY_VERSION; }

Error::Error(const std::string& text, std::string message, std::string file, int line, int column)
    : std::runtime_error(text),
      message_(std::move(message)),
      file_(std::move(file)),
      line_(line),
      column_(column) {}
Error::~Error() = default;

void rethrow(const headway::Error& error) {
  const SourcePosition& where = error.where();
  throw Error(error.diagnostic(), error.what(), where.file, where.line, where.column);
}

std::string to_string(Fairness fairness) { return fairness == Fairness::weak ? "weak" : "strong"; }

std::string to_string(Verdict verdict) {
  return checker::to_string(static_cast<checker::Verdict>(verdict));
}

std::string to_string(Stop stop) {
  constexpr const char* names[] = {"none", "states", "memory", "time", "cancelled"};
  return names[static_cast<int>(stop)];
}

std::string to_string(Relation relation) {
  return models::to_string(static_cast<models::Relation>(relation));
}

Cancellation::Cancellation() : impl_(std::make_shared<Impl>()) {}
Cancellation::~Cancellation() = default;
Cancellation::Cancellation(const Cancellation&) = default;
Cancellation& Cancellation::operator=(const Cancellation&) = default;
void Cancellation::cancel() const { impl_->flag = true; }
bool Cancellation::cancelled() const { return impl_->flag; }

Test::Test(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
Test::~Test() = default;
Test::Test(const Test&) = default;
Test& Test::operator=(const Test&) = default;
std::string Test::name() const { return impl_->test.name; }
int Test::threads() const { return impl_->test.thread_count(); }
int Test::instructions() const { return impl_->test.instruction_count(); }
std::string Test::language() const { return std::string(impl_->test.source->language()); }
std::string Test::text() const { return lang::print(impl_->test); }
bool Test::expects_error() const { return impl_->test.expects_error; }
std::uint64_t Test::identity() const { return lang::identity(impl_->test); }

std::vector<Expectation> Test::expectations() const {
  std::vector<Expectation> result;
  for (const lang::Expectation& each : impl_->test.expectations) {
    result.push_back({each.model, each.fairness != models::Fairness::strong,
                      each.fairness != models::Fairness::weak, each.passes});
  }
  return result;
}

bool operator==(const Test& a, const Test& b) { return Access::of(a) == Access::of(b); }

Model::Model(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
Model::~Model() = default;
Model::Model(const Model&) = default;
Model& Model::operator=(const Model&) = default;
std::string Model::name() const { return impl_->model->name(); }
std::string Model::summary() const { return impl_->model->summary(); }
std::string Model::definition() const { return impl_->model->definition(); }

namespace {

std::optional<lang::Sizes> sizes_of(const std::vector<int>& numbers) {
  if (numbers.empty()) return std::nullopt;
  lang::Sizes sizes;
  for (const int number : numbers) {
    if (number < 1) throw headway::Error("expected sizes from 1 on");
    sizes.add(number, number);
  }
  return sizes;
}

std::vector<Test> wrapped(std::vector<lang::Test> tests) {
  std::vector<Test> result;
  result.reserve(tests.size());
  for (lang::Test& test : tests) result.push_back(Access::wrap(std::move(test)));
  return result;
}

std::vector<Model> wrapped(const std::vector<models::ModelPtr>& models) {
  std::vector<Model> result;
  result.reserve(models.size());
  for (const models::ModelPtr& model : models) result.push_back(Access::wrap(model));
  return result;
}

}  // namespace

std::vector<Test> parse(std::string_view text, const std::string& name,
                        const std::vector<int>& sizes) {
  return translated([&] { return wrapped(lang::parse_all(text, name, sizes_of(sizes))); });
}

std::vector<Test> read(const std::string& path, const std::vector<int>& sizes) {
  return translated([&] {
    std::vector<headway::Error> errors;
    std::vector<lang::Test> tests;
    for (const auto& file : suite::find_tests({path}, errors)) {
      for (lang::Test& test : suite::load_tests(file, sizes_of(sizes))) {
        tests.push_back(std::move(test));
      }
    }
    if (!errors.empty()) throw errors.front();
    return wrapped(std::move(tests));
  });
}

Model find_model(const std::string& specification) {
  return translated([&] { return Access::wrap(models::Library().find(specification)); });
}

std::vector<Model> standard_models() { return wrapped(models::Library().standard()); }

std::vector<Model> all_models() {
  return translated([] { return wrapped(models::Library().all()); });
}

std::vector<models::ModelPtr> models_of(const std::vector<Model>& models) {
  if (models.empty()) return models::Library().standard();
  std::vector<models::ModelPtr> result;
  result.reserve(models.size());
  for (const Model& model : models) result.push_back(Access::of(model));
  return result;
}

checker::CheckOptions options_of(const Limits& limits) {
  checker::CheckOptions options;
  options.max_states = std::min(limits.max_states, checker::kHighestMaxStates);
  options.stop = &Access::flag(limits.cancellation);
  if (limits.max_memory > 0) options.max_memory = limits.max_memory;
  if (limits.seconds > 0) options.deadline = StopSigns::after(limits.seconds);
  return options;
}

Stop stop_of(Limit limit) { return static_cast<Stop>(limit); }

std::string reading_name(const models::Reading& reading,
                         const std::vector<models::ModelPtr>& models) {
  return models[reading.model]->name() + ":" + models::to_string(reading.fairness);
}

static_assert(static_cast<int>(Stop::cancelled) == static_cast<int>(Limit::interrupt) &&
              static_cast<int>(Stop::states) == static_cast<int>(Limit::states));
static_assert(static_cast<int>(Verdict::error) == static_cast<int>(checker::Verdict::error) &&
              static_cast<int>(Verdict::unknown) == static_cast<int>(checker::Verdict::unknown));
static_assert(static_cast<int>(Relation::incomparable) ==
                  static_cast<int>(models::Relation::incomparable) &&
              static_cast<int>(Relation::below) == static_cast<int>(models::Relation::below));

}  // namespace headway::api
