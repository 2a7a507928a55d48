#include "consistency/distinguish/tests.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace headway::consistency {
namespace {

// How a language writes its statements, and of what strengths it has them, the weakest first.
struct Vocabulary {
  bool columns = false;
  std::string load = {}, store = {}, fence = {};
  std::vector<std::string> await = {};  // lines, or cells
  std::string parameter = {};           // a location of a function
  std::vector<std::string> load_strengths = {}, store_strengths = {}, fence_strengths = {};
  // Behind the name of a thread, where each is in a block of its own, or all in one; empty: they
  // have no places.
  std::string apart = {}, together = {};
};

// Each order with each scope behind it.
std::vector<std::string> products(const std::vector<std::string>& orders, std::string_view between,
                                  const std::vector<std::string>& scopes) {
  std::vector<std::string> result;
  for (const std::string& order : orders) {
    for (const std::string& scope : scopes)
      result.push_back(fmt::format("{}{}{}", order, between, scope));
  }
  return result;
}

Vocabulary c_vocabulary() {
  return {.load = "int {target} = atomic_load_explicit({location}, memory_order_{strength});",
          .store = "atomic_store_explicit({location}, {value}, memory_order_{strength});",
          .fence = "atomic_thread_fence(memory_order_{strength});",
          .await = {"while (atomic_load_explicit({location}, memory_order_{strength}) == 0) {{}}"},
          .parameter = "atomic_int* {}",
          .load_strengths = {"relaxed", "acquire", "seq_cst"},
          .store_strengths = {"relaxed", "release", "seq_cst"},
          .fence_strengths = {"acquire", "release", "acq_rel", "seq_cst"}};
}

Vocabulary opencl_vocabulary() {
  Vocabulary words = c_vocabulary();
  words.fence = "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_{strength});";
  words.parameter = "global atomic_int* {}";
  for (auto* strengths : {&words.load_strengths, &words.store_strengths, &words.fence_strengths}) {
    *strengths = products(*strengths, ", memory_scope_", {"work_group", "device"});
  }
  words.apart = "@wg {}, dev 0";
  words.together = "@wg 0, dev 0";
  return words;
}

Vocabulary column_vocabulary() {
  return {.columns = true,
          .load = "ld.{strength} {target}, {location}",
          .store = "st.{strength} {location}, {value}",
          .await = {"{label}:", "ld.{strength} w, {location}", "beq w, 0, {label}"}};
}

Vocabulary ptx_vocabulary() {
  Vocabulary words = column_vocabulary();
  words.fence = "fence.{strength}";
  words.load_strengths = products({"relaxed", "acquire"}, ".", {"cta", "gpu"});
  words.store_strengths = products({"relaxed", "release"}, ".", {"cta", "gpu"});
  for (auto* strengths : {&words.load_strengths, &words.store_strengths}) {
    strengths->insert(strengths->begin(), "weak");
  }
  words.fence_strengths = products({"acq_rel", "sc"}, ".", {"cta", "gpu"});
  words.apart = "@cta {},gpu 0";
  words.together = "@cta 0,gpu 0";
  return words;
}

Vocabulary vulkan_vocabulary() {
  Vocabulary words = column_vocabulary();
  words.fence = "membar.{strength}";
  const std::vector<std::string> scopes = {"wg.sc0", "dv.sc0"};
  words.load_strengths =
      products({"atom", "atom.acq.semsc0", "atom.acq.semsc0.semvis"}, ".", scopes);
  words.store_strengths =
      products({"atom", "atom.rel.semsc0", "atom.rel.semsc0.semav"}, ".", scopes);
  for (auto* strengths : {&words.load_strengths, &words.store_strengths}) {
    strengths->insert(strengths->begin(), "nonpriv.sc0");
  }
  words.fence_strengths =
      products({"acq_rel.semsc0", "acq_rel.semsc0.semav.semvis"}, ".", {"wg", "dv"});
  words.apart = "@sg 0,wg {},qf 0";
  words.together = "@sg 0,wg 0,qf 0";
  return words;
}

const Vocabulary& vocabulary(const std::string& language) {
  static const std::map<std::string, Vocabulary> known = {{"C", c_vocabulary()},
                                                          {"OPENCL", opencl_vocabulary()},
                                                          {"PTX", ptx_vocabulary()},
                                                          {"VULKAN", vulkan_vocabulary()}};
  return known.at(language);
}

const std::vector<std::string>& strengths(const Vocabulary& words, Statement::Kind kind) {
  switch (kind) {
    case Statement::Kind::load:
    case Statement::Kind::await:
      return words.load_strengths;
    case Statement::Kind::store:
      return words.store_strengths;
    case Statement::Kind::fence:
      return words.fence_strengths;
  }
  return words.load_strengths;
}

// Locations by when they come first.
TestCode with_locations_in_order(TestCode code) {
  std::map<int, int> names;
  for (auto& thread : code) {
    for (Statement& statement : thread) {
      if (statement.kind == Statement::Kind::fence) continue;
      statement.location =
          names.emplace(statement.location, static_cast<int>(names.size())).first->second;
    }
  }
  return code;
}

// Whether no order of the threads of one length, which decreases, makes a smaller one.
bool is_first_of_its_kind(const TestCode& code) {
  std::vector<std::size_t> order(code.size());
  for (std::size_t t = 0; t < order.size(); ++t) order[t] = t;
  do {
    TestCode other;
    bool lengths_fit = true;
    for (std::size_t t = 0; t < order.size(); ++t) {
      lengths_fit = lengths_fit && code[order[t]].size() == code[t].size();
      other.push_back(code[order[t]]);
    }
    if (lengths_fit && with_locations_in_order(std::move(other)) < code) return false;
  } while (std::next_permutation(order.begin(), order.end()));
  return true;
}

class TestsOfSize {
 public:
  TestsOfSize(const TestSpace& space, const std::function<bool(const TestCode&)>& take)
      : words_(vocabulary(space.language)), awaits_(space.awaits), take_(take) {}

