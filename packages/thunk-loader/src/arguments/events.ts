/** Arguments about events, for both providers. */
import type { EventKind, ThunkEvent, WaitEventsOptions, WaitTarget } from '../thunk.js';
import { EVENT_TYPES } from '../wire-types.js';
import { checkAddress, checkList, checkObject, checkWord, wrong } from './values.js';

const KINDS: readonly string[] = Object.keys(EVENT_TYPES);
const MODES: readonly string[] = ['any', 'all'];

/** @throws {HsaError} ERR_INVALID_ARGUMENT */
export function checkCreateEvent(options: { readonly kind: EventKind; readonly reset?: 'auto' | 'manual' }): void {
  checkObject(options, 'options');
  checkWord(options.kind, 'kind', KINDS);
  if (options.reset !== undefined) checkWord(options.reset, 'reset', ['auto', 'manual']);
}

/** @throws {HsaError} ERR_INVALID_ARGUMENT */
export function checkEvent(event: ThunkEvent): void {
  checkObject(event, 'event');
  if (typeof event.id !== 'number') throw wrong('event', 'what createEvent gave', event);
}

/** @throws {HsaError} ERR_INVALID_ARGUMENT */
export function checkWait(targets: readonly WaitTarget[], options: WaitEventsOptions): void {
  checkList(targets, 'events');
  for (const target of targets) {
    checkObject(target, 'event');
    checkEvent('event' in target ? target.event : target);
    if ('event' in target) checkAddress(target.lastAge, 'lastAge');
  }
  checkObject(options, 'options');
  const { mode, timeoutMs, signal } = options;
  if (mode !== undefined) checkWord(mode, 'mode', MODES);
  if (typeof timeoutMs !== 'number' || !(timeoutMs >= 0)) throw wrong('timeoutMs', '0 or more', timeoutMs);
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw wrong('signal', 'an AbortSignal', signal);
}
