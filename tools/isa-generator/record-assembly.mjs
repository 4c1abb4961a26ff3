/**
 * Records a sample of texts and the bytes that llvm-mc makes of them into packages/isa/test/fixtures, so that the tests need no LLVM.
 * `node record-assembly.mjs [generation]`
 */
import { writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { GENERATIONS, readData } from './generate.mjs';
import { assemblyCases } from './src/assembly-cases.mjs';

const SEED = 20_260_102;

for (const generation of process.argv[2] ? [process.argv[2]] : GENERATIONS) {
  const cases = assemblyCases(readData(generation), { perEntry: 1, step: 5, immediateStep: 997, seed: SEED });
  const lines = cases.map(({ processor, waveSize, text, hex }) => [processor, waveSize, text, hex].join('\t'));
  const file = new URL(`../../packages/isa/test/fixtures/llvm-mc-22-assembly-${generation}.tsv.br`, import.meta.url);
  writeFileSync(file, brotliCompressSync(lines.join('\n')));
  console.log(`${fileURLToPath(file)}: ${lines.length} texts`);
}
