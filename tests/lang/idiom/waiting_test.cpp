// Threads that wait: await and barriers. Whole transition systems are compared with an interpreter
// that knows nothing but barriers, and with numbers derived by hand.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>

#include "support/errors.hpp"
#include "support/program_walk.hpp"

using namespace headway;
using testing::complaint_of;
using testing::count_transitions;
using testing::ProgramWalk;
using testing::TransitionCounts;

namespace {

// A program for the interpreter: per thread what it does, one letter each. 's' is a step that
// changes nothing; 'a' and 'b' are barriers of its group.
struct Meeting {
  std::vector<std::string> threads;
  int group_size = 2;
  bool ended_count = false;
};

// The transition system of a meeting, from the definition: a thread in front of letter i, waiting
// there or let through.
TransitionCounts counts_of_meeting(const Meeting& meeting) {
  enum Phase { in_front, waiting, let_through };
  using State = std::vector<std::pair<std::size_t, Phase>>;
  const std::size_t size = meeting.threads.size();
  const auto ended = [&](const State& state, std::size_t t) {
    return state[t].first == meeting.threads[t].size();
  };
  const auto let_pass = [&](State& state) {
    for (std::size_t first = 0; first < size; first += meeting.group_size) {
      for (const char barrier : {'a', 'b'}) {
        bool all = true, some = false;
        for (std::size_t t = first; t < first + meeting.group_size; ++t) {
          const bool waits = !ended(state, t) && state[t].second == waiting &&
                             meeting.threads[t][state[t].first] == barrier;
          all = all && (waits || (meeting.ended_count && ended(state, t)));
          some = some || waits;
        }
        for (std::size_t t = first; all && some && t < first + meeting.group_size; ++t) {
          if (!ended(state, t)) state[t].second = let_through;
        }
      }
    }
  };
  std::set<State> seen = {State(size, {0, in_front})};
  std::vector<State> open(seen.begin(), seen.end());
  TransitionCounts counts;
  while (!open.empty()) {
    const State state = open.back();
    open.pop_back();
    ++counts.states;
    bool runs = false, alive = false;
    for (std::size_t t = 0; t < size; ++t) {
      if (ended(state, t)) continue;
      alive = true;
      if (state[t].second == waiting) continue;
      runs = true;
      State next = state;
      if (meeting.threads[t][state[t].first] != 's' && state[t].second == in_front) {
        next[t].second = waiting;
      } else {
        next[t] = {state[t].first + 1, in_front};
      }
      let_pass(next);
      ++counts.transitions;
      if (seen.insert(next).second) open.push_back(next);
    }
    counts.finished += alive ? 0 : 1;
    counts.stuck += alive && !runs ? 1 : 0;
  }
  return counts;
}

std::string meeting_text(const Meeting& meeting) {
  std::string text = fmt::format("idiom f {} workgroups of {} threads;\nshared int(0..0) x;\n",
                                 meeting.threads.size() / meeting.group_size, meeting.group_size);
  for (std::size_t t = 0; t < meeting.threads.size(); ++t) {
    text += fmt::format("thread {} {{ ", t);
    for (const char letter : meeting.threads[t]) {
      text += letter == 's' ? "store(x, 0); "
                            : fmt::format("barrier(workgroup{}, {}); ",
                                          meeting.ended_count ? " or ended" : "", letter);
    }
    text += "}\n";
  }
  return text;
}

std::string in_workgroup_of_two(const std::string& statements) {
  return "idiom f 1 workgroup of 2 threads;\nshared int(0..3) x, a[2];\nthreads {\n" + statements +
         "\n}\n";
}

// "line:column: message", the lines counted from the first statement.
std::string waiting_complaint(const std::string& statements) {
  return complaint_of([&] { lang::parse(in_workgroup_of_two(statements), "f"); }, 3);
}

}  // namespace

TEST_CASE("lang/idiom/waiting: a thread waits until what it awaits holds") {
  ProgramWalk walk(
      "shared int(0..3) x;\nthread 0 { await(load(x) == 2); store(x, 3); }\n"
      "thread 1 { store(x, 1); store(x, 2); store(x, 0); }");
  CHECK(walk.at(0) == "waits at await(load(x) == 2); (line 2)");
  CHECK(walk.blocked() == ThreadSet::single(0));
  walk.step(1);
  CHECK(walk.running() == ThreadSet::single(1));
  walk.step(1);
  CHECK(walk.blocked().empty());
  CHECK(walk.running() == ThreadSet::first(2));
  CHECK(walk.step(0) == "passes");
  CHECK(walk.at(0) == "store(x, 3);");
  // Passing is a step of its own: what was awaited may be gone before it.
  ProgramWalk late(
      "shared int(0..3) x;\nthread 0 { await(load(x) == 1); }\n"
      "thread 1 { store(x, 1); store(x, 0); }");
  late.step(1);
  CHECK(late.running().contains(0));
  late.step(1);
  CHECK(late.blocked().contains(0));
}

