// headway with one more language.
#include "cli/app.hpp"
#include "vending/vending.hpp"

int main(int argc, char** argv) {
  return headway::cli::run(argc, argv,
                           headway::lang::standard_languages().with(headway::vending::language()));
}
