/** Programs that can be run: baseline code, optimised code, and the change from one to the other. */
import { instantiateBaseline, type BaselineInstance } from '../baseline/module.js';
import type { Cfg } from '../compile/cfg.js';
import { instantiate, type ClockSource, type Segment } from '../compile/compiler.js';
import type { Program } from '../compile/program.js';
import { compileKind, hasBarrier, moduleName, type ModuleKind, type Recipe, type Workshop } from './code-recipe.js';
import { codeBytesOf, isPartOf, type CodeBytes } from './code-bytes.js';
import type { CodeStore, StoredCode } from './code-store.js';

/** Which code runs. `both`: baseline code until the optimised code is there. */
export type Tier = 'baseline' | 'optimised' | 'both';

/** What programs of a worker are made with. */
export interface ProgramTools {
  readonly workshop: Workshop;
  readonly memory: WebAssembly.Memory;
  readonly clock: ClockSource;
  readonly tier: Tier;
  /** Shared with other workers and the compile worker; the tier `both` needs it. */
  readonly store: CodeStore | undefined;
  readonly patience: Patience;
  /** Called when the compile worker was asked for something. */
  readonly onAsk: () => void;
}

/** When optimised code is wanted. */
export interface Patience {
  /** Once a program has run for this long: most kernels never do. */
  readonly ranMs: number;
  /** For waves that have begun in baseline code: once waves of their workgroup ran out of fuel this often, about every ms. */
  readonly yields: number;
}

export const PATIENCE: Patience = { ranMs: 2, yields: 20 };

export interface RunnableProgram {
  /** What fault reports need; made when it is first asked for. */
  readonly program: Program;
  /** Runs whole workgroups of a kernel with barriers (compile/driver.ts). */
  readonly driver: Segment | undefined;
  /** The registers of a wave are in its slot at each block, in plain form; else only where its call began. */
  readonly isBaseline: boolean;
  /** The code for fresh waves. */
  start(): Segment;
  /** The code for waves whose registers are in their slots, from a block on; undefined: it is being made. */
  resume(block: number): Segment | undefined;
}

/** The machine code of a program, and what is made of it at most once. */
export class ProgramSource {
  readonly recipe: Recipe;
  readonly tools: ProgramTools;
  readonly #image: Uint8Array;
  readonly #text: string;
  #cfg: Cfg | undefined;
  #code: CodeBytes | undefined;
  #hasBarrier: boolean | undefined;

  constructor(recipe: Recipe, image: Uint8Array, tools: ProgramTools) {
    this.recipe = recipe;
    this.tools = tools;
    this.#image = image;
    this.#text = JSON.stringify(recipe);
  }

