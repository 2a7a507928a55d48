// Locks: what they order, and that they order nothing where one premise is broken.
// HEADWAY_LOCKS=1000 looks at so many random kernels, and at so many that differ in one place from
// right ones.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>
#include <random>
#include <string>

#include "kernel/ir/well_formed.hpp"
#include "kernel/test/analysis.hpp"
#include "kernel/test/kernel_tests.hpp"
#include "support/budget.hpp"
#include "support/compiler.hpp"
#include "support/files.hpp"
#include "verify/verify.hpp"

namespace headway {
namespace {

std::shared_ptr<const kernel::Module> lock_kernels(const std::string& path) {
  kernel::Compiler& compiler = headway::testing::shared_compiler();
  return kernel::read_kernels(path, kernel::Side::device, {}, compiler).module;
}

verify::Options lock_launch() {
  verify::Options options;
  options.launch.grid = {16, 1, 1};
  options.trials = false;  // proofs by themselves
  options.query_limit = std::chrono::seconds(60);
  options.kernel_limit = std::chrono::seconds(200);
  return options;
}

verify::Verdict race_verdict(const verify::Report& report) {
  for (const verify::Finding& f : report.findings) {
    if (f.property == verify::Property::race) return f.verdict;
  }
  return verify::Verdict::unsupported;
}

void expect_lock_answers(const std::string& file) {
  const auto module = lock_kernels(HEADWAY_SOURCE_DIR "/tests/data/verify/" + file);
  int kernels = 0;
  for (const kernel::Function& f : module->functions) {
    const verify::Report report = verify::verify(*module, f, lock_launch());
    std::string text;
    for (const verify::Finding& one : report.findings) {
      text += std::string(name_of(one.property)) + " " + std::string(name_of(one.verdict)) + " " +
              one.detail + "\n";
    }
    INFO(f.name, ": ", text);
    CHECK(f.unsupported.empty());
    ++kernels;
    if (f.name.starts_with("ok_")) {
      CHECK(report.worst() == verify::Verdict::verified);
    } else {
      CHECK(race_verdict(report) == verify::Verdict::possible);
    }
  }
  CHECK(kernels > 10);
}

TEST_CASE("verify/locks: what is done under a lock is ordered, if nothing is missing") {
  expect_lock_answers("locks.cu");
}

TEST_CASE("verify/locks: orders and scopes of OpenCL count") { expect_lock_answers("locks.cl"); }

TEST_CASE("verify/locks: where reads are equal, and in lockstep, locks order nothing") {
  const auto module = lock_kernels(HEADWAY_SOURCE_DIR "/tests/data/verify/locks.cu");
  for (const kernel::Function& f : module->functions) {
    if (f.name != "ok_spin") continue;
    verify::Options equal = lock_launch(), lockstep = lock_launch(), without = lock_launch();
    equal.equal_reads = true;
    lockstep.lockstep = true;
    without.left_out.insert("lock");
    for (const verify::Options& options : {equal, lockstep, without}) {
      CHECK(race_verdict(verify::verify(*module, f, options)) == verify::Verdict::possible);
    }
  }
}

// ---- Random kernels: one to three locks, sections that may lack a fence, or have it elsewhere,
// accesses inside and beside them, releases of what is not held.
class LockKernel {
 public:
  explicit LockKernel(std::mt19937& random) : random_(random) {}

  std::string text(const std::string& name) {
    const bool of_group = chance(20);
    std::string code = fmt::format(
        "__global__ void {}(int* l, int* m, int* a, int n, int* x, int* y, int* z) {{\n", name);
    code += "  int t = threadIdx.x + blockDim.x * blockIdx.x;\n";
    if (of_group) {
      code += "  __shared__ int s[2];\n";
      if (chance(85)) code += "  if (threadIdx.x == 0) { s[0] = 0; s[1] = 0; }\n";
      if (chance(85)) code += "  __syncthreads();\n";
    }
    locks_ = of_group ? std::vector<std::string>{"s", "s + 1"}
                      : std::vector<std::string>{"l", "l", "l + 1", "m", "l + (t & 1)", "l + n"};
    if (chance(60)) locks_.resize(1);
    sloppy_ = chance(60);
    const int count = 1 + pick(2);
    for (int k = 0; k < count; ++k) {
      if (slips(15)) code += access("  ");
      if (chance(25)) code += "  a[t + 4] += 1;\n";
      if (chance(20)) code += first("  ");
      const bool some = chance(15), rounds = chance(15);
      if (some) code += "  if (t == 0) {\n";
      if (rounds) code += "  for (int i = 0; i < 2; i++) {\n";
      code += chance(15) ? turn("    ") : section(0, "    ");
      if (rounds) code += "  }\n";
      if (some) code += "  }\n";
    }
    if (slips(10)) code += access("  ");
    return code + "}\n";
  }

