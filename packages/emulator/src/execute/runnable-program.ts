/** Programs that can be run: baseline code, optimised code, and the change from one to the other. */
import { plainFacts, type Dispatcher } from '../baseline/dispatcher.js';
import type { Cfg, CfgBlock } from '../compile/cfg.js';
import type { CodePlace, CodeRanges, CodeReader } from '../compile/code-reader.js';
import { instantiate, type ClockSource, type Segment } from '../compile/compiler.js';
import type { Fact } from '../compile/facts.js';
import type { CodeNeed } from '../executor.js';
import { isCarried, type Program } from '../compile/program.js';
import type { BaselineCode } from './baseline-code.js';
import { compileKind, hasBarrier, moduleName, type ModuleKind, type Recipe, type Workshop } from './code-recipe.js';
import { codeBytesOf, isPartOf } from './code-bytes.js';
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
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** What making baseline code has taken. */
  readonly making: { ms: number };
  /** Called when optimised code was asked for. */
  readonly onAsk: (need: CodeNeed) => void;
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
  /** The block that waves enter. */
  readonly entry: number;
  /** Waves may wait at barriers. Baseline code knows those that it has come across. */
  readonly hasBarrier: boolean;
  /** Runs whole workgroups of a kernel with barriers (compile/driver.ts). */
  readonly driver: Segment | undefined;
  /** The registers of a wave are in its slot at each block, in plain form; else only where its call began. */
  readonly isBaseline: boolean;
  /** What there is of its code changes nothing but a wave's registers: a wave that came no further may begin again. */
  readonly isRepeatable: boolean;
  /** The code for fresh waves; baseline code goes on with the next wave behind this exit (EXIT_END, EXIT_BARRIER) and those before it. */
  start(lastExit: number): Segment;
  /** The code for waves whose registers are in their slots, from a block on; undefined: it is being made. */
  resume(block: number): Segment | undefined;

  // What fault reports need; made when it is first asked for.

  block(number: number): CfgBlock | undefined;
  placeOf(block: number): CodePlace | undefined;
  /** Why there is no instruction at an offset; of baseline code, where a block ends. */
  reasonAt(block: number, offset: number): string | undefined;
  /** The forms that registers have in a wave's slot at the entry of a block; undefined: a register is not there. */
  registersAt(block: number): readonly (Fact | undefined)[];
}

/** Code up to this size goes to the compile worker whole; of more, that is looked for which is reached. */
const WHOLE_BYTES = 0x1_0000;
/** Instructions of a program that is large. */
const LARGE_PROGRAM = 2048;
/**
 * Waves times instructions of a vast dispatch: baseline code would run for a quarter of a second, at 8 ns for each in straight code, if
 * every wave came to all of the code once. It is worth optimised code (code-duty.ts) also if waves come to half of theirs.
 */
const VAST = 33e6;

/** What the programs of a kernel share. */
export interface KernelParts {
  readonly image: Uint8Array;
  readonly reader: CodeReader;
  readonly baseline: BaselineCode;
  /** Size of the modules of optimised code. */
  readonly optimised: { bytes: number };
  readonly tools: ProgramTools;
}

/** The machine code of a program, and what is made of it at most once. */
export class ProgramSource {
  readonly recipe: Recipe;
  readonly tools: ProgramTools;
  /** Of the kernel that the program belongs to. */
  readonly baseline: BaselineCode;
  readonly #image: Uint8Array;
  readonly #reader: CodeReader;
  readonly #optimised: KernelParts['optimised'];
  readonly #text: string;
  #cfg: Cfg | undefined;
  #hasBarrier: boolean | undefined;
  #ranges: CodeRanges | undefined;
  #instructions: number | undefined;

  constructor(recipe: Recipe, { image, reader, tools, baseline, optimised }: KernelParts) {
    this.recipe = recipe;
    this.#reader = reader;
    this.tools = tools;
    this.baseline = baseline;
    this.#image = image;
    this.#optimised = optimised;
    this.#text = JSON.stringify(recipe);
  }

  get cfg(): Cfg {
    return (this.#cfg ??= this.tools.workshop.cfg(this.recipe, this.#image));
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
    if (stored !== undefined) this.#hasBarrier ??= stored.hasBarrier;
    return stored;
  }

  /** Optimised code of this size was loaded. */
  loaded(bytes: number): void {
    this.#optimised.bytes += bytes;
  }

  /** Whether a dispatch of so many waves is worth optimised code, whatever its pace; of large programs that is not said. */
  isVastFor(waves: number): boolean {
    if (waves * LARGE_PROGRAM < VAST) return false;
    const instructions = this.#count();
    return instructions < LARGE_PROGRAM && waves * instructions >= VAST;
  }

  /** Asks for a module; false: there is no room to ask. `certain`: it is worth its making. */
  ask(kind: ModuleKind, why: 'wanted' | 'certain' = 'wanted'): boolean {
    const whole = this.#image.length <= WHOLE_BYTES;
    const code = codeBytesOf(this.#image, whole ? [[0, this.#image.length]] : (this.#ranges ??= this.#reached()));
    const need = this.#need(kind, why);
    if (this.tools.store?.ask(this.name(kind), code, need) !== true) return false;
    this.tools.onAsk(need);
    return true;
  }

  #need(kind: ModuleKind, why: 'wanted' | 'certain'): CodeNeed {
    // From a block on: for waves that stopped there in optimised code.
    if (kind !== 'optimised') return 'urgent';
    return this.#count() < LARGE_PROGRAM ? why : 'large';
  }

  /** Instructions that control can come to, as far as it matters. */
  #count(): number {
    return (this.#instructions ??= this.#reader.scan(this.recipe.entry, LARGE_PROGRAM).offsets.size);
  }

  /** Code that control can come to, without making anything of it. */
  #reached(): CodeRanges {
    return this.tools.workshop.reader(this.recipe, this.#image).reached(this.recipe.entry);
  }
}

/** Optimised code: a segment from each place where waves stop, made when it is first needed. */
export class OptimisedProgram implements RunnableProgram {
  readonly isBaseline = false;
  readonly isRepeatable = false;
  readonly entry = 0;
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

