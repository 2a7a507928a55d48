#include "kernel/test/kernel_tests.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/file.hpp"
#include "base/text/suggestion.hpp"
#include "kernel/directives.hpp"
#include "kernel/ir/arithmetic.hpp"
#include "kernel/ir/guards.hpp"
#include "kernel/ir/held_pointers.hpp"
#include "kernel/ir/local_copies.hpp"
#include "kernel/ir/premises.hpp"
#include "kernel/ir/symbol_name.hpp"
#include "kernel/ir/tidy.hpp"
#include "kernel/ir/well_formed.hpp"
#include "kernel/litmus/translate.hpp"
#include "kernel/llvm/reader.hpp"
#include "kernel/machine/one_order.hpp"
#include "kernel/test/default_launch.hpp"
#include "kernel/test/expected.hpp"
#include "kernel/test/granted.hpp"
#include "kernel/test/launch_key.hpp"
#include "kernel/test/sources.hpp"
#include "kernel/test/templates.hpp"
#include "kernel/test/warnings.hpp"

namespace headway::kernel {
namespace {

class KernelSource : public lang::Source {
 public:
  KernelSource(ReadKernels read, const Function& function, LaunchSpec spec, Analysis analysis,
               std::string file_text)
      : read_(std::move(read)),
        function_(function),
        spec_(std::move(spec)),
        analysis_(std::move(analysis)),
        file_text_(std::move(file_text)) {}

  std::string_view language() const override { return "kernel"; }
  int threads() const override { return analysis_.run ? analysis_.run->launch.threads() : 1; }
  Topology launch() const override {
    return analysis_.run ? analysis_.run->launch.topology() : Topology(1);
  }
  bool waits() const override { return true; }
  int instructions() const override {
    int result = 0;
    for (const Block& block : function_.blocks) {
      for (const Instruction& i : block.code) {
        if (is_access(i.op)) ++result;
      }
    }
    return result;
  }
  std::unique_ptr<lang::Program> make_program() const override {
    require_run();
    return checker_program(analysis_, spec_);
  }
  std::string slice(const lang::Test& test, const ExploreOptions& options) const {
    require_run();
    const std::string within = test.within.empty() ? "" : ", for " + test.within;
    const std::string file = std::filesystem::path(read_.module->path).filename().string();
    return slice_of(
        analysis_, spec_, test.name,
        fmt::format("What decides whether {} of {} ends, in a launch of {}{}.", function_.name,
                    file, analysis_.run->launch.topology().to_string(), within),
        options);
  }
  consistency::Program memory_program(const lang::Test& test, const std::string& file,
                                      const std::string& language,
                                      std::vector<std::string>& notes) const {
    try {
      require_run();
      const SourceText& text = *analysis_.run->text;
      return litmus::translate(
          *analysis_.run->code, analysis_.run->launch, test.name, language,
          [&](const Place& place) { return text.line(place); }, notes);
    } catch (const Error& error) {
      throw Error({file, error.where().line, 0}, error.what());
    }
  }
  std::string memory_language() const { return litmus::language_of(*read_.module); }
  std::string print(const lang::Test&) const override { return file_text_; }
  std::string key() const override {
    const bool benign = analysis_.run && analysis_.run->machine->options().count_benign;
    return launch_key(*read_.module, function_, spec_) + (benign ? "benign" : "");
  }
  bool equals(const Source& other) const override { return key() == other.key(); }

 private:
  void require_run() const {
    if (analysis_.run) return;
    const std::vector<Refusal> why = refusals(function_, false);
    throw lang::Undecided(
        fmt::format("unsupported: line {}: {}", why.front().place.line, why.front().reason));
  }

