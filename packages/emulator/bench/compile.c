// Two kernels of about 1,000 instructions for compile.bench.ts: straight code, and branches and loops that differ by lane.
typedef unsigned u32;
typedef unsigned long long u64;
#define KERNEL __attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(1, 256), visibility("protected")))
#define GLOBAL __attribute__((address_space(1)))

// The bench changes this number in the code, so that no two rounds compile the same.
#define VARIED 0x5bd1e995

static inline u32 item(void) {
  const __attribute__((address_space(4))) unsigned short *packet = (const __attribute__((address_space(4))) unsigned short *)__builtin_amdgcn_dispatch_ptr();
  return __builtin_amdgcn_workgroup_id_x() * packet[2] + __builtin_amdgcn_workitem_id_x();
}

static inline u32 rotate(u32 x, u32 by) { return x << by | x >> (32 - by); }

KERNEL void straight(GLOBAL u32 *out, const GLOBAL u32 *in, u32 n) {
  u32 id = item();
  if (id >= n) return;
  u32 v[16];
#pragma unroll
  for (int i = 0; i < 16; i++) v[i] = in[id * 16 + i] ^ VARIED;
#pragma unroll
  for (int round = 0; round < 11; round++) {
#pragma unroll
    for (int i = 0; i < 4; i++) {
      u32 a = v[i], b = v[4 + (i + round) % 4], c = v[8 + (i + 2 * round) % 4], d = v[12 + (i + 3 * round) % 4];
      a += b; d = rotate(d ^ a, 16);
      c += d; b = rotate(b ^ c, 12);
      float f = (float)(a & 0xffff) * 1.5f + (float)(c >> 16);
      a += b + (u32)f; d = rotate(d ^ a, 8);
      c += d; b = rotate(b ^ c, 7);
      v[i] = a; v[4 + (i + round) % 4] = b; v[8 + (i + 2 * round) % 4] = c; v[12 + (i + 3 * round) % 4] = d;
    }
  }
#pragma unroll
  for (int i = 0; i < 16; i++) out[id * 16 + i] = v[i];
}

#define STEP(k)                                                                  \
  if ((x & (k * 3 + 1)) > (y & (k * 5 + 3))) {                                   \
    for (u32 i = 0; i < (x & 7); i++) {                                          \
      y = y * 0x19660d + x;                                                      \
      if ((y >> 28) == (k & 15)) break;                                          \
      x ^= y >> (k & 7);                                                         \
    }                                                                            \
  } else if (y & (1u << (k & 31))) {                                             \
    x += in[(y + k) & mask];                                                     \
    y ^= x << 5;                                                                 \
  } else {                                                                       \
    out[(id + k) & mask] = x;                                                    \
    x = x * (2 * k + 1) - y;                                                     \
  }

KERNEL void branchy(GLOBAL u32 *out, const GLOBAL u32 *in, u32 n, u32 mask) {
  u32 id = item();
  if (id >= n) return;
  u32 x = in[id], y = id * VARIED;
  STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8) STEP(9) STEP(10)
  out[id] = x + y;
}
