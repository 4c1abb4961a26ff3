import type { EventSink } from '@doorbell/abi';

const sinks = new WeakMap<object, EventSink>();

/** Remembers where a table's events go: interceptors in its slots publish there too. */
export function noteTableEvents(table: object, events: EventSink): void {
  sinks.set(table, events);
}

export function eventsOf(table: object): EventSink | undefined {
  return sinks.get(table);
}
