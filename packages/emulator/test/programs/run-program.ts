/** Runs a program in the reference interpreter, one instruction at a time and wave after wave, and compiled; compares memory. */
import { createDecoder, type Decoder } from '@doorbell/isa';
import { Random } from '../compile/harness.js';
import { Machine } from '../execute/machine.js';
import { DeviceMemory } from '../semantics/support/device-memory.js';
import { createWaveState, evaluateBlock, type EvaluatorMemory, type WaveState } from '../../src/evaluate/index.js';
import type { Dispatch } from '../../src/executor.js';
import type { ExecutorOptions } from '../../src/execute/index.js';
import { packedItemIds } from '../../src/execute/kernel-start.js';
import { type Block, SGPR_EXEC } from '../../src/ir/block.js';
import { PAGE_EXECUTE, PAGE_READ } from '../../src/memory-map.js';
import { buildBlock, decodeMode, encodeMode } from '../../src/semantics/index.js';
import { ALL_VGPRS, RESULT_DWORDS } from './generator.js';

/** nearest even, denormals kept, DX10 clamp, IEEE. */
const MODE = 0x3f0;
const MAX_GROUP_ITEMS = 1024;
const LDS_BYTES = 8192;
const KERNARG_BYTES = 4096;
const INPUT_BYTES = 16384;
const ATOMIC_BYTES = 65536;
/** A program of the generator is shorter. */
const MAX_STEPS = 3_000_000;

export interface ProgramCode {
  readonly code: Uint8Array;
  readonly waveSize: 32 | 64;
}

export interface ProgramRun {
  readonly grid: number;
  readonly workgroup: number;
  readonly seed: number;
  readonly scattered?: 'fixed' | 'scattered';
  readonly options?: ExecutorOptions;
}

/** The first difference, or ''. */
export function compareRuns({ code, waveSize }: ProgramCode, run: ProgramRun): string {
  const machine = new Machine(run.scattered);
  const groups = Math.ceil(run.grid / run.workgroup);
  const resultBytes = groups * MAX_GROUP_ITEMS * RESULT_DWORDS * 4;
  const results = KERNARG_BYTES + INPUT_BYTES + ATOMIC_BYTES;
  const total = results + resultBytes;
  const base = machine.allocate(total);
  const at = machine.offset(base);
  const random = new Random(run.seed);
  for (let i = KERNARG_BYTES; i < results; i += 4) machine.view.setUint32(at + i, random.bits(), true);
  const addresses = [results, KERNARG_BYTES, KERNARG_BYTES + INPUT_BYTES];
  for (const [i, offset] of addresses.entries()) machine.view.setBigUint64(at + i * 8, base + BigInt(offset), true);

  const codeAddress = machine.allocate(code.length, PAGE_READ | PAGE_EXECUTE);
  machine.bytes.set(code, machine.offset(codeAddress));
  const dispatch: Dispatch = {
    processor: 'gfx1100',
    workgroup: [run.workgroup, 1, 1],
    grid: [run.grid, 1, 1],
    groups: [groups, 1, 1],
    ldsBytes: LDS_BYTES,
    privateBytes: 0,
    descriptorAddress: 0n,
    kernargAddress: base,
    packetAddress: 0n,
    queueAddress: 0n,
    dispatchId: 0n,
    entryAddress: codeAddress,
    rsrc1: (ALL_VGPRS / (waveSize === 32 ? 8 : 4) - 1) | ((MODE & 0xff) << 12) | (1 << 21) | (1 << 23),
    rsrc2: (2 << 1) | (1 << 7),
    rsrc3: 0,
    properties: (1 << 3) | (waveSize === 32 ? 1 << 10 : 0),
    kernargPreload: 0,
  };
  const wanted = new Reference(machine.bytes.slice(at, at + total), base, code, codeAddress, waveSize).run(dispatch);
  const outcome = machine.run(dispatch, { exactNan: true, ...run.options });
  if (typeof outcome === 'object') return `fault: ${outcome.message} ${outcome.disassembly}`;
  for (let i = 0; i < total; i += 4) {
    const [x, y] = [machine.view.getUint32(at + i, true), wanted.getUint32(i, true)];
    if (x === y) continue;
    const dword = (i - results) / 4;
    const place = i < results ? `atomic ${(i - KERNARG_BYTES - INPUT_BYTES) / 4}` : placeOf(dword);
    return `${place}: ${x.toString(16)}, reference ${y.toString(16)}`;
  }
  return '';
}

function placeOf(dword: number): string {
  const register = dword % RESULT_DWORDS;
  const item = Math.floor(dword / RESULT_DWORDS);
  const name =
    register < 12 ? `v${register}` : register < 28 ? `s${register + 4}` : ['vcc_lo', 'vcc_hi', 'scc', 'exec'][register - 28];
  return `group ${item >> 10} item ${item & 1023} ${name}`;
}

