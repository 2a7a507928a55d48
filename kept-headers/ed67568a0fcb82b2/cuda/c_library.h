// The C library as programs of kernels use it: declared functions, known by their names.
#pragma once
#include "math_functions.h"
#include "stdint.h"

#define __hw_c extern "C" __attribute__((host))
#define __hw_c_anywhere extern "C" __attribute__((host, device))

// stdio.h
__hw_c_anywhere int printf(const char* format, ...) noexcept;
typedef struct __hw_file FILE;
extern "C" FILE *stdin, *stdout, *stderr;
__hw_c int fprintf(FILE*, const char* format, ...) noexcept;
__hw_c int vprintf(const char* format, __builtin_va_list) noexcept;
__hw_c int vfprintf(FILE*, const char* format, __builtin_va_list) noexcept;
__hw_c int vsnprintf(char*, size_t, const char* format, __builtin_va_list) noexcept;
__hw_c int sscanf(const char*, const char* format, ...) noexcept;
__hw_c int puts(const char*) noexcept;
__hw_c int putchar(int) noexcept;
__hw_c int fputs(const char*, FILE*) noexcept;
__hw_c int fputc(int, FILE*) noexcept;
__hw_c int getchar() noexcept;
__hw_c int fgetc(FILE*) noexcept;
__hw_c char* fgets(char*, int, FILE*) noexcept;
__hw_c int fflush(FILE*) noexcept;
__hw_c int fclose(FILE*) noexcept;
__hw_c int feof(FILE*) noexcept;
__hw_c int ferror(FILE*) noexcept;
__hw_c void perror(const char*) noexcept;
#define EOF (-1)
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define getc fgetc
#define putc fputc
// stdlib.h
__hw_c_anywhere void* malloc(size_t) noexcept;
__hw_c_anywhere void free(void*) noexcept;
__hw_c void* calloc(size_t, size_t) noexcept;
__hw_c void* realloc(void*, size_t) noexcept;
__hw_c [[noreturn]] void exit(int) noexcept;
__hw_c [[noreturn]] void _Exit(int) noexcept;
__hw_c [[noreturn]] void abort() noexcept;
__hw_c int atexit(void (*)()) noexcept;
__hw_c int rand() noexcept;
__hw_c void srand(unsigned) noexcept;
__hw_c long random() noexcept;
__hw_c void srandom(unsigned) noexcept;
__hw_c double drand48() noexcept;
__hw_c void srand48(long) noexcept;
__hw_c double atof(const char*) noexcept;
__hw_c long strtol(const char*, char**, int) noexcept;
__hw_c unsigned long strtoul(const char*, char**, int) noexcept;
__hw_c double strtod(const char*, char**) noexcept;
__hw_c char* getenv(const char*) noexcept;
__hw_c int system(const char*) noexcept;
#define RAND_MAX 2147483647
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define alloca __builtin_alloca
#define offsetof(type, member) __builtin_offsetof(type, member)
__attribute__((device)) void* operator new(size_t bytes);
__attribute__((device)) void* operator new[](size_t bytes);
__attribute__((device)) void operator delete(void*) noexcept;
__attribute__((device)) void operator delete[](void*) noexcept;
__attribute__((device)) void operator delete(void*, size_t) noexcept;
__attribute__((device)) void operator delete[](void*, size_t) noexcept;
__inline__ __attribute__((host, device, always_inline, nodebug)) void* operator new(
    size_t, void* at) noexcept {
  return at;
}
__inline__ __attribute__((host, device, always_inline, nodebug)) void* operator new[](
    size_t, void* at) noexcept {
  return at;
}

// string.h
__hw_c_anywhere void* memcpy(void*, const void*, size_t) noexcept;
__hw_c_anywhere void* memset(void*, int, size_t) noexcept;
__hw_c_anywhere void* memmove(void*, const void*, size_t) noexcept;
__hw_weak int memcmp(const void* a, const void* b, size_t bytes) {
  const unsigned char *p = (const unsigned char*)a, *q = (const unsigned char*)b;
  for (size_t i = 0; i < bytes; ++i) {
    if (p[i] != q[i]) return p[i] < q[i] ? -1 : 1;
  }
  return 0;
}
__hw_weak size_t strlen(const char* text) {
  size_t length = 0;
  while (text[length] != 0) ++length;
  return length;
}
__hw_weak int strncmp(const char* a, const char* b, size_t most) {
  for (size_t i = 0; i < most; ++i) {
    if (a[i] != b[i]) return (unsigned char)a[i] < (unsigned char)b[i] ? -1 : 1;
    if (a[i] == 0) break;
  }
  return 0;
}
__hw_weak int strcmp(const char* a, const char* b) { return strncmp(a, b, (size_t)-1); }
__hw_weak char* strcpy(char* to, const char* from) {
  size_t i = 0;
  do to[i] = from[i];
  while (from[i++] != 0);
  return to;
}
__hw_weak char* strncpy(char* to, const char* from, size_t most) {
  size_t i = 0;
  for (; i < most && from[i] != 0; ++i) to[i] = from[i];
  for (; i < most; ++i) to[i] = 0;
  return to;
}
__hw_weak char* strcat(char* to, const char* from) {
  strcpy(to + strlen(to), from);
  return to;
}
__hw_weak const char* strchr(const char* text, int wanted) {
  for (; *text != (char)wanted; ++text) {
    if (*text == 0) return nullptr;
  }
  return text;
}
__hw_weak char* strdup(const char* text) {
  return strcpy((char*)malloc(strlen(text) + 1), text);
}
__hw_c const char* strstr(const char*, const char*) noexcept;
__hw_c char* strerror(int) noexcept;

