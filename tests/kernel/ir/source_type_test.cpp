// What parts of memory are called.
#include "kernel/ir/source_type.hpp"

#include <doctest/doctest.h>

using namespace headway::kernel;

namespace {

// int; int[3]; struct Lock { int owner; union { int mutex; float f; }; int next[3]; };
// struct Queue { Lock locks[2]; char tail; }; float[2][4].
const std::vector<SourceType> kTypes = {
    {4, {}, {}, 0},
    {12, {}, 0U, 3},
    {4, {{"mutex", 0, 0}, {"f", 0, 0}}, {}, 0},
    {20, {{"owner", 0, 0}, {"", 4, 2}, {"next", 8, 1}}, {}, 0},
    {40, {}, 3U, 2},
    {1, {}, {}, 0},
    {44, {{"locks", 0, 4}, {"tail", 40, 5}}, {}, 0},
    {16, {}, 0U, 4},
    {32, {}, 7U, 2},
};

std::string part(std::uint32_t type, std::uint64_t at, std::uint64_t bytes) {
  return part_name(kTypes, type, at, bytes).value_or("none");
}

std::string pointee(std::uint32_t type, std::uint64_t at, std::uint64_t bytes) {
  return pointee_name(kTypes, type, "p", at, bytes).value_or("none");
}

}  // namespace

TEST_CASE("kernel/ir/source_type: a scalar is called by the members and elements it is in") {
  CHECK(part(0, 0, 4).empty());
  CHECK(part(3, 0, 4) == ".owner");
  CHECK(part(3, 16, 4) == ".next[2]");
  CHECK(part(6, 40, 1) == ".tail");
  CHECK(part(6, 32, 4) == ".locks[1].next[1]");
  CHECK(part(8, 28, 4) == "[1][3]");
  // The first member of a union stands for all that are as large.
  CHECK(part(3, 4, 4) == ".mutex");
}

TEST_CASE("kernel/ir/source_type: what is no scalar of the type has no name") {
  CHECK(part(3, 0, 8) == "none");
  CHECK(part(3, 2, 4) == "none");
  CHECK(part(3, 20, 4) == "none");
  CHECK(part(6, 41, 1) == "none");
  CHECK(part(8, 32, 4) == "none");
}

TEST_CASE("kernel/ir/source_type: the first structure that a pointer goes to has an arrow") {
  CHECK(pointee(3, 4, 4) == "p->mutex");
  CHECK(pointee(3, 24, 4) == "p[1].mutex");
  CHECK(pointee(0, 0, 4) == "p[0]");
  CHECK(pointee(0, 12, 4) == "p[3]");
  CHECK(pointee(7, 20, 4) == "p[1][1]");
  CHECK(pointee(3, 22, 4) == "none");
}
