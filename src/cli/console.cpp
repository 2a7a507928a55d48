#include "cli/console.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

#include "base/leftovers.hpp"
#include "base/text/names.hpp"
#include "base/text/several_errors.hpp"

namespace headway::cli {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// From a signal to the end of a command that does not end itself: with the time to print, a second.
constexpr Clock::duration kPatience = 700ms;

// Signals that come so soon behind the first are the same one: timeout(1) sends each twice, to its
// child and to the child's group.
constexpr Clock::duration kEcho = 200ms;

// Those that end a command.
constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

std::atomic<bool> interrupted{false};
std::atomic<int> number{SIGINT};  // of the signal

// What the thread that takes signals has to know of the command.
struct Command {
  std::mutex mutex;
  int alive = 0;               // Interrupts
  bool leaves_alone = false;   // no limit: it prints already, or asked for time
  std::function<void()> tell;  // of the last of them
};

// Never destroyed: the thread that takes signals still runs when the process ends.
Command& command() {
  static auto* const command = new Command;
  return *command;
}

[[noreturn]] void end_by_signal() {
  leftovers::remove_all();
  ::_exit(128 + number);
}

// The next of `signals`; 0 where none comes within `most`.
int next_of(const sigset_t& signals, Clock::duration most) {
  const timespec time = {0, std::chrono::nanoseconds(most).count()};
  return std::max(0, ::sigtimedwait(&signals, nullptr, &time));
}

void take_signals(sigset_t signals) {
  int first = 0;
  while (::sigwait(&signals, &first) != 0) continue;
  number = first;
  interrupted = true;
  Command& here = command();
  const Clock::time_point came = Clock::now(), limit = came + kPatience;
  for (;;) {
    {
      const std::lock_guard lock(here.mutex);
      if (here.alive == 0) end_by_signal();
      if (!here.leaves_alone && Clock::now() >= limit) {
        // With the lock, so that the command does not print, too. Another signal has its usual
        // effect from now on, as nobody may read what is printed.
        for (const int signal : kSignals) {
          if (::sigismember(&signals, signal) == 1) std::signal(signal, SIG_DFL);
        }
        ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
        try {
          here.tell();
          std::fflush(stdout);
        } catch (...) {
          // Nothing can be said then, as without memory.
        }
        end_by_signal();
      }
    }
    if (next_of(signals, 20ms) != 0 && Clock::now() - came > kEcho) end_by_signal();
  }
}

}  // namespace

report::Style output_style() {
  const char* terminal = std::getenv("TERM");
  const char* no_color = std::getenv("NO_COLOR");
  const bool wanted = no_color == nullptr || *no_color == '\0';
  const bool able = terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
  return {.color = wanted && able && ::isatty(STDOUT_FILENO) == 1};
}

report::Style fitting_style() {
  report::Style style = output_style();
  style.width = report::kLongestLine;
  winsize size{};
  if (::isatty(STDOUT_FILENO) == 1 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
    style.width = size.ws_col;
  }
  return style;
}

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

bool flush_output() { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

void complain(const Error& error) {
  for (const Error& each : each_of(error)) complain(each.diagnostic());
}

void complain(const std::string& message) {
  std::fflush(stdout);
  // Names of files and what stands in them may hold what terminals obey.
  const std::string text = printable(message, "\n\t");
  // Behind the first line stands code.
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::fprintf(stderr, "%s%s\n", report::folded(text.substr(0, end)).c_str(), text.c_str() + end);
}

void watch_signals() {
  sigset_t all;
  sigset_t taken;
  ::sigemptyset(&all);
  ::sigemptyset(&taken);
  bool any = false;
  for (const int signal : kSignals) {
    ::sigaddset(&all, signal);
    struct sigaction now = {};
    // Ignored ones stay so: nohup asks for that.
    if (::sigaction(signal, nullptr, &now) != 0 || now.sa_handler == SIG_IGN) continue;
    ::sigaddset(&taken, signal);
    any = true;
  }
  // Those that are ignored, too: z3 has a handler for SIGINT while it solves, whatever was there.
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
  if (any) std::thread(take_signals, taken).detach();
}

Interrupt::Interrupt(std::function<void()> tell) {
  const std::lock_guard lock(command().mutex);
  ++command().alive;
  command().leaves_alone = false;
  command().tell = std::move(tell);
}

Interrupt::Interrupt(Patience) : Interrupt(nullptr) { tells(); }

Interrupt::~Interrupt() {
  const std::lock_guard lock(command().mutex);
  command().tell = nullptr;
  command().leaves_alone = true;
  // After a signal there is the status to be returned, which is not the business of its thread.
  if (!interrupted) --command().alive;
}

void Interrupt::tells() const {
  const std::lock_guard lock(command().mutex);
  command().leaves_alone = true;
}

const std::atomic<bool>& Interrupt::flag() { return interrupted; }
int Interrupt::signal() { return number; }

}  // namespace headway::cli