// time.h. clock() of the device is in device_functions.h.
typedef long time_t;
typedef long clock_t;
typedef long suseconds_t;
struct timeval {
  time_t tv_sec;
  suseconds_t tv_usec;
};
struct timespec {
  time_t tv_sec;
  long tv_nsec;
};
#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
__hw_c clock_t clock() noexcept;
__hw_c time_t time(time_t*) noexcept;
__hw_host double difftime(time_t end, time_t start) { return (double)(end - start); }
__hw_host int gettimeofday(timeval* now, void*) {
  now->tv_sec = (time_t)__headway_unknown_u64();
  now->tv_usec = (suseconds_t)__headway_unknown_u64();
  return 0;
}
__hw_host int clock_gettime(int, timespec* now) {
  now->tv_sec = (time_t)__headway_unknown_u64();
  now->tv_nsec = (long)__headway_unknown_u64();
  return 0;
}
__hw_host unsigned sleep(unsigned) { return 0; }
__hw_host int usleep(unsigned) { return 0; }

// ctype.h, for characters of ASCII.
__hw_weak int isdigit(int c) { return (int)(c >= '0') & (int)(c <= '9'); }
__hw_weak int isupper(int c) { return (int)(c >= 'A') & (int)(c <= 'Z'); }
__hw_weak int islower(int c) { return (int)(c >= 'a') & (int)(c <= 'z'); }
__hw_weak int isalpha(int c) { return isupper(c) | islower(c); }
__hw_weak int isalnum(int c) { return isalpha(c) | isdigit(c); }
__hw_weak int isspace(int c) { return (int)(c == ' ') | ((int)(c >= '\t') & (int)(c <= '\r')); }
__hw_weak long atol(const char* text) {
  while (isspace(*text)) ++text;
  const bool negative = *text == '-';
  if (negative || *text == '+') ++text;
  long value = 0;
  for (; isdigit(*text); ++text) value = 10 * value + (*text - '0');
  return negative ? -value : value;
}
__hw_weak int atoi(const char* text) { return (int)atol(text); }
__hw_weak long long atoll(const char* text) { return atol(text); }
__hw_weak int toupper(int c) { return islower(c) ? c - 32 : c; }
__hw_weak int tolower(int c) { return isupper(c) ? c + 32 : c; }

// What scanf reads is unknown, and so is how much of it is there. Texts of any length it may not
// read.
__hw_c void scanf_of_a_text() noexcept;
template <class... T> __hw_host int scanf(const char* format, T*... to) {
  for (const char* at = strchr(format, '%'); at; at = strchr(at + 1, '%')) {
    while (isdigit(at[1])) ++at;
    if (at[1] == 's' || at[1] == '[') scanf_of_a_text();
  }
  ((*to = __hw_unknown<T>()), ...);
  const int read = (int)__headway_unknown_u32();
  __headway_assume((int)(read >= -1) & (int)(read <= (int)sizeof...(T)));
  return read;
}
template <class... T> __hw_host int fscanf(FILE*, const char* format, T*... to) {
  return scanf(format, to...);
}

#include "c_files.h"
#include "c_formats.h"
static int errno = 0;

// By insertion, as few are sorted and any order will do.
__hw_weak void qsort(void* base, size_t n, size_t bytes, int (*order)(const void*, const void*)) {
  for (size_t i = 1; i < n; ++i) {
    for (char* at = (char*)base + i * bytes; at > (char*)base && order(at - bytes, at) > 0;
         at -= bytes) {
      for (size_t b = 0; b < bytes; ++b) {
        const char old = at[b];
        at[b] = (at - bytes)[b];
        (at - bytes)[b] = old;
      }
    }
  }
}

// The names that C++ has for them.
namespace std {
using ::size_t; using ::ptrdiff_t; using ::printf; using ::fprintf; using ::sprintf;
using ::snprintf; using ::scanf; using ::fopen; using ::fclose; using ::fread; using ::fwrite; using ::puts; using ::putchar; using ::FILE;
using ::malloc; using ::free; using ::calloc; using ::realloc; using ::exit; using ::abort;
using ::rand; using ::srand; using ::atoi; using ::atol; using ::atof; using ::getenv; using ::qsort;
using ::memcpy; using ::memset; using ::memmove; using ::memcmp; using ::strlen; using ::strcmp;
using ::strncmp; using ::strcpy; using ::strcat; using ::time_t; using ::clock_t; using ::time;
using ::clock; using ::sqrt; using ::cbrt; using ::exp; using ::exp2; using ::log; using ::log2;
using ::log10; using ::sin; using ::cos; using ::tan; using ::asin; using ::acos; using ::atan;
using ::atan2; using ::sinh; using ::cosh; using ::tanh; using ::pow; using ::fmod; using ::fabs;
using ::abs; using ::floor; using ::ceil; using ::trunc; using ::round; using ::rint; using ::fma;
using ::fmin; using ::fmax; using ::hypot; using ::ldexp; using ::isnan; using ::isinf;
using ::isfinite; using ::signbit; using ::copysign; using ::erf; using ::erfc;
template <class T> __hw_both const T& min(const T& a, const T& b) { return b < a ? b : a; }
template <class T> __hw_both const T& max(const T& a, const T& b) { return a < b ? b : a; }
template <class T> __hw_both void swap(T& a, T& b) {
  T old = static_cast<T&&>(a);
  a = static_cast<T&&>(b);
  b = static_cast<T&&>(old);
}
template <class T, size_t n> __hw_both void swap(T (&a)[n], T (&b)[n]) {
  for (size_t i = 0; i < n; ++i) swap(a[i], b[i]);
}
typedef decltype(nullptr) nullptr_t;
}  // namespace std
