import type { Runtime } from '../runtime.js';

/**
 * Calls a program's callback that nobody waits for. What it throws has nobody to go to: it is published, and whoever reported to the
 * callback goes on.
 */
export function guarded<T>(runtime: Runtime, slot: string, call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    runtime.events.publish({
      source: 'runtime',
      name: 'callback-failed',
      level: 'error',
      message: `the callback given to ${slot} threw: ${error instanceof Error ? error.message : String(error)}`,
      details: { slot, error },
    });
    return undefined;
  }
}
