// headway verify: kernels proved free of races and divergence, for all arguments.
#ifdef HEADWAY_KERNELS
#include "verify/verify.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <mutex>
#include <set>
#include <sstream>

#include "base/bits/sha256.hpp"
#include "base/file.hpp"
#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "base/text/key.hpp"
#include "base/text/suggestion.hpp"
#include "checker/check.hpp"
#include "cli/app.hpp"
#include "cli/console.hpp"
#include "cli/findings.hpp"
#include "cli/inputs.hpp"
#include "cli/kernels.hpp"
#include "cli/options.hpp"
#include "cli/shard.hpp"
#include "cli/verify_answers.hpp"
#include "kernel/directives.hpp"
#include "kernel/test/analysis.hpp"
#include "kernel/test/expected.hpp"
#include "kernel/test/kernel_tests.hpp"
#include "kernel/test/templates.hpp"
#include "lang/test.hpp"
#include "models/scoped.hpp"
#include "report/properties.hpp"
#include "report/table.hpp"
#include "verify/kept.hpp"
#include "verify/output.hpp"
#include "verify/page.hpp"
#include "verify/preconditions.hpp"
#include "verify/refuters.hpp"
#include "verify/rule_study.hpp"

namespace headway::cli {
namespace {

struct VerifyArguments {
  std::vector<std::string> paths, models, kernels, arguments, buffers, assumptions, left_out, flags,
      specialization;
  std::string block, grid, format = "table", dump, reads = "any", shard, schedule = "houdini",
                           fences = "ptx";
  bool benign = false, cross_check = false, lockstep = false, bounds = false, rules = false,
       keep = false, suggest = false;
  int timeout = 30, jobs = 0, subgroup = 32;
};

// "64", "8,8", or "any" in place of a number, or of them all.
std::array<std::optional<std::uint32_t>, 3> sizes_of(const std::string& text, const char* option) {
  std::string numbers;
  std::vector<bool> open;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    open.push_back(word == "any");
    numbers += (numbers.empty() ? "" : ",") + (word == "any" ? "1" : word);
  }
  const kernel::Extent extent = kernel::parse_extent(numbers, {option, 0, 0});
  std::array<std::optional<std::uint32_t>, 3> sizes{extent[0], extent[1], extent[2]};
  for (std::size_t d = 0; d < open.size() && d < 3; ++d) {
    if (open[d]) sizes[d].reset();
  }
  return sizes;
}

verify::Options options_of(const VerifyArguments& arguments) {
  verify::Options options;
  options.launch.subgroup = static_cast<std::uint32_t>(arguments.subgroup);
  for (const std::string& text : arguments.arguments) {
    const std::size_t equals = text.find('=');
    const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
    char* end = nullptr;
    const long long number = std::strtoll(value.c_str(), &end, 0);
    if (value.empty() || *end != '\0') {
      throw Error(fmt::format("--arg {}: expected NAME=NUMBER, as in n=1024", text));
    }
    options.arguments[text.substr(0, equals)] = static_cast<std::uint64_t>(number);
  }
  for (const std::string& text : arguments.buffers) {
    kernel::add_buffer(options.stated, kernel::parse_buffer(text, {"--buffer " + text, 0, 0}));
  }
  for (const std::string& text : arguments.assumptions) {
    options.stated.assumptions.push_back({text, {"--assume", 0, 0}});
  }
  for (const std::string& rule : arguments.left_out) options.left_out.insert(rule);
  options.equal_reads = arguments.reads == "equal";
  options.benign_count = arguments.benign;
  options.lockstep = arguments.lockstep;
  options.bounds = arguments.bounds;
  options.overflow = true;
  options.cross_check = arguments.cross_check;
  options.schedule = verify::parse_schedule(arguments.schedule);
  options.dump = arguments.dump;
  options.kernel_limit = std::chrono::seconds(arguments.timeout);
  options.query_limit =
      std::min<std::chrono::milliseconds>(std::chrono::milliseconds(4000), options.kernel_limit);
  options.stop = &Interrupt::flag();
  if (!options.dump.empty()) std::filesystem::create_directories(options.dump);
  return options;
}

// The models under which a launch need not end, weakly fair; nothing where one is not decided.
std::optional<std::string> not_ending_under(const std::vector<models::ModelPtr>& models,
                                            const kernel::Analysis& analysis,
                                            const kernel::LaunchSpec& spec) {
  checker::CheckOptions limits;
  limits.max_states = 2'000'000;
  limits.strong = false;
  try {
    const std::unique_ptr<lang::Program> program = kernel::checker_program(analysis, spec);
    checker::Checker checker;
    const checker::CheckResult result = checker.check(*program, models, limits);
    std::string names;
    for (std::size_t m = 0; m < models.size(); ++m) {
      const checker::Verdict verdict = result.verdicts[m].weak;
      if (verdict == checker::Verdict::unknown) return {};
      if (verdict == checker::Verdict::pass) continue;
      names += (names.empty() ? "" : ", ") + models[m]->name();
    }
    return names;
  } catch (const lang::Undecided&) {
    return {};
  }
}

// For each of the models, whether a launch that waits ends under it.
void ask_of_models(verify::Options& options, std::vector<models::ModelPtr> models) {
  if (models.empty()) return;
  std::vector<std::string> names;
  names.reserve(models.size());
  for (const models::ModelPtr& model : models) names.push_back(model->name());
  options.models = fmt::format("{}", fmt::join(names, ", "));
  options.not_ending = [models = std::move(models)](const auto& analysis, const auto& spec) {
    return not_ending_under(models, analysis, spec);
  };
}

// What a file says that is asked of a launch, besides models.
void add_what_is_asked(const kernel::VerifyDirective& directive, verify::Options& options) {
  options.bounds = options.bounds || directive.bounds;
  options.lockstep = options.lockstep || directive.lockstep;
  options.benign_count = options.benign_count || directive.count_benign;
  options.equal_reads = options.equal_reads || directive.equal_reads;
}

std::vector<models::ModelPtr> named_models(const models::Library& library,
                                           const kernel::VerifyDirective& directive) {
  std::vector<models::ModelPtr> result;
  for (const kernel::VerifyDirective::Model& one : directive.models) {
    try {
      result.push_back(library.named(one.name));
    } catch (const Error& error) {
      throw Error(one.where, error.what(), one.source_line);
    }
  }
  return result;
}

// Each once, by its name.
std::vector<models::ModelPtr> joined(std::vector<models::ModelPtr> all,
                                     const std::vector<models::ModelPtr>& more) {
  for (const models::ModelPtr& model : more) {
    const bool known = std::any_of(all.begin(), all.end(), [&](const models::ModelPtr& other) {
      return other->name() == model->name();
    });
    if (!known) all.push_back(model);
  }
  return all;
}

// What --buffer says of other kernels of the files is not for this one.
void keep_own_buffers(kernel::LaunchSpec& stated, const kernel::Function& function) {
  std::erase_if(stated.buffers, [&](const auto& buffer) {
    return std::none_of(function.parameters.begin(), function.parameters.end(),
                        [&](const kernel::Parameter& p) {
                          return p.name == buffer.first && p.type.is_pointer() && p.by_value == 0;
                        });
  });
}

// What is taken for granted together, with the kernels of which that is so, in their order.
std::vector<std::pair<std::string, std::vector<std::string>>> by_premises(
    const std::vector<verify::Report>& reports) {
  std::vector<std::pair<std::string, std::vector<std::string>>> result;
  for (const verify::Report& r : reports) {
    if (r.premises.empty()) continue;
    const std::string text = fmt::format("{}", fmt::join(r.premises, "; "));
    auto known = std::find_if(result.begin(), result.end(),
                              [&](const auto& one) { return one.first == text; });
    if (known == result.end()) known = result.insert(known, {text, {}});
    known->second.push_back(r.kernel);
  }
  return result;
}

std::string text_of(const std::vector<Answered>& all, const std::vector<Error>& errors,
                    const std::string& format) {
  std::vector<verify::Report> reports;
  reports.reserve(all.size());
  for (const Answered& one : all) reports.push_back(one.report);
  if (format == "json") return verify::to_json(reports);
  if (is_of_findings(format)) {
    std::vector<report::Finding> findings = report::findings_of(errors);
    for (report::Finding& each : findings_of(all)) findings.push_back(std::move(each));
    return findings_text("verify", format, findings);
  }
  if (format == "html") {
    std::map<std::string, std::string> sources;
    for (const verify::Report& r : reports) {
      if (!r.file.ends_with(".bc")) sources.try_emplace(r.file, read_file(r.file));
    }
    return verify::to_html(reports, sources);
  }
  std::vector<report::PropertyRow> rows;
  for (const verify::Report& r : reports) {
    for (const verify::Finding& f : r.findings) {
      rows.push_back(
          {r.file, r.kernel, std::string(name_of(f.property)), status_of(f), f.line, f.detail});
    }
  }
  if (format == "csv") return report::property_csv(rows);
  std::string text = report::property_table(rows);
  std::vector<std::string> covers, assumed;
  for (const verify::Report& r : reports) {
    if (std::find(covers.begin(), covers.end(), r.covers) == covers.end()) {
      covers.push_back(r.covers);
    }
    for (const std::string& what : r.assumed) assumed.push_back(r.kernel + ": " + what);
  }
  for (const std::string& what : assumed) text += "\nassumed: " + what;
  for (const auto& [premises, kernels] : by_premises(reports)) {
    text += "\ntaken for granted: " + premises;
    if (kernels.size() < reports.size()) text += fmt::format(" ({})", fmt::join(kernels, ", "));
  }
  for (const std::string& what : covers) text += "\n" + what;
  const auto about_bounds = [](const auto& row) { return row.property == "bounds"; };
  const bool bounds = std::any_of(rows.begin(), rows.end(), about_bounds);
  if (!bounds) text += "\nends of arrays are not looked at without --bounds";
  return text + "\n";
}

// The options that decide answers, and the models that they name.
Key deciding(const VerifyArguments& arguments, const std::vector<models::ModelPtr>& models) {
  Key key;
  for (const auto* list :
       {&arguments.kernels, &arguments.arguments, &arguments.buffers, &arguments.assumptions,
        &arguments.left_out, &arguments.flags, &arguments.specialization}) {
    key.list(*list);
  }
  key.texts(arguments.block, arguments.grid, arguments.reads, arguments.schedule, arguments.fences);
  key.numbers(arguments.benign, arguments.lockstep, arguments.bounds, arguments.cross_check,
              arguments.timeout, arguments.subgroup, arguments.suggest);
  key.list(models, [&](const models::ModelPtr& model) { key.texts(models::rule_key(*model)); });
  return key;
}

// What decides the answers, all parts of which have this in common.
std::string identity_of(Key key, const std::vector<std::filesystem::path>& files) {
  key.list(files, [&](const auto& file) { key.texts(file.string(), read_file(file)); });
  return sha256(key.text());
}

// What decides the answers about a file: its path, the code that a compiler made of it, its text
// with the directives in it, and the models that these name.
std::string key_of_file(Key key, const std::filesystem::path& file, const kernel::Module& module,
                        const kernel::Directives& directives, const models::Library& library) {
  key.texts(file.string(), module.fingerprint, kernel::is_text(file) ? read_file(file) : "");
  key.list(directives.launches, [&](const kernel::LaunchDirective& launch) {
    key.list(named_models(library, launch.verify),
             [&](const models::ModelPtr& model) { key.texts(models::rule_key(*model)); });
  });
  return sha256(key.text());
}

std::unique_ptr<verify::KeptReports> kept_reports(const VerifyArguments& arguments) {
  if (!arguments.keep) return {};
  if (arguments.paths.size() != 1 || arguments.rules || !arguments.shard.empty() ||
      !arguments.dump.empty()) {
    throw Error("--keep goes with one PATH, and without --rules, --shard and --dump-smt");
  }
  auto result = std::make_unique<verify::KeptReports>(verify::kept_path(arguments.paths.front()));
  if (!result->note().empty()) complain(result->note());
  return result;
}

bool is_asked(const VerifyArguments& arguments, const kernel::Function& function) {
  return arguments.kernels.empty() || std::ranges::count(arguments.kernels, function.name) > 0;
}

Outcome run_verify(const VerifyArguments& arguments) {
  const Interrupt interrupt;
  verify::Options options = options_of(arguments);
  models::Library library;
  const std::vector<models::ModelPtr> models = arguments.models.empty()
                                                   ? std::vector<models::ModelPtr>()
                                                   : find_models(library, arguments.models);
  ask_of_models(options, models);
  std::vector<std::filesystem::path> files = find_kernels(arguments.paths);
  std::optional<Shard> shard;
  std::string identity;
  if (!arguments.shard.empty()) {
    if (arguments.format != "csv" || arguments.rules) {
      throw Error("--shard goes with --format csv and without --rules");
    }
    shard = parse_shard(arguments.shard);
    identity = identity_of(deciding(arguments, models), files);
    const auto [from, to] = shard->range(files.size());
    files = {files.begin() + static_cast<std::ptrdiff_t>(from),
             files.begin() + static_cast<std::ptrdiff_t>(to)};
  }
  const std::unique_ptr<verify::KeptReports> kept = kept_reports(arguments);
  Progress progress("files", files.size());
  const CoreLimit cores(arguments.jobs);
  kernel::Compiler compiler;
  kernel::CompileOptions compile;
  compile.flags = arguments.flags;
  compile.fences_of_cpp = arguments.fences == "c++";
  for (const std::string& text : arguments.specialization) {
    const auto given = kernel::parse_specialization(text, {"--spec", 0, 0});
    compile.specialization[given.first] = given.second;
  }
  compile.interrupted = &Interrupt::flag();
  Outcome outcome;
  std::mutex mutex;
  verify::RuleStudy study;
  std::set<std::string> names;  // of kernels, where some were asked for
  std::vector<Error> unreadable;
  std::vector<std::vector<verify::Report>> reports(files.size());
  std::vector<kernel::Directives> said(files.size());
  parallel_for(files.size(), [&](std::size_t f) {
    if (Interrupt::flag()) return;
    try {
      verify::Options own = options;
      if (!arguments.block.empty()) own.launch.block = sizes_of(arguments.block, "--block");
      if (!arguments.grid.empty()) own.launch.grid = sizes_of(arguments.grid, "--grid");
      if (kernel::is_text(files[f]))
        said[f] = kernel::parse_directives(read_file(files[f]), files[f].string());
      const kernel::Directives& directives = said[f];
      const auto start = std::chrono::steady_clock::now();
      const kernel::ReadKernels read =
          kernel::read_kernels(files[f], kernel::Side::device, kernel::with(directives, compile),
                               compiler, kernel::sized_buffers(directives, options.stated));
      const double reading =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      const kernel::Module& module = *read.module;
      kernel::require_kernels(directives, module);
      for (const std::string& name : module.templates) {
        const std::lock_guard lock(mutex);
        complain(fmt::format("note: {}: {}", files[f].string(), kernel::template_note(name)));
      }
      std::vector<const kernel::LaunchDirective*> looked;
      for (const kernel::Function& function : module.functions) {
        if (is_asked(arguments, function)) looked.push_back(launch_of(directives, function.name));
      }
      for (const std::string& note : kernel::unlooked(directives, looked, kernel::Looker::verify)) {
        const std::lock_guard lock(mutex);
        complain("note: " + note);
      }
      std::string key;
      if (kept) {
        key = key_of_file(deciding(arguments, models), files[f], module, directives, library);
        if (auto known = kept->find(key)) {
          reports[f] = std::move(*known);
          progress.advance();
          return;
        }
      }
      std::vector<const kernel::Function*> chosen;
      for (const kernel::Function& function : module.functions) {
        if (!arguments.kernels.empty()) {
          const std::lock_guard lock(mutex);
          names.insert(function.name);
        }
        if (is_asked(arguments, function)) chosen.push_back(&function);
      }
      std::vector<verify::Report> own_reports(chosen.size());
      parallel_for(chosen.size(), [&](std::size_t k) {
        verify::Options of_kernel = own;
        keep_own_buffers(of_kernel.stated, *chosen[k]);
        std::vector<models::ModelPtr> of_file;
        bool sized = !arguments.block.empty();
        // The sizes of the first launch that the file asks for, where the command line has none.
        if (const auto* launch = launch_of(directives, chosen[k]->name); launch != nullptr) {
          sized = sized || launch->block.has_value();
          for (std::size_t d = 0; d < 3; ++d) {
            if (launch->block && arguments.block.empty())
              of_kernel.launch.block[d] = (*launch->block)[d];
            if (launch->grid && arguments.grid.empty())
              of_kernel.launch.grid[d] = (*launch->grid)[d];
          }
          if (launch->subgroup) of_kernel.launch.subgroup = *launch->subgroup;
          of_kernel.lockstep = of_kernel.lockstep || launch->lockstep;
          of_kernel.stated = kernel::with(*launch, of_kernel.stated);
          add_what_is_asked(launch->verify, of_kernel);
          of_file = named_models(library, launch->verify);
        }
        // The default, as far as the kernel takes it.
        std::optional<std::uint32_t>& width = of_kernel.launch.block[0];
        const std::uint32_t most = chosen[k]->most_threads;
        if (!sized && most > 0) width = std::min(*width, most);
        if (!of_file.empty()) ask_of_models(of_kernel, joined(models, of_file));
        if (arguments.rules) {
          const std::lock_guard lock(mutex);
          study.add([&](const std::string& left_out) {
            verify::Options without = of_kernel;
            without.trials = without.overflow = false;
            if (!left_out.empty()) without.left_out.insert(left_out);
            return verify::verify(module, *chosen[k], without);
          });
          return;
        }
        own_reports[k] = verify::verify(module, *chosen[k], of_kernel);
        own_reports[k].stages.front_end = reading;
        verify::note_plain_ranges(own_reports[k], module, *chosen[k], of_kernel);
        if (arguments.suggest) {
          verify::suggest_preconditions(own_reports[k], module, *chosen[k], of_kernel);
        }
      });
      if (kept && !Interrupt::flag()) kept->add(key, own_reports);
      reports[f] = std::move(own_reports);
    } catch (const Error& error) {
      const std::lock_guard lock(mutex);
      complain(error);
      unreadable.push_back(error);
      outcome.bad_input();
    }
    progress.advance();
  });
  if (kept) kept->write();
  if (arguments.rules) {
    report::TextTable table;
    for (const auto& row : study.rows()) {
      std::vector<report::Cell> cells;
      cells.reserve(row.size());
      for (const std::string& text : row) cells.push_back({text, report::Color::none});
      table.add_row(std::move(cells));
    }
    print(arguments.format == "csv"
              ? table.to_csv()
              : table.to_string(fitting_style()) +
                    fmt::format("\n{} of {} kernels verify\n", study.verified(), study.kernels()));
    if (Interrupt::flag()) outcome.interrupted();
    return outcome;
  }
  std::vector<Answered> all;
  for (std::size_t f = 0; f < reports.size(); ++f) {
    for (verify::Report& one : reports[f]) {
      all.push_back(answered(std::move(one), said[f]));
    }
  }
  if (all.empty() && outcome.status() == 0 && !shard) {
    for (const std::string& name : arguments.kernels) {
      throw Error(fmt::format("there is no kernel '{}' in what was read{}", name,
                              did_you_mean(name, {names.begin(), names.end()})));
    }
    throw Error("there is no kernel in what was read");
  }
  const std::string text = text_of(all, unreadable, arguments.format);
  // A part is whole or not there; behind an error there is no empty table.
  if (!shard) {
    if (!all.empty() || arguments.format != "table") print(text);
  } else if (!Interrupt::flag()) {
    print(shard_text(*shard, "kernels", identity, text));
  }
  for (const Answered& one : all) {
    for (const Error& error : one.held.unmet) complain(error);
  }
  // What is violated is so, whatever else is open.
  if (std::ranges::any_of(all, is_unmet)) {
    outcome.unmet();
  } else if (std::ranges::any_of(all, leaves_open)) {
    outcome.limit();
  }
  if (Interrupt::flag()) outcome.interrupted();
  return outcome;
}

}  // namespace

