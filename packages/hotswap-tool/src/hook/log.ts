import type { EventLevel, EventSink } from '@doorbell/abi';
import type { HsaError } from '@doorbell/abi';

type Details = Readonly<Record<string, unknown>>;

/** HotSwap's events. Failures are always told, everything else under HSA_HOTSWAP_VERBOSE. */
export class HotSwapLog {
  readonly isVerbose: boolean;
  readonly #events: EventSink | undefined;

  constructor({ events, isVerbose }: { readonly events: EventSink | undefined; readonly isVerbose: boolean }) {
    this.#events = events;
    this.isVerbose = isVerbose;
  }

  tell(name: string, message: string, details: Details): void {
    if (this.isVerbose) this.#publish(name, { level: 'info', message, details });
  }

  warn(name: string, message: string, details: Details): void {
    this.#publish(name, { level: 'warn', message, details });
  }

  /** A load that HotSwap itself refused: `details.error` is what its caller may throw. */
  refused(error: HsaError): void {
    this.#publish('load-refused', { level: 'error', message: error.message, details: { ...error.details, error } });
  }

  failed(slot: string, error: unknown): void {
    const message = `${slot}: ${error instanceof Error ? error.message : String(error)}`;
    this.#publish('callback-failed', { level: 'error', message, details: { slot, error } });
  }

  #publish(name: string, event: { readonly level: EventLevel; readonly message: string; readonly details: Details }): void {
    this.#events?.publish({ source: 'hotswap-tool', name, ...event });
  }
}
