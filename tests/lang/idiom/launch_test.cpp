// Launches of several threads a workgroup: what they are written as, and the ids and sizes in them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "lang/idiom/source.hpp"
#include "languages/languages.hpp"
#include "support/errors.hpp"

using namespace headway;
using lang::Sizes;
using lang::Test;
using testing::complaint_of;
using testing::contains;

namespace {

std::vector<Test> launches_of(const std::string& text, const std::optional<Sizes>& sizes = {}) {
  return lang::parse_all(text, "f", sizes);
}

// "line:column: message" of what is wrong with a text.
std::string launch_complaint(const std::string& text, const std::optional<Sizes>& sizes = {}) {
  return complaint_of([&] { launches_of(text, sizes); });
}

// What each thread of `text` stores into x, which is all that it does: "0 1 2".
std::string stored(const std::string& text) {
  const Test test = lang::parse(text, "f");
  const auto program = lang::make_program(test);
  std::vector<lang::Word> state(static_cast<std::size_t>(program->words())), next = state;
  program->initial(state.data());
  std::string values;
  for (int t = 0; t < program->threads(); ++t) {
    program->step(state.data(), t, next.data());
    values += (t > 0 ? " " : "") + program->describe_memory(next.data()).substr(2);
  }
  return values;
}

}  // namespace

TEST_CASE("lang/idiom/launch: N has the values of a list") {
  const auto sizes = [](const std::string& list) {
    std::string names;
    for (const Test& test :
         launches_of("idiom f\nN = " + list + ";\nshared bool x;\nthreads { load(x); }")) {
      names += test.name + " ";
    }
    return names;
  };
  CHECK(sizes("2, 4, 8") == "f-2 f-4 f-8 ");
  CHECK(sizes("2..4, 8") == "f-2 f-3 f-4 f-8 ");
  CHECK(sizes("1, 3..4, 6..6") == "f-1 f-3 f-4 f-6 ");
  CHECK(launch_complaint("N = 2, 2; threads { }") ==
        "1:8: number of threads '2' is out of range; expected 3 to 64");
  CHECK(launch_complaint("N = 2..5, 4; threads { }") ==
        "1:11: number of threads '4' is out of range; expected 6 to 64");
  const std::string text = "idiom f\nN = 2, 4..5; shared bool x; threads { load(x); }\n";
  CHECK(launches_of(text, Sizes{3, 3}).front().name == "f-3");
  const Test last = launches_of(text).back();
  CHECK(lang::print(last) == "idiom f\nN = 5; shared bool x; threads { load(x); }\n");
  CHECK(lang::parse(lang::print(last), "printed") == last);
}

TEST_CASE("lang/idiom/launch: a launch has workgroups of subgroups of threads") {
  const auto shape = [](const std::string& head, int place = 0) {
    const auto tests = launches_of(head + " shared bool x; threads { load(x); }");
    const auto program = lang::make_program(tests.at(static_cast<std::size_t>(place)));
    const Topology& topology = program->topology();
    CHECK(tests[static_cast<std::size_t>(place)].thread_count() == topology.threads());
    return fmt::format("{} of {} of {}", topology.workgroups(), topology.subgroups(),
                       topology.subgroup_threads());
  };
  CHECK(shape("N = 3;") == "3 of 1 of 1");
  CHECK(shape("idiom f 2 workgroups of 4 threads;") == "2 of 1 of 4");
  CHECK(shape("idiom f 2 workgroups of 4 threads, subgroups of 2;") == "2 of 2 of 2");
  CHECK(shape("idiom f 1 workgroup of 1 thread;") == "1 of 1 of 1");
  CHECK(shape("idiom f const K = 6; K / 3 workgroups of K threads, subgroups of K;") ==
        "2 of 1 of 6");
  // A family in any of its sizes.
  CHECK(shape("N = 2, 4; N workgroups of 4 threads;", 1) == "4 of 1 of 4");
  CHECK(shape("N = 2, 4; 2 workgroups of N threads, subgroups of 2;", 1) == "2 of 2 of 2");
  CHECK(shape("N = 2, 4; 2 workgroups of 8 threads, subgroups of N;", 1) == "2 of 2 of 4");
  CHECK(launches_of("idiom f\nN = 8; N workgroups of 4 threads; threads { }").front().name ==
        "f-8");
  CHECK(launches_of("idiom f\nN = 2; N workgroups of 4 threads; threads { }", Sizes{3, 3})
            .front()
            .thread_count() == 12);
}