  get cfg(): Cfg {
    return (this.#cfg ??= this.tools.workshop.cfg(this.recipe, this.#image));
  }

  /** The bytes that the program is made of. */
  get code(): CodeBytes {
    return (this.#code ??= codeBytesOf(this.#image, this.cfg.ranges));
  }

  get hasBarrier(): boolean {
    return (this.#hasBarrier ??= hasBarrier(this.cfg));
  }

  name(kind: ModuleKind): string {
    return moduleName(this.#text, kind);
  }

  /** A module that somebody has made already. */
  find(kind: ModuleKind): StoredCode | undefined {
    const stored = this.tools.store?.find(this.name(kind), (code) => isPartOf(code, this.#image));
    if (stored !== undefined) {
      this.#code ??= stored.code;
      this.#hasBarrier ??= stored.hasBarrier;
    }
    return stored;
  }

  /** Asks the compile worker for a module; false: it cannot be asked. */
  ask(kind: ModuleKind): boolean {
    if (this.tools.store?.ask(this.name(kind), this.code) !== true) return false;
    this.tools.onAsk();
    return true;
  }
}

/** Optimised code: a segment from each place where waves stop, made when it is first needed. */
export class OptimisedProgram implements RunnableProgram {
  readonly isBaseline = false;
  readonly driver: Segment | undefined;
  readonly #source: ProgramSource;
  readonly #segments = new Map<number, Segment>();
  #program: Program | undefined;
  /** Version of the store that had not the segment asked for last. */
  #seen = -1;

  /** `module`: the code from the start on, if it is there. */
  constructor(source: ProgramSource, module?: Uint8Array<ArrayBuffer>) {
    this.#source = source;
    this.driver = this.#load(module ?? this.#compile('optimised'));
  }

  get program(): Program {
    return (this.#program ??= this.#source.tools.workshop.optimised(this.#source.recipe, this.#source.cfg));
  }

  start(): Segment {
    const segment = this.#segments.get(0);
    if (segment === undefined) throw new RangeError('No segment for the start.');
    return segment;
  }

  resume(block: number): Segment | undefined {
    return this.#segments.get(block) ?? this.#segmentOf(block);
  }

  #segmentOf(block: number): Segment | undefined {
    const { store } = this.#source.tools;
    if (store !== undefined) {
      const { version } = store;
      if (version === this.#seen) return undefined;
      const stored = this.#source.find(block);
      if (stored !== undefined) this.#load(stored.module);
      else if (this.#source.ask(block)) {
        this.#seen = version;
        return undefined;
      }
    }
    if (!this.#segments.has(block)) this.#load(this.#compile(block));
    return this.#segments.get(block);
  }

  #compile(kind: ModuleKind): Uint8Array<ArrayBuffer> {
    return compileKind(this.program, kind, this.#source.recipe.options);
  }

  #load(module: Uint8Array<ArrayBuffer>): Segment | undefined {
    const { memory, clock } = this.#source.tools;
    const instance = instantiate(module, memory, clock);
    for (const [block, segment] of instance.segments) this.#segments.set(block, segment);
    return instance.driver;
  }
}

/** Baseline code: made at once, and slower. */
class BaselineProgram implements RunnableProgram {
  readonly isBaseline = true;
  readonly driver = undefined;
  readonly #source: ProgramSource;
  readonly #instance: BaselineInstance;
  #program: Program | undefined;

  constructor(source: ProgramSource, module?: Uint8Array<ArrayBuffer>) {
    this.#source = source;
    const { memory, clock } = source.tools;
    this.#instance = instantiateBaseline(module ?? this.#compile(), memory, clock);
  }

  get program(): Program {
    return (this.#program ??= this.#source.tools.workshop.plain(this.#source.recipe, this.#source.cfg));
  }

  start(): Segment {
    const { start } = this.#instance;
    return start === undefined ? this.resume(0) : (control, wave, end) => start(control, wave, end, 0);
  }

  resume(block: number): Segment {
    const { resume } = this.#instance;
    return (control, wave, end) => resume(control, wave, end, block);
  }

  #compile(): Uint8Array<ArrayBuffer> {
    const source = this.#source;
    const module = compileKind(this.program, 'baseline', source.recipe.options);
    source.tools.store?.add(source.name('baseline'), { code: source.code, hasBarrier: source.hasBarrier, module });
    return module;
  }
}

/** A program of which the best code that there is runs. */
export class TieredProgram {
  readonly source: ProgramSource;
  #current: RunnableProgram;
  #ranMs = 0;
  #isAsked = false;
  #seen = -1;

  constructor(source: ProgramSource) {
    this.source = source;
    this.#current = firstProgram(source);
  }

  /** Waves that have begun may go on in what was here before. */
  get current(): RunnableProgram {
    return this.#current;
  }

  /** It ran for so long: optimised code may have become worth its making, or be there. */
  ran(milliseconds: number): void {
    const { store, tier, patience } = this.source.tools;
    if (tier !== 'both' || store === undefined || !this.#current.isBaseline) return;
    this.#ranMs += milliseconds;
    if (!this.#isAsked && this.#ranMs >= patience.ranMs) this.#isAsked = this.source.ask('optimised');
    if (!this.#isAsked || store.version === this.#seen) return;
    this.#seen = store.version;
    const stored = this.source.find('optimised');
    if (stored !== undefined) this.#current = new OptimisedProgram(this.source, stored.module);
    // The store may have forgotten the wish.
    else this.#isAsked = this.source.ask('optimised');
  }
}

function firstProgram(source: ProgramSource): RunnableProgram {
  const { tier } = source.tools;
  if (tier === 'baseline') return new BaselineProgram(source);
  if (tier === 'optimised') return new OptimisedProgram(source);
  const optimised = source.find('optimised');
  return optimised === undefined
    ? new BaselineProgram(source, source.find('baseline')?.module)
    : new OptimisedProgram(source, optimised.module);
}
