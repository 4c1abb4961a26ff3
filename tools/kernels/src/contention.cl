// All work-items of all workgroups change the same few words; what comes out does not depend on the order.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define ITEM ((uint)__builtin_amdgcn_workitem_id_x())
#define GROUP ((uint)__builtin_amdgcn_workgroup_id_x())
#define RELAXED __ATOMIC_RELAXED
#define G(T, p) ((volatile __global T *)(p))
#define BARRIER() \
  do { \
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); \
    __builtin_amdgcn_s_barrier(); \
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); \
  } while (0)

// words: 0 add, 1 sub, 2 or, 3 xor, 4 umax, 5 umin, 6 smax, 7 smin, 8 compare-and-swap adds, 9 exchanged, 10 add by one lane of 32.
#define KERNEL(name, SCOPE)                                                                                                   \
  __kernel void name(__global uint *words, __global ulong *longs, __global float *floats, __global double *doubles,           \
                     uint rounds) {                                                                                           \
    __local uint lds[4];                                                                                                      \
    __local ulong ldsLong;                                                                                                    \
    __local float ldsFloat;                                                                                                   \
    if (ITEM == 0) { lds[0] = lds[1] = lds[2] = lds[3] = 0; ldsLong = 0; ldsFloat = 0; }                                      \
    BARRIER();                                                                                                                \
    uint id = GROUP * 256 + ITEM;                                                                                             \
    for (uint i = 0; i < rounds; i++) {                                                                                       \
      __opencl_atomic_fetch_add(G(atomic_uint, words), id, RELAXED, SCOPE);                                                   \
      __opencl_atomic_fetch_sub(G(atomic_uint, words + 1), i + 1, RELAXED, SCOPE);                                            \
      __opencl_atomic_fetch_or(G(atomic_uint, words + 2), 1u << (id & 31), RELAXED, SCOPE);                                   \
      __opencl_atomic_fetch_xor(G(atomic_uint, words + 3), id * 7919u, RELAXED, SCOPE);                                       \
      __opencl_atomic_fetch_max(G(atomic_uint, words + 4), id ^ 0x5555, RELAXED, SCOPE);                                      \
      __opencl_atomic_fetch_min(G(atomic_uint, words + 5), id ^ 0x5555, RELAXED, SCOPE);                                      \
      __opencl_atomic_fetch_max(G(atomic_int, words + 6), (int)id - 1000, RELAXED, SCOPE);                                    \
      __opencl_atomic_fetch_min(G(atomic_int, words + 7), (int)id - 1000, RELAXED, SCOPE);                                    \
      uint old = words[8];                                                                                                    \
      while (!__opencl_atomic_compare_exchange_strong(G(atomic_uint, words + 8), &old, old + 3, RELAXED, RELAXED, SCOPE)) \
        ;                                                                                                                     \
      uint was = __opencl_atomic_exchange(G(atomic_uint, words + 9), 0u, RELAXED, SCOPE);                                     \
      __opencl_atomic_fetch_add(G(atomic_uint, words + 9), was + 1, RELAXED, SCOPE);                                          \
      if ((ITEM & 31) == 5) __opencl_atomic_fetch_add(G(atomic_uint, words + 10), 1u, RELAXED, SCOPE);                        \
      __opencl_atomic_fetch_add(G(atomic_ulong, longs), 0x1000000001ul, RELAXED, SCOPE);                                      \
      __opencl_atomic_fetch_max(G(atomic_ulong, longs + 1), (ulong)id << 20, RELAXED, SCOPE);                                 \
      ulong oldLong = longs[2];                                                                                               \
      while (!__opencl_atomic_compare_exchange_strong(G(atomic_ulong, longs + 2), &oldLong, oldLong + 0x300000000ul, RELAXED, \
                                                      RELAXED, SCOPE))                                                        \
        ;                                                                                                                     \
      __opencl_atomic_fetch_add(G(atomic_float, floats), 1.0f, RELAXED, SCOPE);                                               \
      __opencl_atomic_fetch_max(G(atomic_float, floats + 1), (float)id, RELAXED, SCOPE);                                      \
      __opencl_atomic_fetch_add(G(atomic_double, doubles), 0.5, RELAXED, SCOPE);                                              \
      __opencl_atomic_fetch_min(G(atomic_double, doubles + 1), -(double)id, RELAXED, SCOPE);                                  \
      __opencl_atomic_fetch_add((volatile __local atomic_uint *)lds, 1u, RELAXED, __OPENCL_MEMORY_SCOPE_WORK_GROUP);          \
      __opencl_atomic_fetch_max((volatile __local atomic_uint *)lds + 1, id, RELAXED, __OPENCL_MEMORY_SCOPE_WORK_GROUP);      \
      __opencl_atomic_fetch_add((volatile __local atomic_ulong *)&ldsLong, 3ul, RELAXED, __OPENCL_MEMORY_SCOPE_WORK_GROUP);   \
      __opencl_atomic_fetch_add((volatile __local atomic_float *)&ldsFloat, 2.0f, RELAXED, __OPENCL_MEMORY_SCOPE_WORK_GROUP); \
      uint oldLds = lds[2];                                                                                                   \
      while (!__opencl_atomic_compare_exchange_strong((volatile __local atomic_uint *)lds + 2, &oldLds, oldLds + 5, RELAXED,  \
                                                      RELAXED, __OPENCL_MEMORY_SCOPE_WORK_GROUP))                             \
        ;                                                                                                                     \
    }                                                                                                                         \
    BARRIER();                                                                                                                \
    if (ITEM == 0) {                                                                                                          \
      __opencl_atomic_fetch_add(G(atomic_uint, words + 12), lds[0], RELAXED, SCOPE);                                          \
      __opencl_atomic_fetch_max(G(atomic_uint, words + 13), lds[1], RELAXED, SCOPE);                                          \
      __opencl_atomic_fetch_add(G(atomic_uint, words + 14), lds[2], RELAXED, SCOPE);                                          \
      __opencl_atomic_fetch_add(G(atomic_ulong, longs + 3), ldsLong, RELAXED, SCOPE);                                         \
      __opencl_atomic_fetch_add(G(atomic_float, floats + 2), ldsFloat, RELAXED, SCOPE);                                       \
    }                                                                                                                         \
  }

KERNEL(contend_device, __OPENCL_MEMORY_SCOPE_DEVICE)
KERNEL(contend_system, __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES)
