/** Damaged kernels, many of them. */
import { describe, expect, it } from 'vitest';
import { HOSTILE_TARGETS, HostileMachine } from './hostile.js';

const CASES = Number(process.env['DOORBELL_FUZZ'] ?? 2500);
const FIRST = Number(process.env['DOORBELL_FUZZ_FIRST'] ?? 1000);

describe.each(HOSTILE_TARGETS)('damaged kernels of %s', (target) => {
  it('end with a result, a fault or an HsaError, each within two seconds', { timeout: 1_800_000 }, () => {
    const machine = new HostileMachine(target);
    const failures: string[] = [];
    const counts = new Map<string, number>();
    for (let seed = FIRST; seed < FIRST + CASES; seed++) {
      try {
        const { outcome, milliseconds } = machine.run(seed);
        counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
        if (milliseconds > 2000) failures.push(`${seed}: ${Math.round(milliseconds)} ms (${outcome})`);
      } catch (error) {
        failures.push(
          `${seed}: ${error instanceof Error ? (error.stack ?? '').split('\n').slice(0, 8).join('\n') : String(error)}`,
        );
      }
    }
    expect(failures).toEqual([]);
  });
});
