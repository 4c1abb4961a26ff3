import { describe, expect, it } from 'vitest';
import type { WaveFault } from '../../src/executor.js';
import { GPU_BASE, GPU_BASE_HIGH, PAGE_BYTES, PAGE_READ, PAGE_TABLE, STATE_BYTES, WORKER_SLICES } from '../../src/memory-map.js';
import { Machine, packArguments } from './machine.js';

const OBJECT = new URL('../fixtures/kernels/behaviour.gfx1100.hsaco', import.meta.url);

function open(kind: 'fixed' | 'scattered' = 'fixed'): Machine {
  const machine = new Machine(kind);
  machine.load(OBJECT);
  return machine;
}

function faultOf(result: WaveFault | number): WaveFault {
  if (typeof result === 'number') throw new Error('no fault');
  return result;
}

describe('control flow', () => {
  it('passes values through LDS between the waves of a workgroup', () => {
    const m = open();
    const out = m.allocate(4 * 1024);
    expect(m.run(m.dispatch('rotate_lds', [1024], [256], packArguments([out, 5])))).toBeTypeOf('number');
    let v = Array.from({ length: 256 }, (_, l) => l);
    for (let r = 0; r < 5; r++) v = v.map((_, l) => v[(l + 37) & 255]! + r);
    expect([...m.u32(out, 1024)]).toEqual([...v, ...v, ...v, ...v]);
  });

  it('follows divergent loops with breaks', () => {
    const m = open();
    const n = 1000;
    const [input, out] = [m.allocate(4096), m.allocate(4096)];
    m.u32(input, n).forEach((_, i, all) => (all[i] = i + 1));
    expect(m.run(m.dispatch('collatz', [1024], [256], packArguments([input, out, n])))).toBeTypeOf('number');
    const steps = (start: number): number => {
      let [v, count] = [start, 0];
      while (v !== 1) {
        if (v & 1) {
          if (v > 1_000_000) return (count | 0x8000_0000) >>> 0;
          v = 3 * v + 1;
        } else v >>>= 1;
        count++;
      }
      return count;
    };
    expect([...m.u32(out, n)]).toEqual(Array.from({ length: n }, (_, i) => steps(i + 1)));
  });

  it('follows switches with loops inside', () => {
    const m = open();
    const [input, out] = [m.allocate(4096), m.allocate(4096)];
    m.u32(input, 1024).forEach((_, i, all) => (all[i] = Math.imul(i, 2654435761) >>> 0));
    expect(m.run(m.dispatch('switch_case', [1024], [256], packArguments([input, out])))).toBeTypeOf('number');
    const expected = Array.from(m.u32(input, 1024), (v) => {
      let r = [() => v * 3, () => v ^ 0x55, () => Math.floor(v / 7), () => v % 11, () => ~v, () => v << 3][v % 6]!() >>> 0;
      for (let k = 0; k < (v & 7); k++) {
        if (r & 1) r = (Math.imul(r, 5) + k) >>> 0;
        else {
          r = (r ^ (k << 4)) >>> 0;
          if (r % 3 === 0) continue;
          r = (r + 1) >>> 0;
        }
      }
      return r;
    });
    expect([...m.u32(out, 1024)]).toEqual(expected);
  });

  it('calls functions and returns from them', () => {
    const m = open();
    const [input, out] = [m.allocate(4096), m.allocate(4096)];
    m.u32(input, 512).forEach((_, i, all) => (all[i] = Math.imul(i + 3, 2654435761) >>> 0));
    expect(m.run(m.dispatch('call', [512], [64], packArguments([input, out])))).toBeTypeOf('number');
    const mix = (a: number, b: number): number => {
      let v = a;
      for (let i = 0; i < (b & 3); i++) v = (Math.imul(v, 31) + i) >>> 0;
      return (v ^ b) >>> 0;
    };
    const expected = Array.from(m.u32(input, 512), (v, i) => (mix((v & 1) === 1 ? mix(v, i) : v, 7) + 1) >>> 0);
    expect([...m.u32(out, 512)]).toEqual(expected);
  });

  it('lets workgroups that wait for later ones make progress', () => {
    const m = open();
    const groups = 40;
    const done = m.allocate(groups * 4);
    expect(m.run(m.dispatch('wait_for_next', [groups * 64], [64], packArguments([done, groups])))).toBeTypeOf('number');
    expect([...m.u32(done, groups)]).toEqual(new Array(groups).fill(1));
  });

  it.each(['endless', 'endless_sleep'])('%s yields again and again, and can be let go', (name) => {
    const m = open();
    const executor = m.executor();
    const dispatch = m.dispatch(name, [256], [64], packArguments([m.allocate(64)]));
    const kernel = executor.prepare(dispatch);
    if ('kind' in kernel) throw new Error(kernel.message);
    const run = executor.start(kernel, dispatch, 0, 4);
    for (let i = 0; i < 20; i++) expect(executor.resume(run)).toEqual({ kind: 'yield' });
  });
});

