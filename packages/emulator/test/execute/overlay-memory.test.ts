import { describe, expect, it } from 'vitest';
import type { Position } from '../../src/evaluate/index.js';
import { MemoryView } from '../../src/execute/memory-view.js';
import { OverlayMemory } from '../../src/execute/overlay-memory.js';
import { PRIVATE_BASE_HIGH } from '../../src/ir/apertures.js';
import { WORKER_SLICES } from '../../src/memory-map.js';
import { createRandom } from '../ir/random.js';
import { DeviceMemory } from '../semantics/support/device-memory.js';
import { Machine } from './machine.js';

/** Bytes of private memory of each lane. */
const BYTES = 24;

describe.each([32, 64])('private memory of %i lanes, interleaved by dwords', (waveSize) => {
  it.each(['scratch', 'flat'] as const)('%s accesses at any alignment touch the lane’s own bytes only', (space) => {
    const { memory } = new Machine();
    const overlay = new OverlayMemory(new MemoryView(memory, 'fixed'), () => 0n, {
      lds: 0,
      ldsBytes: 0,
      privateBase: WORKER_SLICES,
      privateBytes: BYTES,
      waveSize,
    });
    // Plain memory for each lane.
    const plain = new DeviceMemory(0, 0, BYTES);
    const random = createRandom(7);
    const position = (low: number): Position => ({ low, high: space === 'flat' ? PRIVATE_BASE_HIGH : 0 });
    for (let low = 0; low < BYTES; low += 4) {
      for (let lane = 0; lane < waveSize; lane++) for (const m of [overlay, plain]) m.store(space, position(low), 32, 0, lane);
    }
    for (let i = 0; i < 4000; i++) {
      const lane = random() % waveSize;
      const bits = ([8, 16, 32] as const)[random() % 3]!;
      const low = random() % (BYTES + 1 - bits / 8);
      const value = random();
      for (const m of [overlay, plain]) m.store(space, position(low), bits, value, lane);
      const at = (random() % (BYTES / 8)) * 8;
      const access = {
        space,
        position: position(at),
        op: 'xor',
        bits: 64,
        data: { low: value, high: i },
        compare: { low: 0, high: 0 },
        lane,
      } as const;
      expect(overlay.atomic(access)).toEqual(plain.atomic(access));
      const from = random() % (BYTES - 3);
      expect(overlay.load(space, position(from), 32, lane)).toBe(plain.load(space, position(from), 32, lane));
    }
  });
});
