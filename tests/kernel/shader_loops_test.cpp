// Threads that come to an operation in different rounds of a loop do not come to it together, also
// where none comes back from there, so that its compiler could have put it behind the loop.
#include <doctest/doctest.h>

#include <string>

#include "support/rows.hpp"
#include "support/shaders.hpp"

using headway::testing::check_rows;
using headway::testing::kCheckShader;

namespace {

std::string glsl(const char* body) {
  return std::string(
             "#version 460\n#extension GL_KHR_shader_subgroup_basic : enable\n"
             "#extension GL_KHR_shader_subgroup_arithmetic : enable\n"
             "layout(local_size_x = 8) in; shared uint s[8];\n"
             "uint found(uint t) { for (uint i = 0; ; i++) if (i == t) return i; }\n"
             "void main() { uint t = gl_LocalInvocationIndex, m = 0, n = 0; ") +
         body + " if (m == 77) for (;;); }";
}

std::string wgsl(const char* body) {
  return std::string(
             "var<workgroup> s: array<u32, 8>;\n@compute @workgroup_size(8)\n"
             "fn main(@builtin(local_invocation_index) t: u32) { var m: u32 = 0; ") +
         body + " if (m == 77) { loop {} } }";
}

}  // namespace

TEST_CASE("kernel/shader_loops: operations of subgroups in different rounds are refused") {
  if (!headway::testing::compiles_shaders()) return;
  const char* refused = "an operation of a subgroup that";
  for (const char* body :
       {"for (uint i = 0; ; i++) if (i == t) { m = subgroupAdd(1u); break; }",
        "while (true) { if (t < 4) { m++; if (m == 1) continue; } m = subgroupAdd(1); break; }",
        "while (true) { if (t < 4) { m++; if (m == 1) continue; } m += subgroupAdd(1); n++; "
        "if (n == 2) break; }",
        "for (uint i = 0; ; i++) if (i == t) { subgroupBarrier(); break; }"}) {
    check_rows({{"a.comp", glsl(body).c_str(), kCheckShader, refused, ",pass"}});
  }
  // In the same round, and behind a loop that they leave one after the other.
  for (const char* body :
       {"for (uint i = 0; ; i++) if (i == 3) { m = subgroupAdd(1u); break; }",
        "for (uint i = 0; i < t; i++) m++; m = subgroupAdd(1u);",
        "m = found(t); m = subgroupAdd(1u);",
        "for (uint i = 0; i < 2; i++) { for (uint j = 0; j < t; j++) m++; n += subgroupAdd(1u); }",
        "while (true) { if (t < 4) m++; else n++; m += subgroupAdd(1); if (m > 2) break; }"}) {
    check_rows({{"a.comp", glsl(body).c_str(), kCheckShader, ",pass"}});
  }
}

TEST_CASE("kernel/shader_loops: barriers on the way out of a loop stand in its rounds") {
  if (!headway::testing::compiles_shaders()) return;
  const char* refused = "a barrier that threads come to in different rounds of a loop";
  for (const char* command : {kCheckShader, "verify FILE --groups 1"}) {
    check_rows(
        {{"a.comp",
          glsl("for (uint i = 0; i < 2; i++) { if (t < 4 && i == 0) continue; s[t] = 1; barrier(); "
               "m = s[t ^ 4]; break; }")
              .c_str(),
          command, refused, ",verified"},
         {"a.comp", glsl("for (uint i = 0; ; i++) if (i == t) { barrier(); break; }").c_str(),
          command, refused, ",verified"},
         {"a.comp",  // to whose head one comes back only by a loop around it
          glsl("for (uint k = 0; k < 2; k++) for (uint i = 0; ; i++) if (i == t) { barrier(); "
               "break; }")
              .c_str(),
          command, refused, ",verified"}});
  }
  check_rows({{"a.comp",
               glsl("for (uint i = 0; ; i++) if (i == 3) { s[t] = 1; barrier(); m = s[t ^ 4]; "
                    "break; }")
                   .c_str(),
               "verify FILE --groups 1", ",divergence,verified"}});
  if (!headway::testing::compiles_wgsl()) return;
  check_rows(
      {{"a.wgsl",
        wgsl("var i: u32 = 0; loop { if (t < 4 && i == 0) { i = 1; continue; } "
             "workgroupBarrier(); break; }")
            .c_str(),
        kCheckShader, refused, ",pass"},
       {"a.wgsl",
        wgsl("var i: u32 = 0; loop { if (i == 1) { workgroupBarrier(); break; } i++; }").c_str(),
        kCheckShader, ",pass"}});
}
