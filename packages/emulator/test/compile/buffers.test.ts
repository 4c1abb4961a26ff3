import { createDecoder } from '@doorbell/isa';
import { describe, expect, it } from 'vitest';
import { GPU_BASE_HIGH } from '../../src/memory-map.js';
import { buildBlock } from '../../src/semantics/index.js';
import { encode } from '../semantics/support/assemble.js';
import {
  BUFFER,
  CompiledBlock,
  copyWave,
  difference,
  fillMemory,
  LDS_BYTES,
  MODE,
  overlaySnapshot,
  Random,
  randomWave,
  snapshot,
} from './harness.js';

/** Buffer operations compiled and evaluated, on random resources of every kind; runs that fault are left out. */
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  gfx90a: [
    'buffer_load_dwordx4 v[4:7], v0, s[8:11], 0 offen',
    'buffer_load_dwordx2 v[4:5], v[0:1], s[8:11], s3 idxen offen',
    'buffer_store_dwordx3 v[4:6], v0, s[8:11], 0 offen offset:4',
    'buffer_atomic_add v4, v0, s[8:11], 0 offen glc',
    'buffer_load_dword v0, s[8:11], 0 offen lds',
    'buffer_load_format_xyzw v[4:7], v0, s[8:11], 0 offen',
    's_buffer_load_dwordx4 s[16:19], s[8:11], 0x10',
  ],
  gfx1100: [
    'buffer_load_b32 v4, v0, s[8:11], 0 offen',
    'buffer_load_b128 v[4:7], off, s[8:11], s3',
    'buffer_load_b96 v[4:6], v0, s[8:11], 0 idxen offset:8',
    'buffer_load_u8 v4, v0, s[8:11], 0 offen',
    'buffer_load_d16_hi_b16 v4, v0, s[8:11], 0 offen',
    'buffer_load_format_xyzw v[4:7], v0, s[8:11], 0 offen',
    'tbuffer_load_format_xyzw v[4:7], v0, s[8:11], 0 format:[BUF_FMT_2_10_10_10_SNORM] offen',
    'tbuffer_load_d16_format_xyz v[4:5], v0, s[8:11], 0 format:[BUF_FMT_16_16_16_16_UNORM] idxen',
    'tbuffer_store_format_xyzw v[4:7], v0, s[8:11], 0 format:[BUF_FMT_8_8_8_8_SNORM] offen',
    'buffer_store_format_xyzw v[4:7], v0, s[8:11], 0 offen',
    'buffer_store_b64 v[4:5], v[0:1], s[8:11], 0 idxen offen',
    'buffer_store_b8 v4, v0, s[8:11], 0 offen',
    'buffer_atomic_cmpswap_b32 v[4:5], v0, s[8:11], 0 offen glc',
    'buffer_atomic_add_u64 v[4:5], v0, s[8:11], 0 offen glc',
    's_buffer_load_b64 s[16:17], s[8:11], 0x10',
  ],
};

function resource(random: Random, isOlder: boolean): number[] {
  const stride = [0, 4, 16, 24][random.below(4)]!;
  const isSwizzled = random.below(4) === 0;
  const swizzle = isSwizzled ? (isOlder ? 1 << 31 : (1 + random.below(3)) << 30) : 0;
  const records = random.below(4) === 0 ? random.below(200) : 2048;
  const addsLane = random.below(5) === 0 ? 1 << 23 : 0;
  const top = addsLane | (random.below(4) << 21) | (isOlder ? 0 : random.below(4) << 28);
  const format = isOlder
    ? (random.below(8) << 12) | (random.below(4) === 0 ? 0 : random.below(16) << 15)
    : random.below(64) << 12;
  return [BUFFER + 1024, (GPU_BASE_HIGH | (stride << 16) | swizzle) >>> 0, records, (top | format | random.below(4096)) >>> 0];
}

describe.each(Object.entries(OPERATIONS))('compiled buffer operations of %s are the evaluator’s', (processor, lines) => {
  const isOlder = processor === 'gfx90a';
  const waveSize = isOlder ? 64 : 32;
  const decoder = createDecoder(processor, { waveSize });
  it.each(lines)('%s', (line) => {
    const padded = new Uint8Array(20);
    padded.set(encode(line, processor, waveSize));
    const decoded = decoder.decode(padded, 0);
    if (!decoded.ok) throw new Error(decoded.failure.message);
    const placed = [{ offset: 0, instruction: decoded.instruction }];
    const block = buildBlock(placed, { waveSize, mode: MODE, processor, codeBase: 0n });
    const compiled = new CompiledBlock(block, waveSize);
    const random = new Random(line.length * 7919);
    let runs = 0;
    for (let attempt = 0; attempt < 60; attempt++) {
      const isUniform = random.below(3) === 0;
      const start = random.below(64) * 8;
      const before = randomWave(waveSize, random, (index) => {
        const [vgpr, lane] = [Math.floor(index / waveSize), index % waveSize];
        if (vgpr > 1) return random.bits();
        if (isUniform) return start + 4 * lane;
        return line.includes('u64') ? random.below(200) * 8 : random.below(vgpr === 0 && line.includes('idxen') ? 60 : 2100) & ~3;
      });
      before.sgprs.set(resource(random, isOlder), 8);
      before.sgprs[3] = random.below(16) * 4;
      if (random.below(2) === 0) before.sgprs[126] = before.sgprs[127] = 0xffff_ffff;
      if (waveSize === 32) before.sgprs[127] = 0;
      before.sgprs[125] = random.below(LDS_BYTES / 8) & ~3;
      fillMemory(random);
      const [expected, got] = [copyWave(before), copyWave(before)];
      const overlay = compiled.evaluate(expected);
      if ('fault' in overlay) continue;
      runs++;
      const wanted = overlaySnapshot(overlay);
      compiled.run(got);
      expect(difference(before, expected, got)).toBe('');
      const after = snapshot();
      expect(after.findIndex((byte, i) => byte !== wanted[i])).toBe(-1);
    }
    expect(runs).toBeGreaterThan(20);
  });
});
