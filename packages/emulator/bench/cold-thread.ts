/** A thread of cold.bench.ts: a worker that makes baseline code for kernels, or the compile worker that answers the wishes these leave. */
import { createDecoder } from '@doorbell/isa';
import { parentPort, workerData } from 'node:worker_threads';
import { Workshop } from '../src/execute/code-recipe.js';
import { CodeStore, createExecutor, WishCompiler } from '../src/execute/index.js';
import { Machine, packArguments } from '../test/execute/machine.js';

export interface ThreadJob {
  readonly role: 'compute' | 'compiler';
  readonly kernel: string;
  /** Kernels that differ in a number: one after the other, each for the first time. */
  readonly objects: readonly Uint8Array[];
  readonly codeStore: SharedArrayBuffer;
  /** When the thread was asked for, by {@link wallMs}. */
  readonly startedMs: number;
}

/** Milliseconds by what was done; `all` is the time from first to last. */
export type Times = Readonly<Record<string, number>>;

export interface ThreadReport {
  /** From the wish for a thread to its first line. */
  readonly threadMs: number;
  readonly rounds: readonly Times[];
}

export function wallMs(): number {
  return performance.timeOrigin + performance.now();
}

const SPENT: Record<string, number> = {};

/** Adds up the time that a method takes. */
function watch(owner: object, method: string, name: string): void {
  const original: unknown = Reflect.get(owner, method);
  if (typeof original !== 'function') throw new TypeError(`${method} is no method`);
  Reflect.set(owner, method, function (this: unknown, ...args: unknown[]): unknown {
    const begun = performance.now();
    const result: unknown = new.target === undefined ? Reflect.apply(original, this, args) : Reflect.construct(original, args);
    SPENT[name] = (SPENT[name] ?? 0) + performance.now() - begun;
    return result;
  });
}

function timed(work: () => void): Times {
  for (const name of Object.keys(SPENT)) SPENT[name] = 0;
  const begun = performance.now();
  work();
  return { ...SPENT, all: performance.now() - begun };
}

function compute({ kernel, objects, codeStore }: ThreadJob): Times[] {
  return objects.map((object) => {
    const machine = new Machine();
    machine.load(object);
    const n = 256;
    const [out, input] = [machine.allocate(n * 64), machine.allocate(n * 64)];
    const dispatch = machine.dispatch(kernel, [n], [n], packArguments([out, input, n, n - 1]));
    const executor = createExecutor(machine.memory, { codeStore, patience: { ranMs: 0, yields: 20 } });
    const started = (): ReturnType<typeof executor.start> => {
      const prepared = executor.prepare(dispatch);
      if ('kind' in prepared) throw new Error(prepared.message);
      return executor.start(prepared, dispatch, 0, 1);
    };
    let run: ReturnType<typeof started> | undefined;
    const times = timed(() => (run = started()));
    while (run !== undefined && executor.resume(run).kind === 'yield');
    return times;
  });
}

function compile({ objects, codeStore }: ThreadJob): Times[] {
  const compiler = new WishCompiler(new CodeStore(codeStore));
  return objects.map(() =>
    timed(() => {
      if (!compiler.step()) throw new Error('no optimised code was asked for');
    }),
  );
}

// Safe: cold.bench.ts starts this thread, with a job.
const job = workerData as ThreadJob;
const threadMs = wallMs() - job.startedMs;
watch(Object.getPrototypeOf(createDecoder('gfx1201')) as object, 'decode', 'decode');
watch(Workshop.prototype, 'cfg', 'cfg');
watch(Workshop.prototype, 'optimised', 'analysis');
watch(WebAssembly, 'Module', 'engine');
const report: ThreadReport = { threadMs, rounds: job.role === 'compute' ? compute(job) : compile(job) };
parentPort?.postMessage(report);
