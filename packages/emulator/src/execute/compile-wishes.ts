/** The compile worker's work: answers the wishes of a code store. */
import type { CompileOptions } from '../compile/compiler.js';
import type { Program } from '../compile/program.js';
import { compileKind, hasBarrier, parseModuleName, Workshop, type Recipe } from './code-recipe.js';
import { codeBytesOf, imageOf, isPartOf, type CodeBytes } from './code-bytes.js';
import type { CodeStore, Wish } from './code-store.js';
import { warmUpOptimised, type WarmUp } from './warm-up.js';

/** Programs that are kept: their further segments are asked for as waves stop in them. */
const MAX_PROGRAMS = 32;

interface Kept {
  readonly recipe: string;
  /** What it was made from, of what came with the wish. */
  readonly code: CodeBytes;
  readonly program: Program;
}

export class WishCompiler {
  readonly #store: CodeStore;
  readonly #workshop = new Workshop();
  /** Most recently used last. */
  readonly #programs: Kept[] = [];
  #warmUp: WarmUp | undefined;

  constructor(store: CodeStore) {
    this.#store = store;
  }

  /** Compiles a little that nobody asked for: {@link warmUpOptimised}; false: that is done. */
  warmUp(processor: string, options: Pick<CompileOptions, 'softwarePages'>): boolean {
    this.#warmUp ??= warmUpOptimised(processor, options, this.#workshop);
    return this.#warmUp.next().done !== true;
  }

  /** Answers one wish; false where there is none. */
  step(): boolean {
    const wish = this.#store.take();
    if (wish === undefined) return false;
    const { kind, recipe: text } = parseModuleName(wish.name);
    // Safe: names are made by moduleName.
    const recipe = JSON.parse(text) as Recipe;
    const { program, code } = this.#kept(recipe, text, wish);
    const module = compileKind(program, kind, recipe.options);
    this.#store.answer(wish, { code, hasBarrier: hasBarrier(program.cfg), module });
    return true;
  }

  #kept(recipe: Recipe, text: string, { code }: Wish): Kept {
    const image = imageOf(code);
    const at = this.#programs.findIndex((kept) => kept.recipe === text && isPartOf(kept.code, image));
    const kept = this.#programs.splice(at, at < 0 ? 0 : 1)[0] ?? this.#make(recipe, text, image);
    this.#programs.push(kept);
    if (this.#programs.length > MAX_PROGRAMS) this.#programs.shift();
    return kept;
  }

  #make(recipe: Recipe, text: string, image: Uint8Array): Kept {
    const cfg = this.#workshop.cfg(recipe, image);
    return { recipe: text, code: codeBytesOf(image, cfg.ranges), program: this.#workshop.optimised(recipe, cfg) };
  }
}
