import { describe, expect, it } from 'vitest';
import { createWaveState, type WaveState } from '../../src/evaluate/index.js';
import { createRandom } from '../ir/random.js';
import { encode, execute } from './support/assemble.js';
import { DeviceMemory, MEMORY_BASE_HIGH } from './support/device-memory.js';

/**
 * Buffer operations of each generation on resources made by hand; addresses and ranges are computed here by the formulas of AMD's
 * ISA documents ("Buffer addressing", "Range checking").
 */
const TARGETS = ['gfx90a', 'gfx942', 'gfx1030', 'gfx1100', 'gfx1201', 'gfx1250'] as const;
type Target = (typeof TARGETS)[number];

interface Resource {
  readonly base: number;
  readonly records: number;
  readonly stride?: number;
  /** log2 of the element's bytes; absent: linear. */
  readonly element?: number;
  /** log2 of the records of a group. */
  readonly group?: number;
  readonly addsLane?: boolean;
  readonly check?: number;
  readonly word3?: number;
}

const isOlder = (target: Target): boolean => target === 'gfx90a' || target === 'gfx942';
const hasSwizzleSizes = (target: Target): boolean => target === 'gfx1100' || target === 'gfx1201';

function words(target: Target, resource: Resource): number[] {
  const { base, records, stride = 0, element, group = 3, addsLane = false, check = 3, word3 = 0 } = resource;
  if (target === 'gfx1250') {
    const all =
      BigInt(base) |
      (BigInt(MEMORY_BASE_HIGH) << 32n) |
      (BigInt(records) << 57n) |
      (BigInt(stride) << 108n) |
      (BigInt(word3) << 96n);
    return [0, 32, 64, 96].map((shift) => Number((all >> BigInt(shift)) & 0xffff_ffffn));
  }
  const swizzle = element === undefined ? 0 : hasSwizzleSizes(target) ? (element - 1) << 30 : 1 << 31;
  const top = ((group - 3) << 21) | (addsLane ? 1 << 23 : 0) | (isOlder(target) ? 0 : check << 28);
  return [base, (MEMORY_BASE_HIGH | (stride << 16) | swizzle) >>> 0, records, (top | word3) >>> 0];
}

/** Bytes from the base, or undefined where out of range. */
function locate(
  target: Target,
  r: Resource,
  index: number | undefined,
  offset: number,
  size: number,
  lane: number,
): number | undefined {
  const { records, stride = 0, element, group = 3, check = 3 } = r;
  const whole = (index ?? 0) + (r.addsLane === true ? lane : 0);
  const isStructured = isOlder(target) ? index !== undefined && stride !== 0 : false;
  let fits: boolean;
  if (isOlder(target)) {
    fits = isStructured ? whole < records && (element === undefined || offset + size <= stride) : offset + size <= records;
  } else {
    const effective = target === 'gfx1250' ? (stride === 0 ? 3 : 0) : check;
    const swizzled = element !== undefined && stride !== 0;
    const byRecord = whole < records && offset + size <= stride;
    fits = [byRecord, whole < records, records !== 0, swizzled ? byRecord : offset + size <= records][effective]!;
  }
  if (!fits) return undefined;
  if (element === undefined) return whole * stride + offset;
  const [lanes, bytes] = [1 << group, 1 << element];
  const row = Math.floor(whole / lanes) * stride + Math.floor(offset / bytes) * bytes;
  return row * lanes + (whole % lanes) * bytes + (offset % bytes);
}

const LANES = 32;

function makeWave(target: Target, resource: Resource, random: () => number): WaveState {
  const waveSize = isOlder(target) ? 64 : 32;
  const wave = createWaveState(waveSize);
  wave.sgprs.set(words(target, resource), 8);
  wave.sgprs[3] = 64;
  wave.sgprs[126] = 0x7fff_ffff; // one lane does nothing
  for (let n = 0; n < 16; n++) for (let lane = 0; lane < waveSize; lane++) wave.vgprs[n * waveSize + lane] = random();
  return wave;
}

function makeMemory(random: () => number): DeviceMemory {
  const memory = new DeviceMemory(0x4000, 0x1000);
  for (let i = 0; i < 0x4000; i += 4) memory.view.setUint32(i, random(), true);
  return memory;
}

/** soffset as the target takes a zero. */
const noOffset = (target: Target): string => (target === 'gfx1201' || target === 'gfx1250' ? 'null' : '0');
const newName = (target: Target): boolean => !['gfx90a', 'gfx942', 'gfx1030'].includes(target);

function run(target: Target, text: string, wave: WaveState, memory: DeviceMemory): void {
  const outcome = execute(encode(text, target, wave.waveSize), wave, { processor: target, memory });
  expect(outcome, `${target} ${text}`).toMatchObject({ kind: 'next' });
}

