#include "synth/space/bounds.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace headway;
using synth::Bounds;
using synth::Cube;
using synth::Instructions;
using synth::Shape;

namespace {

// Calls `use` with every canonical program of the shape, in the order of output.
template <typename Use>
void each_program(const Bounds& bounds, const Shape& shape, Instructions& code, const Use& use) {
  std::size_t thread = 0;
  auto index = static_cast<int>(code.size());
  while (thread < shape.size() && index >= shape[thread]) index -= shape[thread++];
  if (thread == shape.size()) return use(code);
  for (const auto& choice :
       synth::instruction_choices(bounds, static_cast<int>(thread), shape[thread], index)) {
    code.push_back(choice);
    if (synth::is_canonical(code)) each_program(bounds, shape, code, use);
    code.pop_back();
  }
}

bool holds(const Cube& cube, const Shape& shape, const Instructions& code) {
  return cube.shape == shape && std::equal(cube.first.begin(), cube.first.end(), code.begin());
}

}  // namespace

TEST_CASE("synth/space/bounds: every canonical program is in one cube, and cubes are in order") {
  for (const Bounds& bounds : {Bounds{2, 3, 2, 2}, Bounds{3, 3, 2, 2}, Bounds{1, 2, 3, 3}}) {
    std::size_t before = 0;
    for (const double programs : {1e18, 1000.0, 30.0, 1.0}) {
      CAPTURE(programs);
      const std::vector<Cube> cubes = synth::cubes(bounds, programs);
      CHECK(cubes.size() >= before);
      before = cubes.size();
      // In order, so that the cube of a program is the one of the program before, or the next.
      std::size_t at = 0, largest = 0, size = 0, outside = 0;
      for (const Shape& shape : synth::shapes(bounds)) {
        Instructions code;
        each_program(bounds, shape, code, [&](const Instructions& program) {
          for (; at < cubes.size() && !holds(cubes[at], shape, program); ++at) size = 0;
          if (at == cubes.size()) ++outside;
          largest = std::max(largest, ++size);
        });
      }
      CHECK(outside == 0);
      CHECK(at + 1 == cubes.size());
      CHECK(static_cast<double>(largest) <= programs);
    }
    CHECK(before > synth::cubes(bounds).size());
  }
}

TEST_CASE("synth/space/bounds: cubes of large spaces are small, but not too many") {
  CHECK(synth::cubes({2, 5, 2, 2}).front().first.size() == 1);
  CHECK(synth::cubes({2, 7, 2, 2}).front().first.size() == 2);
  CHECK(synth::cubes({2, 8, 2, 2}).front().first.size() == 3);
  for (const Bounds& bounds : {Bounds{2, 7, 2, 2}, Bounds{3, 9, 2, 2}, Bounds{2, 16, 8, 8}}) {
    const std::size_t count = synth::cubes(bounds).size();
    CHECK(count > 1000);
    CHECK(count <= 1'000'000);
  }
}
