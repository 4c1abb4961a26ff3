import type { InstructionTable } from '../table/instruction-table.js';
import { isSizedByFields } from './image.js';
import { TRUE16 } from '../table/instruction-table.js';
import type { ShapePlan } from './operand-plan.js';
import { ShapePlans } from './operand-plan.js';

/** A slot that is not filled yet. */
const UNKNOWN = 0;
/** Longer lists are split by the second index. */
const SPLIT_LIMIT = 4;

/** One entry as the decoder tries it; fields are flat for speed. */
export class Candidate {
  readonly entry: number;
  readonly mask0: number;
  readonly value0: number;
  readonly mask1: number;
  readonly value1: number;
  readonly mask2: number;
  readonly value2: number;
  readonly mask3: number;
  readonly value3: number;
  /** Whether words 2 and 3 matter. */
  readonly isLong: boolean;
  readonly sizeBytes: number;
  readonly requirement: readonly (readonly [number, number, readonly number[]])[] | undefined;
  /** The size includes a mandatory literal. */
  readonly hasOwnLiteral: boolean;
  /** An image instruction, whose register counts depend on fields. */
  readonly isImage: boolean;
  readonly #plans: ShapePlans;
  #plan: ShapePlan | undefined = undefined;

  constructor(table: InstructionTable, entry: number, plans: ShapePlans) {
    const mask = (word: number): number => table.masks[entry * 4 + word] ?? 0;
    const value = (word: number): number => table.values[entry * 4 + word] ?? 0;
    this.entry = entry;
    this.mask0 = mask(0);
    this.value0 = value(0);
    this.mask1 = mask(1);
    this.value1 = value(1);
    this.mask2 = mask(2);
    this.value2 = value(2);
    this.mask3 = mask(3);
    this.value3 = value(3);
    this.isLong = this.mask2 !== 0 || this.mask3 !== 0;
    this.sizeBytes = table.sizes[entry] ?? 0;
    this.requirement = table.requirement(entry);
    this.hasOwnLiteral = table.extension(entry) === 'LIT';
    this.isImage = isSizedByFields(table, entry);
    this.#plans = plans;
  }

  /** Operands and checks; made when the entry first matches. */
  get plan(): ShapePlan {
    this.#plan ??= this.#plans.get(this.entry);
    return this.#plan;
  }
}

/** Entries that agree with the bits seen so far, in decode order; `split`: by bits 8…15 of the first word. */
interface Bucket {
  readonly candidates: readonly Candidate[];
  readonly split: (readonly Candidate[] | undefined)[] | undefined;
}

const NO_CANDIDATES: readonly Candidate[] = [];

/**
 * Finds the entries that a first word can belong to: by its high half, then, where many are left, by bits 8…15. Slots are filled
 * when first asked for.
 */
export class EntryLookup {
  readonly #table: InstructionTable;
  readonly #plans: ShapePlans;
  readonly #entries: readonly number[];
  /** By bits 23…31, which narrow the search when a slot is filled. */
  readonly #coarse: (readonly number[] | undefined)[] = [];
  /** By entry. */
  readonly #candidates: (Candidate | undefined)[] = [];
  readonly #slots = new Uint16Array(0x10000);
  readonly #buckets: Bucket[] = [{ candidates: NO_CANDIDATES, split: undefined }];
  readonly #bucketByContent = new Map<string, number>();

  constructor(table: InstructionTable, processor: string, waveSize: 32 | 64) {
    this.#table = table;
    this.#plans = new ShapePlans(table, waveSize);
    this.#entries = selectEntries(table, processor, waveSize);
  }

  /** The entries to try for a first word, most specific first. */
  // hot
  find(word: number): readonly Candidate[] {
    const high = word >>> 16;
    let slot = this.#slots[high] ?? UNKNOWN;
    if (slot === UNKNOWN) slot = this.#fill(high);
    const bucket = this.#buckets[slot];
    if (bucket === undefined) return NO_CANDIDATES;
    const { split } = bucket;
    if (split === undefined) return bucket.candidates;
    const middle = (word >>> 8) & 0xff;
    return split[middle] ?? this.#fillSplit(bucket, split, middle);
  }

  #fill(high: number): number {
    const coarse = (this.#coarse[high >>> 7] ??= this.#matching(this.#entries, high * 0x10000, 0xff800000));
    const entries = this.#matching(coarse, high * 0x10000, 0xffff0000);
    const content = entries.join();
    let slot = this.#bucketByContent.get(content);
    if (slot === undefined) {
      slot = this.#buckets.length;
      const candidates = entries.map((entry) => this.#candidate(entry));
      this.#buckets.push({ candidates, split: candidates.length > SPLIT_LIMIT ? emptySplit() : undefined });
      this.#bucketByContent.set(content, slot);
    }
    this.#slots[high] = slot;
    return slot;
  }

  #fillSplit(bucket: Bucket, split: (readonly Candidate[] | undefined)[], middle: number): readonly Candidate[] {
    const candidates = bucket.candidates.filter(({ mask0, value0 }) => (((middle << 8) ^ value0) & mask0 & 0xff00) === 0);
    split[middle] = candidates;
    return candidates;
  }

  /** Entries whose fixed bits agree with `word` where `known` is set. */
  #matching(entries: readonly number[], word: number, known: number): readonly number[] {
    const { masks, values } = this.#table;
    return entries.filter((entry) => ((word ^ (values[entry * 4] ?? 0)) & (masks[entry * 4] ?? 0) & known) === 0);
  }

  #candidate(entry: number): Candidate {
    return (this.#candidates[entry] ??= new Candidate(this.#table, entry, this.#plans));
  }
}

function emptySplit(): (readonly Candidate[] | undefined)[] {
  return Array.from({ length: 256 }, () => undefined);
}

/** Key of an entry in decode order: decode tables by index, inside one the entries with most fixed bits first. */
const PRIORITY_STEP = 2 ** 32;
const FIXED_BITS_STEP = 2 ** 16;
const MOST_FIXED_BITS = 4 * 32;

/** The processor's entries in decode order. */
function selectEntries(table: InstructionTable, processor: string, waveSize: 32 | 64): readonly number[] {
  // LLVM 22 describes 16-bit operands as halves of registers on gfx11, as whole registers on gfx12 and gfx1250.
  const unwanted = table.family === 'gfx11' ? TRUE16.fake : TRUE16.real;
  const keys = new Float64Array(table.entryCount);
  let count = 0;
  for (let entry = 0; entry < table.entryCount; entry++) {
    const entryWave = table.waveSizes[entry];
    if (entryWave !== 0 && entryWave !== waveSize) continue;
    if (table.true16[entry] === unwanted) continue;
    const cpus = table.cpuSet(entry);
    if (cpus && !cpus.includes(processor)) continue;
    const loose = MOST_FIXED_BITS - (table.fixedBits[entry] ?? 0);
    keys[count++] = (table.priorities[entry] ?? 0) * PRIORITY_STEP + loose * FIXED_BITS_STEP + entry;
  }
  return Array.from(keys.subarray(0, count).sort(), (key) => key % FIXED_BITS_STEP);
}
