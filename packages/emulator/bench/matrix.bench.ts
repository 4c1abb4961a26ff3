/**
 * Multiply-adds a second of the matrix instructions beside a plain loop in C on one thread, wall time, warm: `npx vitest bench` in this
 * package.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bench, describe } from 'vitest';
import { Machine, packArguments } from '../test/execute/machine.js';

const TURNS = 20_000;
/** Multiply-adds of one instruction: 32·32·8 and 16·16·16. */
const TARGETS = { gfx90a: 8192, gfx942: 8192, gfx1100: 4096, gfx1201: 4096 } as const;

/** The same products from f16 in memory into f32, by C's own loop: clang vectorises over j. */
const C_SOURCE = `
#include <stdio.h>
#include <time.h>
static _Float16 a[32][8], b[8][32]; static float d[32][32];
int main(void) {
  struct timespec s, e; double best = 1e9;
  for (int i = 0; i < 32; i++) for (int k = 0; k < 8; k++) a[i][k] = i % 3, b[k][i] = i % 2;
  for (int round = 0; round < 5; round++) {
    clock_gettime(CLOCK_MONOTONIC, &s);
    for (int t = 0; t < ${TURNS}; t++) {
      for (int i = 0; i < 32; i++)
        for (int k = 0; k < 8; k++)
          for (int j = 0; j < 32; j++) d[i][j] += (float)a[i][k] * (float)b[k][j];
      __asm__ volatile("" : : "r"(a), "r"(b), "r"(d) : "memory");
    }
    clock_gettime(CLOCK_MONOTONIC, &e);
    double t = e.tv_sec - s.tv_sec + (e.tv_nsec - s.tv_nsec) * 1e-9;
    if (t < best) best = t;
  }
  printf("%.2f", 8192.0 * ${TURNS} / best / 1e9);
}`;

function nativeRate(): string {
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-matrix-'));
  const [source, program] = [join(folder, 'loop.c'), join(folder, 'loop')];
  writeFileSync(source, C_SOURCE);
  execFileSync('clang-22', ['-O3', '-mavx2', '-mfma', '-mf16c', source, '-o', program]);
  return execFileSync(program, { encoding: 'utf8' });
}

describe('matrix instructions', () => {
  console.log(`Node ${process.version}; C loop: ${nativeRate()}e9 multiply-adds a second`);
  for (const [target, products] of Object.entries(TARGETS)) {
    let run = (): void => {};
    let best = Infinity;
    bench(
      target,
      () => {
        const start = performance.now();
        run();
        best = Math.min(best, performance.now() - start);
      },
      {
        time: 0,
        iterations: 5,
        warmupTime: 0,
        warmupIterations: 2,
        setup: (_task, mode) => {
          if (mode === 'run') return;
          const m = new Machine();
          m.load(new URL(`../test/fixtures/kernels/matrix.${target}.hsaco`, import.meta.url));
          const lanes = target.startsWith('gfx9') ? 64 : 32;
          const dispatch = m.dispatch('repeat_f16', [lanes], [lanes], packArguments([m.allocate(8192), TURNS]));
          const executor = m.executor();
          run = (): void => {
            const result = m.run(dispatch, {}, executor);
            if (typeof result !== 'number') throw new Error(result.message);
          };
        },
        teardown: (_task, mode) => {
          if (mode === 'run') console.log(`${target}: ${((products * TURNS) / best / 1e6).toFixed(2)}e9 multiply-adds a second`);
        },
      },
    );
  }
});