const RESOURCES: readonly (readonly [name: string, resource: Resource])[] = [
  ['raw', { base: 0x100, records: 0x200 }],
  ['raw with a ragged end', { base: 0x104, records: 0x1fe }],
  ['empty', { base: 0x100, records: 0 }],
  ['structured', { base: 0x100, records: 20, stride: 24, check: 0 }],
  ['checked by index', { base: 0x100, records: 20, stride: 24, check: 1 }],
  ['unchecked', { base: 0x100, records: 1, check: 2 }],
  ['swizzled', { base: 0x100, records: 40, stride: 32, element: 2, group: 4, check: 0 }],
  ['swizzled, raw check', { base: 0x100, records: 40, stride: 32, element: 2, group: 3, check: 3 }],
  ['adding the lane', { base: 0x100, records: 0x180, stride: 16, addsLane: true, check: 1 }],
];

describe.each(TARGETS)('buffer operations of %s', (target) => {
  const random = createRandom(TARGETS.indexOf(target) + 50);
  const cases = RESOURCES.filter(
    ([, r]) => target !== 'gfx1250' || (r.element === undefined && r.addsLane !== true && r.check !== 1 && r.check !== 2),
  );
  it.each(cases)('loads and stores dwords: %s', (_name, resource) => {
    for (const mode of ['offen', 'idxen', 'idxen offen', '']) {
      for (const dwords of [1, 4]) {
        const wave = makeWave(target, resource, random);
        const memory = makeMemory(random);
        const before = memory.bytes.slice();
        const old = new DataView(before.buffer);
        const { waveSize } = wave;
        const isBoth = mode === 'idxen offen';
        for (let lane = 0; lane < waveSize; lane++) {
          const [index, offset] = [random() % 50, (random() % 160) * 4 + (lane % 5 === 0 ? random() % 4 : 0)];
          wave.vgprs[lane] = mode.startsWith('idxen') ? index : offset;
          wave.vgprs[waveSize + lane] = random() % 48;
        }
        // An offset that may not wrap, where it is checked.
        if (mode === 'offen' && isBounded(target, resource)) wave.vgprs[3] = 0xffff_fffc;
        const address = mode === '' ? 'off' : isBoth ? 'v[0:1]' : 'v0';
        const places = Array.from({ length: LANES - 1 }, (_, lane) => {
          const index = mode.startsWith('idxen') ? wave.vgprs[lane]! : undefined;
          const offset = isBoth ? wave.vgprs[waveSize + lane]! : mode === 'offen' ? wave.vgprs[lane]! : 0;
          return Array.from({ length: dwords }, (_, n) => {
            const at = locate(target, resource, index, offset + 8 + 4 * n, 4, lane);
            return at === undefined ? undefined : at + resource.base;
          });
        });
        const kind = newName(target) ? `b${32 * dwords}` : dwords === 1 ? 'dword' : `dwordx${dwords}`;
        const registers = dwords === 1 ? 'v4' : `v[4:${3 + dwords}]`;
        const tail = `s[8:11], ${noOffset(target)} ${mode} offset:8`;
        run(target, `buffer_load_${kind} ${registers}, ${address}, ${tail}`, wave, memory);
        for (const [lane, list] of places.entries()) {
          for (const [n, at] of list.entries()) {
            const wanted = at === undefined ? 0 : old.getUint32(at, true);
            const got = wave.vgprs[(4 + n) * waveSize + lane]!;
            if (got !== wanted) expect.fail(`${mode} lane ${lane} dword ${n}: ${got}, not ${wanted}`);
          }
        }
        for (let n = 0; n < dwords; n++) {
          for (let lane = 0; lane < waveSize; lane++) wave.vgprs[(4 + n) * waveSize + lane] = (lane << 8) | n;
        }
        run(target, `buffer_store_${kind} ${registers}, ${address}, ${tail}`, wave, memory);
        // Of several lanes with one address any may win.
        const allowed = new Map<number, Set<number>>();
        for (const [lane, list] of places.entries()) {
          for (const [n, at] of list.entries()) {
            if (at === undefined) continue;
            for (let byte = 0; byte < 4; byte++) {
              const set = allowed.get(at + byte) ?? new Set();
              allowed.set(at + byte, set.add((((lane << 8) | n) >> (8 * byte)) & 0xff));
            }
          }
        }
        for (const [at, byte] of memory.bytes.entries()) {
          const set = allowed.get(at);
          if (set === undefined ? byte !== before[at] : !set.has(byte)) expect.fail(`${mode} byte ${at}: ${byte}`);
        }
      }
    }
  });

  it('adds the soffset to the address; on gfx9 it also counts in the range of raw buffers', () => {
    const wave = makeWave(target, { base: 0x100, records: 0x80 }, random);
    const memory = makeMemory(random);
    for (let lane = 0; lane < LANES; lane++) wave.vgprs[lane] = 4 * lane;
    run(target, `buffer_load_${newName(target) ? 'b32' : 'dword'} v4, v0, s[8:11], s3 offen`, wave, memory);
    const end = isOlder(target) ? 0x80 - 64 : 0x80;
    for (let lane = 0; lane < LANES - 1; lane++) {
      const wanted = 4 * lane + 4 <= end ? memory.view.getUint32(0x100 + 64 + 4 * lane, true) : 0;
      expect(wave.vgprs[4 * wave.waveSize + lane]).toBe(wanted);
    }
  });

  it('returns 0 of an atomic out of range, and does nothing', () => {
    const wave = makeWave(target, { base: 0x100, records: 62 }, random);
    const memory = makeMemory(random);
    const before = memory.bytes.slice();
    for (let lane = 0; lane < LANES; lane++) [wave.vgprs[lane], wave.vgprs[4 * wave.waveSize + lane]] = [4 * lane, lane];
    const policy = target === 'gfx942' ? 'sc0' : noOffset(target) === 'null' ? 'th:TH_ATOMIC_RETURN' : 'glc';
    run(
      target,
      `buffer_atomic_add${newName(target) ? '_u32' : ''} v4, v0, s[8:11], ${noOffset(target)} offen ${policy}`,
      wave,
      memory,
    );
    for (let lane = 0; lane < LANES - 1; lane++) {
      const old = new DataView(before.buffer).getUint32(0x100 + 4 * lane, true);
      const isIn = 4 * lane + 4 <= 62;
      expect(wave.vgprs[4 * wave.waveSize + lane]).toBe(isIn ? old : 0);
      expect(memory.view.getUint32(0x100 + 4 * lane, true)).toBe(isIn ? (old + lane) >>> 0 : old);
    }
  });

  it('loads scalars, 0 out of range', () => {
    const wave = makeWave(target, { base: 0x100, records: 10, stride: 4 }, random);
    const memory = makeMemory(random);
    const name = newName(target) ? 's_buffer_load_b128' : 's_buffer_load_dwordx4';
    run(target, `${name} s[16:19], s[8:11], 0x20`, wave, memory);
    const word = (n: number): number => memory.view.getUint32(0x120 + 4 * n, true);
    expect(Array.from(wave.sgprs.slice(16, 20))).toEqual([word(0), word(1), 0, 0]);
  });
});

