/**
 * Optimised code as a duty of the compute workers: a thread less for programs that are short or have few kernels. A worker makes what it
 * asked for in steps between those of its work, once the work before it is worth that; what is certain to be worth it, at once. When making
 * code has taken as long as a thread takes to start, the compile worker is called; the duty is its own when it is ready.
 */
import type { CodeNeed, MadeCode } from '../executor.js';
import { CODE_PLACE, CodePlace, IRQ_COUNT, wake } from './shared-state.js';
import { WorkMeter, type WorkAhead } from './work-meter.js';

/** Work that goes on for this much longer is worth optimised code: about what the first of a process takes to make. */
const WORTH_MS = 100;
/** What it takes to start a thread and to warm it up. */
const THREAD_MS = 150;

/** Of what is asked for, the need that counts most is met. */
const RANKS: Readonly<Record<CodeNeed, number>> = { wanted: 0, large: 0, certain: 1, urgent: 2 };

export interface CodeDutyOptions {
  readonly words: Int32Array;
  readonly work: WorkAhead;
  /** Makes a part of what was asked for. */
  readonly makeCode: () => MadeCode;
  readonly nowMs: () => number;
}

export class CodeDuty {
  readonly #words: Int32Array;
  /** Since code was asked for. */
  readonly #meter: WorkMeter;
  readonly #makeCode: () => MadeCode;
  readonly #nowMs: () => number;
  #need: CodeNeed | undefined;
  /** How often it was asked for what is not there yet; more than that at most. */
  #asked = 0;
  #isBegun = false;
  /** What making code took in all. */
  #madeMs = 0;

  constructor({ words, work, makeCode, nowMs }: CodeDutyOptions) {
    this.#words = words;
    this.#meter = new WorkMeter(work);
    this.#makeCode = makeCode;
    this.#nowMs = nowMs;
  }

  /** Optimised code was asked for. */
  ask(need: CodeNeed): void {
    if (need === 'large') this.#call();
    this.#asked += 1;
    if (this.#need === undefined) this.#meter.begin();
    if (this.#need === undefined || RANKS[need] > RANKS[this.#need]) this.#need = need;
  }

  /** The worker begins to work. */
  begin(): void {
    if (this.#need !== undefined) this.#meter.begin();
  }

  /** Between two steps of its work: whether to make a part now. */
  // hot
  isDue(): boolean {
    if (this.#need === undefined) return false;
    const totalMs = this.#meter.totalMs();
    if (!this.#isBegun && this.#need !== 'urgent') {
      if (totalMs < WORTH_MS && this.#need !== 'certain') return false;
      // What is urgent is a small part of a program that is there.
      if (this.#madeMs >= THREAD_MS) this.#call();
    }
    return true;
  }

  /** Something was asked for and is not there. */
  get isAsked(): boolean {
    return this.#need !== undefined;
  }

  /** Something is half made, and others may wait for it. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  /** Something is half made while something, itself or another, is certain to be worth more than work without it. */
  get isPressing(): boolean {
    return this.#isBegun && this.#need === 'certain';
  }

  /** Makes a part of what was asked for, or leaves it to the thread. */
  make(): void {
    const begun = this.#nowMs();
    const made = this.#isBegun || this.#isHere() ? this.#makeCode() : 'none';
    this.#isBegun = made === 'part';
    this.#madeMs += this.#nowMs() - begun;
    this.#meter.begin();
    if (this.#isBegun) return;
    // What else was asked for has to be worth it as well.
    this.#meter.reset();
    this.#asked = made === 'whole' ? this.#asked - 1 : 0;
    if (this.#asked <= 0) this.#need = undefined;
    else if (this.#need === 'certain') this.#need = 'wanted';
  }

  /** Large programs are for the thread. */
  #isHere(): boolean {
    return this.#need !== 'large' && Atomics.load(this.#words, CODE_PLACE) !== CodePlace.thread;
  }

  #call(): void {
    if (Atomics.compareExchange(this.#words, CODE_PLACE, CodePlace.worker, CodePlace.wanted) === CodePlace.worker)
      wake(this.#words, IRQ_COUNT);
  }
}
