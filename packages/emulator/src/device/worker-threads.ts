/**
 * The device threads as real workers of the host: several compute workers, of which the first starts alone and is the command processor
 * too, the others when there is work for more than one; a thread for the command processor, which starts when the first worker has much
 * to do; and a compile worker, which starts when it is first needed.
 */
import { HsaError } from '@doorbell/abi';
import type { Host, HostWorker } from '../host.js';
import { CODE_STORE_BYTES, MAX_WORKERS } from '../memory-map.js';
import type { MachineDescription } from '../sysfs/machine.js';
import type { AddressForm } from './address.js';
import type { DoorbellForm } from './command-processor.js';
import type { GpuModel } from './gpu-model.js';
import { gpuModelOf } from './gpu-model.js';
import type { MemoryViews } from './shared-state.js';
import { CP_WAKE, PROCESSOR_PLACE, SHUTDOWN, WORKER_COUNT, wake, wakeWorkers } from './shared-state.js';
import type { DeviceThreads } from './threads.js';

/** Start message of a device worker. */
export interface WorkerStart {
  readonly role: 'command-processor' | 'compute' | 'compiler';
  /** Index among the compute workers. */
  readonly index: number;
  readonly memory: WebAssembly.Memory;
  /** Compiled code that the workers share (execute/code-store.ts). */
  readonly codeStore: SharedArrayBuffer;
  readonly gpus: readonly GpuModel[];
  /** Whether pages that are not mapped trap by themselves. */
  readonly pagesTrap: boolean;
  readonly addressForm: AddressForm;
  readonly doorbells: DoorbellForm;
  readonly code: CodeChoice;
}

/** Which code kernels run in: `both` is baseline code until optimised code is there. */
export type CodeChoice = 'baseline' | 'optimised' | 'both';

export interface WorkerThreadsOptions {
  readonly host: Host;
  readonly machine: MachineDescription;
  readonly views: MemoryViews;
  readonly workerCount: number;
  readonly code: CodeChoice;
  readonly onCrash: (error: Error) => void;
  /** Default `called`. */
  readonly doorbells?: DoorbellForm;
}

export class WorkerThreads implements DeviceThreads {
  readonly #options: WorkerThreadsOptions;
  readonly #codeStore = new SharedArrayBuffer(CODE_STORE_BYTES);
  #workers: HostWorker[] = [];
  #isStarted = false;
  #isReinforced = false;
  #hasProcessor = false;
  #hasCompiler = false;
  #isStopped = false;
  #referenced: 'ref' | 'unref' = 'unref';

  constructor(options: WorkerThreadsOptions) {
    this.#options = options;
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    const { views, workerCount } = this.#options;
    Atomics.store(views.words, WORKER_COUNT, workerCount);
    this.#spawn('compute', 0);
  }

  reinforce(): void {
    if (this.#isReinforced || !this.#isStarted || this.#isStopped) return;
    this.#isReinforced = true;
    for (let index = 1; index < this.#options.workerCount; index += 1) this.#spawn('compute', index);
  }

  startProcessor(): void {
    if (this.#hasProcessor || !this.#isStarted || this.#isStopped) return;
    this.#hasProcessor = true;
    this.#spawn('command-processor', 0);
  }

  startCompiler(): void {
    if (this.#hasCompiler || !this.#isStarted || this.#isStopped) return;
    this.#hasCompiler = true;
    this.#spawn('compiler', 0);
  }

  relax(): void {
    // The workers run by themselves.
  }

  setRef(referenced: 'ref' | 'unref'): void {
    this.#referenced = referenced;
    for (const worker of this.#workers) worker.setRef(referenced);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    const { words } = this.#options.views;
    Atomics.store(words, SHUTDOWN, 1);
    wake(words, CP_WAKE);
    Atomics.notify(words, PROCESSOR_PLACE);
    wakeWorkers(words);
    const workers = this.#workers;
    this.#workers = [];
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #spawn(role: WorkerStart['role'], index: number): void {
    const { host, machine, views, code, onCrash, doorbells = 'called' } = this.#options;
    const gpus = machine.gpus.map(gpuModelOf);
    const start: WorkerStart = {
      role,
      index,
      memory: views.memory,
      codeStore: this.#codeStore,
      gpus,
      pagesTrap: host.protectPages !== undefined,
      addressForm: views.addresses.form,
      doorbells,
      code,
    };
    const worker = host.spawnWorker(start);
    worker.onError(onCrash);
    worker.setRef(this.#referenced);
    this.#workers.push(worker);
  }
}

/**
 * The number of compute workers: as asked for, else `DOORBELL_WORKERS`, else one for each core.
 * @throws {HsaError} ERR_INVALID_ARGUMENT when it is not 1…16.
 */
export function workerCountOf(workers: number | undefined, host: Pick<Host, 'env' | 'cores'>): number {
  const fromEnv = host.env['DOORBELL_WORKERS'];
  const wanted = workers ?? (fromEnv === undefined || fromEnv === '' ? Math.min(host.cores, MAX_WORKERS) : Number(fromEnv));
  if (Number.isInteger(wanted) && wanted >= 1 && wanted <= MAX_WORKERS) return wanted;
  const source = workers === undefined ? `DOORBELL_WORKERS=${String(fromEnv)}` : `workers: ${workers}`;
  throw new HsaError('ERR_INVALID_ARGUMENT', {
    message: `${source}: the emulated GPU takes 1 to ${MAX_WORKERS} compute workers`,
  });
}

/**
 * The code that kernels run in: `DOORBELL_CODE`, else both kinds.
 * @throws {HsaError} ERR_INVALID_ARGUMENT when it is none of them.
 */
export function codeChoiceOf({ env }: Pick<Host, 'env'>): CodeChoice {
  const wanted = env['DOORBELL_CODE'];
  if (wanted === undefined || wanted === '') return 'both';
  if (wanted === 'baseline' || wanted === 'optimised' || wanted === 'both') return wanted;
  throw new HsaError('ERR_INVALID_ARGUMENT', {
    message: `DOORBELL_CODE=${wanted}: the emulated GPU runs 'baseline' or 'optimised' code, or 'both'`,
  });
}
