#include "base/file.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "support/errors.hpp"
#include "support/files.hpp"

using headway::read_file;
using headway::write_file;
using headway::testing::contains;
using headway::testing::error_of;
using headway::testing::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

// What the Error of `action` says; empty when there is none.
template <class Action>
std::string complaint(Action action) {
  const auto error = error_of(action);
  return error ? error->diagnostic() : "";
}

}  // namespace

TEST_CASE("base/file: what is written is read again byte for byte") {
  const TemporaryFolder folder;
  std::string bytes;
  for (int i = 0; i < 200'000; ++i) bytes += static_cast<char>(i * 7 % 256);  // several blocks
  for (const std::string& content : {std::string(), std::string("a\r\nb\0c", 6), bytes}) {
    write_file(folder.path() / "file", content);
    CHECK(read_file(folder.path() / "file") == content);
  }
}

TEST_CASE("base/file: writing replaces a file and leaves no temporary behind") {
  const TemporaryFolder folder;
  const fs::path path = folder.write("report.txt", "an old and longer text");
  write_file(path, "new");
  CHECK(read_file(path) == "new");
  CHECK(entries(folder.path()) == 1);
}

TEST_CASE("base/file: a device or a pipe is written to and not replaced") {
  const TemporaryFolder folder;
  const fs::path full = folder.path() / "full";
  fs::create_symlink("/dev/full", full);
  CHECK(contains(complaint([&] { write_file(full, "text"); }), "cannot write: No space left"));
  CHECK(fs::is_symlink(full));
  CHECK(fs::is_character_file("/dev/full"));

  const fs::path pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  REQUIRE(reader >= 0);
  write_file(pipe, "text");
  char got[8] = {};
  CHECK(::read(reader, got, sizeof got) == 4);
  CHECK(std::string(got) == "text");
  ::close(reader);
  CHECK(fs::is_fifo(pipe));
  CHECK(entries(folder.path()) == 2);
}

TEST_CASE("base/file: who replaces a file removes what killed processes left of it") {
  const TemporaryFolder folder;
  const fs::path path = folder.write("report.txt", "old");
  folder.write("report.txt.tmp-999999999-0", "of nobody: there are no such ids");
  const std::string ours = "report.txt.tmp-" + std::to_string(::getpid()) + "-7";
  folder.write(ours, "of a process that lives");
  write_file(path, "new");
  CHECK(read_file(path) == "new");
  CHECK_FALSE(fs::exists(folder.path() / "report.txt.tmp-999999999-0"));
  CHECK(fs::exists(folder.path() / ours));
}

TEST_CASE("base/file: a link stays, and the file that it leads to is replaced") {
  const TemporaryFolder folder;
  const fs::path path = folder.write("a/report.txt", "old");
  const fs::path link = folder.path() / "link";
  fs::create_symlink(path, link);
  write_file(link, "new");
  CHECK(fs::is_symlink(link));
  CHECK(read_file(path) == "new");
  CHECK(entries(folder.path() / "a") == 1);
}

TEST_CASE("base/file: a reader that opened the old file keeps it whole") {
  const TemporaryFolder folder;
  const fs::path path = folder.write("report.txt", "old");
  std::ifstream reader(path);
  write_file(path, "new and longer");
  std::string seen;
  std::getline(reader, seen);
  CHECK(seen == "old");
}

TEST_CASE("base/file: folders that are missing are made") {
  const TemporaryFolder folder;
  write_file(folder.path() / "a/b/c.txt", "deep");
  CHECK(read_file(folder.path() / "a/b/c.txt") == "deep");
  CHECK(entries(folder.path() / "a/b") == 1);
}

TEST_CASE("base/file: a written file has the permissions that the umask leaves") {
  const TemporaryFolder folder;
  const mode_t mask = ::umask(027);
  write_file(folder.path() / "file", "x");
  const mode_t kept = ::umask(mask);
  CHECK(kept == 027);  // it is only looked at
  struct stat status = {};
  REQUIRE(::stat((folder.path() / "file").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0640);
}

TEST_CASE("base/file: a missing file is an Error that names it") {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "absent.litmus").string();
  const std::string said = complaint([&] { read_file(path); });
  CHECK(contains(said, path + ": cannot open"));
  CHECK(contains(said, "No such file"));
}

TEST_CASE("base/file: a folder is no file to read or to write") {
  const TemporaryFolder folder;
  CHECK(contains(complaint([&] { read_file(folder.path()); }), "cannot read: Is a directory"));
  fs::create_directory(folder.path() / "taken");
  CHECK(contains(complaint([&] { write_file(folder.path() / "taken", "x"); }),
                 "is a folder; expected the name of a file"));
  CHECK(entries(folder.path()) == 1);  // the temporary is gone
}

TEST_CASE("base/file: a file cannot be written below a file") {
  const TemporaryFolder folder;
  const fs::path path = folder.write("file", "content");
  CHECK(contains(complaint([&] { write_file(path / "below.txt", "x"); }), "cannot create"));
  CHECK(read_file(path) == "content");
  CHECK(entries(folder.path()) == 1);
}

TEST_CASE("base/file: a folder that cannot be written to is an Error") {
  // Root may write where permissions say no, but nobody makes files in /proc.
  CHECK(contains(complaint([] { write_file("/proc/headway.txt", "x"); }), "cannot create"));
  if (::geteuid() == 0) return;
  const TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
  const std::string said = complaint([&] { write_file(folder.path() / "a.txt", "x"); });
  fs::permissions(folder.path(), fs::perms::owner_all);
  CHECK(contains(said, "cannot create: Permission denied"));
}

TEST_CASE("base/file: a pipe can be read") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  REQUIRE(::write(ends[1], "piped", 5) == 5);
  ::close(ends[1]);
  CHECK(read_file("/dev/fd/" + std::to_string(ends[0])) == "piped");
  ::close(ends[0]);
}

