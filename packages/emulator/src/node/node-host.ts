/** The {@link Host} of Node: worker threads, libc for page protection. */
import { availableParallelism } from 'node:os';
import type { Host, HostWorker } from '../host.js';
import { loadNativeMemory } from './native-memory.js';
import { createWorker, deviceWorkerUrl, takeSpareWorker } from './spare-worker.js';

/** What can be replaced, by tests mostly. */
export interface NodeHostOptions {
  /** Module of the device workers; default: `@doorbell/emulator/worker`. */
  readonly workerUrl?: URL;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** `software`: every access checks the page table, as where pages cannot be protected. Default: `native` where it can be had. */
  readonly protection?: 'native' | 'software';
}

/** Makes the host of this process. */
export function createNodeHost(options: NodeHostOptions = {}): Promise<Host> {
  return new Promise((resolve) => {
    resolve(nodeHost(options));
  });
}

function nodeHost({ workerUrl, env = process.env, protection = 'native' }: NodeHostOptions): Host {
  const native = protection === 'native' ? loadNativeMemory(process.platform) : {};
  return {
    ...native,
    spawnWorker: (data) => startWorker(workerUrl, data),
    cores: availableParallelism(),
    env,
    now: () => process.hrtime.bigint(),
  };
}

function startWorker(url: URL | undefined, data: unknown): HostWorker {
  const spare = url === undefined ? takeSpareWorker() : undefined;
  spare?.postMessage(data);
  const worker = spare ?? createWorker(url ?? deviceWorkerUrl(), data);
  let isTerminated = false;
  return {
    postMessage: (message) => {
      worker.postMessage(message);
    },
    onMessage: (listener) => {
      worker.on('message', listener);
    },
    onError: (listener) => {
      worker.on('error', listener);
      worker.on('messageerror', listener);
      worker.on('exit', (code) => {
        if (!isTerminated) listener(new Error(`a device worker ended by itself, with code ${code}`));
      });
    },
    setRef: (referenced) => {
      if (referenced === 'ref') worker.ref();
      else worker.unref();
    },
    terminate: async () => {
      isTerminated = true;
      await worker.terminate();
    },
  };
}