  // Threads of lengths that do not increase.
  bool lengths(int left, int longest) {
    if (left == 0) return statements(0, 0, 0);
    for (int length = std::min(left, longest); length > 0; --length) {
      code_.emplace_back(static_cast<std::size_t>(length));
      const bool goes_on = lengths(left - length, length);
      code_.pop_back();
      if (!goes_on) return false;
    }
    return true;
  }

 private:
  bool statements(std::size_t thread, std::size_t position, int locations) {
    if (thread == code_.size()) return !is_first_of_its_kind(code_) || take_(code_);
    if (position == code_[thread].size()) return statements(thread + 1, 0, locations);
    for (const Statement::Kind kind : {Statement::Kind::load, Statement::Kind::store,
                                       Statement::Kind::fence, Statement::Kind::await}) {
      if (kind == Statement::Kind::await && !awaits_) continue;
      for (std::size_t s = 0; s < strengths(words_, kind).size(); ++s) {
        // One that was there, or the next one.
        const int choices = kind == Statement::Kind::fence ? 1 : locations + 1;
        for (int location = 0; location < choices; ++location) {
          code_[thread][position] = {kind, s, location};
          const bool is_new = kind != Statement::Kind::fence && location == locations;
          if (!statements(thread, position + 1, locations + (is_new ? 1 : 0))) return false;
        }
      }
    }
    return true;
  }

  const Vocabulary& words_;
  const bool awaits_;
  const std::function<bool(const TestCode&)>& take_;
  TestCode code_;
};

std::string location_name(int location) {
  static const std::vector<std::string> names = {"x", "y", "z"};
  const auto number = static_cast<std::size_t>(location);
  return number < names.size() ? names[number] : fmt::format("x{}", location);
}

// One test while it is written: values of stores, registers and labels are numbered.
class Writer {
 public:
  explicit Writer(const Vocabulary& words) : words_(words) {}

  // The lines, or cells, of a statement.
  std::vector<std::string> lines(const Statement& statement, int thread) {
    switch (statement.kind) {
      case Statement::Kind::load: {
        const std::string target = fmt::format("r{}", registers_.size());
        registers_.push_back(fmt::format("{}:{}", thread, target));
        return {filled(words_.load, statement, target)};
      }
      case Statement::Kind::store:
        ++values_[statement.location];
        return {filled(words_.store, statement, {})};
      case Statement::Kind::fence:
        return {filled(words_.fence, statement, {})};
      case Statement::Kind::await: {
        std::vector<std::string> result;
        ++labels_;
        for (const std::string& line : words_.await) result.push_back(filled(line, statement, {}));
        return result;
      }
    }
    return {};
  }
  // What a state says: "0:r0", "x".
  std::vector<std::string> observed(int locations) const {
    std::vector<std::string> result = registers_;
    for (int l = 0; l < locations; ++l) result.push_back(location_name(l));
    return result;
  }