TEST_CASE("base/file: a new file is nowhere until it is committed") {
  const TemporaryFolder folder;
  const fs::path path = folder.write("file", "old");
  {
    headway::NewFile abandoned(path);
    abandoned.write("half of ");
    CHECK(read_file(path) == "old");
    // Whoever is killed now leaves nothing, where the file system has files without names.
    const int nameless = ::open(folder.path().c_str(), O_TMPFILE | O_WRONLY, 0600);
    if (nameless >= 0) CHECK(entries(folder.path()) == 1);
    ::close(nameless);
  }
  CHECK(entries(folder.path()) == 1);
  headway::NewFile file(path);
  headway::NewFile other(path);  // two at a time do not meet
  file.write("all of ");
  other.write("nothing of it");
  file.write("it");
  file.commit();
  CHECK(read_file(path) == "all of it");
  other.commit_as(folder.path() / "elsewhere");
  CHECK(read_file(path) == "all of it");
  CHECK(read_file(folder.path() / "elsewhere") == "nothing of it");
  CHECK(entries(folder.path()) == 2);
}

TEST_CASE("base/file: a reader may ask for less than the most there is") {
  const TemporaryFolder folder;
  const fs::path path = folder.write("file", std::string((1 << 20) + 1, 'x'));
  CHECK(read_file(path).size() == (1 << 20) + 1);
  CHECK(contains(complaint([&] { read_file(path, 1 << 20); }), "larger than 1 MiB"));
}

TEST_CASE("base/file: an endless file is refused rather than read") {
  CHECK(contains(complaint([] { read_file("/dev/zero"); }), "larger than 1 MiB"));
}

TEST_CASE("base/file: a folder that cannot be made is what is complained of") {
  CHECK(
      contains(complaint([] { write_file("/proc/nowhere/x", "y"); }), "cannot create its folder"));
}

TEST_CASE("base/file: a pipe that nobody writes to is not waited for") {
  const TemporaryFolder folder;
  const fs::path pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(contains(complaint([&] { read_file(pipe); }), "an empty pipe to which nobody writes"));
  const int end = ::open(pipe.c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(::write(end, "some", 4) == 4);
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    static_cast<void>(!::write(end, " more", 5));
    ::close(end);
  });
  CHECK(read_file(pipe) == "some more");
  writer.join();
}

TEST_CASE(
    "base/file: what is below a folder, without pipes, past circles, and what cannot be read") {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "b/c");
  folder.write("b/c/one", "");
  folder.write("a", "");
  fs::create_symlink(folder.path(), folder.path() / "b/circle");
  fs::create_symlink("nothing", folder.path() / "z");
  REQUIRE(::mkfifo((folder.path() / "pipe").c_str(), 0600) == 0);
  std::vector<headway::Error> errors;
  CHECK(headway::files_below(folder.path(), errors) ==
        std::vector<fs::path>{folder.path() / "a", folder.path() / "b/c/one", folder.path() / "z"});
  CHECK(errors.empty());
  CHECK(headway::files_below(folder.path() / "none", errors).empty());
  REQUIRE(errors.size() == 1);
  CHECK(contains(errors[0].diagnostic(), "none: cannot read this folder: No such file"));
}
