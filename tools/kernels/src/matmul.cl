// C = A·B by 16×16 tiles in LDS, one work-item an element of C; n is a multiple of 16.
__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void matmul(__global const float *a, __global const float *b, __global float *c,
                                                                        uint n) {
  __local float ta[256], tb[256];
  uint tx = __builtin_amdgcn_workitem_id_x(), ty = __builtin_amdgcn_workitem_id_y();
  uint col = __builtin_amdgcn_workgroup_id_x() * 16 + tx, row = __builtin_amdgcn_workgroup_id_y() * 16 + ty;
  float sum = 0.0f;
  for (uint t = 0; t < n; t += 16) {
    ta[ty * 16 + tx] = a[row * n + t + tx];
    tb[ty * 16 + tx] = b[(t + ty) * n + col];
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    for (uint k = 0; k < 16; k++) sum += ta[ty * 16 + k] * tb[k * 16 + tx];
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  }
  c[row * n + col] = sum;
}
