// Words that reports have in common.
#pragma once

#include <fmt/format.h>

#include <cctype>
#include <string>

#include "base/bits/thread_set.hpp"
#include "base/topology.hpp"

namespace headway::report {

// "thread 1", "threads 0 and 2"; in lockstep "subgroup 1"
inline std::string thread_names(const Topology& topology, ThreadSet threads) {
  std::string text = fmt::format("{}{} ", topology.leaf_name(), threads.size() == 1 ? "" : "s");
  int left = threads.size();
  for (const int thread : threads) {
    text += std::to_string(thread);
    if (--left > 0) text += left == 1 ? " and " : ", ";
  }
  return text;
}

inline std::string capitalized(std::string text) {
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

// As it stands within quotes, in Graphviz and in CADP.
inline std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

// "1 state", "2 states"
inline std::string counted(std::size_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace headway::report
