#include "synth/sat/proof_check.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "base/file.hpp"
#include "synth/sat/proof_grounds.hpp"
#include "synth/sat/rup.hpp"
#include "synth/space/well_formed.hpp"

namespace headway::synth::sat {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxVariables = 1'000'000;

struct Stopped {};

// A text file, line by line.
class Input {
 public:
  explicit Input(const fs::path& path) : path_(path), in_(path, std::ios::binary) {
    if (!in_) throw Error(fmt::format("{}: cannot be read", path_.string()));
  }
  bool next() {
    ++number_;
    return static_cast<bool>(std::getline(in_, line_));
  }
  const std::string& line() const { return line_; }
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("{}:{}: {}", path_.string(), number_, what));
  }
  // Literals up to a 0 at the end of the line.
  void clause(std::string_view text, int variables, std::vector<int>& result) const {
    result.clear();
    const char* at = text.data();
    const char* const end = at + text.size();
    for (;;) {
      while (at < end && *at == ' ') ++at;
      int literal = 0;
      const auto [rest, error] = std::from_chars(at, end, literal);
      if (error != std::errc()) fail("expected literals and a 0");
      if (literal < -variables || literal > variables) fail("a literal is out of range");
      at = rest;
      if (at != end && *at != ' ') fail("expected a space behind a literal");
      if (literal == 0) break;
      result.push_back(literal);
    }
    if (at != end) fail("expected the end of the line after 0");
  }

 private:
  fs::path path_;
  std::ifstream in_;
  std::string line_;
  std::uint64_t number_ = 0;
};

// A line of tests.txt: "location,check,jump,exchange" for each instruction.
Instructions read_test(const Input& input, const Shape& shape) {
  std::vector<int> index_of;  // of an instruction in its thread
  for (const int length : shape) {
    for (int index = 0; index < length; ++index) index_of.push_back(index);
  }
  Instructions code;
  const char* at = input.line().data();
  const char* const end = at + input.line().size();
  while (at < end) {
    if (code.size() == index_of.size()) input.fail("expected fewer instructions");
    const std::string_view word(at, static_cast<std::size_t>(std::find(at, end, ' ') - at));
    if (word == "workgroup" || word == "subgroup") {
      code.push_back(axb::barrier_at(index_of[code.size()],
                                     word == "workgroup" ? axb::Instruction::Barrier::workgroup
                                                         : axb::Instruction::Barrier::subgroup));
      at += word.size();
      if (at < end) ++at;
      continue;
    }
    std::array<int, 4> fields{};
    for (int f = 0; f < 4; ++f) {
      if (f > 0 && (at == end || *at++ != ',')) input.fail("expected four fields");
      if (f == 3 && at < end && *at == '-') {
        fields[f] = -1;
        ++at;
        continue;
      }
      const auto [rest, error] = std::from_chars(at, end, fields[f]);
      if (error != std::errc() || fields[f] < 0 || fields[f] > 255) {
        input.fail("expected a small number");
      }
      at = rest;
    }
    if (at < end && *at++ != ' ') input.fail("expected a space between instructions");
    const auto byte = [&](int f) { return static_cast<std::uint8_t>(std::max(fields[f], 0)); };
    code.push_back({byte(0), byte(1), byte(2), fields[3] >= 0, byte(3)});
  }
  return code;
}

// What a shape's files are checked with, and what was seen.
class ShapeCheck {
 public:
  ShapeCheck(ProofReport& report, const Shape& shape, const fs::path& directory,
             const ProofCheckOptions& options)
      : report_(report),
        shape_(shape),
        directory_(directory),
        options_(options),
        grounds_(report.bounds, shape, report.requirements) {}

  void run() {
    read_variables();
    check_formula();
    check_refutation();
    run_drat_trim();
  }
  std::uint64_t tests() const { return tests_; }

 private:
  void poll() const {
    if (options_.stop != nullptr && *options_.stop) throw Stopped();
  }

  void read_variables() {
    Input input(directory_ / "variables.txt");
    while (input.next()) {
      if (!grounds_.define(input.line())) input.fail("expected the meaning of a new variable");
    }
  }

