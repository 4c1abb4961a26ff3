// Ten kernels that hang, race or fault, as programs do by mistake. Each can also be told to do right.
#define LOCAL ((uint)__builtin_amdgcn_workitem_id_x())
#define GROUP ((uint)__builtin_amdgcn_workgroup_id_x())
#define ATOMIC(p) ((volatile __global atomic_uint *)(p))
#define STORE(p, value, scope) __opencl_atomic_store(ATOMIC(p), value, __ATOMIC_RELEASE, scope)
#define DEVICE __OPENCL_MEMORY_SCOPE_DEVICE
#define SYSTEM __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES
#define BARRIER()                                    \
  do {                                               \
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
    __builtin_amdgcn_s_barrier();                    \
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); \
  } while (0)

// Each workgroup takes the lock, counts without an atomic, and gives the lock back; without `unlock` the first one keeps it.
__kernel void spin_lock(__global uint *lock, __global volatile uint *count, uint unlock) {
  if (LOCAL != 0) return;
  while (__opencl_atomic_exchange(ATOMIC(lock), 1u, __ATOMIC_ACQUIRE, DEVICE) != 0)
    ;
  *count = *count + 1;
  if (unlock) STORE(lock, 0u, DEVICE);
}

// The first half of the workgroups waits for values that the second half makes.
__kernel void produce_consume(__global uint *ready, __global volatile uint *values, __global uint *out, uint pairs) {
  uint pair = GROUP % pairs;
  __global volatile uint *slot = values + pair * 64 + LOCAL;
  if (GROUP >= pairs) {
    *slot = pair * 1000 + LOCAL;
    BARRIER();
    if (LOCAL == 0) STORE(ready + pair, 1u, DEVICE);
    return;
  }
  while (__opencl_atomic_load(ATOMIC(ready + pair), __ATOMIC_ACQUIRE, DEVICE) == 0)
    ;
  out[pair * 64 + LOCAL] = *slot + 1;
}

// Each work-item takes what another wave wrote to LDS, before or after that wave wrote it.
__kernel void missing_barrier(__global uint *out, uint wait) {
  __local volatile uint words[256];
  words[LOCAL] = 7;
  BARRIER();
  words[LOCAL] = 1000 + LOCAL;
  if (wait) BARRIER();
  out[GROUP * 256 + LOCAL] = words[(LOCAL + 128) & 255];
}

// One work-item writes through a pointer that it read.
__kernel void wild_pointer(__global ulong *pointers, uint bad) {
  uint item = GROUP * 128 + LOCAL;
  if (item == bad) {
    *(__global uint *)pointers[0] = item;
  }
}

// Writes to a buffer again and again, until it faults.
__kernel void use_after_free(__global uint *begun, __global volatile uint *data) {
  uint round = 0;
  STORE(begun, 1u, SYSTEM);
  for (;;) {
    data[LOCAL] = ++round;
  }
}

__attribute__((noinline)) static uint sum_below(uint n, uint item) {
  volatile uint mine[16];
  for (uint i = 0; i < 16; i++) mine[i] = n + i;
  return n == 0 ? item : sum_below(n - 1, item) + mine[n & 15];
}

// Calls itself `depth` times, with 64 bytes of its own each time.
__kernel void stack_overflow(__global uint *out, uint depth) { out[LOCAL] = sum_below(depth, LOCAL); }

// Writes and reads LDS `at` words further than the work-item's own.
__kernel void lds_overrun(__global uint *out, uint at) {
  __local volatile uint words[256];
  words[LOCAL] = 7;
  BARRIER();
  words[LOCAL + at] = 1000 + LOCAL;
  BARRIER();
  out[LOCAL] = words[LOCAL + at];
  out[256 + LOCAL] = words[LOCAL];
}

// Never ends, unless the host writes to the flag.
__kernel void endless_loop(__global volatile uint *flag) {
  while (*flag == 0)
    ;
}

// What abort() and assert() end in, in one work-item.
__kernel void abort_at(__global uint *out, uint bad) {
  uint item = GROUP * 128 + LOCAL;
  if (item == bad) __builtin_trap();
  out[item] = item;
}

// Code that no GPU has, in one workgroup.
__kernel void illegal_opcode(__global uint *out, uint bad) {
  if (GROUP == bad) __asm__ volatile(".long 0xbfffffff");
  out[GROUP * 128 + LOCAL] = GROUP;
}
