import type { Differential } from '@doorbell/cgen';
import { CASES, GROUP, WORDS_IN, WORDS_OUT } from '@doorbell/cgen';
import type { Device } from '@doorbell/runtime';

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

/** Runs every function of a program on the device, one after the other, and returns the cases that differ from the host's results. */
export async function runDifferential(device: Device, program: Differential, functions: number): Promise<Mismatch[]> {
  using module = await device.load(program.codeObject);
  using input = device.alloc('u32', CASES * WORDS_IN);
  // All results in one buffer, a part for each function: nothing waits between the launches.
  using output = device.alloc('u32', functions * RESULTS);
  await input.write(program.inputs);
  await output.write(new Uint32Array(functions * RESULTS));
  const launches = Array.from({ length: functions }, (_, f) => {
    const part = output.at(f * RESULTS);
    return module.kernel(`k${f}`).launch({ grid: CASES, workgroup: GROUP, args: [input, part, CASES] });
  });
  await Promise.all(launches);
  const results = await output.read();
  const mismatches: Mismatch[] = [];
  for (let c = 0; c < functions * CASES; c++) {
    const [got, expected] = [results, program.expected].map((words) => hex(words.subarray(c * WORDS_OUT, (c + 1) * WORDS_OUT)));
    if (got !== expected) mismatches.push({ function: Math.floor(c / CASES), case: c % CASES, expected: expected!, got: got! });
  }
  return mismatches;
}
