#include "cli/check_every.hpp"

#include <fmt/format.h>

#include "base/file.hpp"
#include "base/progress.hpp"
#include "base/text/names.hpp"
#include "base/text/several_errors.hpp"
#include "cli/console.hpp"
#include "cli/inputs.hpp"
#include "engine/arguments.hpp"
#include "report/every.hpp"
#include "report/every_page.hpp"
#include "report/wrong_run.hpp"

namespace headway::cli {
namespace {

using every::Answer;
using every::FamilyAnswer;

std::size_t write_certificates(const std::string& folder, const FamilyAnswer& family) {
  const std::filesystem::path path = folder;
  const std::string name = safe_name(family.name, "-+_=()");
  std::size_t written = 0;
  if (family.safety) {
    write_file(path / (name + ".safe.json"), to_json(*family.safety));
    ++written;
  }
  for (const Answer& answer : family.answers) {
    if (!answer.certificate) continue;
    write_file(path / fmt::format("{}.{}.{}.json", name, every::to_string(answer.reading.promise),
                                  models::to_string(answer.reading.fairness)),
               to_json(*answer.certificate));
    ++written;
  }
  return written;
}

// Why answers are open.
void complain_of(const FamilyAnswer& family) {
  if (!family.refusal && family.reasons.empty()) return;
  complain("remark: proofs for every N are missing here:");
  if (family.refusal) complain(*family.refusal);
  for (const Error& reason : family.reasons) complain(reason);
}

FamilyAnswer decide_one(const std::string& path, const EveryArguments& arguments,
                        const Interrupt& interrupt) {
  every::EveryOptions options;
  options.stop = &interrupt.flag();
  FamilyAnswer family =
      decide_every(read_file(path), path == "-" ? "<stdin>" : path,
                   engine::every_readings(arguments.models, arguments.fairness), options);
  if (family.name.empty()) family.name = std::filesystem::path(path).stem().string();
  return family;
}

// Those of all files; what is none is in `errors`.
std::vector<FamilyAnswer> decide_all(const EveryArguments& arguments, const Interrupt& interrupt,
                                     std::vector<Error>& errors) {
  const std::vector<every::Reading> readings =
      engine::every_readings(arguments.models, arguments.fairness);
  const std::vector<std::filesystem::path> files = find_tests(arguments.paths, errors);
  Progress progress("families", files.size());
  every::EveryOptions options;
  options.stop = &interrupt.flag();
  std::vector<FamilyAnswer> families;
  for (const std::filesystem::path& file : files) {
    if (interrupt.flag()) break;
    try {
      const std::string name = file == "-" ? "<stdin>" : file.string();
      FamilyAnswer family = decide_every(read_file(file), name, readings, options);
      if (family.name.empty()) family.name = file.stem().string();
      families.push_back(std::move(family));
    } catch (const Error& error) {
      for (Error& each : each_of(error)) errors.push_back(std::move(each));
    }
    progress.advance();
  }
  return families;
}

bool is_open(const FamilyAnswer& family) {
  return std::any_of(family.answers.begin(), family.answers.end(),
                     [](const Answer& answer) { return answer.open(); });
}

Outcome outcome_of(const FamilyAnswer& family, const Interrupt& interrupt) {
  Outcome outcome;
  const bool open = is_open(family);
  if (family.wrong) outcome.wrong();
  if (open) outcome.limit();
  return open && interrupt.flag() ? outcome.interrupted() : outcome;
}

}  // namespace

Outcome explain_every(const std::string& path, const std::string& model,
                      const std::string& fairness, const std::string& format) {
  const Interrupt interrupt(Interrupt::Patience::without_limit);
  const FamilyAnswer family = decide_one(path, {{path}, {model}, fairness, {}, {}}, interrupt);
  print(format == "json" ? report::every_explanation_json(family)
                         : report::every_explanation(family, output_style()));
  return outcome_of(family, interrupt);
}

Outcome residency_every(const std::string& path, const std::string& format) {
  const Interrupt interrupt(Interrupt::Patience::without_limit);
  const FamilyAnswer family =
      decide_one(path, {{path}, {"OBE", "fair"}, "both", {}, {}}, interrupt);
  print(format == "csv"    ? report::every_residency_csv(family)
        : format == "json" ? report::every_residency_json(family)
                           : report::every_residency(family));
  const Outcome outcome = outcome_of(family, interrupt);
  if (is_open(family)) complain_of(family);
  return outcome;
}

Outcome report_every(const std::string& path, const std::vector<std::string>& models,
                     const std::string& title, const std::string& out) {
  const Interrupt interrupt(Interrupt::Patience::without_limit);
  std::vector<Error> errors;
  const std::vector<FamilyAnswer> families =
      decide_all({{path}, models, "both", {}, {}}, interrupt, errors);
  Outcome outcome;
  for (const Error& error : errors) complain(error);
  if (!errors.empty()) outcome.bad_input();
  if (std::any_of(families.begin(), families.end(), is_open)) outcome.limit();
  if (interrupt.flag()) outcome.interrupted();
  if (families.empty()) return outcome;
  report::EveryPage page{title, HEADWAY_VERSION, families, {}};
  for (const Error& error : errors) {
    page.problems.push_back(fmt::format("{}: {}", error.where().to_string(), error.what()));
  }
  if (interrupt.flag()) page.problems.emplace_back("Interrupted: families may be missing here.");
  const std::string html = report::every_html(page);
  if (out == "-") {
    print(html);
  } else {
    write_file(out, html);
    complain(fmt::format("{} famil{} written to {}", families.size(),
                         families.size() == 1 ? "y" : "ies", out));
  }
  return outcome;
}

Outcome check_every(const EveryArguments& arguments) {
  const Interrupt interrupt(Interrupt::Patience::without_limit);
  std::vector<Error> errors;
  const std::vector<FamilyAnswer> families = decide_all(arguments, interrupt, errors);
  if (arguments.format == "csv") {
    print(report::every_csv(families));
  } else if (arguments.format == "json") {
    print(report::every_json(families));
  } else if (!families.empty()) {
    print(report::every_table(families, output_style()));
  }

  Outcome outcome;
  std::size_t written = 0;
  for (const FamilyAnswer& family : families) {
    if (family.wrong) {
      complain(fmt::format("{}: {} goes wrong: {}", family.file, family.name,
                           report::wrong_run_summary(*family.wrong)));
      outcome.wrong();
    }
    const bool open = is_open(family);
    if (open) outcome.limit();
    if (open) complain_of(family);
    if (!arguments.certificate.empty()) {
      written += write_certificates(arguments.certificate, family);
    }
  }
  if (!arguments.certificate.empty()) {
    complain(fmt::format("{} certificate{} written to {}", written, written == 1 ? "" : "s",
                         arguments.certificate));
  }
  for (const Error& error : errors) complain(error);
  if (!errors.empty()) outcome.bad_input();
  if (interrupt.flag()) outcome.interrupted();
  return outcome;
}

}  // namespace headway::cli
