// The verdicts of the tests of a suite under a list of models, weak and strong each. Tests with
// the same verdicts share a signature, so that a test costs one number however many models there
// are.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/progress.hpp"
#include "checker/check.hpp"
#include "lang/test.hpp"
#include "models/order.hpp"

namespace headway::suite {

// The verdicts of one test, one a model.
using Signature = std::vector<checker::ModelVerdict>;

// Two letters a model, its weak and its strong verdict: p for pass, f for fail, e for error, ? for
// unknown.
std::string to_string(const Signature& signature);

// Whether no verdict in it is unknown.
bool is_decided(const Signature& signature);

class VerdictMatrix {
 public:
  // Of no tests yet.
  explicit VerdictMatrix(std::vector<models::ModelPtr> models) : models_(std::move(models)) {}

  // Adds the verdicts of the next test, one a model.
  void add(const Signature& verdicts);

  const std::vector<models::ModelPtr>& models() const { return models_; }
  std::size_t tests() const { return signature_of_.size(); }
  // The distinct signatures, in the order of the first test that has each.
  const std::vector<Signature>& signatures() const { return signatures_; }
  // Which of them a test has.
  std::uint32_t signature_of(std::size_t test) const { return signature_of_[test]; }
  const Signature& verdicts(std::size_t test) const { return signatures_[signature_of_[test]]; }
  checker::Verdict verdict(std::size_t test, const models::Reading& reading) const {
    return verdicts(test)[reading.model].of(reading.fairness);
  }
  // How many tests have an unknown verdict, left by a limit or an interruption.
  std::size_t undecided() const;

 private:
  std::vector<models::ModelPtr> models_;
  std::vector<Signature> signatures_;
  std::vector<std::uint32_t> signature_of_;
  std::unordered_map<std::string, std::uint32_t> number_;  // of a signature, as text
};

struct DecideOptions {
  std::size_t max_states = checker::kDefaultMaxStates;  // of one test
  const std::atomic<bool>* stop = nullptr;              // what is not decided by then is unknown
  Progress* progress = nullptr;                         // advanced by one a test
  // Verdict stores write what is known to this file every few seconds; empty: they do not.
  std::filesystem::path keep = {};
};

// Decides `tests` on several cores. Throws headway::Error when a model gives F a terminated
// thread.
VerdictMatrix decide(std::span<const lang::Test> tests, std::vector<models::ModelPtr> models,
                     const DecideOptions& options = {});

// The same for those of `tests` whose index is in `which`, in that order.
VerdictMatrix decide_some(std::span<const lang::Test> tests, std::span<const std::size_t> which,
                          std::vector<models::ModelPtr> models, const DecideOptions& options = {});

}  // namespace headway::suite
