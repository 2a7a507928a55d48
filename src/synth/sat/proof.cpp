#include "synth/sat/proof.hpp"

#include <fmt/format.h>

#include <cadical.hpp>
#include <cassert>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/file.hpp"
#include "synth/sat/shape_search.hpp"

namespace headway::synth::sat {
namespace {

namespace fs = std::filesystem;

// A text file that is written piece by piece.
class Output {
 public:
  explicit Output(const fs::path& path) : path_(path), out_(path, std::ios::binary) { check(); }
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    out_ << fmt::format(format, std::forward<Args>(args)...) << '\n';
  }
  void clause(const Clause& clause) {
    for (const int literal : clause) out_ << literal << ' ';
    out_ << "0\n";
  }
  void close() {
    out_.close();
    check();
  }

 private:
  void check() const {
    if (!out_) throw Error(fmt::format("cannot write {}", path_.string()));
  }
  fs::path path_;
  std::ofstream out_;
};

std::string_view word(axb::Instruction::Barrier barrier) { return to_string(level_of(barrier)); }

std::string fields(const axb::Instruction& i) {
  if (i.is_barrier()) return fmt::format("barrier={}", word(i.barrier));
  return fmt::format("location={} check={} jump={} exchange={}", i.location, i.check_value, i.jump,
                     i.exchanges ? std::to_string(i.exchange_value) : "none");
}

std::string ground(const Premise& premise) {
  const int p = premise.position;
  switch (premise.ground) {
    case Ground::choice:
      return fmt::format("choice {}", p);
    case Ground::numbering:
      return fmt::format("numbering {}", p);
    case Ground::influence:
      return fmt::format("influence {}", p);
    case Ground::reason:
      break;
  }
  switch (premise.reason.constraint) {
    case Constraint::possible_termination:
      return "stuck";
    case Constraint::non_termination_cycle:
      return "no-cycle";
    case Constraint::effective_stores:
      return fmt::format("no-change {}", p);
    default:
      return fmt::format("{} {}", premise.reason.taken ? "never-taken" : "always-taken", p);
  }
}

void write_variables(const ShapeSearch& search, const fs::path& path) {
  Output out(path);
  const Space& space = search.space();
  for (int position = 0; position < space.size(); ++position) {
    const auto& choices = space.positions[position].choices;
    for (std::size_t choice = 0; choice < choices.size(); ++choice) {
      out.line("{} choice {} {}", search.encoding().variable(position, static_cast<int>(choice)),
               position, fields(choices[choice]));
    }
  }
  for (const Term& term : search.encoding().terms()) {
    out.line("{} term {} {}", term.variable, term.position, term.name);
  }
  out.close();
}

// The formula is solved once more, from scratch: so its refutation does not depend on the order in
// which the search found its clauses, and every step of the proof follows by unit propagation.
void write_refutation(const std::vector<const Clause*>& formula, const fs::path& path) {
  CaDiCaL::Solver solver;
  solver.set("quiet", 1);
  solver.set("binary", 0);
  if (!solver.trace_proof(path.c_str())) {
    throw Error(fmt::format("cannot write {}", path.string()));
  }
  for (const Clause* clause : formula) {
    for (const int literal : *clause) solver.add(literal);
    solver.add(0);
  }
  [[maybe_unused]] const int status = solver.solve();
  assert(status == 20);
  solver.close_proof_trace();
}

}  // namespace

