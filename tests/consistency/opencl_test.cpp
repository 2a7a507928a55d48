// What the models of OpenCL and of C11 allow: scopes, the two kinds of memory, barriers, sequential
// consistency; and where C11 and RC11 part. Facts of the texts that the models are written from.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <functional>

#include "consistency/litmus/parse.hpp"
#include "consistency/models.hpp"
#include "consistency/outcomes.hpp"
#include "support/errors.hpp"

using namespace headway;
using namespace headway::consistency;

namespace {

constexpr const char* kWorkGroup = "wg 0, dev 0|wg 0, dev 0|wg 0, dev 0|wg 0, dev 0";
constexpr const char* kWorkGroups = "wg 0, dev 0|wg 1, dev 0|wg 2, dev 0|wg 3, dev 0";
constexpr const char* kDevices = "wg 0, dev 0|wg 0, dev 1|wg 0, dev 2|wg 0, dev 3";

// Threads over x and y with these pointers.
std::string opencl_test(const std::string& places, const std::string& x, const std::string& y,
                        const std::vector<std::string>& threads, const std::string& condition) {
  std::string text = "OPENCL t\n{ [x]=0; [y]=0; }\n";
  std::size_t begin = 0;
  for (std::size_t t = 0; t < threads.size(); ++t) {
    const std::size_t end = places.find('|', begin);
    text += fmt::format("P{}@{} ({}* x, {}* y) {{ {} }}\n", t, places.substr(begin, end - begin), x,
                        y, threads[t]);
    begin = end + 1;
  }
  return text + condition + "\n";
}

Outcomes ask_model(const std::string& text, const std::string& model) {
  const Outcomes found = outcomes(litmus::parse("f", text), find_model(model));
  CHECK(found.cut.empty());
  return found;
}
bool model_allows(const std::string& text, const std::string& model = "opencl") {
  return ask_model(text, model).positive > 0;
}
bool model_flags(const std::string& text, const std::string& model = "opencl") {
  return ask_model(text, model).flagged.contains("race");
}

std::string store_in(const std::string& place, const std::string& order, const std::string& scope,
                     int value = 1) {
  return fmt::format("atomic_store_explicit({}, {}, memory_order_{}, memory_scope_{}); ", place,
                     value, order, scope);
}
std::string load_from(const std::string& place, const std::string& order,
                      const std::string& scope) {
  return fmt::format("atomic_load_explicit({}, memory_order_{}, memory_scope_{})", place, order,
                     scope);
}

// A message in x, a flag in y; whether there is a race about the message.
bool message_races(const std::string& places, const std::string& flag_space,
                   const std::string& write, const std::string& read) {
  return model_flags(opencl_test(
      places, "global int", flag_space + " atomic_int",
      {"*x = 42; " + write, "int r = -1; if (" + read + " == 1) { r = *x; }"}, "exists (1:r=0)"));
}

}  // namespace

TEST_CASE("consistency/opencl: a message needs scopes that take in each other") {
  const auto races = [](const char* places, const char* write_scope, const char* read_scope) {
    return message_races(places, "global", store_in("y", "release", write_scope),
                         load_from("y", "acquire", read_scope));
  };
  CHECK_FALSE(races(kWorkGroup, "work_group", "work_group"));
  CHECK(races(kWorkGroups, "work_group", "work_group"));
  CHECK_FALSE(races(kWorkGroups, "device", "device"));
  CHECK(races(kDevices, "device", "device"));
  CHECK_FALSE(races(kDevices, "all_svm_devices", "all_svm_devices"));
  CHECK(races(kWorkGroup, "device", "work_group"));  // not the same scope
  CHECK(races(kWorkGroup, "work_item", "work_item"));
  const auto relaxed = [](const char* write, const char* read) {
    return message_races(kWorkGroups, "global", store_in("y", write, "device"),
                         load_from("y", read, "device"));
  };
  CHECK(relaxed("relaxed", "acquire"));
  CHECK(relaxed("release", "relaxed"));
  CHECK_FALSE(relaxed("seq_cst", "seq_cst"));
  // Without a scope it is the device, without an order it is sequentially consistent.
  CHECK_FALSE(message_races(kWorkGroups, "global", "atomic_store(y, 1);", "atomic_load(y)"));
}

