#include "support/command.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>
#include <stdexcept>

#include "support/errors.hpp"
#include "support/files.hpp"

extern char** environ;

namespace headway::testing {
namespace {

[[noreturn]] void fail(const std::string& what, int reason) {
  throw std::runtime_error(what + ": " + std::strerror(reason));
}

// A file without a name. Unlike pipes, files never fill up, so nobody has to read while the
// program runs.
class Scratch {
 public:
  explicit Scratch(const std::string& content = "") : file_(std::tmpfile(), &std::fclose) {
    if (!file_) fail("cannot create a temporary file", errno);
    std::fwrite(content.data(), 1, content.size(), file_.get());
    std::fflush(file_.get());
    std::rewind(file_.get());
  }
  int descriptor() const { return fileno(file_.get()); }
  std::string content() const {
    std::string text;
    ::lseek(descriptor(), 0, SEEK_SET);
    char block[4096];
    for (ssize_t got; (got = ::read(descriptor(), block, sizeof block)) > 0;) {
      text.append(block, static_cast<std::size_t>(got));
    }
    return text;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

// A terminal of our own: what is written to its device can be read from its master.
class Terminal {
 public:
  Terminal() : master_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0) {
      fail("cannot open a terminal", errno);
    }
    device_ = ::open(::ptsname(master_), O_RDWR | O_NOCTTY);
    termios settings = {};
    if (device_ < 0 || ::tcgetattr(device_, &settings) != 0) fail("cannot open a terminal", errno);
    ::cfmakeraw(&settings);  // leaves newlines as they are
    ::tcsetattr(device_, TCSANOW, &settings);
  }
  ~Terminal() {
    close_device();
    ::close(master_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  int device() const { return device_; }
  void close_device() {
    if (device_ >= 0) ::close(device_);
    device_ = -1;
  }
  // Reads until every other holder of the device has closed it.
  std::string content() {
    std::string text;
    char block[4096];
    for (ssize_t got; (got = ::read(master_, block, sizeof block)) > 0;) {
      text.append(block, static_cast<std::size_t>(got));
    }
    return text;
  }

 private:
  int master_;
  int device_ = -1;
};

std::vector<std::string> environment_of(const CommandOptions& options) {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos) variables[text.substr(0, equals)] = text.substr(equals + 1);
  }
  variables.erase("NO_COLOR");
  // Headers that stay between runs do so beside what was built, wherever the tests are run.
  variables.try_emplace("HEADWAY_CACHE",
                        std::filesystem::path(HEADWAY_BINARY).replace_filename("kept-headers"));
  for (const auto& [name, value] : options.environment) {
    variables.erase(name);
    if (value) variables[name] = *value;
  }
  std::vector<std::string> result;
  for (const auto& [name, value] : variables) result.push_back(name + "=" + value);
  return result;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace

std::filesystem::path headway_binary() {
  // Another one than what was built, as scripts/release has it.
  const char* told = getenv("HEADWAY_BINARY");
  return told != nullptr ? told : HEADWAY_BINARY;
}

CommandResult headway(const std::vector<std::string>& arguments, const CommandOptions& options) {
  std::vector<std::string> words = {headway_binary().string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
#ifdef HEADWAY_SANITIZED
  // What is built so is ten times as slow: the limit that kernels have where none is said would be
  // met.
  const std::set<std::string> limited = {"check", "explain", "slice", "verify"};
  const bool is_limited = !arguments.empty() && limited.contains(arguments.front()) &&
                          std::ranges::find(arguments, "--help") == arguments.end() &&
                          std::ranges::find(arguments, "--timeout") == arguments.end();
  if (is_limited) words.insert(words.begin() + 2, {"--timeout", "300"});
#endif
  return run_program(words, options);
}

CommandResult run_program(const std::vector<std::string>& words, const CommandOptions& options) {
  const Scratch in(options.input);
  const Scratch out;
  const Scratch err;
  std::unique_ptr<Terminal> terminal;
  if (options.terminal) terminal = std::make_unique<Terminal>();

  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in.descriptor(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, terminal ? terminal->device() : out.descriptor(),
                                     STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, options.merge ? STDOUT_FILENO : err.descriptor(),
                                     STDERR_FILENO);
  if (!options.folder.empty()) {
    ::posix_spawn_file_actions_addchdir_np(&actions, options.folder.c_str());
  }
  std::vector<std::string> arguments = words;
  std::vector<std::string> environment = environment_of(options);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, words.front().c_str(), &actions, nullptr,
                                   pointers(arguments).data(), pointers(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) fail("cannot run " + words.front(), error);

  CommandResult result;
  if (terminal) {
    terminal->close_device();
    result.out = terminal->content();
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) fail("cannot wait for " + words.front(), errno);
  }
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (!terminal) result.out = out.content();
  result.err = err.content();
  return result;
}

CommandResult check(std::vector<std::string> arguments, const CommandOptions& options) {
  arguments.insert(arguments.begin(), "check");
  return headway(arguments, options);
}

CommandResult check_here(const std::vector<std::string>& arguments) {
  return check(arguments, in(source_dir()));
}

CommandResult suite(std::vector<std::string> arguments, const CommandOptions& options) {
  arguments.insert(arguments.begin(), "suite");
  return headway(arguments, options);
}

void check_refused(const CommandResult& result, const std::string& part) {
  CAPTURE(result.err);
  CHECK(result.status == 2);
  CHECK(result.out.empty());
  CHECK(contains(result.err, part));
}

bool updating_golden() {
  const char* wish = std::getenv("HEADWAY_UPDATE_GOLDEN");
  return wish != nullptr && std::strcmp(wish, "1") == 0;
}

}  // namespace headway::testing
