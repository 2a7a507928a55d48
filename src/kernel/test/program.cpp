#include "kernel/test/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text/words.hpp"
#include "kernel/ir/arithmetic.hpp"
#include "kernel/machine/place_name.hpp"
#include "lang/test.hpp"

namespace headway::kernel {

SourceText::SourceText(const Module& module, const std::string& folder) {
  for (const std::string& name : module.files) {
    std::vector<std::string>& lines = lines_.emplace_back();
    try {
      if (lines_.size() == 1 && !module.listing.empty()) {
        lines = lines_of(module.listing);
        continue;
      }
      if (name == kStandardInput) {
        lines = lines_of(read_file(name));
        continue;
      }
      const std::filesystem::path path = name.starts_with('/')
                                             ? std::filesystem::path(name)
                                             : std::filesystem::path(folder) / name;
      if (!std::filesystem::is_regular_file(path)) continue;
      lines = lines_of(read_file(path));
    } catch (const Error&) {  // what cannot be shown is not
    }
  }
}

std::string SourceText::line(const Place& place) const {
  if (place.file < 0 || static_cast<std::size_t>(place.file) >= lines_.size()) return {};
  const std::vector<std::string>& lines = lines_[static_cast<std::size_t>(place.file)];
  if (place.line < 1 || static_cast<std::size_t>(place.line) > lines.size()) return {};
  return std::string(trimmed(lines[static_cast<std::size_t>(place.line) - 1], " \t\r"));
}

std::unique_ptr<Runnable> make_runnable(std::shared_ptr<const Module> module, Launch launch,
                                        std::unique_ptr<smt::Context> terms,
                                        const std::vector<std::uint32_t>& spins,
                                        const MachineOptions& options,
                                        std::shared_ptr<const SourceText> text) {
  auto result = std::make_unique<Runnable>();
  result->module = std::move(module);
  result->launch = std::move(launch);
  result->launch.module = result->module.get();
  const Code::Kind kind = !options.sliced   ? Code::Kind::whole
                          : options.results ? Code::Kind::results
                                            : Code::Kind::sliced;
  result->code = std::make_unique<Code>(*result->module, *result->launch.function, spins, kind);
  result->terms = std::move(terms);
  result->solver = smt::make_solver(*result->terms, smt::Engine::z3);
  result->machine = std::make_unique<Machine>(*result->code, result->launch, *result->terms,
                                              result->solver.get(), options);
  result->text = std::move(text);
  return result;
}

namespace {

// "counter[0] + 1", "2 * n": sums of a few products; others are "?", as nobody reads them.
std::string shown(const smt::Context& terms, smt::Term term, int depth = 2) {
  using smt::Kind;
  const smt::Node& node = terms.node(term);
  const auto part = [&](smt::Term of) { return depth > 0 ? shown(terms, of, depth - 1) : "?"; };
  if (node.kind == Kind::constant || node.kind == Kind::variable) return terms.text(term);
  if (node.kind == Kind::zext || node.kind == Kind::sext) return shown(terms, node.args[0], depth);
  std::string result;
  if (node.kind == Kind::product) {
    for (const smt::Term factor : node.args) {
      if (terms.node(factor).kind == Kind::linear) return "?";
      result += (result.empty() ? "" : " * ") + part(factor);
    }
  } else if (node.kind == Kind::linear) {
    const auto add = [&](std::int64_t factor, const std::string& of) {
      const std::uint64_t size =
          factor < 0 ? 0 - static_cast<std::uint64_t>(factor) : static_cast<std::uint64_t>(factor);
      result += result.empty() ? (factor < 0 ? "-" : "") : factor < 0 ? " - " : " + ";
      if (of.empty()) {
        result += std::to_string(size);
      } else {
        result += size == 1 ? of : fmt::format("{} * {}", size, of);
      }
    };
    for (std::size_t i = 0; i < node.args.size(); ++i) {
      add(smt::as_signed(node.factors[i], node.width), part(node.args[i]));
    }
    if (node.value != 0) add(smt::as_signed(node.value, node.width), "");
  }
  return result.empty() || result.find('?') != std::string::npos ? "?" : result;
}

std::string shown(const Runnable& of, const Cell& cell, int bytes) {
  switch (cell.kind) {
    case Cell::Kind::bits: {
      const std::int64_t value = sign_extended(cell.bits, bytes * 8);
      return fmt::format("{}", value);
    }
    case Cell::Kind::undefined:
      return "?";
    case Cell::Kind::term:
      return shown(*of.terms, cell.term());
    case Cell::Kind::pointer:
      return fmt::format("&{}+{}", of.launch.objects[cell.object].name, cell.bits);
    case Cell::Kind::moving:
      return fmt::format("&{}+?", of.launch.objects[cell.object].name);
  }
  return "?";
}

}  // namespace

std::string describe_effect(const Runnable& of, const MachineState& before,
                            const MachineState& after, int thread) {
  const ThreadState& local = *before.threads[static_cast<std::size_t>(thread)];
  const Instruction& i = of.code->at(local.block, local.index);
  if (is_barrier(i.op)) {
    return local.status == Status::released ? "passes the barrier" : "arrives at the barrier";
  }
  if (i.op == Op::subgroup) {
    return local.status == Status::released ? "goes on with the subgroup"
                                            : "waits for its subgroup";
  }
  const auto touch = of.machine->touch(before, thread);
  if (!touch || touch->object == kNone) return {};
  const auto value = [&](const MachineState& state) {
    const Cell* cell = state.memory.exact(touch->object, touch->at, touch->bytes);
    if (cell != nullptr) return shown(of, *cell, touch->bytes);
    const ObjectInfo& info = of.launch.objects[touch->object];
    if (info.fill == Fill::zero) return std::string("0");
    if (info.fill != Fill::bytes || touch->bytes > 8) return std::string("?");
    std::uint64_t bits = 0;
    for (int i = 0; i < touch->bytes; ++i) {
      const std::uint64_t at = touch->at + static_cast<unsigned>(i);
      if (at < info.initial->size()) bits |= std::uint64_t{(*info.initial)[at]} << (8 * i);
    }
    return shown(of, Cell::of(bits), touch->bytes);
  };
  const std::string name = place_name(of.launch, touch->object, touch->at, touch->bytes);
  if (touch->effect == Effect::reads) return fmt::format("reads {} = {}", name, value(before));
  const bool reads = i.op == Op::atomic_update || i.op == Op::atomic_compare;
  const std::string old = value(before);
  const std::string now = value(after);
  if (!reads) return fmt::format("writes {} = {}", name, now);
  if (old == now) return fmt::format("reads {} = {}", name, old);
  return fmt::format("reads {} = {}, writes {}", name, old, now);
}

std::string describe_shared(const Runnable& of, const MachineState& state) {
  std::string result;
  int count = 0;
  for (Instance object = 0; object < state.memory.objects(); ++object) {
    const ObjectInfo& info = of.launch.objects[object];
    const bool is_of_host = info.space == Space::host && !info.shared_with_device;
    if (info.thread >= 0 || info.space == Space::constant || info.read_only || is_of_host) continue;
    const auto& pages = state.memory.pages(object);
    for (std::size_t page = 0; page < pages.size(); ++page) {
      if (!pages[page]) continue;
      for (const Page::Entry& entry : pages[page]->entries) {
        if (++count > 24) return result + " ...";
        // Blanks part variables.
        std::string value = shown(of, entry.cell, entry.bytes);
        std::erase(value, ' ');
        result += fmt::format(
            "{}{}={}", result.empty() ? "" : " ",
            place_name(of.launch, object, page * Memory::kPage + entry.at, entry.bytes), value);
      }
    }
  }
  return result;
}

std::string describe_access(const Runnable& of, std::uint32_t instruction,
                            const std::vector<Cell>& registers) {
  const Instruction& i = of.code->instruction(instruction);
  const bool atomic = is_atomic(i.op);
  const char* what = i.op == Op::load ? "reads" : i.op == Op::store ? "writes" : "accesses";
  const Cell& address = registers[i.operands[0]];
  const int bytes = i.type.bytes();
  if (i.op == Op::copy || !address.is_pointer() || address.object == kNone || bytes <= 0) {
    return atomic ? "accesses memory atomically" : fmt::format("{} memory", what);
  }
  return fmt::format("{} {}", what, place_name(of.launch, address.object, address.bits, bytes));
}

std::string describe_place(const Runnable& of, const MachineState& state, int thread) {
  const ThreadState& local = *state.threads[static_cast<std::size_t>(thread)];
  if (local.status == Status::ended) return "END";
  const Instruction& i = of.code->at(local.block, local.index);
  const std::string line = of.text ? of.text->line(i.place) : "";
  return line.empty() ? fmt::format("line {}", i.place.line) : line;
}

// ---- KernelProgram

namespace {

void set_local(std::vector<lang::Word>& state, int thread, std::uint32_t number) {
  lang::Word& word = state[1 + static_cast<std::size_t>(thread) / 2];
  const int shift = thread % 2 == 0 ? 0 : 32;
  word = (word & ~(lang::Word{0xffffffff} << shift)) | lang::Word{number} << shift;
}

lang::Program::Abilities abilities_of(const Runnable& of) {
  lang::Program::Abilities result;
  for (const Block& block : of.launch.function->blocks) {
    for (const Instruction& i : block.code) {
      result.block = result.block || meets(i.op);
      result.choose = result.choose || i.op == Op::unknown;
      result.end_others = result.end_others || i.op == Op::claim;  // by an assumption
    }
  }
  for (const ObjectInfo& info : of.launch.objects) {
    result.choose = result.choose || info.fill == Fill::unknown;
  }
  for (const Cell& argument : of.launch.arguments) {
    result.choose = result.choose || argument.kind == Cell::Kind::term;
  }
  result.fail = true;
  return result;
}

}  // namespace

// A state: a word for notes, the numbers of the threads two a word, and that of the rest.
KernelProgram::KernelProgram(std::unique_ptr<Runnable> of)
    : Program(of->launch.topology(), abilities_of(*of), 2 + (of->launch.threads() + 1) / 2),
      of_(std::move(of)),
      known_steps_(static_cast<std::size_t>(threads())) {
  Script script;
  MachineState state = of_->machine->initial(script);
  for (const Script::Choice& choice : script.choices) {
    if (choice.of > 1) {
      throw lang::Undecided(
          "unknown: unknown data decide what threads that wait for each other do first; give "
          "values, "
          "as by --arg and --buffer");
    }
  }
  initial_ = encoded(state);
}

std::uint32_t KernelProgram::local(const lang::Word* state, int thread) const {
  const lang::Word word = state[1 + thread / 2];
  return static_cast<std::uint32_t>(thread % 2 == 0 ? word : word >> 32);
}

KernelProgram::Words KernelProgram::encoded(MachineState& state) const {
  Words result(static_cast<std::size_t>(words()));
  for (std::size_t t = 0; t < state.threads.size(); ++t) {
    const std::uint32_t number = locals_.of(state.threads[t]);
    if (number > statuses_.size()) {
      statuses_.push_back(state.threads[t]->status);
      failures_.push_back(state.threads[t]->block == kNone && state.threads[t]->index > 0);
    }
    result[1 + t / 2] |= lang::Word{number} << (t % 2 == 0 ? 0 : 32);
  }
  std::vector<std::uint64_t> key;
  append_shared(key, state, pages_);
  const auto [entry, is_new] = rest_numbers_.try_emplace(key, rests_.size());
  if (is_new) {
    rests_.push_back(
        std::make_unique<Rest>(Rest{std::move(key), state.memory, state.path, state.unknowns}));
  }
  result.back() = entry->second;
  return result;
}

MachineState KernelProgram::decoded(const lang::Word* state) const {
  MachineState result;
  for (int t = 0; t < threads(); ++t) result.threads.push_back(locals_.at(local(state, t)));
  const Rest& rest = *rests_[state[words() - 1]];
  result.memory = rest.memory;
  result.path = rest.path;
  result.unknowns = rest.unknowns;
  return result;
}

void KernelProgram::initial(lang::Word* state) const {
  std::copy(initial_.begin(), initial_.end(), state);
}

ThreadSet KernelProgram::with(const lang::Word* state, Status status) const {
  const std::lock_guard lock(mutex_);
  ThreadSet result;
  for (int t = 0; t < threads(); ++t) {
    const std::uint32_t number = local(state, t) - 1;
    if (statuses_[number] == status && !failures_[number]) result |= ThreadSet::single(t);
  }
  return result;
}

ThreadSet KernelProgram::terminated(const lang::Word* state) const {
  return with(state, Status::ended);
}
ThreadSet KernelProgram::blocked(const lang::Word* state) const {
  return with(state, Status::waiting);
}

ThreadSet KernelProgram::failed(const lang::Word* state) const {
  const std::lock_guard lock(mutex_);
  ThreadSet result;
  for (int t = 0; t < threads(); ++t) {
    if (failures_[local(state, t) - 1]) result |= ThreadSet::single(t);
  }
  return result;
}

const std::vector<KernelProgram::Words>& KernelProgram::outcomes(const lang::Word* state,
                                                                 int thread) const {
  // The notes of whoever explores make no difference.
  const std::vector<lang::Word> asked(state + 1, state + words());
  if (last_thread_ == thread && last_state_ == asked) return last_outcomes_;
  last_state_ = asked;
  last_thread_ = thread;
  last_outcomes_.clear();
  auto& known = known_steps_[static_cast<std::size_t>(thread)];
  const std::uint64_t key = state[words() - 1] << 32 | local(state, thread);
  if (const auto found = known.find(key); found != known.end()) {
    for (const auto& [local, rest] : found->second) {
      Words& next = last_outcomes_.emplace_back(state, state + words());
      next[0] = 0;
      set_local(next, thread, local);
      next.back() = rest;
    }
    return last_outcomes_;
  }
  compute_outcomes(state, thread);
  if (is_alone(state, thread)) {
    std::vector<Parts>& parts = known[key];
    for (const Words& next : last_outcomes_) {
      parts.emplace_back(local(next.data(), thread), static_cast<std::uint32_t>(next.back()));
    }
  }
  return last_outcomes_;
}

// Whether the outcomes that were computed last are the thread's own business: it has met nobody,
// and has let nobody go on by its end.
bool KernelProgram::is_alone(const lang::Word* state, int thread) const {
  const ThreadState& before = *locals_.at(local(state, thread));
  const Instruction& at = of_->code->at(before.block, before.index);
  if (meets(at.op) && before.status == Status::ready) return false;
  for (const Words& next : last_outcomes_) {
    const bool ended = statuses_[local(next.data(), thread) - 1] == Status::ended;
    if (ended && may_block()) return false;
    for (int t = 0; t < threads(); ++t) {
      if (t != thread && local(next.data(), t) != local(state, t)) return false;
    }
  }
  return true;
}

void KernelProgram::compute_outcomes(const lang::Word* state, int thread) const {
  const MachineState before = decoded(state);
  Script script;
  do {
    MachineState next = before;
    of_->machine->step(next, thread, script);
    if (next.fault) {
      if (next.fault->kind == FaultKind::excluded) continue;
      auto failed = std::make_shared<ThreadState>();
      failed->block = kNone;
      failed->index = 1 + static_cast<std::uint32_t>(next.fault->kind);
      failed->status = Status::ended;
      next.threads = before.threads;
      next.threads[static_cast<std::size_t>(thread)] = std::move(failed);
    }
    last_outcomes_.push_back(encoded(next));
  } while (script.advance());
  if (last_outcomes_.empty()) {
    // No execution, by an assumption: nothing goes on from here.
    MachineState none = before;
    auto ended = std::make_shared<ThreadState>();
    ended->status = Status::ended;
    for (ThreadStatePtr& local : none.threads) local = ended;
    last_outcomes_.push_back(encoded(none));
  }
}

int KernelProgram::choices(const lang::Word* state, int thread) const {
  const std::lock_guard lock(mutex_);
  return std::max<int>(1, static_cast<int>(outcomes(state, thread).size()));
}

bool KernelProgram::step(const lang::Word* state, lang::Step step, lang::Word* next) const {
  const std::lock_guard lock(mutex_);
  const std::vector<Words>& all = outcomes(state, step.thread);
  const Words& to = all[std::min<std::size_t>(step.choice, all.size() - 1)];
  std::copy(to.begin(), to.end(), next);
  next[0] = state[0];
  const std::uint32_t number = local(next, step.thread) - 1;
  return statuses_[number] == Status::ended && !failures_[number];
}

lang::StepText KernelProgram::describe_step(const lang::Word* state, lang::Step step) const {
  std::vector<lang::Word> next(static_cast<std::size_t>(words()));
  this->step(state, step, next.data());
  const std::lock_guard lock(mutex_);
  const MachineState before = decoded(state);
  const MachineState after = decoded(next.data());
  const ThreadState& local_state = *before.threads[step.thread];
  const Instruction& i = of_->code->at(local_state.block, local_state.index);
  return {i.place.line, describe_place(*of_, before, step.thread),
          describe_effect(*of_, before, after, step.thread)};
}

std::string KernelProgram::describe_memory(const lang::Word* state) const {
  const std::lock_guard lock(mutex_);
  return describe_shared(*of_, decoded(state));
}

std::string KernelProgram::describe_thread(const lang::Word* state, int thread) const {
  const std::lock_guard lock(mutex_);
  if (failures_[local(state, thread) - 1]) return "FAILED";
  return describe_place(*of_, decoded(state), thread);
}

// ---- TraceProgram

TraceProgram::TraceProgram(const Topology& launch, std::vector<Moment> moments,
                           std::string end_memory)
    : Program(launch, {.block = true, .fail = true}, 2),
      moments_(std::move(moments)),
      end_memory_(std::move(end_memory)) {}

ThreadSet TraceProgram::terminated(const lang::Word*) const {
  return moments_.empty() ? ThreadSet::first(threads()) : ThreadSet{};
}

ThreadSet TraceProgram::failed(const lang::Word* state) const {
  ThreadSet result;
  if (!moments_.empty() && state[1] == moments_.size())
    result |= ThreadSet::single(moments_.back().thread);
  return result;
}

ThreadSet TraceProgram::blocked(const lang::Word* state) const {
  ThreadSet result = ThreadSet::first(threads()) - terminated(state) - failed(state);
  if (state[1] < moments_.size()) result -= ThreadSet::single(moments_[state[1]].thread);
  return result;
}

bool TraceProgram::step(const lang::Word* state, lang::Step, lang::Word* next) const {
  next[0] = state[0];
  next[1] = state[1] + 1;
  return false;
}

lang::StepText TraceProgram::describe_step(const lang::Word* state, lang::Step) const {
  return moments_[state[1]].text;
}

std::string TraceProgram::describe_memory(const lang::Word* state) const {
  return state[1] < moments_.size() ? moments_[state[1]].memory : end_memory_;
}

std::string TraceProgram::describe_thread(const lang::Word* state, int thread) const {
  if (moments_.empty()) return "END";
  if (state[1] < moments_.size() && moments_[state[1]].thread == thread) {
    return moments_[state[1]].text.statement;
  }
  return "";
}

}  // namespace headway::kernel