  // Each clause must hold of every canonical litmus test that is not listed.
  void check_formula() {
    Input formula(directory_ / "formula.cnf");
    Input grounds(directory_ / "grounds.txt");
    Input tests(directory_ / "tests.txt");
    std::uint64_t clauses = 0;
    std::uint64_t announced = 0;
    if (!formula.next() ||
        std::sscanf(formula.line().c_str(), "p cnf %d %" SCNu64, &variables_, &announced) != 2 ||
        formula.line() != fmt::format("p cnf {} {}", variables_, announced) || variables_ < 0 ||
        variables_ > kMaxVariables) {
      formula.fail("expected 'p cnf VARIABLES CLAUSES'");
    }
    rup_ = std::make_unique<RupChecker>(variables_);
    std::vector<int> clause;
    while (formula.next()) {
      if (clauses++ % 1024 == 0) poll();
      formula.clause(formula.line(), variables_, clause);
      for (const int literal : clause) {
        if (!grounds_.is_defined(std::abs(literal))) formula.fail("a variable has no meaning");
      }
      if (!grounds.next()) grounds.fail("expected the ground of another clause");
      if (grounds.line() == "test") {
        if (!tests.next()) tests.fail("expected another test");
        check_test(tests, formula, clause);
      } else {
        if (!grounds_.holds(grounds.line(), clause)) {
          grounds.fail(fmt::format("'{}' is no ground for clause {} of the formula", grounds.line(),
                                   clauses));
        }
        const std::string_view what = grounds.line();
        const bool of_lts = what.substr(0, 6) != "choice" && what.substr(0, 9) != "numbering" &&
                            what.substr(0, 9) != "influence";
        report_.rejections += of_lts;
      }
      rup_->add_axiom(clause);
    }
    if (clauses != announced) formula.fail("another number of clauses was announced");
    if (grounds.next()) grounds.fail("there is no clause for this ground");
    if (tests.next()) tests.fail("no clause excludes this test");
    report_.clauses += clauses;
  }

  void check_test(const Input& tests, const Input& formula, const std::vector<int>& clause) {
    const Instructions code = read_test(tests, shape_);
    // This also says that the test fits the bounds.
    if (!grounds_.excludes_exactly(clause, code)) {
      formula.fail("the clause does not exclude exactly the next test of tests.txt");
    }
    if (!is_canonical(code)) tests.fail("locations are not numbered by first use");
    for (const Constraint constraint :
         violated_constraints(to_code(report_.bounds, shape_, code))) {
      if (constraint == Constraint::effective_stores && !report_.requirements.effective_stores) {
        continue;
      }
      tests.fail(fmt::format("this is no litmus test: it violates '{}'", to_string(constraint)));
    }
    std::string key;
    for (const auto& i : code) {
      for (const int field :
           {int{i.location}, int{i.check_value}, int{i.jump},
            i.exchanges ? i.exchange_value + 1 : 0, static_cast<int>(i.barrier)}) {
        key.push_back(static_cast<char>(field));
      }
    }
    if (!seen_.insert(std::move(key)).second) tests.fail("this test is listed before");
    ++tests_;
  }

  void check_refutation() {
    Input proof(directory_ / "proof.drat");
    std::vector<int> clause;
    std::uint64_t lines = 0;
    while (!rup_->refuted() && proof.next()) {
      if (lines++ % 1024 == 0) poll();
      std::string_view line = proof.line();
      const bool deletes = line.substr(0, 2) == "d ";
      if (deletes) line.remove_prefix(2);
      proof.clause(line, variables_, clause);
      if (deletes) {
        rup_->remove(clause);
      } else {
        ++report_.lemmas;
        if (!rup_->add_lemma(clause)) proof.fail("the lemma does not follow by unit propagation");
      }
    }
    if (!rup_->refuted()) proof.fail("the proof ends without a contradiction");
    rup_.reset();
  }

  void run_drat_trim();

  ProofReport& report_;
  const Shape& shape_;
  fs::path directory_;
  const ProofCheckOptions& options_;
  GroundChecker grounds_;
  std::unique_ptr<RupChecker> rup_;
  int variables_ = 0;
  std::uint64_t tests_ = 0;
  std::unordered_set<std::string> seen_;
};

// The program's path, or nothing if it is not there.
fs::path find_program(const std::string& name) {
  const auto runs = [](const fs::path& path) { return access(path.c_str(), X_OK) == 0; };
  if (name.empty()) return {};
  if (name.find('/') != std::string::npos) return runs(name) ? fs::path(name) : fs::path();
  const char* variable = std::getenv("PATH");
  std::string_view rest = variable != nullptr ? variable : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    fs::path candidate = fs::path(rest.substr(0, end)) / name;
    if (end > 0 && runs(candidate)) return candidate;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

std::string quoted(const std::string& word) {
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

void ShapeCheck::run_drat_trim() {
  const fs::path program = find_program(options_.drat_trim);
  if (program.empty()) return;
  const fs::path proof = directory_ / "proof.drat";
  const std::string command =
      fmt::format("{} {} {} -t 1000000 2>&1", quoted(program.string()),
                  quoted((directory_ / "formula.cnf").string()), quoted(proof.string()));
  std::string output;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  if (!pipe) throw Error(fmt::format("cannot run {}", program.string()));
  std::array<char, 4096> buffer;
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe.get())) {
    output.append(buffer.data(), size);
  }
  // A formula that unit propagation refutes needs no proof, and drat-trim says so in other words.
  if (output.find("s VERIFIED") == std::string::npos &&
      output.find("trivial UNSAT") == std::string::npos) {
    throw Error(fmt::format("{}: drat-trim does not accept it", proof.string()));
  }
  report_.drat_trim_ran = true;
}

