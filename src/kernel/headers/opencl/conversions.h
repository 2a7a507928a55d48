// Conversions. Those without a suffix, or to reals, are clang's own; the others are functions.
// Written out, as macros cannot define macros.
#define as_char(x) __builtin_astype((x), char)
#define convert_char(x) ((char)(x))
#define as_char2(x) __builtin_astype((x), char2)
#define convert_char2(x) __builtin_convertvector((x), char2)
#define as_char3(x) __builtin_astype((x), char3)
#define convert_char3(x) __builtin_convertvector((x), char3)
#define as_char4(x) __builtin_astype((x), char4)
#define convert_char4(x) __builtin_convertvector((x), char4)
#define as_char8(x) __builtin_astype((x), char8)
#define convert_char8(x) __builtin_convertvector((x), char8)
#define as_char16(x) __builtin_astype((x), char16)
#define convert_char16(x) __builtin_convertvector((x), char16)
#define as_uchar(x) __builtin_astype((x), uchar)
#define convert_uchar(x) ((uchar)(x))
#define as_uchar2(x) __builtin_astype((x), uchar2)
#define convert_uchar2(x) __builtin_convertvector((x), uchar2)
#define as_uchar3(x) __builtin_astype((x), uchar3)
#define convert_uchar3(x) __builtin_convertvector((x), uchar3)
#define as_uchar4(x) __builtin_astype((x), uchar4)
#define convert_uchar4(x) __builtin_convertvector((x), uchar4)
#define as_uchar8(x) __builtin_astype((x), uchar8)
#define convert_uchar8(x) __builtin_convertvector((x), uchar8)
#define as_uchar16(x) __builtin_astype((x), uchar16)
#define convert_uchar16(x) __builtin_convertvector((x), uchar16)
#define as_short(x) __builtin_astype((x), short)
#define convert_short(x) ((short)(x))
#define as_short2(x) __builtin_astype((x), short2)
#define convert_short2(x) __builtin_convertvector((x), short2)
#define as_short3(x) __builtin_astype((x), short3)
#define convert_short3(x) __builtin_convertvector((x), short3)
#define as_short4(x) __builtin_astype((x), short4)
#define convert_short4(x) __builtin_convertvector((x), short4)
#define as_short8(x) __builtin_astype((x), short8)
#define convert_short8(x) __builtin_convertvector((x), short8)
#define as_short16(x) __builtin_astype((x), short16)
#define convert_short16(x) __builtin_convertvector((x), short16)
#define as_ushort(x) __builtin_astype((x), ushort)
#define convert_ushort(x) ((ushort)(x))
#define as_ushort2(x) __builtin_astype((x), ushort2)
#define convert_ushort2(x) __builtin_convertvector((x), ushort2)
#define as_ushort3(x) __builtin_astype((x), ushort3)
#define convert_ushort3(x) __builtin_convertvector((x), ushort3)
#define as_ushort4(x) __builtin_astype((x), ushort4)
#define convert_ushort4(x) __builtin_convertvector((x), ushort4)
#define as_ushort8(x) __builtin_astype((x), ushort8)
#define convert_ushort8(x) __builtin_convertvector((x), ushort8)
#define as_ushort16(x) __builtin_astype((x), ushort16)
#define convert_ushort16(x) __builtin_convertvector((x), ushort16)
#define as_int(x) __builtin_astype((x), int)
#define convert_int(x) ((int)(x))
#define as_int2(x) __builtin_astype((x), int2)
#define convert_int2(x) __builtin_convertvector((x), int2)
#define as_int3(x) __builtin_astype((x), int3)
#define convert_int3(x) __builtin_convertvector((x), int3)
#define as_int4(x) __builtin_astype((x), int4)
#define convert_int4(x) __builtin_convertvector((x), int4)
#define as_int8(x) __builtin_astype((x), int8)
#define convert_int8(x) __builtin_convertvector((x), int8)
#define as_int16(x) __builtin_astype((x), int16)
#define convert_int16(x) __builtin_convertvector((x), int16)
#define as_uint(x) __builtin_astype((x), uint)
#define convert_uint(x) ((uint)(x))
#define as_uint2(x) __builtin_astype((x), uint2)
#define convert_uint2(x) __builtin_convertvector((x), uint2)
#define as_uint3(x) __builtin_astype((x), uint3)
#define convert_uint3(x) __builtin_convertvector((x), uint3)
#define as_uint4(x) __builtin_astype((x), uint4)
#define convert_uint4(x) __builtin_convertvector((x), uint4)
#define as_uint8(x) __builtin_astype((x), uint8)
#define convert_uint8(x) __builtin_convertvector((x), uint8)
#define as_uint16(x) __builtin_astype((x), uint16)
#define convert_uint16(x) __builtin_convertvector((x), uint16)
#define as_long(x) __builtin_astype((x), long)
#define convert_long(x) ((long)(x))
#define as_long2(x) __builtin_astype((x), long2)
#define convert_long2(x) __builtin_convertvector((x), long2)
#define as_long3(x) __builtin_astype((x), long3)
#define convert_long3(x) __builtin_convertvector((x), long3)
#define as_long4(x) __builtin_astype((x), long4)
#define convert_long4(x) __builtin_convertvector((x), long4)
#define as_long8(x) __builtin_astype((x), long8)
#define convert_long8(x) __builtin_convertvector((x), long8)
#define as_long16(x) __builtin_astype((x), long16)
#define convert_long16(x) __builtin_convertvector((x), long16)
#define as_ulong(x) __builtin_astype((x), ulong)
#define convert_ulong(x) ((ulong)(x))
#define as_ulong2(x) __builtin_astype((x), ulong2)
#define convert_ulong2(x) __builtin_convertvector((x), ulong2)
#define as_ulong3(x) __builtin_astype((x), ulong3)
#define convert_ulong3(x) __builtin_convertvector((x), ulong3)
#define as_ulong4(x) __builtin_astype((x), ulong4)
#define convert_ulong4(x) __builtin_convertvector((x), ulong4)
#define as_ulong8(x) __builtin_astype((x), ulong8)
#define convert_ulong8(x) __builtin_convertvector((x), ulong8)
#define as_ulong16(x) __builtin_astype((x), ulong16)
#define convert_ulong16(x) __builtin_convertvector((x), ulong16)
#define as_float(x) __builtin_astype((x), float)
#define convert_float(x) ((float)(x))
#define as_float2(x) __builtin_astype((x), float2)
#define convert_float2(x) __builtin_convertvector((x), float2)
#define as_float3(x) __builtin_astype((x), float3)
#define convert_float3(x) __builtin_convertvector((x), float3)
#define as_float4(x) __builtin_astype((x), float4)
#define convert_float4(x) __builtin_convertvector((x), float4)
#define as_float8(x) __builtin_astype((x), float8)
#define convert_float8(x) __builtin_convertvector((x), float8)
#define as_float16(x) __builtin_astype((x), float16)
#define convert_float16(x) __builtin_convertvector((x), float16)
#define as_double(x) __builtin_astype((x), double)
#define convert_double(x) ((double)(x))
#define as_double2(x) __builtin_astype((x), double2)
#define convert_double2(x) __builtin_convertvector((x), double2)
#define as_double3(x) __builtin_astype((x), double3)
#define convert_double3(x) __builtin_convertvector((x), double3)
#define as_double4(x) __builtin_astype((x), double4)
#define convert_double4(x) __builtin_convertvector((x), double4)
#define as_double8(x) __builtin_astype((x), double8)
#define convert_double8(x) __builtin_convertvector((x), double8)
#define as_double16(x) __builtin_astype((x), double16)
#define convert_double16(x) __builtin_convertvector((x), double16)
#define as_half(x) __builtin_astype((x), half)
#define convert_half(x) ((half)(x))
#define as_half2(x) __builtin_astype((x), half2)
#define convert_half2(x) __builtin_convertvector((x), half2)
#define as_half3(x) __builtin_astype((x), half3)
#define convert_half3(x) __builtin_convertvector((x), half3)
#define as_half4(x) __builtin_astype((x), half4)
#define convert_half4(x) __builtin_convertvector((x), half4)
#define as_half8(x) __builtin_astype((x), half8)
#define convert_half8(x) __builtin_convertvector((x), half8)
#define as_half16(x) __builtin_astype((x), half16)
#define convert_half16(x) __builtin_convertvector((x), half16)
#define convert_float_rte convert_float
#define convert_float_rtz convert_float
#define convert_float_rtp convert_float
#define convert_float_rtn convert_float
#define convert_float2_rte convert_float2
#define convert_float2_rtz convert_float2
#define convert_float2_rtp convert_float2
#define convert_float2_rtn convert_float2
#define convert_float3_rte convert_float3
#define convert_float3_rtz convert_float3
#define convert_float3_rtp convert_float3
#define convert_float3_rtn convert_float3
#define convert_float4_rte convert_float4
#define convert_float4_rtz convert_float4
#define convert_float4_rtp convert_float4
#define convert_float4_rtn convert_float4
#define convert_float8_rte convert_float8
#define convert_float8_rtz convert_float8
#define convert_float8_rtp convert_float8
#define convert_float8_rtn convert_float8
#define convert_float16_rte convert_float16
#define convert_float16_rtz convert_float16
#define convert_float16_rtp convert_float16
#define convert_float16_rtn convert_float16
#define convert_double_rte convert_double
#define convert_double_rtz convert_double
#define convert_double_rtp convert_double
#define convert_double_rtn convert_double
#define convert_double2_rte convert_double2
#define convert_double2_rtz convert_double2
#define convert_double2_rtp convert_double2
#define convert_double2_rtn convert_double2
#define convert_double3_rte convert_double3
#define convert_double3_rtz convert_double3
#define convert_double3_rtp convert_double3
#define convert_double3_rtn convert_double3
#define convert_double4_rte convert_double4
#define convert_double4_rtz convert_double4
#define convert_double4_rtp convert_double4
#define convert_double4_rtn convert_double4
#define convert_double8_rte convert_double8
#define convert_double8_rtz convert_double8
#define convert_double8_rtp convert_double8
#define convert_double8_rtn convert_double8
#define convert_double16_rte convert_double16
#define convert_double16_rtz convert_double16
#define convert_double16_rtp convert_double16
#define convert_double16_rtn convert_double16
#define convert_half_rte convert_half
#define convert_half_rtz convert_half
#define convert_half_rtp convert_half
#define convert_half_rtn convert_half
#define convert_half2_rte convert_half2
#define convert_half2_rtz convert_half2
#define convert_half2_rtp convert_half2
#define convert_half2_rtn convert_half2
#define convert_half3_rte convert_half3
#define convert_half3_rtz convert_half3
#define convert_half3_rtp convert_half3
#define convert_half3_rtn convert_half3
#define convert_half4_rte convert_half4
#define convert_half4_rtz convert_half4
#define convert_half4_rtp convert_half4
#define convert_half4_rtn convert_half4
#define convert_half8_rte convert_half8
#define convert_half8_rtz convert_half8
#define convert_half8_rtp convert_half8
#define convert_half8_rtn convert_half8
#define convert_half16_rte convert_half16
#define convert_half16_rtz convert_half16
#define convert_half16_rtp convert_half16
#define convert_half16_rtn convert_half16
#define as_size_t(x) __builtin_astype((x), size_t)

