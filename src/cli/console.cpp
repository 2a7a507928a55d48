#include "cli/console.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/text/names.hpp"
#include "base/text/several_errors.hpp"

namespace headway::cli {
namespace {

// A signal handler can reach nothing but a global.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_signal(int signal) {
  interrupted = true;
  std::signal(signal, SIG_DFL);
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
  std::fprintf(stderr, "%s\n", printable(message, "\n\t").c_str());
}

Interrupt::Interrupt() {
  interrupted = false;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

Interrupt::~Interrupt() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

const std::atomic<bool>& Interrupt::flag() { return interrupted; }

}  // namespace headway::cli
