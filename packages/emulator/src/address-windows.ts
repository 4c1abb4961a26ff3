/**
 * The second form of address translation: windows. A client that chooses its own addresses maps each buffer somewhere in 47 bits; a
 * window says where in the memory its bytes lie. The table is in the machine's memory, so that every thread and compiled code read it
 * while the main thread, which alone writes, adds and removes windows:
 *
 *   root    4096 dwords, by bits 46…35 of the address   → offset of a middle table
 *   middle  4096 dwords, by bits 34…23                   → offset of a leaf
 *   leaf    2048 words, by bits 22…12 (a page each)      → number of a record
 *   record  i64 first address, i64 bytes, i64 offset in memory
 *
 * Offsets count from {@link WINDOW_TABLES}, where an empty table lies; number 0 is an empty record. So every walk ends at a record, and
 * who compares the address with it need not care that the walk raced with a change.
 */
import { InternalError } from '@doorbell/abi';
import { PAGE_BYTES, PAGE_COUNT, WINDOWS, WINDOWS_BYTES } from './memory-map.js';

/** A range of addresses, and where its bytes lie in the memory. Whole pages. */
export interface AddressWindow {
  readonly address: bigint;
  readonly sizeBytes: number;
  readonly offset: number;
}

/** Addresses have this many bits (x86-64 user space, and what the GPU's VM reports as its limit). */
export const WINDOW_ADDRESS_BITS = 47;
export const ROOT_SHIFT = 35;
export const MIDDLE_SHIFT = 23;
export const PAGE_SHIFT = 12;
export const MIDDLE_MASK = 0xfff;
export const LEAF_MASK = 0x7ff;
const ROOT_ENTRIES: number = 2 ** (WINDOW_ADDRESS_BITS - ROOT_SHIFT);
const MIDDLE_TABLE_BYTES: number = 4 * (MIDDLE_MASK + 1);
const LEAF_TABLE_BYTES: number = 2 * (LEAF_MASK + 1);
const LEAF_BYTES: number = 2 ** MIDDLE_SHIFT;

export const WINDOW_ROOT: number = WINDOWS;
export const WINDOW_RECORDS: number = WINDOWS + 0x1_0000;
export const WINDOW_RECORD_BYTES = 24;
/** Records, the empty one included. */
const MAX_WINDOWS = 16_384;
/** One word for each page of the memory: the record of a window that shows it. */
const WINDOW_OF_PAGE: number = WINDOWS + 0x10_0000;
export const WINDOW_TABLES: number = WINDOWS + 0x30_0000;
const TABLE_BYTES: number = WINDOWS + WINDOWS_BYTES - WINDOW_TABLES;

/** Any thread's view of the windows. */
export class WindowReader {
  readonly form = 'scattered';
  readonly #words: Int32Array;
  /** Record numbers, in leaves and by page of the memory. */
  protected readonly numbers: Uint16Array;

  constructor(memory: WebAssembly.Memory) {
    this.#words = new Int32Array(memory.buffer);
    this.numbers = new Uint16Array(memory.buffer);
  }

  /** The offset of `bytes` bytes at the address of these two dwords, or -1 when no window holds them all. */
  // hot
  find(low: number, high: number, bytes: number): number {
    if (high >>> (WINDOW_ADDRESS_BITS - 32) !== 0) return -1;
    const words = this.#words;
    const middle = (WINDOW_TABLES + (words[WINDOW_ROOT / 4 + (high >>> (ROOT_SHIFT - 32))] ?? 0)) / 4;
    const inRoot = ((high << (32 - MIDDLE_SHIFT)) | (low >>> MIDDLE_SHIFT)) & MIDDLE_MASK;
    const leaf = WINDOW_TABLES + (words[middle + inRoot] ?? 0);
    const record = this.numbers[leaf / 2 + ((low >>> PAGE_SHIFT) & LEAF_MASK)] ?? 0;
    const word = (WINDOW_RECORDS + record * WINDOW_RECORD_BYTES) / 4;
    const above = toNumber(low, high) - toNumber(words[word] ?? 0, words[word + 1] ?? 0);
    const size = toNumber(words[word + 2] ?? 0, words[word + 3] ?? 0);
    return above >= 0 && above + bytes <= size ? above + ((words[word + 4] ?? 0) >>> 0) : -1;
  }

