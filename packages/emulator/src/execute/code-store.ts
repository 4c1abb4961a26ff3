/**
 * Compiled code that the workers of a machine share, in shared memory: by what it was made from (name, which holds options and the
 * way of starting, and the bytes of machine code). A worker also leaves wishes here, which it, another one or the compile worker answers. When it is full,
 * everything is forgotten: workers keep what they have.
 */
import type { CodeNeed } from '../executor.js';
import { imageOf, isPartOf, isSameCode, type CodeBytes } from './code-bytes.js';

export interface StoredCode {
  readonly code: CodeBytes;
  /** The kernel waits at barriers. */
  readonly hasBarrier: boolean;
  /** Nothing but a wave's registers is changed by it, as far as is known. */
  readonly isRepeatable: boolean;
  /** The WebAssembly module. */
  readonly module: Uint8Array<ArrayBuffer>;
}

/** What is asked for. */
export interface Wish {
  readonly entry: number;
  readonly name: string;
  readonly code: CodeBytes;
}

// Words of the head.
const LOCK = 0;
/** Counts what was stored or asked for. */
const VERSION = 1;
const ENTRY_COUNT = 2;
const HEAP_NEXT = 3;
/** Entries that are being made. */
const OPEN_COUNT = 4;
const HEAD_WORDS = 16;
/** Words of an entry. */
const Entry = {
  state: 0,
  hash: 1,
  /** Offset of name, ranges and bytes of machine code, one after the other, and their lengths in bytes. */
  source: 2,
  nameBytes: 3,
  rangeBytes: 4,
  codeBytes: 5,
  /** By the bits in Flag. */
  flags: 6,
  module: 7,
  moduleBytes: 8,
  /** Of a wish, by its place in NEEDS. */
  need: 9,
} as const;
const ENTRY_WORDS = 16;
const Flag = { hasBarrier: 1, isRepeatable: 2 } as const;
const MAX_ENTRIES = 4096;
const HEAP_START = (HEAD_WORDS + MAX_ENTRIES * ENTRY_WORDS) * 4;

const NEEDS: readonly CodeNeed[] = ['wanted', 'large', 'certain', 'urgent'];