  ReadKernels read_;
  const Function& function_;
  LaunchSpec spec_;
  Analysis analysis_;
  std::string file_text_;
};

// Whether a launch is expected to go wrong. What goes wrong in another way than expected counts as
// not expected, so that it is told.
bool expects_error(const LaunchDirective& directive, const Analysis& analysis) {
  for (const ExpectedOutcome& outcome : directive.outcomes) {
    if (outcome.outcome != ExpectedOutcome::Outcome::error) continue;
    const auto& faults = analysis.exploration.faults;
    const bool as_expected =
        std::any_of(faults.begin(), faults.end(), [&](const FoundFault& found) {
          return !outcome.property || to_string(*outcome.property) == to_string(found.fault.kind);
        });
    return faults.empty() || as_expected;
  }
  return false;
}

// Of what is read otherwise than its words say.
void note_reading(const Module& module, const Function& function, lang::Test& test) {
  if (function.unbounded_loops > 0) {
    test.notes.push_back(fmt::format(
        "kernel {}: its compiler ends {} loop{} after 2^64 - 1 rounds, which is taken for never",
        function.name, function.unbounded_loops, function.unbounded_loops == 1 ? "" : "s"));
  }
  for (const std::string& name : module.templates) {
    if (&function != &module.functions.front()) break;
    test.notes.push_back(template_note(name));
  }
  if (!module.listing.empty()) {
    test.notes.emplace_back("the module names no lines; those shown are of its disassembly");
  }
}

// Whether all threads of the launch meet at a barrier, for which it has to be cooperative, or use
// what such a launch alone gives them.
bool meets_as_grid(const Function& function) {
  if (std::ranges::count(function.premises, kCooperative) > 0) return true;
  const auto meets = [](const Instruction& i) {
    return i.op == Op::barrier && i.scope >= Scope::device;
  };
  return std::ranges::any_of(
      function.blocks, [&](const Block& block) { return std::ranges::any_of(block.code, meets); });
}

// What the text of a kernel's language promises, as a model.
std::string promise_of(const Module& module, const Function& function) {
  switch (module.language()) {
    case Language::cuda:
      return meets_as_grid(function) ? "CUDA-cooperative" : "CUDA";
    case Language::opencl:
      return "OpenCL";
    case Language::shader:
      break;
  }
  return module.is_wgsl ? "WebGPU" : "Vulkan";
}

// "16,16" of 16,16,1.
std::string size_text(const Size3& extent) {
  const int length = extent[2] > 1 ? 3 : extent[1] > 1 ? 2 : 1;
  return fmt::format("{}", fmt::join(extent.begin(), extent.begin() + length, ","));
}

// How the file can say a launch, as a line of its own behind a note; empty where it cannot. What is
// no code begins with `comment`; `said` is what the file says already.
std::string directive_line(std::string_view comment, const Function& function,
                           const DefaultLaunch& made, const LaunchDirective* said) {
  const Launch& launch = made.analysis.run->launch;
  std::string words;
  if (said == nullptr) {
    words += fmt::format(" kernel {} grid {}", function.name, size_text(launch.grid));
  }
  // A shader says it itself, as a kernel of OpenCL may.
  if (made.chose_block || (said == nullptr && function.group_size[0] == 0)) {
    words += " block " + size_text(launch.block);
  }
  std::vector<std::string> integers = made.integers, buffers;
  for (std::string& integer : integers) std::erase(integer, ' ');
  buffers.reserve(made.iota.size());
  for (const std::string& name : made.iota) buffers.push_back(name + "=:iota");
  if (!integers.empty()) words += fmt::format(" arg {}", fmt::join(integers, ", "));
  if (!buffers.empty()) words += fmt::format(" buffer {}", fmt::join(buffers, ", "));
  if (words.empty() || comment.empty()) return "";
  return fmt::format("\n    {} headway:{}", comment, words);
}

// What was looked at where nobody said so, and how the file can say it.
std::string launch_note(std::string_view comment, const Function& function,
                        const DefaultLaunch& made, const LaunchDirective* said) {
  std::vector<std::string> defaults = made.analysis.notes;
  for (std::string& note : made.taken()) defaults.push_back(std::move(note));
  const std::string line = directive_line(comment, function, made, said);
  return fmt::format("kernel {}: {}; by default: {} ({}", function.name,
                     made.analysis.run->launch.topology().to_string(), fmt::join(defaults, ", "),
                     line.empty() ? "see --help)" : "to say so or otherwise:)" + line);
}

// What may go wrong in another launch than the one that the answer is about. Nobody asks for one
// that lacks threads.
std::string doubt_note(std::string_view comment, const Function& function,
                       const DefaultLaunch& doubt, const LaunchDirective* said) {
  const std::string line =
      doubt.analysis.lacks_threads ? "" : directive_line(comment, function, doubt, said);
  return fmt::format("kernel {}: {}{}{}", function.name, doubt.what_is_wrong(),
                     line.empty() ? "" : "; that launch:", line);
}

// What begins a comment in a file; empty where it is no text.
std::string_view comment_of(const std::filesystem::path& file, const CompileOptions& options) {
  if (!is_text(file, options)) return {};
  const auto kind = source_kind(file, options);
  return kind == SourceKind::llvm_text || kind == SourceKind::spirv ? ";" : "//";
}

// Where relative names of sources begin. A compiler that was given an absolute name leaves out what
// it has in common with the folder in which it runs.
std::string folder_of_names(const Module& module, const std::filesystem::path& file) {
  const std::string whole = std::filesystem::absolute(file).lexically_normal().string();
  for (const std::string& name : module.files) {
    if (!name.starts_with('/') && whole.ends_with("/" + name)) {
      return whole.substr(0, whole.size() - name.size() - 1);
    }
  }
  return std::filesystem::current_path().string();
}

// Where pointers are that parameters lead to.
void take_held_pointers(Function& function) {
  const auto held = held_pointers(function);
  for (std::size_t p = 0; p < held.size(); ++p) {
    Parameter& parameter = function.parameters[p];
    if (!parameter.type.is_pointer() || parameter.by_value > 0) continue;
    // Where elements are is known by the source alone.
    const bool is_whole = std::ranges::all_of(
        held[p].at, [&](std::uint64_t at) { return at + 8 <= parameter.element_bytes; });
    parameter.elements_hold_pointers = held[p].of_elements && is_whole;
    if (!held[p].of_elements || is_whole) parameter.pointers = held[p].at;
  }
}

}  // namespace

std::set<std::string> sized_buffers(const Directives& directives, const LaunchSpec& launch) {
  std::set<std::string> result;
  for (const auto& [name, given] : launch.buffers) {
    if (given.is_sized()) result.insert(name);
  }
  for (const auto& [name, given] : launch.arguments) result.insert(name);
  for (const LaunchDirective& directive : directives.launches) {
    for (const auto& given : directive.buffers) {
      if (given.elements > 0 || given.count) result.insert(given.name);
    }
    for (const auto& given : directive.arguments) result.insert(given.name);
  }
  return result;
}

CompileOptions with(const Directives& directives, CompileOptions options) {
  options.flags.insert(options.flags.begin(), directives.flags.begin(), directives.flags.end());
  for (const auto& [id, value] : directives.specialization) {
    options.specialization.try_emplace(id, value);
  }
  // A module is read once, so launches of several sizes do not say it.
  const auto& launches = directives.launches;
  const bool is_one =
      !launches.empty() && std::ranges::all_of(launches, [&](const LaunchDirective& launch) {
        return launch.block && launch.block == launches.front().block;
      });
  if (is_one && !options.group_size) options.group_size = launches.front().block;
  return options;
}

void require_kernels(const Directives& directives, const Module& module) {
  std::vector<std::string> names = module.templates;
  for (const Function& function : module.functions) names.push_back(function.name);
  for (const LaunchDirective& launch : directives.launches) {
    if (launch.kernel.empty() || std::ranges::count(names, launch.kernel) > 0) continue;
    throw Error(launch.where, fmt::format("there is no kernel '{}' in this file{}", launch.kernel,
                                          did_you_mean(launch.kernel, names)));
  }
}

bool is_kernel_file(const std::filesystem::path& file) { return source_kind(file).has_value(); }

ReadKernels read_kernels(const std::filesystem::path& file, Side side,
                         const CompileOptions& options, Compiler& compiler,
                         const std::set<std::string>& sized) {
  auto module = std::make_shared<Module>(read_source(file, side, options, compiler));
  assert_well_formed(*module);
  for (Function& function : module->functions) {
    if (module->clamps_indices) drop_index_guards(function, sized);
    // What LLVM leaves in memory, as it is addressed by way of another address space.
    order_blocks(function);
    // Each time more addresses may be known: structs hold pointers to structs.
    do {
      split_local_copies(function);
    } while (promote_locals(function, Unwritten::stays_memory) && fold_addresses(function));
    drop_unused(function);
    drop_unused_locals(function);
    take_held_pointers(function);
  }
  assert_well_formed(*module);
  auto text = std::make_shared<SourceText>(*module, folder_of_names(*module, file));
  return {std::move(module), std::move(text)};
}

ReadProgram read_program(const std::filesystem::path& file, const CompileOptions& options,
                         Compiler& compiler) {
  const Directives directives = parse_directives(read_file(file), file.string());
  const auto [device, host] = compiler.compile_both(file, with(directives, options));
  llvm::ReadOptions read;
  read.headers = std::string(kHeaderPlace);
  read.fences_of_cpp = options.fences_of_cpp;
  ReadProgram result{std::make_shared<Module>(llvm::read_module(host, file.string(), read)),
                     std::make_shared<Module>(llvm::read_module(device, file.string(), read)),
                     nullptr};
  assert_well_formed(*result.host);
  assert_well_formed(*result.device);
  result.text = std::make_shared<SourceText>(*result.device, folder_of_names(*result.device, file));
  return result;
}

namespace {

constexpr double kProofSeconds = 10;  // where nobody says how long an answer may take

// Whether there is only the number of executions between the launch and its answer, and threads
// meet at plain barriers alone.
bool may_be_proved(const Analysis& analysis) {
  const Exploration& found = analysis.exploration;
  if (found.complete || found.obstacle || !found.faults.empty() || found.has_cycle ||
      !found.standoffs.empty() || !analysis.spins.empty() || found.limit == Limit::interrupt) {
    return false;
  }
  for (const Block& block : analysis.run->code->function().blocks) {
    for (const Instruction& i : block.code) {
      const OpClass of = class_of(i.op);
      if (of == OpClass::asynchronous || of == OpClass::call || i.op == Op::numbered_barrier) {
        return false;
      }
      if (i.op == Op::barrier && i.scope > Scope::workgroup) return false;
    }
  }
  return true;
}

// Whether values of a kernel may be none, or arithmetic have no result: what the proof does not
// look at. So may be what is read of memory that holds nothing at first, and what lanes hand to
// others.
bool may_leave_values_unset(const Module& module, const Function& function) {
  const auto constant = [&](ValueId id) -> std::optional<std::uint64_t> {
    const Value& value = function.values[id];
    return value.kind == Value::Kind::constant ? std::optional(value.bits) : std::nullopt;
  };
  const auto holds_nothing = [](const Object& object) {
    return object.space != Space::global && object.space != Space::constant && !object.initial;
  };
  for (const Value& value : function.values) {
    if (value.kind == Value::Kind::undefined) return true;
    if (value.kind == Value::Kind::address &&
        holds_nothing(module.object(function, value.object))) {
      return true;
    }
  }
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      const bool is_set = i.op == Op::real_to_uint || i.op == Op::real_to_sint ? i.saturates : true;
      if (!is_set || i.op == Op::subgroup || i.op == Op::barrier_reduce) return true;
      if (is_division(i.op)) {
        const auto by = constant(i.operands[1]);
        if (!by || *by == 0 || sign_extended(*by, i.type.bits) == -1) return true;
      }
      if (is_shift(i.op)) {
        const auto by = constant(i.operands[1]);
        if (!by || *by >= static_cast<std::uint64_t>(i.type.bits)) return true;
      }
    }
  }
  return false;
}