#ifdef __HEADWAY_CONVERT
// To the nearest value that there is.
#define __hw_vectors_of(D, S)                                                                  \
  __hw_of D##2 convert_##D##2_sat(S##2 x) {                                                    \
    return (D##2)(convert_##D##_sat(x.x), convert_##D##_sat(x.y));                             \
  }                                                                                            \
  __hw_of D##3 convert_##D##3_sat(S##3 x) {                                                    \
    return (D##3)(convert_##D##_sat(x.x), convert_##D##_sat(x.y), convert_##D##_sat(x.z));     \
  }                                                                                            \
  __hw_of D##4 convert_##D##4_sat(S##4 x) {                                                    \
    return (D##4)(convert_##D##2_sat(x.lo), convert_##D##2_sat(x.hi));                         \
  }                                                                                            \
  __hw_of D##8 convert_##D##8_sat(S##8 x) {                                                    \
    return (D##8)(convert_##D##4_sat(x.lo), convert_##D##4_sat(x.hi));                         \
  }                                                                                            \
  __hw_of D##16 convert_##D##16_sat(S##16 x) {                                                 \
    return (D##16)(convert_##D##8_sat(x.lo), convert_##D##8_sat(x.hi));                        \
  }
#define __hw_from_unsigned(D, S, least, most)                                                  \
  __hw_of D convert_##D##_sat(S x) { return (ulong)x > (ulong)most ? (D)most : (D)x; }         \
  __hw_vectors_of(D, S)
