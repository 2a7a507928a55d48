#include "consistency/axb/translate.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "consistency/idiom/strengths.hpp"

namespace headway::consistency::axb {
namespace {

using Kind = Instruction::Kind;
using lang::idiom::AccessKind;
using lang::idiom::MemoryOrder;
using lang::idiom::MemoryScope;
using lang::idiom::Strength;

Thread thread_of(const lang::axb::Thread& source, const std::string& file,
                 const std::string& language) {
  Thread thread;
  thread.registers = {"old"};
  thread.initial = {0};
  std::vector<std::size_t> begins;
  std::vector<std::pair<std::size_t, int>> jumps;  // to which instruction of the source
  for (std::size_t at = 0; at < source.instructions.size(); ++at) {
    const lang::axb::Instruction& i = source.instructions[at];
    const lang::SourceLine line =
        at < source.sources.size() ? source.sources[at] : lang::SourceLine();
    const auto emit = [&](Instruction made) {
      made.line = line.line;
      made.text = line.text;
      thread.code.push_back(std::move(made));
    };
    begins.push_back(thread.code.size());
    if (!i.is_access()) {
      throw Error({file, line.line, 1},
                  fmt::format("{} is not read with --memory",
                              i.is_barrier() ? "a barrier" : "the number of a lane"));
    }
    const AccessKind kind = i.exchanges ? AccessKind::exch : AccessKind::load;
    Strength strength = {language == "VULKAN" ? MemoryOrder::acq_rel : MemoryOrder::seq_cst,
                         MemoryScope::system};
    if (auto fence = idiom::split_seq_cst(language, kind, strength)) emit(std::move(*fence));
    Instruction access{i.exchanges ? Kind::exchange : Kind::load};
    idiom::tag(access, language, kind, strength, false);
    access.location = i.location;
    access.value = Term::constant(i.exchange_value);
    access.target = 0;
    emit(std::move(access));
    Instruction branch{Kind::branch};
    branch.value = Term::of(Term::Kind::equal, Term::of_register(0), Term::constant(i.check_value));
    jumps.emplace_back(thread.code.size(), i.jump);
    emit(std::move(branch));
  }
  begins.push_back(thread.code.size());
  for (const auto& [from, to] : jumps) thread.code[from].to = begins[static_cast<std::size_t>(to)];
  return thread;
}

}  // namespace

Program translate(const lang::axb::Code& code, const std::string& name, const std::string& file,
                  const std::string& language) {
  if (code.in_lockstep()) {
    throw Error({file, 0, 0}, "threads in lockstep are not read with --memory");
  }
  Program program = idiom::program_in(language, name);
  for (const lang::axb::Location& location : code.locations) {
    program.locations.push_back(
        {location.name, location.initial, idiom::initial_tags(language, false)});
  }
  const Topology topology = code.topology();
  for (int t = 0; t < code.thread_count(); ++t) {
    program.threads.push_back(thread_of(code.threads[static_cast<std::size_t>(t)], file, language));
    program.threads.back().name = fmt::format("P{}", t);
    program.threads.back().place = {0, topology.group_of(Level::workgroup, t),
                                    topology.group_of(Level::subgroup, t)};
  }
  return program;
}

}  // namespace headway::consistency::axb
