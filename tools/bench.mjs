// `npm run bench [kernel …]`: the benchmark kernels at size L, one compute worker, compiled and warm, beside the same kernels in C
// on one thread, in one run. Ratios count; absolute times depend on the machine.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, ensureInstalled, ROOT } from './lib/run.mjs';

ensureInstalled();
build();
process.env.DOORBELL_WORKERS ??= '1';
process.env.DOORBELL_LOG ??= 'error';

const { openDevice } = await import('@doorbell/runtime');
const { bytesAtL, codeObject, KERNELS, laneInstructionsAtL, prepareCase } = await import('../bench/kernels/cases.mjs');

/** Best milliseconds of each kernel in C: strip widths 16, 32, 64; empty when clang-22 is missing. */
function measureNative() {
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-native-'));
  const best = {};
  try {
    for (const width of [16, 32, 64]) {
      const program = join(folder, `native-${width}`);
      const source = join(ROOT, 'bench/native/native.c');
      const cc = spawnSync('clang-22', ['-O3', '-march=native', `-DW=${width}`, source, '-o', program, '-lpthread'], {
        stdio: 'inherit',
      });
      if (cc.error) return {};
      for (const [, name, ms] of spawnSync(program, { encoding: 'utf8' }).stdout.matchAll(/^(\w+) .*t1=([\d.]+) ms/gm)) {
        best[name] = Math.min(best[name] ?? Infinity, Number(ms));
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return best;
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !KERNELS.includes(name));
if (unknown.length > 0) {
  console.error(`no such kernel: ${unknown.join(', ')}; there are ${KERNELS.join(', ')}`);
  process.exit(2);
}
const native = measureNative();
const rows = [];
let failed = false;
{
  const device = await openDevice({ backend: 'emulated', isa: 'gfx1100' });
  const module = await device.load(codeObject(3));
  for (const kernel of KERNELS.filter((k) => wanted.length === 0 || wanted.includes(k))) {
    const ready = await prepareCase(device, module, kernel, 'L');
    await ready.launch();
    const { ok, expected, got } = await ready.check();
    if (!ok) {
      failed = true;
      console.error(`${kernel}: sum ${got}, expected ${expected}`);
    }
    let best = Infinity;
    for (let i = 0; i < 9; i++) {
      await ready.reset();
      const { durationNs } = await ready.launch();
      best = Math.min(best, durationNs);
    }
    ready.dispose();
    const ms = best / 1e6;
    const inC = native[kernel.startsWith('matmul') ? 'matmul_256' : kernel];
    const lanes = laneInstructionsAtL(kernel);
    const bytes = bytesAtL(kernel);
    rows.push({
      kernel,
      'emulated ms': ms.toFixed(2),
      'C ms': inC?.toFixed(2) ?? '–',
      ratio: inC ? (ms / inC).toFixed(1) : '–',
      'lane-instr/s': lanes ? `${(lanes / best).toFixed(1)}e9` : '',
      'GB/s': bytes ? (bytes / best).toFixed(1) : '',
      sum: ok ? 'right' : 'WRONG',
    });
  }
  module.dispose();
  await device.dispose();
}
console.log(`Node ${process.version}, ${process.env.DOORBELL_WORKERS} compute worker(s), best of 9`);
console.table(rows);
process.exit(failed ? 1 : 0);