#define __hw_from_signed(D, S, least, most)                                                    \
  __hw_of D convert_##D##_sat(S x) {                                                           \
    return x < 0 ? ((long)x < (long)least ? (D)least : (D)x)                                   \
                 : ((ulong)x > (ulong)most ? (D)most : (D)x);                                  \
  }                                                                                            \
  __hw_vectors_of(D, S)
#define __hw_from_real(D, S, least, most)                                                      \
  __hw_of D convert_##D##_sat(S x) {                                                           \
    return x != x ? (D)0 : x <= (S)least ? (D)least : x >= (S)most ? (D)most : (D)x;           \
  }                                                                                            \
  __hw_vectors_of(D, S)
#ifdef __HEADWAY_DOUBLE
#define __hw_from_double(D, least, most) __hw_from_real(D, double, least, most)
#else
#define __hw_from_double(D, least, most)
#endif
#ifdef __HEADWAY_HALF  // where the ends of longer integers would be infinite
#define __hw_from_half(D)                                                                      \
  __hw_of D convert_##D##_sat(half x) { return convert_##D##_sat((float)x); }                  \
  __hw_vectors_of(D, half)
#else
#define __hw_from_half(D)
#endif
#define __hw_saturating(D, least, most)                                                        \
  __hw_from_signed(D, char, least, most) __hw_from_unsigned(D, uchar, least, most)             \
  __hw_from_signed(D, short, least, most) __hw_from_unsigned(D, ushort, least, most)           \
  __hw_from_signed(D, int, least, most) __hw_from_unsigned(D, uint, least, most)               \
  __hw_from_signed(D, long, least, most) __hw_from_unsigned(D, ulong, least, most)             \
  __hw_from_real(D, float, least, most) __hw_from_double(D, least, most)            \
  __hw_from_half(D)
__hw_saturating(char, SCHAR_MIN, SCHAR_MAX)
__hw_saturating(uchar, 0, UCHAR_MAX)
__hw_saturating(short, SHRT_MIN, SHRT_MAX)
__hw_saturating(ushort, 0, USHRT_MAX)
__hw_saturating(int, INT_MIN, INT_MAX)
__hw_saturating(uint, 0, UINT_MAX)
__hw_saturating(long, LONG_MIN, LONG_MAX)
__hw_saturating(ulong, 0, ULONG_MAX)
#undef __hw_saturating
#undef __hw_from_half
#undef __hw_from_double
#undef __hw_from_real
#undef __hw_from_signed
#undef __hw_from_unsigned
#undef __hw_vectors_of

// Rounding to an integer, which changes reals alone.
#define __hw_same(T)                                                                  \
  __hw_of T __hw_rte(T x) { return x; } __hw_of T __hw_rtz(T x) { return x; }         \
  __hw_of T __hw_rtp(T x) { return x; } __hw_of T __hw_rtn(T x) { return x; }
#define __hw_rounded(T)                                                               \
  __hw_of T __hw_rte(T x) { return __builtin_elementwise_rint(x); }                   \
  __hw_of T __hw_rtz(T x) { return __builtin_elementwise_trunc(x); }                  \
  __hw_of T __hw_rtp(T x) { return __builtin_elementwise_ceil(x); }                   \
  __hw_of T __hw_rtn(T x) { return __builtin_elementwise_floor(x); }