  /** The same for a 64-bit address. */
  offsetOf(address: bigint, bytes: number): number {
    if (address < 0n || address >> BigInt(WINDOW_ADDRESS_BITS) !== 0n) return -1;
    return this.find(Number(address & 0xffff_ffffn) | 0, Number(address >> 32n), bytes);
  }

  /** An address that a window gives to a byte of the memory; undefined when none shows it. */
  addressOf(offset: number): bigint | undefined {
    const record = this.numbers[WINDOW_OF_PAGE / 2 + Math.floor(offset / PAGE_BYTES)] ?? 0;
    const word = (WINDOW_RECORDS + record * WINDOW_RECORD_BYTES) / 4;
    const words = this.#words;
    const size = toNumber(words[word + 2] ?? 0, words[word + 3] ?? 0);
    const above = offset - ((words[word + 4] ?? 0) >>> 0);
    return above >= 0 && above < size ? BigInt(toNumber(words[word] ?? 0, words[word + 1] ?? 0) + above) : undefined;
  }
}

interface Table {
  /** From {@link WINDOW_TABLES}. */
  readonly offset: number;
  /** Pages of a leaf, leaves of a middle table that are in use. */
  users: number;
}

/** The main thread's side: makes the table. The region must be zero. */
export class WindowTable extends WindowReader {
  readonly #view: DataView;
  readonly #windows = new Map<bigint, AddressWindow & { readonly record: number }>();
  readonly #tables = new Map<number, Table>();
  readonly #free = { middle: [] as number[], leaf: [] as number[] };
  /** The first bytes are the empty table. */
  #nextTable = MIDDLE_TABLE_BYTES;
  /** Records are used in turn, so that one that was just given up stays as it is for a while. */
  #nextRecord = 1;
  readonly #records = new Set<number>();

  constructor(memory: WebAssembly.Memory) {
    super(memory);
    this.#view = new DataView(memory.buffer);
  }

  /** Whether some window holds any of these addresses. */
  overlaps(address: bigint, sizeBytes: number): boolean {
    for (const window of this.#windows.values()) {
      if (address < window.address + BigInt(window.sizeBytes) && window.address < address + BigInt(sizeBytes)) return true;
    }
    return false;
  }

  /** Adds a window; false when it meets another one, lies beyond the address bits, or there is no room for it in the table. */
  add(window: AddressWindow): boolean {
    const { address, sizeBytes, offset } = window;
    if (address < 0n || (address + BigInt(sizeBytes) - 1n) >> BigInt(WINDOW_ADDRESS_BITS) !== 0n) return false;
    if (this.overlaps(address, sizeBytes) || this.#records.size >= MAX_WINDOWS - 1) return false;
    if (!this.#hasRoom(address, sizeBytes)) return false;
    const record = this.#takeRecord();
    const at = WINDOW_RECORDS + record * WINDOW_RECORD_BYTES;
    this.#view.setBigUint64(at, address, true);
    this.#view.setBigUint64(at + 8, BigInt(sizeBytes), true);
    this.#view.setBigUint64(at + 16, BigInt(offset), true);
    this.#windows.set(address, { ...window, record });
    this.#setPages(window, record);
    this.#showPages(offset, sizeBytes, record);
    return true;
  }

  /** Removes the window that begins at `address`. */
  remove(address: bigint): void {
    const window = this.#windows.get(address);
    if (window === undefined) throw new InternalError(`no window at 0x${address.toString(16)}`);
    this.#windows.delete(address);
    this.#setPages(window, 0);
    this.#showPages(window.offset, window.sizeBytes, 0);
    // What a second window shows as well goes on being shown.
    for (const other of this.#windows.values()) {
      const from = Math.max(other.offset, window.offset);
      const end = Math.min(other.offset + other.sizeBytes, window.offset + window.sizeBytes);
      if (from < end) this.#showPages(from, end - from, other.record);
    }
    this.#view.setBigUint64(WINDOW_RECORDS + window.record * WINDOW_RECORD_BYTES + 8, 0n, true);
    this.#records.delete(window.record);
  }

  #takeRecord(): number {
    while (this.#records.has(this.#nextRecord)) this.#nextRecord = (this.#nextRecord % (MAX_WINDOWS - 1)) + 1;
    const record = this.#nextRecord;
    this.#nextRecord = (record % (MAX_WINDOWS - 1)) + 1;
    this.#records.add(record);
    return record;
  }

  #showPages(offset: number, sizeBytes: number, record: number): void {
    const first = WINDOW_OF_PAGE / 2 + offset / PAGE_BYTES;
    this.numbers.fill(record, first, first + Math.ceil(sizeBytes / PAGE_BYTES));
  }

  #setPages({ address, sizeBytes }: AddressWindow, record: number): void {
    let page = address >> BigInt(PAGE_SHIFT);
    const end = page + BigInt(Math.ceil(sizeBytes / PAGE_BYTES));
    while (page < end) {
      const index = Number(page & BigInt(LEAF_MASK));
      const count = Math.min(LEAF_MASK + 1 - index, Number(end - page));
      this.#setLeaf(page >> BigInt(MIDDLE_SHIFT - PAGE_SHIFT), { index, count, record });
      page += BigInt(count);
    }
  }

