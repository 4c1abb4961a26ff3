/**
 * A device worker that starts before its device: a thread takes longer to start than the program needs to come to it. This module is
 * small, so that a program can ask for one before it loads anything else.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { DeviceCode, DeviceCodeMessage, DeviceWorkerData } from './worker-data.js';

/** A young generation of V8's usual size is touched for the first time page by page, which costs more than collecting a small one. */
const YOUNG_GENERATION_MB = 4;

let spare: Worker | undefined;
/** What a worker of this process left for later ones of the same module. */
const codeOf = new Map<string, DeviceCode>();

/** Starts a worker for the next device of this process; it does not keep the process alive, and one is enough. */
export function startSpareWorker(): void {
  if (spare !== undefined) return;
  const worker = createWorker(deviceWorkerUrl());
  worker.unref();
  // Whoever takes it hears of its end; while nobody has, a worker that ends is none.
  const forget = (): void => {
    if (spare === worker) spare = undefined;
  };
  worker.on('error', forget);
  worker.on('exit', forget);
  spare = worker;
}

/** Gives the spare worker away, which waits for its start message; undefined where there is none. */
export function takeSpareWorker(): Worker | undefined {
  const worker = spare;
  spare = undefined;
  worker?.removeAllListeners('error').removeAllListeners('exit');
  return worker;
}

/** Ends the spare worker: no device will need it. */
export async function dropSpareWorker(): Promise<void> {
  await takeSpareWorker()?.terminate();
}

/** Found by the package's name: the built worker, also when this module runs from source. */
export function deviceWorkerUrl(): URL {
  return pathToFileURL(createRequire(import.meta.url).resolve('@doorbell/emulator/worker'));
}

/** A device worker with its start message, or one that waits for it. */
export function createWorker(url: URL, start?: unknown): Worker {
  const code = codeOf.get(url.href);
  const workerData: DeviceWorkerData = { ...(start === undefined ? {} : { start }), ...(code === undefined ? {} : { code }) };
  // The parent's flags are not for it: `--conditions` above all, which would have the built worker load the siblings' sources.
  const worker = new Worker(url, {
    workerData,
    name: 'doorbell device',
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  // Safe: it is the one message that a device worker sends.
  worker.on('message', (message: DeviceCodeMessage) => {
    codeOf.set(url.href, message.code);
  });
  return worker;
}