TEST_CASE("lang/idiom/waiting: the loads of an await are one step, and only some are made") {
  ProgramWalk walk(
      "shared int(0..3) x, a[2];\nthread 0 { int(0..3) r = load(x);\n"
      "await(load(a[r]) == 1 && load(a[r + 1]) == 0); }\n"
      "thread 1 { store(a[1], 1); store(a[0], 1); store(a[1], 0); }");
  CHECK(walk.step(0) == "reads x = 0, then r=0");
  CHECK(walk.blocked() == ThreadSet::single(0));
  walk.step(1);
  walk.step(1);
  CHECK(walk.blocked() == ThreadSet::single(0));  // both are 1
  walk.step(1);
  CHECK(walk.running().contains(0));
  CHECK(walk.step(0) == "passes");
  CHECK(walk.at(0) == "END");
  // a[2], which there is not, is not looked at where the left side decides.
  ProgramWalk wrong(
      "shared int(0..3) x, a[2];\nthread 0 { await(load(x) == 1 && load(a[2])); }\n"
      "thread 1 { store(x, 1); }");
  CHECK(wrong.blocked() == ThreadSet::single(0));
  wrong.step(1);
  CHECK(wrong.running() == ThreadSet::single(0));  // to go wrong is a step
  CHECK(wrong.step(0) == "ERROR: index 2 is out of bounds: a has 2 elements");
  CHECK(wrong.at(0) == "ERROR");
}

TEST_CASE("lang/idiom/waiting: the last one to arrive at a barrier lets all pass") {
  ProgramWalk walk(in_workgroup_of_two("barrier(workgroup);\nstore(x, lid);"));
  CHECK(walk.at(0) == "barrier(workgroup);");
  CHECK(walk.step(1) == "arrives at the barrier");
  CHECK(walk.at(1) == "waits at barrier(workgroup); (line 4) for thread 0");
  CHECK(walk.blocked() == ThreadSet::single(1));
  CHECK(walk.step(0) == "arrives at the barrier");
  CHECK(walk.running() == ThreadSet::first(2));
  CHECK(walk.at(0) == "passes barrier(workgroup);");
  CHECK(walk.step(1) == "passes the barrier");
  CHECK(walk.at(1) == "store(x, lid);");
  // Who has been let through stays so, whatever the others do.
  walk.step(1);
  CHECK(walk.at(1) == "END");
  CHECK(walk.running() == ThreadSet::single(0));
}

TEST_CASE("lang/idiom/waiting: transition systems of barriers are those derived by hand") {
  // In front, waiting, let through, ended: FF, WF, FW, LL, EL, LE, EE.
  CHECK(count_transitions(in_workgroup_of_two("barrier(workgroup);")) ==
        TransitionCounts{7, 8, 0, 0, 1});
  // Thread 1 ends by a step of its own: F-, W-, FE, WE.
  CHECK(count_transitions(in_workgroup_of_two("if (lid == 0) barrier(workgroup);")) ==
        TransitionCounts{4, 4, 1, 0, 0});
  // There ended threads count: F-, W-, FE, LE, EE.
  CHECK(count_transitions(in_workgroup_of_two("if (lid == 0) barrier(workgroup or ended);")) ==
        TransitionCounts{5, 5, 0, 0, 1});
  // Two statements are two barriers: FF, WF, FW, WW.
  CHECK(count_transitions(
            in_workgroup_of_two("if (lid == 0) barrier(workgroup); else barrier(workgroup);")) ==
        TransitionCounts{4, 4, 1, 0, 0});
  // With one name they are one.
  CHECK(count_transitions(in_workgroup_of_two(
            "if (lid == 0) barrier(workgroup, b); else barrier(workgroup, b);")) ==
        TransitionCounts{7, 8, 0, 0, 1});
  // Alone in its group a thread arrives and passes: three places for each of two threads.
  CHECK(count_transitions(in_workgroup_of_two("barrier(subgroup);")) ==
        TransitionCounts{7, 8, 0, 0, 1});
  CHECK(count_transitions("N = 2; threads { barrier(workgroup); }") ==
        TransitionCounts{9, 12, 0, 0, 1});
  CHECK(count_transitions("N = 2; threads { barrier(grid); }") == TransitionCounts{7, 8, 0, 0, 1});
  CHECK(count_transitions(
            "idiom f 1 workgroup of 2 threads, subgroups of 1; threads { barrier(subgroup); }") ==
        TransitionCounts{9, 12, 0, 0, 1});
  // Round after round without an end: FF, WF, FW, LL, FL, LF, WL, LW.
  CHECK(count_transitions(in_workgroup_of_two("for (;;) barrier(workgroup);")) ==
        TransitionCounts{8, 12, 0, 0, 0});
  // An await that nobody fulfils.
  CHECK(count_transitions("N = 2; shared bool x; threads { await(load(x)); }") ==
        TransitionCounts{1, 0, 1, 0, 0});
}

