// Options of a command line. There are none, as main is called without arguments.
#pragma once
#include "c_library.h"
#define no_argument 0
#define required_argument 1
#define optional_argument 2
struct option {
  const char* name;
  int has_arg;
  int* flag;
  int val;
};
__hw_machine_data static char* optarg = nullptr;
__hw_machine_data static int optind = 1, opterr = 1, optopt = '?';
__hw_c void headway_arguments_of_a_command_line() noexcept;
__hw_host __hw_machine int getopt(int argc, char* const*, const char*) {
  if (optind < argc) headway_arguments_of_a_command_line();
  return -1;
}
__hw_host __hw_machine int getopt_long(int argc, char* const* argv, const char* letters, const option*, int*) {
  return getopt(argc, argv, letters);
}
#define getopt_long_only getopt_long