TEST_CASE("consistency/opencl: local and global memory are ordered apart") {
  const auto flag = [](const std::string& write, const std::string& read) {
    return message_races(kWorkGroup, "local", write, read);
  };
  const std::string scope = "work_group";
  // A local flag says nothing of global memory, however strong it is: it is no action on that.
  CHECK(flag(store_in("y", "release", scope), load_from("y", "acquire", scope)));
  CHECK(flag(store_in("y", "seq_cst", scope), load_from("y", "seq_cst", scope)));
  const auto fences = [](const std::string& flags) {
    const auto fence = [&](const char* order) {
      return fmt::format("atomic_work_item_fence({}, memory_order_{}, memory_scope_work_group); ",
                         flags, order);
    };
    return model_flags(
        opencl_test(kWorkGroup, "global int", "local atomic_int",
                    {"*x = 42; " + fence("release") + store_in("y", "relaxed", "work_group"),
                     "int r = -1; if (" + load_from("y", "relaxed", "work_group") + " == 1) { " +
                         fence("acquire") + "r = *x; }"},
                    "exists (1:r=0)"));
  };
  CHECK_FALSE(fences("CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE"));
  CHECK(fences("CLK_LOCAL_MEM_FENCE"));
  CHECK(fences("CLK_GLOBAL_MEM_FENCE"));
}

TEST_CASE("consistency/opencl: barriers order the memory of their flags in a work-group") {
  const auto with = [](const char* space, const std::string& barrier) {
    return ask_model(
        opencl_test(kWorkGroup, std::string(space) + " int", "global atomic_int",
                    {"*x = 1; " + barrier, barrier + " int r = *x;"}, "exists (1:r=0)"),
        "opencl");
  };
  const std::string global = "barrier(CLK_GLOBAL_MEM_FENCE);";
  const std::string local = "B1: work_group_barrier(CLK_LOCAL_MEM_FENCE);";
  CHECK(with("global", global).positive == 0);
  CHECK(with("global", global).flagged.empty());
  CHECK(with("global", local).flagged.contains("race"));
  CHECK(with("local", local).flagged.empty());
  CHECK(with("local", global).flagged.contains("race"));
  CHECK(with("global", "barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);").flagged.empty());
  CHECK(with("global", "barrier(0);").flagged.contains("race"));
  // Each meets with the one of its turn, and nobody alone.
  CHECK(model_flags(opencl_test(kWorkGroup, "global int", "global int",
                                {global + global + " *x = 1;", global + " int r = *x; " + global},
                                "exists (1:r=0)")) == false);
  CHECK(ask_model(opencl_test(kWorkGroup, "global int", "global int",
                              {"B1: " + global, "B2: " + global}, "exists (x=0)"),
                  "opencl")
            .positive == 0);
  // The other work-group does not wait, and is not ordered.
  CHECK(model_flags(opencl_test(kWorkGroups, "global int", "global int",
                                {"*x = 1; " + global, global + " int r = *x;"}, "exists (1:r=0)")));
}

