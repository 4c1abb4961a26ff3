// Two kernels of an image pipeline: a 3×3 box blur on a square image (edges clamped), and a scaling in place.
#define X (__builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() + __builtin_amdgcn_workitem_id_x())
#define Y (__builtin_amdgcn_workgroup_id_y() * __builtin_amdgcn_workgroup_size_y() + __builtin_amdgcn_workitem_id_y())

static uint clamped(int i, uint n) { return i < 0 ? 0 : (uint)i >= n ? n - 1 : (uint)i; }

__kernel void blur(__global const float *src, __global float *dst, uint width) {
  uint x = X, y = Y;
  if (x >= width || y >= width) return;
  float sum = 0.0f;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) sum += src[clamped((int)y + dy, width) * width + clamped((int)x + dx, width)];
  dst[y * width + x] = sum * (1.0f / 9.0f);
}

__kernel void normalize(__global float *img, float scale) {
  uint i = X;
  img[i] = img[i] * scale;
}
