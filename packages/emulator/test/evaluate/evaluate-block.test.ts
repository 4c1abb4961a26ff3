import { describe, expect, it } from 'vitest';
import { createWaveState, evaluateBlock } from '../../src/evaluate/index.js';
import { WaveBuilder } from '../../src/ir/wave-builder.js';
import { decodeMode } from '../../src/semantics/index.js';
import { DeviceMemory } from '../semantics/support/device-memory.js';

const builder = (waveSize: 32 | 64 = 32): WaveBuilder =>
  new WaveBuilder({ waveSize, mode: decodeMode(0x3f0), start: 0, codeBase: 0n });

/** Every lane active, v0 the lane. */
function makeWave(waveSize: 32 | 64 = 32) {
  const wave = createWaveState(waveSize);
  wave.sgprs[126] = wave.sgprs[127] = 0xffff_ffff;
  for (let lane = 0; lane < waveSize; lane++) wave.vgprs[lane] = lane;
  return wave;
}

describe('evaluateBlock', () => {
  it('does memory effects in program order', () => {
    const b = builder();
    const access = { space: 'lds', address: { constant: 0 }, mask: b.execMask() } as const;
    const first = b.load(access, 32);
    b.store(access, 32, b.op('add32', first, b.i32(1)));
    b.setVgpr(1, b.load(access, 32));
    b.store(access, 32, b.i32(9));
    const block = b.finish();
    const [wave, memory] = [makeWave(), new DeviceMemory(16)];
    memory.lds.setUint32(0, 5, true);
    evaluateBlock(block, wave, memory);
    expect(wave.vgprs[32]).toBe(6);
    expect(memory.lds.getUint32(0, true)).toBe(9);
  });

  it('adds base, offset, vector and constant in 64 bits, and wraps LDS addresses at 32', () => {
    const b = builder();
    const mask = b.execMask();
    const address = {
      base: b.i64(0xffff_fff0, 0x41),
      offset: b.op('shl32', b.vgpr(0), b.i32(2)),
      vector: b.i64(0x30, 0),
      constant: -0x10,
    };
    b.setVgpr(1, b.load({ space: 'global', address, mask }, 32));
    b.setVgpr(2, b.load({ space: 'lds', address: { offset: b.i32(0xffff_fffc), constant: 8 }, mask }, 16));
    const block = b.finish();
    const [wave, memory] = [makeWave(), new DeviceMemory(0x100)];
    memory.view.setUint32(0x10 + 4 * 7, 77, true);
    memory.lds.setUint32(4, 0xabcd_1234, true);
    expect(evaluateBlock(block, wave, memory)).toEqual({ kind: 'next', to: 0 });
    expect([wave.vgprs[32 + 7], wave.vgprs[64]]).toEqual([77, 0x1234]);
  });

  it('does atomics lane by lane', () => {
    const b = builder(64);
    const access = { space: 'lds', address: { constant: 4 }, mask: b.execMask() } as const;
    b.setVgpr(1, b.atomic(access, 'add', b.i32(2)));
    const [wave, memory] = [makeWave(64), new DeviceMemory(16)];
    wave.sgprs[126] = 0xaaaa_aaaa;
    evaluateBlock(b.finish(), wave, memory);
    expect(memory.lds.getUint32(4, true)).toBe((16 + 32) * 2);
    expect([wave.vgprs[64], wave.vgprs[64 + 1], wave.vgprs[64 + 3], wave.vgprs[64 + 63]]).toEqual([0, 0, 2, 94]);
  });

  it('leaves a block as it was: every evaluation starts from the registers', () => {
    const b = builder();
    b.setSgpr(0, b.op('low64', b.op('ballot', b.op('ltU32', b.vgpr(0), b.sgpr(1)))));
    b.setScc(b.op('any', b.op('eq32', b.vgpr(0), b.sgpr(1))));
    b.exit({ kind: 'branch', condition: b.scc(), taken: 8, fall: 4 });
    const block = b.finish();
    const [wave, memory] = [makeWave(), new DeviceMemory(16)];
    for (const [limit, mask, to] of [
      [3, 0b111, 8],
      [40, 0xffff_ffff, 4],
      [0, 0, 8],
    ] as const) {
      wave.sgprs[1] = limit;
      expect(evaluateBlock(block, wave, memory)).toEqual({ kind: 'next', to });
      expect(wave.sgprs[0]).toBe(mask);
    }
  });

  it('stops at a scalar load that faults, before later effects', () => {
    const b = builder();
    b.begin(12, 8);
    b.setSgpr(0, b.load({ space: 'global', address: { base: b.i64(0x20, 0), constant: 4 } }, 32));
    b.store({ space: 'lds', address: { constant: 0 }, mask: b.execMask() }, 32, b.i32(1));
    const [wave, memory] = [makeWave(), new DeviceMemory(16)];
    expect(evaluateBlock(b.finish(), wave, memory)).toEqual({
      kind: 'fault',
      fault: { pc: 12, lane: -1, address: 0x24n, access: 'read', failure: 'not-present' },
    });
    expect(memory.lds.getUint32(0, true)).toBe(0);
  });
});