TEST_CASE("consistency/opencl: sequential consistency goes by scopes") {
  const auto buffered = [](const char* places, const char* order, const char* scope) {
    const auto thread = [&](const char* own, const char* other) {
      return store_in(own, order, scope) +
             "int r = " + load_from(other, order[0] == 'r' ? "acquire" : order, scope) + ";";
    };
    return model_allows(opencl_test(places, "global atomic_int", "global atomic_int",
                                    {thread("x", "y"), thread("y", "x")},
                                    "exists (0:r=0 /\\ 1:r=0)"));
  };
  CHECK_FALSE(buffered(kWorkGroups, "seq_cst", "device"));
  CHECK_FALSE(buffered(kWorkGroup, "seq_cst", "work_group"));
  CHECK_FALSE(buffered(kDevices, "seq_cst", "all_svm_devices"));
  CHECK(buffered(kDevices, "seq_cst", "device"));
  CHECK(buffered(kWorkGroups, "seq_cst", "work_group"));
  CHECK(buffered(kWorkGroups, "release", "device"));
  const auto iriw = [](const char* order, const char* scope) {
    const auto reads = [&](const char* first, const char* second) {
      return "int a = " + load_from(first, order, scope) +
             "; int b = " + load_from(second, order, scope) + ";";
    };
    return model_allows(opencl_test(kWorkGroup, "global atomic_int", "global atomic_int",
                                    {store_in("x", order[0] == 'a' ? "release" : order, scope),
                                     store_in("y", order[0] == 'a' ? "release" : order, scope),
                                     reads("x", "y"), reads("y", "x")},
                                    "exists (2:a=1 /\\ 2:b=0 /\\ 3:a=1 /\\ 3:b=0)"));
  };
  CHECK_FALSE(iriw("seq_cst", "device"));
  CHECK_FALSE(iriw("seq_cst", "work_group"));
  CHECK(iriw("acquire", "device"));
  // Loads may be buffered, as in C11.
  CHECK(model_allows(opencl_test(
      kWorkGroups, "global atomic_int", "global atomic_int",
      {"int r = " + load_from("x", "relaxed", "device") + "; " + store_in("y", "relaxed", "device"),
       "int r = " + load_from("y", "relaxed", "device") + "; " +
           store_in("x", "relaxed", "device")},
      "exists (0:r=1 /\\ 1:r=1)")));
}

TEST_CASE("consistency/opencl: atomics of one location are coherent, and race out of scope") {
  const auto reads = [](const char* scope) {
    return "int a = " + load_from("x", "relaxed", scope) +
           "; int b = " + load_from("x", "relaxed", scope) + ";";
  };
  const auto text = [&](const char* scope) {
    return opencl_test(kWorkGroups, "global atomic_int", "global atomic_int",
                       {store_in("x", "relaxed", scope, 1), store_in("x", "relaxed", scope, 2),
                        reads(scope), reads(scope)},
                       "exists (2:a=1 /\\ 2:b=2 /\\ 3:a=2 /\\ 3:b=1)");
  };
  CHECK_FALSE(model_allows(text("device")));
  CHECK_FALSE(model_flags(text("device")));
  CHECK(model_flags(text("work_group")));
  const std::string add =
      "int r = atomic_fetch_add_explicit(x, 1, memory_order_relaxed, memory_scope_device);";
  CHECK_FALSE(model_allows(opencl_test(kWorkGroups, "global atomic_int", "global atomic_int",
                                       {add, add}, "exists (0:r=0 /\\ 1:r=0)")));
  CHECK_FALSE(model_allows(
      opencl_test(kWorkGroups, "global int", "global int", {"*x = 1; *x = 2;"}, "exists (x=1)")));
}

TEST_CASE("consistency/opencl: a stronger order or a wider common scope never allows more") {
  const std::vector<std::string> stores = {"relaxed", "release", "seq_cst"};
  const std::vector<std::string> loads = {"relaxed", "acquire", "seq_cst"};
  const std::vector<std::string> scopes = {"work_item", "work_group", "device", "all_svm_devices"};
  for (const char* places : {kWorkGroup, kWorkGroups, kDevices}) {
    std::vector<std::vector<std::size_t>> found;
    for (const std::string& scope : scopes) {
      found.emplace_back();
      for (std::size_t s = 0; s < 3; ++s) {
        for (std::size_t l = 0; l < 3; ++l) {
          const Outcomes outcomes = ask_model(
              opencl_test(places, "global atomic_int", "global atomic_int",
                          {store_in("x", "relaxed", scope) + store_in("y", stores[s], scope),
                           "int a = " + load_from("y", loads[l], scope) +
                               "; int b = " + load_from("x", "relaxed", scope) + ";"},
                          "exists (1:a=1 /\\ 1:b=0)"),
              "opencl");
          const std::size_t now = outcomes.positive;
          if (s > 0) CHECK(now <= found.back()[3 * (s - 1) + l]);
          if (l > 0) CHECK(now <= found.back().back());
          if (found.size() > 1) CHECK(now <= found[found.size() - 2][3 * s + l]);
          found.back().push_back(now);
        }
      }
    }
    CHECK(found.front().front() > 0);
    CHECK(found.back().back() == 0);
  }
}

