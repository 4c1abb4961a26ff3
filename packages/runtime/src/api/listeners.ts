import type { EventHub } from '../core/event-hub.js';
import type { DeviceEvents } from './types.js';

type Listener = (data: never) => void;

/**
 * Listeners of one device's events; `log` passes on what the packages publish. What a listener throws is the program's uncaught
 * exception, as with an EventTarget: it does not disturb the launch that the event is about.
 */
export class DeviceListeners {
  readonly #events: EventHub;
  readonly #listeners = new Map<keyof DeviceEvents, Set<Listener>>();
  #log: Disposable | undefined;

  constructor(events: EventHub) {
    this.#events = events;
  }

  on<E extends keyof DeviceEvents>(event: E, listener: (data: DeviceEvents[E]) => void): Disposable {
    const set = this.#listeners.get(event) ?? new Set<Listener>();
    this.#listeners.set(event, set);
    set.add(listener);
    if (event === 'log') {
      this.#log ??= this.#events.listen(({ level, source, message }) => this.emit('log', { level, package: source, message }));
    }
    return { [Symbol.dispose]: () => void set.delete(listener) };
  }

  has(event: keyof DeviceEvents): boolean {
    return (this.#listeners.get(event)?.size ?? 0) > 0;
  }

  emit<E extends keyof DeviceEvents>(event: E, data: DeviceEvents[E]): void {
    for (const listener of this.#listeners.get(event) ?? []) {
      try {
        // Safe: `on` adds only listeners of the event's own data.
        (listener as unknown as (data: DeviceEvents[E]) => void)(data);
      } catch (error) {
        process.nextTick(() => {
          throw error;
        });
      }
    }
  }

  clear(): void {
    this.#listeners.clear();
    this.#log?.[Symbol.dispose]();
  }
}
