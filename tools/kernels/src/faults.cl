// Kernels that go wrong, each in one way.
#define I (__builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() + __builtin_amdgcn_workitem_id_x())

// Writes out[i * stride]: outside the buffer when stride is large.
__kernel void stray_write(__global uint *out, uint stride) { out[(ulong)I * stride] = I; }

// Reads through a pointer that the caller makes up.
__kernel void stray_read(__global const uint *in, __global uint *out) { out[I] = in[I]; }

// Never ends.
__kernel void spin(__global volatile uint *flag) {
  while (*flag == 0) {
  }
}

// Ends after `rounds` rounds of work, far longer than a time slice.
__kernel void busy(__global uint *out, uint rounds) {
  uint h = I;
  for (uint r = 0; r < rounds; r++) h = h * 1664525u + 1013904223u;
  out[I] = h;
}

// Executes the trap that abort() and assert() end in.
__kernel void trap_if(__global const uint *in, uint value) {
  if (in[I] == value) __builtin_trap();
}

// Waits in workgroup 1 for what workgroup 0 writes, and the other way round.
__kernel void handshake(__global volatile uint *words, __global uint *out) {
  uint group = __builtin_amdgcn_workgroup_id_x();
  if (__builtin_amdgcn_workitem_id_x() == 0) {
    words[group * 16] = group + 1;
    while (words[(group ^ 1) * 16] == 0) {
    }
    out[group] = words[(group ^ 1) * 16];
  }
}
