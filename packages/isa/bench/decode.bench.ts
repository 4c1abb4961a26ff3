import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { bench, describe } from 'vitest';
import { createDecoder, formatInstruction } from '../src/index.js';

/** All recorded gfx1100 encodings, one behind the other, repeated: about 100 000 instructions of every kind. */
function makeCode(): Uint8Array {
  const packed = readFileSync(new URL('../test/fixtures/llvm-mc-22-gfx11.tsv.br', import.meta.url));
  const hex = brotliDecompressSync(packed)
    .toString()
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([processor, waveSize]) => processor === 'gfx1100' && waveSize === '32')
    .map(([, , bytes]) => bytes ?? '')
    .join('');
  return Uint8Array.from(Buffer.from(hex.repeat(40), 'hex'));
}

const code = makeCode();
const decoder = createDecoder('gfx1100');

function walk(visit: (instruction: Extract<ReturnType<typeof decoder.decode>, { ok: true }>['instruction']) => void): number {
  let count = 0;
  for (let offset = 0; offset < code.length; count++) {
    const decoded = decoder.decode(code, offset);
    if (decoded.ok) visit(decoded.instruction);
    offset += decoded.ok ? decoded.instruction.sizeBytes : decoded.failure.sizeBytes;
  }
  return count;
}

const instructions = walk(() => undefined);

describe(`${instructions} gfx1100 instructions per operation, Node ${process.version}`, () => {
  bench('decode', () => {
    walk(() => undefined);
  });
  bench('decode and read operands', () => {
    walk((instruction) => instruction.operands);
  });
  bench('decode and print', () => {
    walk((instruction) => formatInstruction(instruction));
  });
});
