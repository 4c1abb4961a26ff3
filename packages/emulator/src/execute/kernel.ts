/** Kernels made ready: a program for each way of starting, and for each target of an indirect jump. */
import type { Decoder } from '@doorbell/isa';
import type { CodeRanges } from '../compile/code-reader.js';
import type { CompileOptions } from '../compile/compiler.js';
import type { InitialSgpr } from '../compile/initial-registers.js';
import type { FloatMode } from '../ir/float-mode.js';
import { decodeMode } from '../semantics/index.js';
import { BaselineCode } from './baseline-code.js';
import { itemShapes, type ItemIds } from './item-shapes.js';
import type { Recipe, StartRecipe } from './code-recipe.js';
import {
  OptimisedProgram,
  ProgramSource,
  TieredProgram,
  type KernelParts,
  type ProgramTools,
  type RunnableProgram,
} from './runnable-program.js';

/** Code as it was when the kernel was made ready, and where it lies. */
export interface CodeImage {
  readonly bytes: Uint8Array;
  /** GPU address of the first byte. */
  readonly address: bigint;
  /** Byte offset of the kernel's first instruction. */
  readonly entry: number;
}

/** How waves of a dispatch start, beside the values of registers. */
export interface StartShape {
  readonly sgprs: ReadonlyMap<number, InitialSgpr>;
  /** Packed work-item ids of a workgroup, whole waves. */
  readonly itemIds: Uint32Array;
  readonly itemRegisters: ItemIds;
  readonly fullWaves: boolean;
}

export interface KernelOptions {
  readonly processor: string;
  readonly mode: FloatMode;
  readonly vgprCount: number;
  readonly compile: CompileOptions;
}

/** Ways of starting, and values of MODE at calls, that are remembered. */
const MAX_VARIANTS = 64;

interface Middle {
  readonly source: ProgramSource;
  program?: RunnableProgram;
  /** Version of the store that had no code yet. */
  seen?: number | undefined;
}

export class CompiledKernel {
  readonly image: CodeImage;
  readonly decoder: Decoder;
  readonly vgprCount: number;
  readonly #options: KernelOptions;
  readonly #variants = new Map<string, TieredProgram>();
  /** By MODE, then by offset. */
  readonly #targets = new Map<number, Map<number, TieredProgram>>();
  /** By block and MODE, optimised code from there on, for waves that run for long in baseline code; without a program: asked for. */
  readonly #middles = new Map<string, Middle>();
  readonly #parts: KernelParts;
  /** See {@link ranges}. */
  #ranges: CodeRanges | undefined;

  constructor(image: CodeImage, decoder: Decoder, options: KernelOptions, tools: ProgramTools) {
    this.image = image;
    this.decoder = decoder;
    this.vgprCount = options.vgprCount;
    this.#options = options;
    const recipe = this.#recipeAt(image.entry, undefined, options.mode);
    const reader = tools.workshop.reader(recipe, image.bytes);
    this.#parts = {
      image: image.bytes,
      reader,
      baseline: new BaselineCode(recipe, image.bytes, reader, tools),
      optimised: { bytes: 0 },
      tools,
    };
  }

  /** Code bytes that the kernel's own blocks can be made of, as offsets in the image. */
  get ranges(): CodeRanges {
    return (this.#ranges ??= this.#findRanges());
  }

  /** Bytes of the modules that were made for it. */
  get size(): number {
    const { baseline, optimised } = this.#parts;
    return baseline.codeBytes + optimised.bytes;
  }

  /** Another kernel follows: keeps code and lets go of what making more of it would be quicker with. */
  rest(): void {
    this.#parts.reader.forget();
  }

  /** How long baseline code has taken to be made. */
  get makingMs(): number {
    return this.#parts.baseline.spentMs;
  }

  /** The program for one way of starting. */
  variant(shape: StartShape): TieredProgram {
    const { waveSize } = this.decoder;
    const start: StartRecipe = {
      sgprs: [...shape.sgprs],
      items: itemShapes(shape.itemIds, waveSize, shape.itemRegisters),
      fullWaves: shape.fullWaves,
    };
    const key = JSON.stringify(start);
    const found = this.#variants.get(key);
    if (found !== undefined) return found;
    const source = this.#sourceAt(this.image.entry, start);
    const program = new TieredProgram(source);
    if (this.#variants.size >= MAX_VARIANTS) this.#variants.clear();
    this.#variants.set(key, program);
    return program;
  }

  /** The program at the target of an indirect jump, entered with any registers, and with these bits of MODE. */
  target(offset: number, mode: number): RunnableProgram {
    let targets = this.#targets.get(mode);
    if (targets === undefined) {
      if (this.#targets.size >= MAX_VARIANTS) this.#targets.clear();
      targets = new Map();
      this.#targets.set(mode, targets);
    }
    let found = targets.get(offset);
    if (found === undefined) {
      found = new TieredProgram(this.#sourceAt(offset, undefined, decodeMode(mode)));
      targets.set(offset, found);
    }
    return found.current;
  }

  /**
   * Optimised code from the start of a block of baseline code on, entered with the registers in the wave's slot; undefined while it is
   * being made, or not wanted.
   */
  middle(program: RunnableProgram, block: number): RunnableProgram | undefined {
    if (this.#parts.tools.tier !== 'both') return undefined;
    const { start, mode } = program.placeOf(block) ?? {};
    if (start === undefined || mode === undefined) return undefined;
    const key = `${start},${JSON.stringify(mode)}`;
    const middle: Middle = this.#middles.get(key) ?? { source: this.#sourceAt(start, undefined, mode) };
    this.#middles.set(key, middle);
    if (middle.program !== undefined) return middle.program;
    const version = this.#parts.tools.store?.version;
    if (version === middle.seen) return undefined;
    middle.seen = version;
    const stored = middle.source.find('optimised');
    if (stored !== undefined) middle.program = new OptimisedProgram(middle.source, stored.module);
    else middle.source.ask('optimised');
    return middle.program;
  }

  /** A run of the program took so long, targets of its calls included. */
  ran(program: TieredProgram, milliseconds: number): void {
    program.ran(milliseconds);
    for (const targets of this.#targets.values()) for (const target of targets.values()) target.ran(milliseconds);
  }

  #findRanges(): CodeRanges {
    const { reader } = this.#parts;
    const ranges = reader.reached(this.image.entry);
    reader.forget();
    return ranges;
  }

  #sourceAt(entry: number, start: StartRecipe | undefined, mode: FloatMode = this.#options.mode): ProgramSource {
    return new ProgramSource(this.#recipeAt(entry, start, mode), this.#parts);
  }

  #recipeAt(entry: number, start: StartRecipe | undefined, mode: FloatMode): Recipe {
    const { processor, vgprCount, compile } = this.#options;
    return {
      processor,
      waveSize: this.decoder.waveSize,
      vgprCount,
      mode,
      address: String(this.image.address),
      entry,
      ...(start === undefined ? {} : { start }),
      options: compile,
    };
  }
}
