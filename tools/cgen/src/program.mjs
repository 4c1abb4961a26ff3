// Writes random C programs for a GPU and for the host.
import { EXCHANGE, writeExchange } from './exchange.mjs';
import { FunctionWriter } from './function-writer.mjs';
import { PRELUDE } from './prelude.mjs';
import { GROUP, Random, WORDS_IN, WORDS_OUT } from './random.mjs';
import { RECORD } from './records.mjs';
import { VECTORS } from './vectors.mjs';

/**
 * A C file with `count` functions and, for each, a kernel `kN(in, out, n)` (on the host: the same as a plain function that loops over
 * the cases); every fifth kernel exchanges values between work-items. Case i reads `in[i * WORDS_IN …]` and writes `out[i * WORDS_OUT …]`.
 */
export function writeProgram(seed, count, size = 'large') {
  const random = new Random(seed);
  const parts = [PRELUDE.replace('%NAME%', `seed ${seed}, ${count} functions`), VECTORS, RECORD, EXCHANGE];
  for (let i = 0; i < count; i++) {
    if (i % 5 === 4) {
      parts.push(writeExchange(random, i));
      continue;
    }
    parts.push(new FunctionWriter(random, size).write(`fn${i}`));
    parts.push(`#ifdef __AMDGCN__
__attribute__((amdgpu_kernel)) void k${i}(const GLOBAL u32 *in, GLOBAL u32 *out, u32 n) {
  u32 i = __builtin_amdgcn_workgroup_id_x() * ${GROUP}u + __builtin_amdgcn_workitem_id_x();
  if (i >= n) return;
#else
void k${i}(const u32 *in, u32 *out, u32 n) { for (u32 i = 0; i < n; i++) {
#endif
  u64 r = fn${i}(in + i * ${WORDS_IN}u, out + i * ${WORDS_OUT}u);
  out[i * ${WORDS_OUT}u] = (u32)r; out[i * ${WORDS_OUT}u + 1] = (u32)(r >> 32);
#ifdef __AMDGCN__
}
#else
} }
#endif
`);
  }
  parts.push(`#ifndef __AMDGCN__
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void (*const all[])(const u32 *, u32 *, u32) = {${Array.from({ length: count }, (_, i) => `k${i}`).join(', ')}};
int main(int argc, char **argv) {
  u32 n = (u32)atoi(argv[argc - 1]);
  u32 *in = malloc(n * ${WORDS_IN}u * 4u), *out = calloc(n, ${WORDS_OUT}u * 4u);
  if (fread(in, 4, n * ${WORDS_IN}u, stdin) != n * ${WORDS_IN}u) return 1;
  for (u32 k = 0; k < ${count}u; k++) { memset(out, 0, n * ${WORDS_OUT}u * 4u); all[k](in, out, n); fwrite(out, 4, n * ${WORDS_OUT}u, stdout); }
  return 0;
}
#endif
`);
  return parts.join('\n');
}
