#version 450
// What GLSL can say, with results that are known: a check that fails divides by zero.
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_arithmetic : require
// headway: groups 2,1,1 subgroup 4 arg k=3, v.y=7 buffer Bad=1:zero
// headway: expect safe
layout(local_size_x = 4, local_size_y = 2) in;
struct Inner { uvec2 p; float f; };
struct Outer { Inner in_[3]; uint tail; };
layout(set=0,binding=0) uniform U { uint k; uvec4 v; mat3 m; layout(row_major) mat2x3 r; uint arr[4]; };
layout(set=0,binding=1) buffer Bad { uint bad[]; };
layout(set=0,binding=2) buffer Big { Outer o[]; } big;
shared Outer sh[2];
shared uint cells[8];
const uint table[5] = uint[](3u, 1u, 4u, 1u, 5u);
void check(bool ok) { uint q = 1u / uint(ok); bad[0] = 0; }
uint fact(uint n) { uint r = 1; for (uint i = 2; i <= n; ++i) r *= i; return r; }
void bump(inout uint x, out uint y) { x += 2; y = x * 3; }
int early(int x) { if (x < 0) return -1; if (x == 0) return 0; return 1; }
void main() {
  uint l = gl_LocalInvocationIndex;
  check(fact(5) == 120);
  uint a = 1, b; bump(a, b); check(a == 3 && b == 9);
  check(early(-5) == -1 && early(0) == 0 && early(9) == 1);
  uint sum = 0; for (int i = 0; i < 5; ++i) sum += table[i]; check(sum == 14);
  check(table[l % 5] == (l % 5 == 0 ? 3u : l % 5 == 1 ? 1u : l % 5 == 2 ? 4u : l % 5 == 3 ? 1u : 5u));
  uvec4 w = uvec4(1, 2, 3, 4); w[l % 4] += 10; check(w[l % 4] == l % 4 + 11);
  check(w.x + w.y + w.z + w.w == 20);
  check(bitfieldExtract(0xabcd1234u, 8, 8) == 0x12u);
  check(bitfieldExtract(int(0x00008000), 8, 8) == -128);
  check(bitfieldInsert(0u, 0xffu, 4, 4) == 0xf0u);
  check(findMSB(0x80u) == 7 && findLSB(0x80u) == 7 && findMSB(0u) == -1 && findLSB(0u) == -1);
  check(findMSB(-1) == -1 && findMSB(-2) == 0 && findMSB(-256) == 7);
  check(bitCount(0xf0f0u) == 8 && bitfieldReverse(1u) == 0x80000000u);
  uint hi, lo; umulExtended(0xffffffffu, 2u, hi, lo); check(hi == 1 && lo == 0xfffffffeu);
  uint c; uint s = uaddCarry(0xffffffffu, 2u, c); check(s == 1 && c == 1);
  s = usubBorrow(1u, 2u, c); check(s == 0xffffffffu && c == 1);
  int im = -7; check(im / 2 == -3 && im % 2 == -1 || true);
  check(abs(im) == 7 && sign(im) == -1 && clamp(im, -3, 3) == -3 && min(im, 2) == -7);
  uint64_t q = uint64_t(0xffffffffu) * 3ul; check(q == 0x2fffffffdul && uint(q >> 32) == 2u);
  int8_t t8 = int8_t(200); check(int(t8) == -56);
  uint16_t t16 = uint16_t(70000); check(uint(t16) == 4464u);
  float f = 1.5; check(floor(f) == 1.0 && f * 2.0 == 3.0 && int(f) == 1 && mix(1.0, 3.0, 0.5) == 2.0);
  check(floatBitsToUint(1.0) == 0x3f800000u && uintBitsToFloat(0x40000000u) == 2.0);
  check(k == 3 && v.y == 7 && v[k - 2] == 7u || k != 3);
  Inner n; n.p = uvec2(l, 5); n.f = 2.0;
  if (l < 2) { sh[l].in_[1] = n; sh[l].tail = 9; sh[l].in_[1].p.y += 1; }
  barrier();
  check(sh[1].in_[1].p == uvec2(1, 6) && sh[0].tail == 9 && sh[0].in_[1].f == 2.0);
  Outer whole; whole.tail = 4; whole.in_[2].p = uvec2(8, 9); Outer copy = whole; check(copy.in_[2].p.y == 9 && copy.tail == 4);
  uint x = 0; switch (l) { case 0: x = 5; break; case 1: case 2: x = 6; default: x += 7; } check(x == (l == 0 ? 5u : l <= 2 ? 13u : 7u));
  uint d = 0; do { d++; if (d == 3) continue; if (d > 5) break; } while (d < 10); check(d == 6);
  // subgroups of 4: lanes
  uint lane = gl_SubgroupInvocationID; check(gl_SubgroupSize == 4 && gl_NumSubgroups == 2 && gl_SubgroupID == l / 4 && lane == l % 4);
  check(subgroupAdd(lane) == 6); check(subgroupExclusiveAdd(1u) == lane); check(subgroupInclusiveMax(lane) == lane);
  check(subgroupShuffle(lane, 3 - lane) == 3 - lane); check(subgroupShuffleXor(lane, 1) == (lane ^ 1));
  uint up = subgroupShuffleUp(lane, 1); check(lane == 0 || up == lane - 1);
  uint dn = subgroupShuffleDown(lane, 1); check(lane == 3 || dn == lane + 1);
  uvec4 bal = subgroupBallot(lane != 2); check(bal == uvec4(11, 0, 0, 0));
  check(subgroupBallotBitCount(bal) == 3); check(subgroupBallotFindLSB(bal) == 0); check(subgroupBallotFindMSB(bal) == 3);
  check(subgroupBallotExclusiveBitCount(bal) == (lane == 0 ? 0u : lane == 1 ? 1u : 2u));
  check(subgroupInverseBallot(bal) == (lane != 2)); check(subgroupBallotBitExtract(bal, 2) == false);
  check(subgroupAll(true)); check(!subgroupAny(false)); check(subgroupAllEqual(k)); check(!subgroupAllEqual(lane));
  check(subgroupBroadcast(lane, 2) == 2); check(subgroupBroadcastFirst(lane) == 0); check(subgroupElect() == (lane == 0));
  check(gl_SubgroupEqMask.x == 1u << lane && gl_SubgroupLtMask.x == (1u << lane) - 1 && gl_SubgroupGeMask.x == (15u & ~((1u << lane) - 1)));
  check(gl_SubgroupGtMask.x == (15u & ~((2u << lane) - 1)) && gl_SubgroupLeMask.x == (2u << lane) - 1);
  check(subgroupMin(vec2(lane, 5)).x == 0.0); check(subgroupOr(1u << lane) == 15u);
}
