/**
 * Which pages are there, for whom. The GPU's view is the page table in the machine's memory, which software checks read; the
 * host's view is kept beside it. Where the host can protect pages, a page that nobody mapped is made inaccessible, so that
 * plain loads and stores of compiled code trap.
 *
 * A page loses its protection at once but gets it back only while no device thread is at work: atomics and script accesses
 * check the table and then touch the page, and a page that is protected in between would end the process. So a change that must
 * wait asks the threads to rest (worker-main.ts); the last one raises an interrupt, which comes back to {@link PageTable.flush}.
 */
import type { Host } from '../host.js';
import { CODE_EPOCH, PAGE_NOTES } from './shared-state.js';
import {
  MEMORY_BYTES,
  PAGE_BYTES,
  PAGE_COARSE,
  PAGE_COUNT,
  PAGE_EXECUTE,
  PAGE_TABLE,
  PAGE_WRITE,
  STATE_BYTES,
} from '../memory-map.js';

export type HostAccess = 'none' | 'read' | 'write';

const NONE = 0;
const READ = 1;
const WRITE = 2;
/** All that a page's entry in one of the tables can be: PAGE_COARSE is the highest flag. */
const PAGE_STATES: readonly number[] = Array.from({ length: 2 * PAGE_COARSE }, (_, state) => state);
const MAPPED_STATES = PAGE_STATES.filter((state) => state !== NONE);
const CODE_STATES = PAGE_STATES.filter((state) => (state & PAGE_EXECUTE) !== 0);
const ACCESS_NAMES = ['none', 'read', 'write'] as const satisfies readonly HostAccess[];

export interface PageTableOptions {
  readonly memory: WebAssembly.Memory;
  readonly protectPages: Host['protectPages'];
  readonly threads: RestingThreads;
}

/** The device threads, as far as pages are concerned. */
export interface RestingThreads {
  /** Whether one may be between checking a page and touching it. */
  isBusy(): boolean;
  /** Makes them rest soon. They go on after {@link goOn}, or after some time. */
  askToRest(): void;
  goOn(): void;
}

export class PageTable {
  readonly #memory: WebAssembly.Memory;
  readonly #protect: Host['protectPages'];
  readonly #threads: RestingThreads;
  readonly #words: Int32Array;
  /** The GPU's permissions; shared with the device threads. */
  readonly #gpu: Uint8Array;
  readonly #host: Uint8Array;
  /** What the host system enforces now. */
  readonly #applied: Uint8Array;
  /** Pages that were accessible at some time, and may hold something. */
  readonly #used: Uint8Array;
  /** Page ranges [first, end) that are to be protected as soon as no device thread is at work. */
  #deferred: (readonly [number, number])[] = [];

  constructor({ memory, protectPages, threads }: PageTableOptions) {
    this.#memory = memory;
    this.#protect = protectPages;
    this.#threads = threads;
    this.#words = new Int32Array(memory.buffer);
    this.#gpu = new Uint8Array(memory.buffer, PAGE_TABLE, PAGE_COUNT);
    this.#host = new Uint8Array(memory.buffer, PAGE_NOTES, PAGE_COUNT);
    this.#applied = new Uint8Array(memory.buffer, PAGE_NOTES + PAGE_COUNT, PAGE_COUNT);
    this.#used = new Uint8Array(memory.buffer, PAGE_NOTES + 2 * PAGE_COUNT, PAGE_COUNT);
    protectPages?.(memory, STATE_BYTES, MEMORY_BYTES - STATE_BYTES, 'none');
    protectPages?.(memory, 0, PAGE_BYTES, 'none');
  }

