/** Answers the wishes of a code store: the compile worker's work, and that of compute workers before it is there. */
import type { CompileOptions } from '../compile/compiler.js';
import type { Program } from '../compile/program.js';
import type { MadeCode } from '../executor.js';
import { compileKind, hasBarrier, parseModuleName, Workshop, type Recipe } from './code-recipe.js';
import { codeBytesOf, imageOf, isPartOf, type CodeBytes } from './code-bytes.js';
import type { CodeStore, Wish } from './code-store.js';
import { RecentlyUsed } from './recently-used.js';
import { warmUpOptimised, type WarmUp } from './warm-up.js';

/** Programs are kept, since their further segments are asked for as waves stop in them: so many, of so many instructions together. */
const MAX_PROGRAMS = 32;
const MAX_INSTRUCTIONS = 8192;

interface Analysed {
  /** What it was made from, of what came with the wish. */
  readonly code: CodeBytes;
  readonly program: Program;
  /** Instructions of its blocks, copies included. */
  readonly size: number;
}

export class WishCompiler {
  readonly #store: CodeStore;
  readonly #workshop: Workshop;
  readonly #takes: 'any' | 'small';
  /** By recipe. */
  readonly #programs = new RecentlyUsed<Analysed>({ items: MAX_PROGRAMS, size: MAX_INSTRUCTIONS });
  #warmUp: WarmUp | undefined;
  #work: Iterator<void, void> | undefined;

  constructor(store: CodeStore, workshop: Workshop = new Workshop(), takes: 'any' | 'small' = 'any') {
    this.#store = store;
    this.#workshop = workshop;
    this.#takes = takes;
  }

  /** Compiles a little that nobody asked for: {@link warmUpOptimised}; false: that is done. */
  warmUp(processor: string, options: Pick<CompileOptions, 'softwarePages'>): boolean {
    this.#warmUp ??= warmUpOptimised(processor, options, this.#workshop);
    return this.#warmUp.next().done !== true;
  }

  /** A part of the work for one wish, or the last of it. */
  step(): MadeCode {
    this.#work ??= this.#begin();
    if (this.#work === undefined) return 'none';
    if (this.#work.next().done !== true) return 'part';
    this.#work = undefined;
    return 'whole';
  }

  #begin(): Iterator<void, void> | undefined {
    const wish = this.#store.take(this.#takes);
    return wish === undefined ? undefined : this.#answer(wish);
  }

  *#answer(wish: Wish): Generator<void, void, void> {
    const { kind, recipe: text } = parseModuleName(wish.name);
    // Safe: names are made by moduleName.
    const recipe = JSON.parse(text) as Recipe;
    const image = imageOf(wish.code);
    const known = this.#programs.find(text, ({ code: reached }) => isPartOf(reached, image));
    const { program, code } = known ?? (yield* this.#make(recipe, text, image));
    const module = compileKind(program, kind, recipe.options);
    this.#store.answer(wish, { code, hasBarrier: hasBarrier(program.cfg), isRepeatable: false, module });
  }

  *#make(recipe: Recipe, text: string, image: Uint8Array): Generator<void, Analysed, void> {
    const cfg = this.#workshop.cfg(recipe, image);
    yield;
    const program = this.#workshop.optimised(recipe, cfg);
    const made: Analysed = {
      code: codeBytesOf(image, cfg.ranges),
      program,
      size: program.cfg.blocks.reduce((sum, block) => sum + block.instructionCount, 0),
    };
    this.#programs.add(text, made);
    yield;
    return made;
  }
}