describe('grids', () => {
  it('gives every work-item of a three-dimensional grid with partial workgroups its ids', () => {
    const m = open();
    const [w, h, d] = [15, 11, 7];
    const out = m.allocate(w * h * d * 16);
    expect(m.run(m.dispatch('ids', [w, h, d], [6, 5, 3], packArguments([out, w, h])))).toBeTypeOf('number');
    const words = m.u32(out, w * h * d * 4);
    for (let z = 0, i = 0; z < d; z++) {
      for (let y = 0; y < h; y++) {
        for (let x = 0; x < w; x++, i++) {
          expect([...words.subarray(i * 4, i * 4 + 4)]).toEqual([x, y, z, x % 6 | (y % 5 << 8) | (z % 3 << 16)]);
        }
      }
    }
  });

  it.each([
    [64, 64],
    [50, 33],
  ])('runs a %i × %i grid of 16 × 16 workgroups', (w, h) => {
    const m = open();
    const out = m.allocate(w * h * 4);
    expect(m.run(m.dispatch('ids_square', [w, h], [16, 16], packArguments([out, w])))).toBeTypeOf('number');
    expect([...m.u32(out, w * h)]).toEqual(Array.from({ length: w * h }, (_, i) => (i % w) * 1000 + Math.floor(i / w)));
  });

  it.each([
    [
      [7, 5, 3],
      [4, 4, 2],
    ],
    [
      [16, 3, 1],
      [16, 4, 1],
    ],
  ])('has no work-items outside a grid %j of workgroups %j for a kernel that asks for x alone', (grid, workgroup) => {
    const m = open();
    const out = m.allocate(8);
    const dispatch = m.dispatch('store_all', grid, workgroup, packArguments([out]), {
      // Wave32; the address of the arguments in s[0:1] and no other register but v0.
      properties: (1 << 10) | (1 << 3),
      rsrc2: 2 << 1,
    });
    // s_load_b64 s[0:1], s[0:1], 0; v_mov_b32 v1, 1; v_mov_b32 v2, 0; s_waitcnt lgkmcnt(0);
    // global_atomic_add_u32 v2, v1, s[0:1]; global_atomic_add_u32 v2, v0, s[0:1] offset:4; s_endpgm
    const words = [0xf404_0000, 0xf800_0000, 0x7e02_0281, 0x7e04_0280, 0xbf89_fc07];
    m.u32(dispatch.entryAddress, 10).set([...words, 0xdcd6_0000, 0x102, 0xdcd6_0004, 0x2, 0xbfb0_0000]);
    expect(m.run(dispatch)).toBeTypeOf('number');
    const [x, y, z] = grid as [number, number, number];
    const columns = Array.from({ length: x }, (_, i) => i % workgroup[0]!).reduce((a, b) => a + b);
    expect([...m.u32(out, 2)]).toEqual([x * y * z, columns * y * z]);
  });

  it('touches nothing behind the last work-item', () => {
    const m = open();
    const n = 1001;
    const out = m.allocate(4096);
    const dispatch = m.dispatch('store_guarded', [1024], [256], packArguments([out, n]));
    expect(m.run(dispatch, { softwarePages: true })).toBeTypeOf('number');
    expect([...m.u32(out, 1024)]).toEqual(Array.from({ length: 1024 }, (_, i) => (i < n ? i : 0)));
  });
});

