import type { Differential } from '@doorbell/cgen';
import { CASES, GROUP, WORDS_IN, WORDS_OUT } from '@doorbell/cgen';
import type { Device } from '@doorbell/runtime';
import { openDevice } from '@doorbell/runtime';
import { vi } from 'vitest';

/** A case in which the device's result is not the host's. */
export interface Mismatch {
  readonly function: number;
  readonly case: number;
  readonly expected: string;
  readonly got: string;
}

/** Words of a function's results. */
const RESULTS = CASES * WORDS_OUT;

const hex = (words: Uint32Array): string => Array.from(words, (w) => w.toString(16).padStart(8, '0')).join(' ');

/** Code that an emulated device runs kernels in. */
export type Code = 'baseline' | 'optimised' | 'both';

/** An emulated device with one compute worker: the functions are small, and starting workers costs more than they save. */
export async function openSmallDevice(isa: string, code: Code = 'both'): Promise<Device> {
  vi.stubEnv('DOORBELL_WORKERS', '1');
  vi.stubEnv('DOORBELL_CODE', code);
  try {
    return await openDevice({ backend: 'emulated', isa });
  } finally {
    vi.unstubAllEnvs();
  }
}

/** Runs functions of a program on the device, one after the other, and returns the cases that differ from the host's results. */
export async function runDifferential(device: Device, program: Differential, functions: readonly number[]): Promise<Mismatch[]> {
  using module = await device.load(program.codeObject);
  using input = device.alloc('u32', CASES * WORDS_IN);
  // All results in one buffer, a part for each function: nothing waits between the launches.
  using output = device.alloc('u32', functions.length * RESULTS);
  await input.write(program.inputs);
  await output.write(new Uint32Array(functions.length * RESULTS));
  const launches = functions.map((f, at) => {
    const part = output.at(at * RESULTS);
    return module.kernel(`k${f}`).launch({ grid: CASES, workgroup: GROUP, args: [input, part, CASES] });
  });
  await Promise.all(launches);
  const results = await output.read();
  const mismatches: Mismatch[] = [];
  const words = (all: Uint32Array, index: number): string => hex(all.subarray(index * WORDS_OUT, (index + 1) * WORDS_OUT));
  for (const [at, f] of functions.entries()) {
    for (let c = 0; c < CASES; c++) {
      const [got, expected] = [words(results, at * CASES + c), words(program.expected, f * CASES + c)];
      if (got !== expected) mismatches.push({ function: f, case: c, expected, got });
    }
  }
  return mismatches;
}