TEST_CASE("consistency/opencl: what is wrong or not read is refused with its place") {
  const auto complaint = [](const std::string& text) {
    return testing::complaint_of([&] { litmus::parse("f", "OPENCL t\n{}\n" + text); });
  };
  CHECK(complaint("P0 (global int* x) { }\nexists (x=0)") == "3:4: expected '@', found '('");
  CHECK(complaint("P0@wg 0 (global int* x) { }\nexists (x=0)") == "3:9: expected ',', found '('");
  CHECK(complaint("P0@wg 0, dev 0 (constant int* x) { }\nexists (x=0)") ==
        "3:17: expected a pointer to 'global' or 'local' memory, found 'constant'");
  CHECK(complaint("P0@wg 0, dev 0 (local int* x) { }\nP1@wg 1, dev 0 (local int* x) { }\n") ==
        "4:17: 'x' is local, and each work-group has its own; expected another name in this one");
  CHECK(complaint("P0@wg 0, dev 0 (local int* x) { }\nP1@wg 0, dev 0 (global int* x) { }\n") ==
        "4:17: 'x' is in two address spaces");
  CHECK(complaint("P0@wg 0, dev 0 (global atomic_int* x) { atomic_store_explicit(x, 1, "
                  "memory_order_relaxed, memory_scope_devce); }\n") ==
        "3:91: expected a memory scope, memory_scope_work_item, memory_scope_work_group, "
        "memory_scope_device, memory_scope_all_svm_devices, memory_scope_all_devices, found "
        "'memory_scope_devce'; did you mean 'memory_scope_device'?");
  CHECK(complaint("P0@wg 0, dev 0 (global int* x) { barrier(CLK_GLOBAL_MEM_FENC); }\n") ==
        "3:42: expected CLK_GLOBAL_MEM_FENCE or CLK_LOCAL_MEM_FENCE, found 'CLK_GLOBAL_MEM_FENC'; "
        "did you mean 'CLK_GLOBAL_MEM_FENCE'?");
  CHECK(complaint("P0@wg 0, dev 0 (global int* x) { B1: *x = 1; }\n") ==
        "3:38: expected a barrier behind this label, found '*'");
}

namespace {

std::string c11_test(const std::vector<std::string>& threads, const std::string& condition) {
  std::string text = "C t\n{}\n";
  for (std::size_t t = 0; t < threads.size(); ++t) {
    text += fmt::format("P{} (atomic_int* x, atomic_int* y, int* z) {{ {} }}\n", t, threads[t]);
  }
  return text + condition + "\n";
}
std::string c11_write(const std::string& place, const std::string& order, int value = 1) {
  return fmt::format("atomic_store_explicit({}, {}, memory_order_{}); ", place, value, order);
}
std::string c11_read(const std::string& target, const std::string& place,
                     const std::string& order) {
  return fmt::format("int {} = atomic_load_explicit({}, memory_order_{}); ", target, place, order);
}

}  // namespace

