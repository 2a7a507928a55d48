#include "base/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <thread>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/error.hpp"
#include "base/leftovers.hpp"

namespace headway {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMostComplaint = 4096;

// What becomes of the child between fork and exec; only calls that are safe there.
[[noreturn]] void become(char** words, pid_t parent, int output, int errors) {
  ::setpgid(0, 0);
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (::getppid() != parent) ::_exit(127);  // it is gone already
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  // The parent may catch these, ignore them or wait for them.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execvp(words[0], words);
  constexpr std::string_view failed = "cannot be started\n";
  static_cast<void>(!::write(STDERR_FILENO, failed.data(), failed.size()));
  ::_exit(127);
}

// Appends what there is to read to `text`; false at the end of the file.
bool read_some(int descriptor, std::string& text) {
  char buffer[4096];
  const ssize_t count = ::read(descriptor, buffer, sizeof buffer);
  if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

}  // namespace

Process::Process(const std::vector<std::string>& command) {
  int output[2];
  int errors[2];
  if (::pipe2(output, O_CLOEXEC) != 0) throw Error("no more files can be opened");
  if (::pipe2(errors, O_CLOEXEC) != 0) {
    ::close(output[0]), ::close(output[1]);
    throw Error("no more files can be opened");
  }
  std::vector<std::string> copy = command;
  std::vector<char*> words;
  words.reserve(copy.size() + 1);
  for (std::string& word : copy) words.push_back(word.data());
  words.push_back(nullptr);
  const pid_t parent = ::getpid();
  id_ = ::fork();
  if (id_ == 0) become(words.data(), parent, output[1], errors[1]);
  const int problem = errno;
  ::close(output[1]), ::close(errors[1]);
  output_ = output[0];
  errors_ = errors[0];
  if (id_ < 0) {
    ::close(output_), ::close(errors_);
    throw Error(command[0] + " cannot be started: " + std::strerror(problem));
  }
  ::setpgid(id_, id_);  // here too, as kill() must not come too early
  leftovers::add_group(id_);
  ::fcntl(errors_, F_SETFL, O_NONBLOCK);
}

Process::~Process() {
  try {
    kill();
  } catch (const Error&) {
    // A driver holds it; it has been sent its signal.
  }
  ::close(output_), ::close(errors_);
}

Process::Event Process::wait(Clock::time_point deadline, const std::atomic<bool>* interrupted) {
  for (;;) {
    const std::size_t end = read_.find('\n');
    if (end != std::string::npos) {
      line_ = read_.substr(0, end);
      read_.erase(0, end + 1);
      return Event::line;
    }
    if (interrupted != nullptr && *interrupted) return Event::interrupted;
    // In slices, so that an interruption between the test above and poll() is noticed soon.
    const Clock::duration left = deadline - Clock::now();
    const auto slice = std::clamp<Clock::duration>(left, 0ms, 100ms);
    const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(slice).count();
    pollfd files[] = {{output_, POLLIN, 0}, {errors_, POLLIN, 0}};
    ::poll(files, 2, static_cast<int>(milliseconds));
    read_errors();
    if ((files[0].revents & (POLLIN | POLLHUP)) != 0) {
      if (!read_some(output_, read_)) return Event::ended;
    } else if (left <= 0ms) {  // even what came late, while we did not run, has been read
      return Event::timed_out;
    }
  }
}

void Process::read_errors() {
  if (errors_ < 0) return;
  // Nothing more when the child has closed it, or has nothing to say for now.
  while (true) {
    const std::size_t before = complaint_.size();
    const bool open = read_some(errors_, complaint_);
    if (complaint_.size() > kMostComplaint) {
      complaint_.erase(0, complaint_.size() - kMostComplaint);
      continue;
    }
    if (!open) {
      ::close(errors_);
      errors_ = -1;
      return;
    }
    if (complaint_.size() == before) return;
  }
}

void Process::kill() {
  if (id_ < 0) return;
  ::kill(-id_, SIGKILL);
  leftovers::drop_group(id_);  // before another one may be called the same
  for (const auto deadline = Clock::now() + 30s; Clock::now() < deadline;) {
    if (::waitpid(id_, &status_, WNOHANG) == id_) {
      id_ = -1;
      return;
    }
    std::this_thread::sleep_for(1ms);
  }
  id_ = -1;
  throw Error("a process on the device cannot be killed; the device may need a reset");
}

int Process::status() {
  for (const auto deadline = Clock::now() + 10s; id_ >= 0 && Clock::now() < deadline;) {
    siginfo_t info;
    info.si_pid = 0;
    // What it has left behind goes before it does, as long as the group is certain to be its own.
    ::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT);
    if (info.si_pid == id_) break;
    std::this_thread::sleep_for(1ms);
  }
  kill();
  return WIFSIGNALED(status_) ? 128 + WTERMSIG(status_) : WEXITSTATUS(status_);
}

std::string Process::complaint() {
  read_errors();
  const std::size_t begin = complaint_.find_first_not_of("\n ");
  if (begin == std::string::npos) return "";
  return complaint_.substr(begin, complaint_.find_last_not_of("\n ") + 1 - begin);
}

Finished run_process(const std::vector<std::string>& command, std::chrono::milliseconds limit,
                     const std::atomic<bool>* interrupted) {
  Process process(command);
  Finished finished;
  const auto deadline = Process::Clock::now() + limit;
  for (;;) {
    const Process::Event event = process.wait(deadline, interrupted);
    if (event == Process::Event::line) {
      finished.output += process.line() + "\n";
      continue;
    }
    if (event == Process::Event::ended) {
      finished.status = process.status();
    } else {
      process.kill();
      finished.status = -1;
      finished.interrupted = event == Process::Event::interrupted;
    }
    finished.complaint = process.complaint();
    return finished;
  }
}

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return ::access(name.c_str(), X_OK) == 0 ? name : "";
  const char* path = std::getenv("PATH");
  std::string_view folders = path != nullptr ? path : "/usr/bin:/bin";
  while (!folders.empty()) {
    const std::size_t colon = folders.find(':');
    const std::filesystem::path candidate = std::filesystem::path(folders.substr(0, colon)) / name;
    if (::access(candidate.c_str(), X_OK) == 0) return candidate.string();
    folders.remove_prefix(colon == std::string_view::npos ? folders.size() : colon + 1);
  }
  return "";
}

}  // namespace headway
