import { openDevice } from '@doorbell/runtime';
import { readdirSync, readFileSync } from 'node:fs';

/** What a leak would add to, as Linux counts it. */
export interface ProcessResources {
  readonly threads: number;
  readonly files: number;
  readonly mappings: number;
}

export function measureResources(): ProcessResources {
  return {
    threads: readdirSync('/proc/self/task').length,
    files: readdirSync('/proc/self/fd').length,
    mappings: readFileSync('/proc/self/maps', 'utf8').split('\n').length,
  };
}

const vadd = new URL('./programs/vadd.hsaco', import.meta.url);

/** One open, load, launch, close. */
export async function runCycle(): Promise<void> {
  await using device = await openDevice({ backend: 'emulated', isa: 'gfx1100' });
  using module = await device.load(vadd);
  using a = await device.from(new Float32Array(64).fill(1));
  using c = device.alloc('f32', 64);
  await module.kernel('vadd').launch({ grid: 64, workgroup: 64, args: { a, b: a, c, n: 64 } });
  if ((await c.read())[63] !== 2) throw new Error('the sum is wrong');
}
