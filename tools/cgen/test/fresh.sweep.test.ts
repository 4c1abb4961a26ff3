import type { Differential, HostResults } from '@doorbell/cgen';
import { CASES, makeCodeObject, makeHostResults, TARGETS } from '@doorbell/cgen';
import type { Device } from '@doorbell/runtime';
import { skipReason } from '@doorbell/test-support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Code, openSmallDevice, runDifferential } from './differential.js';

const missing = skipReason('clang-22', 'gcc');

const FUNCTIONS = 50;
const ALL = Array.from({ length: FUNCTIONS }, (_, f) => f);
interface Level {
  readonly level: string;
  readonly size: 'tiny' | 'small';
  readonly code: Code;
}

/** Functions at -O0 are calls and private memory, of which optimised code is large: they run in baseline code. */
const LEVELS: readonly Level[] = [
  { level: '-O0', size: 'tiny', code: 'baseline' },
  { level: '-O3', size: 'small', code: 'optimised' },
];
/** Programs for each target and level: 500 functions, and with DOORBELL_SOAK=1 2,000 others. */
const [FIRST, PROGRAMS] = process.env['DOORBELL_SOAK'] === '1' ? [1000, 40] : [100, 10];

const SEEDS = Array.from({ length: PROGRAMS }, (_, n) => FIRST + n);
interface Compiled {
  readonly level: Level;
  readonly program: Differential;
}

/** The host's results, made once for all targets. */
const hostResults = new Map<string, Promise<HostResults>>();

async function compile(seed: number, level: Level, target: string): Promise<Compiled> {
  const key = `${seed} ${level.size}`;
  const plan = { seed, functions: FUNCTIONS, size: level.size };
  const host = hostResults.get(key) ?? makeHostResults({ ...plan, cases: CASES });
  hostResults.set(key, host);
  const [codeObject, results] = await Promise.all([makeCodeObject({ ...plan, level: level.level, target }), host]);
  return { level, program: { codeObject, ...results } };
}

const compileLevels = (seed: number, target: string): Promise<Compiled[]> =>
  Promise.all(LEVELS.map((level) => compile(seed, level, target)));

describe.skipIf(missing !== '').each(TARGETS)(
  `random C functions, compiled now${missing && ` (${missing})`}, on %s`,
  (target) => {
    const devices = new Map<Code, Device>();
    let next: Promise<Compiled[]> | undefined;
    beforeAll(async () => {
      for (const code of ['baseline', 'optimised'] as const) devices.set(code, await openSmallDevice(target, code));
    });
    afterAll(async () => {
      for (const device of devices.values()) await device.dispose();
    });

    it.each(SEEDS)('of seed %i give the host’s results bit for bit', async (seed) => {
      const programs = await (next ?? compileLevels(seed, target));
      // The compilers work on the next program while this one runs; a failure is that test's.
      next = seed + 1 < FIRST + PROGRAMS ? compileLevels(seed + 1, target) : undefined;
      next?.catch(() => undefined);
      const runs = [...devices].flatMap(([code, device]) =>
        programs
          .filter(({ level }) => level.code === code)
          .map(async ({ level, program }) => [level.level, code, await runDifferential(device, program, ALL)] as const),
      );
      expect((await Promise.all(runs)).filter(([, , mismatches]) => mismatches.length > 0)).toEqual([]);
    });
  },
);
