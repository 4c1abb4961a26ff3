/** The compile worker's work: answers the wishes of a code store. */
import type { Program } from '../compile/program.js';
import { compileKind, hasBarrier, parseModuleName, Workshop, type Recipe } from './code-recipe.js';
import { imageOf, isSameCode, type CodeBytes } from './code-bytes.js';
import type { CodeStore, Wish } from './code-store.js';

/** Programs that are kept: their further segments are asked for as waves stop in them. */
const MAX_PROGRAMS = 32;

interface Kept {
  readonly recipe: string;
  readonly code: CodeBytes;
  readonly program: Program;
}

export class WishCompiler {
  readonly #store: CodeStore;
  readonly #workshop = new Workshop();
  /** Most recently used last. */
  readonly #programs: Kept[] = [];

  constructor(store: CodeStore) {
    this.#store = store;
  }

  /** Answers one wish; false where there is none. */
  step(): boolean {
    const wish = this.#store.take();
    if (wish === undefined) return false;
    const { kind, recipe: text } = parseModuleName(wish.name);
    // Safe: names are made by moduleName.
    const recipe = JSON.parse(text) as Recipe;
    const program = this.#program(recipe, text, wish);
    this.#store.answer(wish, compileKind(program, kind, recipe.options), hasBarrier(program.cfg));
    return true;
  }

  #program(recipe: Recipe, text: string, { code }: Wish): Program {
    const at = this.#programs.findIndex((kept) => kept.recipe === text && isSameCode(kept.code, code));
    const [found] = at < 0 ? [] : this.#programs.splice(at, 1);
    const kept = found ?? {
      recipe: text,
      code,
      program: this.#workshop.optimised(recipe, this.#workshop.cfg(recipe, imageOf(code))),
    };
    this.#programs.push(kept);
    if (this.#programs.length > MAX_PROGRAMS) this.#programs.shift();
    return kept.program;
  }
}
