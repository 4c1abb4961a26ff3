/** Baseline code that is made as it is reached: what is made when, and that nobody notices. */
import { createAssembler } from '@doorbell/isa';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CodeStore, type ExecutorOptions } from '../../src/execute/index.js';
import type { CodeNeed, Dispatch, Executor, PreparedKernel, WaveFault } from '../../src/executor.js';
import { CODE_STORE_BYTES, PAGE_EXECUTE, PAGE_READ } from '../../src/memory-map.js';
import { Machine, packArguments } from './machine.js';

const assembler = createAssembler('gfx1100', { waveSize: 32 });

/** Code with labels at the beginning of lines. */
function assemble(text: string): Uint8Array {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .flatMap((line) => {
      const times = /^(\d+) \* (.*)$/.exec(line);
      return times === null ? [line] : new Array<string>(Number(times[1])).fill(times[2] ?? '');
    });
  const labels = new Map<string, number>();
  const words: number[] = [];
  for (const pass of [0, 1]) {
    words.length = 0;
    for (const line of lines) {
      if (line.endsWith(':')) {
        labels.set(line.slice(0, -1), words.length);
        continue;
      }
      if (line.startsWith('.long ')) {
        words.push(Number(line.slice(6)));
        continue;
      }
      const [, branch, target = ''] = /^(s_c?branch\w*) (\w+)$/.exec(line) ?? [];
      const distance = pass === 0 ? 0 : (labels.get(target) ?? NaN) - words.length - 1;
      const made = assembler.assemble(branch === undefined ? line : `${branch} ${distance & 0xffff}`);
      if (!made.ok) throw new Error(`${line}: ${made.message}`);
      words.push(...made.words);
    }
  }
  return new Uint8Array(Uint32Array.from(words).buffer);
}

/** Stores v1 of each work-item, and ends. */
const STORE = `
  v_lshlrev_b32 v2, 2, v0
  global_store_b32 v2, v1, s[6:7]
  s_endpgm`;
/** s4: the argument; s[6:7]: where results go. */
const BEGIN = `
  s_load_b32 s4, s[0:1], 0x0
  s_load_b64 s[6:7], s[0:1], 0x8
  s_waitcnt lgkmcnt(0)`;

class Case {
  readonly machine = new Machine();
  readonly out = this.machine.allocate(4096);
  readonly #address: bigint;

