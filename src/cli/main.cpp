#include "base/allocator.hpp"
#include "cli/app.hpp"
#include "cli/console.hpp"

int main(int argc, char** argv) {
  headway::keep_freed_memory();
  headway::cli::watch_signals();
  return headway::cli::run(argc, argv, headway::lang::standard_languages());
}
