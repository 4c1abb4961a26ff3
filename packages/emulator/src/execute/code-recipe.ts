/** What code is made from, in a form that threads can hand to each other; and how it is made. */
import { createDecoder, type Decoder } from '@doorbell/isa';
import type { DispatcherOptions } from '../baseline/dispatcher.js';
import { buildCfg, type Cfg } from '../compile/cfg.js';
import { CodeReader, type CodeOptions } from '../compile/code-reader.js';
import { compileModule, type CompileOptions } from '../compile/compiler.js';
import { splitFullExec } from '../compile/full-exec.js';
import { copyByGuesses } from '../compile/lane-guesses.js';
import { analyseLiveness } from '../compile/liveness.js';
import type { InitialSgpr, KernelStart } from '../compile/initial-registers.js';
import { analyseProgram, type Program } from '../compile/program.js';
import { Shapes } from '../compile/shapes.js';
import type { FloatMode } from '../ir/float-mode.js';
import type { ItemShape } from './item-shapes.js';

/** How waves begin; plain data. */
export interface StartRecipe {
  readonly sgprs: readonly (readonly [number, InitialSgpr])[];
  readonly items: readonly ItemShape[];
  readonly fullWaves: boolean;
}

/** A program, but for its machine code; plain data. */
export interface Recipe {
  readonly processor: string;
  readonly waveSize: 32 | 64;
  readonly vgprCount: number;
  readonly mode: FloatMode;
  /** GPU address of the image's first byte, decimal. */
  readonly address: string;
  /** Byte offset of the first instruction. */
  readonly entry: number;
  /** Absent: entered with any registers. */
  readonly start?: StartRecipe;
  readonly options: CompileOptions;
}

/** What a module of optimised code holds: code from the start on and behind barriers, or from one block on. */
export type ModuleKind = 'optimised' | number;

export function moduleName(recipe: string, kind: ModuleKind): string {
  return `${kind} ${recipe}`;
}

/** The name of a piece of baseline code, by its first block. */
export function pieceName(recipe: string, block: string): string {
  return `baseline from ${block} ${recipe}`;
}

export function parseModuleName(name: string): { readonly kind: ModuleKind; readonly recipe: string } {
  const at = name.indexOf(' ');
  const kind = name.slice(0, at);
  return { kind: kind === 'optimised' ? kind : Number(kind), recipe: name.slice(at + 1) };
}

/** Decoders and shapes, shared by all that a thread makes. */
export class Workshop {
  readonly #decoders = new Map<string, Decoder>();
  readonly #shapes = new Map<number, Shapes>();

  decoder(processor: string, waveSize: 32 | 64): Decoder {
    const key = `${processor},${waveSize}`;
    const found = this.#decoders.get(key);
    if (found !== undefined) return found;
    const decoder = createDecoder(processor, { waveSize });
    this.#decoders.set(key, decoder);
    return decoder;
  }

  cfg(recipe: Recipe, code: Uint8Array): Cfg {
    const { entry, mode, start } = recipe;
    return buildCfg(this.#codeOptions(recipe, code), { start: entry, mode, hasStart: start !== undefined });
  }

  reader(recipe: Recipe, code: Uint8Array): CodeReader {
    return new CodeReader(this.#codeOptions(recipe, code));
  }

  /** What runs the recipe's baseline code. */
  dispatcher(recipe: Recipe): DispatcherOptions {
    const shapes = this.#shapesOf(recipe.waveSize);
    return { compile: recipe.options, vgprCount: recipe.vgprCount, shapes, start: startOf(recipe, shapes) };
  }

  /** The program of optimised code. */
  optimised(recipe: Recipe, cfg: Cfg): Program {
    const shapes = this.#shapesOf(recipe.waveSize);
    const split = copyByGuesses(splitFullExec(cfg), recipe.waveSize);
    const liveness = analyseLiveness(split, recipe.vgprCount);
    return analyseProgram(split, liveness, shapes, startOf(recipe, shapes));
  }

  #codeOptions({ processor, waveSize, vgprCount, address }: Recipe, code: Uint8Array): CodeOptions {
    return { decoder: this.decoder(processor, waveSize), code, codeBase: BigInt(address), vgprCount };
  }

  #shapesOf(waveSize: 32 | 64): Shapes {
    const found = this.#shapes.get(waveSize);
    if (found !== undefined) return found;
    const shapes = new Shapes(waveSize);
    this.#shapes.set(waveSize, shapes);
    return shapes;
  }
}

export function hasBarrier(cfg: Cfg): boolean {
  return cfg.blocks.some((block) => block.ir.exit.kind === 'barrier');
}

/** A module of optimised code. */
export function compileKind(program: Program, kind: ModuleKind, options: CompileOptions): Uint8Array<ArrayBuffer> {
  if (kind !== 'optimised') return compileModule(program, [kind], options);
  const entries = new Set([0]);
  for (const block of program.cfg.blocks) {
    if (block.ir.exit.kind === 'barrier' && program.isReached[block.index] === true) entries.add(block.continuation);
  }
  const withDriver = entries.size > 1 && program.start !== undefined;
  return compileModule(program, [...entries], { ...options, withDriver });
}

function startOf({ start }: Recipe, shapes: Shapes): KernelStart | undefined {
  if (start === undefined) return undefined;
  return {
    sgprs: new Map(start.sgprs),
    items: start.items.map(({ pattern, ...item }) => ({
      ...item,
      pattern: pattern === undefined ? undefined : shapes.pattern(Int32Array.from(pattern)),
    })),
    fullWaves: start.fullWaves,
  };
}