  constructor(code: string) {
    const bytes = assemble(code);
    this.#address = this.machine.allocate(bytes.length, PAGE_READ | PAGE_EXECUTE);
    this.machine.bytes.set(bytes, this.machine.offset(this.#address));
  }

  write(offset: number, word: number): void {
    this.machine.view.setUint32(this.machine.offset(this.#address) + offset, word, true);
  }

  run(argument: number, executor?: Executor, options: ExecutorOptions = {}): WaveFault | Uint32Array {
    const result = this.machine.run(this.dispatch(argument), { tier: 'baseline', ...options }, executor);
    return typeof result === 'object' ? result : this.results();
  }

  results(): Uint32Array {
    return this.machine.u32(this.out, 64).slice();
  }

  /** Of so many workgroups, which all have the same results. */
  dispatch(argument: number, groups = 1): Dispatch {
    const kernargAddress = this.machine.allocate(64);
    this.machine.bytes.set(packArguments([argument, this.out]), this.machine.offset(kernargAddress));
    return {
      processor: 'gfx1100',
      workgroup: [64, 1, 1],
      grid: [64 * groups, 1, 1],
      groups: [groups, 1, 1],
      ldsBytes: 1024,
      privateBytes: 0,
      descriptorAddress: 0n,
      kernargAddress,
      packetAddress: 0n,
      queueAddress: 0n,
      dispatchId: 0n,
      entryAddress: this.#address,
      rsrc1: 1 | (0xf0 << 12) | (1 << 21) | (1 << 23),
      rsrc2: (2 << 1) | (1 << 7),
      rsrc3: 0,
      properties: (1 << 3) | (1 << 10),
      kernargPreload: 0,
    };
  }

  fault(argument: number): WaveFault {
    const result = this.run(argument);
    if (result instanceof Uint32Array) throw new Error('no fault');
    return result;
  }

  executor(options: ExecutorOptions = {}): Executor {
    return this.machine.executor({ tier: 'baseline', ...options });
  }
}

const filled = (value: number): Uint32Array => new Uint32Array(64).fill(value);

/** More instructions than a first piece has. */
const FAR = '100 * s_nop 0';

/** Argument 0 stores 7; others take a path that is not near the kernel's begin. */
const cold = (path: string): string => `${BEGIN}
  s_cmp_lg_u32 s4, 0
  s_cbranch_scc1 cold
  v_mov_b32 v1, 7
  store:
  ${STORE}
  ${FAR}
  cold:
  ${path}
  s_branch store`;

describe('baseline code', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('is made only where control comes, once for all workers', () => {
    const c = new Case(cold(`${FAR}\nv_mov_b32 v1, 9`));
    const codeStore = new SharedArrayBuffer(CODE_STORE_BYTES);
    const add = vi.spyOn(CodeStore.prototype, 'add');
    const worker = c.executor({ codeStore });
    expect(c.run(0, worker)).toEqual(filled(7));
    // The first piece is small: it ends before the branch.
    expect(add).toHaveBeenCalledTimes(2);
    expect(c.run(0, worker)).toEqual(filled(7));
    expect(add).toHaveBeenCalledTimes(2);
    expect(c.run(1, worker)).toEqual(filled(9));
    const pieces = add.mock.calls.length;
    expect(pieces).toBeGreaterThan(2);
    expect(c.run(1, worker)).toEqual(filled(9));
    expect(c.run(1, c.executor({ codeStore, worker: 1 }))).toEqual(filled(9));
    expect(add).toHaveBeenCalledTimes(pieces);
  });

  it('can be entered in the middle of a block that is there', () => {
    // The jump goes back behind the first addition, to a place that was no block when the code before it was made.
    const c = new Case(`${BEGIN}
      s_mov_b32 s5, 0
      v_mov_b32 v1, 0
      v_add_nc_u32 v1, 1, v1
      middle:
      v_add_nc_u32 v1, 16, v1
      ${FAR}
      ${FAR}
      s_add_u32 s5, s5, 1
      s_cmp_lt_u32 s5, 3
      s_cbranch_scc1 middle
      ${STORE}`);
    expect(c.run(0)).toEqual(filled(1 + 3 * 16));
  });

  it('lets waves wait at barriers in later pieces', () => {
    // Each wave leaves its items in LDS, in the order of the waves; the other wave's are read behind the barrier.
    const c = new Case(`${BEGIN}
      v_lshlrev_b32 v3, 2, v0
      ${FAR}
      ds_store_b32 v3, v0
      s_waitcnt lgkmcnt(0)
      s_barrier
      ${FAR}
      v_xor_b32 v3, 0x80, v3
      ds_load_b32 v1, v3
      s_waitcnt lgkmcnt(0)
      s_barrier
      s_sleep 1
      ${FAR}
      ${STORE}`);
    const executor = c.executor();
    const swapped = Uint32Array.from({ length: 64 }, (_, item) => item ^ 32);
    expect(c.run(0, executor)).toEqual(swapped);
    expect(c.run(0, executor)).toEqual(swapped);
    expect(c.run(0, c.executor({ fuel: 1 }))).toEqual(swapped);
  });

  it('names the instruction of a later piece that accesses nothing', () => {
    const c = new Case(cold('v_mov_b32 v3, 0x1230\nv_mov_b32 v4, 0\nglobal_load_b32 v1, v[3:4], off'));
    expect(c.run(0)).toEqual(filled(7));
    const fault = c.fault(1);
    expect(fault).toMatchObject({ kind: 'memory', address: 0x1230n, access: 'read', wave: 0 });
    expect(fault.disassembly).toBe('global_load_b32 v1, v[3:4], off');
  });

  it('says why an instruction does not run, as optimised code does', () => {
    // s_subvector_loop_begin, behind an instruction that does.
    const c = new Case(cold('v_mov_b32 v1, 9\n.long 0xbb000000'));
    const reasons = (['baseline', 'optimised'] as const).map((tier) => c.run(1, undefined, { tier }));
    for (const reason of reasons)
      expect(reason).toMatchObject({
        kind: 'illegal-instruction',
        message: expect.stringContaining('s_subvector_loop_begin') as string,
      });
  });

  it('meets an illegal instruction when control comes to it, not before', () => {
    const c = new Case(cold('s_mov_b32 exec_lo, 0x30\n.long 0xffffffff'));
    expect(c.run(0)).toEqual(filled(7));
    expect(c.fault(1)).toMatchObject({ kind: 'illegal-instruction', bytes: 'ff ff ff ff', lane: 4 });
  });

  it.each([
    ['forwards', '0xbfa07fff', 'code-fetch'],
    ['backwards', '0xbfa08000', 'illegal-instruction'],
  ])('faults where a branch leads out of all code, %s', (_, branch, kind) => {
    const c = new Case(cold(`.long ${branch}`));
    const [alone, shared] = [{}, { codeStore: new SharedArrayBuffer(CODE_STORE_BYTES) }].map((options) =>
      c.run(1, undefined, { tier: 'baseline', ...options }),
    );
    expect(alone).toMatchObject({ kind });
    expect(shared).toEqual(alone);
  });

  it('is of the functions that are there at a launch, however the kernel finds them', () => {
    const c = new Case(`${BEGIN}
      s_getpc_b64 s[8:9]
      s_add_u32 s8, s8, 0x1b0
      s_addc_u32 s9, s9, 0
      s_swappc_b64 s[10:11], s[8:9]
      ${STORE}
      ${FAR}
      v_mov_b32 v1, 7
      s_setpc_b64 s[10:11]`);
    let epoch = 0;
    const executor = c.executor({ codeEpoch: () => epoch });
    expect(c.run(0, executor)).toEqual(filled(7));
    // v_mov_b32 v1, 9
    c.write(0x1b0 + 24, 0x7e02_0289);
    epoch += 1;
    expect(c.run(0, executor)).toEqual(filled(9));
  });

  it.each([
    ['that has not run', 0],
    ['that has run', 1],
  ])('is of the bytes that are there at a launch: code %s', (_, first) => {
    const c = new Case(cold('v_mov_b32 v1, 9'));
    const executor = c.executor();
    expect(c.run(first, executor)).toEqual(filled(first === 0 ? 7 : 9));
    // v_mov_b32 v1, 7 → 11: at both places, which have the same form.
    const [near, far] = [28, 28 + 20 + 100 * 4];
    c.write(near, 0x7e02028b);
    c.write(far, 0x7e02028c);
    expect(c.run(0, executor)).toEqual(filled(11));
    expect(c.run(1, executor)).toEqual(filled(12));
  });
});

/** Adds 1 for each work-item. */
const COUNT = `
  v_lshlrev_b32 v2, 2, v0
  v_mov_b32 v1, 1
  global_atomic_add_u32 v2, v1, s[6:7]`;

describe('waves in two kinds of code', () => {
  /** Two workgroups of a dispatch of so many, up to where there is no more baseline code; then that is made which was asked for. */
  function begin(code: string, groups: number) {
    const c = new Case(code);
    const needs: CodeNeed[] = [];
    const add = vi.spyOn(CodeStore.prototype, 'add');
    const executor = c.executor({
      tier: 'both',
      codeStore: new SharedArrayBuffer(CODE_STORE_BYTES),
      patience: { ranMs: Infinity, yields: Infinity },
      onAsk: (need) => needs.push(need),
    });
    const dispatch = c.dispatch(0, groups);
    const kernel = executor.prepare(dispatch);
    if ('kind' in kernel) throw new Error(kernel.message);
    const run = executor.start(kernel, dispatch, 0, 2);
    // However much time there is.
    const outcome = executor.resume(run, 1000).kind;
    const pieces = add.mock.calls.length;
    while (executor.makeCode() === 'part');
    for (let last = outcome; last !== 'done'; last = executor.resume(run).kind) if (last === 'fault') throw new Error('a fault');
    return { needs, outcome, pieces, later: add.mock.calls.length - pieces, results: c.results() };
  }

  afterEach(() => {
    vi.restoreAllMocks();
  });

  const far = `${BEGIN}\n10 * v_mov_b32 v3, 1\n${FAR}\n${FAR}`;

  it('begin again in optimised code, where there is no more baseline code and the dispatch is vast', () => {
    const { needs, outcome, pieces, later, results } = begin(`${far}\n${COUNT}\ns_endpgm`, 1_000_000);
    expect([needs, outcome, pieces, later]).toEqual([['certain'], 'yield', 1, 0]);
    expect(results).toEqual(filled(2));
  });

  it('go on in baseline code where the dispatch is smaller, or they changed memory', () => {
    const small = begin(`${far}\n${COUNT}\ns_endpgm`, 1000);
    expect([small.needs, small.results]).toEqual([[], filled(2)]);
    const early = begin(`${BEGIN}\n${COUNT}\n${far}\ns_endpgm`, 1_000_000);
    expect([early.needs, early.results]).toEqual([[], filled(2)]);
    const stored = begin(
      `${BEGIN}\nv_lshlrev_b32 v2, 2, v0\nglobal_store_b32 v2, v2, s[6:7] offset:1024\n${far}\n${COUNT}\ns_endpgm`,
      1_000_000,
    );
    expect([stored.needs, stored.results]).toEqual([[], filled(2)]);
  });

  it.each(['asks after it', 'asks when it is there'])('find the answer to the wish of another worker, who %s', (when) => {
    const c = new Case(`${BEGIN}\n${COUNT}\ns_endpgm`);
    const options = { codeStore: new SharedArrayBuffer(CODE_STORE_BYTES), patience: { ranMs: 0, yields: Infinity } };
    const [first, second] = [0, 1].map((worker) => c.executor({ tier: 'both', worker, workers: 2, ...options }));
    const dispatch = c.dispatch(0);
    const start = (executor: Executor) => executor.start(executor.prepare(dispatch) as PreparedKernel, dispatch, 0, 1);
    const runs = [start(first!), start(second!)];
    expect(first!.resume(runs[0]!)).toEqual({ kind: 'done' });
    if (when === 'asks after it') expect(second!.resume(runs[1]!)).toEqual({ kind: 'done' });
    while (first!.makeCode() !== 'none');
    if (when !== 'asks after it') expect(second!.resume(runs[1]!)).toEqual({ kind: 'done' });
    const find = vi.spyOn(CodeStore.prototype, 'find');
    for (let round = 0; round < 3; round++) expect(second!.resume(start(second!))).toEqual({ kind: 'done' });
    expect(find.mock.results.filter(({ value }) => value !== undefined)).toHaveLength(1);
    expect(c.results()).toEqual(filled(5));
  });

  it('each run once, when a barrier is found while a workgroup is half done', () => {
    // Nobody waits at the barrier, which optimised code knows of. The fuel is enough for a wave's two blocks.
    const c = new Case(`${BEGIN}
      ${COUNT}
      s_cmp_lg_u32 s4, 0
      s_cbranch_scc0 end
      s_barrier
      end:
      s_endpgm`);
    const codeStore = new SharedArrayBuffer(CODE_STORE_BYTES);
    const executor = c.executor({ tier: 'both', codeStore, patience: { ranMs: 0, yields: Infinity }, fuel: 16 });
    // All of the baseline code is there then.
    expect(c.run(0, executor)).toEqual(filled(1));
    const dispatch = c.dispatch(0);
    const run = executor.start(executor.prepare(dispatch) as PreparedKernel, dispatch, 0, 1);
    expect(executor.resume(run, 0)).toEqual({ kind: 'yield' });
    expect(c.results()).toEqual(Uint32Array.from({ length: 64 }, (_, item) => (item < 32 ? 2 : 1)));
    while (executor.makeCode() !== 'none');
    while (executor.resume(run).kind === 'yield');
    expect(c.results()).toEqual(filled(2));
  });
});

describe('the rest of a workgroup that is half done', () => {
  it('has the LDS of those before, when a barrier is found', () => {
    // The first wave leaves its items in LDS and ends; the second one adds them up. Nobody comes to the barrier. Fuel for a wave's two blocks.
    const c = new Case(`${BEGIN}
      v_cmp_gt_u32 vcc_lo, 32, v0
      s_cbranch_vccz second
      ds_store_b32 v1, v0
      s_endpgm
      second:
      ds_load_b32 v1, v1
      v_lshlrev_b32 v2, 2, v0
      s_waitcnt lgkmcnt(0)
      global_atomic_add_u32 v2, v1, s[6:7]
      s_cmp_lg_u32 s4, 0
      s_cbranch_scc1 barrier
      s_endpgm
      barrier:
      ${FAR}
      s_barrier
      s_endpgm`);
    const codeStore = new SharedArrayBuffer(CODE_STORE_BYTES);
    const executor = c.executor({ tier: 'both', codeStore, patience: { ranMs: 0, yields: Infinity }, fuel: 16 });
    const start = () => {
      const dispatch = c.dispatch(0);
      return executor.start(executor.prepare(dispatch) as PreparedKernel, dispatch, 0, 1);
    };
    // All of the baseline code is there then.
    const before = start();
    while (executor.resume(before).kind === 'yield');
    expect(c.results()[40]).toBe(31);
    const run = start();
    expect(executor.resume(run, 0)).toEqual({ kind: 'yield' });
    expect(c.results()[40]).toBe(31);
    while (executor.makeCode() !== 'none');
    while (executor.resume(run).kind === 'yield');
    expect(c.results()[40]).toBe(2 * 31);
  });
});

describe('a VGPR that the wave does not have', () => {
  // The descriptor of the case asks for 16 of them.
  const code = `${BEGIN}
    v_mov_b32 v1, 5
    s_cmp_lg_u32 s4, 0
    s_cbranch_scc1 over
    v_mov_b32 v40, 1
    v_mov_b32 v200, v1
    over:
    s_add_u32 s8, s4, 1
    s_add_u32 s9, s4, 2
    v_add_nc_u32 v1, s8, v1
    v_add_nc_u32 v1, s9, v1
    s_cbranch_scc1 over
    v_add_nc_u32 v1, v40, v1
    ${STORE}`;

  it.each(['baseline', 'optimised'] as const)('reads as v0 and drops what is written, in %s code', (tier) => {
    const c = new Case(code);
    const executor = c.executor({ tier, codeStore: new SharedArrayBuffer(CODE_STORE_BYTES) });
    expect(c.run(0, executor)).toEqual(Uint32Array.from({ length: 64 }, (_, item) => 8 + item));
  });
});
