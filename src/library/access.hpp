// What is behind the values of the public API (include/headway/headway.hpp), and the one way to it.
#pragma once

#include <atomic>
#include <chrono>
#include <headway/headway.hpp>

#include "base/error.hpp"
#include "base/limits.hpp"
#include "checker/check.hpp"
#include "lang/test.hpp"
#include "models/order.hpp"

namespace headway::api {

struct Cancellation::Impl {
  std::atomic<bool> flag{false};
};
struct Test::Impl {
  lang::Test test;
};
struct Model::Impl {
  models::ModelPtr model;
};

struct Access {
  static const std::atomic<bool>& flag(const Cancellation& cancellation) {
    return cancellation.impl_->flag;
  }
  static const lang::Test& of(const Test& test) { return test.impl_->test; }
  static const models::ModelPtr& of(const Model& model) { return model.impl_->model; }
  static Test wrap(lang::Test test) {
    return Test(std::make_shared<const Test::Impl>(Test::Impl{std::move(test)}));
  }
  static Model wrap(models::ModelPtr model) {
    return Model(std::make_shared<const Model::Impl>(Model::Impl{std::move(model)}));
  }
};

// The models that are meant where `models` are given.
std::vector<models::ModelPtr> models_of(const std::vector<Model>& models);
checker::CheckOptions options_of(const Limits& limits);
Stop stop_of(Limit limit);
std::string reading_name(const models::Reading& reading,
                         const std::vector<models::ModelPtr>& models);

// `body()`, whose headway::Error leaves as one of the API.
[[noreturn]] void rethrow(const headway::Error& error);
template <class Body>
auto translated(const Body& body) {
  try {
    return body();
  } catch (const headway::Error& error) {
    rethrow(error);
  }
}

}  // namespace headway::api