void read_placement(const nlohmann::json& json, const fs::path& path, Bounds& bounds) {
  const auto sizes =
      json.at("threads_of_subgroups_of_workgroups").get<std::vector<std::vector<int>>>();
  int threads = 0;
  bool whole = !sizes.empty();
  for (const std::vector<int>& workgroup : sizes) {
    whole = whole && !workgroup.empty();
    for (const int size : workgroup) {
      whole = whole && size >= 1 && size <= kMaxSynthInstructions;
      threads += whole ? size : 0;
    }
  }
  if (!whole || threads > kMaxSynthInstructions) {
    throw Error(fmt::format("{}: this is no placement of 1 to {} threads", path.string(),
                            kMaxSynthInstructions));
  }
  bounds.placement = Topology::placed(sizes);
  bounds.barriers.workgroup = json.at("barriers_of_workgroups").get<bool>();
  bounds.barriers.subgroup = json.at("barriers_of_subgroups").get<bool>();
  bounds.barriers.ended_count = json.at("ended_count").get<bool>();
}

void check_all(const fs::path& directory, const ProofCheckOptions& options, ProofReport& report) {
  const fs::path path = directory / "proof.json";
  const auto json = nlohmann::json::parse(read_file(path));
  const bool placed = json.contains("placement");
  if (json.at("format") != "headway synthesis proof" || json.at("version") != (placed ? 2 : 1)) {
    throw Error(fmt::format("{}: this is no synthesis proof of version 1 or 2", path.string()));
  }
  const auto& bounds = json.at("bounds");
  report.bounds = {bounds.at("threads"), bounds.at("instructions"), bounds.at("locations"),
                   bounds.at("values")};
  if (placed) read_placement(json.at("placement"), path, report.bounds);
  validate(report.bounds);
  report.requirements.effective_stores = json.at("requirements").at("effective_stores").get<bool>();

  const auto& listed = json.at("shapes");
  const std::vector<Shape> all = shapes(report.bounds);
  if (listed.size() != all.size()) {
    throw Error(fmt::format("{}: expected {} shapes", path.string(), all.size()));
  }
  for (std::size_t s = 0; s < all.size(); ++s) {
    if (listed[s].at("shape").get<Shape>() != all[s]) {
      throw Error(fmt::format("{}: expected shape {}", path.string(), fmt::join(all[s], "-")));
    }
    const std::string name = fmt::format("shape-{}", fmt::join(all[s], "-"));
    ShapeCheck check(report, all[s], directory / name, options);
    check.run();
    if (listed[s].at("tests").get<std::uint64_t>() != check.tests()) {
      throw Error(fmt::format("{}: {} has {} tests", path.string(), name, check.tests()));
    }
    report.tests += check.tests();
    ++report.shapes;
    if (options.shape_done) options.shape_done(all[s]);
  }
}

}  // namespace

ProofReport check_proof(const fs::path& directory, const ProofCheckOptions& options) {
  ProofReport report;
  try {
    check_all(directory, options, report);
    report.accepted = true;
  } catch (const Stopped&) {
    report.stopped = true;
  } catch (const nlohmann::json::exception& error) {
    report.problem = fmt::format("{}: {}", (directory / "proof.json").string(), error.what());
  } catch (const Error& error) {
    report.problem = error.diagnostic();
  }
  return report;
}

std::string ProofReport::to_string() const {
  if (stopped) return "stopped before the proof was checked";
  if (!accepted) return "the proof is rejected: " + problem;
  std::string launch = fmt::format("{} threads", bounds.threads);
  if (bounds.placement) launch += fmt::format(" placed as {}", bounds.placement->placement());
  if (bounds.barriers.any()) {
    launch +=
        fmt::format(", barriers of {}{}{}{},", bounds.barriers.subgroup ? "subgroups" : "",
                    bounds.barriers.subgroup && bounds.barriers.workgroup ? " and " : "",
                    bounds.barriers.workgroup ? "workgroups" : "",
                    bounds.barriers.ended_count ? " where threads that have ended count" : "");
  }
  std::string text = fmt::format(
      "{} tests with {} and {} instructions are all there are ({} locations, {} "
      "values{}).\n"
      "Each is a litmus test. Each of the other {} clauses of the formulas, {} of them about "
      "programs that are no litmus test, was derived again from the language's step.\n"
      "That the formula of each of {} shape{} has no model was checked by headway's own checker of "
      "unit propagation "
      "proofs ({} lemmas).\n",
      tests, launch, bounds.instructions, bounds.locations, bounds.values,
      requirements.effective_stores ? ", effective stores" : "", clauses - tests, rejections,
      shapes, shapes == 1 ? "" : "s", lemmas);
  text += drat_trim_ran ? "drat-trim accepts the proofs, too."
                        : "The proofs were not checked by an external tool: drat-trim is not "
                          "installed or was not asked for.";
  return text;
}

}  // namespace headway::synth::sat
