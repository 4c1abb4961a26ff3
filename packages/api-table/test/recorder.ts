import type { EventSink, LibraryEvent } from '@doorbell/abi';

/** An event sink that keeps what it gets. */
export function recorder(): EventSink & { readonly events: LibraryEvent[] } {
  const events: LibraryEvent[] = [];
  return { events, publish: (event) => void events.push(event) };
}
