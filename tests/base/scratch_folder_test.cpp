#include "base/scratch_folder.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/leftovers.hpp"
#include "base/process.hpp"
#include "support/files.hpp"

using namespace headway::testing;
namespace fs = std::filesystem;

TEST_CASE("base/scratch_folder: gone with the object, and with what others have left") {
  const TemporaryFolder place;
  const fs::path old = place.path() / "mine-old", young = place.path() / "mine-young",
                 other = place.path() / "other";
  for (const fs::path& folder : {old, young, other}) fs::create_directory(folder);
  const timespec long_ago[2] = {{1, 0}, {1, 0}};
  for (const fs::path& folder : {old, other})
    REQUIRE(::utimensat(AT_FDCWD, folder.c_str(), long_ago, 0) == 0);
  fs::path path;
  {
    const headway::ScratchFolder folder(place.path(), "mine-");
    path = folder.path();
    CHECK(fs::is_directory(path));
    REQUIRE(::utimensat(AT_FDCWD, path.c_str(), long_ago, 0) == 0);
    const headway::ScratchFolder second(place.path(), "mine-");
    CHECK(fs::is_directory(path));  // it is in use
  }
  CHECK_FALSE(fs::exists(path));
  CHECK_FALSE(fs::exists(old));
  CHECK(fs::exists(young));
  CHECK(fs::exists(other));
}

TEST_CASE("base/leftovers: what a process leaves when it ends otherwise") {
  const TemporaryFolder place;
  const pid_t child = ::fork();
  if (child == 0) {
    const headway::ScratchFolder folder(place.path(), "mine-");
    const headway::Process sleeper(
        {"sh", "-c", "echo $$ > " + (place.path() / "pid").string() + "; sleep 100 & wait"});
    while (!fs::exists(place.path() / "pid") || fs::file_size(place.path() / "pid") == 0)
      ::usleep(1000);
    headway::leftovers::remove_all();
    ::_exit(7);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WEXITSTATUS(status) == 7);
  CHECK(std::distance(fs::directory_iterator(place.path()), fs::directory_iterator()) == 1);
}
