// How the outcomes of litmus tests under memory models look.
#pragma once

#include <string>
#include <vector>

#include "consistency/progress.hpp"
#include "report/table.hpp"

namespace headway::report {

// What a memory model says of one test.
struct MemoryAnswer {
  std::string file;
  consistency::Program program;
  std::string model;
  consistency::Outcomes outcomes;
  // Whether it ends, by progress model, where that was asked.
  std::vector<std::string> progress = {};
  consistency::Termination termination = {};
};

// "holds", "does not hold", or "unknown: ..." with the reason.
std::string memory_verdict(const MemoryAnswer& answer);

// "pass", "fail", "unknown", "error" where the program goes wrong, or "race" where the memory model
// gives it no meaning.
std::string termination_verdict(const MemoryAnswer& answer, std::size_t model);

// A column a progress model.
TextTable termination_table(const std::vector<MemoryAnswer>& answers);
TextTable memory_table(const std::vector<MemoryAnswer>& answers);
std::string memory_csv(const std::vector<MemoryAnswer>& answers);
std::string memory_json(const std::vector<MemoryAnswer>& answers);
// As herd writes it, a paragraph an answer.
std::string memory_herd(const std::vector<MemoryAnswer>& answers);

}  // namespace headway::report
