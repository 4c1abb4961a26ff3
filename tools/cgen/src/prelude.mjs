// The C that every program shares.

/** What every program begins with: types, and the conversions that make NaNs and out-of-range floats defined. */
export const PRELUDE = `/* made by tools/cgen: %NAME% */
typedef unsigned char u8; typedef signed char i8; typedef unsigned short u16; typedef short i16;
typedef unsigned int u32; typedef int i32; typedef unsigned long long u64; typedef long long i64;
typedef _Float16 f16; typedef float f32; typedef double f64;
#ifdef __AMDGCN__
#define GLOBAL __attribute__((address_space(1)))
#else
#define GLOBAL
#endif
#define NOINLINE __attribute__((noinline))
static inline f16 f16_of(u16 b) { union { u16 b; f16 f; } u; u.b = b; return u.f != u.f ? (f16)0.5f : u.f; }
static inline f32 f32_of(u32 b) { union { u32 b; f32 f; } u; u.b = b; return u.f != u.f ? 0.5f : u.f; }
static inline f64 f64_of(u64 b) { union { u64 b; f64 f; } u; u.b = b; return u.f != u.f ? 0.5 : u.f; }
static inline u16 bits_f16(f16 f) { union { u16 b; f16 f; } u; u.f = f; return f != f ? 0x7e00u : u.b; }
static inline u32 bits_f32(f32 f) { union { u32 b; f32 f; } u; u.f = f; return f != f ? 0x7fc00000u : u.b; }
static inline u64 bits_f64(f64 f) { union { u64 b; f64 f; } u; u.f = f; return f != f ? 0x7ff8000000000000ull : u.b; }
static inline i32 i32_of_f32(f32 f) { return f > -2147483000.0f && f < 2147483000.0f ? (i32)f : 7; }
static inline i32 i32_of_f64(f64 f) { return f > -2147483647.0 && f < 2147483647.0 ? (i32)f : 9; }
static inline u32 u32_of_f32(f32 f) { return f >= 0.0f && f < 4294967000.0f ? (u32)f : 11u; }
static inline i64 i64_of_f64(f64 f) { return f > -9.0e18 && f < 9.0e18 ? (i64)f : 13; }
`;