describe('faults', () => {
  it('names instruction, lane and address of a store to a page that is not there', () => {
    const m = open();
    // 60 dwords before the end of the buffer's only page.
    const out = m.allocate(PAGE_BYTES) + BigInt(PAGE_BYTES - 60 * 4);
    const fault = faultOf(m.run(m.dispatch('store_all', [64], [64], packArguments([out, 9])), { softwarePages: true }));
    expect(fault).toMatchObject({
      kind: 'memory',
      access: 'write',
      failure: 'not-present',
      lane: 28,
      wave: 1,
      workgroup: [0, 0, 0],
    });
    expect(fault.address).toBe(out + 240n);
    expect(fault.disassembly).toContain('global_store_b32');
  });

  it('tells a read-only page from one that is not there', () => {
    const m = open();
    const out = m.allocate(PAGE_BYTES, PAGE_READ);
    const fault = faultOf(m.run(m.dispatch('store_all', [64], [64], packArguments([out, 9])), { softwarePages: true }));
    expect(fault).toMatchObject({ kind: 'memory', access: 'write', failure: 'read-only', lane: 0, wave: 0, address: out });
  });

  it('finds the lane whose address is wild', () => {
    const m = open();
    const [input, index, out] = [m.allocate(PAGE_BYTES), m.allocate(PAGE_BYTES), m.allocate(PAGE_BYTES)];
    m.u32(index, 32)[17] = 0x4000_0000;
    const fault = faultOf(
      m.run(m.dispatch('load_indexed', [32], [32], packArguments([input, index, out])), { softwarePages: true }),
    );
    expect(fault).toMatchObject({
      kind: 'memory',
      access: 'read',
      failure: 'not-present',
      lane: 17,
      address: input + 0x1_0000_0000n,
    });
  });

  it.each([false, true])(
    'names the address that an atomic gave, not what a replay would read (page table: %s)',
    (softwarePages) => {
      const m = open();
      const [counter, input, out] = [m.allocate(PAGE_BYTES), m.allocate(PAGE_BYTES), m.allocate(PAGE_BYTES)];
      m.u32(counter, 32)[11] = 0x4000_0000;
      const args = packArguments([counter, input, out]);
      const fault = faultOf(m.run(m.dispatch('load_counted', [32], [32], args), { softwarePages }));
      expect(fault).toMatchObject({
        kind: 'memory',
        access: 'read',
        failure: 'not-present',
        lane: 11,
        address: input + 0x1_0000_0000n,
      });
      expect(fault.disassembly).toContain('global_load_b32');
      expect(m.u32(counter, 32)[11]).toBe(0x4000_1000);
    },
  );

  it.each([false, true])('names the pointer that the wave itself overwrote (page table: %s)', (softwarePages) => {
    const m = open();
    const [pointer, out] = [m.allocate(PAGE_BYTES), m.allocate(PAGE_BYTES)];
    const wild = 0x1234_5678_9abcn;
    m.view.setBigUint64(m.offset(pointer), wild, true);
    const fault = faultOf(m.run(m.dispatch('load_overwritten', [32], [32], packArguments([pointer, out])), { softwarePages }));
    expect(fault).toMatchObject({ kind: 'memory', access: 'read', failure: 'not-present', address: wild });
    expect(fault.disassembly).toMatch(/(global|flat|s)_load_(b|dword)/);
  });

  it('checks atomics against the page table whatever the host protects', () => {
    const m = open();
    const to = m.allocate(PAGE_BYTES, PAGE_READ);
    const fault = faultOf(m.run(m.dispatch('add_atomic', [32], [32], packArguments([to]))));
    expect(fault).toMatchObject({ kind: 'memory', access: 'atomic', address: to });
  });

  it('reports s_trap 2 as a trap', () => {
    const m = open();
    const fault = faultOf(m.run(m.dispatch('trap', [64], [64], new Uint8Array(8))));
    expect(fault).toMatchObject({ kind: 'trap', trapId: 2, workgroup: [0, 0, 0] });
    expect(fault.disassembly).toContain('s_trap 2');
  });

  it('reports an instruction that does not exist, with its bytes', () => {
    const m = open();
    const dispatch = m.dispatch('store_all', [64], [64], packArguments([m.allocate(4096), 1]));
    m.view.setUint32(m.offset(dispatch.entryAddress), 0xbfff_ffff, true);
    const fault = faultOf(m.run(dispatch));
    expect(fault).toMatchObject({ kind: 'illegal-instruction', pc: dispatch.entryAddress, bytes: 'ff ff ff bf' });
  });

  it('reports code on a page that is not executable', () => {
    const m = open();
    const dispatch = m.dispatch('store_all', [64], [64], packArguments([m.allocate(4096), 1]));
    const page = Math.floor(m.offset(dispatch.entryAddress) / PAGE_BYTES);
    m.bytes[PAGE_TABLE + page] = PAGE_READ;
    expect(faultOf(m.run(dispatch))).toMatchObject({ kind: 'code-fetch', failure: 'no-execute', address: dispatch.entryAddress });
  });

  it('reads 0 outside of LDS', () => {
    const m = open();
    const out = m.allocate(4096);
    expect(m.run(m.dispatch('lds_out_of_range', [64], [64], packArguments([out, 32])))).toBeTypeOf('number');
    expect([...m.u32(out, 64)]).toEqual([...new Array<number>(32).fill(7), ...new Array<number>(32).fill(0)]);
  });

  it('goes on with other kernels after a fault', () => {
    const m = open();
    const executor = m.executor({ softwarePages: true });
    const bad = m.dispatch('store_all', [64], [64], packArguments([GPU_BASE, 9]));
    faultOf(m.run(bad, {}, executor));
    const out = m.allocate(4096);
    expect(m.run(m.dispatch('store_all', [128], [64], packArguments([out, 9])), {}, executor)).toBeTypeOf('number');
    expect([...m.u32(out, 128)]).toEqual(new Array(128).fill(9));
  });
});

