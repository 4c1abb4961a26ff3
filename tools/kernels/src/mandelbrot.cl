// Escape counts of the Mandelbrot set over a w × h picture; contraction is off, so that a host computes the same counts.
#pragma OPENCL FP_CONTRACT OFF

__kernel void mandelbrot(__global uint *out, uint w, uint h, float x0, float y0, float step, uint limit) {
  uint x = __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() + __builtin_amdgcn_workitem_id_x();
  uint y = __builtin_amdgcn_workgroup_id_y() * __builtin_amdgcn_workgroup_size_y() + __builtin_amdgcn_workitem_id_y();
  if (x >= w || y >= h) return;
  float cx = x0 + step * (float)x, cy = y0 + step * (float)y, zx = 0.0f, zy = 0.0f;
  uint n = 0;
  for (; n < limit; n++) {
    float x2 = zx * zx, y2 = zy * zy;
    if (x2 + y2 > 4.0f) break;
    zy = 2.0f * zx * zy + cy;
    zx = x2 - y2 + cx;
  }
  out[y * w + x] = n;
}
