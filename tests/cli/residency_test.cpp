// What residency counts: threads of flat launches, workgroups of others.
#include <doctest/doctest.h>

#include "support/command.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using headway::testing::contains;
using headway::testing::source_dir;
using headway::testing::TemporaryFolder;

TEST_CASE("cli/residency: of workgroups of several threads it is said how many workgroups") {
  const std::string scan = (source_dir() / "litmus/kernels/chained-scan.cu").string();
  CHECK(headway::testing::headway({"residency", scan}).out ==
        "scan\n"
        "workgroups  weak  strong\n"
        "3           3     3\n"
        "\n"
        "weak    needs 3 of 3 workgroups\n"
        "strong  needs 3 of 3 workgroups\n");
  CHECK(headway::testing::headway({"residency", "--format", "csv", scan}).out ==
        "test,workgroups,fairness,resident\nscan,3,weak,3\nscan,3,strong,3\n");
  CHECK(contains(headway::testing::headway({"residency", "--format", "json", scan}).out,
                 "\"workgroups\": 3"));
}

TEST_CASE("cli/residency: workgroups of one thread are workgroups, too") {
  const std::string wait = (source_dir() / "litmus/kernels/spin-wait.cu").string();
  CHECK(headway::testing::headway({"residency", wait}).out ==
        "follow\n"
        "workgroups  weak  strong\n"
        "2           2     2\n"
        "\n"
        "weak    needs 2 of 2 workgroups\n"
        "strong  needs 2 of 2 workgroups\n");
}

TEST_CASE("cli/residency: several kernels of a file are no sizes of one") {
  const TemporaryFolder folder;
  const auto file = folder.write("two.cu",
                                 "__global__ void a(int* f) { atomicAdd(f, 1); }\n"
                                 "__global__ void b(int* f) { atomicAdd(f, 1); }\n");
  const auto both = headway::testing::headway({"residency", file.string()});
  CHECK(both.status == 2);
  CHECK(contains(both.err, "2 kernels: a, b; expected one, by --kernel"));
  CHECK(headway::testing::headway({"residency", "--kernel", "b", file.string()}).status == 0);
}

TEST_CASE("cli/residency: of what goes wrong no more is said than that") {
  const TemporaryFolder folder;
  const auto file = folder.write("wrong.cu", "__global__ void k(int* f) { *f = threadIdx.x; }\n");
  const auto wrong = headway::testing::headway({"residency", file.string()});
  CHECK(wrong.status == 1);
  CHECK(wrong.out.empty());
  CHECK(contains(wrong.err, "wrong.cu: k goes wrong: "));
}
