// OpenMP as a program sees it that is compiled without: one thread.
#pragma once
#include "c_library.h"
__hw_host double omp_get_wtime() { return __headway_unknown_f64(); }
__hw_host __hw_machine int omp_get_num_threads() { return 1; }
__hw_host __hw_machine int omp_get_max_threads() { return 1; }
__hw_host __hw_machine int omp_get_num_procs() { return 1; }
__hw_host __hw_machine int omp_get_thread_num() { return 0; }
__hw_host void omp_set_num_threads(int) {}
