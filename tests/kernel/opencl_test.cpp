// What OpenCL C leaves undefined, and CUDA has otherwise or not at all.
#include <doctest/doctest.h>

#include "support/rows.hpp"

using headway::testing::check_rows;
using headway::testing::kCheckTwo;
using headway::testing::kVerifyTwo;

TEST_CASE("kernel/opencl: asynchronous copies are waited for before a kernel ends") {
  const char* never =
      "kernel void k(global int* o) { local int t[2]; int l = get_local_id(0); t[l] = l;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE); async_work_group_copy(o, t, 2, 0); }";
  const char* waited =
      "kernel void k(global int* o) { local int t[2]; int l = get_local_id(0); t[l] = l;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE); event_t e = async_work_group_copy(o, t, 2, 0);\n"
      "  wait_group_events(1, &e); }";
  const char* rounds =
      "kernel void k(global int* o) { local int t[2]; int l = get_local_id(0); event_t e = 0;\n"
      "  for (int i = 0; i < 2; ++i) { if (i > 0) wait_group_events(1, &e);\n"
      "    t[l] = l; barrier(CLK_LOCAL_MEM_FENCE); e = async_work_group_copy(o, t, 2, 0); }\n"
      "  wait_group_events(1, &e); }";
  check_rows({{"a.cl", never, kCheckTwo, "an asynchronous copy that nothing waits for"},
              {"a.cl", never, kVerifyTwo, "an asynchronous copy that nothing waits for"},
              {"a.cl", waited, kCheckTwo, ",pass"},
              {"a.cl", waited, kVerifyTwo, ",race,verified"},
              {"a.cl", rounds, kCheckTwo, ",pass"}});
}

TEST_CASE("kernel/opencl: all threads of a workgroup name the same one to a broadcast") {
  const char* own =
      "kernel void k(global int* o) { int l = get_local_id(0); o[l] = work_group_broadcast(l, l); "
      "}";
  const char* first =
      "kernel void k(global int* o) { int l = get_local_id(0); o[l] = work_group_broadcast(l, 0); "
      "}";
  check_rows({{"a.cl", own, kCheckTwo, "name different threads to a broadcast"},
              {"a.cl", own, kVerifyTwo, ",divergence,violated"},
              {"a.cl", first, kCheckTwo, ",pass"},
              {"a.cl", first, kVerifyTwo, ",divergence,verified"}});
}

TEST_CASE("kernel/opencl: atomic accesses of two scopes race") {
  const char* two =
      "kernel void k(global int* d, global atomic_int* f, global int* o) {\n"
      "  if (get_local_id(0) == 0) { *d = 1;\n"
      "    atomic_store_explicit(f, 1, memory_order_release, memory_scope_work_group); }\n"
      "  else if (atomic_load_explicit(f, memory_order_acquire, memory_scope_device)) *o = *d; }";
  const char* one =
      "kernel void k(global int* d, global atomic_int* f, global int* o) {\n"
      "  if (get_local_id(0) == 0) { *d = 1;\n"
      "    atomic_store_explicit(f, 1, memory_order_release, memory_scope_device); }\n"
      "  else if (atomic_load_explicit(f, memory_order_acquire, memory_scope_device)) *o = *d; }";
  const char* check = "check FILE --grid 1 --block 2 -m fair --buffer f=1:zero";
  check_rows({{"a.cl", two, check, "an atomic write and an atomic read of 'f'"},
              {"a.cl", two, kVerifyTwo, ",race,violated"},
              {"a.cl", one, check, ",pass"}});
}
