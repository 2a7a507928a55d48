#include "suite/classification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "lang/axb/source.hpp"

namespace headway::suite {

using checker::Verdict;
using models::Fairness;
using models::Reading;

namespace {

bool passes(const Signature& signature, const Reading& reading) {
  return signature[reading.model].of(reading.fairness) == Verdict::pass;
}

// Instructions that are more than a store or a load.
int exchanging_branches(const lang::Test& test) {
  const lang::axb::Code* code = lang::axb::find_code(test);
  if (code == nullptr) return 0;
  int count = 0;
  for (const lang::axb::Thread& thread : code->threads) {
    for (int i = 0; i < thread.length(); ++i) {
      const lang::axb::Instruction& instruction = thread.instructions[i];
      count += instruction.exchanges && !is_store(instruction, i) ? 1 : 0;
    }
  }
  return count;
}

// How many tests have each signature.
std::vector<std::size_t> tests_by_signature(const VerdictMatrix& matrix) {
  std::vector<std::size_t> counts(matrix.signatures().size());
  for (std::size_t t = 0; t < matrix.tests(); ++t) ++counts[matrix.signature_of(t)];
  return counts;
}

}  // namespace

Classification classify(const VerdictMatrix& matrix, const SuiteOrder& order) {
  const std::vector<Reading>& readings = order.readings();
  Classification result;
  result.conformance.resize(readings.size());
  result.distinguishing.resize(readings.size());
  const std::vector<std::size_t> counts = tests_by_signature(matrix);
  for (std::size_t s = 0; s < counts.size(); ++s) {
    const Signature& signature = matrix.signatures()[s];
    std::vector<bool> conforms(readings.size()), distinguishes(readings.size());
    const bool decided = is_decided(signature);
    if (!decided) result.undecided += counts[s];
    for (std::size_t r = 0; r < readings.size() && decided; ++r) {
      if (!passes(signature, readings[r])) continue;
      conforms[r] = true;
      distinguishes[r] = std::none_of(readings.begin(), readings.end(), [&](const Reading& weaker) {
        return order.below(weaker, readings[r]) && passes(signature, weaker);
      });
      result.conformance[r] += counts[s];
      if (distinguishes[r]) result.distinguishing[r] += counts[s];
    }
    result.conforms.push_back(std::move(conforms));
    result.distinguishes.push_back(std::move(distinguishes));
  }
  return result;
}

bool smaller(const lang::Test& a, const lang::Test& b) {
  const auto size = [](const lang::Test& test) {
    return std::tuple(test.instruction_count(), test.thread_count(), exchanging_branches(test));
  };
  return size(a) < size(b);
}

std::vector<SignatureClass> signature_classes(const VerdictMatrix& matrix, const SuiteOrder& order,
                                              std::span<const lang::Test> tests) {
  std::vector<SignatureClass> classes(matrix.signatures().size());
  for (std::size_t t = 0; t < matrix.tests(); ++t) {
    SignatureClass& its = classes[matrix.signature_of(t)];
    if (its.tests++ == 0 || smaller(tests[t], tests[its.smallest])) its.smallest = t;
  }
  for (std::size_t s = 0; s < classes.size(); ++s) {
    classes[s].signature = static_cast<std::uint32_t>(s);
  }
  const auto passing = [&](const SignatureClass& its) {
    const Signature& signature = matrix.signatures()[its.signature];
    return std::count_if(order.readings().begin(), order.readings().end(),
                         [&](const Reading& reading) { return passes(signature, reading); });
  };
  std::stable_sort(classes.begin(), classes.end(),
                   [&](const auto& a, const auto& b) { return passing(a) > passing(b); });
  return classes;
}

PublishedAttribution::PublishedAttribution(const std::vector<models::ModelPtr>& models) {
  for (std::size_t m = 0; m < kModels.size(); ++m) {
    const std::string name = kModels[m];
    const auto found = std::find_if(models.begin(), models.end(),
                                    [&](const auto& model) { return model->name() == name; });
    if (found == models.end()) {
      throw Error(fmt::format(
          "the published attribution needs the model {}; expected it among the models", name));
    }
    column_[m] = static_cast<std::size_t>(found - models.begin());
  }
}

bool PublishedAttribution::applies(const std::vector<models::ModelPtr>& models) {
  return std::all_of(kModels.begin(), kModels.end(), [&](const std::string& name) {
    return std::any_of(models.begin(), models.end(),
                       [&](const auto& model) { return model->name() == name; });
  });
}

PublishedAttribution::Place PublishedAttribution::place(const Signature& signature) const {
  const bool weak = passes(signature, {column_.back(), Fairness::weak});
  Place place{weak ? Fairness::weak : Fairness::strong, std::nullopt};
  for (std::size_t m = 0; m < kModels.size() && !place.model; ++m) {
    if (passes(signature, {column_[m], place.kind})) place.model = m;
  }
  return place;
}

PublishedAttribution::Table PublishedAttribution::count(const VerdictMatrix& matrix) const {
  Table table;
  const std::vector<std::size_t> counts = tests_by_signature(matrix);
  for (std::size_t s = 0; s < counts.size(); ++s) {
    if (!is_decided(matrix.signatures()[s])) {
      table.undecided += counts[s];
      continue;
    }
    const Place its = place(matrix.signatures()[s]);
    Count& side = its.kind == Fairness::weak ? table.weak : table.strong;
    side.tests += counts[s];
    (its.model ? side.distinguishing[*its.model] : side.unattributed) += counts[s];
  }
  for (Count* side : {&table.weak, &table.strong}) {
    const auto& [hsa, obe, lobe, fair] = side->distinguishing;
    side->conformance = {hsa, obe, hsa + obe + lobe, hsa + obe + lobe + fair};
  }
  return table;
}

}  // namespace headway::suite
