// Files of C: whether one opens is unknown, and so are its length and what is read from it.
#pragma once
#include "c_library.h"

__hw_weak FILE* fopen(const char*, const char*) {
  static char file;
  return __hw_unknown<bool>() ? (FILE*)&file : nullptr;
}
__hw_weak int fseek(FILE*, long, int) { return 0; }
__hw_weak void rewind(FILE*) {}
__hw_weak long ftell(FILE*) {
  const long n = (long)__headway_unknown_u64();
  __headway_assume((int)(n >= -1));
  return n;
}
__hw_host void __hw_read(void* to, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) ((unsigned char*)to)[i] = __headway_unknown_u8();
}
#define __hw_read_numbers(T)                                                       \
  __hw_host void __hw_read(T* to, size_t bytes) {                                  \
    for (size_t i = 0; i < bytes / sizeof(T); ++i) to[i] = __hw_unknown<T>();      \
    __hw_read((void*)(to + bytes / sizeof(T)), bytes % sizeof(T));                 \
  }
__hw_read_numbers(int) __hw_read_numbers(unsigned) __hw_read_numbers(long)
__hw_read_numbers(float) __hw_read_numbers(double)
#undef __hw_read_numbers
template <class T> __hw_host size_t fread(T* to, size_t size, size_t n, FILE*) {
  __hw_read(to, size * n);
  const size_t read = __headway_unknown_u64();
  __headway_assume((int)(read <= n));
  return read;
}
__hw_weak size_t fwrite(const void* from, size_t size, size_t n, FILE*) {
  const volatile char* at = (const volatile char*)from;
  if (size * n > 0) (void)at[0], (void)at[size * n - 1];  // both its ends are read
  return n;
}