describe('the emulator’s own state', () => {
  const last = BigInt(STATE_BYTES) - 64n;
  const addresses: readonly (readonly [string, bigint])[] = [
    ['its first page', GPU_BASE],
    ['the page table', GPU_BASE + BigInt(PAGE_TABLE)],
    ['a worker’s slice', GPU_BASE + BigInt(WORKER_SLICES)],
    ['its last bytes', GPU_BASE + last],
    ['a low address', BigInt(WORKER_SLICES)],
    ['the 4 GiB before', (BigInt(GPU_BASE_HIGH - 1) << 32n) + BigInt(WORKER_SLICES)],
    ['an address that wraps around', (BigInt(GPU_BASE_HIGH) << 32n) + 0xffff_fffcn],
  ];
  const kernels: readonly (readonly [string, (address: bigint, m: Machine) => Uint8Array])[] = [
    ['store_all', (address) => packArguments([address, 9])],
    ['store_bytes', (address) => packArguments([address, 9])],
    ['store_wide', (address) => packArguments([address, 0x1234n])],
    ['add_atomic', (address) => packArguments([address])],
    ['load_all', (address, m) => packArguments([address, m.allocate(4096)])],
    [
      'load_indexed',
      (address, m) => {
        const index = m.allocate(4096);
        m.u32(index, 64).fill(1);
        return packArguments([address, index, m.allocate(4096)]);
      },
    ],
    ['store_guarded', (address) => packArguments([address, 3])],
  ];
  const cases = kernels.flatMap(([kernel, args]) => addresses.map(([where, address]) => [kernel, where, address, args] as const));

  it.each(cases)('%s cannot reach %s', (kernel, _where, address, args) => {
    const m = open();
    const before = m.bytes.slice(WORKER_SLICES + 0x1_0000, WORKER_SLICES + 0x1_1000);
    const fault = faultOf(m.run(m.dispatch(kernel, [64], [64], args(address, m)), { worker: 1 }));
    expect(fault.kind).toBe('memory');
    expect(m.bytes.slice(WORKER_SLICES + 0x1_0000, WORKER_SLICES + 0x1_1000)).toEqual(before);
  });

  it.each(kernels)('%s cannot reach it in a scattered address space', (kernel, args) => {
    const m = open('scattered');
    expect(faultOf(m.run(m.dispatch(kernel, [64], [64], args(GPU_BASE + BigInt(WORKER_SLICES), m)))).kind).toBe('memory');
  });
});
