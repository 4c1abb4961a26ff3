/** What threads of cold.bench.ts run in place of a device thread's script: kernels, as a device worker does. */
import { createDecoder } from '@doorbell/isa';
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { CodeDuty } from '../src/device/code-duty.js';
import { rehearse as rehearseFor } from '../src/device/rehearsal.js';
import { REPORTS } from '../src/device/shared-state.js';
import { WorkForecast } from '../src/device/work-forecast.js';
import { Workshop } from '../src/execute/code-recipe.js';
import { WorkgroupRun } from '../src/execute/group-run.js';
import { CodeStore, createExecutor, WishCompiler } from '../src/execute/index.js';
import type { Dispatch, Executor } from '../src/executor.js';
import { CODE_STORE_BYTES, MEMORY_PAGES } from '../src/memory-map.js';
import { loadKernel } from './compile-dispatch.js';

/** Workgroups of the dispatch: it does not end. */
const MANY = 1_000_000;

/** What the thread did before its first kernel: nothing, rehearse for it as those do that wait for one, or warm up for optimised code too. */
export type Before = 'nothing' | 'rehearsal' | 'warm-up';

export interface ThreadJob {
  readonly kernel: string;
  readonly before: Before;
  /** Kernels that differ in a number: one after the other, each for the first time. */
  readonly objects: readonly Uint8Array[];
  readonly codeStore: SharedArrayBuffer;
  /** When the thread was asked for, by {@link wallMs}. */
  readonly startedMs: number;
}

/** Milliseconds by what was done. */
export type Times = Readonly<Record<string, number>>;

export interface ThreadReport {
  /** From the wish for a thread to its first line. */
  readonly threadMs: number;
  /**
   * For each kernel. `start`: from when it was first asked for to its first workgroup, also as processor time, and parts of that; `first end`:
   * to the end of its first workgroup; `asked`: to when optimised code was asked for; `optimised`: to when that was there, also as processor time. Then what making
   * it took.
   */
  readonly rounds: readonly Times[];
}

export function wallMs(): number {
  return performance.timeOrigin + performance.now();
}

/** Processor time of this thread, from Linux's scheduler: exact to a few ms, and no matter what else runs. */
function processorMs(): number {
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
}

const SPENT: Record<string, number> = {};
/** When something happened for the first time in a round, from its begin on. */
let marks: {
  readonly begun: number;
  readonly processor: number;
  start?: number;
  processorAtStart?: number;
  asked?: number;
  optimised?: number;
  processorAtOptimised?: number;
  parts?: Times;
} = { begun: 0, processor: 0 };

/** Calls `seen` before or after each call of a method. */
function watch(owner: object, method: string, seen: (when: 'before' | 'after', args: unknown[], result: unknown) => void): void {
  const original: unknown = Reflect.get(owner, method);
  if (typeof original !== 'function') throw new TypeError(`${method} is no method`);
  const watched = function (this: unknown, ...args: unknown[]): unknown {
    seen('before', args, undefined);
    const result: unknown = new.target === undefined ? Reflect.apply(original, this, args) : Reflect.construct(original, args);
    seen('after', args, result);
    return result;
  };
  // For what hangs on it: `WebAssembly.Module.imports`.
  Object.setPrototypeOf(watched, original);
  Reflect.set(owner, method, watched);
}

/** Adds up the time that a method takes. */
function time(owner: object, method: string, name: string): void {
  let begun = 0;
  watch(owner, method, (when) => {
    if (when === 'before') begun = performance.now();
    else SPENT[name] = (SPENT[name] ?? 0) + performance.now() - begun;
  });
}

/** Runs a kernel as a device worker runs a long dispatch of equal workgroups: the same one again and again. */
class Launches {
  readonly #executor: Executor;
  readonly #dispatch: Dispatch;
  readonly #forecast = new WorkForecast();
  readonly #duty: CodeDuty;
  #finished = 0;