  /** Sets what the GPU may do with these pages: PAGE_READ | PAGE_WRITE | PAGE_EXECUTE, or 0. */
  setGpu(offset: number, sizeBytes: number, access: number): void {
    const [first, end] = pagesOf(offset, sizeBytes);
    const hadCode = hasOneOf(this.#gpu.subarray(first, end), CODE_STATES);
    this.#gpu.fill(access, first, end);
    this.#update(first, end);
    if (hadCode || CODE_STATES.includes(access)) Atomics.add(this.#words, CODE_EPOCH, 1);
  }

  /** Sets what the host may do with these pages. */
  setHost(offset: number, sizeBytes: number, access: HostAccess): void {
    const [first, end] = pagesOf(offset, sizeBytes);
    this.#host.fill(ACCESS_NAMES.indexOf(access), first, end);
    this.#update(first, end);
  }

  /** The GPU's permissions of the page that holds `offset`. */
  gpuAccess(offset: number): number {
    return this.#gpu[Math.floor(offset / PAGE_BYTES)] ?? 0;
  }

  /** Whether the host may touch all these bytes. */
  isHostAccessible(offset: number, sizeBytes: number): boolean {
    const [first, end] = pagesOf(offset, sizeBytes);
    // Mostly it has mapped them all, and there may be thousands.
    if (!this.#host.subarray(first, end).includes(NONE)) return true;
    for (let page = first; page < end; page += 1) {
      if (this.#host[page] === NONE && this.#gpu[page] === 0) return false;
    }
    return true;
  }

  /** Whether host or GPU may touch any of these bytes. */
  isSeen(offset: number, sizeBytes: number): boolean {
    const [first, end] = pagesOf(offset, sizeBytes);
    return [this.#host, this.#gpu].some((flags) => hasOneOf(flags.subarray(first, end), MAPPED_STATES));
  }

  /** Makes `sizeBytes` bytes zero that neither side has mapped. */
  clear(offset: number, sizeBytes: number, discardPages: Host['discardPages']): void {
    const [first, end] = pagesOf(offset, sizeBytes);
    for (const [from, to] of runsOf(this.#used, first, end)) {
      if (discardPages?.(this.#memory, from * PAGE_BYTES, (to - from) * PAGE_BYTES) !== true) this.#fillZero(from, to);
      this.#used.fill(0, from, to);
    }
  }

  /** Makes every page zero that was ever accessible behind the emulator's own state. */
  clearAll(): void {
    this.setGpu(STATE_BYTES, MEMORY_BYTES - STATE_BYTES, 0);
    this.setHost(STATE_BYTES, MEMORY_BYTES - STATE_BYTES, 'none');
    this.clear(STATE_BYTES, MEMORY_BYTES - STATE_BYTES, undefined);
  }

  /** Protects what waits for it, if no device thread is at work; else they are asked to rest. */
  flush(): void {
    if (this.#deferred.length === 0) return;
    if (this.#threads.isBusy()) {
      this.#threads.askToRest();
      return;
    }
    const ranges = this.#deferred;
    this.#deferred = [];
    for (const [first, end] of ranges) this.#apply(first, end);
    this.#threads.goOn();
  }

  #update(first: number, end: number): void {
    this.#raise(first, end);
    if (this.#protect === undefined || !this.#isTooOpen(first, end)) return;
    this.#deferred.push([first, end]);
    this.flush();
  }

  /** Whether a page of the range lets more through than it should. */
  #isTooOpen(first: number, end: number): boolean {
    if (this.#isUniform(first, end)) return (this.#applied[first] ?? NONE) > this.#wanted(first);
    for (let page = first; page < end; page += 1) if ((this.#applied[page] ?? NONE) > this.#wanted(page)) return true;
    return false;
  }

  /** Gives access that is new; never takes any. */
  #raise(first: number, end: number): void {
    if (this.#isUniform(first, end)) this.#raiseUniform(first, end);
    else this.#raiseEach(first, end);
  }

  #raiseUniform(first: number, end: number): void {
    const wanted = this.#wanted(first);
    const applied = this.#applied[first] ?? NONE;
    if (wanted !== NONE) this.#used.fill(1, first, end);
    if (this.#protect !== undefined && wanted > applied) this.#enforce(first, end, wanted);
  }

  #raiseEach(first: number, end: number): void {
    for (let page = first; page < end; page += 1) {
      const wanted = this.#wanted(page);
      if (wanted !== NONE) this.#used[page] = 1;
    }
    if (this.#protect === undefined) return;
    this.#applyRuns(first, end, (page) => Math.max(this.#wanted(page), this.#applied[page] ?? NONE));
  }

  #apply(first: number, end: number): void {
    if (!this.#isUniform(first, end)) {
      this.#applyRuns(first, end, (page) => this.#wanted(page));
      return;
    }
    const wanted = this.#wanted(first);
    if (wanted !== this.#applied[first]) this.#enforce(first, end, wanted);
  }

  #applyRuns(first: number, end: number, wantedOf: (page: number) => number): void {
    let page = first;
    while (page < end) {
      const wanted = wantedOf(page);
      if (wanted === this.#applied[page]) {
        page += 1;
        continue;
      }
      const from = page;
      while (page < end && wantedOf(page) === wanted && this.#applied[page] !== wanted) page += 1;
      this.#enforce(from, page, wanted);
    }
  }

  #enforce(first: number, end: number, access: number): void {
    this.#applied.fill(access, first, end);
    this.#protect?.(this.#memory, first * PAGE_BYTES, (end - first) * PAGE_BYTES, ACCESS_NAMES[access] ?? 'none');
  }

  /** Whether all pages of a range are alike, as those of a buffer mostly are: thousands then need no look at each. */
  #isUniform(first: number, end: number): boolean {
    return [this.#gpu, this.#host, this.#applied].every((flags) => {
      const range = flags.subarray(first, end);
      return PAGE_STATES.every((state) => state === flags[first] || !range.includes(state));
    });
  }

  #wanted(page: number): number {
    const gpu = this.#gpu[page] ?? 0;
    const forGpu = gpu === 0 ? NONE : (gpu & PAGE_WRITE) === 0 ? READ : WRITE;
    return Math.max(forGpu, this.#host[page] ?? NONE);
  }

  #fillZero(first: number, end: number): void {
    const offset = first * PAGE_BYTES;
    const sizeBytes = (end - first) * PAGE_BYTES;
    this.#protect?.(this.#memory, offset, sizeBytes, 'write');
    new Uint8Array(this.#memory.buffer, offset, sizeBytes).fill(0);
    this.#applied.fill(WRITE, first, end);
    this.#update(first, end);
  }
}

/** Whether a page is in one of these states; thousands of pages need no look at each. */
function hasOneOf(pages: Uint8Array, states: readonly number[]): boolean {
  return states.some((state) => pages.includes(state));
}

function pagesOf(offset: number, sizeBytes: number): readonly [number, number] {
  return [Math.floor(offset / PAGE_BYTES), Math.ceil((offset + sizeBytes) / PAGE_BYTES)];
}

/** The runs of non-zero bytes in [first, end). */
function* runsOf(flags: Uint8Array, first: number, end: number): Generator<readonly [number, number]> {
  let page = first;
  while (page < end) {
    const from = flags.subarray(0, end).indexOf(1, page);
    if (from < 0) return;
    page = from;
    while (page < end && flags[page] === 1) page += 1;
    yield [from, page];
  }
}
