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
/** The first index: bits 23…31 of the first word, in which most formats and some opcodes lie. */
const PREFIX_SHIFT = 23;
const PREFIXES = 512;
/** The second index: 8 bits from one of these on, whichever tells most entries apart: sources, opcodes of SOP1, VOP1, FLAT, VOP3. */
const WINDOWS = [0, 8, 9, 14, 15];
const WINDOW_SLOTS = 256;
/** No slots for a prefix yet. */
const NO_BASE = -1;

const EMPTY_BUCKET: Bucket = { candidates: [], isPair: false };

/** Finds the entries that a first word can belong to, by two indices. Slots are filled when first asked for. */
export class EntryLookup {
  readonly #context: DecodeContext;
  readonly #plans: ShapePlans;
  readonly #isPair: (word: number) => boolean;
  /** By prefix: entries that agree with it, in decode order. */
  readonly #entries: readonly (readonly number[] | undefined)[];
  /** By entry. */
  readonly #candidates: (Candidate | undefined)[] = [];
  readonly #slotByContent = new Map<string, number>();
  readonly #scratch: number[] = [];
  /** By prefix: where its slots begin, and the first bit of its second index. */
  readonly bases: Int32Array = new Int32Array(PREFIXES).fill(NO_BASE);
  readonly windows: Uint8Array = new Uint8Array(PREFIXES);
  /** Indices of buckets. */
  slots: Uint16Array = new Uint16Array(0);
  readonly buckets: Bucket[] = [EMPTY_BUCKET];
  #slotCount = 0;

  /** @param isPair whether a first word, of which only bits 23…31 matter, belongs to a pair format. */
  constructor(context: DecodeContext, isPair: (word: number) => boolean) {
    this.#context = context;
    this.#isPair = isPair;
    this.#plans = new ShapePlans(context.table, context.waveSize);
    this.#entries = entriesByPrefix(context);
  }

  /** What to try for a first word. */
  // hot
  find(word: number): Bucket {
    const prefix = word >>> PREFIX_SHIFT;
    const base = this.bases[prefix] ?? NO_BASE;
    if (base === NO_BASE) return this.#fill(word);
    const slot = this.slots[base + ((word >>> (this.windows[prefix] ?? 0)) & (WINDOW_SLOTS - 1))] ?? UNKNOWN;
    return slot === UNKNOWN ? this.#fill(word) : (this.buckets[slot] ?? EMPTY_BUCKET);
  }

  #fill(word: number): Bucket {
    const prefix = word >>> PREFIX_SHIFT;
    const entries = this.#entries[prefix] ?? [];
    if (this.bases[prefix] === NO_BASE) this.#addPrefix(prefix, entries);
    const window = this.windows[prefix] ?? 0;
    const { masks, values } = this.#context.table;
    const known = (WINDOW_SLOTS - 1) << window;
    const found = this.#scratch;
    found.length = 0;
    for (const entry of entries) {
      if (((word ^ (values[entry * 4] ?? 0)) & (masks[entry * 4] ?? 0) & known) === 0) found.push(entry);
    }
    const isPair = this.#isPair((prefix << PREFIX_SHIFT) | 0);
    const content = `${isPair} ${found.join()}`;
    let slot = this.#slotByContent.get(content);
    if (slot === undefined) {
      slot = this.buckets.push({ candidates: found.map((entry) => this.#candidate(entry)), isPair }) - 1;
      this.#slotByContent.set(content, slot);
    }
    this.slots[(this.bases[prefix] ?? 0) + ((word >>> window) & (WINDOW_SLOTS - 1))] = slot;
    return this.buckets[slot] ?? EMPTY_BUCKET;
  }

  #addPrefix(prefix: number, entries: readonly number[]): void {
    this.windows[prefix] = bestWindow(this.#context.table.masks, entries);
    this.bases[prefix] = this.#slotCount;
    this.#slotCount += WINDOW_SLOTS;
    if (this.slots.length < this.#slotCount) {
      const grown = new Uint16Array(Math.max(32 * WINDOW_SLOTS, this.slots.length * 2));
      grown.set(this.slots);
      this.slots = grown;
    }
  }

  #candidate(entry: number): Candidate {
    return (this.#candidates[entry] ??= new Candidate(this.#context, entry, this.#plans));
  }
}

/** The window in which the entries fix most bits. */
function bestWindow(masks: Int32Array, entries: readonly number[]): number {
  let best = 0;
  let bestCount = -1;
  for (const window of WINDOWS) {
    let count = 0;
    for (const entry of entries) {
      for (let bits = ((masks[entry * 4] ?? 0) >>> window) & (WINDOW_SLOTS - 1); bits !== 0; bits &= bits - 1) count++;
    }
    if (count > bestCount) {
      best = window;
      bestCount = count;
    }
  }
  return best;
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

/** The processor's entries by the prefixes that their fixed bits allow, in decode order. */
function entriesByPrefix(context: DecodeContext): readonly (readonly number[] | undefined)[] {
  const { table } = context;
  const { masks, values } = table;
  const lists: (number[] | undefined)[] = Array.from({ length: PREFIXES });
  for (const entry of selectEntries(context)) {
    const fixed = (masks[entry * 4] ?? 0) >>> PREFIX_SHIFT;
    const free = ~fixed & (PREFIXES - 1);
    const value = ((values[entry * 4] ?? 0) >>> PREFIX_SHIFT) & fixed;
    // All values of the free bits, one after the other.
    for (let bits = free; ; bits = (bits - 1) & free) {
      (lists[value | bits] ??= []).push(entry);
      if (bits === 0) break;
    }
  }
  return lists;
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