const isBounded = (target: Target, { check = 3 }: Resource): boolean =>
  isOlder(target) || target === 'gfx1250' || check === 0 || check === 3;

describe('formats', () => {
  const f32 = (value: number): number => new Uint32Array(new Float32Array([value]).buffer)[0]!;
  const IDENTITY = 0o7654; // dst_sel x, y, z, w

  function loadFormat(target: Target, text: string, bytes: readonly number[], word3: number): number[] {
    const memory = new DeviceMemory(0x100);
    memory.bytes.set(bytes, 0x40);
    const wave = makeWave(target, { base: 0x40, records: 0x40, word3 }, () => 0x5555_5555);
    wave.sgprs[126] = 1;
    wave.vgprs[0] = 0;
    run(target, text, wave, memory);
    return [4, 5, 6, 7].map((n) => wave.vgprs[n * wave.waveSize]!);
  }

  it('MTBUF takes the format of the instruction', () => {
    const load = (letters: string, format: string, bytes: readonly number[]): number[] => {
      const registers = letters === 'x' ? 'v4' : `v[4:${3 + letters.length}]`;
      return loadFormat(
        'gfx1100',
        `tbuffer_load_format_${letters} ${registers}, v0, s[8:11], 0 format:[BUF_FMT_${format}] offen`,
        bytes,
        0,
      );
    };
    expect(load('xyzw', '8_8_8_8_UNORM', [0, 51, 102, 255])).toEqual([0, 0.2, 0.4, 1].map(f32));
    expect(load('xyzw', '8_8_8_8_SNORM', [0x80, 0x81, 0x7f, 0])).toEqual([-1, -1, 1, 0].map(f32));
    expect(load('xy', '8_8_SINT', [0xff, 2]).slice(0, 2)).toEqual([0xffff_ffff, 2]);
    expect(load('xyzw', '8_8_UINT', [0xff, 2])).toEqual([0xff, 2, 0, 1]);
    expect(load('xyzw', '2_10_10_10_UINT', [0x01, 0x08, 0x30, 0xc0])).toEqual([1, 2, 3, 3]);
    expect(load('xyzw', '10_11_11_FLOAT', [0xc0, 0x03, 0x20, 0x80])).toEqual([1, 2, 2, 1].map(f32));
    expect(load('xyzw', '16_16_FLOAT', [0x00, 0x3c, 0x00, 0xc0])).toEqual([1, -2, 0, 1].map(f32));
    expect(load('xyzw', '32_32_32_32_FLOAT', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16])).toEqual([
      0x0403_0201, 0x0807_0605, 0x0c0b_0a09, 0x100f_0e0d,
    ]);
    expect(load('x', '16_SSCALED', [0xfe, 0xff])[0]).toBe(f32(-2));
  });

  it('MUBUF takes the format and the order of components from the resource', () => {
    const bytes = [0x10, 0x20, 0x30, 0x40];
    // UINT of four bytes: number 4 and data format 10 on gfx9, 60 on gfx10, 46 on gfx11.
    const older = loadFormat(
      'gfx90a',
      'buffer_load_format_xyzw v[4:7], v0, s[8:11], 0 offen',
      bytes,
      IDENTITY | (4 << 12) | (10 << 15),
    );
    expect(older).toEqual(bytes);
    const gfx10 = loadFormat('gfx1030', 'buffer_load_format_xyzw v[4:7], v0, s[8:11], 0 offen', bytes, IDENTITY | (60 << 12));
    expect(gfx10).toEqual(bytes);
    const swapped = loadFormat('gfx1100', 'buffer_load_format_xyzw v[4:7], v0, s[8:11], 0 offen', bytes, 0o0147 | (46 << 12));
    expect(swapped).toEqual([0x40, 0x10, 1, 0]);
  });

  it('16-bit loads pack two components to a register', () => {
    const [first, second] = loadFormat(
      'gfx1100',
      'tbuffer_load_d16_format_xyzw v[4:5], v0, s[8:11], 0 format:[BUF_FMT_8_8_8_8_UNORM] offen',
      [255, 0, 51, 255],
      0,
    );
    expect([first, second]).toEqual([0x0000_3c00, 0x3c00_3266]);
    const [half] = loadFormat('gfx1100', 'buffer_load_d16_hi_format_x v4, v0, s[8:11], 0 offen', [7], IDENTITY | (5 << 12));
    expect(half).toBe(0x0007_5555);
  });

  it.each([
    ['8_8_8_8_UNORM', 'xyzw', [f32(1.5), f32(0.5), f32(-1), f32(NaN)], [255, 128, 0, 0]],
    ['8_8_8_8_SNORM', 'xyzw', [f32(-2), f32(1), f32(0.5), f32(0)], [0x81, 0x7f, 0x40, 0]],
    ['16_16_FLOAT', 'xy', [f32(1), f32(-2)], [0, 0x3c, 0, 0xc0]],
    ['8_SINT', 'x', [0xffff_ff00], [0x80]],
    ['2_10_10_10_UINT', 'xyzw', [1, 2, 3, 9], [0x01, 0x08, 0x30, 0xc0]],
    ['10_11_11_FLOAT', 'xyz', [f32(1), f32(2), f32(2)], [0xc0, 0x03, 0x20, 0x80]],
    ['32_32_UINT', 'xy', [0x0403_0201, 0x0807_0605], [1, 2, 3, 4, 5, 6, 7, 8]],
    ['16_USCALED', 'x', [f32(513.7)], [1, 2]],
  ] as const)('stores %s', (format, letters, values, bytes) => {
    const memory = new DeviceMemory(0x100);
    memory.bytes.fill(0xee);
    const wave = makeWave('gfx1100', { base: 0x40, records: 0x40 }, () => 0);
    wave.sgprs[126] = 1;
    for (const [n, value] of values.entries()) wave.vgprs[(4 + n) * 32] = value;
    const registers = letters === 'x' ? 'v4' : `v[4:${3 + letters.length}]`;
    run('gfx1100', `tbuffer_store_format_${letters} ${registers}, v0, s[8:11], 0 format:[BUF_FMT_${format}] offen`, wave, memory);
    expect(Array.from(memory.bytes.slice(0x40, 0x40 + bytes.length + 1))).toEqual([...bytes, 0xee]);
  });
});

describe('transfers to LDS', () => {
  it('go to M0 + offset + 4 · lane', () => {
    const random = createRandom(9);
    const memory = makeMemory(random);
    const wave = makeWave('gfx90a', { base: 0x100, records: 0x60 }, random);
    wave.sgprs[125] = 0x80;
    for (let lane = 0; lane < 64; lane++) wave.vgprs[lane] = 4 * lane;
    run('gfx90a', 'buffer_load_dword v0, s[8:11], 0 offen offset:4 lds', wave, memory);
    for (let lane = 0; lane < LANES - 1; lane++) {
      const wanted = 4 * lane + 8 <= 0x60 ? memory.view.getUint32(0x104 + 4 * lane, true) : 0;
      expect(memory.lds.getUint32(0x84 + 4 * lane, true)).toBe(wanted);
    }
    expect(memory.lds.getUint32(0x84 + 4 * 31, true)).toBe(0);
  });
});
