import type { Device } from '@doorbell/runtime';
import { openDevice } from '@doorbell/runtime';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const GROUPS = 48;
const ITEMS = GROUPS * 256;
/** Enough for the other workers to come in, and for optimised code. */
const ROUNDS = 4;

/** Every work-item of a launch changes the same words, by atomics of each kind and size: none is lost. */
export function describeContendedAtomics(runs: readonly (readonly [isa: string, workers: number])[]): void {
  describe.each(runs)('atomics on the same words, on %s, workers: %i,', atomicsOn);
}

function atomicsOn(isa: string, workers: number): void {
  let device: Device;

  beforeAll(async () => {
    vi.stubEnv('DOORBELL_WORKERS', String(workers));
    try {
      device = await openDevice({ backend: 'emulated', isa });
    } finally {
      vi.unstubAllEnvs();
    }
  });
  afterAll(() => device.dispose());

  it.each(['contend_device', 'contend_system'])('%s: none is lost', async (name) => {
    const file = new URL(`./fixtures/contention.${isa}.hsaco.gz`, import.meta.url);
    using module = await device.load(gunzipSync(readFileSync(file)));
    using words = device.alloc('u32', 16);
    using longs = device.alloc('u64', 4);
    using floats = device.alloc('f32', 4);
    using doubles = device.alloc('f64', 2);
    words.view()[5] = 0xffff_ffff;
    words.view()[7] = 0x7fff_ffff;
    const args = [words, longs, floats, doubles, ROUNDS] as const;
    await module.kernel(name).launch({ grid: ITEMS, workgroup: 256, args });

    const ids = Array.from({ length: ITEMS }, (_, id) => id);
    const times = ITEMS * ROUNDS;
    const sum = (ITEMS * (ITEMS - 1)) / 2;
    const mixed = ids.map((id) => id ^ 0x5555);
    expect([...(await words.read())]).toEqual([
      (sum * ROUNDS) % 2 ** 32,
      2 ** 32 - ((ROUNDS * (ROUNDS + 1)) / 2) * ITEMS,
      0xffff_ffff,
      // An even number of times each.
      0,
      mixed.reduce((a, b) => Math.max(a, b)),
      mixed.reduce((a, b) => Math.min(a, b)),
      ITEMS - 1001,
      2 ** 32 - 1000,
      3 * times,
      times,
      times / 32,
      0,
      times,
      ITEMS - 1,
      5 * times,
      0,
    ]);
    expect([...(await longs.read())]).toEqual([
      0x10_0000_0001n * BigInt(times),
      BigInt(ITEMS - 1) << 20n,
      0x3_0000_0000n * BigInt(times),
      3n * BigInt(times),
    ]);
    expect([...(await floats.read())]).toEqual([times, ITEMS - 1, 2 * times, 0]);
    expect([...(await doubles.read())]).toEqual([times / 2, 1 - ITEMS]);
  });
}
