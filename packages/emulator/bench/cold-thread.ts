/** Threads of cold.bench.ts: a worker that runs kernels, and the compile worker that answers the wishes that it leaves. */
import { createDecoder } from '@doorbell/isa';
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { Workshop } from '../src/execute/code-recipe.js';
import { WorkgroupRun } from '../src/execute/group-run.js';
import { CodeStore, createExecutor, WishCompiler } from '../src/execute/index.js';
import { loadKernel } from './compile-dispatch.js';

export interface ThreadJob {
  readonly role: 'compute' | 'compiler';
  readonly kernel: string;
  /** The thread had nothing to do before, for long enough to warm up. */
  readonly wasIdle: boolean;
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
   * For each kernel. `start`: from when it was first asked for to its first workgroup, also as processor time; `first end`: to the end of its
   * first launch; `optimised`: to when optimised code was there, while it was launched again and again. Then parts of `start`.
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
  optimised?: number;
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

function compute({ kernel, wasIdle, objects, codeStore }: ThreadJob): Times[] {
  if (wasIdle) {
    const { machine, dispatch } = loadKernel(objects[0] ?? new Uint8Array(0), kernel);
    const executor = createExecutor(machine.memory);
    while (executor.warmUp(dispatch.processor));
  }
  time(Object.getPrototypeOf(createDecoder('gfx1201')) as object, 'decode', 'decode');
  time(WebAssembly, 'Module', 'engine');
  watch(WorkgroupRun.prototype, 'run', () => {
    marks.start ??= performance.now() - marks.begun;
    marks.processorAtStart ??= processorMs() - marks.processor;
    marks.parts ??= { ...SPENT };
  });
  watch(CodeStore.prototype, 'find', (when, [name], result) => {
    if (when === 'after' && result !== undefined && String(name).startsWith('optimised'))
      marks.optimised ??= performance.now() - marks.begun;
  });
  return objects.map((object) => {
    const { machine, dispatch } = loadKernel(object, kernel);
    const executor = createExecutor(machine.memory, { codeStore, onAsk: () => parentPort?.postMessage('asked') });
    for (const name of Object.keys(SPENT)) SPENT[name] = 0;
    marks = { processor: processorMs(), begun: performance.now() };
    let first: number | undefined;
    while (marks.optimised === undefined) {
      const prepared = executor.prepare(dispatch);
      if ('kind' in prepared) throw new Error(prepared.message);
      const run = executor.start(prepared, dispatch, 0, 1);
      let outcome = executor.resume(run);
      while (outcome.kind === 'yield') outcome = executor.resume(run);
      if (outcome.kind === 'fault') throw new Error(outcome.fault.message);
      first ??= performance.now() - marks.begun;
    }
    return {
      start: marks.start ?? 0,
      'start, cpu': marks.processorAtStart ?? 0,
      'first end': first ?? 0,
      optimised: marks.optimised,
      ...marks.parts,
    };
  });
}

function compile({ wasIdle, codeStore }: ThreadJob): never {
  const store = new CodeStore(codeStore);
  const compiler = new WishCompiler(store);
  while (wasIdle && compiler.warmUp('gfx1100', { softwarePages: false }));
  parentPort?.postMessage('ready');
  time(Workshop.prototype, 'cfg', 'cfg');
  time(Workshop.prototype, 'optimised', 'analysis');
  for (;;) {
    const seen = store.version;
    for (const name of Object.keys(SPENT)) SPENT[name] = 0;
    const begun = performance.now();
    if (compiler.step()) parentPort?.postMessage({ ...SPENT, all: performance.now() - begun });
    else store.wait(seen, Infinity);
  }
}

// Safe: cold.bench.ts starts this thread, with a job.
const job = workerData as ThreadJob;
const threadMs = wallMs() - job.startedMs;
if (job.role === 'compiler') compile(job);
const report: ThreadReport = { threadMs, rounds: compute(job) };
parentPort?.postMessage(report);