TEST_CASE("consistency/c11: what it allows of tests that the field knows, and where rc11 differs") {
  struct Row {
    std::string name, text;
    bool c11, rc11;
  };
  const std::string rlx = "relaxed", acq = "acquire", rel = "release", sc = "seq_cst";
  const std::string fence = "atomic_thread_fence(memory_order_seq_cst); ";
  const auto sb = [&](const std::string& w, const std::string& r, const std::string& between) {
    return c11_test({c11_write("x", w) + between + c11_read("a", "y", r),
                     c11_write("y", w) + between + c11_read("a", "x", r)},
                    "exists (0:a=0 /\\ 1:a=0)");
  };
  const auto mp = [&](const std::string& w, const std::string& r) {
    return c11_test(
        {c11_write("x", rlx) + c11_write("y", w), c11_read("a", "y", r) + c11_read("b", "x", rlx)},
        "exists (1:a=1 /\\ 1:b=0)");
  };
  const auto iriw = [&](const std::string& w, const std::string& r) {
    return c11_test(
        {c11_write("x", w), c11_write("y", w), c11_read("a", "x", r) + c11_read("b", "y", r),
         c11_read("a", "y", r) + c11_read("b", "x", r)},
        "exists (2:a=1 /\\ 2:b=0 /\\ 3:a=1 /\\ 3:b=0)");
  };
  const std::vector<Row> rows = {
      {"SB", sb(rlx, rlx, ""), true, true},
      {"SB+ra", sb(rel, acq, ""), true, true},
      {"SB+sc", sb(sc, sc, ""), false, false},
      {"SB+fences", sb(rlx, rlx, fence), false, false},
      {"MP", mp(rlx, rlx), true, true},
      {"MP+ra", mp(rel, acq), false, false},
      {"MP+rel", mp(rel, rlx), true, true},
      {"MP+consume", mp(rel, "consume"), false, true},  // which rc11 has not
      {"IRIW+ra", iriw(rel, acq), true, true},
      {"IRIW+sc", iriw(sc, sc), false, false},
      // rc11 forbids it, so that nothing comes out of thin air.
      {"LB",
       c11_test({c11_read("a", "y", rlx) + c11_write("x", rlx),
                 c11_read("a", "x", rlx) + c11_write("y", rlx)},
                "exists (0:a=1 /\\ 1:a=1)"),
       true, false},
      {"LB+ra",
       c11_test({c11_read("a", "y", acq) + c11_write("x", rel),
                 c11_read("a", "x", acq) + c11_write("y", rel)},
                "exists (0:a=1 /\\ 1:a=1)"),
       false, false},
      {"2+2W+sc",
       c11_test(
           {c11_write("x", sc) + c11_write("y", sc, 2), c11_write("y", sc) + c11_write("x", sc, 2)},
           "exists (x=1 /\\ y=1)"),
       false, false},
      // A later store of the same thread goes on with the release sequence.
      {"release sequence of a thread",
       c11_test({"*z = 1; " + c11_write("x", rel) + c11_write("x", rlx, 2),
                 c11_read("a", "x", acq) + "int b = 1; if (a == 2) { b = *z; }"},
                "exists (1:b=0)"),
       false, false},
      {"release sequence of updates",
       c11_test({c11_write("y", rlx) + c11_write("x", rel),
                 "atomic_fetch_add_explicit(x, 1, memory_order_relaxed);",
                 c11_read("a", "x", acq) + c11_read("b", "y", rlx)},
                "exists (2:a=2 /\\ 2:b=0)"),
       false, false},
      {"broken release sequence",
       c11_test({c11_write("y", rlx) + c11_write("x", rel), c11_write("x", rlx, 2),
                 c11_read("a", "x", acq) + c11_read("b", "y", rlx)},
                "exists (2:a=2 /\\ 2:b=0)"),
       true, true},
      {"CoRR",
       c11_test({c11_write("x", rlx), c11_read("a", "x", rlx) + c11_read("b", "x", rlx)},
                "exists (1:a=1 /\\ 1:b=0)"),
       false, false},
      {"updates do not meet",
       c11_test({"int r = atomic_fetch_add(x, 1);", "int r = atomic_fetch_add(x, 1);"},
                "exists (0:r=0 /\\ 1:r=0)"),
       false, false},
      {"WRC+ra",
       c11_test({c11_write("x", rlx), c11_read("a", "x", rlx) + c11_write("y", rel),
                 c11_read("a", "y", acq) + c11_read("b", "x", rlx)},
                "exists (1:a=1 /\\ 2:a=1 /\\ 2:b=0)"),
       false, false},
      {"RWC+sc",
       c11_test({c11_write("x", sc), c11_read("a", "x", acq) + c11_read("b", "y", sc),
                 c11_write("y", sc) + c11_read("a", "x", sc)},
                "exists (1:a=1 /\\ 1:b=0 /\\ 2:a=0)"),
       false, true},  // "Repairing sequential consistency": hardware may do it
      {"S+ra",
       c11_test({c11_write("x", rlx, 2) + c11_write("y", rel),
                 c11_read("a", "y", acq) + c11_write("x", rlx)},
                "exists (1:a=1 /\\ x=2)"),
       false, false}};
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(model_allows(row.text, "c11") == row.c11);
    CHECK(model_allows(row.text, "rc11") == row.rc11);
  }
}

