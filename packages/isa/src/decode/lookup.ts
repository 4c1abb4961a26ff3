import type { InstructionTable } from '../table/instruction-table.js';
import { TRUE16 } from '../table/instruction-table.js';
import { Candidate } from './candidate.js';
import type { DecodeContext } from './decode-context.js';
import { ShapePlans } from './operand-plan.js';

/** What a first word can be. */
export interface Bucket {
  /** Entries to try, most specific first. */
  readonly candidates: readonly Candidate[];
  /** The word is one of a pair format. */
  readonly isPair: boolean;
}

/** A slot that is not filled yet. */
const UNKNOWN = 0;
/** Longer lists are split by the second index. */
const SPLIT_LIMIT = 4;
/** Slots from here on are rows of the second index. */
const FIRST_SPLIT = 0x8000;
/** Slots of one row: one for each value of bits 8…15. */
const ROW_SLOTS = 256;

const EMPTY_BUCKET: Bucket = { candidates: [], isPair: false };

/**
 * Finds the entries that a first word can belong to: by its high half, then, where many are left, by bits 8…15. Slots are filled
 * when first asked for.
 */
export class EntryLookup {
  readonly #context: DecodeContext;
  readonly #plans: ShapePlans;
  readonly #entries: readonly number[];
  readonly #isPair: (word: number) => boolean;
  /** By bits 23…31, which narrow the search when a slot is filled. */
  readonly #coarse: (readonly number[] | undefined)[] = [];
  /** By entry. */
  readonly #candidates: (Candidate | undefined)[] = [];
  /** Index of a bucket, or of a row, by the word's high half. */
  readonly slots: Uint16Array = new Uint16Array(0x10000);
  /** Indices of buckets, row by row. */
  rows: Uint16Array = new Uint16Array(0);
  readonly buckets: Bucket[] = [EMPTY_BUCKET];
  /** Buckets whose candidates a row tells apart. */
  readonly #splits: Bucket[] = [];
  readonly #slotByContent = new Map<string, number>();

  /** @param isPair whether a first word, of which only the high half matters, belongs to a pair format. */
  constructor(context: DecodeContext, isPair: (word: number) => boolean) {
    this.#context = context;
    this.#isPair = isPair;
    this.#plans = new ShapePlans(context.table, context.waveSize);
    this.#entries = selectEntries(context);
  }

  /** What to try for a first word. */
  // hot
  find(word: number): Bucket {
    let slot = this.slots[word >>> 16] ?? UNKNOWN;
    if (slot >= FIRST_SPLIT) slot = this.rows[(slot - FIRST_SPLIT) * ROW_SLOTS + ((word >>> 8) & 0xff)] ?? UNKNOWN;
    return slot === UNKNOWN ? this.#fill(word) : (this.buckets[slot] ?? EMPTY_BUCKET);
  }

  #fill(word: number): Bucket {
    const high = word >>> 16;
    let slot = this.slots[high] ?? UNKNOWN;
    if (slot === UNKNOWN) {
      slot = this.#slotOf(high);
      this.slots[high] = slot;
    }
    if (slot >= FIRST_SPLIT) slot = this.#fillRow(slot - FIRST_SPLIT, (word >>> 8) & 0xff);
    return this.buckets[slot] ?? EMPTY_BUCKET;
  }

  #slotOf(high: number): number {
    const coarse = (this.#coarse[high >>> 7] ??= this.#matching(this.#entries, high * 0x10000, 0xff800000));
    const candidates = this.#matching(coarse, high * 0x10000, 0xffff0000).map((entry) => this.#candidate(entry));
    const bucket: Bucket = { candidates, isPair: this.#isPair(high << 16) };
    return this.#share(bucket, () => (candidates.length > SPLIT_LIMIT ? this.#addRow(bucket) : this.#add(bucket)));
  }

  #fillRow(row: number, middle: number): number {
    const { candidates, isPair } = this.#splits[row] ?? EMPTY_BUCKET;
    const left = candidates.filter(({ mask0, value0 }) => (((middle << 8) ^ value0) & mask0 & 0xff00) === 0);
    const bucket: Bucket = { candidates: left, isPair };
    const slot = this.#share(bucket, () => this.#add(bucket), 'row ');
    this.rows[row * ROW_SLOTS + middle] = slot;
    return slot;
  }

  /** The slot of a bucket with this content, added when there is none yet. */
  #share({ candidates, isPair }: Bucket, add: () => number, prefix = ''): number {
    const content = `${prefix}${isPair} ${candidates.map(({ entry }) => entry).join()}`;
    let slot = this.#slotByContent.get(content);
    if (slot === undefined) {
      slot = add();
      this.#slotByContent.set(content, slot);
    }
    return slot;
  }

  #add(bucket: Bucket): number {
    return this.buckets.push(bucket) - 1;
  }

  #addRow(bucket: Bucket): number {
    const row = this.#splits.push(bucket) - 1;
    if (this.rows.length < this.#splits.length * ROW_SLOTS) {
      const grown = new Uint16Array(Math.max(16 * ROW_SLOTS, this.rows.length * 2));
      grown.set(this.rows);
      this.rows = grown;
    }
    return FIRST_SPLIT + row;
  }

  /** Entries whose fixed bits agree with `word` where `known` is set. */
  #matching(entries: readonly number[], word: number, known: number): readonly number[] {
    const { masks, values } = this.#context.table;
    return entries.filter((entry) => ((word ^ (values[entry * 4] ?? 0)) & (masks[entry * 4] ?? 0) & known) === 0);
  }

  #candidate(entry: number): Candidate {
    return (this.#candidates[entry] ??= new Candidate(this.#context, entry, this.#plans));
  }
}

/** Key of an entry in decode order: decode tables by index, inside one the entries with most fixed bits first. */
const PRIORITY_STEP = 2 ** 32;
const FIXED_BITS_STEP = 2 ** 16;
const MOST_FIXED_BITS = 4 * 32;

/** Whether waves of this size on this processor have an entry. */
export function hasEntry(table: InstructionTable, entry: number, processor: string, waveSize: 32 | 64): boolean {
  const entryWave = table.waveSizes[entry];
  return (entryWave === 0 || entryWave === waveSize) && (table.cpuSet(entry)?.includes(processor) ?? true);
}

/** The processor's entries in decode order. */
function selectEntries({ table, processor, waveSize }: DecodeContext): readonly number[] {
  // LLVM 22 describes 16-bit operands as halves of registers on gfx11, as whole registers on gfx12 and gfx1250.
  const unwanted = table.family === 'gfx11' ? TRUE16.fake : TRUE16.real;
  const keys = new Float64Array(table.entryCount);
  let count = 0;
  for (let entry = 0; entry < table.entryCount; entry++) {
    if (table.true16[entry] === unwanted || !hasEntry(table, entry, processor, waveSize)) continue;
    const loose = MOST_FIXED_BITS - (table.fixedBits[entry] ?? 0);
    keys[count++] = (table.priorities[entry] ?? 0) * PRIORITY_STEP + loose * FIXED_BITS_STEP + entry;
  }
  return Array.from(keys.subarray(0, count).sort(), (key) => key % FIXED_BITS_STEP);
}