  #setLeaf(
    leaf: bigint,
    { index, count, record }: { readonly index: number; readonly count: number; readonly record: number },
  ): void {
    const rootEntry = WINDOW_ROOT + Number(leaf >> 12n) * 4;
    const middle = this.#tableAt(rootEntry, 'middle');
    const middleEntry = WINDOW_TABLES + middle.offset + Number(leaf & BigInt(MIDDLE_MASK)) * 4;
    const table = this.#tableAt(middleEntry, 'leaf', middle);
    const first = (WINDOW_TABLES + table.offset) / 2 + index;
    this.numbers.fill(record, first, first + count);
    table.users += record === 0 ? -count : count;
    if (table.users > 0) return;
    this.#giveUp(middleEntry, table, 'leaf');
    middle.users -= 1;
    if (middle.users === 0) this.#giveUp(rootEntry, middle, 'middle');
  }

  /** The table that an entry names; a new one when it names none. */
  #tableAt(entry: number, kind: 'middle' | 'leaf', parent?: Table): Table {
    const known = this.#tables.get(this.#view.getUint32(entry, true));
    if (known !== undefined) return known;
    const table: Table = { offset: this.#free[kind].pop() ?? this.#newTable(kind), users: 0 };
    this.#tables.set(table.offset, table);
    if (parent !== undefined) parent.users += 1;
    this.#view.setUint32(entry, table.offset, true);
    return table;
  }

  /** An empty table: all its entries are 0 by now. */
  #giveUp(entry: number, table: Table, kind: 'middle' | 'leaf'): void {
    this.#view.setUint32(entry, 0, true);
    this.#tables.delete(table.offset);
    this.#free[kind].push(table.offset);
  }

  #newTable(kind: 'middle' | 'leaf'): number {
    const offset = this.#nextTable;
    this.#nextTable += kind === 'leaf' ? LEAF_TABLE_BYTES : MIDDLE_TABLE_BYTES;
    return offset;
  }

  /** Whether the tables suffice for a window, even if it needs all new ones. */
  #hasRoom(address: bigint, sizeBytes: number): boolean {
    const span = (bytes: number): number => Math.ceil((Number(address % BigInt(bytes)) + sizeBytes) / bytes);
    const fresh = (kind: 'middle' | 'leaf', count: number, tableBytes: number): number =>
      Math.max(0, count - this.#free[kind].length) * tableBytes;
    const needed = fresh('leaf', span(LEAF_BYTES), LEAF_TABLE_BYTES) + fresh('middle', span(2 ** ROOT_SHIFT), MIDDLE_TABLE_BYTES);
    return this.#nextTable + needed <= TABLE_BYTES;
  }
}

// hot
function toNumber(low: number, high: number): number {
  return (high >>> 0) * 0x1_0000_0000 + (low >>> 0);
}

/** Ends of the parts, for the test that they do not meet. */
export const WINDOW_PARTS: readonly (readonly [name: string, start: number, end: number])[] = [
  ['root', WINDOW_ROOT, WINDOW_ROOT + ROOT_ENTRIES * 4],
  ['records', WINDOW_RECORDS, WINDOW_RECORDS + MAX_WINDOWS * WINDOW_RECORD_BYTES],
  ['pages', WINDOW_OF_PAGE, WINDOW_OF_PAGE + PAGE_COUNT * 2],
  ['tables', WINDOW_TABLES, WINDOWS + WINDOWS_BYTES],
];
