// headway verify: kernels proved free of races and divergence, for all arguments.
#ifdef HEADWAY_KERNELS
#include "verify/verify.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <mutex>
#include <new>
#include <set>

#include "base/bits/sha256.hpp"
#include "base/file.hpp"
#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "base/text/key.hpp"
#include "base/text/several_errors.hpp"
#include "base/text/suggestion.hpp"
#include "cli/app.hpp"
#include "cli/console.hpp"
#include "cli/inputs.hpp"
#include "cli/kernels.hpp"
#include "cli/options.hpp"
#include "cli/shard.hpp"
#include "cli/verify_answers.hpp"
#include "cli/verify_launch.hpp"
#include "cli/verify_models.hpp"
#include "kernel/directives.hpp"
#include "kernel/ir/symbol_name.hpp"
#include "kernel/test/analysis.hpp"
#include "kernel/test/expected.hpp"
#include "kernel/test/kernel_tests.hpp"
#include "kernel/test/templates.hpp"
#include "lang/test.hpp"
#include "models/library.hpp"
#include "report/table.hpp"
#include "verify/kept.hpp"
#include "verify/preconditions.hpp"
#include "verify/refuters.hpp"
#include "verify/rule_study.hpp"

namespace headway::cli {
namespace {

struct VerifyArguments {
  std::vector<std::string> paths, models, kernels, arguments, buffers, assumptions, left_out;
  CompilerArguments compiler;
  std::string block, grid, format = "table", dump, reads = "any", shard, schedule = "houdini";
  bool benign = false, cross_check = false, lockstep = false, bounds = false, rules = false,
       keep = false, suggest = false;
  std::uint64_t workgroup_bytes = 0;
  int timeout = 30, jobs = 0, subgroup = 32;
};

verify::Options options_of(const VerifyArguments& arguments) {
  verify::Options options;
  options.launch.subgroup = static_cast<std::uint32_t>(arguments.subgroup);
  for (const std::string& text : arguments.buffers) {
    kernel::add_buffer(options.stated, kernel::parse_buffer(text, {"--buffer " + text, 0, 0}));
  }
  options.stated.workgroup_bytes = arguments.workgroup_bytes;
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
  // Who is patient gives single questions more time, too.
  options.query_limit =
      std::min(options.kernel_limit, std::max<std::chrono::milliseconds>(
                                         verify::Options().query_limit, options.kernel_limit / 16));
  options.stop = &Interrupt::flag();
  if (!options.dump.empty()) std::filesystem::create_directories(options.dump);
  return options;
}

// What a file says that is asked of a launch, besides models.
void add_what_is_asked(const kernel::VerifyDirective& directive, verify::Options& options) {
  options.bounds = options.bounds || directive.bounds;
  options.lockstep = options.lockstep || directive.lockstep;
  options.benign_count = options.benign_count || directive.count_benign;
  options.equal_reads = options.equal_reads || directive.equal_reads;
}

// The options that decide answers, and the models that they name.
Key deciding(const VerifyArguments& arguments, const std::vector<models::ModelPtr>& models) {
  Key key;
  for (const auto* list : {&arguments.kernels, &arguments.arguments, &arguments.buffers,
                           &arguments.assumptions, &arguments.left_out, &arguments.compiler.defines,
                           &arguments.compiler.includes, &arguments.compiler.included,
                           &arguments.compiler.flags, &arguments.compiler.specialization}) {
    key.list(*list);
  }
  key.texts(arguments.block, arguments.grid, arguments.reads, arguments.schedule,
            arguments.compiler.standard, arguments.compiler.compile_commands,
            arguments.compiler.fences, arguments.compiler.language);
  key.numbers(arguments.benign, arguments.lockstep, arguments.bounds, arguments.cross_check,
              arguments.timeout, arguments.subgroup, arguments.suggest, arguments.workgroup_bytes);
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
std::string key_of_file(Key key, const std::filesystem::path& file,
                        const kernel::CompileOptions& compile, const kernel::Module& module,
                        const kernel::Directives& directives, const models::Library& library) {
  key.texts(file.string(), module.fingerprint,
            kernel::is_text(file, compile) ? read_file(file) : "");
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

bool is_asked(const VerifyArguments& arguments, const kernel::Function& of) {
  const auto means = [&](const auto& name) { return kernel::is_called(name, of.name, of.symbol); };
  return arguments.kernels.empty() || std::ranges::any_of(arguments.kernels, means);
}

class Verify {
 public:
  explicit Verify(const VerifyArguments& arguments)
      : arguments_(arguments),
        options_(options_of(arguments)),
        models_(arguments.models.empty() ? std::vector<models::ModelPtr>()
                                         : find_models(library_, arguments.models)) {
    ask_of_models(options_, models_);
    if (!arguments.block.empty()) block_ = parse_sizes(arguments.block, "--block");
    if (!arguments.grid.empty()) grid_ = parse_sizes(arguments.grid, "--grid");
    given_.reserve(arguments.arguments.size());
    for (const std::string& text : arguments.arguments) given_.push_back(parse_given(text));
    compile_ = compile_options(arguments.compiler);
    const auto& [x, y, z] = block_.sizes;
    if (!arguments.block.empty() && x && y && z) compile_.group_size = {*x, *y, *z};
  }

  Outcome run() {
    files_ = find_kernels(arguments_.paths, arguments_.compiler, bad_);
    for (const Error& error : bad_) complain(error);
    if (!arguments_.shard.empty()) take_shard();
    const std::unique_ptr<verify::KeptReports> kept = kept_reports(arguments_);
    decided_.resize(files_.size());
    said_.resize(files_.size());
    const Interrupt interrupt([this] { tell(); });
    {
      Progress progress("files", files_.size());
      const CoreLimit cores(arguments_.jobs);
      parallel_for(files_.size(), [&](std::size_t f) {
        if (Interrupt::flag()) return;
        verify_file(f, kept.get());
        progress.advance();
      });
    }
    if (kept) kept->write();
    interrupt.tells();
    require_known_names();
    return tell();
  }

 private:
  void take_shard() {
    if (arguments_.format != "csv" || arguments_.rules) {
      throw Error("--shard goes with --format csv and without --rules");
    }
    shard_ = parse_shard(arguments_.shard);
    identity_ = identity_of(deciding(arguments_, models_), files_);
    const auto [from, to] = shard_->range(files_.size());
    files_ = {files_.begin() + static_cast<std::ptrdiff_t>(from),
              files_.begin() + static_cast<std::ptrdiff_t>(to)};
  }

  // What it finds is in `decided_`, kernel by kernel, or in `bad_` or `undecided_`.
  void verify_file(std::size_t f, verify::KeptReports* kept) {
    try {
      read_and_verify(f, kept);
    } catch (const lang::Undecided& why) {
      const std::lock_guard lock(mutex_);
      complain(why);
      undecided_ = true;
    } catch (const Error& error) {
      refuse(error);
    } catch (const std::bad_alloc&) {
      const std::lock_guard lock(mutex_);
      complain(files_[f].string() + ": unknown: out of memory");
      undecided_ = true;
    }
  }

  void read_and_verify(std::size_t f, verify::KeptReports* kept) {
    const std::filesystem::path& file = files_[f];
    const auto start = std::chrono::steady_clock::now();
    kernel::Directives directives;
    if (kernel::is_text(file, compile_)) {
      directives = kernel::parse_directives(read_file(file), file.string());
      const std::lock_guard lock(mutex_);
      said_[f] = directives;
    }
    kernel::CompileOptions compile = kernel::with(directives, compile_);
    compile.deadline = start + std::chrono::seconds(arguments_.timeout);
    compile.repeatable = kept != nullptr;  // what is kept goes by the code
    const kernel::ReadKernels read =
        kernel::read_kernels(file, kernel::Side::device, compile, kernel_compiler(),
                             kernel::sized_buffers(directives, options_.stated));
    const double reading =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const kernel::Module& module = *read.module;
    kernel::require_kernels(directives, module);
    std::vector<const kernel::Function*> chosen;
    std::vector<const kernel::LaunchDirective*> looked;
    for (const kernel::Function& function : module.functions) {
      if (!is_asked(arguments_, function)) continue;
      chosen.push_back(&function);
      looked.push_back(launch_of(directives, function.name));
    }
    {
      const std::lock_guard lock(mutex_);
      has_templates_ = has_templates_ || !module.templates.empty();
      for (const std::string& name : module.templates)
        complain(fmt::format("note: {}: {}", file.string(), kernel::template_note(name)));
      for (const std::string& note : kernel::unlooked(directives, looked, kernel::Looker::verify))
        complain("note: " + note);
      for (const kernel::Function& function : module.functions) names_.insert(function.name);
      if (module.functions.empty() && module.templates.empty()) {
        const kernel::NoKernel none(file);
        if (std::ranges::count(arguments_.paths, file.string()) > 0) throw none;
        complain("note: " + none.diagnostic());
        return;
      }
      for (const kernel::Function* function : chosen) parameters_.add(*function);
      // Before much time goes into answers to a question that is not the one meant.
      if (files_.size() == 1 && !shard_ && !chosen.empty())
        parameters_.require(given_, options_.stated);
      decided_[f].resize(chosen.size());
    }
    std::string key;
    if (kept != nullptr) {
      key = key_of_file(deciding(arguments_, models_), file, compile, module, directives, library_);
      if (auto known = kept->find(key)) {
        const std::lock_guard lock(mutex_);
        decided_[f].assign(known->begin(), known->end());
        return;
      }
    }
    std::vector<std::optional<verify::Report>> reports(chosen.size());
    parallel_for(chosen.size(), [&](std::size_t k) {
      try {
        reports[k] = verify_kernel(read, *chosen[k], directives, reading);
      } catch (const Error& error) {
        // The other kernels have answers all the same.
        refuse(error);
      }
      const std::lock_guard lock(mutex_);
      decided_[f][k] = reports[k];
    });
    if (kept == nullptr || Interrupt::flag() ||
        !std::ranges::all_of(reports, [](const auto& one) { return one.has_value(); })) {
      return;
    }
    std::vector<verify::Report> all;
    all.reserve(reports.size());
    for (std::optional<verify::Report>& one : reports) all.push_back(std::move(*one));
    kept->add(key, all);
  }

  // Nothing where its rules are studied instead.
  std::optional<verify::Report> verify_kernel(const kernel::ReadKernels& read,
                                              const kernel::Function& function,
                                              const kernel::Directives& directives,
                                              double reading) {
    const kernel::Module& module = *read.module;
    verify::Options options = options_for(function, directives, reading);
    const kernel::LaunchDirective* launch = launch_of(directives, function.name);
    const bool is_usual = takes_usual(function, launch);
    if (arguments_.block.empty() && (launch == nullptr || !launch->block)) {
      const std::string note =
          is_usual ? usual_note(function, options) : fill_tiles(read, function, options);
      const std::lock_guard lock(mutex_);
      if (!note.empty()) complain(fmt::format("note: {}: {}", module.path, note));
    }
    if (arguments_.rules) {
      study(module, function, options);
      return {};
    }
    if (launch == nullptr && !is_usual) {
      const std::lock_guard lock(mutex_);
      for (const std::string& note : dimension_notes(function, options.launch, block_, grid_))
        complain(fmt::format("note: {}: {}", module.path, note));
    }
    std::string note;
    verify::Report report = is_usual ? verify_as_launched(module, function, options, note)
                                     : verify::verify_with_ranges(module, function, options);
    if (!note.empty()) {
      const std::lock_guard lock(mutex_);
      complain(fmt::format("note: {}: {}", module.path, note));
    }
    report.stages.front_end = reading;
    if (arguments_.suggest) verify::suggest_preconditions(report, module, function, options);
    return report;
  }

  void refuse(const Error& error) {
    const std::lock_guard lock(mutex_);
    complain(error);
    for (const Error& each : each_of(error)) bad_.push_back(each);
  }

  // A mistyped name would be one of no kernel. What could not be read may have it, and what other
  // shards read.
  void require_known_names() {
    if (!bad_.empty() || undecided_ || shard_ || Interrupt::flag()) return;
    const bool any = std::ranges::any_of(decided_, [](const auto& of) { return !of.empty(); });
    if (!any) return;
    try {
      parameters_.require(given_, options_.stated);
    } catch (const Error& error) {
      refuse(error);
    }
  }

  // Whether the file launches a kernel of which neither the command line nor a directive says a
  // size of workgroups.
  bool takes_usual(const kernel::Function& function, const kernel::LaunchDirective* launch) const {
    const auto usual = kernel::usual_launch(function, {});
    return usual && usual->line > 0 && arguments_.block.empty() &&
           (launch == nullptr || !launch->block);
  }

  // What is asked of one kernel, by the command line and by its file.
  // In what `reading` has left of the time.
  verify::Options options_for(const kernel::Function& function,
                              const kernel::Directives& directives, double reading) const {
    verify::Options options = options_;
    options.kernel_limit -= std::min(options.kernel_limit * 9 / 10,
                                     std::chrono::milliseconds(static_cast<int>(reading * 1000)));
    const auto subgroup = options.launch.subgroup;
    options.launch = launch_for(function, block_, grid_);
    options.launch.subgroup = subgroup;
    options.arguments = arguments_for(function, given_);
    keep_own_buffers(options.stated, function);
    std::vector<models::ModelPtr> of_file;
    bool sized = !arguments_.block.empty(), says_grid = !arguments_.grid.empty();
    // The sizes of the first launch that the file asks for, where the command line has none.
    if (const auto* launch = launch_of(directives, function.name); launch != nullptr) {
      sized = sized || launch->block.has_value();
      says_grid = says_grid || launch->grid.has_value();
      for (std::size_t d = 0; d < 3; ++d) {
        if (launch->block && arguments_.block.empty())
          options.launch.block[d] = (*launch->block)[d];
        if (launch->grid && arguments_.grid.empty()) options.launch.grid[d] = (*launch->grid)[d];
      }
      if (launch->subgroup) options.launch.subgroup = *launch->subgroup;
      options.lockstep = options.lockstep || launch->lockstep;
      options.stated = kernel::with(*launch, options.stated);
      add_what_is_asked(launch->verify, options);
      of_file = named_models(library_, launch->verify);
    }
    if (takes_usual(function, launch_of(directives, function.name))) {
      take_usual(function, says_grid, options);
      sized = true;
    }
    // The default, as far as the kernel takes it.
    const std::uint32_t most = function.most_threads;
    if (!sized && most > 0) {
      auto& [width, height, depth] = options.launch.block;
      width = std::min(*width, most);
      height = std::min(*height, most / *width);
    }
    if (!of_file.empty()) ask_of_models(options, joined(models_, of_file));
    return options;
  }

  void study(const kernel::Module& module, const kernel::Function& function,
             const verify::Options& options) {
    const std::lock_guard lock(studying_);
    study_.add([&](const std::string& left_out) {
      verify::Options without = options;
      without.trials = without.overflow = false;
      if (!left_out.empty()) without.left_out.insert(left_out);
      return verify::verify(module, function, without);
    });
  }

  // Prints what is decided, which nothing is added to from now on.
  Outcome tell() {
    const std::lock_guard lock(mutex_);
    Outcome outcome;
    if (!bad_.empty()) outcome.bad_input();
    if (undecided_) outcome.limit();
    if (Interrupt::flag()) outcome.interrupted();
    if (arguments_.rules) {
      // While one is looked at there are no figures.
      const std::unique_lock lock_of_study(studying_, std::try_to_lock);
      if (lock_of_study) print(study_text());
      return outcome;
    }
    std::vector<Answered> all;
    for (std::size_t f = 0; f < decided_.size(); ++f) {
      for (std::optional<verify::Report>& one : decided_[f]) {
        if (one) all.push_back(answered(std::move(*one), said_[f]));
      }
    }
    if (all.empty() && outcome.status() == 0 && !shard_) {
      for (const std::string& name : arguments_.kernels) {
        throw Error(fmt::format("there is no kernel '{}' in what was read{}", name,
                                did_you_mean(name, {names_.begin(), names_.end()})));
      }
      throw Error(has_templates_ ? fmt::format("there is no kernel in what was read; {}",
                                               kernel::kInstanceAdvice)
                                 : "there is no kernel in what was read");
    }
    const std::string text = text_of(all, bad_, arguments_.format);
    // A part is whole or not there; behind an error there is no empty table.
    if (!shard_) {
      if (!all.empty() || arguments_.format != "table") print(text);
    } else if (!Interrupt::flag()) {
      print(shard_text(*shard_, "kernels", identity_, text));
    }
    for (const Answered& one : all) {
      for (const Error& error : one.held.unmet) complain(error);
    }
    if (std::ranges::any_of(all, is_unmet)) outcome.wrong();
    if (std::ranges::any_of(all, leaves_open)) outcome.limit();
    if (Interrupt::flag()) {
      const auto done = std::ranges::count_if(decided_, [](const auto& of_file) {
        return !of_file.empty() &&
               std::ranges::all_of(of_file, [](const auto& one) { return one.has_value(); });
      });
      complain(fmt::format("interrupted: {} of {} files looked at", done, files_.size()));
    }
    return outcome;
  }

  std::string study_text() const {
    report::TextTable table;
    for (const auto& row : study_.rows()) {
      std::vector<report::Cell> cells;
      cells.reserve(row.size());
      for (const std::string& text : row) cells.push_back({text, report::Color::none});
      table.add_row(std::move(cells));
    }
    if (arguments_.format == "csv") return table.to_csv();
    return table.to_string(fitting_style()) +
           fmt::format("\n{} of {} kernels verify\n", study_.verified(), study_.kernels());
  }

  const VerifyArguments& arguments_;
  verify::Options options_;
  models::Library library_;
  std::vector<models::ModelPtr> models_;
  kernel::CompileOptions compile_;
  std::vector<std::filesystem::path> files_;
  SaidSizes block_, grid_;
  std::vector<kernel::Argument> given_;  // by --arg
  std::optional<Shard> shard_;
  std::string identity_;  // of a shard
  std::mutex studying_;   // of study_
  verify::RuleStudy study_;
  std::mutex mutex_;                                                 // of what follows
  std::vector<std::vector<std::optional<verify::Report>>> decided_;  // of each file
  std::vector<kernel::Directives> said_;                             // by each file
  std::set<std::string> names_;                                      // of kernels
  KnownNames parameters_;
  std::vector<Error> bad_;
  bool has_templates_ = false;  // that are no kernels, without an instance
  bool undecided_ = false;      // a file could not be read in time
};

}  // namespace

void add_verify(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<VerifyArguments>();
  CLI::App* command = app.add_subcommand(
      "verify", "Prove kernels free of races, barrier divergence and failed assertions");
  command
      ->add_option(
          "PATH", arguments->paths,
          "Kernels: .cu, .cl, .ll and .bc files, shaders, folders, or - for standard input, "
          "with -x")
      ->required();
  add_models_option(*command, arguments->models,
                    "A progress model under which the launch that the file describes has to end");
  command->add_option("--kernel", arguments->kernels, "Only this kernel")->type_name("NAME");
  command
      ->add_option(
          "--block", arguments->block,
          "Threads of a workgroup, as 64 or 16,16; any,any,1 for all sizes in x and y, 'any' "
          "for all sizes in the dimensions that a kernel looks at (default: as the file "
          "says, or 64)")
      ->type_name("X,Y,Z");
  command
      ->add_option(
          "--grid,--groups", arguments->grid,
          "Workgroups, as 64 or 8,8, or 'any' as of --block (default: as the file says, or "
          "64)")
      ->type_name("X,Y,Z");
  add_number_option(*command, "--subgroup", arguments->subgroup, 1, 64,
                    "Threads of a subgroup (default 32)");
  command->add_option("--shared", arguments->workgroup_bytes,
                      "Bytes of workgroup memory that the launch sizes");
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
  add_number_option(*command, "--timeout", arguments->timeout, 1, 86400,
                    "Seconds for each kernel (default 30)");
  add_jobs_option(*command, arguments->jobs);
  command->add_flag("--keep", arguments->keep,
                    "Keep what is decided beside PATH, in verify.json or FILE.verify.json, for the "
                    "next run");
  add_compiler_options(*command, arguments->compiler);
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
  command->callback([arguments, &context] { context.outcome = Verify(*arguments).run(); });
}

}  // namespace headway::cli
#endif