TEST_CASE("lang/idiom/waiting: barriers are those of an interpreter of nothing else") {
  std::vector<std::string> programs = {"s", "a", "ss", "sa", "as", "ab", "aa", "ba", "sb", "aba"};
  int stuck = 0, finished = 0;
  for (const bool ended_count : {false, true}) {
    for (const int group_size : {1, 2}) {
      for (const std::string& one : programs) {
        for (const std::string& other : programs) {
          const Meeting meeting{{one, other}, group_size, ended_count};
          const TransitionCounts expected = counts_of_meeting(meeting);
          CAPTURE(meeting_text(meeting));
          CHECK(count_transitions(meeting_text(meeting)) == expected);
          stuck += expected.stuck > 0 ? 1 : 0;
          finished += expected.finished > 0 ? 1 : 0;
        }
      }
    }
    for (const char* third : {"s", "ab", "sa"}) {
      const Meeting three{{"as", "sa", third}, 3, ended_count};
      CHECK(count_transitions(meeting_text(three)) == counts_of_meeting(three));
      const Meeting four{{"as", "ba", third, "a"}, 2, ended_count};
      CHECK(count_transitions(meeting_text(four)) == counts_of_meeting(four));
    }
  }
  CHECK(stuck > 50);
  CHECK(finished > 200);
}

TEST_CASE("lang/idiom/waiting: groups of each kind meet among themselves") {
  // Two workgroups of two subgroups of two: who waits when thread 0 and its neighbours arrive.
  const auto released_by = [](const std::string& scope) {
    ProgramWalk walk("idiom f 2 workgroups of 4 threads, subgroups of 2;\nthreads { barrier(" +
                     scope + "); }");
    for (int t = 0; t < 8; ++t) {
      walk.step(t);
      if (walk.running().contains(0)) return t;
    }
    return -1;
  };
  CHECK(released_by("subgroup") == 1);
  CHECK(released_by("workgroup") == 3);
  CHECK(released_by("grid") == 7);
}

TEST_CASE(
    "lang/idiom/waiting: only programs whose threads wait can block, and these have no tables") {
  const auto program = [](const std::string& text) { return ProgramWalk(text); };
  CHECK(!program("N = 2; shared bool x; threads { load(x); }").program().may_block());
  const ProgramWalk waits = program("N = 2; shared bool x; threads { await(!load(x)); }");
  CHECK(waits.program().may_block());
  CHECK(!waits.program().may_choose());
  CHECK(!waits.program().step_tables());
  CHECK(waits.program().why_no_tables() == "its threads wait for each other");
  const ProgramWalk shaped = program(in_workgroup_of_two("load(x);"));
  CHECK(!shaped.program().may_block());
  CHECK(!shaped.program().step_tables());
  CHECK(shaped.program().why_no_tables() == "its workgroups have several threads");
}

TEST_CASE("lang/idiom/waiting: what is wrong with an await or a barrier is told with its place") {
  CHECK(waiting_complaint("await(x == 1);") ==
        "1:7: 'x' is shared; expected 'load(x)' or another access, each of which is a step");
  CHECK(waiting_complaint("await(exch(x, 1) == 1);") ==
        "1:7: the condition of an await changes nothing; expected loads, found 'exch'");
  CHECK(waiting_complaint("await(load(x))") == "1:15: expected ';', found '}'");
  CHECK(waiting_complaint("barrier(group);") ==
        "1:9: expected 'workgroup', 'subgroup' or 'grid', whose threads meet here, found 'group'");
  CHECK(waiting_complaint("barrier(grid or b);") ==
        "1:17: expected 'ended', found 'b': 'or ended' says that threads which have ended count "
        "as waiting");
  CHECK(waiting_complaint("barrier(grid, 3);") ==
        "1:15: expected the name of a barrier, found '3'");
  CHECK(waiting_complaint("barrier(grid, b);\nbarrier(workgroup, b);") ==
        "2:20: barrier 'b' stands for two barriers; expected 'barrier(grid, b)' as in front of it");
  CHECK(waiting_complaint("barrier(grid or ended, b); barrier(grid, b);") ==
        "1:42: barrier 'b' stands for two barriers; expected 'barrier(grid or ended, b)' as in "
        "front of it");
  CHECK(waiting_complaint("barrier = 1;") ==
        "1:1: expected a statement, found 'barrier', which is declared nowhere");
}

TEST_CASE("lang/idiom/waiting: programs that wait elsewhere have other keys") {
  const auto key = [](const std::string& text) {
    return lang::program_key(lang::parse(text, "f"));
  };
  const std::set<std::string> keys = {
      key(in_workgroup_of_two("load(x);")),
      key("N = 2; shared int(0..3) x, a[2]; threads { load(x); }"),
      key(in_workgroup_of_two("barrier(workgroup);")),
      key(in_workgroup_of_two("barrier(subgroup);")),
      key(in_workgroup_of_two("barrier(workgroup or ended);")),
      key(in_workgroup_of_two("barrier(workgroup); barrier(workgroup);")),
      key(in_workgroup_of_two("barrier(workgroup, b); barrier(workgroup, b);")),
      key(in_workgroup_of_two("await(load(x));")),
      key(in_workgroup_of_two("await(load(a[0]));"))};
  CHECK(keys.size() == 9);
  CHECK(key(in_workgroup_of_two("barrier(workgroup, b);")) ==
        key(in_workgroup_of_two("barrier(workgroup);")));
}
