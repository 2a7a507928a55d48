// Sorts the tests of a suite by what they show of models: conformance tests, distinguishing tests
// and signatures; by the order of the models, and the way the OOPSLA 2021 paper counts.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "suite/matrix.hpp"
#include "suite/suite_order.hpp"

namespace headway::suite {

// A test is a conformance test of the readings that it passes under, and a distinguishing test of
// those of them under whose strictly weaker readings it fails without exception. A test with an
// unknown verdict is neither.
struct Classification {
  std::vector<std::vector<bool>> conforms;       // [signature][reading of the order]
  std::vector<std::vector<bool>> distinguishes;  // the same
  std::vector<std::size_t> conformance;          // how many tests, by reading
  std::vector<std::size_t> distinguishing;
  std::size_t undecided = 0;
};
Classification classify(const VerdictMatrix& matrix, const SuiteOrder& order);

// A signature that tests of the suite have.
struct SignatureClass {
  std::uint32_t signature = 0;  // in the matrix
  std::size_t tests = 0;
  std::size_t smallest = 0;  // a test; of several the first
};
// Those under which most readings pass first, equal ones in the order of their first test.
std::vector<SignatureClass> signature_classes(const VerdictMatrix& matrix, const SuiteOrder& order,
                                              std::span<const lang::Test> tests);

// Whether `a` is smaller than `b`: fewer instructions, or as many and fewer threads, or as many of
// both and fewer branches that write.
bool smaller(const lang::Test& a, const lang::Test& b);

// The attribution of Sorensen et al., table 4 and figure 10. A test that passes under weak fair is
// a weak test, every other a strong test. It is attributed to the first of HSA, OBE, LOBE and fair
// that it passes under, weak tests by the weak readings and strong tests by the strong ones.
class PublishedAttribution {
 public:
  static constexpr std::array<const char*, 4> kModels = {"HSA", "OBE", "LOBE", "fair"};

  // Throws headway::Error when one of the four is not among `models`.
  explicit PublishedAttribution(const std::vector<models::ModelPtr>& models);
  static bool applies(const std::vector<models::ModelPtr>& models);

  struct Place {
    models::Fairness kind;             // a weak or a strong test
    std::optional<std::size_t> model;  // of kModels; absent when it passes under none of them
  };
  // `signature` is decided.
  Place place(const Signature& signature) const;

  // Distinguishing tests of a model are those attributed to it; conformance tests those and, for
  // LOBE, those of HSA and OBE, for fair, all that are attributed.
  struct Count {
    std::size_t tests = 0;
    std::array<std::size_t, 4> distinguishing{};  // by kModels
    std::array<std::size_t, 4> conformance{};
    std::size_t unattributed = 0;  // no well-formed litmus test is
  };
  struct Table {
    Count weak;
    Count strong;
    std::size_t undecided = 0;
  };
  Table count(const VerdictMatrix& matrix) const;

 private:
  std::array<std::size_t, 4> column_{};  // of each, among the models
};

}  // namespace headway::suite