#define __hw_each(M, T) M(T) M(T##2) M(T##3) M(T##4) M(T##8) M(T##16)
__hw_each(__hw_same, char) __hw_each(__hw_same, uchar) __hw_each(__hw_same, short)
__hw_each(__hw_same, ushort) __hw_each(__hw_same, int) __hw_each(__hw_same, uint)
__hw_each(__hw_same, long) __hw_each(__hw_same, ulong) __hw_each(__hw_rounded, float)
#ifdef __HEADWAY_DOUBLE
__hw_each(__hw_rounded, double)
#endif
#ifdef __HEADWAY_HALF
__hw_each(__hw_rounded, half)
#endif
#undef __hw_each
#undef __hw_rounded
#undef __hw_same
#define convert_char_rte(x) convert_char(__hw_rte(x))
#define convert_char_sat_rte(x) convert_char_sat(__hw_rte(x))
#define convert_char_rtz(x) convert_char(__hw_rtz(x))
#define convert_char_sat_rtz(x) convert_char_sat(__hw_rtz(x))
#define convert_char_rtp(x) convert_char(__hw_rtp(x))
#define convert_char_sat_rtp(x) convert_char_sat(__hw_rtp(x))
#define convert_char_rtn(x) convert_char(__hw_rtn(x))
#define convert_char_sat_rtn(x) convert_char_sat(__hw_rtn(x))
#define convert_char2_rte(x) convert_char2(__hw_rte(x))
#define convert_char2_sat_rte(x) convert_char2_sat(__hw_rte(x))
#define convert_char2_rtz(x) convert_char2(__hw_rtz(x))
#define convert_char2_sat_rtz(x) convert_char2_sat(__hw_rtz(x))
#define convert_char2_rtp(x) convert_char2(__hw_rtp(x))
#define convert_char2_sat_rtp(x) convert_char2_sat(__hw_rtp(x))
#define convert_char2_rtn(x) convert_char2(__hw_rtn(x))
#define convert_char2_sat_rtn(x) convert_char2_sat(__hw_rtn(x))
#define convert_char3_rte(x) convert_char3(__hw_rte(x))
#define convert_char3_sat_rte(x) convert_char3_sat(__hw_rte(x))
#define convert_char3_rtz(x) convert_char3(__hw_rtz(x))
#define convert_char3_sat_rtz(x) convert_char3_sat(__hw_rtz(x))
#define convert_char3_rtp(x) convert_char3(__hw_rtp(x))
#define convert_char3_sat_rtp(x) convert_char3_sat(__hw_rtp(x))
#define convert_char3_rtn(x) convert_char3(__hw_rtn(x))
#define convert_char3_sat_rtn(x) convert_char3_sat(__hw_rtn(x))
#define convert_char4_rte(x) convert_char4(__hw_rte(x))
#define convert_char4_sat_rte(x) convert_char4_sat(__hw_rte(x))
#define convert_char4_rtz(x) convert_char4(__hw_rtz(x))
#define convert_char4_sat_rtz(x) convert_char4_sat(__hw_rtz(x))
#define convert_char4_rtp(x) convert_char4(__hw_rtp(x))
#define convert_char4_sat_rtp(x) convert_char4_sat(__hw_rtp(x))
#define convert_char4_rtn(x) convert_char4(__hw_rtn(x))
#define convert_char4_sat_rtn(x) convert_char4_sat(__hw_rtn(x))
#define convert_char8_rte(x) convert_char8(__hw_rte(x))
#define convert_char8_sat_rte(x) convert_char8_sat(__hw_rte(x))
#define convert_char8_rtz(x) convert_char8(__hw_rtz(x))
#define convert_char8_sat_rtz(x) convert_char8_sat(__hw_rtz(x))
#define convert_char8_rtp(x) convert_char8(__hw_rtp(x))
#define convert_char8_sat_rtp(x) convert_char8_sat(__hw_rtp(x))
#define convert_char8_rtn(x) convert_char8(__hw_rtn(x))
#define convert_char8_sat_rtn(x) convert_char8_sat(__hw_rtn(x))
#define convert_char16_rte(x) convert_char16(__hw_rte(x))
#define convert_char16_sat_rte(x) convert_char16_sat(__hw_rte(x))
#define convert_char16_rtz(x) convert_char16(__hw_rtz(x))
#define convert_char16_sat_rtz(x) convert_char16_sat(__hw_rtz(x))
#define convert_char16_rtp(x) convert_char16(__hw_rtp(x))
#define convert_char16_sat_rtp(x) convert_char16_sat(__hw_rtp(x))
#define convert_char16_rtn(x) convert_char16(__hw_rtn(x))
#define convert_char16_sat_rtn(x) convert_char16_sat(__hw_rtn(x))
#define convert_uchar_rte(x) convert_uchar(__hw_rte(x))
#define convert_uchar_sat_rte(x) convert_uchar_sat(__hw_rte(x))
#define convert_uchar_rtz(x) convert_uchar(__hw_rtz(x))
#define convert_uchar_sat_rtz(x) convert_uchar_sat(__hw_rtz(x))
#define convert_uchar_rtp(x) convert_uchar(__hw_rtp(x))
#define convert_uchar_sat_rtp(x) convert_uchar_sat(__hw_rtp(x))
#define convert_uchar_rtn(x) convert_uchar(__hw_rtn(x))
#define convert_uchar_sat_rtn(x) convert_uchar_sat(__hw_rtn(x))
#define convert_uchar2_rte(x) convert_uchar2(__hw_rte(x))
#define convert_uchar2_sat_rte(x) convert_uchar2_sat(__hw_rte(x))
#define convert_uchar2_rtz(x) convert_uchar2(__hw_rtz(x))
#define convert_uchar2_sat_rtz(x) convert_uchar2_sat(__hw_rtz(x))
#define convert_uchar2_rtp(x) convert_uchar2(__hw_rtp(x))
#define convert_uchar2_sat_rtp(x) convert_uchar2_sat(__hw_rtp(x))
#define convert_uchar2_rtn(x) convert_uchar2(__hw_rtn(x))
#define convert_uchar2_sat_rtn(x) convert_uchar2_sat(__hw_rtn(x))
#define convert_uchar3_rte(x) convert_uchar3(__hw_rte(x))
#define convert_uchar3_sat_rte(x) convert_uchar3_sat(__hw_rte(x))
#define convert_uchar3_rtz(x) convert_uchar3(__hw_rtz(x))
#define convert_uchar3_sat_rtz(x) convert_uchar3_sat(__hw_rtz(x))
#define convert_uchar3_rtp(x) convert_uchar3(__hw_rtp(x))
#define convert_uchar3_sat_rtp(x) convert_uchar3_sat(__hw_rtp(x))
#define convert_uchar3_rtn(x) convert_uchar3(__hw_rtn(x))
#define convert_uchar3_sat_rtn(x) convert_uchar3_sat(__hw_rtn(x))
#define convert_uchar4_rte(x) convert_uchar4(__hw_rte(x))
#define convert_uchar4_sat_rte(x) convert_uchar4_sat(__hw_rte(x))
#define convert_uchar4_rtz(x) convert_uchar4(__hw_rtz(x))
#define convert_uchar4_sat_rtz(x) convert_uchar4_sat(__hw_rtz(x))
#define convert_uchar4_rtp(x) convert_uchar4(__hw_rtp(x))
#define convert_uchar4_sat_rtp(x) convert_uchar4_sat(__hw_rtp(x))
#define convert_uchar4_rtn(x) convert_uchar4(__hw_rtn(x))
#define convert_uchar4_sat_rtn(x) convert_uchar4_sat(__hw_rtn(x))
#define convert_uchar8_rte(x) convert_uchar8(__hw_rte(x))
#define convert_uchar8_sat_rte(x) convert_uchar8_sat(__hw_rte(x))
#define convert_uchar8_rtz(x) convert_uchar8(__hw_rtz(x))
#define convert_uchar8_sat_rtz(x) convert_uchar8_sat(__hw_rtz(x))
#define convert_uchar8_rtp(x) convert_uchar8(__hw_rtp(x))
#define convert_uchar8_sat_rtp(x) convert_uchar8_sat(__hw_rtp(x))
#define convert_uchar8_rtn(x) convert_uchar8(__hw_rtn(x))
#define convert_uchar8_sat_rtn(x) convert_uchar8_sat(__hw_rtn(x))
#define convert_uchar16_rte(x) convert_uchar16(__hw_rte(x))
#define convert_uchar16_sat_rte(x) convert_uchar16_sat(__hw_rte(x))
#define convert_uchar16_rtz(x) convert_uchar16(__hw_rtz(x))
#define convert_uchar16_sat_rtz(x) convert_uchar16_sat(__hw_rtz(x))
#define convert_uchar16_rtp(x) convert_uchar16(__hw_rtp(x))
#define convert_uchar16_sat_rtp(x) convert_uchar16_sat(__hw_rtp(x))
#define convert_uchar16_rtn(x) convert_uchar16(__hw_rtn(x))
#define convert_uchar16_sat_rtn(x) convert_uchar16_sat(__hw_rtn(x))
#define convert_short_rte(x) convert_short(__hw_rte(x))
#define convert_short_sat_rte(x) convert_short_sat(__hw_rte(x))
#define convert_short_rtz(x) convert_short(__hw_rtz(x))
#define convert_short_sat_rtz(x) convert_short_sat(__hw_rtz(x))
#define convert_short_rtp(x) convert_short(__hw_rtp(x))
#define convert_short_sat_rtp(x) convert_short_sat(__hw_rtp(x))
#define convert_short_rtn(x) convert_short(__hw_rtn(x))
#define convert_short_sat_rtn(x) convert_short_sat(__hw_rtn(x))
#define convert_short2_rte(x) convert_short2(__hw_rte(x))
#define convert_short2_sat_rte(x) convert_short2_sat(__hw_rte(x))
#define convert_short2_rtz(x) convert_short2(__hw_rtz(x))
#define convert_short2_sat_rtz(x) convert_short2_sat(__hw_rtz(x))
#define convert_short2_rtp(x) convert_short2(__hw_rtp(x))
#define convert_short2_sat_rtp(x) convert_short2_sat(__hw_rtp(x))
#define convert_short2_rtn(x) convert_short2(__hw_rtn(x))
#define convert_short2_sat_rtn(x) convert_short2_sat(__hw_rtn(x))
#define convert_short3_rte(x) convert_short3(__hw_rte(x))
#define convert_short3_sat_rte(x) convert_short3_sat(__hw_rte(x))
#define convert_short3_rtz(x) convert_short3(__hw_rtz(x))
#define convert_short3_sat_rtz(x) convert_short3_sat(__hw_rtz(x))
#define convert_short3_rtp(x) convert_short3(__hw_rtp(x))
#define convert_short3_sat_rtp(x) convert_short3_sat(__hw_rtp(x))
#define convert_short3_rtn(x) convert_short3(__hw_rtn(x))
#define convert_short3_sat_rtn(x) convert_short3_sat(__hw_rtn(x))
#define convert_short4_rte(x) convert_short4(__hw_rte(x))
#define convert_short4_sat_rte(x) convert_short4_sat(__hw_rte(x))
#define convert_short4_rtz(x) convert_short4(__hw_rtz(x))
#define convert_short4_sat_rtz(x) convert_short4_sat(__hw_rtz(x))
#define convert_short4_rtp(x) convert_short4(__hw_rtp(x))
#define convert_short4_sat_rtp(x) convert_short4_sat(__hw_rtp(x))
#define convert_short4_rtn(x) convert_short4(__hw_rtn(x))
#define convert_short4_sat_rtn(x) convert_short4_sat(__hw_rtn(x))
#define convert_short8_rte(x) convert_short8(__hw_rte(x))
#define convert_short8_sat_rte(x) convert_short8_sat(__hw_rte(x))
#define convert_short8_rtz(x) convert_short8(__hw_rtz(x))
#define convert_short8_sat_rtz(x) convert_short8_sat(__hw_rtz(x))
#define convert_short8_rtp(x) convert_short8(__hw_rtp(x))
#define convert_short8_sat_rtp(x) convert_short8_sat(__hw_rtp(x))
#define convert_short8_rtn(x) convert_short8(__hw_rtn(x))
#define convert_short8_sat_rtn(x) convert_short8_sat(__hw_rtn(x))
#define convert_short16_rte(x) convert_short16(__hw_rte(x))
#define convert_short16_sat_rte(x) convert_short16_sat(__hw_rte(x))
#define convert_short16_rtz(x) convert_short16(__hw_rtz(x))
#define convert_short16_sat_rtz(x) convert_short16_sat(__hw_rtz(x))
#define convert_short16_rtp(x) convert_short16(__hw_rtp(x))
#define convert_short16_sat_rtp(x) convert_short16_sat(__hw_rtp(x))
#define convert_short16_rtn(x) convert_short16(__hw_rtn(x))
#define convert_short16_sat_rtn(x) convert_short16_sat(__hw_rtn(x))
#define convert_ushort_rte(x) convert_ushort(__hw_rte(x))
#define convert_ushort_sat_rte(x) convert_ushort_sat(__hw_rte(x))
#define convert_ushort_rtz(x) convert_ushort(__hw_rtz(x))
#define convert_ushort_sat_rtz(x) convert_ushort_sat(__hw_rtz(x))
#define convert_ushort_rtp(x) convert_ushort(__hw_rtp(x))
#define convert_ushort_sat_rtp(x) convert_ushort_sat(__hw_rtp(x))
#define convert_ushort_rtn(x) convert_ushort(__hw_rtn(x))
#define convert_ushort_sat_rtn(x) convert_ushort_sat(__hw_rtn(x))
#define convert_ushort2_rte(x) convert_ushort2(__hw_rte(x))
#define convert_ushort2_sat_rte(x) convert_ushort2_sat(__hw_rte(x))
#define convert_ushort2_rtz(x) convert_ushort2(__hw_rtz(x))
#define convert_ushort2_sat_rtz(x) convert_ushort2_sat(__hw_rtz(x))
#define convert_ushort2_rtp(x) convert_ushort2(__hw_rtp(x))
#define convert_ushort2_sat_rtp(x) convert_ushort2_sat(__hw_rtp(x))
#define convert_ushort2_rtn(x) convert_ushort2(__hw_rtn(x))
#define convert_ushort2_sat_rtn(x) convert_ushort2_sat(__hw_rtn(x))
#define convert_ushort3_rte(x) convert_ushort3(__hw_rte(x))
#define convert_ushort3_sat_rte(x) convert_ushort3_sat(__hw_rte(x))
#define convert_ushort3_rtz(x) convert_ushort3(__hw_rtz(x))
#define convert_ushort3_sat_rtz(x) convert_ushort3_sat(__hw_rtz(x))
#define convert_ushort3_rtp(x) convert_ushort3(__hw_rtp(x))
#define convert_ushort3_sat_rtp(x) convert_ushort3_sat(__hw_rtp(x))
#define convert_ushort3_rtn(x) convert_ushort3(__hw_rtn(x))
#define convert_ushort3_sat_rtn(x) convert_ushort3_sat(__hw_rtn(x))
#define convert_ushort4_rte(x) convert_ushort4(__hw_rte(x))
#define convert_ushort4_sat_rte(x) convert_ushort4_sat(__hw_rte(x))
#define convert_ushort4_rtz(x) convert_ushort4(__hw_rtz(x))
#define convert_ushort4_sat_rtz(x) convert_ushort4_sat(__hw_rtz(x))
#define convert_ushort4_rtp(x) convert_ushort4(__hw_rtp(x))
#define convert_ushort4_sat_rtp(x) convert_ushort4_sat(__hw_rtp(x))
#define convert_ushort4_rtn(x) convert_ushort4(__hw_rtn(x))
#define convert_ushort4_sat_rtn(x) convert_ushort4_sat(__hw_rtn(x))
#define convert_ushort8_rte(x) convert_ushort8(__hw_rte(x))
#define convert_ushort8_sat_rte(x) convert_ushort8_sat(__hw_rte(x))
#define convert_ushort8_rtz(x) convert_ushort8(__hw_rtz(x))
#define convert_ushort8_sat_rtz(x) convert_ushort8_sat(__hw_rtz(x))
#define convert_ushort8_rtp(x) convert_ushort8(__hw_rtp(x))
#define convert_ushort8_sat_rtp(x) convert_ushort8_sat(__hw_rtp(x))
#define convert_ushort8_rtn(x) convert_ushort8(__hw_rtn(x))
#define convert_ushort8_sat_rtn(x) convert_ushort8_sat(__hw_rtn(x))
#define convert_ushort16_rte(x) convert_ushort16(__hw_rte(x))
#define convert_ushort16_sat_rte(x) convert_ushort16_sat(__hw_rte(x))
#define convert_ushort16_rtz(x) convert_ushort16(__hw_rtz(x))
#define convert_ushort16_sat_rtz(x) convert_ushort16_sat(__hw_rtz(x))
#define convert_ushort16_rtp(x) convert_ushort16(__hw_rtp(x))
#define convert_ushort16_sat_rtp(x) convert_ushort16_sat(__hw_rtp(x))
#define convert_ushort16_rtn(x) convert_ushort16(__hw_rtn(x))
#define convert_ushort16_sat_rtn(x) convert_ushort16_sat(__hw_rtn(x))
#define convert_int_rte(x) convert_int(__hw_rte(x))
#define convert_int_sat_rte(x) convert_int_sat(__hw_rte(x))
#define convert_int_rtz(x) convert_int(__hw_rtz(x))
#define convert_int_sat_rtz(x) convert_int_sat(__hw_rtz(x))
#define convert_int_rtp(x) convert_int(__hw_rtp(x))
#define convert_int_sat_rtp(x) convert_int_sat(__hw_rtp(x))
#define convert_int_rtn(x) convert_int(__hw_rtn(x))
#define convert_int_sat_rtn(x) convert_int_sat(__hw_rtn(x))
#define convert_int2_rte(x) convert_int2(__hw_rte(x))
#define convert_int2_sat_rte(x) convert_int2_sat(__hw_rte(x))
#define convert_int2_rtz(x) convert_int2(__hw_rtz(x))
#define convert_int2_sat_rtz(x) convert_int2_sat(__hw_rtz(x))
#define convert_int2_rtp(x) convert_int2(__hw_rtp(x))
#define convert_int2_sat_rtp(x) convert_int2_sat(__hw_rtp(x))
#define convert_int2_rtn(x) convert_int2(__hw_rtn(x))
#define convert_int2_sat_rtn(x) convert_int2_sat(__hw_rtn(x))
#define convert_int3_rte(x) convert_int3(__hw_rte(x))
#define convert_int3_sat_rte(x) convert_int3_sat(__hw_rte(x))
#define convert_int3_rtz(x) convert_int3(__hw_rtz(x))
#define convert_int3_sat_rtz(x) convert_int3_sat(__hw_rtz(x))
#define convert_int3_rtp(x) convert_int3(__hw_rtp(x))
#define convert_int3_sat_rtp(x) convert_int3_sat(__hw_rtp(x))
#define convert_int3_rtn(x) convert_int3(__hw_rtn(x))
#define convert_int3_sat_rtn(x) convert_int3_sat(__hw_rtn(x))
#define convert_int4_rte(x) convert_int4(__hw_rte(x))
#define convert_int4_sat_rte(x) convert_int4_sat(__hw_rte(x))
#define convert_int4_rtz(x) convert_int4(__hw_rtz(x))
#define convert_int4_sat_rtz(x) convert_int4_sat(__hw_rtz(x))
#define convert_int4_rtp(x) convert_int4(__hw_rtp(x))
#define convert_int4_sat_rtp(x) convert_int4_sat(__hw_rtp(x))
#define convert_int4_rtn(x) convert_int4(__hw_rtn(x))
#define convert_int4_sat_rtn(x) convert_int4_sat(__hw_rtn(x))
#define convert_int8_rte(x) convert_int8(__hw_rte(x))
#define convert_int8_sat_rte(x) convert_int8_sat(__hw_rte(x))
#define convert_int8_rtz(x) convert_int8(__hw_rtz(x))
#define convert_int8_sat_rtz(x) convert_int8_sat(__hw_rtz(x))
#define convert_int8_rtp(x) convert_int8(__hw_rtp(x))
#define convert_int8_sat_rtp(x) convert_int8_sat(__hw_rtp(x))
#define convert_int8_rtn(x) convert_int8(__hw_rtn(x))
#define convert_int8_sat_rtn(x) convert_int8_sat(__hw_rtn(x))
#define convert_int16_rte(x) convert_int16(__hw_rte(x))
#define convert_int16_sat_rte(x) convert_int16_sat(__hw_rte(x))
#define convert_int16_rtz(x) convert_int16(__hw_rtz(x))
#define convert_int16_sat_rtz(x) convert_int16_sat(__hw_rtz(x))
#define convert_int16_rtp(x) convert_int16(__hw_rtp(x))
#define convert_int16_sat_rtp(x) convert_int16_sat(__hw_rtp(x))
#define convert_int16_rtn(x) convert_int16(__hw_rtn(x))
#define convert_int16_sat_rtn(x) convert_int16_sat(__hw_rtn(x))
#define convert_uint_rte(x) convert_uint(__hw_rte(x))
#define convert_uint_sat_rte(x) convert_uint_sat(__hw_rte(x))
#define convert_uint_rtz(x) convert_uint(__hw_rtz(x))
#define convert_uint_sat_rtz(x) convert_uint_sat(__hw_rtz(x))
#define convert_uint_rtp(x) convert_uint(__hw_rtp(x))
#define convert_uint_sat_rtp(x) convert_uint_sat(__hw_rtp(x))
#define convert_uint_rtn(x) convert_uint(__hw_rtn(x))
#define convert_uint_sat_rtn(x) convert_uint_sat(__hw_rtn(x))
#define convert_uint2_rte(x) convert_uint2(__hw_rte(x))
#define convert_uint2_sat_rte(x) convert_uint2_sat(__hw_rte(x))
#define convert_uint2_rtz(x) convert_uint2(__hw_rtz(x))
#define convert_uint2_sat_rtz(x) convert_uint2_sat(__hw_rtz(x))
#define convert_uint2_rtp(x) convert_uint2(__hw_rtp(x))
#define convert_uint2_sat_rtp(x) convert_uint2_sat(__hw_rtp(x))
#define convert_uint2_rtn(x) convert_uint2(__hw_rtn(x))
#define convert_uint2_sat_rtn(x) convert_uint2_sat(__hw_rtn(x))
#define convert_uint3_rte(x) convert_uint3(__hw_rte(x))
#define convert_uint3_sat_rte(x) convert_uint3_sat(__hw_rte(x))
#define convert_uint3_rtz(x) convert_uint3(__hw_rtz(x))
#define convert_uint3_sat_rtz(x) convert_uint3_sat(__hw_rtz(x))
#define convert_uint3_rtp(x) convert_uint3(__hw_rtp(x))
#define convert_uint3_sat_rtp(x) convert_uint3_sat(__hw_rtp(x))
#define convert_uint3_rtn(x) convert_uint3(__hw_rtn(x))
#define convert_uint3_sat_rtn(x) convert_uint3_sat(__hw_rtn(x))
#define convert_uint4_rte(x) convert_uint4(__hw_rte(x))
#define convert_uint4_sat_rte(x) convert_uint4_sat(__hw_rte(x))
#define convert_uint4_rtz(x) convert_uint4(__hw_rtz(x))
#define convert_uint4_sat_rtz(x) convert_uint4_sat(__hw_rtz(x))
#define convert_uint4_rtp(x) convert_uint4(__hw_rtp(x))
#define convert_uint4_sat_rtp(x) convert_uint4_sat(__hw_rtp(x))
#define convert_uint4_rtn(x) convert_uint4(__hw_rtn(x))
#define convert_uint4_sat_rtn(x) convert_uint4_sat(__hw_rtn(x))
#define convert_uint8_rte(x) convert_uint8(__hw_rte(x))
#define convert_uint8_sat_rte(x) convert_uint8_sat(__hw_rte(x))
#define convert_uint8_rtz(x) convert_uint8(__hw_rtz(x))
#define convert_uint8_sat_rtz(x) convert_uint8_sat(__hw_rtz(x))
#define convert_uint8_rtp(x) convert_uint8(__hw_rtp(x))
#define convert_uint8_sat_rtp(x) convert_uint8_sat(__hw_rtp(x))
#define convert_uint8_rtn(x) convert_uint8(__hw_rtn(x))
#define convert_uint8_sat_rtn(x) convert_uint8_sat(__hw_rtn(x))
#define convert_uint16_rte(x) convert_uint16(__hw_rte(x))
#define convert_uint16_sat_rte(x) convert_uint16_sat(__hw_rte(x))
#define convert_uint16_rtz(x) convert_uint16(__hw_rtz(x))
#define convert_uint16_sat_rtz(x) convert_uint16_sat(__hw_rtz(x))
#define convert_uint16_rtp(x) convert_uint16(__hw_rtp(x))
#define convert_uint16_sat_rtp(x) convert_uint16_sat(__hw_rtp(x))
#define convert_uint16_rtn(x) convert_uint16(__hw_rtn(x))
#define convert_uint16_sat_rtn(x) convert_uint16_sat(__hw_rtn(x))
#define convert_long_rte(x) convert_long(__hw_rte(x))
#define convert_long_sat_rte(x) convert_long_sat(__hw_rte(x))
#define convert_long_rtz(x) convert_long(__hw_rtz(x))
#define convert_long_sat_rtz(x) convert_long_sat(__hw_rtz(x))
#define convert_long_rtp(x) convert_long(__hw_rtp(x))
#define convert_long_sat_rtp(x) convert_long_sat(__hw_rtp(x))
#define convert_long_rtn(x) convert_long(__hw_rtn(x))
#define convert_long_sat_rtn(x) convert_long_sat(__hw_rtn(x))
#define convert_long2_rte(x) convert_long2(__hw_rte(x))
#define convert_long2_sat_rte(x) convert_long2_sat(__hw_rte(x))
#define convert_long2_rtz(x) convert_long2(__hw_rtz(x))
#define convert_long2_sat_rtz(x) convert_long2_sat(__hw_rtz(x))
#define convert_long2_rtp(x) convert_long2(__hw_rtp(x))
#define convert_long2_sat_rtp(x) convert_long2_sat(__hw_rtp(x))
#define convert_long2_rtn(x) convert_long2(__hw_rtn(x))
#define convert_long2_sat_rtn(x) convert_long2_sat(__hw_rtn(x))
#define convert_long3_rte(x) convert_long3(__hw_rte(x))
#define convert_long3_sat_rte(x) convert_long3_sat(__hw_rte(x))
#define convert_long3_rtz(x) convert_long3(__hw_rtz(x))
#define convert_long3_sat_rtz(x) convert_long3_sat(__hw_rtz(x))
#define convert_long3_rtp(x) convert_long3(__hw_rtp(x))
#define convert_long3_sat_rtp(x) convert_long3_sat(__hw_rtp(x))
#define convert_long3_rtn(x) convert_long3(__hw_rtn(x))
#define convert_long3_sat_rtn(x) convert_long3_sat(__hw_rtn(x))
#define convert_long4_rte(x) convert_long4(__hw_rte(x))
#define convert_long4_sat_rte(x) convert_long4_sat(__hw_rte(x))
#define convert_long4_rtz(x) convert_long4(__hw_rtz(x))
#define convert_long4_sat_rtz(x) convert_long4_sat(__hw_rtz(x))
#define convert_long4_rtp(x) convert_long4(__hw_rtp(x))
#define convert_long4_sat_rtp(x) convert_long4_sat(__hw_rtp(x))
#define convert_long4_rtn(x) convert_long4(__hw_rtn(x))
#define convert_long4_sat_rtn(x) convert_long4_sat(__hw_rtn(x))
#define convert_long8_rte(x) convert_long8(__hw_rte(x))
#define convert_long8_sat_rte(x) convert_long8_sat(__hw_rte(x))
#define convert_long8_rtz(x) convert_long8(__hw_rtz(x))
#define convert_long8_sat_rtz(x) convert_long8_sat(__hw_rtz(x))
#define convert_long8_rtp(x) convert_long8(__hw_rtp(x))
#define convert_long8_sat_rtp(x) convert_long8_sat(__hw_rtp(x))
#define convert_long8_rtn(x) convert_long8(__hw_rtn(x))
#define convert_long8_sat_rtn(x) convert_long8_sat(__hw_rtn(x))
#define convert_long16_rte(x) convert_long16(__hw_rte(x))
#define convert_long16_sat_rte(x) convert_long16_sat(__hw_rte(x))
#define convert_long16_rtz(x) convert_long16(__hw_rtz(x))
#define convert_long16_sat_rtz(x) convert_long16_sat(__hw_rtz(x))
#define convert_long16_rtp(x) convert_long16(__hw_rtp(x))
#define convert_long16_sat_rtp(x) convert_long16_sat(__hw_rtp(x))
#define convert_long16_rtn(x) convert_long16(__hw_rtn(x))
#define convert_long16_sat_rtn(x) convert_long16_sat(__hw_rtn(x))
#define convert_ulong_rte(x) convert_ulong(__hw_rte(x))
#define convert_ulong_sat_rte(x) convert_ulong_sat(__hw_rte(x))
#define convert_ulong_rtz(x) convert_ulong(__hw_rtz(x))
#define convert_ulong_sat_rtz(x) convert_ulong_sat(__hw_rtz(x))
#define convert_ulong_rtp(x) convert_ulong(__hw_rtp(x))
#define convert_ulong_sat_rtp(x) convert_ulong_sat(__hw_rtp(x))
#define convert_ulong_rtn(x) convert_ulong(__hw_rtn(x))
#define convert_ulong_sat_rtn(x) convert_ulong_sat(__hw_rtn(x))
#define convert_ulong2_rte(x) convert_ulong2(__hw_rte(x))
#define convert_ulong2_sat_rte(x) convert_ulong2_sat(__hw_rte(x))
#define convert_ulong2_rtz(x) convert_ulong2(__hw_rtz(x))
#define convert_ulong2_sat_rtz(x) convert_ulong2_sat(__hw_rtz(x))
#define convert_ulong2_rtp(x) convert_ulong2(__hw_rtp(x))
#define convert_ulong2_sat_rtp(x) convert_ulong2_sat(__hw_rtp(x))
#define convert_ulong2_rtn(x) convert_ulong2(__hw_rtn(x))
#define convert_ulong2_sat_rtn(x) convert_ulong2_sat(__hw_rtn(x))
#define convert_ulong3_rte(x) convert_ulong3(__hw_rte(x))
#define convert_ulong3_sat_rte(x) convert_ulong3_sat(__hw_rte(x))
#define convert_ulong3_rtz(x) convert_ulong3(__hw_rtz(x))
#define convert_ulong3_sat_rtz(x) convert_ulong3_sat(__hw_rtz(x))
#define convert_ulong3_rtp(x) convert_ulong3(__hw_rtp(x))
#define convert_ulong3_sat_rtp(x) convert_ulong3_sat(__hw_rtp(x))
#define convert_ulong3_rtn(x) convert_ulong3(__hw_rtn(x))
#define convert_ulong3_sat_rtn(x) convert_ulong3_sat(__hw_rtn(x))
#define convert_ulong4_rte(x) convert_ulong4(__hw_rte(x))
#define convert_ulong4_sat_rte(x) convert_ulong4_sat(__hw_rte(x))
#define convert_ulong4_rtz(x) convert_ulong4(__hw_rtz(x))
#define convert_ulong4_sat_rtz(x) convert_ulong4_sat(__hw_rtz(x))
#define convert_ulong4_rtp(x) convert_ulong4(__hw_rtp(x))
#define convert_ulong4_sat_rtp(x) convert_ulong4_sat(__hw_rtp(x))
#define convert_ulong4_rtn(x) convert_ulong4(__hw_rtn(x))
#define convert_ulong4_sat_rtn(x) convert_ulong4_sat(__hw_rtn(x))
#define convert_ulong8_rte(x) convert_ulong8(__hw_rte(x))
#define convert_ulong8_sat_rte(x) convert_ulong8_sat(__hw_rte(x))
#define convert_ulong8_rtz(x) convert_ulong8(__hw_rtz(x))
#define convert_ulong8_sat_rtz(x) convert_ulong8_sat(__hw_rtz(x))
#define convert_ulong8_rtp(x) convert_ulong8(__hw_rtp(x))
#define convert_ulong8_sat_rtp(x) convert_ulong8_sat(__hw_rtp(x))
#define convert_ulong8_rtn(x) convert_ulong8(__hw_rtn(x))
#define convert_ulong8_sat_rtn(x) convert_ulong8_sat(__hw_rtn(x))
#define convert_ulong16_rte(x) convert_ulong16(__hw_rte(x))
#define convert_ulong16_sat_rte(x) convert_ulong16_sat(__hw_rte(x))
#define convert_ulong16_rtz(x) convert_ulong16(__hw_rtz(x))
#define convert_ulong16_sat_rtz(x) convert_ulong16_sat(__hw_rtz(x))
#define convert_ulong16_rtp(x) convert_ulong16(__hw_rtp(x))
#define convert_ulong16_sat_rtp(x) convert_ulong16_sat(__hw_rtp(x))
#define convert_ulong16_rtn(x) convert_ulong16(__hw_rtn(x))
#define convert_ulong16_sat_rtn(x) convert_ulong16_sat(__hw_rtn(x))
#endif
