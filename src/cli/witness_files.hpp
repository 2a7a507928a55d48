// Witness files: one for every failing verdict of a run of headway check.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "checker/check.hpp"
#include "lang/test.hpp"
#include "report/verdicts.hpp"

namespace headway::cli {

// A decided test and the source it was decided from.
struct WitnessSource {
  const report::CheckedTest* checked;
  const lang::Test* test;
  const std::vector<models::ModelPtr>* models;  // of CheckedTest::models
};

struct WitnessOptions {
  std::filesystem::path folder;
  bool json = false;  // otherwise text
  checker::CheckOptions check;
};

// Writes FOLDER/TEST.MODEL.FAIRNESS.txt (or .json) for each failing verdict of these readings,
// and returns how many. Characters that do not belong in file names become '_', and long names are
// cut; of tests with the same name the second gets "-2" behind it. Throws headway::Error when a
// file cannot be written.
std::size_t write_witnesses(const std::vector<WitnessSource>& tests,
                            const std::vector<models::Fairness>& fairnesses,
                            const WitnessOptions& options);

}  // namespace headway::cli
