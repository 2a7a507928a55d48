// What built-in functions of arithmetic give, against C++: a function more is a line here.
#pragma once

#include <vector>

namespace headway::testing::builtins {

// What is called, on x, y and z of the types that the letters of `types` name: c and b chars with
// and without a sign, s and t shorts, i int, u unsigned, m and l long long, f float, d double.
// `native` is C++; `up`, `down` and `zero` round what they are given as a lambda.
struct Row {
  const char* types;
  const char* call;
  const char* native;
};

const std::vector<Row>& cuda_rows();
const std::vector<Row>& opencl_rows();
// Of shaders; their head says what `high`, `carry` and `borrow` are.
const std::vector<Row>& glsl_rows();

}  // namespace headway::testing::builtins
