import { expect, it } from 'vitest';
import { isHsaError } from '@doorbell/abi';
import type { Instruction } from '../src/index.js';
import { createDecoder, disassemble, formatInstruction } from '../src/index.js';
import { fromHex } from './support/encodings.js';

it('gives addresses, and data lines for what is no instruction', () => {
  // s_nop 0; 0xffffffff; v_mov_b32 v0, literal; three bytes
  const code = fromHex('000080bf ffffffff ff02007e78563412 010203');
  expect(
    [...disassemble(code, { processor: 'gfx1100', baseAddress: 0x1000n })].map(({ address, sizeBytes, text }) => [
      address,
      sizeBytes,
      text,
    ]),
  ).toEqual([
    [0x1000n, 4, 's_nop 0'],
    [0x1004n, 4, '.long 0xffffffff'],
    [0x1008n, 8, 'v_mov_b32_e32 v0, 0x12345678'],
    [0x1010n, 3, '.byte 0x1, 0x2, 0x3'],
  ]);
});

it('prints branch targets by name where there is one', () => {
  // s_branch -2 at 0x1004 goes to 0x1000
  const code = fromHex('000080bf feffa0bf');
  const symbolAt = (address: bigint): string | undefined => (address === 0x1000n ? 'loop' : undefined);
  expect([...disassemble(code, { processor: 'gfx1100', baseAddress: 0x1000n, symbolAt })].map(({ text }) => text)).toEqual([
    's_nop 0',
    's_branch loop',
  ]);
  expect([...disassemble(code, { processor: 'gfx1100', symbolAt })].map(({ text }) => text)).toEqual([
    's_nop 0',
    's_branch 65534',
  ]);
});

it('refuses to print an instruction of another maker', () => {
  const decoded = createDecoder('gfx1100').decode(fromHex('000080bf'), 0);
  if (!decoded.ok) throw new Error(decoded.failure.message);
  const foreign: Instruction = { ...decoded.instruction };
  let code = '';
  try {
    formatInstruction(foreign);
  } catch (error) {
    if (isHsaError(error)) code = error.code;
  }
  expect(code).toBe('ERR_INVALID_ARGUMENT');
});
