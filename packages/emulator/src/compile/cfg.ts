/** Control-flow graph of machine code from one entry: blocks of IR in which EXEC does not change before the last instruction. */
import type { Block } from '../ir/block.js';
import type { FloatMode } from '../ir/float-mode.js';
import type { LaneGuess } from './lane-guesses.js';
import { CodeReader, type CodeOptions, type CodePlace, type CodeRanges } from './code-reader.js';

export interface CfgBlock {
  readonly index: number;
  readonly ir: Block;
  readonly instructionCount: number;
  readonly mode: FloatMode;
  /** Blocks that control goes to within a call of compiled code: for a branch the taken one first. */
  readonly successors: number[];
  /** The block after a barrier or yield. */
  continuation: number;
  readonly predecessors: number[];
  /** A copy in which EXEC is full at entry. */
  readonly isFull: boolean;
  /** The first successor is taken if EXEC is full after the block, else the second (full-exec.ts). */
  hasGuard: boolean;
  /** The first successor is taken if all of these hold, else the second (lane-guesses.ts). */
  readonly guesses?: readonly LaneGuess[];
}

export interface Cfg {
  /** The first is the entry. */
  readonly blocks: readonly CfgBlock[];
  /** Code bytes that were looked at. */
  readonly ranges: CodeRanges;
}

/** s_trap ids that stop the wave; 3 is llvm.debugtrap, which does nothing without a debugger (semantics.md §17). */
const TRAP_DEBUG = 3;

export interface CfgEntry extends CodePlace {
  /** Waves begin at the entry with the registers of a start, so that a loop back to it has a block of its own. Default false. */
  readonly hasStart?: boolean;
}

/** The graph of all that is reached from a place. */
export function buildCfg(options: CodeOptions, { hasStart = false, ...entry }: CfgEntry): Cfg {
  const reader = new CodeReader(options);
  const { leaders } = reader.scan(entry.start, Infinity);
  const blocks: CfgBlock[] = [];
  const places = new PlaceNumbers(entry.mode);
  places.numberOf(entry);
  if (hasStart) places.forget();
  for (let index = 0; index < places.count; index++) blocks.push(buildBlock(reader, places, { index, leaders }));
  for (const block of blocks) {
    for (const successor of block.successors) blocks[successor]?.predecessors.push(block.index);
  }
  return { blocks, ranges: reader.ranges() };
}

/** Numbers for places, in the order in which they are first asked for. */
export class PlaceNumbers {
  readonly #mode: string;
  readonly #places: CodePlace[] = [];
  readonly #numbers = new Map<string, number>();

  /** `mode`: the one that most places have. */
  constructor(mode: FloatMode) {
    this.#mode = JSON.stringify(mode);
  }

  get count(): number {
    return this.#places.length;
  }

  numberOf(place: CodePlace): number {
    const name = this.#nameOf(place);
    const found = this.#numbers.get(name);
    if (found !== undefined) return found;
    const number = this.#places.push(place) - 1;
    this.#numbers.set(name, number);
    return number;
  }

  /** Places get new numbers when they are asked for again. */
  forget(): void {
    this.#numbers.clear();
  }

  place(number: number): CodePlace {
    const place = this.#places[number];
    if (place === undefined) throw new RangeError(`no place ${number}`);
    return place;
  }

  /** A text that {@link named} understands, also that of another thread with the same usual mode. */
  nameOf(number: number): string {
    return this.#nameOf(this.place(number));
  }

  /** The number of the place of a name. */
  named(name: string): number {
    const found = this.#numbers.get(name);
    if (found !== undefined) return found;
    const at = name.indexOf(' ');
    const mode = at < 0 ? this.#mode : name.slice(at + 1);
    // Safe: names are made by nameOf.
    return this.numberOf({ start: Number.parseInt(name, 10), mode: JSON.parse(mode) as FloatMode });
  }

  #nameOf({ start, mode }: CodePlace): string {
    const text = JSON.stringify(mode);
    return text === this.#mode ? String(start) : `${start} ${text}`;
  }
}

export interface BlockWish {
  /** Its number. */
  readonly index: number;
  /** Where other blocks are known to begin. */
  readonly leaders: ReadonlySet<number>;
  /** Instructions at most. Default: as many as go into a block. */
  readonly most?: number;
}

/** The block of a number; those that it leads to get numbers. */
export function buildBlock(reader: CodeReader, places: PlaceNumbers, { index, leaders, most }: BlockWish): CfgBlock {
  const place = places.place(index);
  const { ir, instructionCount } = reader.block(place, leaders, most);
  const block: CfgBlock = {
    index,
    ir,
    instructionCount,
    mode: place.mode,
    successors: [],
    continuation: -1,
    predecessors: [],
    isFull: false,
    hasGuard: false,
  };
  connect(block, (start) => places.numberOf({ start, mode: ir.modeAfter ?? place.mode }));
  return block;
}

function connect(block: CfgBlock, numberOf: (start: number) => number): void {
  const { exit } = block.ir;
  switch (exit.kind) {
    case 'fall':
    case 'jump':
      block.successors.push(numberOf(exit.to));
      return;
    case 'branch':
      block.successors.push(numberOf(exit.taken), numberOf(exit.fall));
      return;
    case 'barrier':
    case 'yield':
    case 'request':
      block.continuation = numberOf(exit.to);
      return;
    case 'trap':
      if (exit.id === TRAP_DEBUG) block.successors.push(numberOf(exit.to));
      return;
    case 'end':
    case 'indirect':
    case 'illegal':
      return;
    default:
      exit satisfies never;
  }
}
