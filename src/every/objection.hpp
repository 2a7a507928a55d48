// What the parts of the certificate checker share: what is wrong, thrown; and rounds.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>
#include <string_view>

#include "every/certificate.hpp"

namespace headway::every {

struct Objection {
  std::string text;
};

template <class... Parts>
void require(bool holds, std::string_view text, const Parts&... parts) {
  if (!holds) throw Objection{fmt::format(fmt::runtime(text), parts...)};
}

// A step inside a layer: who moves from where to where, the thread that takes it first, and what it
// does to registers.
struct CheckedStep {
  std::uint32_t from = 0, to = 0;
  std::vector<std::pair<int, int>> moves;
  std::vector<Change> changes;
};

// Each throws an Objection, an Error or Unsupported where a certificate does not show what it
// claims: that rounds leave none of these steps between so many nodes, where somebody at a place of
// a node may owe a step; by counted threads (methods A and C); by threads in a row (method B); and
// of a run of n threads that it is one of more.
void check_rounds(const std::vector<Round>& rounds, std::size_t nodes,
                  std::vector<CheckedStep> left,
                  const std::function<bool(std::uint32_t node, int place)>& owes);
void check_counted(const Certificate& certificate, const Family& family,
                   const std::vector<Reading>& readings);
void check_row(const Certificate& certificate, const Family& family,
               const std::vector<Reading>& readings);
void check_same_run_of_more(const Certificate& certificate, const Family& family);

}  // namespace headway::every