void add_verify(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<VerifyArguments>();
  CLI::App* command = app.add_subcommand(
      "verify", "Prove kernels free of races, barrier divergence and failed assertions");
  command
      ->add_option("PATH", arguments->paths,
                   "Kernels: .cu, .cl, .ll and .bc files, shaders, or folders")
      ->required();
  add_models_option(*command, arguments->models,
                    "A progress model under which the launch that the file describes has to end");
  command->add_option("--kernel", arguments->kernels, "Only this kernel")->type_name("NAME");
  command
      ->add_option("--block", arguments->block,
                   "Threads of a workgroup, as 64 or 16,16; 'any' for all sizes (default: as the "
                   "file says, or 64)")
      ->type_name("X,Y,Z");
  command
      ->add_option("--grid,--groups", arguments->grid,
                   "Workgroups, as 64 or 8,8; 'any' for all sizes (default: as the file says, or "
                   "64)")
      ->type_name("X,Y,Z");
  add_number_option(*command, "--subgroup", arguments->subgroup, 1, 64,
                    "Threads of a subgroup (default 32)");
  command->add_option("--arg", arguments->arguments, "The value of an argument")
      ->type_name("NAME=NUMBER");
  command
      ->add_option("--buffer", arguments->buffers,
                   "What a pointer goes to in runs, and how large it is for --bounds, as in=64, "
                   "in=n*4, in=64:zero or in=4:{1,2,3}")
      ->type_name("NAME=SIZE");
  command
      ->add_option("--assume", arguments->assumptions,
                   "A condition on integer arguments and sizes, such as 'n <= 4 * blockDim.x'")
      ->type_name("CONDITION");
  add_choice_option(*command, "--reads", arguments->reads, {"any", "equal"},
                    "What shared memory gives that is written: any value, or the same one to both "
                    "threads where nothing was written between (any, equal)");
  command->add_flag("--count-benign", arguments->benign,
                    "Two writes of the same value are a race, too");
  add_choice_option(*command, "--fences", arguments->fences, {"ptx", "c++"},
                    "How fences of CUDA synchronize: in PTX's order of all that are sequentially "
                    "consistent, or by C++'s rules alone (ptx, c++)");
  command->add_flag("--rules", arguments->rules,
                    "Instead of answers say what each rule for candidates is worth: kernels that "
                    "trigger it, candidates, how many hold, kernels that need it, and rules that "
                    "it influences");
  command->add_flag("--bounds", arguments->bounds,
                    "Look at the ends of arrays whose size is known, and of buffers whose size is "
                    "given, and at null, too");
  command->add_flag("--suggest", arguments->suggest,
                    "For kernels that are not verified, look for a condition on an argument with "
                    "which they are");
  command->add_flag("--lockstep", arguments->lockstep,
                    "Threads of a subgroup execute each instruction together");
  command->add_option("--no-rule", arguments->left_out, "Leave out a rule for candidates, as r7")
      ->type_name("RULE");
  command
      ->add_option("--schedule", arguments->schedule,
                   "Engines that refute candidates before Houdini, or with + beside it, as "
                   "sbase,houdini+lu2: sbase (entries of loops), sstep (rounds), lu1 to lu9 (first "
                   "rounds), dyn (runs)")
      ->type_name("ENGINES");
  command->add_option("--dump-smt", arguments->dump, "Write all questions as SMT-LIB 2 to a folder")
      ->type_name("DIR");
  command->add_flag("--cross-check", arguments->cross_check,
                    "What one solver proves another one has to prove, too");
  command
      ->add_option("--spec", arguments->specialization,
                   "A specialization constant of SPIR-V, as 0=64")
      ->type_name("ID=NUMBER");
  command->add_option("--flag", arguments->flags, "For the compiler, as --flag=-DN=4")
      ->type_name("FLAG");
  add_number_option(*command, "--timeout", arguments->timeout, 1, 86400,
                    "Seconds for each kernel (default 30)");
  add_jobs_option(*command, arguments->jobs);
  command->add_flag("--keep", arguments->keep,
                    "Keep what is decided beside PATH, in verify.json or FILE.verify.json, for the "
                    "next run");
  command->add_option("--shard", arguments->shard,
                      "I/N: only the I-th of N parts of the files, as CSV, joined by 'headway "
                      "merge'");
  add_format_option(*command, arguments->format,
                    {"table", "csv", "json", "sarif", "junit", "html"});
  command->footer(
      "verified: no execution that ends has such an error, whatever the arguments and data.\n"
      "violated: an execution was found, and replayed. possible: the proof failed; the detail "
      "says\n"
      "where. unknown: no answer in time. unsupported: something in the kernel is not modelled.\n"
      "Exit status: 0 all verified; 1 something is violated; 2 bad usage or input; 3 the rest.\n"
      "Example:\n"
      "  headway verify --block 64 --grid 64 kernel.cu");
  command->callback([arguments, &context] { context.outcome = run_verify(*arguments); });
}

}  // namespace headway::cli
#endif
