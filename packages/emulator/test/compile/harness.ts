/** Runs a block of IR in the evaluator and compiled, on the same registers and memory, and says where they differ. */
import v8 from 'node:v8';
import { createDispatcher } from '../../src/baseline/dispatcher.js';
import { compilePiece, instantiatePiece } from '../../src/baseline/piece.js';
import type { CfgBlock } from '../../src/compile/cfg.js';
import { compileModule, instantiate, type CompileOptions, type Segment } from '../../src/compile/compiler.js';
import { analyseLiveness } from '../../src/compile/liveness.js';
import { analyseProgram } from '../../src/compile/program.js';
import { probeRelaxed } from '../../src/compile/probe.js';
import { Shapes } from '../../src/compile/shapes.js';
import {
  CONTROL_BYTES,
  CONTROL_FUEL,
  CONTROL_LDS,
  CONTROL_LDS_BYTES,
  CONTROL_SLOTS,
  CONTROL_SLOT_BYTES,
  CONTROL_WAVES_PER_GROUP,
  SLOT_SCC,
  SLOT_SGPRS,
  SLOT_VGPRS,
  slotBytes,
} from '../../src/compile/wave-state.js';
import { evaluateBlock, type WaveState } from '../../src/evaluate/index.js';
import { MemoryView } from '../../src/execute/memory-view.js';
import { OverlayMemory } from '../../src/execute/overlay-memory.js';
import type { Block } from '../../src/ir/block.js';
import type { FloatMode } from '../../src/ir/float-mode.js';
import { WaveBuilder } from '../../src/ir/wave-builder.js';
import {
  MEMORY_PAGES,
  PAGE_BYTES,
  PAGE_COARSE,
  PAGE_READ,
  PAGE_TABLE,
  PAGE_WRITE,
  SYSTEM_HEAP,
  WORKER_SLICES,
} from '../../src/memory-map.js';

v8.setFlagsFromString('--experimental-wasm-relaxed-simd');

export const MODE: FloatMode = {
  roundF32: 0,
  roundF16F64: 0,
  denormF32: 3,
  denormF16F64: 3,
  dx10Clamp: true,
  ieee: true,
  fp16Overflow: false,
  others: 0,
};
export const VGPRS = 16;
export const LDS_BYTES = 1024;
/** Memory that blocks may touch. */
export const BUFFER: number = SYSTEM_HEAP + PAGE_BYTES;
export const BUFFER_BYTES: number = 2 * PAGE_BYTES;

const memory = new WebAssembly.Memory({ initial: MEMORY_PAGES, maximum: MEMORY_PAGES, shared: true });
const view = new DataView(memory.buffer);
const bytes = new Uint8Array(memory.buffer);
bytes.fill(PAGE_READ | PAGE_WRITE, PAGE_TABLE + BUFFER / PAGE_BYTES, PAGE_TABLE + (BUFFER + BUFFER_BYTES) / PAGE_BYTES);
// Atomics take another way in the first page.
bytes[PAGE_TABLE + BUFFER / PAGE_BYTES]! |= PAGE_COARSE;
export const HAS_RELAXED: boolean = probeRelaxed(memory);

/** A block built by hand; it leaves with an indirect jump, so that all its registers can be seen. */
export function buildTestBlock(waveSize: 32 | 64, write: (b: WaveBuilder) => void): Block {
  const builder = new WaveBuilder({ waveSize, mode: MODE, start: 0, codeBase: 0n });
  builder.begin(0, 4);
  write(builder);
  builder.exit({ kind: 'indirect', target: builder.i64(0, 0), mode: builder.i32(0) });
  return builder.finish();
}

/** The block as a function that changes a wave's registers. */
export class CompiledBlock {
  readonly #segment: Segment;
  readonly #waveSize: 32 | 64;
  readonly #block: Block;
  readonly #vgprs: number;

