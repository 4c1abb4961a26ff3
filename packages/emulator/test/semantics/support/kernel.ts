/** Compiles OpenCL C for a GPU target with clang and runs a kernel, instruction by instruction, in the reference interpreter. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Decoder } from '@doorbell/isa';
import { createDecoder } from '@doorbell/isa';
import type { Block } from '../../../src/ir/block.js';
import { SGPR_EXEC } from '../../../src/ir/block.js';
import type { Outcome, WaveState } from '../../../src/evaluate/index.js';
import { createWaveState, evaluateBlock } from '../../../src/evaluate/index.js';
import { buildBlock, decodeMode, encodeMode } from '../../../src/semantics/index.js';
import { DeviceMemory, MEMORY_BASE_HIGH } from './device-memory.js';

const BASE = BigInt(MEMORY_BASE_HIGH) << 32n;

export interface CompileOptions {
  readonly processor?: string;
  readonly optimisation?: string;
  readonly flags?: readonly string[];
}

/** OpenCL C → the bytes of a linked code object. */
export function compileKernels(source: string, options: CompileOptions = {}): Uint8Array {
  const { processor = 'gfx1100', optimisation = '-O2', flags = [] } = options;
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-kernel-'));
  try {
    const [input, output] = [join(folder, 'kernel.cl'), join(folder, 'kernel.hsaco')];
    writeFileSync(input, source);
    const run = spawnSync(
      'clang-22',
      [
        ...['-x', 'cl', '-cl-std=CL2.0', '-Xclang', '-finclude-default-header', optimisation, '-w'],
        ...['-target', 'amdgcn-amd-amdhsa', `-mcpu=${processor}`, '-nogpulib', ...flags, input, '-o', output],
      ],
      { encoding: 'utf8' },
    );
    if (run.status !== 0) throw new Error(run.stderr);
    return readFileSync(output);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export interface Launch {
  readonly kernel: string;
  readonly groups: number;
  readonly workgroup: number;
  /** Numbers are 32-bit; buffers are copied in before and back after. */
  readonly args: readonly (number | Uint32Array)[];
  readonly processor?: string;
  /** Kernel descriptor's MODE bits are replaced by these. */
  readonly mode?: number;
}

/** An ELF image in memory, with the symbols of its kernels. */
class Image {
  readonly memory: DeviceMemory;
  readonly symbols = new Map<string, number>();
  end = 0;

  constructor(elf: Uint8Array, sizeBytes: number) {
    this.memory = new DeviceMemory(sizeBytes, 0x10000, 0x1000);
    const view = new DataView(elf.buffer, elf.byteOffset, elf.byteLength);
    const offset64 = (at: number): number => Number(view.getBigUint64(at, true));
    const headers = offset64(32);
    for (let n = 0; n < view.getUint16(56, true); n++) {
      const header = headers + n * 56;
      if (view.getUint32(header, true) !== 1) continue;
      const [fileOffset, address, size] = [offset64(header + 8), offset64(header + 16), offset64(header + 32)];
      this.memory.bytes.set(elf.subarray(fileOffset, fileOffset + size), address);
      this.end = Math.max(this.end, address + offset64(header + 40));
    }
    this.#readSymbols(elf, view);
  }

  #readSymbols(elf: Uint8Array, view: DataView): void {
    const sections = Number(view.getBigUint64(40, true));
    for (let n = 0; n < view.getUint16(60, true); n++) {
      const section = sections + n * 64;
      if (view.getUint32(section + 4, true) !== 11) continue; // SHT_DYNSYM
      const [start, size] = [Number(view.getBigUint64(section + 24, true)), Number(view.getBigUint64(section + 32, true))];
      const strings = Number(view.getBigUint64(sections + view.getUint32(section + 40, true) * 64 + 24, true));
      for (let symbol = start; symbol < start + size; symbol += 24) {
        const name = strings + view.getUint32(symbol, true);
        const text = new TextDecoder().decode(elf.subarray(name, elf.indexOf(0, name)));
        this.symbols.set(text, Number(view.getBigUint64(symbol + 8, true)));
      }
    }
  }
}

/** Runs all workgroups; throws what goes wrong. Returns how many instructions were executed. */
export function runKernel(elf: Uint8Array, launch: Launch): number {
  const { kernel, groups, workgroup, args, processor = 'gfx1100' } = launch;
  const bufferBytes = args.reduce<number>((sum, arg) => sum + (typeof arg === 'number' ? 0 : arg.byteLength + 256), 0);
  const image = new Image(elf, 0x40000 + bufferBytes);
  const { memory } = image;
  const descriptor = image.symbols.get(`${kernel}.kd`);
  if (descriptor === undefined) throw new Error(`no kernel ${kernel}`);

  // Kernel arguments, then the buffers.
  const kernarg = (image.end + 255) & ~255;
  let [next, free] = [kernarg, kernarg + 1024];
  const places: { readonly at: number; readonly data: Uint32Array }[] = [];
  for (const arg of args) {
    if (typeof arg === 'number') {
      memory.view.setUint32(next, arg, true);
      next += 4;
      continue;
    }
    next = (next + 7) & ~7;
    memory.view.setBigUint64(next, BASE + BigInt(free), true);
    next += 8;
    memory.bytes.set(new Uint8Array(arg.buffer, arg.byteOffset, arg.byteLength), free);
    places.push({ at: free, data: arg });
    free = (free + arg.byteLength + 255) & ~255;
  }

  const run = new KernelRun(image, descriptor, kernarg, launch.mode, processor);
  for (let group = 0; group < groups; group++) run.workgroup(group, workgroup);
  for (const { at, data } of places) {
    new Uint8Array(data.buffer, data.byteOffset, data.byteLength).set(memory.bytes.subarray(at, at + data.byteLength));
  }
  return run.executed;
}

interface Wave {
  readonly state: WaveState;
  pc: number;
  mode: number;
  at: 'running' | 'barrier' | 'ended';
}

class KernelRun {
  executed = 0;
  readonly #image: Image;
  readonly #kernarg: number;
  readonly #entry: number;
  readonly #waveSize: 32 | 64;
  readonly #userSgprs: number;
  readonly #hasWorkgroupX: boolean;
  readonly #properties: number;
  readonly #mode: number;
  readonly #decoder: Decoder;
  readonly #processor: string;
  readonly #blocks = new Map<string, Block>();

  constructor(image: Image, descriptor: number, kernarg: number, mode: number | undefined, processor: string) {
    const { view } = image.memory;
    this.#image = image;
    this.#kernarg = kernarg;
    this.#processor = processor;
    this.#entry = descriptor + Number(view.getBigInt64(descriptor + 16, true));
    const [rsrc1, rsrc2] = [view.getUint32(descriptor + 48, true), view.getUint32(descriptor + 52, true)];
    this.#properties = view.getUint16(descriptor + 56, true);
    this.#waveSize = (this.#properties & (1 << 10)) !== 0 ? 32 : 64;
    this.#userSgprs = (rsrc2 >>> 1) & 0x1f;
    this.#hasWorkgroupX = (rsrc2 & 0x80) !== 0;
    const flags = (((rsrc1 >>> 21) & 1) << 8) | (((rsrc1 >>> 23) & 1) << 9);
    this.#mode = mode ?? ((rsrc1 >>> 12) & 0xff) | flags;
    this.#decoder = createDecoder(processor, { waveSize: this.#waveSize });
  }

  workgroup(group: number, workgroup: number): void {
    const waves: Wave[] = [];
    for (let first = 0; first < workgroup; first += this.#waveSize) {
      const state = this.#start(group, first, workgroup);
      waves.push({ state, pc: this.#entry, mode: this.#mode, at: 'running' });
    }
    this.#image.memory.lds = new DataView(new ArrayBuffer(0x10000));
    while (waves.some((wave) => wave.at !== 'ended')) {
      for (const wave of waves) {
        while (wave.at === 'running') {
          const outcome = this.#step(wave);
          if (outcome.kind === 'next' || outcome.kind === 'yield') wave.pc = outcome.to;
          else if (outcome.kind === 'indirect') wave.pc = Number(outcome.target - BASE);
          else if (outcome.kind === 'end') wave.at = 'ended';
          else if (outcome.kind === 'barrier') {
            wave.pc = outcome.to;
            wave.at = 'barrier';
          } else throw new Error(describe(outcome));
        }
      }
      for (const wave of waves) if (wave.at === 'barrier') wave.at = 'running';
    }
  }

  #start(group: number, first: number, workgroup: number): WaveState {
    const state = createWaveState(this.#waveSize);
    let user = 0;
    // Order of the user SGPRs: private buffer (4), dispatch, queue, kernarg pointers (2 each), …
    for (const [bit, count] of [
      [0, 4],
      [1, 2],
      [2, 2],
      [3, 2],
    ] as const) {
      if ((this.#properties & (1 << bit)) === 0) continue;
      if (bit === 3) {
        state.sgprs[user] = this.#kernarg;
        state.sgprs[user + 1] = MEMORY_BASE_HIGH;
      }
      user += count;
    }
    if (this.#hasWorkgroupX) state.sgprs[this.#userSgprs] = group;
    for (let lane = 0; lane < this.#waveSize; lane++) {
      const id = first + lane;
      state.vgprs[lane] = id;
      if (id >= workgroup) continue;
      const register = SGPR_EXEC + (lane >> 5);
      state.sgprs[register] = (state.sgprs[register]! | (1 << (lane & 31))) >>> 0;
    }
    return state;
  }

  #step(wave: Wave): Outcome {
    const { state, pc, mode } = wave;
    const key = `${pc} ${mode}`;
    let block = this.#blocks.get(key);
    if (block === undefined) {
      const decoded = this.#decoder.decode(this.#image.memory.bytes, pc);
      if (!decoded.ok) throw new Error(`${decoded.failure.message} at ${pc}`);
      block = buildBlock([{ offset: pc, instruction: decoded.instruction }], {
        waveSize: this.#waveSize,
        mode: decodeMode(mode),
        processor: this.#processor,
        codeBase: BASE,
      });
      this.#blocks.set(key, block);
    }
    this.executed++;
    if (block.modeAfter !== undefined) wave.mode = encodeMode(block.modeAfter);
    return evaluateBlock(block, state, this.#image.memory);
  }
}

function describe(outcome: Outcome): string {
  return JSON.stringify(outcome, (_, value: unknown) => (typeof value === 'bigint' ? `0x${value.toString(16)}` : value));
}
