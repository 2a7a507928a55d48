#include "cli/app.hpp"

int main(int argc, char** argv) {
  return headway::cli::run(argc, argv, headway::lang::standard_languages());
}
