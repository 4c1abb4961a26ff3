import type { EventSink, LibraryEvent } from '@doorbell/abi';
import { channel } from 'node:diagnostics_channel';
import type { Env } from './flags.js';
import type { LogFilter } from './log-filter.js';
import { LOG_LEVELS, readLogFilter } from './log-filter.js';

/**
 * Where every package's events go: the diagnostics channel `@doorbell/<package>:<event>`, stderr as far as `DOORBELL_LOG` asks, and
 * listeners (a device's `log` event).
 */
export class EventHub implements EventSink {
  readonly #filter: LogFilter;
  readonly #listeners = new Set<(event: LibraryEvent) => void>();
  readonly #print: (line: string) => void;

  constructor(env: Env, print: (line: string) => void = (line) => void process.stderr.write(`${line}\n`)) {
    this.#filter = readLogFilter(env);
    this.#print = print;
  }

  publish(event: LibraryEvent): void {
    const target = channel(`@doorbell/${event.source}:${event.name}`);
    if (target.hasSubscribers) target.publish(event);
    if (this.#isWanted(event)) this.#print(formatEvent(event));
    for (const listener of this.#listeners) listener(event);
  }

  /** One notice that is printed unless `DOORBELL_LOG=error` says otherwise; also published. */
  notice(event: Omit<LibraryEvent, 'level'>): void {
    this.tell(event.message);
    this.publish({ ...event, level: 'warn' });
  }

  /** The line of a notice, of what was published already. */
  tell(line: string): void {
    if (this.#filter.general === undefined) this.#print(`doorbell: ${line}`);
  }

  listen(listener: (event: LibraryEvent) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  #isWanted({ source, level }: LibraryEvent): boolean {
    const limit = this.#filter.packages.get(source) ?? this.#filter.general;
    return limit !== undefined && limit !== 'off' && LOG_LEVELS.indexOf(level) <= LOG_LEVELS.indexOf(limit);
  }
}

function formatEvent({ source, level, message, details }: LibraryEvent): string {
  const facts = Object.entries(details).map(([key, value]) => `${key}=${formatFact(value)}`);
  return [new Date().toISOString(), level, source, message, ...facts].join(' ');
}

function formatFact(value: unknown): string {
  if (typeof value === 'bigint') return `0x${value.toString(16)}`;
  if (typeof value === 'object' && value !== null) {
    return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? `0x${inner.toString(16)}` : inner));
  }
  return String(value);
}
