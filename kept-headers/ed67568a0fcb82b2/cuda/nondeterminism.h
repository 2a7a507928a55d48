// Unknown values, assumptions and assertions as C model checkers spell them.
#pragma once
#include "headway_base.h"

#define __hw_nondet(name, T) \
  __hw_weak T nondet_##name() { return __hw_unknown<T>(); } \
  __hw_weak T __VERIFIER_nondet_##name() { return __hw_unknown<T>(); }
__hw_nondet(bool, bool)
__hw_nondet(char, char)
__hw_nondet(uchar, unsigned char)
__hw_nondet(short, short)
__hw_nondet(ushort, unsigned short)
__hw_nondet(int, int)
__hw_nondet(uint, unsigned)
__hw_nondet(unsigned, unsigned)
__hw_nondet(long, long)
__hw_nondet(ulong, unsigned long)
__hw_nondet(longlong, long long)
__hw_nondet(ulonglong, unsigned long long)
__hw_nondet(float, float)
__hw_nondet(double, double)
#undef __hw_nondet
__hw_weak void __ESBMC_assume(bool condition) { __headway_assume(condition); }
__hw_weak void __ESBMC_assert(bool condition, const char*) { __headway_assert(condition); }
__hw_weak void __VERIFIER_assume(int condition) { __headway_assume(condition != 0); }
__hw_weak void __VERIFIER_assert(int condition) { __headway_assert(condition != 0); }
__hw_weak void __CPROVER_assume(bool condition) { __headway_assume(condition); }
__hw_weak void __CPROVER_assert(bool condition, const char*) { __headway_assert(condition); }
