// The keys by which programs are told apart: what can be read back from a key was put there by no
// other program.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/file.hpp"
#include "lang/idiom/parser.hpp"
#include "lang/idiom/source.hpp"
#include "languages/languages.hpp"
#include "support/files.hpp"
#include "support/random_families.hpp"
#include "support/random_idioms.hpp"

using namespace headway;
using namespace headway::lang::idiom;

namespace {

// Reads a key.
class Reader {
 public:
  explicit Reader(const std::string& key) : words_(key) {
    std::string word;
    words_ >> word;
    REQUIRE(word == "idiom-2");
  }

  template <class T>
  void take(T& to) {
    std::int64_t number = 0;
    words_ >> number;
    REQUIRE(words_);
    to = static_cast<T>(number);
  }
  template <class... T>
  void take_all(T&... to) {
    (take(to), ...);
  }
  template <class T, class Take>
  void list(std::vector<T>& to, const Take& each) {
    std::size_t size = 0;
    take(size);
    to.resize(size);
    for (T& one : to) each(one);
  }
  bool ended() {
    std::string word;
    return !(words_ >> word);
  }

 private:
  std::istringstream words_;
};

Code read(const std::string& key) {
  Reader reader(key);
  Code code;
  int workgroups = 0, subgroups = 0, threads = 0;
  bool lockstep = false;
  reader.take_all(workgroups, subgroups, threads, lockstep);
  code.topology = Topology(workgroups, subgroups, threads);
  code.lockstep = lockstep;
  reader.list(code.barriers, [&](Barrier& b) { reader.take_all(b.scope, b.counts_ended); });
  reader.list(code.operations, [&](SubgroupOperation& operation) { reader.take(operation); });
  reader.list(code.variables, [&](SharedVariable& v) {
    reader.take_all(v.low, v.high, v.wraps, v.per_workgroup, v.size, v.instances, v.first_cell);
  });
  reader.list(code.initial, [&](int& value) { reader.take(value); });
  const auto take = [&](ThreadCode& thread) {
    reader.list(thread.registers,
                [&](RegisterRange& r) { reader.take_all(r.low, r.high, r.wraps); });
    reader.list(thread.nodes,
                [&](Node& n) { reader.take_all(n.kind, n.op, n.a, n.b, n.c, n.number, n.count); });
    reader.list(thread.instructions, [&](Instruction& i) {
      reader.take_all(i.kind, i.access, i.value, i.second, i.index, i.variable, i.barrier,
                      i.operation, i.from, i.target, i.low, i.count, i.fair);
    });
  };
  reader.list(code.threads, take);
  take(code.final);
  CHECK(reader.ended());
  return code;
}

bool same(const ThreadCode& a, const ThreadCode& b) {
  const auto same_register = [](const RegisterRange& x, const RegisterRange& y) {
    return x.low == y.low && x.high == y.high && x.wraps == y.wraps;
  };
  const auto same_instruction = [](const Instruction& x, const Instruction& y) {
    return x.kind == y.kind && x.access == y.access && x.value == y.value && x.second == y.second &&
           x.index == y.index && x.variable == y.variable && x.barrier == y.barrier &&
           x.operation == y.operation && x.from == y.from && x.target == y.target &&
           x.low == y.low && x.count == y.count && x.fair == y.fair;
  };
  return a.nodes == b.nodes &&
         std::equal(a.registers.begin(), a.registers.end(), b.registers.begin(), b.registers.end(),
                    same_register) &&
         std::equal(a.instructions.begin(), a.instructions.end(), b.instructions.begin(),
                    b.instructions.end(), same_instruction);
}

bool same(const Code& a, const Code& b) {
  const auto same_barrier = [](const Barrier& x, const Barrier& y) {
    return x.scope == y.scope && x.counts_ended == y.counts_ended;
  };
  const auto same_variable = [](const SharedVariable& x, const SharedVariable& y) {
    return x.low == y.low && x.high == y.high && x.wraps == y.wraps &&
           x.per_workgroup == y.per_workgroup && x.size == y.size && x.instances == y.instances &&
           x.first_cell == y.first_cell;
  };
  return a.topology.workgroups() == b.topology.workgroups() &&
         a.topology.subgroups() == b.topology.subgroups() &&
         a.topology.subgroup_threads() == b.topology.subgroup_threads() &&
         a.lockstep == b.lockstep && a.operations == b.operations && a.initial == b.initial &&
         std::equal(a.barriers.begin(), a.barriers.end(), b.barriers.begin(), b.barriers.end(),
                    same_barrier) &&
         std::equal(a.variables.begin(), a.variables.end(), b.variables.begin(), b.variables.end(),
                    same_variable) &&
         std::equal(a.threads.begin(), a.threads.end(), b.threads.begin(), b.threads.end(),
                    [](const ThreadCode& x, const ThreadCode& y) { return same(x, y); }) &&
         same(a.final, b.final);
}

std::string key_of(const std::string& text) { return lang::program_key(lang::parse(text, "f")); }

}  // namespace

