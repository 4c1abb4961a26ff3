// One argument of each kind: what the kernarg block must hold is written out again.
typedef struct {
  float x, y;
  int tag;
} Point;

__kernel void arguments(char c, uchar uc, short s, ushort us, int i, uint ui, long l, ulong ul, float f, double d, Point p, uint3 v,
                        __global ulong *out, __local uint *scratch) {
  uint id = __builtin_amdgcn_workitem_id_x();
  scratch[id] = id;
  if (id != 0) return;
  out[0] = (ulong)(long)c;
  out[1] = uc;
  out[2] = (ulong)(long)s;
  out[3] = us;
  out[4] = (ulong)(long)i;
  out[5] = ui;
  out[6] = (ulong)l;
  out[7] = ul;
  out[8] = as_uint(f);
  out[9] = as_ulong(d);
  out[10] = as_uint(p.x);
  out[11] = as_uint(p.y);
  out[12] = (ulong)(long)p.tag;
  out[13] = v.x;
  out[14] = v.y;
  out[15] = v.z;
  out[16] = __builtin_amdgcn_workgroup_size_x();
  out[17] = __builtin_amdgcn_grid_size_x();
}