  constructor(
    block: Block,
    waveSize: 32 | 64,
    options: Partial<CompileOptions> = {},
    tier: 'baseline' | 'optimised' = 'optimised',
    vgprs: number = VGPRS,
  ) {
    this.#waveSize = waveSize;
    this.#vgprs = vgprs;
    this.#block = { ...block, exit: { kind: 'indirect', target: constant('i64', 100_000), mode: constant('i32', 100_001) } };
    const cfgBlock: CfgBlock = {
      index: 0,
      ir: this.#block,
      instructionCount: 1,
      mode: MODE,
      successors: [],
      continuation: -1,
      predecessors: [],
      isFull: false,
      hasGuard: false,
    };
    const cfg = { blocks: [cfgBlock], ranges: [] };
    const full: CompileOptions = {
      addressSpace: 'fixed',
      softwarePages: false,
      relaxed: HAS_RELAXED,
      exactNan: true,
      isOnlyWorker: true,
      ...options,
    };
    const shapes = new Shapes(waveSize);
    const clock = (): bigint => 0n;
    if (tier === 'baseline') {
      const table = new WebAssembly.Table({ element: 'anyfunc', initial: 1 });
      const { resume } = createDispatcher(
        { compile: full, vgprCount: vgprs, shapes, start: undefined },
        { memory, clock, table },
      );
      const piece = compilePiece([cfgBlock], { compile: full, waveSize, nameOf: String });
      instantiatePiece(piece, { memory, clock, table, numberOf: Number });
      this.#segment = (control, wave, end) => resume(control, wave, end, 0);
    } else {
      const program = analyseProgram(cfg, analyseLiveness(cfg, vgprs), shapes, undefined);
      this.#segment = instantiate(compileModule(program, [0], full), memory, clock).segments.get(0)!;
    }
  }