  get hasBarrier(): boolean {
    return this.#source.hasBarrier;
  }

  get #analysed(): Program {
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

  block(number: number): CfgBlock | undefined {
    return this.#analysed.cfg.blocks[number];
  }

  placeOf(block: number): CodePlace | undefined {
    const { ir, mode } = this.#analysed.cfg.blocks[block] ?? {};
    return ir === undefined || mode === undefined ? undefined : { start: ir.start, mode };
  }

  reasonAt(_block: number, offset: number): string | undefined {
    for (const { ir } of this.#analysed.cfg.blocks) {
      if (ir.exit.kind === 'illegal' && ir.end === offset) return ir.exit.reason;
    }
    return undefined;
  }

  registersAt(block: number): readonly (Fact | undefined)[] {
    const { facts, liveness } = this.#analysed;
    return (facts[block] ?? []).map((fact, register) => (isCarried(liveness, block, register) ? fact : undefined));
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
    return compileKind(this.#analysed, kind, this.#source.recipe.options);
  }

  #load(module: Uint8Array<ArrayBuffer>): Segment | undefined {
    const { memory, clock } = this.#source.tools;
    this.#source.loaded(module.length);
    const instance = instantiate(module, memory, clock);
    for (const [block, segment] of instance.segments) this.#segments.set(block, segment);
    return instance.driver;
  }
}

/** Baseline code: made as it is reached, and slower. */
class BaselineProgram implements RunnableProgram {
  readonly isBaseline = true;
  readonly driver = undefined;
  readonly entry: number;
  readonly #code: BaselineCode;
  readonly #dispatcher: Dispatcher;
  readonly #vgprCount: number;

  constructor({ recipe, baseline }: ProgramSource) {
    this.#code = baseline;
    this.entry = baseline.numberOf({ start: recipe.entry, mode: recipe.mode });
    this.#dispatcher = baseline.dispatcher(recipe);
    this.#vgprCount = recipe.vgprCount;
    baseline.make(this.entry);
  }

  get hasBarrier(): boolean {
    return this.#code.hasBarrier;
  }

  get isRepeatable(): boolean {
    return this.#code.isRepeatable;
  }

  start(lastExit: number): Segment {
    const { start } = this.#dispatcher;
    if (start === undefined) return this.resume(this.entry);
    return (control, wave, end) => start(control, wave, end, lastExit);
  }

  resume(block: number): Segment {
    this.#code.make(block);
    const { resume } = this.#dispatcher;
    return (control, wave, end) => resume(control, wave, end, block);
  }

  block(number: number): CfgBlock {
    return this.#code.block(number);
  }

  placeOf(block: number): CodePlace {
    return this.#code.placeOf(block);
  }

  reasonAt(block: number): string | undefined {
    const { exit } = this.#code.block(block).ir;
    return exit.kind === 'illegal' ? exit.reason : undefined;
  }

  registersAt(): readonly (Fact | undefined)[] {
    return plainFacts(this.#vgprCount);
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
  // hot
  get current(): RunnableProgram {
    const { store } = this.source.tools;
    if (this.#isAsked && this.#current.isBaseline && store !== undefined && store.version !== this.#seen) this.#look(store);
    return this.#current;
  }

  /** A fresh wave comes to where there is no baseline code: asks for optimised code first, for a vast dispatch; whether it did. */
  askEarly(waves: number): boolean {
    const { store, tier } = this.source.tools;
    if (tier !== 'both' || store === undefined || this.#isAsked || !this.source.isVastFor(waves)) return false;
    return (this.#isAsked = this.source.ask('optimised', 'certain'));
  }

  /** It ran for so long: optimised code may have become worth its making. */
  ran(milliseconds: number): void {
    const { store, tier, patience } = this.source.tools;
    if (tier !== 'both' || store === undefined || !this.#current.isBaseline) return;
    this.#ranMs += milliseconds;
    if (!this.#isAsked && this.#ranMs >= patience.ranMs) this.#isAsked = this.source.ask('optimised');
  }

  /** Whether what was asked for is there. */
  #look(store: CodeStore): void {
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
  return optimised === undefined ? new BaselineProgram(source) : new OptimisedProgram(source, optimised.module);
}
