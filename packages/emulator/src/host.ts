import type {} from './webassembly.js';

/** What the emulator core needs of the environment it runs in; Node's is in `./node`. A web page hands in its own. */
export interface Host {
  /** Starts a device worker: the module of `@doorbell/emulator/worker`, with `data` as its start message. */
  spawnWorker(data: unknown): HostWorker;
  /** Sets the protection of pages of the memory, or says that it cannot (then all accesses check the page table in software). */
  readonly protectPages?: (
    memory: WebAssembly.Memory,
    offset: number,
    sizeBytes: number,
    access: 'none' | 'read' | 'write',
  ) => void;
  /** Gives pages back to the system so that they read as zero; false when it cannot (then they are filled). */
  readonly discardPages?: (memory: WebAssembly.Memory, offset: number, sizeBytes: number) => boolean;
  /** Logical cores. */
  readonly cores: number;
  /** Environment variables that the emulator honours (`DOORBELL_WORKERS`, `DOORBELL_CODE`). */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Monotonic nanoseconds. */
  now(): bigint;
}

export interface HostWorker {
  postMessage(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  onError(listener: (error: Error) => void): void;
  /** Whether the worker keeps the process alive. */
  setRef(referenced: 'ref' | 'unref'): void;
  terminate(): Promise<void>;
}