const State = { wanted: 1, taken: 2, done: 3 } as const;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class CodeStore {
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;

  constructor(buffer: SharedArrayBuffer) {
    this.#words = new Int32Array(buffer);
    this.#bytes = new Uint8Array(buffer);
  }

  /** Changes whenever something was stored or asked for. */
  get version(): number {
    return Atomics.load(this.#words, VERSION);
  }

  /** Waits until {@link version} is no longer `seen`. */
  wait(seen: number, timeoutMs: number): void {
    Atomics.wait(this.#words, VERSION, seen, timeoutMs);
  }

  /** Wakes who waits. */
  wake(): void {
    Atomics.add(this.#words, VERSION, 1);
    Atomics.notify(this.#words, VERSION);
  }

  /** What was made under this name from code of which `isSame` says that it is the code at hand. */
  find(name: string, isSame: (code: CodeBytes) => boolean): StoredCode | undefined {
    return this.#locked(() => {
      const index = this.#search(name, isSame);
      if (index < 0 || this.#get(index, Entry.state) !== State.done) return undefined;
      const start = this.#get(index, Entry.module);
      const flags = this.#get(index, Entry.flags);
      return {
        code: this.#codeOf(index),
        hasBarrier: (flags & Flag.hasBarrier) !== 0,
        isRepeatable: (flags & Flag.isRepeatable) !== 0,
        module: copyOf(this.#bytes.subarray(start, start + this.#get(index, Entry.moduleBytes))),
      };
    });
  }

  /** Stores a module that nobody was asked for. */
  add(name: string, stored: StoredCode): void {
    this.#locked(() => {
      const index = this.#search(name, (code) => isSameCode(code, stored.code));
      const own = index >= 0 ? index : this.#newEntry(name, stored.code);
      if (own >= 0 && this.#get(own, Entry.state) === 0) this.#finish(own, stored);
    });
    this.wake();
  }

  /**
   * Asks for a module made from code that has all that is reached, and may have more; false where there is no room to ask. Asking again
   * does nothing, unless the wish or its answer is forgotten.
   */
  ask(name: string, code: CodeBytes, need: CodeNeed = 'wanted'): boolean {
    const image = imageOf(code);
    const asked = this.#locked(() => {
      if (this.#search(name, (other) => isPartOf(other, image)) >= 0) return 'before';
      const index = this.#newEntry(name, code);
      if (index < 0) return 'no room';
      this.#set(index, Entry.state, State.wanted);
      this.#set(index, Entry.need, NEEDS.indexOf(need));
      return 'now';
    });
    if (asked === 'now') this.wake();
    return asked !== 'no room';
  }

  /**
   * A wish that nobody works on: the first urgent one, else the latest, for the kernel that runs now. `small`: large ones are for
   * others.
   */
  take(which: 'any' | 'small' = 'any'): Wish | undefined {
    return this.#locked(() => {
      const wishes = Array.from({ length: this.#words[ENTRY_COUNT] ?? 0 }, (_, index) => index).filter(
        (index) => this.#get(index, Entry.state) === State.wanted && (which === 'any' || this.#needOf(index) !== 'large'),
      );
      const index = wishes.find((wish) => this.#needOf(wish) === 'urgent') ?? wishes.at(-1);
      if (index === undefined) return undefined;
      this.#set(index, Entry.state, State.taken);
      this.#words[OPEN_COUNT] = (this.#words[OPEN_COUNT] ?? 0) + 1;
      return { entry: index, name: this.#nameOf(index), code: this.#codeOf(index) };
    });
  }

  /** Answers a wish: from now on its code is what was looked at. What does not fit is dropped, and may be asked for again. */
  answer({ entry }: Wish, made: StoredCode): void {
    this.#locked(() => {
      this.#words[OPEN_COUNT] = (this.#words[OPEN_COUNT] ?? 0) - 1;
      this.#narrow(entry, made.code);
      this.#finish(entry, made);
    });
    this.wake();
  }

  #needOf(index: number): CodeNeed | undefined {
    return NEEDS[this.#get(index, Entry.need)];
  }

  #finish(index: number, { module, hasBarrier, isRepeatable }: StoredCode): void {
    const start = this.#allocate(module.length);
    if (start < 0) {
      this.#set(index, Entry.state, 0);
      this.#set(index, Entry.nameBytes, -1);
      return;
    }
    this.#bytes.set(module, start);
    this.#set(index, Entry.module, start);
    this.#set(index, Entry.moduleBytes, module.length);
    this.#set(index, Entry.flags, (hasBarrier ? Flag.hasBarrier : 0) | (isRepeatable ? Flag.isRepeatable : 0));
    this.#set(index, Entry.state, State.done);
  }

  /** The code of an entry becomes a part of what it was, if its place is enough for that. */
  #narrow(index: number, code: CodeBytes): void {
    const ranges = rangeBytes(code);
    const room = this.#get(index, Entry.rangeBytes) + this.#get(index, Entry.codeBytes);
    if (ranges.length + code.bytes.length > room) return;
    const start = this.#get(index, Entry.source) + this.#get(index, Entry.nameBytes);
    this.#bytes.set(ranges, start);
    this.#bytes.set(code.bytes, start + ranges.length);
    this.#set(index, Entry.rangeBytes, ranges.length);
    this.#set(index, Entry.codeBytes, code.bytes.length);
  }

  #newEntry(name: string, code: CodeBytes): number {
    const nameBytes = encoder.encode(name);
    const ranges = rangeBytes(code);
    const length = nameBytes.length + ranges.length + code.bytes.length;
    // Half of the room is for modules, so that what was asked for can be answered.
    const isFull =
      (this.#words[ENTRY_COUNT] ?? 0) >= MAX_ENTRIES || this.#heapNext() + length > (HEAP_START + this.#bytes.length) / 2;
    if (isFull && !this.#forget()) return -1;
    const source = this.#allocate(length);
    if (source < 0) return -1;
    const index = this.#words[ENTRY_COUNT] ?? 0;
    this.#words[ENTRY_COUNT] = index + 1;
    this.#bytes.set(nameBytes, source);
    this.#bytes.set(ranges, source + nameBytes.length);
    this.#bytes.set(code.bytes, source + nameBytes.length + ranges.length);
    this.#set(index, Entry.state, 0);
    this.#set(index, Entry.hash, hashOf(nameBytes));
    this.#set(index, Entry.source, source);
    this.#set(index, Entry.nameBytes, nameBytes.length);
    this.#set(index, Entry.rangeBytes, ranges.length);
    this.#set(index, Entry.codeBytes, code.bytes.length);
    return index;
  }

  /** Empties the store, unless somebody is at work for it. */
  #forget(): boolean {
    if ((this.#words[OPEN_COUNT] ?? 0) !== 0) return false;
    this.#words[ENTRY_COUNT] = 0;
    this.#words[HEAP_NEXT] = 0;
    return true;
  }

  #heapNext(): number {
    return HEAP_START + (this.#words[HEAP_NEXT] ?? 0);
  }

  #allocate(length: number): number {
    const start = this.#heapNext();
    if (start + length > this.#bytes.length) return -1;
    this.#words[HEAP_NEXT] = (this.#words[HEAP_NEXT] ?? 0) + Math.ceil(length / 8) * 8;
    return start;
  }

  #search(name: string, isSame: (code: CodeBytes) => boolean): number {
    const bytes = encoder.encode(name);
    const hash = hashOf(bytes);
    const count = this.#words[ENTRY_COUNT] ?? 0;
    for (let index = 0; index < count; index++) {
      if (this.#get(index, Entry.hash) !== hash || this.#get(index, Entry.nameBytes) !== bytes.length) continue;
      if (this.#nameOf(index) === name && isSame(this.#codeOf(index))) return index;
    }
    return -1;
  }

  #nameOf(index: number): string {
    const start = this.#get(index, Entry.source);
    return decoder.decode(this.#bytes.slice(start, start + this.#get(index, Entry.nameBytes)));
  }

  #codeOf(index: number): CodeBytes {
    const start = this.#get(index, Entry.source) + this.#get(index, Entry.nameBytes);
    const end = start + this.#get(index, Entry.rangeBytes);
    const numbers = new Uint32Array(this.#bytes.slice(start, end).buffer);
    const ranges: [number, number][] = [];
    for (let i = 0; i < numbers.length; i += 2) ranges.push([numbers[i] ?? 0, numbers[i + 1] ?? 0]);
    return { ranges, bytes: copyOf(this.#bytes.subarray(end, end + this.#get(index, Entry.codeBytes))) };
  }

  #get(index: number, field: number): number {
    return this.#words[HEAD_WORDS + index * ENTRY_WORDS + field] ?? 0;
  }

  #set(index: number, field: number, value: number): void {
    this.#words[HEAD_WORDS + index * ENTRY_WORDS + field] = value;
  }

  /** One thread at a time; each stays for microseconds. */
  #locked<T>(work: () => T): T {
    const words = this.#words;
    while (Atomics.compareExchange(words, LOCK, 0, 1) !== 0) Atomics.wait(words, LOCK, 1, 1);
    try {
      return work();
    } finally {
      Atomics.store(words, LOCK, 0);
      Atomics.notify(words, LOCK, 1);
    }
  }
}

function rangeBytes({ ranges }: CodeBytes): Uint8Array {
  return new Uint8Array(Uint32Array.from(ranges.flat()).buffer);
}

/** Memory of its own: what is shared can be neither decoded nor compiled. */
function copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(bytes.length);
  copy.set(bytes);
  return copy;
}

/** FNV-1a over the bytes. */
export function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c_9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x0100_0193);
  return hash | 0;
}
