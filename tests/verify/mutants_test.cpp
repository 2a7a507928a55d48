// Kernels in which one thing is changed: a barrier removed, an index or a bound off by one, a guard
// dropped or turned around, a sum in place of a product. None is verified in which the engine finds
// an error in a run. HEADWAY_MUTANTS=1000 looks at all.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>

#include "kernel/ir/well_formed.hpp"
#include "kernel/test/analysis.hpp"
#include "kernel/test/kernel_tests.hpp"
#include "support/compiler.hpp"
#include "verify/verify.hpp"

namespace headway {
namespace {

using kernel::Instruction;
using kernel::Op;

struct Mutant {
  std::shared_ptr<kernel::Module> module;
  std::size_t function = 0;
  std::string what;
};

// A comparison that differs from another one where both sides are equal.
std::optional<Op> off_by_one(Op op) {
  switch (op) {
    case Op::ult:
      return Op::ule;
    case Op::ule:
      return Op::ult;
    case Op::ugt:
      return Op::uge;
    case Op::uge:
      return Op::ugt;
    case Op::slt:
      return Op::sle;
    case Op::sle:
      return Op::slt;
    case Op::sgt:
      return Op::sge;
    case Op::sge:
      return Op::sgt;
    default:
      return std::nullopt;
  }
}

std::vector<Mutant> mutants_of(const std::shared_ptr<const kernel::Module>& module,
                               std::size_t which) {
  std::vector<Mutant> result;
  const kernel::Function& f = module->functions[which];
  const auto copy = [&](const std::string& what, auto change) {
    Mutant one{std::make_shared<kernel::Module>(*module), which, f.name + ": " + what};
    change(one.module->functions[which]);
    if (!kernel::objection(*one.module, one.module->functions[which])) result.push_back(one);
  };
  for (std::size_t b = 0; b < f.blocks.size(); ++b) {
    for (std::size_t k = 0; k < f.blocks[b].code.size(); ++k) {
      const Instruction& i = f.blocks[b].code[k];
      const std::string at = " at line " + std::to_string(i.place.line);
      if (i.op == Op::barrier) {
        copy("no barrier" + at, [&](kernel::Function& m) {
          auto& code = m.blocks[b].code;
          code.erase(code.begin() + static_cast<std::ptrdiff_t>(k));
        });
      }
      if (i.op == Op::offset) {
        copy("an index off by one" + at, [&](kernel::Function& m) {
          const kernel::Type type = m.value(i.operands[1]).type;
          const auto one = static_cast<kernel::ValueId>(m.values.size());
          m.values.push_back({kernel::Value::Kind::constant, type, 4, kernel::kNone, ""});
          m.values.push_back({kernel::Value::Kind::instruction, type, 0, kernel::kNone, ""});
          Instruction add;
          add.op = Op::add;
          add.type = type;
          add.place = i.place;
          add.result = one + 1;
          add.operands = {i.operands[1], one};
          auto& code = m.blocks[b].code;
          code[k].operands[1] = one + 1;
          code.insert(code.begin() + static_cast<std::ptrdiff_t>(k), add);
        });
      }
      if (const auto other = off_by_one(i.op)) {
        copy("a bound off by one" + at,
             [&](kernel::Function& m) { m.blocks[b].code[k].op = *other; });
      }
      if (i.op == Op::mul && i.type.bits > 1) {
        copy("a sum for a product" + at,
             [&](kernel::Function& m) { m.blocks[b].code[k].op = Op::add; });
      }
      if (i.op == Op::branch && i.targets[0] != i.targets[1]) {
        copy("a guard turned around" + at, [&](kernel::Function& m) {
          auto& targets = m.blocks[b].code[k].targets;
          std::swap(targets[0], targets[1]);
        });
        copy("a guard dropped" + at, [&](kernel::Function& m) {
          const auto yes = static_cast<kernel::ValueId>(m.values.size());
          m.values.push_back(
              {kernel::Value::Kind::constant, kernel::Type::integer(1), 1, kernel::kNone, ""});
          m.blocks[b].code[k].operands[0] = yes;
        });
      }
    }
  }
  return result;
}

std::set<std::string> faults_of(const Mutant& mutant) {
  kernel::LaunchSpec spec;
  spec.grid = kernel::Size3{2, 1, 1};
  spec.block = kernel::Size3{4, 1, 1};
  const kernel::Function& f = mutant.module->functions[mutant.function];
  for (const kernel::Parameter& p : f.parameters) {
    if (p.type.is_pointer()) {
      if (p.space == kernel::Space::workgroup || p.by_value > 0) continue;
      kernel::BufferSpec buffer;
      buffer.content = kernel::BufferSpec::Content::values;
      for (int k = 0; k < 64; ++k) buffer.values.push_back(kernel::Number::of(k % 3));
      spec.buffers[p.name] = buffer;
    } else {
      kernel::ArgumentSpec argument;
      argument.integer = 8;
      argument.value = 8;
      spec.arguments[p.name] = argument;
    }
  }
  kernel::AnalysisOptions options;
  options.explore.all_faults = true;
  options.explore.max_states = 2000;
  options.explore.stop = StopSigns(nullptr, StopSigns::Clock::now() + std::chrono::seconds(2));
  std::set<std::string> found;
  try {
    const kernel::Analysis run = kernel::analyse(mutant.module, f, spec, nullptr, options);
    for (const kernel::FoundFault& fault : run.exploration.faults) {
      // That the code is right where it says "never reached" is taken for granted by proofs.
      const Op op = run.run->code->instruction(fault.fault.instruction).op;
      if (!fault.fault.possible && op != Op::unreachable)
        found.insert(std::string(to_string(fault.fault.kind)));
    }
  } catch (const Error&) {
  }
  return found;
}

TEST_CASE("verify/mutants: none is verified that goes wrong in a run") {
  const char* wish = std::getenv("HEADWAY_MUTANTS");
  const std::size_t most = wish == nullptr ? 24 : std::stoul(wish);
  kernel::Compiler& compiler = headway::testing::shared_compiler();
  const std::shared_ptr<const kernel::Module> module =
      kernel::read_kernels(HEADWAY_SOURCE_DIR "/tests/data/verify/kernels.cu", kernel::Side::device,
                           {}, compiler)
          .module;
  std::vector<Mutant> all;
  for (std::size_t k = 0; k < module->functions.size(); ++k) {
    for (Mutant& one : mutants_of(module, k)) all.push_back(std::move(one));
  }
  REQUIRE(all.size() >= 300);
  // Spread over all of them.
  const std::size_t count = std::min(most, all.size());
  std::size_t bad = 0, verified = 0;
  for (std::size_t n = 0; n < count; ++n) {
    const Mutant& mutant = all[n * all.size() / count];
    const std::set<std::string> faults = faults_of(mutant);
    verify::Options options;
    options.launch.block = {4, 1, 1};
    options.launch.grid = {2, 1, 1};
    options.trials = false;  // proofs by themselves
    options.query_limit = std::chrono::milliseconds(400);
    options.kernel_limit = std::chrono::milliseconds(1500);
    const verify::Report report =
        verify::verify(*mutant.module, mutant.module->functions[mutant.function], options);
    INFO(mutant.what);
    for (const verify::Finding& f : report.findings) {
      if (f.verdict == verify::Verdict::verified) {
        CHECK_FALSE(faults.contains(std::string(name_of(f.property))));
      }
    }
    if (faults.contains("race") || faults.contains("divergence")) ++bad;
    if (report.worst() == verify::Verdict::verified) ++verified;
  }
  MESSAGE(count, " of ", all.size(), " mutants: ", bad, " go wrong, ", verified, " verified");
  CHECK(bad > 0);  // there is something to see
}

}  // namespace
}  // namespace headway
