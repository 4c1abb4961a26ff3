/** Kernels made ready: code decoded once, compiled for each way of starting, segments compiled when they are first needed. */
import type { Decoder } from '@doorbell/isa';
import { buildCfg, type Cfg } from '../compile/cfg.js';
import {
  compileModule,
  instantiate,
  type ClockSource,
  type CompileOptions,
  type Instance,
  type Segment,
} from '../compile/compiler.js';
import { splitFullExec } from '../compile/full-exec.js';
import { analyseLiveness } from '../compile/liveness.js';
import { analyseProgram, type InitialSgpr, type KernelStart, type Program } from '../compile/program.js';
import { Shapes } from '../compile/shapes.js';
import type { FloatMode } from '../ir/float-mode.js';
import { itemShapes } from './item-shapes.js';

/** Code as it was when the kernel was made ready, and where it lies. */
export interface CodeImage {
  readonly bytes: Uint8Array;
  /** GPU address of the first byte. */
  readonly address: bigint;
  /** Byte offset of the kernel's first instruction. */
  readonly entry: number;
}

export interface KernelOptions extends CompileOptions {
  readonly memory: WebAssembly.Memory;
  readonly clock: ClockSource;
}

/** A program with its segments. */
export class RunnableProgram {
  readonly program: Program;
  readonly #options: KernelOptions;
  readonly #segments = new Map<number, Segment>();
  /** Runs whole workgroups of a kernel with barriers (compile/driver.ts). */
  readonly driver: Segment | undefined;

  constructor(program: Program, options: KernelOptions) {
    this.program = program;
    this.#options = options;
    const entries = new Set([0]);
    for (const block of program.cfg.blocks) {
      if (block.ir.exit.kind === 'barrier' && program.isReached[block.index] === true) entries.add(block.continuation);
    }
    const withDriver = entries.size > 1 && program.start !== undefined;
    this.driver = this.#compile([...entries], withDriver).driver;
  }

  /** The segment that begins at a block; compiled on first use. */
  segment(block: number): Segment {
    return this.#segments.get(block) ?? this.#compile([block], false).segments.get(block) ?? failSegment(block);
  }

  #compile(entries: readonly number[], withDriver: boolean): Instance {
    const bytes = compileModule(this.program, entries, { ...this.#options, withDriver });
    const instance = instantiate(bytes, this.#options.memory, this.#options.clock);
    for (const [block, segment] of instance.segments) this.#segments.set(block, segment);
    return instance;
  }
}

function failSegment(block: number): never {
  throw new RangeError(`No segment for block ${block}.`);
}

/** How waves of a dispatch start, beside the values of registers. */
export interface StartShape {
  readonly sgprs: ReadonlyMap<number, InitialSgpr>;
  /** Packed work-item ids of a workgroup, whole waves. */
  readonly itemIds: Uint32Array;
  readonly itemKind: 'packed' | 'separate';
  readonly fullWaves: boolean;
}

export class CompiledKernel {
  readonly image: CodeImage;
  readonly decoder: Decoder;
  readonly mode: FloatMode;
  readonly vgprCount: number;
  readonly hasBarrier: boolean;
  readonly #options: KernelOptions;
  readonly #cfg: Cfg;
  readonly #shapes: Shapes;
  readonly #variants = new Map<string, RunnableProgram>();
  readonly #targets = new Map<number, RunnableProgram>();

  constructor(image: CodeImage, decoder: Decoder, mode: FloatMode, vgprCount: number, options: KernelOptions) {
    this.image = image;
    this.decoder = decoder;
    this.mode = mode;
    this.vgprCount = vgprCount;
    this.#options = options;
    this.#cfg = this.#cfgAt(image.entry);
    this.hasBarrier = this.#cfg.blocks.some((block) => block.ir.exit.kind === 'barrier');
    this.#shapes = new Shapes(decoder.waveSize);
  }

  /** Code bytes that the kernel's own blocks were made of, as offsets in the image. */
  get ranges(): Cfg['ranges'] {
    return this.#cfg.ranges;
  }

  /** The program for one way of starting. */
  variant(shape: StartShape): RunnableProgram {
    const items = itemShapes(shape.itemIds, this.decoder.waveSize, shape.itemKind);
    const sgprs = [...shape.sgprs].map(([register, source]) => `${register}${JSON.stringify(source)}`).join();
    const key = `${shape.fullWaves}|${sgprs}|${JSON.stringify(items)}`;
    const found = this.#variants.get(key);
    if (found !== undefined) return found;
    const start: KernelStart = {
      sgprs: shape.sgprs,
      items: items.map(({ pattern, ...item }) => ({
        ...item,
        pattern: pattern === undefined ? undefined : this.#shapes.pattern(Int32Array.from(pattern)),
      })),
      fullWaves: shape.fullWaves,
    };
    const runnable = this.#runnable(this.#cfg, start);
    this.#variants.set(key, runnable);
    return runnable;
  }

  /** The program at the target of an indirect jump, entered with any registers. */
  target(offset: number): RunnableProgram {
    const found = this.#targets.get(offset);
    if (found !== undefined) return found;
    const runnable = this.#runnable(this.#cfgAt(offset), undefined);
    this.#targets.set(offset, runnable);
    return runnable;
  }

  #cfgAt(entry: number): Cfg {
    const { image, decoder, mode, vgprCount } = this;
    return splitFullExec(buildCfg({ decoder, code: image.bytes, codeBase: image.address, entry, mode, vgprCount }));
  }

  #runnable(cfg: Cfg, start: KernelStart | undefined): RunnableProgram {
    const liveness = analyseLiveness(cfg, this.vgprCount);
    return new RunnableProgram(analyseProgram(cfg, liveness, this.#shapes, start), this.#options);
  }
}
