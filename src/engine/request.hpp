// A request taken apart, with every field checked, and the answer to it as it grows.
#pragma once

#include <atomic>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "checker/check.hpp"
#include "models/fairness.hpp"
#include "models/library.hpp"

namespace headway::engine {

struct Request {
  std::string command;
  std::string text;  // of the test
  std::string file;  // what it is told of by
  std::vector<std::string> models;
  std::string fairness;
  std::string threads;  // of a family; empty: what the text declares
  std::string launch;
  std::string histories;
  std::map<std::string, std::string> files;  // of models, by path
  std::optional<std::size_t> max_states;
  std::size_t max_memory = 0;
  double timeout = 0;  // seconds; 0: none

  // Throws headway::Error.
  static Request parse(std::string_view text);

  // What `files` holds is all that there is. The request must outlive it.
  models::Library library() const;
  checker::CheckOptions options(std::size_t max_states, const std::atomic<bool>* stop) const;
  models::Fairness one_fairness() const;
  std::optional<int> one_size() const;
};

class Answer {
 public:
  // The exit status of the command; of several the gravest counts.
  void status(int status);
  // Of a program that goes wrong.
  void wrong() {
    status(1);
    wrong_ = true;
  }
  void output(std::string text) { output_ = std::move(text); }
  void message(std::string_view kind, const std::string& text);
  void message(std::string_view kind, const Error& error);

  std::string text() const;

 private:
  int status_ = 0;
  bool wrong_ = false;
  std::string output_;
  nlohmann::ordered_json messages_ = nlohmann::ordered_json::array();
};

}  // namespace headway::engine
