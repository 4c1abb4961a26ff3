/** How urgent an event is. */
export type EventLevel = 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** Something worth telling that is no result: who says it, what it is, and the facts. */
export interface LibraryEvent {
  /** Package without scope: `api-table`. */
  readonly source: string;
  /** Kebab-case name, stable: `slot-not-implemented`. */
  readonly name: string;
  readonly level: EventLevel;
  /** For people. */
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Where packages that also run in a web page publish their events; the runtime bridges it to `node:diagnostics_channel`.
 * Implementations do not throw.
 */
export interface EventSink {
  publish(event: LibraryEvent): void;
}