// Where not all executions were looked at, and that they end is proved, `test` says so; and
// `analysis` where nothing else goes wrong in them either.
void prove_end(const ReadKernels& read, const Function& function, const LaunchSpec& spec,
               const KernelOptions& options, double seconds, Analysis& analysis, lang::Test& test) {
  if (!options.proof_of_end || seconds <= 0 || !may_be_proved(analysis)) return;
  const auto proof = options.proof_of_end(read, function, spec, analysis.run->launch, seconds);
  if (!proof) return;
  std::vector<std::string> open;
  if (!proof->within_bounds) open.emplace_back("accesses stay within their memory");
  if (may_leave_values_unset(*read.module, function)) {
    open.emplace_back("all values are set, and numbers divided by others than 0");
  }
  analysis.is_proved = open.empty();
  test.notes.push_back(fmt::format(
      "kernel {}: has more executions than were looked at ({} states); that all of them end, "
      "without races and barriers that threads miss, is proved as by 'headway verify'{}",
      function.name, analysis.exploration.states,
      open.empty() ? "" : fmt::format(", and not that {}", fmt::join(open, ", nor that "))));
  if (!analysis.is_proved) return;
  for (const std::string& phrase : proof->relies) add_phrase(test.premises, phrase);
}

}  // namespace

void read_kernel_tests(const std::filesystem::path& file, const KernelOptions& options,
                       Compiler& compiler, const TakeTest& take) {
  const auto seconds_since = [](StopSigns::Clock::time_point start) {
    return std::chrono::duration<double>(StopSigns::Clock::now() - start).count();
  };
  const auto begin = StopSigns::Clock::now();
  std::string text = read_file(file);
  const std::string_view comment = comment_of(file, options.compile);
  const Directives directives =
      !comment.empty() ? parse_directives(text, file.string()) : Directives();
  const ReadKernels read = read_kernels(file, Side::device, with(directives, options.compile),
                                        compiler, sized_buffers(directives, options.launch));
  require_kernels(directives, *read.module);
  const std::vector<std::string>& templates = read.module->templates;
  if (read.module->functions.empty()) {
    if (templates.empty()) throw NoKernel(file);
    throw Error({file.string(), 0, 0},
                fmt::format("there is no kernel in this file: {}; {}",
                            template_note(templates.front()), kInstanceAdvice));
  }
  std::vector<const Function*> functions;
  for (const Function& function : read.module->functions) functions.push_back(&function);
  if (!options.kernels.empty()) {
    functions.clear();
    for (const std::string& name : options.kernels) {
      const auto& all = read.module->functions;
      bool found = false;
      std::vector<std::string> names;
      for (const Function& function : all) {
        names.push_back(function.name);
        if (!is_called(name, function.name, function.symbol)) continue;
        functions.push_back(&function);
        found = true;
      }
      if (!found) {
        throw Error({file.string(), 0, 0},
                    fmt::format("there is no kernel '{}' among {}{}", name, fmt::join(names, ", "),
                                did_you_mean(name, names)));
      }
    }
  }
  // Each launch that the file asks for, or one of each kernel.
  struct Wanted {
    const Function* function;
    const LaunchDirective* directive;
  };
  std::vector<Wanted> wanted;
  for (const Function* function : functions) {
    bool found = false;
    for (const LaunchDirective& directive : directives.launches) {
      if (directive.host_program) continue;
      if (!directive.kernel.empty() && directive.kernel != function->name) continue;
      wanted.push_back({function, &directive});
      found = true;
    }
    if (!found) wanted.push_back({function, nullptr});
  }
  std::vector<std::string> unlooked_notes;
  if (options.held) {
    std::vector<const LaunchDirective*> looked;
    looked.reserve(wanted.size());
    for (const Wanted& each : wanted) looked.push_back(each.directive);
    unlooked_notes = unlooked(directives, looked, Looker::check);
  }
  const double reading = seconds_since(begin);
  std::vector<std::string> names;
  for (const auto& [function, directive] : wanted) {
    lang::Test test;
    // Shaders are all called main.
    const bool is_main = read.module->is_shader && function->name == "main";
    test.name = !is_main ? function->name : file == kStandardInput ? "stdin" : file.stem().string();
    const auto same = std::ranges::count_if(names, [&](const std::string& other) {
      return other == test.name || other.starts_with(test.name + "-");
    });
    if (same > 0) test.name += fmt::format("-{}", same + 1);
    if (names.empty()) test.notes = unlooked_notes;
    names.push_back(test.name);
    LaunchSpec spec = options.launch;
    if (directive != nullptr) {
      spec = with(*directive, options.launch);
      test.expectations = directive->models;
      if (options.held) test.expects_open = expected_open(*directive);
    }
    if (options.of_memory && !spec.block && function->group_size[0] == 0) spec.block = {1, 1, 1};
    note_reading(*read.module, *function, test);
    test.promise = promise_of(*read.module, *function);
    Analysis analysis;
    if (refusals(*function, false).empty()) {
      const auto start = StopSigns::Clock::now();
      AnalysisOptions limited = options.analysis;
      limited.explore.coverage = true;
      const double left = options.seconds > 0 ? std::max(0.001, options.seconds - reading) : 0;
      // The rest is for a proof; the parts of what is tried one after the other stay as they are.
      const double exploring = options.proof_of_end ? left * 2 / 3 : left;
      if (left > 0) limited.explore.stop = limited.explore.stop.within(exploring);
      std::set<std::string> stated;  // buffers, by somebody
      for (const auto& [name, buffer] : spec.buffers) stated.insert(name);
      DefaultLaunch made =
          analyse_with_defaults(read.module, *function, spec, read.text, limited, left);
      const std::vector<std::string> taken = made.taken();
      std::string note = launch_note(comment, *function, made, directive);
      const bool is_default = !made.analysis.notes.empty() || !taken.empty();
      spec = std::move(made.spec);
      analysis = std::move(made.analysis);
      test.within = fmt::format("{}", fmt::join(taken, ", "));
      prove_end(read, *function, spec, options,
                left > 0 ? left - seconds_since(start) : kProofSeconds, analysis, test);
      test.advice = advice(analysis);
      test.seconds = reading + seconds_since(start);
      if (is_default) test.notes.push_back(std::move(note));
      for (const std::string& phrase :
           premises(*read.module, *function,
                    static_cast<std::uint32_t>(analysis.run->launch.subgroup))) {
        add_phrase(test.premises, phrase);
      }
      if (may_overlap(*read.module, *function, stated)) add_phrase(test.premises, kNoOverlap);
      for (std::string& phrase : granted(*analysis.run)) test.premises.push_back(std::move(phrase));
      if (!options.of_memory && !is_in_one_order(analysis.run->launch, *analysis.run->code)) {
        test.premises.emplace_back("atomic accesses in one order for all threads");
      }
      if (!test.premises.empty()) {
        test.notes.push_back(fmt::format("kernel {}: taken for granted: {}", function->name,
                                         fmt::join(test.premises, "; ")));
      }
      test.premises.insert(test.premises.end(), taken.begin(), taken.end());
      test.unreached = unreached_lines(analysis);
      if (!test.unreached.empty()) {
        const bool one = test.unreached.size() == 1;
        test.notes.push_back(fmt::format(
            "kernel {}: no thread reaches line{} {} in this launch, so that nothing is said of {}; "
            "other values (--arg, --buffer) or sizes (--grid, --block) may",
            function->name, one ? "" : "s", fmt::join(test.unreached, ", "), one ? "it" : "them"));
      }
      if (!analysis.open.empty()) {
        test.notes.push_back(fmt::format("kernel {}: {}", function->name, analysis.open));
      }
      if (made.doubt) {
        test.notes.push_back(doubt_note(comment, *function, *made.doubt, directive));
      }
      test.warnings = warnings(analysis, file);
    }
    test.expects_error = directive != nullptr && expects_error(*directive, analysis);
    test.source = std::make_shared<KernelSource>(read, *function, spec, std::move(analysis), text);
    if (!take(std::move(test), wanted.size())) return;
  }
}

std::vector<lang::Test> read_kernel_tests(const std::filesystem::path& file,
                                          const KernelOptions& options, Compiler& compiler) {
  std::vector<lang::Test> tests;
  read_kernel_tests(file, options, compiler, [&](lang::Test test, std::size_t of) {
    tests.reserve(of);
    tests.push_back(std::move(test));
    return true;
  });
  return tests;
}

std::string slice_text(const lang::Test& test, const ExploreOptions& options) {
  return static_cast<const KernelSource&>(*test.source).slice(test, options);
}

consistency::Program memory_program(const lang::Test& test, const std::string& file,
                                    const std::string& language, std::vector<std::string>& notes) {
  return static_cast<const KernelSource&>(*test.source).memory_program(test, file, language, notes);
}

std::string memory_language(const lang::Test& test) {
  return static_cast<const KernelSource&>(*test.source).memory_language();
}

}  // namespace headway::kernel