TEST_CASE("consistency/c11: plain accesses are not their own reason") {
  const std::string c =
      "C t\n{}\nP0 (int* x, int* y) { int r = *x; if (r) { *y = 1; } }\n"
      "P1 (int* x, int* y) { int r = *y; if (r) { *x = 1; } }\nexists (0:r=1)\n";
  CHECK_FALSE(model_allows(c, "c11"));
  CHECK_FALSE(model_flags(c, "c11"));
  const std::string opencl = opencl_test(
      kWorkGroups, "global int", "global int",
      {"int r = *x; if (r) { *y = 1; }", "int r = *y; if (r) { *x = 1; }"}, "exists (0:r=1)");
  CHECK_FALSE(model_allows(opencl));
  CHECK_FALSE(model_flags(opencl));
}

TEST_CASE("consistency/c11: an access by a plain pointer is plain, and may race") {
  const auto text = [](const char* pointer) {
    return fmt::format(
        "C t\n{{}}\nP0 (atomic_int* x) {{ int r = atomic_load_explicit(x, memory_order_relaxed); "
        "}}\n"
        "P1 ({}* x) {{ *x = 1; }}\nexists (x=1)\n",
        pointer);
  };
  for (const char* model : {"c11", "rc11"}) {
    CHECK(model_flags(text("volatile int"), model));
    CHECK_FALSE(model_flags(text("atomic_int"), model));
  }
}

TEST_CASE("consistency/c11: a stronger order never allows more") {
  const std::vector<std::string> writes = {"relaxed", "release", "seq_cst"};
  const std::vector<std::string> reads = {"relaxed", "acquire", "seq_cst"};
  const auto mp = [](const std::string& w, const std::string& r) {
    return c11_test(
        {c11_write("x", w) + c11_write("y", w), c11_read("a", "y", r) + c11_read("b", "x", r)},
        "exists (1:a=1 /\\ 1:b=0)");
  };
  const auto sb = [](const std::string& w, const std::string& r) {
    return c11_test(
        {c11_write("x", w) + c11_read("a", "y", r), c11_write("y", w) + c11_read("a", "x", r)},
        "exists (0:a=0 /\\ 1:a=0)");
  };
  const auto lb = [](const std::string& w, const std::string& r) {
    return c11_test(
        {c11_read("a", "y", r) + c11_write("x", w), c11_read("a", "x", r) + c11_write("y", w)},
        "exists (0:a=1 /\\ 1:a=1)");
  };
  using Shape = std::function<std::string(const std::string&, const std::string&)>;
  const std::vector<Shape> shapes = {mp, sb, lb};
  for (const char* model : {"c11", "rc11"}) {
    for (const Shape& shape : shapes) {
      for (std::size_t w = 0; w < 3; ++w) {
        for (std::size_t r = 0; r < 3; ++r) {
          const std::size_t now = ask_model(shape(writes[w], reads[r]), model).positive;
          if (w > 0) CHECK(now <= ask_model(shape(writes[w - 1], reads[r]), model).positive);
          if (r > 0) CHECK(now <= ask_model(shape(writes[w], reads[r - 1]), model).positive);
        }
      }
      CHECK(ask_model(shape("seq_cst", "seq_cst"), model).positive == 0);
    }
  }
}

TEST_CASE("consistency/ptx: a stronger order or a wider scope never allows more") {
  const std::vector<std::string> stores = {"st.weak", "st.relaxed.cta", "st.relaxed.gpu",
                                           "st.release.gpu", "st.release.sys"};
  const std::vector<std::string> loads = {"ld.weak", "ld.relaxed.cta", "ld.relaxed.gpu",
                                          "ld.acquire.gpu", "ld.acquire.sys"};
  for (const char* model : {"ptx", "ptx6"}) {
    std::vector<std::vector<bool>> allowed;
    for (const std::string& store : stores) {
      allowed.emplace_back();
      for (const std::string& load : loads) {
        const std::string text = fmt::format(
            "PTX t\n{{ x=0; y=0; }}\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
            " st.weak x, 1 {} y, 1 | {} r0, y ld.weak r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n",
            store, load);
        const bool now = model_allows(text, model);
        if (!allowed.back().empty() && now) CHECK(allowed.back().back());
        if (allowed.size() > 1 && now) CHECK(allowed[allowed.size() - 2][allowed.back().size()]);
        allowed.back().push_back(now);
      }
    }
    CHECK(allowed.front().front());
    CHECK_FALSE(allowed.back().back());
  }
}
