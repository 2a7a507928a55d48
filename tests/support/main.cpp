#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "base/allocator.hpp"

int main(int argc, char** argv) {
  headway::keep_freed_memory();  // as headway itself does
  return doctest::Context(argc, argv).run();
}
