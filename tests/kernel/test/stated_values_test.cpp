// What arguments and buffers are said to hold is what they hold, or an error.
#include <doctest/doctest.h>

#include "support/rows.hpp"

using headway::testing::check_rows;

TEST_CASE("kernel/stated_values: integers of 64 bits, narrow ones and reals") {
  const char* wide =
      "#include <assert.h>\n__global__ void k(const long long* in) { assert(in[0] == "
      "9007199254740993ll && in[1] == 9223372036854775807ll && in[2] < -9223372036854775807ll); }";
  const char* narrow =
      "#include <assert.h>\n__global__ void k(const unsigned char* in) { assert(in[0] == 255); }";
  const char* reals =
      "#include <assert.h>\n__global__ void k(const float* in) { assert(in[0] == 1.5f && in[1] == "
      "2); }";
  const char* halves =
      "#include <cuda_fp16.h>\n__global__ void k(const __half* in, float* out) { "
      "out[0] = __half2float(in[0]); }";
  check_rows({{"a.cu", wide,
               "check FILE --grid 1 --block 1 --buffer "
               "in={9007199254740993,9223372036854775807,-9223372036854775808}",
               ",pass"},
              {"a.cu", narrow, "check FILE --grid 1 --block 1 --buffer in={255}", ",pass"},
              {"a.cu", narrow, "check FILE --grid 1 --block 1 --buffer in={-1}", ",pass"},
              {"a.cu", narrow, "check FILE --grid 1 --block 1 --buffer in={300}",
               "'in' has elements of 8 bits, which 300 does not fit in"},
              {"a.cu", narrow, "check FILE --grid 1 --block 1 --buffer in={1.5}",
               "'in' has elements that the kernel takes for integers; expected no 1.5"},
              {"a.cu", reals, "check FILE --grid 1 --block 1 --buffer in={1.5,2}", ",pass"},
              {"a.cu", halves, "check FILE --grid 1 --block 1 --buffer in={1.5}",
               "'in' has structures of 2 bytes, as __half is"}});
}

TEST_CASE("kernel/stated_values: reals of a buffer that is read as both, or not at all") {
  const char* unused = "__global__ void k(const float* in, int* o) { o[0] = 1; }";
  const char* both =
      "#include <assert.h>\n__global__ void k(const float* in) { assert(in[0] == 1.5f "
      "&& ((const int*)in)[0] == 0x3fc00000); }";
  const char* command = "check FILE --grid 1 --block 1 --buffer in={1.5,2.0}";
  check_rows({{"a.cu", unused, command, ",pass"}, {"a.cu", both, command, ",pass"}});
}

TEST_CASE("kernel/stated_values: an argument that its parameter cannot be") {
  const char* structure = "struct P { int n; };\n__global__ void k(P p, int* a) { a[0] = p.n; }";
  const char* integer = "__global__ void k(int n, int* a) { a[0] = n; }";
  check_rows({{"a.cu", structure, "check FILE --grid 1 --block 1 --arg p=3",
               "the parameter 'p' of kernel 'k' is a structure; expected --buffer"},
              {"a.cu", structure, "check FILE --grid 1 --block 1 --buffer p={3}", ",pass"},
              {"a.cu", integer, "check FILE --grid 1 --block 1 --arg n=1.5",
               "the parameter 'n' of kernel 'k' is an integer, which 1.5 is not"}});
}
