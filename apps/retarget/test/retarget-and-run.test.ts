import { expect, it } from 'vitest';
import { retargetAndRun } from '../src/retarget-and-run.js';

it('runs code for gfx1030 on a gfx1031, with the report and the proof', async () => {
  const lines: string[] = [];
  expect(await retargetAndRun((line) => lines.push(line))).toBe(true);
  const text = lines.join('\n');
  expect(text).toContain('As it is: refused with ERR_ISA_MISMATCH');
  expect(text).toContain('amdgcn-amd-amdhsa--gfx1030 → amdgcn-amd-amdhsa--gfx1031 (family): rewritten');
  expect(text).toContain('e_flags: 0x36 → 0x37');
  expect(text).toContain('Proof: holds.');
  expect(text).toContain("65536 sums on gfx1031, all equal to the host's.");
});
