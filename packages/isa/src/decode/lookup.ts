import type { InstructionTable } from '../table/instruction-table.js';
import { bitCount, TRUE16 } from '../table/instruction-table.js';
import { unpackColumn } from '../table/vlq.js';
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
  /** By prefix: entries that agree with it, in decode order; found when first asked for. */
  readonly #entries: (readonly number[] | undefined)[] = [];
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
    const entries = (this.#entries[prefix] ??= selectEntries(this.#context, prefix));
    if (this.bases[prefix] === NO_BASE) this.#addPrefix(prefix, entries);
    const window = this.windows[prefix] ?? 0;
    const { table } = this.#context;
    const known = (WINDOW_SLOTS - 1) << window;
    const found = this.#scratch;
    found.length = 0;
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i] ?? 0;
      if (((word ^ table.value(entry, 0)) & table.mask(entry, 0) & known) === 0) found.push(entry);
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
    this.windows[prefix] = bestWindow(this.#context.table, entries);
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
function bestWindow(table: InstructionTable, entries: readonly number[]): number {
  const masks = entries.map((entry) => table.mask(entry, 0));
  let best = 0;
  let bestCount = -1;
  for (const window of WINDOWS) {
    let count = 0;
    for (let i = 0; i < masks.length; i++) count += bitCount(((masks[i] ?? 0) >>> window) & (WINDOW_SLOTS - 1));
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
  const entryWave = table.waveSize(entry);
  return (entryWave === 0 || entryWave === waveSize) && (table.cpuSet(entry)?.includes(processor) ?? true);
}

/** The processor's entries that agree with a prefix, in decode order. */
function selectEntries({ table, processor, waveSize }: DecodeContext, prefix: number): readonly number[] {
  // LLVM 22 describes 16-bit operands as halves of registers on gfx11, as whole registers on gfx12 and gfx1250.
  const unwanted = table.family === 'gfx11' ? TRUE16.fake : TRUE16.real;
  const keys: number[] = [];
  const { groups } = table.parts;
  // Counted loops and no destructuring: this runs before it is compiled.
  for (let i = 0; i < groups.length; i++) {
    const group = groups[i];
    if (group === undefined || ((prefix ^ group[1]) & group[0]) !== 0) continue;
    const entries = unpackColumn(group[3], group[2]);
    for (let j = 0; j < entries.length; j++) {
      const entry = entries[j] ?? 0;
      if (table.true16(entry) === unwanted || !hasEntry(table, entry, processor, waveSize)) continue;
      const loose = MOST_FIXED_BITS - table.fixedBits(entry);
      keys.push(table.priority(entry) * PRIORITY_STEP + loose * FIXED_BITS_STEP + entry);
    }
  }
  return Array.from(Float64Array.from(keys).sort(), (key) => key % FIXED_BITS_STEP);
}