  constructor(object: Uint8Array, { kernel, codeStore, before }: Pick<ThreadJob, 'kernel' | 'codeStore' | 'before'>) {
    const { machine, dispatch } = loadKernel(object, kernel);
    const [items] = dispatch.workgroup;
    this.#dispatch = { ...dispatch, grid: [MANY * items, 1, 1], groups: [MANY, 1, 1] };
    this.#executor = createExecutor(machine.memory, {
      codeStore,
      onAsk: (need) => {
        this.#duty.ask(need);
      },
    });
    const work = { workMs: () => this.#workMs(), leftMs: (atMs: number) => this.#forecast.leftMs(atMs) };
    const words = new Int32Array(new SharedArrayBuffer(REPORTS));
    this.#duty = new CodeDuty({ words, work, makeCode: () => this.#executor.makeCode(), nowMs: () => performance.now() });
    if (before === 'nothing') return;
    const rehearsal = rehearseFor({
      processor: dispatch.processor,
      createExecutor,
      now: () => process.hrtime.bigint(),
      reserveMemory: () => new WebAssembly.Memory({ initial: MEMORY_PAGES, maximum: MEMORY_PAGES, shared: true }),
    });
    while (rehearsal.next().done !== true);
    if (before === 'warm-up') while (this.#executor.warmUp(dispatch.processor));
  }

  /** Runs it once. */
  run(): void {
    this.#duty.begin();
    const prepared = this.#executor.prepare(this.#dispatch);
    if ('kind' in prepared) throw new Error(prepared.message);
    this.#forecast.note(0, this.#finished, MANY, this.#workMs());
    const run = this.#executor.start(prepared, this.#dispatch, 0, 1);
    for (;;) {
      const outcome = this.#executor.resume(run);
      if (outcome.kind === 'fault') throw new Error(outcome.fault.message);
      if (outcome.kind === 'done') break;
      this.#makeCode();
    }
    this.#forecast.note(0, ++this.#finished, MANY, this.#workMs());
    this.#makeCode();
  }

  #makeCode(): void {
    if (!this.#duty.isDue()) return;
    do this.#duty.make();
    while (this.#duty.isPressing);
  }

  #workMs(): number {
    return performance.now() - this.#executor.makingMs;
  }
}

function compute({ kernel, before, objects, codeStore }: ThreadJob): Times[] {
  const [any = new Uint8Array(0)] = objects;
  if (before !== 'nothing') new Launches(any, { kernel, codeStore: new SharedArrayBuffer(CODE_STORE_BYTES), before });
  time(Object.getPrototypeOf(createDecoder('gfx1201')) as object, 'decode', 'decode');
  time(WebAssembly, 'Module', 'engine');
  time(Workshop.prototype, 'cfg', 'cfg');
  time(Workshop.prototype, 'optimised', 'analysis');
  time(WishCompiler.prototype, 'step', 'optimising');
  watch(WorkgroupRun.prototype, 'run', () => {
    marks.start ??= performance.now() - marks.begun;
    marks.processorAtStart ??= processorMs() - marks.processor;
    marks.parts ??= { ...SPENT };
  });
  watch(CodeStore.prototype, 'ask', () => (marks.asked ??= performance.now() - marks.begun));
  watch(CodeStore.prototype, 'find', (when, [name], result) => {
    if (when === 'after' && result !== undefined && String(name).startsWith('optimised') && marks.optimised === undefined) {
      marks.optimised = performance.now() - marks.begun;
      marks.processorAtOptimised = processorMs() - marks.processor;
    }
  });
  return objects.map((object) => {
    const launches = new Launches(object, { kernel, codeStore, before: 'nothing' });
    for (const name of Object.keys(SPENT)) SPENT[name] = 0;
    marks = { processor: processorMs(), begun: performance.now() };
    let first: number | undefined;
    while (marks.optimised === undefined) {
      launches.run();
      first ??= performance.now() - marks.begun;
    }
    const { cfg = 0, analysis = 0, optimising = 0 } = SPENT;
    return {
      start: marks.start ?? 0,
      'start, cpu': marks.processorAtStart ?? 0,
      ...marks.parts,
      'first end': first ?? 0,
      asked: marks.asked ?? 0,
      optimised: marks.optimised,
      'optimised, cpu': marks.processorAtOptimised ?? 0,
      cfg,
      analysis,
      optimising,
    };
  });
}

export { engineFlags, rehearse } from '../src/node/device-thread.js';

export function runJob(job: ThreadJob): void {
  const threadMs = wallMs() - job.startedMs;
  const report: ThreadReport = { threadMs, rounds: compute(job) };
  parentPort?.postMessage(report);
}
