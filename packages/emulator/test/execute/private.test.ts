/** Private memory at addresses of every alignment: the same source on the host is the witness. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requireTool } from '@doorbell/test-support';
import { describe, expect, it } from 'vitest';
import { Machine, packArguments } from './machine.js';

const FIXTURES = new URL('../fixtures/kernels/', import.meta.url);
const ITEMS = 256;
const KERNELS = ['packed_struct', 'misaligned', 'generic_pointer', 'generic_argument', 'atomics'];
const OBJECTS = ['O0', 'O2', 'O2.wave64'];
const recorded = readFileSync(new URL('private.expected.bin', FIXTURES));

const hostResults = (kernel: string): BigUint64Array => {
  const start = recorded.byteOffset + KERNELS.indexOf(kernel) * ITEMS * 8;
  return new BigUint64Array(recorded.buffer.slice(start, start + ITEMS * 8));
};

describe.each(OBJECTS)('private memory, %s', (object) => {
  it.each(KERNELS)('%s gives what the host computes', (kernel) => {
    const m = new Machine();
    m.load(new URL(`private.${object}.hsaco`, FIXTURES));
    const [input, out, memory] = [m.allocate(ITEMS * 4), m.allocate(ITEMS * 8), m.allocate(ITEMS * 64)];
    m.u32(input, ITEMS).forEach((_, i, all) => (all[i] = Math.imul(i, 2654435761) >>> 0));
    expect(m.run(m.dispatch(kernel, [ITEMS], [64], packArguments([input, out, memory])))).toBeTypeOf('number');
    expect(new BigUint64Array(m.memory.buffer, m.offset(out), ITEMS)).toEqual(hostResults(kernel));
  });
});

const clang = requireTool('clang-22');
it.skipIf(!clang.available)(`the recorded results are the host's${clang.available ? '' : ` (${clang.reason})`}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-private-'));
  try {
    const program = join(folder, 'host');
    execFileSync('clang-22', ['-x', 'c', '-w', '-O1', fileURLToPath(new URL('private-host.c', FIXTURES)), '-o', program]);
    expect(execFileSync(program)).toEqual(recorded);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
