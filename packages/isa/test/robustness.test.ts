import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createDecoder, disassemble, formatInstruction } from '../src/index.js';

const FILE_SIZES = new Map([
  ['vgpr', 256],
  ['sgpr', 106],
  ['ttmp', 16],
]);

it.each([
  ['gfx906', 64],
  ['gfx1010', 64],
  ['gfx1030', 32],
  ['gfx900', 64],
  ['gfx908', 64],
  ['gfx90a', 64],
  ['gfx950', 64],
  ['gfx1100', 32],
  ['gfx1100', 64],
  ['gfx1150', 32],
  ['gfx1200', 64],
  ['gfx1250', 32],
] as const)('decodes any bytes for %s, wave%i, without a throw', (processor, waveSize) => {
  const decoder = createDecoder(processor, { waveSize });
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 24 }), (bytes) => {
      const decoded = decoder.decode(bytes, 0);
      if (!decoded.ok) {
        expect(decoded.failure.sizeBytes).toBe(Math.min(4, bytes.length));
        return;
      }
      const { instruction } = decoded;
      expect(instruction.sizeBytes).toBeGreaterThanOrEqual(4);
      expect(instruction.sizeBytes).toBeLessThanOrEqual(Math.min(20, bytes.length));
      expect(formatInstruction(instruction)).not.toMatch(/undefined|NaN|, ,|,$/);
      const outside = instruction.operands.filter(
        ({ kind, index, bits }) => index + Math.ceil(bits / 32) > (FILE_SIZES.get(kind) ?? 512),
      );
      expect(outside).toEqual([]);
    }),
    { numRuns: 1_500, seed: 1 },
  );
});

it('steps through any bytes to their end', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      let end = 0;
      for (const { offset, sizeBytes } of disassemble(bytes, { processor: 'gfx1103' })) {
        expect(offset).toBe(end);
        expect(sizeBytes).toBeGreaterThan(0);
        end += sizeBytes;
      }
      expect(end).toBe(bytes.length);
    }),
    { numRuns: 500, seed: 2 },
  );
});
