/** In place of Node's workers: tells what was made and said, and ends when a test says so. */
import { EventEmitter } from 'node:events';
import type { WorkerOptions } from 'node:worker_threads';

export class FakeWorker extends EventEmitter {
  static readonly made: FakeWorker[] = [];
  readonly options: WorkerOptions;
  readonly messages: unknown[] = [];
  isReferenced = true;
  isTerminated = false;

  constructor(_url: URL, options: WorkerOptions) {
    super();
    this.options = options;
    FakeWorker.made.push(this);
  }

  postMessage(message: unknown): void {
    this.messages.push(message);
  }

  ref(): void {
    this.isReferenced = true;
  }

  unref(): void {
    this.isReferenced = false;
  }

  terminate(): Promise<number> {
    this.isTerminated = true;
    return Promise.resolve(1);
  }
}
