// Child processes that are never left behind.
#include "base/process.hpp"

#include <doctest/doctest.h>
#include <signal.h>

#include <fstream>
#include <thread>

#include "support/errors.hpp"
#include "support/files.hpp"

using headway::find_program;
using headway::Finished;
using headway::Process;
using headway::run_process;
using headway::testing::contains;
using headway::testing::TemporaryFolder;
using namespace std::chrono_literals;

namespace {

Process::Clock::time_point soon() { return Process::Clock::now() + 60s; }

// Whether a process runs; one that is dead but that nobody has waited for does not.
bool is_running(int id) {
  std::ifstream file("/proc/" + std::to_string(id) + "/stat");
  std::string text;
  std::getline(file, text);
  const std::size_t name_end = text.rfind(')');
  return name_end != std::string::npos && text.compare(name_end, 3, ") Z") != 0;
}

bool ends_soon(int id) {
  for (const auto deadline = soon(); is_running(id); std::this_thread::sleep_for(5ms)) {
    if (Process::Clock::now() > deadline) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("base/process: lines, exit status and complaint") {
  Process process({"sh", "-c", "echo one; echo two; echo ' why ' >&2; exit 7"});
  REQUIRE(process.wait(soon()) == Process::Event::line);
  CHECK(process.line() == "one");
  REQUIRE(process.wait(soon()) == Process::Event::line);
  CHECK(process.line() == "two");
  CHECK(process.wait(soon()) == Process::Event::ended);
  CHECK(process.status() == 7);
  CHECK(process.complaint() == "why");
}

TEST_CASE("base/process: the end by a signal, and a program that is not there") {
  CHECK(run_process({"sh", "-c", "kill -9 $$"}, 60s).status == 128 + SIGKILL);
  const Finished none = run_process({"/no/such/program"}, 60s);
  CHECK(none.status == 127);
  CHECK(contains(none.complaint, "cannot be started"));
}

TEST_CASE("base/process: a deadline, and an interruption") {
  Process process({"sleep", "1000"});
  CHECK(process.wait(Process::Clock::now() + 10ms) == Process::Event::timed_out);
  std::atomic<bool> interrupted{true};
  CHECK(process.wait(soon(), &interrupted) == Process::Event::interrupted);
  CHECK(run_process({"sleep", "1000"}, 0s).status == -1);
  CHECK(run_process({"sleep", "1000"}, 60s, &interrupted).interrupted);
}

TEST_CASE("base/process: what was written before the deadline is read behind it") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "written").string();
  Process process({"sh", "-c", "echo in time; touch \"$0\"; sleep 1000", file});
  while (!std::filesystem::exists(file)) std::this_thread::sleep_for(5ms);
  CHECK(process.wait(Process::Clock::now() - 500ms) == Process::Event::line);
  CHECK(process.wait(Process::Clock::now() - 500ms) == Process::Event::timed_out);
}

TEST_CASE("base/process: killing takes the children of the child along") {
  int child = 0;
  {
    Process process({"sh", "-c", "sleep 1000 & echo $!; wait"});
    REQUIRE(process.wait(soon()) == Process::Event::line);
    child = std::stoi(process.line());
    CHECK(is_running(child));
    SUBCASE("by name") { process.kill(); }
    SUBCASE("by the end of the object") {}
  }
  CHECK(ends_soon(child));
}

TEST_CASE("base/process: what a process that ends leaves behind is killed") {
  // The grandchild does not hold standard output, so that this ends with the child.
  Process process({"sh", "-c", "sleep 1000 >/dev/null 2>&1 & echo $!"});
  REQUIRE(process.wait(soon()) == Process::Event::line);
  const int child = std::stoi(process.line());
  CHECK(process.wait(soon()) == Process::Event::ended);
  CHECK(process.status() == 0);
  CHECK(ends_soon(child));
}

TEST_CASE("base/process: much output on both streams") {
  const Finished finished = run_process(
      {"sh", "-c", "yes out | head -n 20000; yes err | head -n 20000 >&2; echo last >&2"}, 60s);
  CHECK(finished.status == 0);
  CHECK(finished.output.size() == 80000);
  CHECK(finished.complaint.size() <= 4096);
  CHECK(finished.complaint.ends_with("err\nlast"));
}

TEST_CASE("base/process: programs are found in PATH") {
  CHECK(find_program("sh").ends_with("/sh"));
  CHECK(find_program("/bin/sh") == "/bin/sh");
  CHECK(find_program("no-such-program-here").empty());
  CHECK(find_program("/no/such/program").empty());
}
