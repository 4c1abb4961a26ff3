// The kernel that an emulated device rehearses with and compiles while it has nothing to do, so that it is warm for the first one of a
// program: a bit of all that kernels are mostly made of.
typedef unsigned u32;
typedef unsigned long long u64;
typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef u32 u32x4 __attribute__((ext_vector_type(4)));
#define GLOBAL __attribute__((address_space(1)))
#define LDS __attribute__((address_space(3)))

static inline u32 packet(int at) {
  return ((const __attribute__((address_space(4))) unsigned short *)__builtin_amdgcn_dispatch_ptr())[at];
}

static inline u32 rotate(u32 x, u32 by) { return x << by | x >> (32 - by); }

__attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(1, 256), visibility("protected"))) void warm_up(
    GLOBAL f32x4 *out, const GLOBAL float *a, const GLOBAL u32x4 *in, GLOBAL u32 *counts, GLOBAL double *wide, LDS float *tile, u32 n,
    float scale) {
  u32 local = __builtin_amdgcn_workitem_id_x();
  u32 id = __builtin_amdgcn_workgroup_id_x() * packet(2) + local;
  if (id >= n) return;
  u32x4 v = in[id];
  float sum = a[id] * scale;
  for (u32 k = 0; k < n; k++) sum += a[k * 64 + local] * a[id + k];
  tile[local] = sum;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  for (u32 half = 128; half > 0; half >>= 1) {
    if (local < half) tile[local] += tile[local + half];
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
  }
  float x = tile[0], y = sum;
#pragma unroll
  for (int round = 0; round < 4; round++) {
    v.x += v.y ^ 0x5bd1e995;
    v.w = rotate(v.w ^ v.x, 16);
    v.z = v.z * 0x19660d + (v.w >> 3 & 255);
    v.y = rotate(v.y ^ v.z, 7);
    x = __builtin_fmaf(x, scale, (float)(v.x & 0xffff));
    y = x > y ? y * 0.5f - x : __builtin_fminf(x, y + 2.0f);
  }
  if (v.x & 1) {
    u32 i = 0;
    do {
      x = x * y + (float)i;
      v.y ^= v.x >> (i & 7);
    } while (x * x < 4.0f && ++i < v.z);
    counts[i] += v.y;
  } else if (y < x) {
    u64 address = (u64)v.y * v.z + ((u64)v.w << 20);
    wide[id] = wide[id] * (double)x + (double)address;
    v.z = (u32)(address >> 7) / (v.w | 1);
  }
  __atomic_fetch_add(&counts[v.x & 255], 1, __ATOMIC_RELAXED);
  counts[id] = (u32)(int)y + (v.z < v.w ? v.y : __builtin_popcount(v.x));
  f32x4 result = {x, y, __builtin_amdgcn_rcpf(x) * __builtin_amdgcn_exp2f(y), (float)(int)v.z};
  out[id] = result;
}
