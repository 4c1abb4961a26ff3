/**
 * Baseline code of a kernel, its functions included: blocks in a table by their numbers, made in pieces when control reaches them. So a
 * kernel starts when its first blocks are made, and what is never reached costs nothing. Other workers find pieces in the code store.
 */
import { createDispatcher, type Dispatcher } from '../baseline/dispatcher.js';
import { compilePiece, instantiatePiece } from '../baseline/piece.js';
import { buildBlock, PlaceNumbers, type CfgBlock } from '../compile/cfg.js';
import type { CodePlace, CodeReader } from '../compile/code-reader.js';
import { MAX_BLOCK } from '../compile/code-reader.js';
import type { Effect } from '../ir/block.js';
import { codeBytesOf, isPartOf } from './code-bytes.js';
import { pieceName, type Recipe } from './code-recipe.js';
import type { StoredCode } from './code-store.js';
import type { ProgramTools } from './runnable-program.js';

/** Instructions of the first piece, about: a wave soon starts. Each one is so many times as large as the one before, up to the last number. */
const FIRST_PIECE = 8;
const PIECE_GROWTH = 4;
const LARGEST_PIECE = 512;
/** No instruction is longer. */
const MAX_INSTRUCTION_BYTES = 32;
/** The table grows by at least so many places. */
const TABLE_STEP = 256;

/** Effects that nobody else sees. */
const READS: ReadonlySet<string> = new Set<Effect['kind']>(['load', 'clock', 'matrix']);

export class BaselineCode {
  readonly #recipe: Recipe;
  readonly #text: string;
  readonly #image: Uint8Array;
  readonly #reader: CodeReader;
  readonly #tools: ProgramTools;
  readonly #table = new WebAssembly.Table({ element: 'anyfunc', initial: 0 });
  readonly #places: PlaceNumbers;
  readonly #made: boolean[] = [];
  /** Instructions of the blocks that were made here. */
  readonly #lengths: (number | undefined)[] = [];
  #missing: Dispatcher['missing'] | undefined;
  #pieceSize = FIRST_PIECE;
  #hasBarrier = false;
  #isRepeatable = true;
  #spentMs = 0;
  #codeBytes = 0;

  /** `recipe`: of the kernel, entered with any registers; its entry is block 0. */
  constructor(recipe: Recipe, image: Uint8Array, reader: CodeReader, tools: ProgramTools) {
    this.#recipe = recipe;
    this.#text = JSON.stringify(recipe);
    this.#image = image;
    this.#reader = reader;
    this.#tools = tools;
    this.#places = new PlaceNumbers(recipe.mode);
    this.numberOf({ start: recipe.entry, mode: recipe.mode });
  }

  /** There is a barrier in the blocks that are made. */
  get hasBarrier(): boolean {
    return this.#hasBarrier;
  }

  /** The blocks that are made change nothing but a wave's registers. */
  get isRepeatable(): boolean {
    return this.#isRepeatable;
  }

  /** How long making pieces has taken. */
  get spentMs(): number {
    return this.#spentMs;
  }

  /** Size of the modules that are loaded. */
  get codeBytes(): number {
    return this.#codeBytes;
  }

  numberOf(place: CodePlace): number {
    return this.#places.numberOf(place);
  }

  placeOf(block: number): CodePlace {
    return this.#places.place(block);
  }

  /** The IR of a block, built anew: of a kernel that runs, nothing but its code is kept. */
  block(number: number): CfgBlock {
    return buildBlock(this.#reader, this.#places, {
      index: number,
      leaders: new Set(),
      most: this.#lengths[number] ?? MAX_BLOCK,
    });
  }

  dispatcher(recipe: Recipe): Dispatcher {
    const { workshop, memory, clock } = this.#tools;
    const dispatcher = createDispatcher(workshop.dispatcher(recipe), { memory, clock, table: this.#table });
    this.#missing ??= dispatcher.missing;
    return dispatcher;
  }

  /** Makes the piece that begins with a block, unless the block is there. */
  // hot
  make(block: number): void {
    if (this.#made[block] === true) return;
    const begun = this.#tools.now();
    this.#makePiece(block);
    const spent = this.#tools.now() - begun;
    this.#spentMs += spent;
    this.#tools.making.ms += spent;
  }

  #makePiece(first: number): void {
    const { store } = this.#tools;
    const name = pieceName(this.#text, this.#places.nameOf(first));
    const stored = store?.find(name, (code) => isPartOf(code, this.#image));
    if (stored !== undefined) {
      this.#load(stored);
      return;
    }
    const blocks = this.#build(first);
    const { waveSize, options } = this.#recipe;
    const module = compilePiece(blocks, { compile: options, waveSize, nameOf: (block) => this.#places.nameOf(block) });
    const hasBarrier = blocks.some(({ ir }) => ir.exit.kind === 'barrier');
    const isRepeatable = blocks.every(({ ir }) => ir.effects.every(({ kind }) => READS.has(kind)));
    const made = { hasBarrier, isRepeatable, module };
    this.#load(made);
    const ranges = blocks.map((block) => this.#bytesOf(block));
    // Where code ends is not known by its bytes.
    if (ranges.every(([first, end]) => first >= 0 && end <= this.#image.length))
      store?.add(name, { ...made, code: codeBytesOf(this.#image, ranges) });
  }

  /** Blocks from the first one on, those first that control reaches by going straight on. */
  #build(first: number): CfgBlock[] {
    const size = this.#pieceSize;
    this.#pieceSize = Math.min(LARGEST_PIECE, size * PIECE_GROWTH);
    const { leaders } = this.#reader.scan(this.placeOf(first).start, size);
    const blocks: CfgBlock[] = [];
    let count = 0;
    const todo = new Set([first]);
    for (const index of todo) {
      if (this.#made[index] === true) continue;
      const most = Math.min(MAX_BLOCK, size - count);
      if (most <= 0) break;
      const block = buildBlock(this.#reader, this.#places, { index, leaders, most });
      const length = Math.max(1, block.instructionCount);
      // As far as the block looked: also at what is no instruction.
      this.#lengths[index] = block.ir.exit.kind === 'illegal' ? length + 1 : length;
      blocks.push(block);
      count += length;
      for (const next of [...block.successors].reverse()) todo.add(next);
      if (block.continuation >= 0) todo.add(block.continuation);
    }
    return blocks;
  }

  /** What a block was made from: also what was found not to be an instruction. */
  #bytesOf({ ir }: CfgBlock): readonly [number, number] {
    const more = ir.exit.kind === 'illegal' ? MAX_INSTRUCTION_BYTES : 0;
    return [ir.start, ir.end + more];
  }

  #load({ module, hasBarrier, isRepeatable }: Omit<StoredCode, 'code'>): void {
    const { memory, clock } = this.#tools;
    const table = this.#table;
    this.#codeBytes += module.length;
    const numberOf = (name: string): number => {
      const number = this.#places.named(name);
      if (number >= table.length) table.grow(Math.max(TABLE_STEP, number + 1 - table.length), this.#missing);
      return number;
    };
    for (const block of instantiatePiece(module, { memory, clock, table, numberOf })) this.#made[block] = true;
    if (hasBarrier) this.#hasBarrier = true;
    if (!isRepeatable) this.#isRepeatable = false;
  }
}