 private:
  int pick(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  bool chance(int percent) { return pick(100) < percent; }
  bool slips(int percent) { return sloppy_ && chance(percent); }
  std::string one_of(const std::vector<std::string>& all) {
    return all[static_cast<std::size_t>(pick(static_cast<int>(all.size())))];
  }

  std::string access(const std::string& indent) {
    return indent +
           one_of({"a[0] += 1;", "a[0] = t;", "a[1] = a[0];", "a[1] += t;", "atomicAdd(a, 1);",
                   "if (n == 0) a[0] = t;"}) +
           "\n";
  }
  std::string fence(const std::string& indent) {
    if (slips(15)) return "";
    return indent + (slips(15) ? "__threadfence_block();\n" : "__threadfence();\n");
  }
  std::string order(const char* right) {
    return slips(25) ? one_of({"memory_order_relaxed", "memory_order_acquire",
                               "memory_order_release", "memory_order_seq_cst"})
                     : right;
  }

  std::string first(const std::string& indent) {
    return indent +
           fmt::format("if (atomicCAS(z{}, 0, {}) == 0)\n", slips(15) ? " + (t & 1)" : "",
                       slips(15) ? "n" : "1") +
           access(indent + "  ");
  }
  std::string turn(const std::string& indent) {
    const std::string mine = fmt::format("mine{}", next_++);
    std::string code =
        indent + fmt::format("int {} = atomicAdd({}, 1);\n", mine, slips(5) ? "x + (t & 1)" : "x");
    if (slips(5)) code += indent + mine + " = t;\n";
    code += indent + fmt::format("while (atomicAdd(y, 0) != {}) {{}}\n", mine);
    code += fence(indent) + access(indent) + fence(indent);
    if (slips(8)) code += access(indent);
    code += indent + (slips(8)     ? "atomicAdd(y, 2);\n"
                      : chance(70) ? "atomicAdd(y, 1);\n"
                                   : fmt::format("atomicExch(y, {} + 1);\n", mine));
    return code;
  }

  std::string section(int depth, const std::string& indent) {
    const std::string lock = one_of(locks_);
    const bool ordered = chance(30);  // by the atomic accesses themselves, not by fences
    const std::string scope = slips(8) ? "block" : "device";
    const std::string object =
        fmt::format("cuda::atomic_ref<int, cuda::thread_scope_{}>(*({}))", scope, lock);
    std::string body;
    if (slips(10)) body += access(indent);
    if (!ordered) body += fence(indent);
    const int accesses = pick(3);
    for (int k = 0; k < accesses; ++k) body += access(indent);
    if (depth == 0 && chance(20)) {
      body += section(1, indent);
      if (chance(50)) body += access(indent);
    }
    if (chance(10)) {
      body += indent + "for (int j = 0; j < 2; j++) {\n" + access(indent + "  ") + indent + "}\n";
    }
    if (!ordered) body += fence(indent);
    if (slips(8)) body += access(indent);
    const std::string given = slips(8) ? one_of({"l", "l + 1", "m"}) : lock;
    if (slips(5)) body += indent + "if (t == 0)\n";
    if (!slips(5)) {
      if (ordered) {
        body +=
            indent + fmt::format("{}.{}(0, cuda::{});\n", object, chance(50) ? "store" : "exchange",
                                 order("memory_order_release"));
      } else {
        body += indent + (chance(80) ? fmt::format("atomicExch({}, 0);\n", given)
                                     : fmt::format("atomicCAS({}, 1, 0);\n", given));
      }
    } else {
      body += indent + ";\n";
    }
    const std::string take =
        ordered      ? object + ".exchange(1, cuda::" + order("memory_order_acquire") + ")"
        : slips(4)   ? fmt::format("atomicCAS({}, 0, n)", lock)
        : chance(50) ? fmt::format("atomicCAS({}, 0, 1)", lock)
                     : fmt::format("atomicExch({}, 1)", lock);
    switch (pick(5)) {
      case 0:
        return indent + "if (" + take + " == 0) {\n" + body + indent + "}\n";
      case 1: {
        const std::string done = fmt::format("done{}", next_++);
        return indent + "bool " + done + " = false;\n" + indent + "while (!" + done + ") {\n" +
               indent + "if (" + take + " == 0) {\n" + body + indent + done + " = true;\n" +
               indent + "}\n" + indent + "}\n";
      }
      case 2: {
        const std::string mine = fmt::format("mine{}", next_++);
        return indent + "int " + mine + " = 1;\n" + indent + "while (" + mine + " != 0) " + mine +
               " = " + take + ";\n" + body;
      }
      default:
        return indent + "while (" + take + " != 0) {}\n" + body;
    }
  }

  std::mt19937& random_;
  std::vector<std::string> locks_;
  bool sloppy_ = false;
  int next_ = 0;
};

// Whether some execution of a small launch has a race; nothing where not all could be looked at.
std::optional<bool> races_in_a_run(const std::shared_ptr<const kernel::Module>& module,
                                   const kernel::Function& f, const verify::Launch& launch) {
  kernel::LaunchSpec spec;
  spec.grid = kernel::Size3{*launch.grid[0], 1, 1};
  spec.block = kernel::Size3{*launch.block[0], 1, 1};
  bool complete = true;
  for (const int n : {0, 1}) {
    for (const kernel::Parameter& p : f.parameters) {
      if (p.type.is_pointer()) {
        spec.buffers[p.name].content = kernel::BufferSpec::Content::values;
        spec.buffers[p.name].values.assign(64, kernel::Number{});
      } else {
        spec.arguments[p.name].integer = n;
        spec.arguments[p.name].value = n;
      }
    }
    kernel::AnalysisOptions options;
    options.explore.all_faults = true;
    options.explore.max_states = 10000;
    options.explore.stop = StopSigns(nullptr, StopSigns::Clock::now() + std::chrono::seconds(1));
    const kernel::Analysis run = kernel::analyse(module, f, spec, nullptr, options);
    for (const kernel::FoundFault& fault : run.exploration.faults) {
      if (fault.fault.kind == kernel::FaultKind::race && !fault.fault.possible) return true;
    }
    complete = complete && run.exploration.complete;
  }
  return complete ? std::optional(false) : std::nullopt;
}

struct LockTally {
  int racy = 0, clean = 0, verified = 0;
};

// Proofs of a kernel for a small launch, against all executions of it.
void hold_locks_against_runs(const std::shared_ptr<const kernel::Module>& module,
                             const kernel::Function& f, std::uint32_t grid, std::uint32_t block,
                             LockTally& tally) {
  verify::Options options;
  options.launch.grid = {grid, 1, 1};
  options.launch.block = {block, 1, 1};
  options.trials = false;
  options.query_limit = std::chrono::milliseconds(1000);
  options.kernel_limit = std::chrono::milliseconds(3000);
  const bool proved =
      race_verdict(verify::verify(*module, f, options)) == verify::Verdict::verified;
  const std::optional<bool> race = races_in_a_run(module, f, options.launch);
  if (race == true) CHECK_FALSE(proved);
  if (race == true) ++tally.racy;
  if (race == false) ++tally.clean;
  if (proved) ++tally.verified;
  if (race == false && !proved && std::getenv("HEADWAY_LOCKS_SHOW") != nullptr) {
    MESSAGE("not proved, though it does not race: ", f.name);
  }
}

constexpr std::uint32_t kLockLaunches[][2] = {{2, 1}, {1, 2}, {3, 1}, {1, 3}, {2, 2}};

TEST_CASE("verify/locks: no random kernel with locks is verified that races in a run") {
  const int count = testing::wished("HEADWAY_LOCKS", testing::budget(24));
  std::mt19937 random(static_cast<unsigned>(testing::wished("HEADWAY_LOCKS_SEED", 1)));
  LockTally tally;
  for (int from = 0; from < count; from += 50) {
    std::string text = "#include <cuda/atomic>\n";
    std::vector<std::string> texts;
    for (int k = from; k < std::min(from + 50, count); ++k) {
      texts.push_back(LockKernel(random).text(fmt::format("k{}", k)));
      text += texts.back();
    }
    const testing::TemporaryFolder folder;
    const auto module = lock_kernels(folder.write("locks.cu", text).string());
    REQUIRE(module->functions.size() == texts.size());
    for (std::size_t k = 0; k < texts.size(); ++k) {
      const auto& launch = kLockLaunches[random() % 5];
      INFO(texts[k], "grid ", launch[0], " block ", launch[1]);
      CHECK(module->functions[k].unsupported == "");
      hold_locks_against_runs(module, module->functions[k], launch[0], launch[1], tally);
    }
  }
  MESSAGE(count, " kernels: ", tally.racy, " race, ", tally.clean, " do not, ", tally.verified,
          " verified");
  CHECK(tally.racy > count / 6);
  CHECK(tally.verified > count / 6);
}

// ---- Right kernels in which one thing is changed.
struct LockMutant {
  std::shared_ptr<kernel::Module> module;
  std::size_t function = 0;
  std::string what;
};

void add_lock_mutants(const std::shared_ptr<const kernel::Module>& module, std::size_t which,
                      std::vector<LockMutant>& result) {
  using kernel::Instruction;
  using kernel::Op;
  const kernel::Function& f = module->functions[which];
  for (std::size_t b = 0; b < f.blocks.size(); ++b) {
    for (std::size_t k = 0; k < f.blocks[b].code.size(); ++k) {
      const Instruction& i = f.blocks[b].code[k];
      const auto add = [&](const char* what, const std::function<void(kernel::Function&)>& change) {
        LockMutant one{std::make_shared<kernel::Module>(*module), which,
                       fmt::format("{}: {} at line {}", f.name, what, i.place.line)};
        change(one.module->functions[which]);
        if (!kernel::objection(*one.module, one.module->functions[which])) result.push_back(one);
      };
      const bool atomic = i.op == Op::atomic_update || i.op == Op::atomic_compare ||
                          i.op == Op::atomic_store || i.op == Op::atomic_load;
      if (i.op == Op::fence || i.op == Op::atomic_store || i.op == Op::barrier) {
        add("left out", [&](kernel::Function& m) {
          auto& code = m.blocks[b].code;
          code.erase(code.begin() + static_cast<std::ptrdiff_t>(k));
        });
      }
      if (i.op == Op::fence || atomic) {
        add("for the workgroup",
            [&](kernel::Function& m) { m.blocks[b].code[k].scope = kernel::Scope::workgroup; });
        for (const auto order :
             {kernel::Order::relaxed, kernel::Order::acquire, kernel::Order::release}) {
          if (i.order == order || (i.op == Op::fence && order == kernel::Order::relaxed)) continue;
          add("with another order",
              [&](kernel::Function& m) { m.blocks[b].code[k].order = order; });
        }
        add("for memory of the workgroup",
            [&](kernel::Function& m) { m.blocks[b].code[k].memory = 1; });
      }
      const bool is_effect = atomic || i.op == Op::fence || i.op == Op::store;
      if (is_effect && k + 2 < f.blocks[b].code.size()) {
        add("one later",
            [&](kernel::Function& m) { std::swap(m.blocks[b].code[k], m.blocks[b].code[k + 1]); });
      }
      // Sums are left alone: a loop that counts while it waits has no end of states.
      const bool sets = i.op != Op::atomic_update || i.update == kernel::Update::exchange;
      if (atomic && sets && i.op != Op::atomic_load) {
        for (const std::uint64_t value : {0U, 1U, 2U}) {
          add("with another value", [&](kernel::Function& m) {
            const auto constant = static_cast<kernel::ValueId>(m.values.size());
            m.values.push_back({kernel::Value::Kind::constant, i.type, value, kernel::kNone, ""});
            m.blocks[b].code[k].operands.back() = constant;
          });
        }
      }
    }
  }
}

TEST_CASE("verify/locks: no right kernel with one thing changed is verified that races in a run") {
  std::vector<LockMutant> all;
  for (const char* file : {"locks.cu", "locks.cl"}) {
    const auto module = lock_kernels(std::string(HEADWAY_SOURCE_DIR "/tests/data/verify/") + file);
    for (std::size_t k = 0; k < module->functions.size(); ++k) {
      if (module->functions[k].name.starts_with("ok_")) add_lock_mutants(module, k, all);
    }
  }
  REQUIRE(all.size() > 500);
  const std::size_t count = std::min(
      all.size(), static_cast<std::size_t>(testing::wished("HEADWAY_LOCKS", testing::budget(12))));
  LockTally tally;
  for (std::size_t n = 0; n < count; ++n) {
    const std::size_t which = n * all.size() / count;
    const LockMutant& mutant = all[which];
    INFO(mutant.what);
    const auto& launch = kLockLaunches[which % 4];
    hold_locks_against_runs(mutant.module, mutant.module->functions[mutant.function], launch[0],
                            launch[1], tally);
  }
  MESSAGE(count, " of ", all.size(), " mutants: ", tally.racy, " race, ", tally.clean, " do not, ",
          tally.verified, " verified");
  CHECK(tally.racy > 0);
  CHECK(tally.verified > 0);
}

TEST_CASE("verify/locks: the right locks of litmus/kernels are verified") {
  for (const char* file : {"spin-lock.cu", "spin-lock.cl", "warp-lock.cu", "subgroup-lock.cl",
                           "ticket-lock.cu", "ticket-lock.cl"}) {
    const auto module = lock_kernels(std::string(HEADWAY_SOURCE_DIR "/litmus/kernels/") + file);
    INFO(std::string(file));
    CHECK(verify::verify(*module, module->functions.front(), lock_launch()).worst() ==
          verify::Verdict::verified);
  }
}

}  // namespace
}  // namespace headway