TEST_CASE("lang/idiom/key: a program can be read off its key") {
  std::vector<lang::Test> tests;
  for (const char* folder : {"litmus/idioms", "litmus/scoped"}) {
    for (const auto& file :
         std::filesystem::recursive_directory_iterator(testing::source_dir() / folder)) {
      if (file.path().extension() != ".litmus") continue;
      for (lang::Test& test : lang::parse_all(read_file(file.path()), file.path().string())) {
        tests.push_back(std::move(test));
      }
    }
  }
  testing::Random random(5);
  for (int i = 0; i < 500; ++i) {
    tests.push_back(lang::parse(testing::random_idiom(random, 2 + i % 3), "f"));
    for (lang::Test& test : lang::parse_all(testing::random_parametric_family(random), "f")) {
      tests.push_back(std::move(test));
    }
  }
  CHECK(tests.size() > 1000);
  int flat = 0;
  for (const lang::Test& test : tests) {
    const auto code = find_code(test);
    if (!code) continue;
    if (!same(read(code_key(*code)), *code)) {
      CAPTURE(code->source);
      CHECK(same(read(code_key(*code)), *code));
    }
    flat += code->topology.is_flat() ? 1 : 0;
  }
  CHECK(flat > 100);
}

TEST_CASE("lang/idiom/key: what is said of one of several things is not said of another") {
  struct Pair {
    std::string one, other;
  };
  const auto two = [](const std::string& a, const std::string& b) {
    return "shared bool x, y;\nthread 0 { bool r; r = " + a + "; r = " + b +
           "; }\nthread 1 { store(x, 1); }";
  };
  const auto barriers = [](const std::string& a, const std::string& b) {
    return "N = 2;\n2 workgroups of 2 threads;\nshared bool x;\nthreads { barrier(" + a +
           "); barrier(" + b + "); store(x, 1); }";
  };
  const auto final = [](const std::string& range, const std::string& what) {
    return "shared int(" + range + ") x;\nthread 0 { store(x, 1); }\nfinal { assert(" + what +
           "); }";
  };
  const std::vector<Pair> pairs = {
      {two("fair weak_cas(x, 0, 1)", "weak_cas(x, 0, 1)"),
       two("weak_cas(x, 0, 1)", "fair weak_cas(x, 0, 1)")},
      {two("fair choose(0..1)", "choose(0..1)"), two("choose(0..1)", "fair choose(0..1)")},
      {two("weak_cas(x, 0, 1)", "weak_cas(y, 0, 1)"),
       two("weak_cas(y, 0, 1)", "weak_cas(x, 0, 1)")},
      {barriers("workgroup", "grid"), barriers("grid", "workgroup")},
      {final("0..1", "load(x) == 1"), final("0..2", "load(x) == 1")},
      {final("0..1", "load(x) == 1"), final("0..1", "load(x) == 0")},
  };
  for (const Pair& pair : pairs) {
    CAPTURE(pair.one);
    CAPTURE(pair.other);
    CHECK(key_of(pair.one) != key_of(pair.other));
    CHECK(key_of(pair.one) == key_of("// The same.\n" + pair.one));
  }
}
