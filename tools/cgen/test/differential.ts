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

const hex = (words: Uint32Array): string => Array.from(words, (w) => w.toString(16).padStart(8, '0')).join(' ');

/** Runs every function of a program on the device and returns the cases that differ from the host's results. */
export async function runDifferential(device: Device, program: Differential, functions: number): Promise<Mismatch[]> {
  using module = await device.load(program.codeObject);
  using input = device.alloc('u32', CASES * WORDS_IN);
  using output = device.alloc('u32', CASES * WORDS_OUT);
  await input.write(program.inputs);
  const mismatches: Mismatch[] = [];
  for (let f = 0; f < functions; f++) {
    await output.write(new Uint32Array(CASES * WORDS_OUT));
    await module.kernel(`k${f}`).launch({ grid: CASES, workgroup: GROUP, args: [input, output, CASES] });
    const got = await output.read();
    for (let c = 0; c < CASES; c++) {
      const from = c * WORDS_OUT;
      const expected = program.expected.subarray(f * CASES * WORDS_OUT + from, f * CASES * WORDS_OUT + from + WORDS_OUT);
      const actual = got.subarray(from, from + WORDS_OUT);
      if (hex(actual) !== hex(expected)) mismatches.push({ function: f, case: c, expected: hex(expected), got: hex(actual) });
    }
  }
  return mismatches;
}
