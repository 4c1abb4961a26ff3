import { HsaError } from '@doorbell/abi';
import type { AqlPacket } from './aql-packet.js';
import type { EventMonitor, PendingWait } from './event-monitor.js';
import type { SubmitOptions, WatchedQueue } from './wait-signal.js';
import { DEFAULT_TIMEOUT_MS, progressIntervalMs } from './wait-signal.js';

/** One packet that waits for a slot. */
interface Waiting {
  readonly packet: AqlPacket;
  readonly resolve: (index: number) => void;
  readonly reject: (error: unknown) => void;
}

/** Packets that wait for room in a full ring, first come, first served. The device announces no room, so memory is polled. */
export class SpaceWaiters implements PendingWait {
  readonly needsPolling = true;
  readonly #queue: WatchedQueue;
  readonly #monitor: EventMonitor;
  readonly #place: (packet: AqlPacket) => number;
  readonly #waiting: Waiting[] = [];

  constructor(queue: WatchedQueue, parts: { readonly monitor: EventMonitor; readonly place: (packet: AqlPacket) => number }) {
    this.#queue = queue;
    this.#monitor = parts.monitor;
    this.#place = parts.place;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Waits for a slot and puts the packet there; gives its index. */
  async wait(packet: AqlPacket, { timeoutMs = DEFAULT_TIMEOUT_MS, signal, progress }: SubmitOptions): Promise<number> {
    const intervalMs = progressIntervalMs(timeoutMs);
    let timer: NodeJS.Timeout | undefined;
    let onAbort: (() => void) | undefined;
    try {
      return await new Promise<number>((resolve, reject) => {
        const entry = { packet, resolve, reject };
        const giveUp = (error: HsaError): void => {
          this.#withdraw(entry);
          reject(error);
        };
        this.#waiting.push(entry);
        if (this.#waiting.length === 1) this.#monitor.add(this);
        if (signal !== undefined) {
          onAbort = (): void =>
            giveUp(new HsaError('ERR_ABORTED', { message: 'the submission was aborted', cause: signal.reason }));
          signal.addEventListener('abort', onAbort, { once: true });
        }
        if (timeoutMs !== Infinity) timer = this.#watchProgress({ timeoutMs, intervalMs, progress }, giveUp);
      });
    } finally {
      clearInterval(timer);
      if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort);
    }
  }

  poll(): boolean {
    const error = this.#queue.checkHealth();
    if (error !== undefined) this.failAll(error);
    for (let entry = this.#waiting[0]; entry !== undefined; entry = this.#waiting[0]) {
      const index = this.#place(entry.packet);
      if (index < 0) return false;
      this.#waiting.shift();
      entry.resolve(index);
    }
    return true;
  }

  fail(error: unknown): void {
    this.failAll(error);
  }

  failAll(error: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  #withdraw(entry: Waiting): void {
    const at = this.#waiting.indexOf(entry);
    if (at >= 0) this.#waiting.splice(at, 1);
    if (this.#waiting.length === 0) this.#monitor.remove(this);
  }

  #watchProgress(
    {
      timeoutMs,
      intervalMs,
      progress,
    }: { readonly timeoutMs: number; readonly intervalMs: number; readonly progress: SubmitOptions['progress'] },
    giveUp: (error: HsaError) => void,
  ): NodeJS.Timeout {
    let seen = this.#queue.readIndex;
    let seenProgress = progress?.();
    let since = performance.now();
    return setInterval(() => {
      const now = performance.now();
      const readIndex = this.#queue.readIndex;
      const current = progress?.();
      if (readIndex !== seen || current !== seenProgress) {
        seen = readIndex;
        seenProgress = current;
        since = now;
      } else if (now - since >= timeoutMs) {
        giveUp(
          new HsaError('ERR_TIMEOUT', {
            message: `no progress for ${timeoutMs} ms: ${this.#queue.label} is full and the device took none of its packets since packet ${readIndex}`,
            details: { timeoutMs, queue: this.#queue.label, readIndex },
          }),
        );
      }
    }, intervalMs);
  }
}