interface Wave {
  readonly state: WaveState;
  pc: number;
  mode: number;
  at: 'running' | 'barrier' | 'ended';
}

/** The dispatch in the interpreter, on memory of its own. */
class Reference {
  readonly #memory: DeviceMemory;
  readonly #mapped: EvaluatorMemory;
  readonly #code: Uint8Array;
  readonly #codeBase: bigint;
  readonly #decoder: Decoder;
  readonly #waveSize: 32 | 64;
  readonly #blocks = new Map<string, Block>();
  #steps = 0;

  constructor(bytes: Uint8Array, base: bigint, code: Uint8Array, codeBase: bigint, waveSize: 32 | 64) {
    this.#memory = new DeviceMemory(bytes.length);
    this.#memory.bytes.set(bytes);
    this.#mapped = mappedAt(this.#memory, base);
    this.#code = code;
    this.#codeBase = codeBase;
    this.#waveSize = waveSize;
    this.#decoder = createDecoder('gfx1100', { waveSize });
  }

  run(dispatch: Dispatch): DataView {
    for (let group = 0; group < dispatch.groups[0]; group++) this.#workgroup(dispatch, group);
    return this.#memory.view;
  }

  #workgroup(dispatch: Dispatch, group: number): void {
    const items = packedItemIds(dispatch.workgroup, this.#waveSize);
    const waves: Wave[] = [];
    for (let first = 0; first < items.length; first += this.#waveSize) {
      const state = createWaveState(this.#waveSize, ALL_VGPRS);
      state.sgprs[0] = Number(dispatch.kernargAddress & 0xffff_ffffn);
      state.sgprs[1] = Number(dispatch.kernargAddress >> 32n);
      state.sgprs[2] = group;
      for (let lane = 0; lane < this.#waveSize; lane++) {
        state.vgprs[lane] = items[first + lane]! & 1023;
        const isThere = first + lane < dispatch.workgroup[0] && group * dispatch.workgroup[0] + first + lane < dispatch.grid[0];
        if (isThere) state.sgprs[SGPR_EXEC + (lane >> 5)]! |= 1 << (lane & 31);
      }
      waves.push({ state, pc: 0, mode: MODE, at: 'running' });
    }
    this.#memory.lds = new DataView(new ArrayBuffer(dispatch.ldsBytes));
    while (waves.some((wave) => wave.at !== 'ended')) {
      for (const wave of waves) while (wave.at === 'running') this.#step(wave);
      for (const wave of waves) if (wave.at === 'barrier') wave.at = 'running';
    }
  }

  #step(wave: Wave): void {
    if (this.#steps++ > MAX_STEPS) throw new Error(`no end: ${wave.pc}`);
    const key = `${wave.pc} ${wave.mode}`;
    let block = this.#blocks.get(key);
    if (block === undefined) {
      const decoded = this.#decoder.decode(this.#code, wave.pc);
      if (!decoded.ok) throw new Error(`${decoded.failure.message} at ${wave.pc}`);
      block = buildBlock([{ offset: wave.pc, instruction: decoded.instruction }], {
        waveSize: this.#waveSize,
        mode: decodeMode(wave.mode),
        processor: 'gfx1100',
        codeBase: this.#codeBase,
        vgprCount: ALL_VGPRS,
      });
      this.#blocks.set(key, block);
    }
    const outcome = evaluateBlock(block, wave.state, this.#mapped);
    if (block.modeAfter !== undefined) wave.mode = encodeMode(block.modeAfter);
    if (outcome.kind === 'next' || outcome.kind === 'yield') wave.pc = outcome.to;
    else if (outcome.kind === 'indirect') wave.pc = Number(outcome.target - this.#codeBase);
    else if (outcome.kind === 'end') wave.at = 'ended';
    else if (outcome.kind === 'barrier') {
      wave.pc = outcome.to;
      wave.at = 'barrier';
    } else throw new Error(`reference: ${outcome.kind} at ${wave.pc}`);
  }
}

/** Memory that begins at a GPU address. */
function mappedAt(memory: DeviceMemory, base: bigint): EvaluatorMemory {
  const place = (position: { readonly low: number; readonly high: number }): { low: number; high: number } => {
    const offset = ((BigInt(position.high) << 32n) | BigInt(position.low)) - base;
    return offset >= 0n && offset < BigInt(memory.bytes.length) ? { low: Number(offset), high: 0x42 } : { low: 0, high: 0 };
  };
  const isLocal = (space: string): boolean => space === 'lds' || space === 'scratch';
  return {
    load: (space, position, bits, lane) => memory.load(space, isLocal(space) ? position : place(position), bits, lane),
    store: (space, position, bits, value, lane) =>
      memory.store(space, isLocal(space) ? position : place(position), bits, value, lane),
    atomic: (access) =>
      isLocal(access.space) ? memory.atomic(access) : memory.atomic({ ...access, position: place(access.position) }),
    clock: () => 0n,
    lastFault: { failure: 'not-present' },
  };
}
