// Step tables made within limits, for programs whose tables take long to find or much memory.
#pragma once

#include <optional>
#include <string>

#include "base/limits.hpp"
#include "lang/step_tables.hpp"

namespace headway::lang {

struct TableLimits {
  StopSigns signs;
  std::size_t max_locals = ~std::size_t{0};  // local states of a thread
  std::size_t max_memory = ~std::size_t{0};  // bytes, approximately, also on the way
};

struct BoundedTables {
  std::optional<StepTables> tables;
  std::string why_none;            // as of Program::why_no_tables()
  Limit stopped_by = Limit::none;  // time or interrupt: nobody knows whether there are tables
};

// A Program may be this, too. What it gives within enough limits is its step_tables().
class MakesBoundedTables {
 public:
  virtual BoundedTables tables_within(const TableLimits& limits) const = 0;

 protected:
  ~MakesBoundedTables() = default;
};

}  // namespace headway::lang
