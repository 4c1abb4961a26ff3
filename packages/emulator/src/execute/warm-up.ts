/**
 * Optimised code that is made and never runs, by a thread that has nothing to do: the engine reads, compiles and optimises this
 * compiler's own functions while they run for the first time, and a thread's first kernel would wait for that. In small steps, between
 * which the thread looks for work. For baseline code and all else that a kernel needs see device/rehearsal.ts.
 */
import type { CompileOptions } from '../compile/compiler.js';
import { decodeMode } from '../semantics/index.js';
import { compileKind, type Recipe, type StartRecipe, type Workshop } from './code-recipe.js';
import { itemShapes } from './item-shapes.js';
import { warmUpKernel } from './warm-up-kernel.js';

/** Each `next` is a step of some milliseconds in a thread that is still cold. */
export type WarmUp = Iterator<void, void>;

const VGPRS = 64;
const GROUP_ITEMS = 256;
/** The engine compiles what ran several times. */
const ROUNDS = 3;
/** Denormals of all sizes are kept, DX10_CLAMP: what compilers ask for. */
const USUAL_MODE = 0x1f0;

/** Optimised code, with the options that it is mostly asked for with. */
export function* warmUpOptimised(
  processor: string,
  { softwarePages }: Pick<CompileOptions, 'softwarePages'>,
  workshop: Workshop,
): WarmUp {
  const options: CompileOptions = { addressSpace: 'fixed', softwarePages, relaxed: true, exactNan: false, isOnlyWorker: false };
  const image = warmUpKernel(processor)?.code;
  if (image === undefined) return;
  const recipe = recipeOf(processor, options);
  for (let round = 0; round < ROUNDS; round++) {
    const cfg = workshop.cfg(recipe, image);
    yield;
    const program = workshop.optimised(recipe, cfg);
    yield;
    compileKind(program, 'optimised', options);
    yield;
  }
}

function recipeOf(processor: string, options: CompileOptions): Recipe & { readonly start: StartRecipe } {
  const waveSize = processor.startsWith('gfx9') ? 64 : 32;
  const itemIds = Uint32Array.from({ length: GROUP_ITEMS }, (_, index) => index);
  return {
    processor,
    waveSize,
    vgprCount: VGPRS,
    mode: decodeMode(USUAL_MODE),
    address: '0',
    entry: 0,
    start: {
      sgprs: Array.from({ length: 8 }, (_, index) => [index, { kind: 'user', index }] as const),
      items: itemShapes(itemIds, waveSize, { kind: 'packed', lastAxis: 0 }),
      fullWaves: true,
    },
    options,
  };
}
