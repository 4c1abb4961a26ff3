import type { Differential, HostResults } from '@doorbell/cgen';
import { CASES, makeCodeObject, makeHostResults, TARGETS } from '@doorbell/cgen';
import type { Device } from '@doorbell/runtime';
import { skipReason } from '@doorbell/test-support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSmallDevice, runDifferential } from './differential.js';

const missing = skipReason('clang-22', 'gcc');

const FUNCTIONS = 50;
const ALL = Array.from({ length: FUNCTIONS }, (_, f) => f);
const LEVELS = [
  { level: '-O0', size: 'tiny' },
  { level: '-O3', size: 'small' },
] as const;
/** Programs for each target and level: 200 functions, and with DOORBELL_SOAK=1 2,000 others. */
const [FIRST, PROGRAMS] = process.env['DOORBELL_SOAK'] === '1' ? [1000, 40] : [100, 4];

const PLANS = LEVELS.flatMap(({ level, size }) =>
  Array.from({ length: PROGRAMS }, (_, n) => ({ seed: FIRST + n, functions: FUNCTIONS, level, size })),
);
type Plan = (typeof PLANS)[number];

/** The host's results are made once for all targets. */
const hostResults = new Map<Plan, Promise<HostResults>>();

async function compile(plan: Plan, target: string): Promise<Differential> {
  const host = hostResults.get(plan) ?? makeHostResults({ ...plan, cases: CASES });
  hostResults.set(plan, host);
  const [codeObject, results] = await Promise.all([makeCodeObject({ ...plan, target }), host]);
  return { codeObject, ...results };
}

describe.skipIf(missing !== '').each(TARGETS)(
  `random C functions, compiled now${missing && ` (${missing})`}, on %s`,
  (target) => {
    let device: Device;
    let next: Promise<Differential> | undefined;
    beforeAll(async () => {
      device = await openSmallDevice(target);
    });
    afterAll(() => device.dispose());

    it.each(PLANS.map((plan, at) => ({ ...plan, plan, at })))(
      'of seed $seed at $level give the host’s results bit for bit',
      async ({ plan, at }) => {
        const program = await (next ?? compile(plan, target));
        // The compilers work on the next program while this one runs; a failure is that test's.
        const following = PLANS[at + 1];
        next = following && compile(following, target);
        next?.catch(() => undefined);
        expect(await runDifferential(device, program, ALL)).toEqual([]);
      },
    );
  },
);