TEST_CASE("lang/idiom/launch: every thread knows its ids") {
  const auto ids = [](const std::string& name) {
    return stored(
        "idiom f 2 workgroups of 4 threads, subgroups of 2;\nshared int(0..9) x;\n"
        "threads { store(x, " +
        name + "); }");
  };
  CHECK(ids("tid") == "0 1 2 3 4 5 6 7");
  CHECK(ids("gid") == "0 0 0 0 1 1 1 1");
  CHECK(ids("lid") == "0 1 2 3 0 1 2 3");
  CHECK(ids("sid") == "0 0 1 1 0 0 1 1");
  CHECK(ids("lane") == "0 1 0 1 0 1 0 1");
  CHECK(ids("tid - (gid * WORKGROUP_SIZE + sid * SUBGROUP_SIZE + lane)") == "0 0 0 0 0 0 0 0");
  const std::string flat = "N = 3; shared int(0..9) x; threads { store(x, ";
  CHECK(stored(flat + "gid); }") == "0 1 2");
  CHECK(stored(flat + "lid + sid + lane); }") == "0 0 0");
}

TEST_CASE("lang/idiom/launch: sizes are constants, N is the parameter of the family") {
  const std::string head = "N = 3;\nN workgroups of 4 threads, subgroups of 2;\n";
  const auto value = [&](const std::string& constant) {
    const std::string all = stored(head + "const K = " + constant +
                                   ";\nshared int(0..99) x;\n"
                                   "thread 0 { store(x, K); } threads 1..THREADS - 1 { }");
    return all.substr(0, all.find(' '));
  };
  CHECK(value("N") == "3");
  CHECK(value("WORKGROUPS") == "3");
  CHECK(value("WORKGROUP_SIZE") == "4");
  CHECK(value("SUBGROUP_SIZE") == "2");
  CHECK(value("THREADS") == "12");
  CHECK(launch_complaint("N = 2; N workgroups of 2 threads; threads 0..THREADS - 1 { }") ==
        "no error");
  CHECK(launch_complaint("N = 2; N workgroups of 2 threads; threads 0..N - 1 { }") ==
        "1:35: thread 2 has no program where N = 2");
}

TEST_CASE("lang/idiom/launch: a launch that cannot be is told with its place") {
  CHECK(launch_complaint("idiom f 2 workgroups of 4 threads, subgroups of 3; threads { }") ==
        "1:49: subgroups of 3 do not divide workgroups of 4 where N = 1");
  CHECK(launch_complaint("N = 16..17;\nN workgroups of 4 threads; threads { }") ==
        "2:1: this launch has 68 threads where N = 17; expected at most 64");
  CHECK(launch_complaint("N = 2;\n(N - 2) workgroups of 4 threads; threads { }") ==
        "2:4: the number of workgroups is 0 where N = 2; expected 1 to 64");
  CHECK(launch_complaint("N = 2;\n2 workgroups of 4 threads, subgroups of 8; threads { }") ==
        "2:41: the size of a subgroup is 8 where N = 2; expected 1 to 4");
  CHECK(launch_complaint("N = 2;\n2 workgroups; threads { }") == "2:13: expected 'of', found ';'");
  CHECK(launch_complaint("N = 2;\n2 groups of 2 threads; threads { }") ==
        "2:3: expected 'workgroups', found 'groups': 'N workgroups of 4 threads;'");
  CHECK(launch_complaint("N = 2;\n2 workgroups of 2 threads, 2; threads { }") ==
        "2:28: expected 'subgroups', found '2': behind a workgroup comes 'subgroups of 32'");
  CHECK(launch_complaint("N = 2;\n2 workgroups of 2 threads;\n2 workgroups of 2 threads;") ==
        "3:1: a second launch; expected 'threads {'");
  CHECK(launch_complaint("idiom f 2 workgroups of N threads; threads { }") ==
        "1:25: what N is is said nowhere; expected 'N = 2..4;' at the top of the file");
  CHECK(contains(launch_complaint("idiom f 2 workgroups of 2 threads; threads { load(x[N]); }"),
                 "expected the name of a shared variable"));
  CHECK(launch_complaint("idiom f 2 workgroups of 2 threads; threads 0..N - 1 { }") ==
        "1:47: what N is is said nowhere; expected 'N = 2..4;' at the top of the file");
  CHECK(launch_complaint("const K = THREADS;\n2 workgroups of K threads; threads { }") ==
        "2:1: 'THREADS' is a size of this launch and stands in front of it");
}

TEST_CASE("lang/idiom/launch: what a file declares itself comes before ids and sizes") {
  CHECK(stored("N = 2; shared int(0..9) x; threads { int(0..9) lane = 7; store(x, lane); }") ==
        "7 7");
  CHECK(stored("N = 2; const THREADS = 5; shared int(0..9) x; threads { store(x, THREADS); }") ==
        "5 5");
  CHECK(stored("N = 1; shared int(0..9) x; threads { int(0..9) await = 3; await++; "
               "store(x, await); }") == "4");
  // And before statements.
  CHECK(stored("N = 1; shared int(0..9) x; threads { barrier: store(x, 1); }") == "1");
}