 private:
  std::string filled(const std::string& line, const Statement& statement,
                     const std::string& target) {
    return fmt::format(fmt::runtime(line), fmt::arg("target", target),
                       fmt::arg("location", location_name(statement.location)),
                       fmt::arg("value", values_[statement.location]),
                       fmt::arg("label", fmt::format("WAIT{}", labels_)),
                       fmt::arg("strength", strengths(words_, statement.kind)[statement.strength]));
  }

  const Vocabulary& words_;
  std::map<int, int> values_;
  std::vector<std::string> registers_;
  int labels_ = 0;
};

std::string as_rows(const std::vector<std::vector<std::string>>& columns) {
  std::size_t rows = 0;
  std::vector<std::size_t> widths;
  for (const auto& column : columns) {
    rows = std::max(rows, column.size());
    std::size_t width = 0;
    for (const std::string& cell : column) width = std::max(width, cell.size());
    widths.push_back(width);
  }
  std::string text;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      text += fmt::format("{} {:<{}} ", c == 0 ? "" : "|",
                          r < columns[c].size() ? columns[c][r] : "", widths[c]);
    }
    text += ";\n";
  }
  return text;
}

// "exists (0:r0=0 /\ x=1)" of a state, "0:r0=0; x=1;".
std::string condition(const std::string& state) {
  std::string text = state;
  if (!text.empty() && text.back() == ';') text.pop_back();
  for (std::size_t at = text.find("; "); at != std::string::npos; at = text.find("; ", at)) {
    text.replace(at, 2, " /\\ ");
  }
  return text.empty() ? "true" : text;
}

}  // namespace

int placements(const std::string& language) { return vocabulary(language).apart.empty() ? 1 : 2; }

void for_each_test(const TestSpace& space, int statements,
                   const std::function<bool(const TestCode&)>& take) {
  TestsOfSize(space, take).lengths(statements, statements);
}

std::string test_text(const TestSpace& space, const TestCode& code, int placement,
                      const std::string& name, const std::string& state) {
  const Vocabulary& words = vocabulary(space.language);
  Writer writer(words);
  int locations = 0;
  for (const auto& thread : code) {
    for (const Statement& statement : thread) {
      if (statement.kind != Statement::Kind::fence)
        locations = std::max(locations, statement.location + 1);
    }
  }
  std::vector<std::string> parameters;
  for (int l = 0; !words.columns && l < locations; ++l) {
    parameters.push_back(fmt::format(fmt::runtime(words.parameter), location_name(l)));
  }
  std::vector<std::vector<std::string>> columns;
  std::string text = fmt::format("{} {}\n{{}}\n", space.language, name);
  for (std::size_t t = 0; t < code.size(); ++t) {
    const std::string place =
        placement == 0 ? fmt::format(fmt::runtime(words.apart), t) : words.together;
    std::vector<std::string> lines;
    for (const Statement& statement : code[t]) {
      for (std::string& line : writer.lines(statement, static_cast<int>(t))) {
        lines.push_back(std::move(line));
      }
    }
    if (words.columns) {
      lines.insert(lines.begin(), fmt::format("P{}{}", t, place));
      columns.push_back(std::move(lines));
    } else {
      text += fmt::format("P{}{} ({}) {{\n  {}\n}}\n", t, place, fmt::join(parameters, ", "),
                          fmt::join(lines, "\n  "));
    }
  }
  if (words.columns) text += as_rows(columns);
  std::string asked = condition(state);
  if (state.empty()) {
    std::vector<std::string> all;
    for (const std::string& each : writer.observed(locations)) all.push_back(each + "=0");
    if (!all.empty()) asked = fmt::format("{}", fmt::join(all, " /\\ "));
  }
  return text + fmt::format("exists ({})\n", asked);
}

}  // namespace headway::consistency