  /** Runs compiled code; LDS and buffer are those of the memory. */
  run(wave: WaveState): void {
    const control = WORKER_SLICES;
    const lds = control + CONTROL_BYTES;
    const slot = lds + LDS_BYTES;
    const put = (offset: number, value: number): void => view.setUint32(control + offset, value, true);
    put(CONTROL_FUEL, 1000);
    put(CONTROL_LDS, lds);
    put(CONTROL_LDS_BYTES, LDS_BYTES);
    put(CONTROL_SLOTS, slot);
    put(CONTROL_SLOT_BYTES, slotBytes(this.#vgprs, this.#waveSize));
    put(CONTROL_WAVES_PER_GROUP, 1);
    words(slot + SLOT_SGPRS, 128).set(wave.sgprs);
    view.setUint32(slot + SLOT_SCC, wave.scc, true);
    words(slot + SLOT_VGPRS, this.#vgprs * this.#waveSize).set(wave.vgprs);
    // Instructions that index registers may name others than those of the wave: they hold 0, as in the evaluator.
    const end = slot + SLOT_VGPRS + this.#vgprs * this.#waveSize * 4;
    bytes.fill(0, end, end + 256 * this.#waveSize * 4);
    this.#segment(control, 0, 1);
    wave.sgprs.set(words(slot + SLOT_SGPRS, 128));
    wave.scc = view.getUint32(slot + SLOT_SCC, true);
    wave.vgprs.set(words(slot + SLOT_VGPRS, this.#vgprs * this.#waveSize));
  }

  /** Runs the evaluator; stores stay in an overlay of the memory. */
  evaluate(wave: WaveState): OverlayMemory | { readonly fault: bigint } {
    const overlay = new OverlayMemory(new MemoryView(memory, 'fixed'), () => 0n, {
      lds: WORKER_SLICES + CONTROL_BYTES,
      ldsBytes: LDS_BYTES,
      privateBase: 0,
      privateBytes: 0,
      waveSize: this.#waveSize,
    });
    const outcome = evaluateBlock(this.#block, wave, overlay);
    if (outcome.kind === 'fault') return { fault: outcome.fault.address };
    return overlay;
  }
}

function words(offset: number, length: number): Uint32Array {
  return new Uint32Array(memory.buffer, offset, length);
}

function constant(type: 'i32' | 'i64', id: number): Block['nodes'][number] {
  return { kind: 'const', id, type, uniform: true, low: 0, high: 0 };
}

export function fillMemory(random: Random): void {
  for (let i = 0; i < BUFFER_BYTES; i += 4) view.setUint32(BUFFER + i, random.bits(), true);
  for (let i = 0; i < LDS_BYTES; i += 4) view.setUint32(WORKER_SLICES + CONTROL_BYTES + i, random.bits(), true);
}

/** The memory that blocks may touch: buffer, then LDS. */
export function snapshot(): Uint8Array {
  const out = new Uint8Array(BUFFER_BYTES + LDS_BYTES);
  out.set(bytes.subarray(BUFFER, BUFFER + BUFFER_BYTES));
  out.set(bytes.subarray(WORKER_SLICES + CONTROL_BYTES, WORKER_SLICES + CONTROL_BYTES + LDS_BYTES), BUFFER_BYTES);
  return out;
}

/** Makes the memory that of a snapshot again. */
export function restore(from: Uint8Array): void {
  bytes.set(from.subarray(0, BUFFER_BYTES), BUFFER);
  bytes.set(from.subarray(BUFFER_BYTES), WORKER_SLICES + CONTROL_BYTES);
}

/** The same as an overlay of stores shows it. */
export function overlaySnapshot(overlay: OverlayMemory): Uint8Array {
  const out = snapshot();
  for (const [place, value] of overlay.stores()) {
    if (place >= BUFFER && place < BUFFER + BUFFER_BYTES) out[place - BUFFER] = value;
    else out[BUFFER_BYTES + place - (WORKER_SLICES + CONTROL_BYTES)] = value;
  }
  return out;
}

/** xorshift32 with values that matter mixed in. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 1;
  }

  word(): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x;
    return x >>> 0;
  }

  below(limit: number): number {
    return this.word() % limit;
  }

  /** Bits of an operand: random, small, float edges as f32 and f16, high dwords of f64 edges. */
  bits(): number {
    const kind = this.below(8);
    if (kind < 3) return this.word();
    if (kind === 3) return this.below(64);
    if (kind === 4) return (0x3f80_0000 + (this.word() >> 6)) >>> 0;
    return EDGES[this.below(EDGES.length)]!;
  }
}

const EDGES: readonly number[] = [
  0, 1, 0xffff_ffff, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0xffc0_1234, 0x7f80_0001,
  0xff9a_bcde, 0x0000_0001, 0x8000_0002, 0x007f_ffff, 0x0080_0000, 0x7f7f_ffff, 0xff7f_ffff, 0x3f80_0000, 0xbf80_0000,
  0x3f00_0000, 0x4f00_0000, 0xcf00_0000, 0x4f80_0000, 0x4b00_0001, 0x3380_0000, 0x477f_e000, 0x477f_efff, 0x477f_f000,
  0x3880_0000, 0x387f_ffff, 0x0000_7c00, 0x0000_fc00, 0x0000_7e01, 0x0000_7c01, 0x0000_03ff, 0x0000_0400, 0x0000_3c00,
  0x7ff0_0000, 0xfff0_0000, 0x7ff8_0001, 0x7ff0_0001, 0x3ff0_0000, 0xbff0_0000, 0x41df_ffff, 0xc1e0_0000, 0x0010_0000,
  0x000f_ffff, 0x36a0_0000, 0x47ef_ffff, 0x3e70_0000,
];

/** A wave with random registers and EXEC. */
export function randomWave(
  waveSize: 32 | 64,
  random: Random,
  fill: (index: number) => number = () => random.bits(),
  vgprs: number = VGPRS,
): WaveState {
  const wave: WaveState = {
    waveSize,
    sgprs: Uint32Array.from({ length: 128 }, () => random.bits()),
    vgprs: Uint32Array.from({ length: vgprs * waveSize }, (_, i) => fill(i)),
    scc: random.below(2),
  };
  const exec = random.below(4);
  wave.sgprs[126] = exec === 0 ? 0xffff_ffff : exec === 1 ? random.word() & random.word() : random.word();
  if (waveSize === 64) wave.sgprs[127] = exec === 0 ? 0xffff_ffff : random.word();
  return wave;
}

export function copyWave(wave: WaveState): WaveState {
  return { ...wave, sgprs: wave.sgprs.slice(), vgprs: wave.vgprs.slice() };
}

/** The first difference of two waves, in words; '' if there is none. Lanes outside `exec` count too. */
export function difference(before: WaveState, expected: WaveState, got: WaveState): string {
  const hex = (value: number | undefined): string => (value ?? 0).toString(16).padStart(8, '0');
  for (let i = 0; i < 128; i++) {
    if (expected.sgprs[i] !== got.sgprs[i]) return `s${i}: ${hex(got.sgprs[i])}, evaluator ${hex(expected.sgprs[i])}`;
  }
  if (expected.scc !== got.scc) return `scc: ${got.scc}, evaluator ${expected.scc}`;
  const { waveSize } = before;
  for (let i = 0; i < expected.vgprs.length; i++) {
    if (expected.vgprs[i] === got.vgprs[i]) continue;
    const lane = i % waveSize;
    const inputs = [0, 1, 2, 3, 4, 5].map((v) => hex(before.vgprs[v * waveSize + lane])).join(' ');
    return `v${Math.floor(i / waveSize)} lane ${lane}: ${hex(got.vgprs[i])}, evaluator ${hex(expected.vgprs[i])}; v0-5 ${inputs}`;
  }
  return '';
}