ProofSummary write_proof(const Bounds& bounds, const Requirements& requirements,
                         const fs::path& directory, const ProofOptions& options) {
  validate(bounds);
  if (bounds.barriers.structured) {
    throw Error("a proof is of all programs with barriers; expected no structured ones");
  }
  std::error_code error;
  fs::create_directories(directory, error);
  fs::remove(directory / "proof.json", error);
  const std::atomic<bool> never = false;
  const std::atomic<bool>& stop = options.stop != nullptr ? *options.stop : never;

  ProofSummary summary;
  nlohmann::ordered_json shapes_json = nlohmann::ordered_json::array();
  for (const Shape& shape : shapes(bounds)) {
    const std::string name = fmt::format("shape-{}", fmt::join(shape, "-"));
    fs::create_directories(directory / name, error);
    if (error) throw Error(fmt::format("cannot create {}", (directory / name).string()));

    ShapeSearch search(bounds, shape, requirements);
    search.keep_rejections();
    const Space& space = search.space();
    std::vector<Clause> blocking;
    Output tests(directory / name / "tests.txt");
    const Found found = [&](const Instructions& code) {
      std::vector<std::uint16_t> program;
      std::string line;
      for (int position = 0; position < space.size(); ++position) {
        const axb::Instruction& i = code[position];
        program.push_back(static_cast<std::uint16_t>(space.choice_of(position, i)));
        if (position > 0) line += ' ';
        if (i.is_barrier()) {
          line += word(i.barrier);
          continue;
        }
        line += fmt::format("{},{},{},{}", i.location, i.check_value, i.jump,
                            i.exchanges ? std::to_string(i.exchange_value) : "-");
      }
      tests.line("{}", line);
      blocking.push_back(search.encoding().excluding(program));
      if (options.found) options.found(shape, code);
      return true;
    };
    if (!search.enumerate(found, stop)) return summary;
    tests.close();

    Output grounds(directory / name / "grounds.txt");
    std::vector<const Clause*> formula;
    for (const auto* premises : {&search.encoding().premises(), &search.rejections()}) {
      for (const Premise& premise : *premises) {
        formula.push_back(&premise.clause);
        grounds.line("{}", ground(premise));
      }
    }
    for (const Clause& clause : blocking) {
      formula.push_back(&clause);
      grounds.line("test");
    }
    grounds.close();
    Output cnf(directory / name / "formula.cnf");
    cnf.line("p cnf {} {}", search.encoding().variables(), formula.size());
    for (const Clause* clause : formula) cnf.clause(*clause);
    cnf.close();
    write_variables(search, directory / name / "variables.txt");
    write_refutation(formula, directory / name / "proof.drat");

    summary.shapes.push_back({shape, search.encoding().variables(), formula.size(),
                              search.rejections().size(), blocking.size()});
    shapes_json.push_back({{"shape", shape},
                           {"directory", name},
                           {"variables", search.encoding().variables()},
                           {"clauses", formula.size()},
                           {"rejections", search.rejections().size()},
                           {"tests", blocking.size()}});
    if (options.shape_done) options.shape_done(shape);
  }

  nlohmann::ordered_json json;
  json["format"] = "headway synthesis proof";
  json["version"] = bounds.placement ? 2 : 1;
  json["bounds"] = {{"threads", bounds.threads},
                    {"instructions", bounds.instructions},
                    {"locations", bounds.locations},
                    {"values", bounds.values}};
  if (bounds.placement) {
    nlohmann::ordered_json& launch = json["placement"];
    launch["threads_of_subgroups_of_workgroups"] = bounds.placement->sizes();
    launch["barriers_of_workgroups"] = bounds.barriers.workgroup;
    launch["barriers_of_subgroups"] = bounds.barriers.subgroup;
    launch["ended_count"] = bounds.barriers.ended_count;
  }
  json["requirements"] = {{"effective_stores", requirements.effective_stores}};
  json["files"] = {
      {"variables.txt",
       "what each variable of the formula says of the instruction at a position (thread after "
       "thread): it is exactly this choice, or it matches this term"},
      {"formula.cnf", "DIMACS: no canonical litmus test of the shape is missing from tests.txt"},
      {"grounds.txt", "for each clause of the formula, one a line, why it holds"},
      {"tests.txt",
       "the tests found, one a line, in the order of the clauses with ground 'test': location, "
       "check, jump and exchange of each instruction, - for no exchange; or the group whose "
       "barrier "
       "it is"},
      {"proof.drat", "the formula has no model"}};
  json["grounds"] = {
      {"choice P", "true of whatever choice of the instruction at position P"},
      {"numbering P", "otherwise locations are not numbered by first use, seen at P"},
      {"influence P", "otherwise the instruction at P violates inter-thread influence"},
      {"never-taken P", "otherwise P is a branch that is never taken"},
      {"always-taken P", "otherwise P is a branch that is always taken"},
      {"no-change P", "otherwise P is an exchange that never changes memory"},
      {"stuck", "otherwise a state is reachable from which the test cannot terminate"},
      {"no-cycle", "otherwise the LTS has no cycle"},
      {"test", "the next test of tests.txt, excluded because it is listed"}};
  json["shapes"] = std::move(shapes_json);
  write_file(directory / "proof.json", json.dump(2) + "\n");
  summary.complete = true;
  return summary;
}

}  // namespace headway::synth::sat
