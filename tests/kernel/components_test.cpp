// Components of vectors in memory are places of their own: who is at one does not race with who is
// at another one, and whoever takes the whole vector is at all of them.
#include <doctest/doctest.h>

#include <string>

#include "support/rows.hpp"

using headway::testing::check_rows;
using headway::testing::kCheckTwo;
using headway::testing::kVerifyTwo;

namespace {

// What two threads do with a vector in memory that they share.
std::string two(const std::string& type, const std::string& first, const std::string& second) {
  return "kernel void k(global " + type + "* v, global int* o) { size_t i = get_local_id(0);\n" +
         "  if (i == 0) { " + first + " } else { " + second + " } }";
}

void expect(bool races, const std::string& type, const std::string& first,
            const std::string& second) {
  const std::string text = two(type, first, second);
  if (races) {
    check_rows({{"a.cl", text.c_str(), kVerifyTwo, ",race,violated"},
                {"a.cl", text.c_str(), kCheckTwo, "race: line 2", ",pass"}});
  } else {
    check_rows({{"a.cl", text.c_str(), kVerifyTwo, ",race,verified"},
                {"a.cl", text.c_str(), kCheckTwo, ",pass"}});
  }
}

}  // namespace

TEST_CASE("kernel/components: what is stored to one is not stored to the others") {
  expect(false, "int4", "v->x = 1;", "v->yw = (int2)(2, 3);");
  expect(true, "int4", "v->x = 1;", "v->yx = (int2)(2, 3);");
  expect(true, "int4", "v->x = 1;", "*v = (int4)(5);");
  expect(true, "int4", "v->x = 1;", "int4 w = *v; w.y = 3; *v = w;");
  expect(true, "int4", "v->z = 1;", "*v = v->yxzw;");
  expect(true, "int4", "v->z = 1;", "*v = (*v).xyzw;");
  expect(true, "int4", "v->x = 1;", "*v = (int4)((*v).xyz, 7);");
  expect(false, "int3", "v->x = 1;", "v->zy = (int2)(2, 3);");
  expect(false, "char4", "(*v)[i] = 1;", "(*v)[2 * i] = 2;");
  expect(true, "char4", "(*v)[i] = 1;", "(*v)[i - 1] = 2;");
}

TEST_CASE("kernel/components: what is loaded of one is not loaded of the others") {
  expect(false, "int4", "v->x = 1;", "o[0] = v->y + v->s3;");
  expect(true, "int4", "v->x = 1;", "int2 w = v->zx; o[0] = w.x;");
  expect(true, "int4", "v->x = 1;", "int4 w = *v; o[0] = w.y;");
  expect(false, "int4", "v->x += 1;", "o[0] = (*v)[i];");
}

TEST_CASE("kernel/components: they have the values that vectors have") {
  const char* text =
      "kernel void k(global int4* v, global int3* u) { if (get_local_id(0) > 0) return;\n"
      "  v[0] = (int4)(1, 2, 3, 4); v[0].yz = (int2)(7, 8); v[0].x += 10;\n"
      "  assert(v[0].x == 11 && v[0].y == 7 && v[0].z == 8 && v[0].w == 4);\n"
      "  int4 turned = v[0].wzyx; assert(turned.x == 4 && turned.w == 11);\n"
      "  v[0].even = v[0].odd; assert(v[0].x == 7 && v[0].z == 4);\n"
      "  u[1] = (int3)(1, 2, 3); u[1].zx = u[1].xy; assert(u[1].x == 2 && u[1].z == 1);\n"
      "  int4 own[2]; own[0].x = 1; own[1] = (int4)(5); own[0].y = own[1].z;\n"
      "  assert(own[0].x == 1 && own[0].y == 5); }";
  const char* unset =
      "kernel void k(global int* o) { int4 own[2]; own[0].x = 1;\n"
      "  if (own[0].y == 7) o[0] = get_local_id(0); }";
  const char* beyond =
      "kernel void k(global int* o, int n) { local int4 s[4]; s[1][n] = 1; o[0] = 1; }";
  check_rows({{"a.cl", text, kCheckTwo, ",pass"},
              {"a.cl", text, kVerifyTwo, ",assertion,verified"},
              {"a.cl", unset, kCheckTwo, "uninitialized", ",pass"},
              {"a.cl", beyond, kCheckTwo, "bounds", ",pass"}});
}
